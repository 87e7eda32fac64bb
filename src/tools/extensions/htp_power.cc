// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/htp_power.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "soc/power_model.h"
#include "soc/power_profiles.h"

namespace openqnn::tools {
namespace {

using Corner = QnnHtpPerfInfrastructure_VoltageCorner_t;
using FineCorner = QnnHtpPerfInfrastructure_ExpVoltageCorner_t;

// The names that data/power_profiles.json uses.
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
constexpr std::array<std::pair<std::string_view, FineCorner>, 3> kFineCorners = {{
    {"DISABLE", DCVS_EXP_VCORNER_DISABLE},
    {"LOW_SVS_D1", DCVS_EXP_VCORNER_LOW_SVS_D1},
    {"SVS_L1", DCVS_EXP_VCORNER_SVS_L1},
}};

// An unknown name becomes a number that the backend refuses.
template <class Table>
auto corner_in(const Table& table, std::string_view name) {
  using Value = decltype(table.front().second);
  const auto found = std::ranges::find(table, name, [](const auto& pair) { return pair.first; });
  return found == table.end() ? static_cast<Value>(0x7FFFFFFF) : found->second;
}
Corner corner_of(std::string_view name) { return corner_in(kCorners, name); }

QnnHtpPerfInfrastructure_ClkPerfMode_t mode_of(std::string_view name) {
  return name == "LOW" ? QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_LOW : QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH;
}

PowerConfig empty_vote(QnnHtpPerfInfrastructure_PowerConfigOption_t option) {
  PowerConfig vote = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIG_INIT;
  vote.option = option;
  return vote;
}

PowerConfig clocks_vote(const soc::PowerProfile& profile) {
  PowerConfig vote = empty_vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3);
  QnnHtpPerfInfrastructure_DcvsV3_t& clocks = vote.dcvsV3Config;
  clocks = {};
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

// Profiles for the decode stage vote for the matrix unit and for CENG by themselves.
void add_unit_votes(const soc::PowerProfile& profile, std::vector<PowerConfig>& out) {
  if (profile.hmx) {
    PowerConfig vote = empty_vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2);
    const FineCorner corner = corner_in(kFineCorners, profile.hmx->corner);
    vote.hmxV2Config = {0, corner, corner, corner, mode_of(profile.hmx->mode)};
    out.push_back(vote);
  }
  if (profile.ceng) {
    PowerConfig vote = empty_vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG);
    const Corner corner = corner_of(profile.ceng->corner);
    vote.cengConfig = {corner, corner, corner, mode_of(profile.ceng->mode)};
    out.push_back(vote);
  }
}

// All votes that are one number lie at the start of the union.
void add_number(QnnHtpPerfInfrastructure_PowerConfigOption_t option, uint32_t number,
                std::vector<PowerConfig>& out) {
  PowerConfig vote = empty_vote(option);
  vote.rpcControlLatencyConfig = number;
  out.push_back(vote);
}

Result<soc::PowerProfile> profile_named(const std::string& name) {
  if (name == "custom")
    return unsupported("power-custom",
                       "the profile 'custom' takes its votes from a key that no document describes")
        .fix_by("choose another perf_profile; `openqnn profiles` lists them");
  OPENQNN_ASSIGN(soc::PowerProfile profile, soc::find_profile(name));
  if (profile.kind == soc::ProfileKind::kInternal)
    return invalid(
               "power-internal",
               concat("'", name, "' is a state that the votes of a profile fall to, and cannot be chosen"))
        .fix_by("`openqnn profiles` lists those that can");
  if (profile.same_as.empty()) return profile;
  return soc::find_profile(profile.same_as);
}

// In the lower state nobody polls; what depends on polling, or on the bus at its maximum, goes as well.
void take_back_what_depends(const std::vector<PowerConfig>& cast, std::vector<PowerConfig>& out) {
  for (const PowerConfig& vote : cast)
    if (vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME ||
        vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME ||
        vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE)
      add_number(vote.option, 0, out);
}

}  // namespace

Result<std::vector<PowerConfig>> lowered_power_configs(const CoreVotes& votes) {
  std::vector<PowerConfig> out;
  if (votes.profile.empty()) return out;
  OPENQNN_ASSIGN(const soc::PowerProfile profile, profile_named(votes.profile));
  if (profile.falls_to.empty()) return out;
  OPENQNN_ASSIGN(const soc::PowerProfile state, soc::find_profile(profile.falls_to));
  OPENQNN_ASSIGN(const std::vector<PowerConfig> cast, power_configs(votes));
  out.push_back(clocks_vote(state));
  take_back_what_depends(cast, out);
  return out;
}

Result<uint64_t> hold_time_us(const CoreVotes& votes) {
  if (votes.profile.empty()) return 0;
  OPENQNN_ASSIGN(const soc::PowerProfile profile, profile_named(votes.profile));
  if (!profile.held_by_timer) return 0;
  OPENQNN_ASSIGN(const soc::PowerModel model, soc::power_model());
  return model.hold_timer_us.value;
}

Result<std::vector<PowerConfig>> power_configs(const CoreVotes& votes) {
  std::vector<PowerConfig> out;
  uint32_t polling = 0;
  bool ddr = votes.ddr_performance.value_or(0) != 0;
  if (!votes.profile.empty()) {
    OPENQNN_ASSIGN(const soc::PowerProfile profile, profile_named(votes.profile));
    if (profile.kind != soc::ProfileKind::kNoVote) {
      out.push_back(clocks_vote(profile));
      add_unit_votes(profile, out);
    }
    polling = profile.rpc_polling_us;
    if (!votes.ddr_performance) ddr = profile.ddr_perf.value_or(false);
  }
  polling = votes.rpc_polling_us.value_or(polling);
  if (polling > 0 || votes.rpc_polling_us)
    add_number(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME, polling, out);
  if (votes.rpc_control_latency_us)
    add_number(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY,
               *votes.rpc_control_latency_us, out);
  if (votes.adaptive_polling_us)
    add_number(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME,
               *votes.adaptive_polling_us, out);
  if (votes.hmx_timeout_us)
    add_number(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US, *votes.hmx_timeout_us,
               out);
  if (ddr) add_number(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE, 1, out);
  return out;
}

Qnn_ErrorHandle_t CastVotes::cast(const QnnInterface_ImplementationV2_39_t& api, const CoreVotes& votes,
                                  std::vector<PowerConfig> configs) {
  if (configs.empty()) return QNN_SUCCESS;
  QnnDevice_Infrastructure_t infrastructure = nullptr;
  Qnn_ErrorHandle_t code = api.deviceGetInfrastructure(&infrastructure);
  if (code != QNN_SUCCESS) return code;
  const QnnHtpDevice_PerfInfrastructure_t& power = infrastructure->perfInfra;
  const std::pair<uint32_t, uint32_t> core(votes.device, votes.core);
  if (!ids_.contains(core)) {
    uint32_t made = 0;
    code = power.createPowerConfigId(votes.device, votes.core, &made);
    if (code != QNN_SUCCESS) return code;
    ids_[core] = {power.destroyPowerConfigId, made};
  }
  const uint32_t id = ids_[core].number;
  std::vector<const PowerConfig*> list;
  for (PowerConfig& config : configs) {
    if (config.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3)
      config.dcvsV3Config.contextId = id;
    list.push_back(&config);
  }
  list.push_back(nullptr);
  return power.setPowerConfig(id, list.data());
}

void CastVotes::withdraw() {
  for (const auto& [core, id] : ids_) id.destroy(id.number);
  ids_.clear();
}

}  // namespace openqnn::tools
