// SPDX-License-Identifier: BSD-3-Clause
// A history played on the model, and histories made from a profile.
#include "sim/power_history.h"

#include <cmath>
#include <utility>

#include "base/text.h"

namespace openqnn::sim {
namespace {

constexpr double kNanosPerMicro = 1000;
constexpr uint64_t kMostAccelerator = UINT64_MAX / 4096;  // so that thousandths of it fit
constexpr uint32_t kOnlyClient = 1;

// What an execute takes under these clocks when the core bounds it, rounded up.
Nanos under(const Clocks& clocks, Nanos at_burst) {
  const uint64_t time = std::min(at_burst.value, kMostAccelerator);
  return {ceil_div(time * 1000, clocks.core_permille)};
}

Result<ClockVote> clock_vote(const soc::CornerVote& corners, const soc::PowerModel& model) {
  const auto min = model.by_name(corners.min), target = model.by_name(corners.target),
             max = model.by_name(corners.max);
  if (!min || !target || !max)
    return invalid("power-corner", concat("one of the corners ", corners.min, ", ", corners.target, ", ",
                                          corners.max, " is not in data/power_model.json"))
        .fix_by("give every corner of data/power_profiles.json a clock there");
  return ClockVote{static_cast<Level>(*min), static_cast<Level>(*target), static_cast<Level>(*max)};
}

Result<ClockVote> unit_vote(const soc::UnitVote& vote, const soc::PowerModel& model) {
  OPENQNN_ASSIGN(ClockVote clock, clock_vote({vote.corner, vote.corner, vote.corner}, model));
  clock.performance_mode = vote.mode == "LOW" ? 1 : 0;
  return clock;
}

// The votes of one client that follows a profile through its stages.
class ProfileFlow {
 public:
  ProfileFlow(PowerHistory& history, const soc::PowerProfile& profile, const PowerVote& up,
              const PowerVote& down, Nanos hold)
      : history_(history), profile_(profile), up_(up), down_(down), hold_(hold) {}

  void begin(const char* stage) {
    if (!is_up_) add({.kind = PowerEvent::Kind::kVote, .client = kOnlyClient, .vote = up_});
    is_up_ = true;
    add({.kind = PowerEvent::Kind::kStage, .label = stage});
  }
  void end() {
    if (profile_.held_by_timer) {
      add({.kind = PowerEvent::Kind::kTimer, .client = kOnlyClient, .vote = down_, .duration = hold_});
      return;
    }
    lower();
  }
  void lower() {
    add({.kind = PowerEvent::Kind::kVote, .client = kOnlyClient, .vote = down_});
    is_up_ = false;
  }
  void add(PowerEvent event) { history_.events.push_back(std::move(event)); }
  // Whether a pause outlasts the timer, so that the next stage votes again.
  void pause(Nanos idle) {
    add({.kind = PowerEvent::Kind::kIdle, .duration = idle});
    if (profile_.held_by_timer && idle >= hold_) is_up_ = false;
  }

 private:
  PowerHistory& history_;
  const soc::PowerProfile& profile_;
  const PowerVote up_, down_;
  const Nanos hold_;
  bool is_up_ = false;
};

void play(PowerDevice& device, const PowerEvent& event, PowerTimeline& timeline) {
  switch (event.kind) {
    case PowerEvent::Kind::kVote:
      return device.cast(event.client, event.vote);
    case PowerEvent::Kind::kRemove:
      return device.remove(event.client);
    case PowerEvent::Kind::kTimer:
      return device.arm_timer(event.client, event.duration, event.vote);
    case PowerEvent::Kind::kIdle:
      return device.idle(event.duration);
    case PowerEvent::Kind::kExecute: {
      ExecuteTimes times = event.times;
      if (event.at_burst) times.accelerator = under(device.clocks(), times.accelerator);
      timeline.executes.push_back(device.execute(times));
      return;
    }
    case PowerEvent::Kind::kStage:
      return;
  }
}

}  // namespace

PowerHistory history_of(const soc::Target& target) {
  PowerHistory history;
  history.soc = target.soc;
  history.arch = target.arch;
  history.clock_hz =
      target.timing.clock_hz > 0 ? static_cast<uint64_t>(std::llround(target.timing.clock_hz)) : 0;
  return history;
}

PowerTimeline power_timeline(const soc::PowerModel& model, const PowerHistory& history) {
  PowerTimeline timeline;
  PowerDevice device(model, &timeline.intervals);
  for (const PowerEvent& event : history.events) {
    timeline.at.push_back(device.now());
    play(device, event, timeline);
  }
  timeline.end = device.now();
  return timeline;
}

Result<PowerVote> vote_of(const soc::PowerProfile& profile, const soc::PowerModel& model) {
  PowerVote vote;
  if (profile.kind == soc::ProfileKind::kNoVote) return vote;
  if (profile.core) {
    OPENQNN_ASSIGN(vote.core, clock_vote(*profile.core, model));
  }
  if (profile.bus) {
    OPENQNN_ASSIGN(vote.bus, clock_vote(*profile.bus, model));
  }
  if (profile.hmx) {
    OPENQNN_ASSIGN(vote.hmx, unit_vote(*profile.hmx, model));
  }
  if (profile.ceng) {
    OPENQNN_ASSIGN(vote.ceng, unit_vote(*profile.ceng, model));
  }
  vote.dcvs = profile.dcvs;
  vote.sleep_latency_us = profile.sleep_latency_us;
  if (profile.rpc_polling_us > 0) vote.rpc_polling_us = profile.rpc_polling_us;
  if (profile.ddr_perf.value_or(false)) vote.ddr_performance = true;
  return vote;
}

Result<PowerHistory> scenario_history(const soc::Target& target, const soc::PowerModel& model,
                                      const Scenario& scenario) {
  OPENQNN_ASSIGN(const soc::PowerProfile profile, soc::find_profile(scenario.profile));
  if (profile.kind == soc::ProfileKind::kInternal)
    return invalid("power-internal", concat("'", profile.name,
                                            "' is a state that the backend falls to, and "
                                            "cannot be chosen"))
        .fix_by("`openqnn profiles` lists those that can");
  OPENQNN_ASSIGN(const PowerVote up, vote_of(profile, model));
  PowerVote down = up;  // where no source says what follows, the vote stays
  if (!profile.falls_to.empty()) {
    OPENQNN_ASSIGN(const soc::PowerProfile state, soc::find_profile(profile.falls_to));
    OPENQNN_ASSIGN(down, vote_of(state, model));
  }
  PowerHistory history = history_of(target);
  ProfileFlow flow(history, profile, up, down, micros(model.hold_timer_us.value));
  const Nanos call{static_cast<uint64_t>((target.timing.rpc_us + target.timing.client_us) * kNanosPerMicro)};
  flow.begin("init");
  flow.end();
  for (uint32_t i = 0; i < scenario.inferences; ++i) {
    if (i > 0) flow.pause(scenario.idle);
    flow.begin("inference");
    flow.add({.kind = PowerEvent::Kind::kExecute, .times = {scenario.accelerator, call}, .at_burst = true});
    flow.end();
  }
  flow.begin("deinit");
  flow.lower();
  flow.add({.kind = PowerEvent::Kind::kRemove, .client = kOnlyClient});
  return history;
}

}  // namespace openqnn::sim
