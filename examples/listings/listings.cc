// SPDX-License-Identifier: BSD-3-Clause
// The listings of the public HTP page that do not compile, or do something else than their text says, in a
// form that works. docs/errata.md tells what was printed; every function here is one entry of its table.
//
//   c++ -std=c++20 -Iinclude/QNN examples/listings/listings.cc -ldl -o listings
//   ./listings build/release/lib/libQnnHtp.so
// feature: B6, C2 (C API)
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpGraph.h"
#include "QnnInterface.h"

namespace {

using Api = QNN_INTERFACE_VER_TYPE;

// A backend with one small graph in a binary: what the listings take for granted.
class Client {
 public:
  // The tensors of the model. They are made in the same order each time, and so have the same ids.
  struct Io {
    Qnn_Tensor_t x, y;
  };

  explicit Client(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) give_up(dlerror());
    Qnn_ErrorHandle_t (*get_providers)(const QnnInterface_t***, uint32_t*) = nullptr;
    *reinterpret_cast<void**>(&get_providers) = dlsym(library, "QnnInterface_getProviders");
    const QnnInterface_t** providers = nullptr;
    uint32_t count = 0;
    if (!get_providers || get_providers(&providers, &count) != QNN_SUCCESS || count == 0)
      give_up("the library offers no backend");
    api = providers[0]->QNN_INTERFACE_VER_NAME;
    check(api.backendCreate(nullptr, nullptr, &backend), "backendCreate");
    device = create_device(QNN_SOC_MODEL_SM8650, QNN_HTP_DEVICE_ARCH_V75);
    binary = save_and_free(prepare(device, 2, &io));
  }
  ~Client() {
    api.deviceFree(device);
    api.backendFree(backend);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void check(Qnn_ErrorHandle_t code, const char* call) const {
    if (code != QNN_SUCCESS) give_up(std::string(call) + " failed with " + std::to_string(code));
  }
  // createFromBinary with a list of options that null ends.
  Qnn_ContextHandle_t load(const QnnContext_Config_t** configs, Qnn_ProfileHandle_t profile = nullptr) const {
    Qnn_ContextHandle_t context = nullptr;
    check(api.contextCreateFromBinary(backend, device, configs, binary.data(), binary.size(), &context,
                                      profile),
          "contextCreateFromBinary");
    return context;
  }
  void free(Qnn_ContextHandle_t context, Qnn_ProfileHandle_t profile = nullptr) const {
    check(api.contextFree(context, profile), "contextFree");
  }
  Qnn_DeviceHandle_t create_device(uint32_t soc_model, QnnHtpDevice_Arch_t arch) const;
  // The model in a context for a device, with an optimization level of 1 to 3.
  Qnn_ContextHandle_t prepare(Qnn_DeviceHandle_t for_device, float level, Io* made = nullptr) const;
  std::vector<char> save(Qnn_ContextHandle_t context) const;
  std::vector<char> save_and_free(Qnn_ContextHandle_t context) const;
  // One execute of the model in any of its contexts.
  void infer(Qnn_ContextHandle_t context) const;
  [[noreturn]] static void give_up(const std::string& why) {
    std::fprintf(stderr, "listings: %s\n", why.c_str());
    std::exit(1);
  }

  Api api{};
  Qnn_BackendHandle_t backend = nullptr;
  Qnn_DeviceHandle_t device = nullptr;
  Io io{};
  std::vector<char> binary;

 private:
  Io compose(Qnn_GraphHandle_t graph) const;
};

// ---- Devices ----

// "Device info extension options": the names in that table are no options. A device of one's own is described
// by platform info, whose extension says of which kind it is.
Qnn_DeviceHandle_t Client::create_device(uint32_t soc_model, QnnHtpDevice_Arch_t arch) const {
  QnnHtpDevice_DeviceInfoExtension_t extension{};
  extension.devType = QNN_HTP_DEVICE_TYPE_ON_CHIP;
  extension.onChipDevice.socModel = soc_model;
  extension.onChipDevice.arch = arch;
  extension.onChipDevice.vtcmSize = 8;
  QnnDevice_HardwareDeviceInfo_t hardware = QNN_DEVICE_HARDWARE_DEVICE_INFO_INIT;
  hardware.v1.deviceInfoExtension = &extension;
  QnnDevice_PlatformInfo_t platform = QNN_DEVICE_PLATFORM_INFO_INIT;
  platform.v1 = {1, &hardware};
  QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
  config.option = QNN_DEVICE_CONFIG_OPTION_PLATFORM_INFO;
  config.hardwareInfo = &platform;
  const QnnDevice_Config_t* configs[] = {&config, nullptr};
  Qnn_DeviceHandle_t made = nullptr;
  check(api.deviceCreate(nullptr, configs, &made), "deviceCreate");
  return made;
}

// ---- Graphs ----

// "Force the disablement of the SLC allocator": the optimization's type is not an option. The option is
// OPTIMIZATION, and the type goes into its payload.
void slc_allocator_off(const Client& client, Qnn_ContextHandle_t context) {
  QnnHtpGraph_CustomConfig_t customConfig = QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT;
  customConfig.option = QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION;
  customConfig.optimizationOption.type = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR;
  customConfig.optimizationOption.floatValue = 0;
  QnnGraph_Config_t graphConfig = QNN_GRAPH_CONFIG_INIT;
  graphConfig.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
  graphConfig.customConfig = &customConfig;
  const QnnGraph_Config_t* pGraphConfig[] = {&graphConfig, nullptr};
  Qnn_GraphHandle_t graph = nullptr;
  client.check(client.api.graphCreate(context, "without_slc", pGraphConfig, &graph), "graphCreate");
}

constexpr uint32_t kNumbers = 4;

// The model is one Relu.
Client::Io Client::compose(Qnn_GraphHandle_t graph) const {
  static uint32_t dims[] = {1, kNumbers};
  const auto tensor = [&](const char* name, Qnn_TensorType_t type) {
    Qnn_Tensor_t made = QNN_TENSOR_INIT;
    made.v1.name = name;
    made.v1.type = type;
    made.v1.dataType = QNN_DATATYPE_FLOAT_32;
    made.v1.rank = 2;
    made.v1.dimensions = dims;
    made.v1.memType = QNN_TENSORMEMTYPE_RAW;
    check(api.tensorCreateGraphTensor(graph, &made), "tensorCreateGraphTensor");
    return made;
  };
  Qnn_Tensor_t x = tensor("x", QNN_TENSOR_TYPE_APP_WRITE);
  Qnn_Tensor_t y = tensor("y", QNN_TENSOR_TYPE_APP_READ);
  Qnn_OpConfig_t relu = QNN_OPCONFIG_INIT;
  relu.v1 = {"relu", "qti.aisw", "Relu", 0, nullptr, 1, &x, 1, &y};
  check(api.graphAddNode(graph, relu), "graphAddNode");
  return {x, y};
}

Qnn_ContextHandle_t Client::prepare(Qnn_DeviceHandle_t for_device, float level, Io* made) const {
  Qnn_ContextHandle_t context = nullptr;
  check(api.contextCreate(backend, for_device, nullptr, &context), "contextCreate");
  QnnHtpGraph_CustomConfig_t optimization = QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT;
  optimization.option = QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION;
  optimization.optimizationOption.type = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG;
  optimization.optimizationOption.floatValue = level;
  QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
  config.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
  config.customConfig = &optimization;
  const QnnGraph_Config_t* configs[] = {&config, nullptr};
  Qnn_GraphHandle_t graph = nullptr;
  check(api.graphCreate(context, "relu", configs, &graph), "graphCreate");
  const Io tensors = compose(graph);
  if (made) *made = tensors;
  check(api.graphFinalize(graph, nullptr, nullptr), "graphFinalize");
  return context;
}

std::vector<char> Client::save(Qnn_ContextHandle_t context) const {
  Qnn_ContextBinarySize_t size = 0;
  check(api.contextGetBinarySize(context, &size), "contextGetBinarySize");
  std::vector<char> bytes(size);
  check(api.contextGetBinary(context, bytes.data(), size, &size), "contextGetBinary");
  return bytes;
}

std::vector<char> Client::save_and_free(Qnn_ContextHandle_t context) const {
  std::vector<char> bytes = save(context);
  free(context);
  return bytes;
}

void Client::infer(Qnn_ContextHandle_t context) const {
  Qnn_GraphHandle_t graph = nullptr;
  check(api.graphRetrieve(context, "relu", &graph), "graphRetrieve");
  float numbers[kNumbers] = {-2, -0.5F, 0.25F, 3};
  float results[kNumbers] = {};
  const float expected[kNumbers] = {0, 0, 0.25F, 3};
  auto [x, y] = io;
  x.v1.clientBuf = {numbers, sizeof numbers};
  y.v1.clientBuf = {results, sizeof results};
  check(api.graphExecute(graph, &x, 1, &y, 1, nullptr, nullptr), "graphExecute");
  if (!std::equal(std::begin(results), std::end(results), expected)) give_up("relu is not what it should be");
}

// ---- Contexts ----

// Every context listing puts a pointer to the HTP struct into the list. The list holds generic options: the
// HTP struct goes behind one of type CUSTOM.
struct HtpContextOption {
  QnnHtpContext_CustomConfig_t custom = QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT;
  QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;

  explicit HtpContextOption(QnnHtpContext_ConfigOption_t option) {
    custom.option = option;
    config.option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  HtpContextOption(const HtpContextOption&) = delete;
  HtpContextOption& operator=(const HtpContextOption&) = delete;
};

void share_a_spill_fill_buffer(const Client& client) {
  HtpContextOption first(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS);
  first.custom.groupRegistration = {nullptr, 30081024};
  const QnnContext_Config_t* cfgs[] = {&first.config, nullptr};
  Qnn_ContextHandle_t founder = client.load(cfgs);

  HtpContextOption later(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS);
  later.custom.groupRegistration = {founder, 0};  // "don't set this" means 0, not what happens to lie there
  const QnnContext_Config_t* cfgs2[] = {&later.config, nullptr};
  Qnn_ContextHandle_t second = client.load(cfgs2);
  Qnn_ContextHandle_t third = client.load(cfgs2);
  for (Qnn_ContextHandle_t context : {third, second, founder}) client.free(context);
}

void read_in_chunks_of_25_megabytes(const Client& client) {
  HtpContextOption budget(QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET);
  budget.custom.fileReadMemoryBudgetInMb = 25;
  const QnnContext_Config_t* cfgs[] = {&budget.config, nullptr};
  client.free(client.load(cfgs));
}

// The member is ioMemEstimation; the listing says ioMemoryEstimation.
void estimate_io_memory(const Client& client) {
  HtpContextOption estimation(QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION);
  estimation.custom.ioMemEstimation = true;
  const QnnContext_Config_t* cfgs[] = {&estimation.config, nullptr};
  client.free(client.load(cfgs));
}

// The member is memoryLimitHint; the listing says memoryLimitHintConfig, and never frees what it allocates.
void switch_graphs(const Client& client) {
  QnnContext_Config_t persistent = QNN_CONTEXT_CONFIG_INIT;
  persistent.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  persistent.isPersistentBinary = 1;
  QnnContext_Config_t hint = QNN_CONTEXT_CONFIG_INIT;
  hint.option = QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT;
  hint.memoryLimitHint = 1;
  const QnnContext_Config_t* cfgs[] = {&persistent, &hint, nullptr};
  client.free(client.load(cfgs));
}

// Two list options, each behind a generic one; the third struct of the listing is not needed.
void share_resources_of_a_list(const Client& client) {
  HtpContextOption share(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES);
  share.custom.shareResources = true;
  HtpContextOption type(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE);
  type.custom.shareResOptType = SEQUENTIAL_WITH_VA_OPTIMIZATION;
  const QnnContext_Config_t* list_cfgs[] = {&share.config, &type.config, nullptr};

  // Handles come through the notify function, once for each graph and once for the context.
  std::promise<Qnn_ContextHandle_t> made;
  const auto notify = [](Qnn_ContextHandle_t context, Qnn_GraphHandle_t, const char*,
                         QnnContext_createFromBinaryAsyncNotifyType_t what, void* param, Qnn_ErrorHandle_t) {
    if (what == QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT)
      static_cast<std::promise<Qnn_ContextHandle_t>*>(param)->set_value(context);
  };
  const QnnContext_Params_t params = {
      QNN_CONTEXT_PARAMS_VERSION_1,
      {{nullptr, client.binary.data(), client.binary.size(), nullptr, notify, &made}}};
  const QnnContext_Params_t* contextParams[] = {&params, nullptr};
  const Qnn_ErrorHandle_t answer = client.api.contextCreateFromBinaryListAsync(
      client.backend, client.device, contextParams, list_cfgs, nullptr);
  client.check(answer, "contextCreateFromBinaryListAsync");
  Qnn_ContextHandle_t context = made.get_future().get();
  if (!context) Client::give_up("the list made no context");
  client.free(context);
}

// A profile is made for a backend, and handles are passed as they are, not their addresses.
void profile_the_dsp_heap(const Client& client) {
  HtpContextOption heap(QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
  heap.custom.dspMemoryProfilingEnabled = true;
  const QnnContext_Config_t* cfgs[] = {&heap.config, nullptr};
  Qnn_ProfileHandle_t profileHandle = nullptr;
  client.check(client.api.profileCreate(client.backend, QNN_PROFILE_LEVEL_BASIC, &profileHandle),
               "profileCreate");
  Qnn_ContextHandle_t contextHandle1 = client.load(cfgs, profileHandle);
  client.free(contextHandle1, profileHandle);
  const QnnProfile_EventId_t* events = nullptr;
  uint32_t numEvents = 0;
  client.check(client.api.profileGetEvents(profileHandle, &events, &numEvents), "profileGetEvents");
  client.check(client.api.profileFree(profileHandle), "profileFree");
}

// "result = QNN_CONTEXT_ERROR_…" assigns: the branch is taken for every code. And the context that the better
// one replaces has to be freed. Answers what the strict load did; where that was not success, `saved` is
// replaced by a binary that was prepared for this device while the model ran already.
Qnn_ErrorHandle_t run_from_a_saved_binary(const Client& client, Qnn_DeviceHandle_t device,
                                          std::vector<char>& saved) {
  const auto create = [&](QnnContext_BinaryCompatibilityType_t compatibility, Qnn_ContextHandle_t* context) {
    QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;
    config.option = QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
    config.binaryCompatibilityType = compatibility;
    const QnnContext_Config_t* cfgs[] = {&config, nullptr};
    return client.api.contextCreateFromBinary(client.backend, device, cfgs, saved.data(), saved.size(),
                                              context, nullptr);
  };
  Qnn_ContextHandle_t context = nullptr;
  const Qnn_ErrorHandle_t result = create(QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT, &context);
  std::future<Qnn_ContextHandle_t> futureContext;
  if (result != QNN_SUCCESS) {
    if (result == QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL) {
      client.check(create(QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE, &context), "contextCreateFromBinary");
    } else if (result == QNN_CONTEXT_ERROR_CREATE_FROM_BINARY) {
      context = client.prepare(device, 1);  // soon ready
    } else {
      client.check(result, "contextCreateFromBinary");
    }
    futureContext = std::async(std::launch::async, [&] { return client.prepare(device, 3); });
  }
  while (futureContext.valid()) {
    client.infer(context);
    if (futureContext.wait_for(std::chrono::seconds(0)) != std::future_status::ready) continue;
    client.free(std::exchange(context, futureContext.get()));
    saved = client.save(context);
  }
  client.infer(context);
  client.free(context);
  return result;
}

void replace_a_suboptimal_binary(const Client& client) {
  const auto expect = [](Qnn_ErrorHandle_t answer, Qnn_ErrorHandle_t wanted) {
    if (answer != wanted)
      Client::give_up("a strict load answered " + std::to_string(answer) + " instead of " +
                      std::to_string(wanted));
  };
  // A binary for an older part runs on a newer one, but does not use all of it; the one that is prepared in
  // the background does, and the older part cannot run that.
  Qnn_DeviceHandle_t older = client.create_device(QNN_SOC_MODEL_SM8550, QNN_HTP_DEVICE_ARCH_V73);
  std::vector<char> saved = client.save_and_free(client.prepare(older, 2));
  expect(run_from_a_saved_binary(client, client.device, saved), QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL);
  expect(run_from_a_saved_binary(client, client.device, saved), QNN_SUCCESS);
  expect(run_from_a_saved_binary(client, older, saved), QNN_CONTEXT_ERROR_CREATE_FROM_BINARY);
  expect(run_from_a_saved_binary(client, older, saved), QNN_SUCCESS);
  client.check(client.api.deviceFree(older), "deviceFree");
}

// ---- Binaries through callbacks ----

// notifyParam is one type on both sides; the release function takes its object from there as well; a local
// variable cannot have the name of its own type.
struct WeightsLoader {
  const Client& client;
  std::atomic<int> held{0};
};

Qnn_ErrorHandle_t provide_weights(Qnn_ContextBinaryDataRequest_t req, Qnn_ContextBinaryDmaDataResponse_t*,
                                  void* notifyParam) {
  if (req.size == 0) return QNN_CONTEXT_ERROR_INVALID_ARGUMENT;  // a code of contexts, not of graphs
  ++static_cast<WeightsLoader*>(notifyParam)->held;
  return QNN_CONTEXT_ERROR_MEM_ALLOC;  // this example has no DMA buffers to give
}

Qnn_ErrorHandle_t release_weights(Qnn_ContextBinaryDmaDataMem_t, void* notifyParam) {
  --static_cast<WeightsLoader*>(notifyParam)->held;
  return QNN_SUCCESS;
}

void load_through_callbacks(const Client& client) {
  WeightsLoader loader{client};
  Qnn_ContextBinaryCallback_t callback{};
  callback.type = QNN_CONTEXT_CALLBACK_DMA_BUFFER;
  callback.dmaBufferCallback.version = QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_1;
  callback.dmaBufferCallback.v1 = {provide_weights, release_weights, &loader};
  Qnn_ContextHandle_t context = nullptr;
  const Qnn_ErrorHandle_t error = client.api.contextCreateFromBinaryWithCallback(
      client.backend, client.device, nullptr, &callback, client.binary.data(), client.binary.size(), &context,
      nullptr, nullptr);
  // Not offered yet: the call says so, and nobody may be left with a buffer.
  if (error == QNN_SUCCESS || loader.held != 0) Client::give_up("a load without buffers succeeded");
}

// ---- Power ----

// The interface is taken from a library, not from a variable that nobody has set; the list holds addresses;
// one call's result may not hide another's of the same name.
void vote_for_core_and_hmx(const Client& client) {
  QnnDevice_Infrastructure_t deviceInfra = nullptr;
  client.check(client.api.deviceGetInfrastructure(&deviceInfra), "deviceGetInfrastructure");
  const QnnHtpDevice_PerfInfrastructure_t perfInfra = deviceInfra->perfInfra;
  uint32_t powerConfigId = 0;
  client.check(perfInfra.createPowerConfigId(0, 0, &powerConfigId), "createPowerConfigId");

  QnnHtpPerfInfrastructure_PowerConfig_t powerConfig{};
  powerConfig.option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3;
  QnnHtpPerfInfrastructure_DcvsV3_t& dcvs = powerConfig.dcvsV3Config;
  dcvs.contextId = powerConfigId;
  dcvs.setDcvsEnable = 1;
  dcvs.dcvsEnable = 1;
  dcvs.powerMode = QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE;
  dcvs.setCoreParams = dcvs.setBusParams = 1;
  dcvs.coreVoltageCornerMin = dcvs.coreVoltageCornerTarget = dcvs.coreVoltageCornerMax =
      dcvs.busVoltageCornerMin = dcvs.busVoltageCornerTarget = dcvs.busVoltageCornerMax =
          DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER;

  QnnHtpPerfInfrastructure_PowerConfig_t powerConfigHMX{};
  powerConfigHMX.option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2;
  powerConfigHMX.hmxV2Config.hmxPickDefault = 0;
  powerConfigHMX.hmxV2Config.hmxPerfMode = QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH;
  powerConfigHMX.hmxV2Config.hmxVoltageCornerMin = DCVS_EXP_VCORNER_TUR;
  powerConfigHMX.hmxV2Config.hmxVoltageCornerTarget = DCVS_EXP_VCORNER_TUR;
  powerConfigHMX.hmxV2Config.hmxVoltageCornerMax = DCVS_EXP_VCORNER_TUR;

  const QnnHtpPerfInfrastructure_PowerConfig_t* powerConfigs[] = {&powerConfig, &powerConfigHMX, nullptr};
  client.check(perfInfra.setPowerConfig(powerConfigId, powerConfigs), "setPowerConfig");
  client.check(perfInfra.destroyPowerConfigId(powerConfigId), "destroyPowerConfigId");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: listings PATH/libQnnHtp.so\n");
    return 2;
  }
  const Client client(argv[1]);
  Qnn_ContextHandle_t context = nullptr;
  client.check(client.api.contextCreate(client.backend, client.device, nullptr, &context), "contextCreate");
  slc_allocator_off(client, context);
  client.free(context);
  share_a_spill_fill_buffer(client);
  read_in_chunks_of_25_megabytes(client);
  estimate_io_memory(client);
  switch_graphs(client);
  share_resources_of_a_list(client);
  profile_the_dsp_heap(client);
  replace_a_suboptimal_binary(client);
  load_through_callbacks(client);
  vote_for_core_and_hmx(client);
  std::printf("every listing ran\n");
  return 0;
}
