// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "base/text.h"
#include "profile/power_report.h"
#include "profile/text_table.h"

namespace openqnn::profile {
namespace {

std::string_view mode_name(sim::DcvsMode mode) {
  switch (mode) {
    case sim::DcvsMode::kUpDown:
      return "up and down";
    case sim::DcvsMode::kOnlyUp:
      return "only up";
    case sim::DcvsMode::kPowerSaver:
      return "power saver";
    case sim::DcvsMode::kPowerSaverAggressive:
      return "aggressive power saver";
    case sim::DcvsMode::kPerformance:
      return "performance";
    case sim::DcvsMode::kDutyCycle:
      return "duty cycle";
  }
  return "unknown";
}

}  // namespace

std::string_view activity_name(sim::Activity activity) {
  static constexpr std::array<std::string_view, 5> kNames = {"idle", "asleep", "waking up", "executing",
                                                             "call and return"};
  return kNames.at(static_cast<size_t>(activity));
}

std::string corner_text(const sim::ClockVote& vote, const soc::PowerModel& model) {
  const auto name = [&](sim::Level level) { return model.corners[level].name; };
  return vote.min == vote.max ? name(vote.target) : concat(name(vote.min), "..", name(vote.max));
}

std::string vote_details(const sim::PowerVote& vote) {
  std::string out;
  if (vote.dcvs) append_item(out, *vote.dcvs ? "DCVS on" : "DCVS off");
  if (vote.dcvs.value_or(false) && vote.mode) out += concat(" (", mode_name(*vote.mode), ")");
  if (vote.sleep_disabled.value_or(false))
    append_item(out, "no sleep");
  else if (vote.sleep_latency_us)
    append_item(out, "sleep ", *vote.sleep_latency_us, " us");
  if (vote.rpc_control_latency_us.value_or(0) > 0)
    append_item(out, "RPC latency ", *vote.rpc_control_latency_us, " us");
  if (vote.rpc_polling_us) append_item(out, "polling ", *vote.rpc_polling_us, " us");
  if (vote.adaptive_polling_us.value_or(0) > 0)
    append_item(out, "adaptive from ", *vote.adaptive_polling_us, " us");
  if (vote.hmx_timeout_us) append_item(out, "HMX off after ", *vote.hmx_timeout_us, " us");
  if (vote.ddr_performance.value_or(false)) append_item(out, "DDR performance");
  return out;
}

std::string permille_text(uint32_t permille) { return concat(permille / 10, ".", permille % 10, " %"); }

namespace {

using Kind = sim::PowerEvent::Kind;

std::string clock_text(const sim::PowerHistory& history, const sim::Clocks& clocks,
                       const soc::PowerModel& model) {
  const std::string& corner = model.corners[clocks.core].name;
  const uint64_t hz = core_hz(history, clocks);
  return hz == 0 ? corner : concat(corner, ", ", hz / kHzPerMhz, " MHz");
}

PowerRow vote_row(Nanos at, const sim::PowerEvent& event, const soc::PowerModel& model) {
  const auto corner = [&](const std::optional<sim::ClockVote>& vote, const char* none) {
    return vote ? corner_text(*vote, model) : std::string(none);
  };
  const bool is_timer = event.kind == Kind::kTimer;
  std::string details = vote_details(event.vote);
  if (is_timer) details = concat("after ", micros_text(event.duration), " us idle: ", details);
  return {.at = at,
          .lasts = {},
          .what = concat(is_timer ? "timer of " : "vote of ", event.client),
          .core = corner(event.vote.core, "-"),
          .hmx = corner(event.vote.hmx, event.vote.core ? "as core" : "-"),
          .bus = corner(event.vote.bus, "-"),
          .details = std::move(details)};
}

PowerRow stretch_row(const sim::PowerHistory& history, const sim::PowerInterval& interval,
                     const soc::PowerModel& model) {
  const sim::Clocks& clocks = interval.clocks;
  return {.at = interval.start,
          .lasts = interval.end - interval.start,
          .what = std::string(activity_name(interval.activity)),
          .core = clock_text(history, clocks, model),
          .hmx = permille_text(clocks.hmx_permille),
          .bus = permille_text(clocks.bus_permille),
          .details = {},
          .core_permille = clocks.core_permille};
}

void add_event(std::vector<PowerRow>& rows, Nanos at, const sim::PowerEvent& event,
               const soc::PowerModel& model) {
  const auto add = [&](std::string what) { rows.push_back({.at = at, .what = std::move(what)}); };
  switch (event.kind) {
    case Kind::kVote:
    case Kind::kTimer:
      rows.push_back(vote_row(at, event, model));
      return;
    case Kind::kRemove:
      return add(concat("votes of ", event.client, " removed"));
    case Kind::kStage:
      return add(concat("stage ", one_line(event.label)));
    case Kind::kIdle:  // their time is shown
    case Kind::kExecute:
      return;
  }
}

// What a profile itself votes: polling and latencies of calls are often set beside it.
bool have_same_clocks(const sim::PowerVote& a, const sim::PowerVote& b) {
  return a.core == b.core && a.bus == b.bus && a.hmx == b.hmx && a.ceng == b.ceng && a.dcvs == b.dcvs &&
         a.sleep_latency_us == b.sleep_latency_us;
}

bool votes_like(const soc::PowerProfile& profile, const sim::PowerVote& vote, const soc::PowerModel& model) {
  if (profile.kind == soc::ProfileKind::kInternal || profile.kind == soc::ProfileKind::kNoVote) return false;
  const auto own = sim::vote_of(profile, model);
  return own && have_same_clocks(*own, vote);
}

bool is_vote(const sim::PowerEvent& event) { return event.kind == Kind::kVote; }

// The history has votes and no names: the profile is the one that votes so. Of two that do, one is held by a
// timer, and the other falls as soon as the execute ends.
std::string profile_of(const sim::PowerHistory& history, const soc::PowerModel& model,
                       const std::string& graph) {
  const auto& events = history.events;
  const auto executes = [&](const sim::PowerEvent& event) {
    return event.kind == Kind::kExecute && event.label == graph;
  };
  const auto execute = std::ranges::find_if(events, executes);
  const auto behind_vote = std::find_if(std::make_reverse_iterator(execute), events.rend(), is_vote);
  const auto profiles = soc::power_profiles();
  if (execute == events.end() || behind_vote == events.rend() || !profiles) return "";
  const bool falls = std::next(execute) != events.end() && is_vote(*std::next(execute));
  std::string fitting;
  for (const soc::PowerProfile& profile : *profiles) {
    if (!votes_like(profile, behind_vote->vote, model)) continue;
    if (profile.held_by_timer != falls) return profile.name;
    if (fitting.empty()) fitting = profile.name;
  }
  return fitting;
}

}  // namespace

std::vector<PowerRow> power_rows(const sim::PowerHistory& history, const sim::PowerTimeline& timeline,
                                 const soc::PowerModel& model) {
  std::vector<PowerRow> rows;
  size_t next = 0;
  const auto add_events_until = [&](Nanos time) {
    for (; next < history.events.size() && timeline.at[next] <= time; ++next)
      add_event(rows, timeline.at[next], history.events[next], model);
  };
  for (const sim::PowerInterval& interval : timeline.intervals) {
    add_events_until(interval.start);
    rows.push_back(stretch_row(history, interval, model));
  }
  add_events_until(timeline.end);
  return rows;
}

uint64_t core_hz(const sim::PowerHistory& history, const sim::Clocks& clocks) {
  return history.clock_hz / 1000 * clocks.core_permille;
}

PowerRecord power_record(const sim::PowerHistory& history, const soc::PowerModel& model,
                         const std::string& graph) {
  PowerRecord record;
  if (std::ranges::none_of(history.events, is_vote)) return record;  // nothing that votes did
  record.perf_profile = profile_of(history, model, graph);
  record.rows = power_rows(history, sim::power_timeline(model, history), model);
  if (record.rows.size() > kMostRecordRows) {
    record.rows_left_out = record.rows.size() - kMostRecordRows;
    record.rows.resize(kMostRecordRows);
  }
  return record;
}

}  // namespace openqnn::profile
