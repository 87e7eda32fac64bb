// SPDX-License-Identifier: BSD-3-Clause
#include "sim/power.h"

#include <algorithm>
#include <array>
#include <utility>

namespace openqnn::sim {
namespace {

constexpr uint64_t kLongest = UINT64_MAX / 4;  // centuries; keeps declared times from wrapping

Nanos bounded(Nanos time) { return {std::min(time.value, kLongest)}; }

// ---- Several votes in one ----

// Performance modes by speed: 0 is the highest, 2 to 16 are steps down from it, 1 is the lowest.
constexpr uint32_t kHighest = 0;
constexpr uint32_t kLowest = 1;
constexpr uint32_t kFirstStep = 2;
constexpr uint32_t kSteps = 16;
uint32_t steps_down(uint32_t mode) {
  if (mode == kHighest) return 0;
  if (mode == kLowest) return kSteps;
  return std::min(mode - kFirstStep + 1, kSteps - 1);
}

void raise(std::optional<ClockVote>& to, const std::optional<ClockVote>& vote) {
  if (!vote) return;
  if (!to) {
    to = vote;
    return;
  }
  const bool is_faster =
      vote->target > to->target ||
      (vote->target == to->target && steps_down(vote->performance_mode) < steps_down(to->performance_mode));
  if (is_faster) to->performance_mode = vote->performance_mode;
  to->min = std::max(to->min, vote->min);
  to->target = std::max(to->target, vote->target);
  to->max = std::max(to->max, vote->max);
}

// Slowest first (ours: the documents name the modes and do not order them).
constexpr std::array kModesBySpeed = {DcvsMode::kPowerSaverAggressive,
                                      DcvsMode::kPowerSaver,
                                      DcvsMode::kDutyCycle,
                                      DcvsMode::kUpDown,
                                      DcvsMode::kOnlyUp,
                                      DcvsMode::kPerformance};
auto speed_of(DcvsMode mode) { return std::find(kModesBySpeed.begin(), kModesBySpeed.end(), mode); }

void strictest(uint32_t& to, const std::optional<uint32_t>& vote) {
  if (vote.value_or(0) == 0) return;
  to = to == 0 ? *vote : std::min(to, *vote);
}

void raise_dcvs(AggregatedVote& to, const PowerVote& vote, bool& has_mode) {
  if (!vote.dcvs) return;
  if (!*vote.dcvs) {
    to.dcvs = false;
    return;
  }
  const DcvsMode mode = vote.mode.value_or(DcvsMode::kUpDown);
  to.mode = has_mode ? std::ranges::max(to.mode, mode, {}, speed_of) : mode;
  has_mode = true;
}

void raise_sleep(AggregatedVote& to, const PowerVote& vote) {
  if (vote.sleep_latency_us)
    to.sleep_latency_us = std::min(to.sleep_latency_us.value_or(UINT32_MAX), *vote.sleep_latency_us);
  to.sleep_disabled |= vote.sleep_disabled.value_or(false);
  if (vote.hmx_timeout_us) to.hmx_timeout_us = std::max(to.hmx_timeout_us.value_or(0), *vote.hmx_timeout_us);
}

void raise_calls(AggregatedVote& to, const PowerVote& vote) {
  to.speaks_of_calls |= vote.core || vote.rpc_polling_us || vote.rpc_control_latency_us;
  strictest(to.rpc_control_latency_us, vote.rpc_control_latency_us);
  strictest(to.adaptive_polling_us, vote.adaptive_polling_us);
  to.rpc_polling_us = std::max(to.rpc_polling_us, vote.rpc_polling_us.value_or(0));
}

// ---- Clocks ----

// With DCVS the corners bound the clock; which bound the load reaches is ours for all modes but the plain
// one.
Level level_of(const ClockVote& vote, const AggregatedVote& all, Load load) {
  if (!all.dcvs) return vote.target;
  if (load == Load::kIdle)
    return all.mode == DcvsMode::kPerformance || all.mode == DcvsMode::kOnlyUp ? vote.target : vote.min;
  switch (all.mode) {
    case DcvsMode::kPowerSaver:
    case DcvsMode::kDutyCycle:
      return vote.target;
    case DcvsMode::kPowerSaverAggressive:
      return vote.min;
    case DcvsMode::kUpDown:
    case DcvsMode::kOnlyUp:
    case DcvsMode::kPerformance:
      break;
  }
  return vote.max;
}

using Column = soc::Bounded soc::CornerLevel::*;

// A corner's range of clocks goes down to the clock of the corner below it (ours).
uint32_t permille_of(const soc::PowerModel& model, Level level, uint32_t performance_mode, Column column) {
  const uint64_t high = (model.corners[level].*column).value;
  const uint64_t low = level > 0 ? (model.corners[level - 1].*column).value : high;
  return static_cast<uint32_t>(high - (high - low) * steps_down(performance_mode) / kSteps);
}

struct Clock {
  Level level = 0;
  uint32_t permille = 0;
};
Clock clock_of(const soc::PowerModel& model, const std::optional<ClockVote>& vote, const AggregatedVote& all,
               Load load, Column column) {
  if (!vote) return {static_cast<Level>(model.top()), 1000};
  const Level level = std::min(level_of(*vote, all, load), static_cast<Level>(model.top()));
  return {level, permille_of(model, level, vote->performance_mode, column)};
}

}  // namespace

AggregatedVote aggregate(std::span<const PowerVote> votes) {
  AggregatedVote all;
  bool has_mode = false;
  for (const PowerVote& vote : votes) {
    raise(all.core, vote.core);
    raise(all.bus, vote.bus);
    raise(all.ceng, vote.ceng);
    // The default vote of a client that leaves HMX open is its core vote.
    raise(all.hmx, vote.hmx ? vote.hmx : vote.core);
    raise_dcvs(all, vote, has_mode);
    raise_sleep(all, vote);
    raise_calls(all, vote);
    all.ddr_performance |= vote.ddr_performance.value_or(false);
  }
  return all;
}

Clocks clocks_of(const soc::PowerModel& model, const AggregatedVote& vote, Load load) {
  const Column core_column = &soc::CornerLevel::core_permille;
  const Column bus_column = &soc::CornerLevel::bus_permille;
  const Clock core = clock_of(model, vote.core, vote, load, core_column);
  const Clock hmx = clock_of(model, vote.hmx, vote, load, core_column);
  Clock bus = clock_of(model, vote.bus, vote, load, bus_column);
  // CENG carries the same bytes: the bus is not slower than it (ours).
  if (vote.ceng && vote.bus) {
    const Clock ceng = clock_of(model, vote.ceng, vote, load, bus_column);
    if (ceng.permille > bus.permille) bus = ceng;
  }
  return {core.level, hmx.level, bus.level, core.permille, hmx.permille, bus.permille};
}

soc::Target target_under(const soc::Target& target, const Clocks& clocks) {
  soc::Target scaled = target;
  soc::Timing& timing = scaled.timing;
  timing.clock_hz = target.timing.clock_hz * clocks.core_permille / 1000;
  timing.dma_bytes_per_second = target.timing.dma_bytes_per_second * clocks.bus_permille / 1000;
  // The rates of HMX are per core cycle.
  if (clocks.hmx_permille != clocks.core_permille) {
    timing.hmx_macs_per_cycle_8 =
        target.timing.hmx_macs_per_cycle_8 * clocks.hmx_permille / clocks.core_permille;
    timing.hmx_macs_per_cycle_16 =
        target.timing.hmx_macs_per_cycle_16 * clocks.hmx_permille / clocks.core_permille;
  }
  return scaled;
}

// ---- The state machine ----

PowerDevice::PowerDevice(soc::PowerModel model, std::vector<PowerInterval>* intervals)
    : model_(std::move(model)), intervals_(intervals) {}

void PowerDevice::revote() {
  std::vector<PowerVote> votes;
  for (const auto& [client, vote] : votes_) votes.push_back(vote);
  aggregated_ = aggregate(votes);
  if (sleep_us_ == 0 || !(aggregated_.sleep_disabled || is_reference())) return;
  sleep_us_ = 0;  // a device that may not sleep is awake
  active_until_ = now_;
}

void PowerDevice::cast(uint32_t client, const PowerVote& vote) {
  timers_.erase(client);
  votes_[client] = vote;
  revote();
}

void PowerDevice::remove(uint32_t client) {
  timers_.erase(client);
  votes_.erase(client);
  revote();
}

void PowerDevice::arm_timer(uint32_t client, Nanos after, const PowerVote& then) {
  after = bounded(after);
  timers_[client] = {after, now_ + after, then};
}

void PowerDevice::pass(Nanos duration, Activity activity) {
  if (duration.value == 0) return;
  const Nanos start = now_;
  now_ = bounded(now_ + duration);
  if (intervals_ == nullptr) return;
  const bool is_idle = activity == Activity::kIdle || activity == Activity::kAsleep;
  intervals_->push_back({start, now_, activity, static_cast<uint32_t>(votes_.size()), aggregated_,
                         clocks_of(model_, aggregated_, is_idle ? Load::kIdle : Load::kBusy)});
}

// How deep it may sleep now, as what waking up may take; nothing: it stays awake.
std::optional<uint64_t> PowerDevice::sleep_depth_us() const {
  if (is_reference() || aggregated_.sleep_disabled) return std::nullopt;
  return std::min<uint64_t>(aggregated_.sleep_latency_us.value_or(UINT32_MAX), model_.deepest_sleep_us.value);
}

// It falls asleep once it has idled as long as waking up will take (ours: sleep pays from there on).
void PowerDevice::idle_until(Nanos end) {
  const auto depth = sleep_depth_us();
  if (depth && *depth > sleep_us_) {
    const Nanos asleep = active_until_ + micros(*depth);
    if (asleep < end) {
      if (asleep > now_) pass(asleep - now_, is_asleep() ? Activity::kAsleep : Activity::kIdle);
      sleep_us_ = *depth;
    }
  }
  pass(end - now_, is_asleep() ? Activity::kAsleep : Activity::kIdle);
}

void PowerDevice::end_timers() {
  bool is_changed = false;
  for (auto timer = timers_.begin(); timer != timers_.end();) {
    if (timer->second.ends > now_) {
      ++timer;
      continue;
    }
    votes_[timer->first] = timer->second.then;
    timer = timers_.erase(timer);
    is_changed = true;
  }
  if (is_changed) revote();
}

void PowerDevice::idle(Nanos duration) {
  const Nanos end = bounded(now_ + bounded(duration));
  while (now_ < end) {
    Nanos next = end;
    for (const auto& [client, timer] : timers_) next = std::min(next, timer.ends);
    idle_until(std::max(next, now_));
    end_timers();
  }
}

Nanos PowerDevice::take_wake_up() { return micros(std::exchange(sleep_us_, 0)); }

Nanos PowerDevice::take_power_up() {
  if (is_reference()) return {};
  const uint64_t timeout = aggregated_.hmx_timeout_us.value_or(model_.hmx_timeout_us.value);
  const bool is_on = powered_ && now_ - active_until_ < micros(timeout);
  powered_ = true;
  return is_on ? Nanos{} : micros(model_.power_up_us.value);
}

void PowerDevice::wait_for_answer(ExecuteCost& cost) const {
  const AggregatedVote& vote = aggregated_;
  if (!vote.speaks_of_calls) return;
  const Nanos awaited = cost.wake_up + cost.power_up + cost.accelerator;
  const Nanos polling = micros(vote.rpc_polling_us);
  const bool is_adaptive =
      vote.rpc_polling_us > 0 && vote.adaptive_polling_us > 0 && awaited >= micros(vote.adaptive_polling_us);
  cost.polled =
      is_adaptive ? std::min(awaited, micros(model_.adaptive_window_us.value)) : std::min(awaited, polling);
  if (is_adaptive || (vote.rpc_polling_us > 0 && awaited <= polling)) return;
  uint64_t wake_up = model_.cpu_wake_up_us.value;
  if (vote.rpc_control_latency_us > 0) wake_up = std::min<uint64_t>(wake_up, vote.rpc_control_latency_us);
  cost.cpu_wake_up = micros(wake_up);
}

ExecuteCost PowerDevice::execute(const ExecuteTimes& times) {
  ExecuteCost cost;
  cost.start = now_;
  cost.clocks = clocks();
  cost.voted = !is_reference() || aggregated_.speaks_of_calls;
  cost.accelerator = bounded(times.accelerator);
  cost.call = bounded(times.call);
  cost.power_up = take_power_up();
  cost.wake_up = take_wake_up();
  wait_for_answer(cost);
  pass(cost.wake_up + cost.power_up, Activity::kWakingUp);
  pass(cost.accelerator, Activity::kExecuting);
  pass(cost.call + cost.cpu_wake_up, Activity::kReturning);
  active_until_ = now_;
  for (auto& [client, timer] : timers_) timer.ends = now_ + timer.after;
  return cost;
}

}  // namespace openqnn::sim
