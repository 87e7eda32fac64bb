// SPDX-License-Identifier: BSD-3-Clause
// Power votes of the HTP backend: a profile and what a file says beside it, as the C API takes them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "HTP/QnnHtpDevice.h"
#include "QnnInterface.h"
#include "base/result.h"

namespace openqnn::tools {

// What is voted for one core.
struct CoreVotes {
  uint32_t device = 0;
  uint32_t core = 0;
  std::string profile;  // "burst"; empty: no vote for clocks
  std::optional<uint32_t> rpc_control_latency_us;
  std::optional<uint32_t> rpc_polling_us;  // else the profile's
  std::optional<uint32_t> adaptive_polling_us;
  std::optional<uint32_t> hmx_timeout_us;
  std::optional<uint32_t> ddr_performance;
};

using PowerConfig = QnnHtpPerfInfrastructure_PowerConfig_t;
// Fails for a profile that nobody describes.
Result<std::vector<PowerConfig>> power_configs(const CoreVotes& votes);

// The lower votes between two stages: those of the state that the profile falls to. Empty where no document
// names one: the votes stay.
Result<std::vector<PowerConfig>> lowered_power_configs(const CoreVotes& votes);
// How long the profile keeps its votes after an inference; 0: it lowers them at once.
Result<uint64_t> hold_time_us(const CoreVotes& votes);

// Votes that were cast; taken back when this goes, before the backend library is closed.
class CastVotes {
 public:
  CastVotes() = default;
  CastVotes(const CastVotes&) = delete;
  CastVotes& operator=(const CastVotes&) = delete;
  ~CastVotes() { withdraw(); }

  // Casts for a core, in place of what was cast for it before, on the device that exists. The answer is that
  // of the call that failed.
  Qnn_ErrorHandle_t cast(const QnnInterface_ImplementationV2_39_t& api, const CoreVotes& votes,
                         std::vector<PowerConfig> configs);
  void withdraw();

 private:
  struct Id {
    QnnHtpPerfInfrastructure_DestroyPowerConfigIdFn_t destroy;
    uint32_t number;
  };
  std::map<std::pair<uint32_t, uint32_t>, Id> ids_;  // by device and core
};

}  // namespace openqnn::tools
