// SPDX-License-Identifier: BSD-3-Clause
// What public clients do from loading to unloading, call by call and in their order: an execution provider
// that compiles a model into a context binary, and one that loads it.
#include <gmock/gmock.h>

#include <cstring>

#include "HTP/QnnHtpContext.h"
#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::StartsWith;

constexpr uint32_t kFlowSoc = 57;

// The device options that providers send: the part and its architecture.
struct FlowDeviceOptions {
  FlowDeviceOptions() {
    custom[0].option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
    custom[0].socModel = kFlowSoc;
    custom[1].option = QNN_HTP_DEVICE_CONFIG_OPTION_ARCH;
    custom[1].arch.arch = QNN_HTP_DEVICE_ARCH_V75;
    custom[1].arch.deviceId = 0;
    for (size_t i = 0; i < 2; ++i) {
      configs[i].option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
      configs[i].customConfig = &custom[i];
    }
  }
  FlowDeviceOptions(const FlowDeviceOptions&) = delete;
  FlowDeviceOptions& operator=(const FlowDeviceOptions&) = delete;

  QnnHtpDevice_CustomConfig_t custom[2] = {};
  QnnDevice_Config_t configs[2] = {QNN_DEVICE_CONFIG_INIT, QNN_DEVICE_CONFIG_INIT};
  const QnnDevice_Config_t* list[3] = {&configs[0], &configs[1], nullptr};
};

// Priority, and weights shared between the graphs.
struct ContextOptions {
  ContextOptions() {
    configs[0].option = QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    configs[0].priority = QNN_PRIORITY_NORMAL;
    custom.option = QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED;
    custom.weightSharingEnabled = true;
    configs[1].option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    configs[1].customConfig = &custom;
  }
  ContextOptions(const ContextOptions&) = delete;
  ContextOptions& operator=(const ContextOptions&) = delete;

  QnnHtpContext_CustomConfig_t custom{};
  QnnContext_Config_t configs[2] = {QNN_CONTEXT_CONFIG_INIT, QNN_CONTEXT_CONFIG_INIT};
  const QnnContext_Config_t* list[3] = {&configs[0], &configs[1], nullptr};
};

// A power vote for as long as it lives.
class PowerVote {
 public:
  explicit PowerVote(const Api& api) {
    QnnDevice_Infrastructure_t infrastructure = nullptr;
    check(api, api.deviceGetInfrastructure(&infrastructure), "deviceGetInfrastructure");
    table_ = reinterpret_cast<const QnnHtpDevice_Infrastructure_t*>(infrastructure)->perfInfra;
    check(api, table_.createPowerConfigId(0, 0, &id_), "createPowerConfigId");
    QnnHtpPerfInfrastructure_PowerConfig_t votes[3];
    std::memset(votes, 0, sizeof votes);  // as clients do
    votes[0].option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3;
    QnnHtpPerfInfrastructure_DcvsV3_t& dcvs = votes[0].dcvsV3Config;
    dcvs.contextId = id_;
    dcvs.setDcvsEnable = 1;
    dcvs.powerMode = QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE;
    dcvs.setSleepLatency = 1;
    dcvs.sleepLatency = 40;
    votes[1].option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY;
    votes[1].rpcControlLatencyConfig = 100;
    votes[2].option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME;
    votes[2].rpcPollingTimeConfig = 9999;
    const QnnHtpPerfInfrastructure_PowerConfig_t* list[] = {&votes[0], &votes[1], &votes[2], nullptr};
    check(api, table_.setPowerConfig(id_, list), "setPowerConfig");
  }
  ~PowerVote() { EXPECT_EQ(table_.destroyPowerConfigId(id_), QNN_SUCCESS); }
  PowerVote(const PowerVote&) = delete;
  PowerVote& operator=(const PowerVote&) = delete;

 private:
  QnnHtpDevice_PerfInfrastructure_t table_{};
  uint32_t id_ = 0;
};

// Providers ask for every node, often twice, the second time under another name.
void validate_twice(const Api& api, Qnn_BackendHandle_t backend, const Model& model) {
  for (const Node& node : model.nodes) {
    Scratch scratch;
    check(api, api.backendValidateOpConfig(backend, describe(model, node, scratch)),
          "backendValidateOpConfig");
    Node again = node;
    again.name += "_2";
    check(api, api.backendValidateOpConfig(backend, describe(model, again, scratch)),
          "backendValidateOpConfig");
  }
}

// The architecture is in the on-chip extension of the platform info.
void read_platform(const Api& api, Qnn_LogHandle_t log) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetPlatformInfo(log, &info), "deviceGetPlatformInfo");
  ASSERT_GE(info->v1.numHwDevices, 1U);
  const auto* extension = info->v1.hwDevices[0].v1.deviceInfoExtension;
  ASSERT_NE(extension, nullptr);
  EXPECT_EQ(extension->devType, QNN_HTP_DEVICE_TYPE_ON_CHIP);
  EXPECT_GE(extension->onChipDevice.arch, QNN_HTP_DEVICE_ARCH_V68);
  check(api, api.deviceFreePlatformInfo(log, info), "deviceFreePlatformInfo");
}

// The name of the one graph in a binary, as the system library tells it.
std::string graph_in(const Bytes& binary) {
  const SystemLibrary system;
  QnnSystemContext_Handle_t handle = nullptr;
  EXPECT_EQ(system.api().systemContextCreate(&handle), QNN_SUCCESS);
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  Bytes copy = binary;
  EXPECT_EQ(system.api().systemContextGetBinaryInfo(handle, copy.data(), copy.size(), &info, &size),
            QNN_SUCCESS);
  const QnnSystemContext_GraphInfo_t& graph = info->contextBinaryInfoV3.graphs[0];
  EXPECT_EQ(graph.version, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3);
  std::string name = graph.graphInfoV3.graphName;
  EXPECT_EQ(system.api().systemContextFree(handle), QNN_SUCCESS);
  return name;
}

struct Compiled {
  Bytes binary;
  Model model;  // with the backend's ids
  Buffers outputs;
};

Compiled compile(const Sample& sample) {
  const BackendLibrary library;
  const Api& api = library.api();
  const char* build_id = nullptr;
  check(api, api.backendGetBuildId(&build_id), "backendGetBuildId");
  EXPECT_THAT(build_id, StartsWith("v"));
  const Owned log = create_log(api, QNN_LOG_LEVEL_WARN);
  check(api, api.logSetLogLevel(log, QNN_LOG_LEVEL_INFO), "logSetLogLevel");
  const Owned backend = create_backend(api, log);
  EXPECT_EQ(api.propertyHasCapability(QNN_PROPERTY_GROUP_DEVICE), QNN_PROPERTY_SUPPORTED);
  FlowDeviceOptions device_options;
  const Owned device = create_device(api, log, device_options.list);
  const Owned profile = create_profile(api, backend);
  ContextOptions context_options;
  const Owned context = create_context(api, backend, device, context_options.list);
  const PowerVote power(api);
  validate_twice(api, backend, sample.model);
  GraphOptions graph_options;
  graph_options.optimization(3).vtcm_mb(8);
  const Graph graph = Graph::built(api, context, sample.model, graph_options.list(), profile);
  EXPECT_FALSE(events_of(api, profile).empty());
  Compiled compiled{{}, graph.model, graph.run(sample.inputs, profile)};
  compiled.binary = binary_of(api, context);
  read_platform(api, log);
  return compiled;
}

Buffers load_and_run(const Compiled& compiled, const Sample& sample) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned log = create_log(api, QNN_LOG_LEVEL_WARN);
  const Owned backend = create_backend(api, log);
  FlowDeviceOptions device_options;
  const Owned device = create_device(api, log, device_options.list);
  ContextOptions options;
  options.list[1] = nullptr;  // the priority alone
  Qnn_ContextHandle_t handle = nullptr;
  check(api,
        api.contextCreateFromBinary(backend, device, options.list, compiled.binary.data(),
                                    compiled.binary.size(), &handle, nullptr),
        "contextCreateFromBinary");
  const Owned context(handle, [&api](void* each) { return api.contextFree(each, nullptr); });
  const PowerVote power(api);
  const Graph graph = Graph::retrieved(api, context, compiled.model);
  EXPECT_EQ(graph_in(compiled.binary), graph.model.name);
  options.configs[0].priority = QNN_PRIORITY_HIGH;
  check(api, api.contextSetConfig(context, options.list), "contextSetConfig");
  const Owned profile = create_profile(api, backend, QNN_PROFILE_LEVEL_DETAILED);
  Buffers outputs = graph.run(sample.inputs, profile);
  EXPECT_FALSE(events_of(api, profile).empty());
  return outputs;
}

class ClientFlow : public ::testing::TestWithParam<Kind> {};

// Everything is unloaded between the two, and all of it is done again in the same process.
// feature: B1, B2, C1 (C API)
TEST_P(ClientFlow, CompileUnloadLoadRun) {
  for (int round = 0; round < 2; ++round) {
    for (const Sample& sample : all_samples(GetParam())) {
      SCOPED_TRACE(sample.model.name);
      const Compiled compiled = compile(sample);
      EXPECT_TRUE(agrees(compiled.model, compiled.outputs, expected_outputs(sample.model, sample.inputs)));
      EXPECT_EQ(load_and_run(compiled, sample), compiled.outputs);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ClientFlow, ::testing::Values(Kind::kFloat, Kind::kQuantized), kind_name);

}  // namespace
}  // namespace conformance
