// SPDX-License-Identifier: BSD-3-Clause
// Power votes as clients write them, a session that casts them, and the history that the device keeps of
// them.
#pragma once

#include <cstring>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "client.h"
#include "openqnn/modelled_device.h"

namespace conformance {

using Config = QnnHtpPerfInfrastructure_PowerConfig_t;

constexpr Qnn_ErrorHandle_t kBadId = QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_HANDLE_PTR;
constexpr Qnn_ErrorHandle_t kBadVote = QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_INPUT;
constexpr Qnn_ErrorHandle_t kUnknownOption = QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED_CONFIG;
constexpr Qnn_ErrorHandle_t kNotHere = QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED;

inline Config vote(QnnHtpPerfInfrastructure_PowerConfigOption_t option) {
  Config config;
  std::memset(&config, 0, sizeof config);  // as clients do
  config.option = option;
  return config;
}

inline Config dcvs(
    QnnHtpPerfInfrastructure_VoltageCorner_t corner = DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER) {
  Config config = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3);
  QnnHtpPerfInfrastructure_DcvsV3_t& v3 = config.dcvsV3Config;
  v3.setDcvsEnable = 1;
  v3.powerMode = QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE;
  v3.setSleepLatency = 1;
  v3.sleepLatency = 40;
  v3.setSleepDisable = 1;
  v3.sleepDisable = 1;
  v3.setBusParams = v3.setCoreParams = 1;
  v3.busVoltageCornerMin = v3.busVoltageCornerTarget = v3.busVoltageCornerMax = corner;
  v3.coreVoltageCornerMin = v3.coreVoltageCornerTarget = v3.coreVoltageCornerMax = corner;
  return config;
}

inline Config hmx(bool pick_default) {
  Config config = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2);
  config.hmxV2Config.hmxPickDefault = pick_default;
  config.hmxV2Config.hmxVoltageCornerMin = DCVS_EXP_VCORNER_TUR;
  config.hmxV2Config.hmxVoltageCornerTarget = DCVS_EXP_VCORNER_TUR;
  config.hmxV2Config.hmxVoltageCornerMax = DCVS_EXP_VCORNER_TUR;
  config.hmxV2Config.hmxPerfMode = QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH;
  return config;
}

inline Config polling(uint32_t us) {
  Config config = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME);
  config.rpcPollingTimeConfig = us;
  return config;
}

inline Config adaptive(uint32_t us) {
  Config config = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME);
  config.adaptivePollingTimeConfig = us;
  return config;
}

inline Config latency(uint32_t us) {
  Config config = vote(QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY);
  config.rpcControlLatencyConfig = us;
  return config;
}

// A session on a part, with one power config id.
class Power {
 public:
  explicit Power(const char* target) : target_("OPENQNN_TARGET", target) {
    QnnDevice_Infrastructure_t infrastructure = nullptr;
    check(api(), api().deviceGetInfrastructure(&infrastructure), "deviceGetInfrastructure");
    const auto* htp = reinterpret_cast<const QnnHtpDevice_Infrastructure_t*>(infrastructure);
    EXPECT_EQ(htp->infraType, QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_PERF);
    table = htp->perfInfra;
    check(api(), table.createPowerConfigId(0, 0, &id), "createPowerConfigId");
  }

  const Api& api() const { return session_.api; }
  const Session& session() const { return session_; }
  Qnn_ErrorHandle_t cast(std::initializer_list<Config> votes) const { return cast_as(id, votes); }
  // On another id than that of this session.
  Qnn_ErrorHandle_t cast_as(uint32_t client, std::initializer_list<Config> votes) const {
    std::vector<const Config*> list;
    for (const Config& entry : votes) list.push_back(&entry);
    list.push_back(nullptr);
    return table.setPowerConfig(client, list.data());
  }
  ::testing::AssertionResult refuses(std::initializer_list<Config> votes, Qnn_ErrorHandle_t code,
                                     std::initializer_list<std::string> words = {}) const {
    return refused(api(), cast(votes), code, words);
  }

  // Lets the modelled device idle.
  void idle_us(uint64_t us) const {
    const auto declare = reinterpret_cast<QnnOpenqnn_DeclareIdleFn_t>(
        session_.library.object.symbol("QnnOpenqnn_declareIdle"));
    check(api(), declare(us * 1000), "QnnOpenqnn_declareIdle");
  }
  // The events of the device's history, one a line.
  std::vector<std::string> history() const {
    const auto get = reinterpret_cast<QnnOpenqnn_GetPowerHistoryFn_t>(
        session_.library.object.symbol("QnnOpenqnn_getPowerHistory"));
    uint64_t bytes = 0;
    check(api(), get(nullptr, &bytes), "QnnOpenqnn_getPowerHistory");
    std::string text(bytes, ' ');
    check(api(), get(text.data(), &bytes), "QnnOpenqnn_getPowerHistory");
    std::vector<std::string> events;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.find("\"event\"") != std::string::npos) events.push_back(line);
    return events;
  }

 private:
  ScopedEnvironment target_;
  Session session_;

 public:
  QnnHtpDevice_PerfInfrastructure_t table{};
  uint32_t id = 0;
};

constexpr const char* kV73 = "host:SM8550";
constexpr const char* kV75 = "host:SM8650";

}  // namespace conformance
