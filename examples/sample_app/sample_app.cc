// SPDX-License-Identifier: BSD-3-Clause
// A whole client in one file: what an app that runs a model on the NPU does, in the order it does it.
//
//   1  open the libraries, take a provider whose version fits
//   2  log, backend, device (for a SoC), power vote
//   3  compose a graph: every op validated, then added; finalize; save the context binary
//   4  look into the binary with the system library
//   5  load it into a new context, retrieve the graph
//   6  execute with buffers from the shared-memory allocator, no copies; read the profile
//   7  free everything in reverse order
//
//   c++ -std=c++20 -Iinclude/QNN examples/sample_app/sample_app.cc -ldl -o sample_app
//   ./sample_app build/release/lib [SOC_MODEL]
//
// Nothing but include/QNN and dlopen, so the same source runs against any implementation of the API.
#include <dlfcn.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpMem.h"
#include "QnnInterface.h"
#include "QnnOpDef.h"
#include "System/QnnSystemInterface.h"

namespace {

using Api = QNN_INTERFACE_VER_TYPE;
using SystemApi = QNN_SYSTEM_INTERFACE_VER_TYPE;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "sample_app: %s\n", why.c_str());
  std::exit(1);
}

// ---- 1: libraries ----

template <class Function>
Function symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) give_up(dlerror());
  return reinterpret_cast<Function>(found);
}

void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) give_up(dlerror());
  return library;
}

// The provider must have our major version and at least our minor one: its table is then at least as long.
const Api& backend_api(void* library) {
  const auto get_providers =
      symbol<Qnn_ErrorHandle_t (*)(const QnnInterface_t***, uint32_t*)>(library, "QnnInterface_getProviders");
  const QnnInterface_t** providers = nullptr;
  uint32_t count = 0;
  if (get_providers(&providers, &count) != QNN_SUCCESS) give_up("the library offers no backend");
  for (uint32_t i = 0; i < count; ++i) {
    const Qnn_Version_t& core = providers[i]->apiVersion.coreApiVersion;
    if (core.major == QNN_API_VERSION_MAJOR && core.minor >= QNN_API_VERSION_MINOR)
      return providers[i]->QNN_INTERFACE_VER_NAME;
  }
  give_up("no provider has a core API that fits these headers");
}

const SystemApi& system_api(void* library) {
  const auto get_providers = symbol<Qnn_ErrorHandle_t (*)(const QnnSystemInterface_t***, uint32_t*)>(
      library, "QnnSystemInterface_getProviders");
  const QnnSystemInterface_t** providers = nullptr;
  uint32_t count = 0;
  if (get_providers(&providers, &count) != QNN_SUCCESS || count == 0) give_up("no system provider");
  return providers[0]->QNN_SYSTEM_INTERFACE_VER_NAME;
}

void print_log(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  char line[1024];
  std::vsnprintf(line, sizeof line, format, arguments);
  std::fprintf(stderr, "  [log %d] %s\n", static_cast<int>(level), line);
}

// ---- A client ----

// Shared memory: on a device this is the FastRPC library, here the one that comes with openqnn.
struct SharedMemory {
  void* (*alloc)(int heap, uint32_t flags, int bytes);
  void (*free)(void* memory);
  int (*to_fd)(void* memory);

  explicit SharedMemory(void* library)
      : alloc(symbol<decltype(alloc)>(library, "rpcmem_alloc")),
        free(symbol<decltype(free)>(library, "rpcmem_free")),
        to_fd(symbol<decltype(to_fd)>(library, "rpcmem_to_fd")) {}
};

class Client {
 public:
  Client(const Api& api, uint32_t soc_model) : api_(api) {
    check(api_.logCreate(print_log, QNN_LOG_LEVEL_WARN, &log_), "logCreate");
    check(api_.backendCreate(log_, nullptr, &backend_), "backendCreate");
    create_device(soc_model);
    vote_for_power();
  }
  ~Client() {
    if (infrastructure_) infrastructure_->perfInfra.destroyPowerConfigId(power_config_);
    check(api_.deviceFree(device_), "deviceFree");
    check(api_.backendFree(backend_), "backendFree");
    check(api_.logFree(log_), "logFree");
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Api& api() const { return api_; }
  Qnn_BackendHandle_t backend() const { return backend_; }
  Qnn_DeviceHandle_t device() const { return device_; }

  // A failed call has a code, and a sentence that says why.
  void check(Qnn_ErrorHandle_t code, const char* call) const {
    if (code != QNN_SUCCESS) give_up(std::string(call) + " failed with " + std::to_string(code) + why(code));
  }

  // Whether the times of a profile are those of a modelled device: this implementation says so in its build
  // id.
  bool times_are_simulated() const {
    const char* id = nullptr;
    check(api_.backendGetBuildId(&id), "backendGetBuildId");
    return std::strstr(id, "openqnn") != nullptr;
  }

 private:
  // The sentence belongs to the client until it is given back.
  std::string why(Qnn_ErrorHandle_t code) const {
    const char* sentence = nullptr;
    if (api_.errorGetVerboseMessage(code, &sentence) != QNN_SUCCESS) return "";
    const std::string copy = std::string(": ") + sentence;
    api_.errorFreeVerboseMessage(sentence);
    return copy;
  }

  void create_device(uint32_t soc_model) {
    QnnHtpDevice_CustomConfig_t soc{};
    soc.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
    soc.socModel = soc_model;
    QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
    config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
    config.customConfig = &soc;
    const QnnDevice_Config_t* list[] = {&config, nullptr};
    check(api_.deviceCreate(log_, list, &device_), "deviceCreate");
  }

  // Turbo for everything, and no sleeping in between: what "burst" means.
  void vote_for_power() {
    QnnDevice_Infrastructure_t found = nullptr;
    check(api_.deviceGetInfrastructure(&found), "deviceGetInfrastructure");
    infrastructure_ = found;
    check(infrastructure_->perfInfra.createPowerConfigId(0, 0, &power_config_), "createPowerConfigId");
    QnnHtpPerfInfrastructure_PowerConfig_t vote{};
    vote.option = QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3;
    QnnHtpPerfInfrastructure_DcvsV3_t& dcvs = vote.dcvsV3Config;
    dcvs.contextId = power_config_;
    dcvs.setDcvsEnable = 1;
    dcvs.dcvsEnable = 0;
    dcvs.powerMode = QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE;
    dcvs.setSleepLatency = 1;
    dcvs.sleepLatency = 40;
    dcvs.setBusParams = dcvs.setCoreParams = 1;
    dcvs.busVoltageCornerMin = dcvs.busVoltageCornerTarget = dcvs.busVoltageCornerMax =
        dcvs.coreVoltageCornerMin = dcvs.coreVoltageCornerTarget = dcvs.coreVoltageCornerMax =
            DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER;
    const QnnHtpPerfInfrastructure_PowerConfig_t* votes[] = {&vote, nullptr};
    check(infrastructure_->perfInfra.setPowerConfig(power_config_, votes), "setPowerConfig");
  }

  const Api& api_;
  Qnn_LogHandle_t log_ = nullptr;
  Qnn_BackendHandle_t backend_ = nullptr;
  Qnn_DeviceHandle_t device_ = nullptr;
  const QnnHtpDevice_Infrastructure_t* infrastructure_ = nullptr;
  uint32_t power_config_ = 0;
};

// ---- 3: the model: softmax(matmul(x, weights)), 8 bit ----

constexpr uint32_t kIn = 16;
constexpr uint32_t kOut = 4;

struct Encoding {
  float scale;
  int32_t offset;
};
constexpr Encoding kInput = {1.0F / 128, -128};  // -1 to 1
constexpr Encoding kScores = {1.0F / 32, -128};  // -4 to 4
constexpr Encoding kProbabilities = {1.0F / 256, 0};

Qnn_Tensor_t tensor(const char* name, Qnn_TensorType_t role, std::vector<uint32_t>& dims, Encoding encoding) {
  Qnn_Tensor_t made = QNN_TENSOR_INIT;
  made.v1.name = name;
  made.v1.type = role;
  made.v1.dataType = QNN_DATATYPE_UFIXED_POINT_8;
  made.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
  made.v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
  made.v1.quantizeParams.scaleOffsetEncoding = {encoding.scale, encoding.offset};
  made.v1.rank = static_cast<uint32_t>(dims.size());
  made.v1.dimensions = dims.data();
  made.v1.memType = QNN_TENSORMEMTYPE_RAW;
  return made;
}

void add_node(const Client& client, Qnn_GraphHandle_t graph, const char* name, const char* type,
              std::vector<Qnn_Tensor_t> inputs, Qnn_Tensor_t output) {
  Qnn_OpConfig_t op = QNN_OPCONFIG_INIT;
  op.v1.name = name;
  op.v1.packageName = QNN_OP_PACKAGE_NAME_QTI_AISW;
  op.v1.typeName = type;
  op.v1.numOfInputs = static_cast<uint32_t>(inputs.size());
  op.v1.inputTensors = inputs.data();
  op.v1.numOfOutputs = 1;
  op.v1.outputTensors = &output;
  client.check(client.api().backendValidateOpConfig(client.backend(), op), "backendValidateOpConfig");
  client.check(client.api().graphAddNode(graph, op), "graphAddNode");
}

std::vector<char> compose_and_save(const Client& client) {
  const Api& api = client.api();
  Qnn_ContextHandle_t context = nullptr;
  Qnn_GraphHandle_t graph = nullptr;
  client.check(api.contextCreate(client.backend(), client.device(), nullptr, &context), "contextCreate");
  client.check(api.graphCreate(context, "classifier", nullptr, &graph), "graphCreate");

  std::vector<uint32_t> row = {1, kIn};
  std::vector<uint32_t> matrix = {kIn, kOut};
  std::vector<uint32_t> result = {1, kOut};
  std::vector<uint8_t> weights(size_t{kIn} * kOut);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<uint8_t>(128 + (i * 37 % 64) - 32);
  Qnn_Tensor_t x = tensor("x", QNN_TENSOR_TYPE_APP_WRITE, row, kInput);
  Qnn_Tensor_t w = tensor("weights", QNN_TENSOR_TYPE_STATIC, matrix, kInput);
  w.v1.clientBuf = {weights.data(), static_cast<uint32_t>(weights.size())};
  Qnn_Tensor_t scores = tensor("scores", QNN_TENSOR_TYPE_NATIVE, result, kScores);
  Qnn_Tensor_t probabilities = tensor("probabilities", QNN_TENSOR_TYPE_APP_READ, result, kProbabilities);
  for (Qnn_Tensor_t* each : {&x, &w, &scores, &probabilities})
    client.check(api.tensorCreateGraphTensor(graph, each), "tensorCreateGraphTensor");
  add_node(client, graph, "matmul", "MatMul", {x, w}, scores);
  add_node(client, graph, "softmax", "Softmax", {scores}, probabilities);
  client.check(api.graphFinalize(graph, nullptr, nullptr), "graphFinalize");

  Qnn_ContextBinarySize_t size = 0;
  client.check(api.contextGetBinarySize(context, &size), "contextGetBinarySize");
  std::vector<char> binary(size);
  client.check(api.contextGetBinary(context, binary.data(), size, &size), "contextGetBinary");
  binary.resize(size);
  client.check(api.contextFree(context, nullptr), "contextFree");
  return binary;
}

// ---- 4: what is in the binary ----

// The graph's own description of its tensors: names, ids and shapes, as execute wants them.
struct GraphTensors {
  std::string graph;
  std::vector<Qnn_Tensor_t> inputs;
  std::vector<Qnn_Tensor_t> outputs;
};

GraphTensors look_into(const SystemApi& system, QnnSystemContext_Handle_t handle, std::vector<char>& binary) {
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  if (system.systemContextGetBinaryInfo(handle, binary.data(), binary.size(), &info, &size) != QNN_SUCCESS)
    give_up("systemContextGetBinaryInfo failed");
  if (info->version != QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3) give_up("an unexpected version of the info");
  const QnnSystemContext_GraphInfo_t& first = info->contextBinaryInfoV3.graphs[0];
  if (first.version != QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3) give_up("an unexpected version of a graph");
  const QnnSystemContext_GraphInfoV3_t& graph = first.graphInfoV3;
  std::printf("binary: %zu bytes, graph '%s' with %u inputs and %u outputs\n", binary.size(), graph.graphName,
              graph.numGraphInputs, graph.numGraphOutputs);
  return {graph.graphName,
          {graph.graphInputs, graph.graphInputs + graph.numGraphInputs},
          {graph.graphOutputs, graph.graphOutputs + graph.numGraphOutputs}};
}

// ---- 6: shared buffers ----

// One buffer for all tensors of a graph; each tensor is registered with its place in it.
class SharedBuffer {
 public:
  SharedBuffer(const Client& client, Qnn_ContextHandle_t context, const SharedMemory& memory, int bytes)
      : client_(client), context_(context), memory_(memory), bytes_(bytes) {
    constexpr int kSystemHeap = 25;
    data_ = static_cast<uint8_t*>(memory_.alloc(kSystemHeap, 1, bytes));
    if (!data_) give_up("rpcmem_alloc failed");
  }
  ~SharedBuffer() {
    client_.check(client_.api().memDeRegister(handles_.data(), static_cast<uint32_t>(handles_.size())),
                  "memDeRegister");
    memory_.free(data_);
  }
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;

  // Where the tensor's bytes are from now on.
  uint8_t* place(Qnn_Tensor_t& tensor, uint64_t offset) {
    QnnMemHtp_Descriptor_t htp{};
    htp.type = QNN_HTP_MEM_SHARED_BUFFER;
    htp.size = static_cast<uint64_t>(bytes_);
    htp.sharedBufferConfig = {memory_.to_fd(data_), offset};
    Qnn_MemDescriptor_t descriptor = QNN_MEM_DESCRIPTOR_INIT;
    descriptor.memShape = {tensor.v1.rank, tensor.v1.dimensions, nullptr};
    descriptor.dataType = tensor.v1.dataType;
    descriptor.memType = QNN_MEM_TYPE_CUSTOM;
    descriptor.customInfo = &htp;
    Qnn_MemHandle_t handle = nullptr;
    client_.check(client_.api().memRegister(context_, &descriptor, 1, &handle), "memRegister");
    handles_.push_back(handle);
    tensor.v1.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
    tensor.v1.memHandle = handle;
    return data_ + offset;
  }

 private:
  const Client& client_;
  Qnn_ContextHandle_t context_;
  const SharedMemory& memory_;
  int bytes_;
  uint8_t* data_ = nullptr;
  std::vector<Qnn_MemHandle_t> handles_;
};

const char* name_of(QnnProfile_EventUnit_t unit) {
  switch (unit) {
    case QNN_PROFILE_EVENTUNIT_MICROSEC:
      return "us";
    case QNN_PROFILE_EVENTUNIT_BYTES:
      return "bytes";
    case QNN_PROFILE_EVENTUNIT_CYCLES:
      return "cycles";
    default:
      return "";
  }
}

bool is_time(QnnProfile_EventUnit_t unit) {
  return unit == QNN_PROFILE_EVENTUNIT_MICROSEC || unit == QNN_PROFILE_EVENTUNIT_CYCLES;
}

void print_profile(const Client& client, Qnn_ProfileHandle_t profile) {
  const QnnProfile_EventId_t* events = nullptr;
  uint32_t count = 0;
  const bool simulated = client.times_are_simulated();
  client.check(client.api().profileGetEvents(profile, &events, &count), "profileGetEvents");
  for (uint32_t i = 0; i < count; ++i) {
    QnnProfile_EventData_t event{};
    client.check(client.api().profileGetEventData(events[i], &event), "profileGetEventData");
    std::printf("  %s: %llu %s%s\n", event.identifier, static_cast<unsigned long long>(event.value),
                name_of(event.unit), simulated && is_time(event.unit) ? " (simulated)" : "");
  }
}

// ---- 5 and 6 ----

void load_and_run(const Client& client, const std::vector<char>& binary, GraphTensors tensors,
                  const SharedMemory& memory) {
  const Api& api = client.api();
  Qnn_ContextHandle_t context = nullptr;
  Qnn_GraphHandle_t graph = nullptr;
  Qnn_ProfileHandle_t profile = nullptr;
  client.check(api.contextCreateFromBinary(client.backend(), client.device(), nullptr, binary.data(),
                                           binary.size(), &context, nullptr),
               "contextCreateFromBinary");
  client.check(api.graphRetrieve(context, tensors.graph.c_str(), &graph), "graphRetrieve");
  client.check(api.profileCreate(client.backend(), QNN_PROFILE_LEVEL_BASIC, &profile), "profileCreate");
  {
    constexpr int kBytes = 4096;
    SharedBuffer buffer(client, context, memory, kBytes);
    uint8_t* x = buffer.place(tensors.inputs[0], 0);
    const uint8_t* y = buffer.place(tensors.outputs[0], 1024);
    for (uint32_t i = 0; i < kIn; ++i)
      x[i] = static_cast<uint8_t>(std::lround(std::sin(i) / kInput.scale) - kInput.offset);
    client.check(
        api.graphExecute(graph, tensors.inputs.data(), 1, tensors.outputs.data(), 1, profile, nullptr),
        "graphExecute");
    std::printf("probabilities:");
    float sum = 0;
    for (uint32_t i = 0; i < kOut; ++i) {
      const float value = kProbabilities.scale * static_cast<float>(y[i] + kProbabilities.offset);
      sum += value;
      std::printf(" %.3f", value);
    }
    std::printf(" (sum %.2f)\n", sum);
  }
  print_profile(client, profile);
  client.check(api.contextFree(context, nullptr), "contextFree");
  client.check(api.profileFree(profile), "profileFree");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: sample_app LIBRARY_FOLDER [SOC_MODEL]\n");
    return 2;
  }
  const std::string folder = argv[1];
  constexpr uint32_t kSm8650 = 57;
  const uint32_t soc_model = argc == 3 ? static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)) : kSm8650;
  const Api& api = backend_api(open_library(folder + "/libQnnHtp.so"));
  const SystemApi& system = system_api(open_library(folder + "/libQnnSystem.so"));
  const SharedMemory memory(open_library(folder + "/libcdsprpc.so"));

  const Client client(api, soc_model);
  std::vector<char> binary = compose_and_save(client);
  QnnSystemContext_Handle_t system_context = nullptr;
  if (system.systemContextCreate(&system_context) != QNN_SUCCESS) give_up("systemContextCreate failed");
  // What the system library hands out lives as long as its handle.
  load_and_run(client, binary, look_into(system, system_context, binary), memory);
  system.systemContextFree(system_context);
  return 0;
}
