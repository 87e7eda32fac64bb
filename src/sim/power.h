// SPDX-License-Identifier: BSD-3-Clause
// Power as state of the modelled device: votes, the clocks they give, sleep, and what they add to a call.
// Pure and integer: the same events give the same answers. docs/power.md tells the rules, and which are ours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "soc/power_model.h"
#include "soc/target.h"

namespace openqnn::sim {

using Level = uint32_t;  // a place in soc::PowerModel::corners

// Corners of one clock, and the performance mode: 0 the highest clock of a corner, 1 the lowest, from 2 on
// steps down from the highest.
struct ClockVote {
  Level min = 0, target = 0, max = 0;
  uint32_t performance_mode = 0;
  bool operator==(const ClockVote&) const = default;
};

// What DCVS does with the load, as QnnHtpPerfInfrastructure_PowerMode_t numbers it.
enum class DcvsMode : uint32_t {
  kUpDown = 1,
  kOnlyUp = 2,
  kPowerSaver = 4,
  kPowerSaverAggressive = 8,
  kPerformance = 16,
  kDutyCycle = 32,
};

// All that one client votes for; nothing where it does not vote.
struct PowerVote {
  std::optional<ClockVote> core;  // with HVX
  std::optional<ClockVote> bus;
  std::optional<ClockVote> hmx;  // nothing: HMX follows the core
  std::optional<ClockVote> ceng;
  std::optional<bool> dcvs;
  std::optional<DcvsMode> mode;  // counts only while DCVS is on
  std::optional<uint32_t> sleep_latency_us;
  std::optional<bool> sleep_disabled;
  std::optional<uint32_t> rpc_control_latency_us;  // 0 counts as no vote, as documented
  std::optional<uint32_t> rpc_polling_us;
  std::optional<uint32_t> adaptive_polling_us;
  std::optional<uint32_t> hmx_timeout_us;
  std::optional<bool> ddr_performance;
  bool operator==(const PowerVote&) const = default;
};

// The votes of all clients in one: the highest wins. The strictest latency is the highest vote.
struct AggregatedVote {
  std::optional<ClockVote> core, bus, hmx, ceng;
  bool dcvs = true;  // as long as nobody switches it off
  DcvsMode mode = DcvsMode::kUpDown;
  std::optional<uint32_t> sleep_latency_us;
  bool sleep_disabled = false;
  bool speaks_of_calls = false;  // somebody votes for clocks, or for how calls are waited for
  uint32_t rpc_control_latency_us = 0;
  uint32_t rpc_polling_us = 0;
  uint32_t adaptive_polling_us = 0;
  std::optional<uint32_t> hmx_timeout_us;
  bool ddr_performance = false;
  bool operator==(const AggregatedVote&) const = default;
};
AggregatedVote aggregate(std::span<const PowerVote> votes);

// The clocks that a vote gives, in thousandths of the burst state. Without a vote for a clock it is at burst.
struct Clocks {
  Level core = 0, hmx = 0, bus = 0;
  uint32_t core_permille = 1000, hmx_permille = 1000, bus_permille = 1000;
  auto operator<=>(const Clocks&) const = default;
};
enum class Load : uint8_t { kBusy, kIdle };
Clocks clocks_of(const soc::PowerModel& model, const AggregatedVote& vote, Load load);

// The part as it is under these clocks: its own clock, the matrix unit's rate per core cycle, and the bytes
// that DDR gives. simulate() of it is simulate() of the part in that state.
soc::Target target_under(const soc::Target& target, const Clocks& clocks);

// One execute, as the device alone would see it.
struct ExecuteTimes {
  Nanos accelerator;
  Nanos call;  // what the way there and back takes while the CPU polls
};

// What the power state adds, and when.
struct ExecuteCost {
  Nanos start;
  Nanos wake_up;      // of a device that slept
  Nanos power_up;     // of HVX and HMX
  Nanos accelerator;  // as it was told
  Nanos cpu_wake_up;  // of a CPU that did not poll until the end
  Nanos polled;       // CPU time spent on polling; no part of the duration
  Nanos call;
  Clocks clocks;
  bool voted = false;  // false: nobody votes; the device is as after a warm call under burst

  Nanos added() const { return wake_up + power_up + cpu_wake_up; }
  Nanos total() const { return added() + accelerator + call; }
  Nanos end() const { return start + total(); }
};

enum class Activity : uint8_t { kIdle, kAsleep, kWakingUp, kExecuting, kReturning };

// A stretch of time in which nothing changes.
struct PowerInterval {
  Nanos start, end;
  Activity activity = Activity::kIdle;
  uint32_t clients = 0;  // with a vote
  AggregatedVote vote;
  Clocks clocks;  // of an idle device while it idles
};

// The state machine. Time passes only in idle() and execute().
class PowerDevice {
 public:
  // `intervals`, when not null, gets every stretch of time, in order and without gaps.
  explicit PowerDevice(soc::PowerModel model, std::vector<PowerInterval>* intervals = nullptr);

  const soc::PowerModel& model() const { return model_; }
  Nanos now() const { return now_; }
  const AggregatedVote& vote() const { return aggregated_; }
  Clocks clocks() const { return clocks_of(model_, aggregated_, Load::kBusy); }
  bool is_asleep() const { return sleep_us_ > 0; }

  // Replaces what the client voted before, and ends its timer. Casting costs no time (ours).
  void cast(uint32_t client, const PowerVote& vote);
  void remove(uint32_t client);
  // After so long, measured from the last execute's end, the client's vote becomes `then`.
  void arm_timer(uint32_t client, Nanos after, const PowerVote& then);

  void idle(Nanos duration);
  ExecuteCost execute(const ExecuteTimes& times);

 private:
  struct Timer {
    Nanos after;
    Nanos ends;
    PowerVote then;
  };
  void revote();
  void pass(Nanos duration, Activity activity);
  void idle_until(Nanos end);  // without a change of votes
  std::optional<uint64_t> sleep_depth_us() const;
  void end_timers();
  bool is_reference() const { return !aggregated_.core && !aggregated_.bus; }
  Nanos take_wake_up();
  Nanos take_power_up();
  void wait_for_answer(ExecuteCost& cost) const;

  soc::PowerModel model_;
  std::vector<PowerInterval>* intervals_;
  Nanos now_;
  Nanos active_until_;     // the end of the last execute, or of what woke the device up
  uint64_t sleep_us_ = 0;  // what waking up will take; 0: awake
  bool powered_ = false;   // HVX and HMX
  std::map<uint32_t, PowerVote> votes_;
  std::map<uint32_t, Timer> timers_;
  AggregatedVote aggregated_;
};

}  // namespace openqnn::sim
