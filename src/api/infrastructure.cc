// SPDX-License-Identifier: BSD-3-Clause
// HTP/QnnHtpPerfInfrastructure.h: the table behind QnnDevice_getInfrastructure.
#include <algorithm>
#include <array>

#include "HTP/QnnHtpDevice.h"
#include "api/answer.h"
#include "base/text.h"
#include "runtime/device.h"
#include "runtime/power.h"
#include "soc/part_name.h"

namespace openqnn::api {
namespace {

using Config = QnnHtpPerfInfrastructure_PowerConfig_t;
using runtime::bad_vote;
using runtime::Corners;
using runtime::CornerScale;
using runtime::PowerDomain;
using runtime::PowerVotes;
using runtime::UnitVote;

constexpr uint32_t kShortestSleepUs = 10;
constexpr uint32_t kLongestSleepUs = 65535;
// The header's macro says 9999, the documented range ends at 10000: the wider one is accepted.
constexpr uint32_t kLongestPollingUs = 10000;
constexpr uint32_t kFirstFineCorner = DCVS_EXP_VCORNER_MIN;
constexpr uint32_t kLastPerformanceMode = QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_MAX;
constexpr uint32_t kFirstArchWithFineVotes = 85;

constexpr std::array<uint32_t, 14> kCoarseCorners = {
    DCVS_VOLTAGE_CORNER_DISABLE,     DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER,
    DCVS_VOLTAGE_VCORNER_SVS2,       DCVS_VOLTAGE_VCORNER_SVS,
    DCVS_VOLTAGE_VCORNER_SVS_PLUS,   DCVS_VOLTAGE_VCORNER_NOM,
    DCVS_VOLTAGE_VCORNER_NOM_PLUS,   DCVS_VOLTAGE_VCORNER_TURBO,
    DCVS_VOLTAGE_VCORNER_TURBO_PLUS, DCVS_VOLTAGE_VCORNER_TURBO_L2,
    DCVS_VOLTAGE_VCORNER_TURBO_L3,   DCVS_VOLTAGE_VCORNER_TURBO_L4,
    DCVS_VOLTAGE_VCORNER_TURBO_L5,   DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER};

constexpr std::array<uint32_t, 6> kPowerModes = {
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_UP_DOWN,
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_ONLY_UP,
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_MODE,
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_AGGRESSIVE_MODE,
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE,
    QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_DUTY_CYCLE_MODE};

// ---- Reading one vote ----

bool is_corner(uint32_t corner, CornerScale scale) {
  if (scale == CornerScale::kFine) return corner == DCVS_EXP_VCORNER_DISABLE || corner >= kFirstFineCorner;
  return std::find(kCoarseCorners.begin(), kCoarseCorners.end(), corner) != kCoarseCorners.end();
}

template <class Corner>
Outcome<Corners> read_corners(const char* of, CornerScale scale, const Corner& min, const Corner& target,
                              const Corner& max) {
  const Corners corners{number_of(min), number_of(target), number_of(max)};
  for (const uint32_t corner : {corners.min, corners.target, corners.max})
    if (!is_corner(corner, scale))
      return bad_vote("power-corner", concat(of, " corner ", corner, " does not exist"),
                      "use the enumerators of QnnHtpPerfInfrastructure.h");
  if (corners.min > corners.target || corners.target > corners.max)
    return bad_vote("power-corner-order",
                    concat(of, " corners ", corners.min, ", ", corners.target, ", ", corners.max,
                           " are not in the order minimum, target, maximum"),
                    "raise the maximum or lower the minimum");
  return corners;
}

template <class Mode>
Outcome<uint32_t> read_performance_mode(const Mode& mode) {
  const uint32_t number = number_of(mode);
  if (number <= kLastPerformanceMode) return number;
  return bad_vote("power-performance-mode", concat("performance mode ", number, " does not exist"),
                  "use HIGH (0) or LOW (1)");
}

template <class Vote>
Outcome<> read_sleep(const Vote& vote, runtime::CoreVote& core) {
  if (vote.setSleepLatency) {
    if (vote.sleepLatency < kShortestSleepUs || vote.sleepLatency > kLongestSleepUs)
      return bad_vote("power-sleep-latency",
                      concat("a sleep latency of ", vote.sleepLatency, " us is not between ",
                             kShortestSleepUs, " and ", kLongestSleepUs),
                      "40 and 100 us are usual for high performance");
    core.sleep_latency_us = vote.sleepLatency;
  }
  if (vote.setSleepDisable) core.sleep_disabled = vote.sleepDisable != 0;
  return {};
}

template <class Vote>
Outcome<> read_bus_and_core(const Vote& vote, runtime::CoreVote& core) {
  if (vote.setBusParams) {
    OPENQNN_ASSIGN(core.bus, read_corners("bus", core.scale, vote.busVoltageCornerMin,
                                          vote.busVoltageCornerTarget, vote.busVoltageCornerMax));
  }
  if (vote.setCoreParams) {
    OPENQNN_ASSIGN(core.core, read_corners("core", core.scale, vote.coreVoltageCornerMin,
                                           vote.coreVoltageCornerTarget, vote.coreVoltageCornerMax));
  }
  return {};
}

template <class Mode>
Outcome<uint32_t> read_power_mode(const Mode& mode) {
  const uint32_t number = number_of(mode);
  if (std::find(kPowerModes.begin(), kPowerModes.end(), number) != kPowerModes.end()) return number;
  return bad_vote("power-mode", concat("power mode ", number, " does not exist"),
                  "use the enumerators of QnnHtpPerfInfrastructure_PowerMode_t");
}

// A vote on the other scale replaces the earlier one: the last wins.
runtime::CoreVote core_vote_to_change(const PowerVotes& votes, CornerScale scale) {
  if (votes.core && votes.core->scale == scale) return *votes.core;
  return {.scale = scale};
}

Outcome<> read_dcvs(const QnnHtpPerfInfrastructure_DcvsV3_t& vote, PowerVotes& votes) {
  runtime::CoreVote core = core_vote_to_change(votes, CornerScale::kCoarse);
  if (vote.setDcvsEnable) {
    core.dcvs = vote.dcvsEnable != 0;
    core.power_mode.reset();
    if (*core.dcvs) {  // without DCVS the mode says nothing
      OPENQNN_ASSIGN(core.power_mode, read_power_mode(vote.powerMode));
    }
  }
  OPENQNN_TRY(read_sleep(vote, core));
  OPENQNN_TRY(read_bus_and_core(vote, core));
  votes.core = core;
  return {};
}

Outcome<> check_fine_votes(const PowerDomain& domain) {
  if (domain.target.arch >= kFirstArchWithFineVotes) return {};
  return ApiError(
      QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED,
      unsupported("power-fine-arch", concat("votes on the finer scale need v", kFirstArchWithFineVotes,
                                            " or later; this is ", part_and_arch(domain.target)))
          .fix_by("use DCVS_V3 (1) and CENG (8)"));
}

Outcome<> read_dcvs(const QnnHtpPerfInfrastructure_DcvsV3Exp_t& vote, const PowerDomain& domain,
                    PowerVotes& votes) {
  OPENQNN_TRY(check_fine_votes(domain));
  runtime::CoreVote core = core_vote_to_change(votes, CornerScale::kFine);
  core.dcvs = true;  // implied
  OPENQNN_ASSIGN(core.power_mode, read_power_mode(vote.powerMode));
  OPENQNN_TRY(read_sleep(vote, core));
  OPENQNN_TRY(read_bus_and_core(vote, core));
  OPENQNN_ASSIGN(core.core_performance_mode, read_performance_mode(vote.corePerfMode));
  OPENQNN_ASSIGN(core.bus_performance_mode, read_performance_mode(vote.busPerfMode));
  votes.core = core;
  return {};
}

Outcome<> read_hmx(const QnnHtpPerfInfrastructure_HmxV2_t& vote, PowerVotes& votes) {
  UnitVote hmx{.follows_core = vote.hmxPickDefault != 0};
  if (!hmx.follows_core) {
    OPENQNN_ASSIGN(hmx.corners, read_corners("HMX", CornerScale::kFine, vote.hmxVoltageCornerMin,
                                             vote.hmxVoltageCornerTarget, vote.hmxVoltageCornerMax));
    OPENQNN_ASSIGN(hmx.performance_mode, read_performance_mode(vote.hmxPerfMode));
  }
  votes.hmx = hmx;
  return {};
}

template <class Ceng>
Outcome<> read_ceng(const Ceng& vote, CornerScale scale, PowerVotes& votes) {
  UnitVote ceng{.scale = scale};
  OPENQNN_ASSIGN(ceng.corners, read_corners("CENG", scale, vote.cengVoltageCornerMin,
                                            vote.cengVoltageCornerTarget, vote.cengVoltageCornerMax));
  OPENQNN_ASSIGN(ceng.performance_mode, read_performance_mode(vote.cengPerfMode));
  votes.ceng = ceng;
  return {};
}

Outcome<> read_vote(const Config& config, const PowerDomain& domain, PowerVotes& votes) {
  switch (const uint32_t option = number_of(config.option)) {
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3:
      return read_dcvs(config.dcvsV3Config, votes);
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY:
      votes.rpc_control_latency_us = config.rpcControlLatencyConfig;
      return {};
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME:
      if (config.rpcPollingTimeConfig > kLongestPollingUs)
        return bad_vote("power-polling",
                        concat("an RPC polling time of ", config.rpcPollingTimeConfig, " us is above ",
                               kLongestPollingUs),
                        "9999 us is usual; 0 turns polling off");
      votes.rpc_polling_us = config.rpcPollingTimeConfig;
      return {};
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME:
      votes.adaptive_polling_us = config.adaptivePollingTimeConfig;
      return {};
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US:
      votes.hmx_timeout_us = config.hmxTimeoutIntervalUsConfig;
      return {};
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2:
      return read_hmx(config.hmxV2Config, votes);
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE:
      votes.ddr_performance = config.ddrPerfModeConfig != 0;
      return {};
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG:
      return read_ceng(config.cengConfig, CornerScale::kCoarse, votes);
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3_EXP:
      return read_dcvs(config.dcvsV3ExpConfig, domain, votes);
    case QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP:
      OPENQNN_TRY(check_fine_votes(domain));
      return read_ceng(config.cengExpConfig, CornerScale::kFine, votes);
    default:
      return ApiError(QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED_CONFIG,
                      unsupported("power-option", concat("power option ", option, " does not exist")));
  }
}

// ---- Reading a list ----

bool has_option(const Config** list, uint32_t option) {
  for (; *list; ++list)
    if (number_of((*list)->option) == option) return true;
  return false;
}

// The two scales may follow each other, but not meet in one call.
Outcome<> check_one_scale(const Config** list) {
  const bool mixed = (has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3) &&
                      has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3_EXP)) ||
                     (has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG) &&
                      has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP));
  if (!mixed) return {};
  return bad_vote("power-two-scales", "one call votes for the same unit on both scales",
                  "cast one of the two; across calls the last one counts");
}

// A core vote that went takes the votes that need one with it, unless the same call casts them.
void drop_dependent_votes(const Config** list, PowerVotes& votes) {
  if (votes.core_active()) return;
  if (!has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2)) votes.hmx.reset();
  if (!has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG) &&
      !has_option(list, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP))
    votes.ceng.reset();
}

std::string corner_text(const std::optional<Corners>& corners) {
  if (!corners) return "no vote";
  return concat(corners->min, "/", corners->target, "/", corners->max);
}

// ", RPC latency 100 us, polling 9999 us"
std::string rpc_text(const PowerVotes& votes) {
  std::string text;
  if (votes.rpc_control_latency_us) text += concat(", RPC latency ", *votes.rpc_control_latency_us, " us");
  if (votes.rpc_polling_us) text += concat(", polling ", *votes.rpc_polling_us, " us");
  if (votes.adaptive_polling_us) text += concat(", adaptive from ", *votes.adaptive_polling_us, " us");
  if (votes.hmx_timeout_us) text += concat(", HMX off after ", *votes.hmx_timeout_us, " us");
  return text;
}

// "core TURBO at 90.0 %, HMX TURBO at 90.0 %, bus TURBO at 92.0 %"
std::string clocks_text(const soc::PowerModel& model) {
  const sim::Clocks clocks = runtime::voted_clocks(model);
  const auto one = [&](const char* what, sim::Level level, uint32_t permille) {
    return concat(what, " ", model.corners[level].name, " at ", permille / 10, ".", permille % 10, " %");
  };
  return concat(one("core", clocks.core, clocks.core_permille), ", ",
                one("HMX", clocks.hmx, clocks.hmx_permille), ", ",
                one("bus", clocks.bus, clocks.bus_permille));
}

void report(uint32_t id, const PowerVotes& votes, const Logger& log) {
  if (!log.wants(LogLevel::kInfo)) return;
  const auto model = soc::power_model();
  if (!model) return;  // casting has told it
  const auto core = votes.core.value_or(runtime::CoreVote{});
  log.info(concat(
      "power config ", id, ": core ", corner_text(core.core), ", bus ", corner_text(core.bus), ", HMX ",
      votes.hmx && !votes.hmx->follows_core ? corner_text(votes.hmx->corners) : "as the core", ", DCVS ",
      core.dcvs.value_or(true) ? "on" : "off", rpc_text(votes),
      votes.ddr_performance.value_or(false)
          ? ", DDR performance mode (the modelled DDR is at its fastest with that bus vote already)"
          : "",
      "; with the votes of all clients the modelled clocks are ", clocks_text(*model),
      " of burst; what a corner gives is a coefficient of openqnn, no source states it"));
}

Outcome<> set_power_config(uint32_t id, const Config** list) {
  OPENQNN_ASSIGN(runtime::PowerBook* const book, runtime::PowerBook::instance());
  OPENQNN_ASSIGN(const PowerDomain domain, runtime::power_domain());
  CallScope::current().belongs_to(domain.log);
  const auto take = [&](PowerVotes& votes) -> Outcome<> {
    if (!list || !*list)
      return bad_vote("power-none", "the list of votes is empty",
                      "end a list of one or more votes with null");
    OPENQNN_TRY(check_one_scale(list));
    for (const Config** entry = list; *entry; ++entry) OPENQNN_TRY(read_vote(**entry, domain, votes));
    drop_dependent_votes(list, votes);
    return {};
  };
  OPENQNN_ASSIGN(const PowerVotes votes, book->change(id, domain, take));
  report(id, votes, domain.log);
  return {};
}

// ---- The table ----

Qnn_ErrorHandle_t create_power_config_id(uint32_t device_id, uint32_t core_id, uint32_t* power_config_id) {
  return answer("createPowerConfigId", [&]() -> Outcome<> {
    if (!power_config_id)
      return null_argument(QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_HANDLE_PTR, "powerConfigId");
    OPENQNN_ASSIGN(runtime::PowerBook* const book, runtime::PowerBook::instance());
    OPENQNN_ASSIGN(*power_config_id, book->open(device_id, core_id));
    return {};
  });
}

Qnn_ErrorHandle_t destroy_power_config_id(uint32_t power_config_id) {
  return answer("destroyPowerConfigId", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(runtime::PowerBook* const book, runtime::PowerBook::instance());
    return book->close(power_config_id);
  });
}

Qnn_ErrorHandle_t set_power_config_entry(uint32_t power_config_id, const Config** config) {
  return answer("setPowerConfig", [&] { return set_power_config(power_config_id, config); });
}

Qnn_ErrorHandle_t set_memory_config(uint32_t, uint32_t, const QnnHtpPerfInfrastructure_MemoryConfig_t**) {
  return answer("setMemoryConfig", []() -> Outcome<> {
    return ApiError(QNN_COMMON_ERROR_NOT_SUPPORTED,
                    unsupported("power-memory", "the modelled device's heap does not grow in steps"));
  });
}

QnnHtpDevice_Infrastructure_t& infrastructure() {
  static QnnHtpDevice_Infrastructure_t table = {
      QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_PERF,
      {{create_power_config_id, destroy_power_config_id, set_power_config_entry, set_memory_config}}};
  return table;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnDevice_getInfrastructure(const QnnDevice_Infrastructure_t* deviceInfra) {
  return answer("QnnDevice_getInfrastructure", [&]() -> Outcome<> {
    if (!deviceInfra) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "deviceInfra");
    // The declaration says const, but this is where the answer goes.
    *const_cast<QnnDevice_Infrastructure_t*>(deviceInfra) = &infrastructure();  // NOLINT
    return {};
  });
}
