// SPDX-License-Identifier: BSD-3-Clause
// Votes for clocks, corners, sleep and RPC behaviour, kept under the ids that clients vote with.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/log.h"
#include "runtime/outcome.h"
#include "runtime/persona.h"
#include "soc/target.h"

namespace openqnn::runtime {

// Voltage corners as numbers of their scale: QnnHtpPerfInfrastructure_VoltageCorner_t, or the finer
// …ExpVoltageCorner_t.
struct Corners {
  uint32_t min = 0, target = 0, max = 0;
  bool operator==(const Corners&) const = default;
};
enum class CornerScale : uint8_t { kCoarse, kFine };

// A vote for core (with HVX) and bus. What a call leaves out keeps its earlier value.
struct CoreVote {
  CornerScale scale = CornerScale::kCoarse;
  std::optional<bool> dcvs;
  std::optional<uint32_t> power_mode;  // counts only while DCVS is on
  std::optional<uint32_t> sleep_latency_us;
  std::optional<bool> sleep_disabled;
  std::optional<Corners> bus, core;
  uint32_t bus_performance_mode = 0, core_performance_mode = 0;  // of the finer scale alone
};

struct UnitVote {
  bool follows_core = false;  // the default, asked for; the rest then says nothing
  CornerScale scale = CornerScale::kFine;
  Corners corners;
  uint32_t performance_mode = 0;
};

// All that one id votes for; nothing where it does not vote.
struct PowerVotes {
  std::optional<CoreVote> core;
  std::optional<UnitVote> hmx;   // nothing: HMX follows the core vote
  std::optional<UnitVote> ceng;  // nothing: mode high at the lowest corner
  std::optional<uint32_t> rpc_control_latency_us;
  std::optional<uint32_t> rpc_polling_us;
  std::optional<uint32_t> adaptive_polling_us;
  std::optional<uint32_t> hmx_timeout_us;
  std::optional<bool> ddr_performance;

  // Whether a core vote is in force: others need one.
  bool core_active() const;
};

// The answer to a vote that cannot be cast.
ApiError bad_vote(const char* code, std::string what, std::string fix);

// Where votes are cast: the part, and who plays it.
struct PowerDomain {
  soc::Target target;
  Platform platform = Platform::kHost;
  Logger log;
};

// Ids and the votes under them.
class PowerBook {
 public:
  // The votes of this library; the infrastructure's functions take no device handle. Fails at exit.
  static Outcome<PowerBook*> instance();

  Outcome<uint32_t> open(uint32_t device_id, uint32_t core_id);
  Outcome<> close(uint32_t id);
  // Lets `change` have the votes of an id, then checks the rules that span several votes; what came out
  // counts on the modelled devices from now on, and is the answer. A failure leaves the votes as they were.
  // One change after the other, so that clients who share an id lose none.
  Outcome<PowerVotes> change(uint32_t id, const PowerDomain& domain,
                             const std::function<Outcome<>(PowerVotes&)>& change);

 private:
  std::mutex mutex_;
  uint32_t last_id_ = 0;
  std::map<uint32_t, PowerVotes> votes_;
};

// The domain that votes reach now: the current device, else the persona's part.
Outcome<PowerDomain> power_domain();

}  // namespace openqnn::runtime
