// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/power.h"

#include <algorithm>
#include <array>
#include <utility>

#include "HTP/QnnHtpDevice.h"
#include "base/text.h"
#include "soc/power_profiles.h"

namespace openqnn::tools {
namespace {

using Corner = QnnHtpPerfInfrastructure_VoltageCorner_t;
constexpr std::array<std::pair<std::string_view, Corner>, 10> kCorners = {{
    {"DISABLE", DCVS_VOLTAGE_CORNER_DISABLE},
    {"MIN_VOLTAGE_CORNER", DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER},
    {"SVS2", DCVS_VOLTAGE_VCORNER_SVS2},
    {"SVS", DCVS_VOLTAGE_VCORNER_SVS},
    {"SVS_PLUS", DCVS_VOLTAGE_VCORNER_SVS_PLUS},
    {"NOM", DCVS_VOLTAGE_VCORNER_NOM},
    {"NOM_PLUS", DCVS_VOLTAGE_VCORNER_NOM_PLUS},
    {"TURBO", DCVS_VOLTAGE_VCORNER_TURBO},
    {"TURBO_PLUS", DCVS_VOLTAGE_VCORNER_TURBO_PLUS},
    {"MAX_VOLTAGE_CORNER", DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER},
}};

Corner corner_of(std::string_view name) {
  const auto* const found = std::ranges::find(kCorners, name, [](const auto& pair) { return pair.first; });
  return found == kCorners.end() ? DCVS_VOLTAGE_VCORNER_UNKNOWN : found->second;
}

QnnHtpPerfInfrastructure_PowerConfig_t clocks_vote(const soc::PowerProfile& profile, uint32_t id) {
  QnnHtpPerfInfrastructure_PowerConfig_t vote = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIG_INIT;
  vote.option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3;
  QnnHtpPerfInfrastructure_DcvsV3_t& clocks = vote.dcvsV3Config;
  clocks = {};
  clocks.contextId = id;
  clocks.setDcvsEnable = profile.dcvs ? 1 : 0;
  clocks.dcvsEnable = profile.dcvs.value_or(false) ? 1 : 0;
  clocks.powerMode = profile.dcvs.value_or(false) ? QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_UP_DOWN
                                                  : QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE;
  clocks.setSleepLatency = profile.sleep_latency_us ? 1 : 0;
  clocks.sleepLatency = profile.sleep_latency_us.value_or(0);
  if (profile.bus) {
    clocks.setBusParams = 1;
    clocks.busVoltageCornerMin = corner_of(profile.bus->min);
    clocks.busVoltageCornerTarget = corner_of(profile.bus->target);
    clocks.busVoltageCornerMax = corner_of(profile.bus->max);
  }
  if (profile.core) {
    clocks.setCoreParams = 1;
    clocks.coreVoltageCornerMin = corner_of(profile.core->min);
    clocks.coreVoltageCornerTarget = corner_of(profile.core->target);
    clocks.coreVoltageCornerMax = corner_of(profile.core->max);
  }
  return vote;
}

}  // namespace

Result<std::unique_ptr<PowerVotes>> PowerVotes::cast(const Client& client, const std::string& name) {
  std::unique_ptr<PowerVotes> votes(new PowerVotes);
  if (name == "default") return votes;
  OPENQNN_ASSIGN(const soc::PowerProfile profile, soc::find_profile(name));
  if (profile.kind == soc::ProfileKind::kNoVote) return votes;
  QnnDevice_Infrastructure_t infrastructure = nullptr;
  OPENQNN_TRY(
      client.check(client.api().deviceGetInfrastructure(&infrastructure), "QnnDevice_getInfrastructure"));
  const QnnHtpDevice_PerfInfrastructure_t& power = infrastructure->perfInfra;
  OPENQNN_TRY(client.check(power.createPowerConfigId(0, 0, &votes->id_), "createPowerConfigId"));
  votes->withdraw_ = power.destroyPowerConfigId;
  const QnnHtpPerfInfrastructure_PowerConfig_t clocks = clocks_vote(profile, votes->id_);
  QnnHtpPerfInfrastructure_PowerConfig_t polling = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIG_INIT;
  polling.option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME;
  polling.rpcPollingTimeConfig = profile.rpc_polling_us;
  const QnnHtpPerfInfrastructure_PowerConfig_t* list[] = {
      &clocks, profile.rpc_polling_us > 0 ? &polling : nullptr, nullptr};
  OPENQNN_TRY(client.check(power.setPowerConfig(votes->id_, list),
                           concat("setPowerConfig for the profile '", name, "'")));
  return votes;
}

PowerVotes::~PowerVotes() {
  if (withdraw_ != nullptr) withdraw_(id_);
}

}  // namespace openqnn::tools
