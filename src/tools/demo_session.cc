// SPDX-License-Identifier: BSD-3-Clause
#include "tools/demo_session.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpProfile.h"
#include "QnnOpDef.h"
#include "base/text.h"

namespace openqnn::tools {
namespace {

using Role = ModelTensor::Role;

void print_log_line(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  std::fprintf(stderr, "  log %d: ", static_cast<int>(level));
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
}

Qnn_DataType_t type_of(const TypedModel& typed, Role role) {
  if (!typed.quantized()) return QNN_DATATYPE_FLOAT_32;
  if (role == Role::kWeight) return QNN_DATATYPE_SFIXED_POINT_8;
  if (role == Role::kBias) return QNN_DATATYPE_SFIXED_POINT_32;
  return QNN_DATATYPE_UFIXED_POINT_8;
}

Qnn_TensorType_t role_of(Role role) {
  switch (role) {
    case Role::kInput:
      return QNN_TENSOR_TYPE_APP_WRITE;
    case Role::kOutput:
      return QNN_TENSOR_TYPE_APP_READ;
    case Role::kNative:
      return QNN_TENSOR_TYPE_NATIVE;
    case Role::kWeight:
    case Role::kBias:
      break;
  }
  return QNN_TENSOR_TYPE_STATIC;
}

// A tensor's description in the C API's words, and the memory that it points into.
struct Described {
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  std::vector<uint32_t> dimensions;
  std::vector<Qnn_ScaleOffset_t> channels;
  std::vector<std::byte> data;
};

void describe_encoding(Described& described, const Encoding& encoding) {
  Qnn_QuantizeParams_t& params = described.tensor.v1.quantizeParams;
  params.encodingDefinition = QNN_DEFINITION_DEFINED;
  for (const Encoding::ScaleOffset& channel : encoding.channels)
    described.channels.push_back({channel.scale, channel.offset});
  if (described.channels.size() == 1) {
    params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    params.scaleOffsetEncoding = described.channels[0];
    return;
  }
  params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
  params.axisScaleOffsetEncoding = {static_cast<int32_t>(described.dimensions.size() - 1),
                                    static_cast<uint32_t>(described.channels.size()),
                                    described.channels.data()};
}

void describe(Described& described, const TypedModel& typed, size_t index) {
  const ModelTensor& source = typed.model->tensors[index];
  Qnn_TensorV1_t& tensor = described.tensor.v1;
  described.dimensions = source.shape;
  tensor.name = source.name.c_str();
  tensor.type = role_of(source.role);
  tensor.dataType = type_of(typed, source.role);
  tensor.rank = static_cast<uint32_t>(described.dimensions.size());
  tensor.dimensions = described.dimensions.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  if (typed.quantized()) describe_encoding(described, typed.encodings[index]);
  if (source.values.empty()) return;
  described.data = typed.stored(index, source.values);
  tensor.clientBuf = {described.data.data(), static_cast<uint32_t>(described.data.size())};
}

// A parameter of `values` with the given shape, static like all tensor parameters.
Qnn_Param_t tensor_param(const char* name, std::vector<uint32_t>& shape, std::vector<uint32_t>& values) {
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.name = name;
  param.tensorParam = QNN_TENSOR_INIT;
  Qnn_TensorV1_t& tensor = param.tensorParam.v1;
  tensor.name = name;
  tensor.type = QNN_TENSOR_TYPE_STATIC;
  tensor.dataType = QNN_DATATYPE_UINT_32;
  tensor.rank = static_cast<uint32_t>(shape.size());
  tensor.dimensions = shape.data();
  tensor.memType = QNN_TENSORMEMTYPE_RAW;
  tensor.clientBuf = {values.data(), static_cast<uint32_t>(values.size() * sizeof(uint32_t))};
  return param;
}

// Frees a profile when a call is over.
class ScopedProfile {
 public:
  ScopedProfile(const BackendLibrary& library, Qnn_BackendHandle_t backend) : library_(library) {
    status_ = library.check(library.api().profileCreate(backend, QNN_PROFILE_LEVEL_BASIC, &handle_),
                            "QnnProfile_create");
  }
  ~ScopedProfile() {
    if (handle_ != nullptr) library_.api().profileFree(handle_);
  }
  ScopedProfile(const ScopedProfile&) = delete;
  ScopedProfile& operator=(const ScopedProfile&) = delete;

  const Status& status() const { return status_; }
  Qnn_ProfileHandle_t handle() const { return handle_; }

  Result<std::vector<Event>> events() const {
    const QnnProfile_EventId_t* ids = nullptr;
    uint32_t count = 0;
    OPENQNN_TRY(
        library_.check(library_.api().profileGetEvents(handle_, &ids, &count), "QnnProfile_getEvents"));
    return read({ids, count});
  }

 private:
  Result<std::vector<Event>> read(std::span<const QnnProfile_EventId_t> ids) const {
    std::vector<Event> events;
    for (const QnnProfile_EventId_t id : ids) {
      QnnProfile_EventData_t data = QNN_PROFILE_EVENT_DATA_INIT;
      OPENQNN_TRY(library_.check(library_.api().profileGetEventData(id, &data), "QnnProfile_getEventData"));
      const QnnProfile_EventId_t* children = nullptr;
      uint32_t count = 0;
      OPENQNN_TRY(library_.check(library_.api().profileGetSubEvents(id, &children, &count),
                                 "QnnProfile_getSubEvents"));
      Event event = {data.identifier == nullptr ? "" : data.identifier, data.type, data.unit, data.value, {}};
      OPENQNN_ASSIGN(event.children, read({children, count}));
      events.push_back(std::move(event));
    }
    return events;
  }

  const BackendLibrary& library_;
  Qnn_ProfileHandle_t handle_ = nullptr;
  Status status_;
};

Qnn_Tensor_t buffer_tensor(uint32_t id, Qnn_TensorType_t type, const Described& described, void* data,
                           size_t bytes) {
  Qnn_Tensor_t tensor = described.tensor;
  tensor.v1.id = id;
  tensor.v1.type = type;
  tensor.v1.clientBuf = {data, static_cast<uint32_t>(bytes)};
  return tensor;
}

// The inputs and outputs that all versions of the graph info begin with.
GraphHandle describe_graph(const QnnSystemContext_GraphInfo_t& info) {
  const QnnSystemContext_GraphInfoV1_t& graph = info.graphInfoV1;  // a common initial sequence
  GraphHandle handle;
  handle.name = graph.graphName;
  if (graph.numGraphInputs > 0) handle.input_id = graph.graphInputs[0].v1.id;
  if (graph.numGraphOutputs > 0) handle.output_id = graph.graphOutputs[0].v1.id;
  return handle;
}

template <class Info>
BinarySummary summary_of(const Info& info) {
  BinarySummary summary;
  summary.build_id = info.buildId == nullptr ? "" : info.buildId;
  for (uint32_t i = 0; i < info.numGraphs; ++i) summary.graphs.push_back(describe_graph(info.graphs[i]));
  return summary;
}

}  // namespace

std::vector<std::byte> TypedModel::stored(size_t tensor, const Values& values) const {
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& element) {
    const auto* const first = reinterpret_cast<const std::byte*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof element);
  };
  if (!quantized()) {
    for (const double value : values) append(static_cast<float>(value));
    return bytes;
  }
  const bool wide = model->tensors[tensor].role == Role::kBias;
  for (const int64_t value : quantize(encodings[tensor], values)) {
    if (wide)
      append(static_cast<int32_t>(value));
    else
      append(static_cast<uint8_t>(value));
  }
  return bytes;
}

Values TypedModel::values(size_t tensor, std::span<const std::byte> bytes) const {
  if (quantized()) {
    std::vector<int64_t> stored;
    for (const std::byte byte : bytes) stored.push_back(std::to_integer<int64_t>(byte));
    return dequantize(encodings[tensor], stored);
  }
  Values result;
  for (size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    result.push_back(value);
  }
  return result;
}

bool Event::simulated() const {
  return (type >= QNN_PROFILE_EVENTTYPE_EXECUTE && type < QNN_PROFILE_EVENTTYPE_DEINIT) ||
         (type > 3000 && type < 4000) || type == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS;
}

Result<std::unique_ptr<Session>> Session::open(std::shared_ptr<const BackendLibrary> library,
                                               const DeviceChoice& device, bool verbose) {
  std::unique_ptr<Session> session(new Session(std::move(library)));
  const BackendLibrary& backend = *session->library_;
  if (verbose)
    OPENQNN_TRY(backend.check(backend.api().logCreate(print_log_line, QNN_LOG_LEVEL_VERBOSE, &session->log_),
                              "QnnLog_create"));
  OPENQNN_TRY(backend.check(backend.api().backendCreate(session->log_, nullptr, &session->backend_),
                            "QnnBackend_create"));

  QnnHtpDevice_CustomConfig_t custom;
  std::memset(&custom, 0, sizeof custom);
  if (device.soc_model != 0) {
    custom.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
    custom.socModel = device.soc_model;
  } else {
    custom.option = QNN_HTP_DEVICE_CONFIG_OPTION_ARCH;
    custom.arch.arch = static_cast<QnnHtpDevice_Arch_t>(device.arch);
  }
  QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
  config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
  config.customConfig = &custom;
  const QnnDevice_Config_t* configs[] = {&config, nullptr};
  OPENQNN_TRY(backend.check(backend.api().deviceCreate(session->log_, configs, &session->device_),
                            "QnnDevice_create"));
  return session;
}

Session::~Session() {
  free_context();
  if (device_ != nullptr) api().deviceFree(device_);
  if (backend_ != nullptr) api().backendFree(backend_);
  if (log_ != nullptr) api().logFree(log_);
}

void Session::free_context() {
  if (context_ != nullptr) api().contextFree(context_, nullptr);
  context_ = nullptr;
}

Result<std::string> Session::build_id() const {
  const char* id = nullptr;
  OPENQNN_TRY(library_->check(api().backendGetBuildId(&id), "QnnBackend_getBuildId"));
  return std::string(id);
}

Status Session::create_context() {
  free_context();
  return library_->check(api().contextCreate(backend_, device_, nullptr, &context_), "QnnContext_create");
}

Status Session::load_context(std::span<const std::byte> binary) {
  free_context();
  QnnContext_Config_t persistent = QNN_CONTEXT_CONFIG_INIT;
  persistent.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  persistent.isPersistentBinary = 1;
  const QnnContext_Config_t* configs[] = {&persistent, nullptr};
  return library_->check(api().contextCreateFromBinary(backend_, device_, configs, binary.data(),
                                                       binary.size(), &context_, nullptr),
                         "QnnContext_createFromBinary");
}

Status Session::add_node(Qnn_GraphHandle_t graph, const ModelNode& node,
                         const std::vector<Qnn_Tensor_t>& tensors) {
  std::vector<uint32_t> pair_shape = {2};
  std::vector<uint32_t> pads_shape = {2, 2};
  std::vector<uint32_t> filter(node.filter.begin(), node.filter.end());
  std::vector<uint32_t> stride(node.stride.begin(), node.stride.end());
  std::vector<uint32_t> pads = {node.padding[0], node.padding[0], node.padding[1], node.padding[1]};
  std::vector<Qnn_Param_t> params;
  const bool is_pool = node.type == QNN_OP_POOL_MAX_2D;
  if (is_pool) params.push_back(tensor_param(QNN_OP_POOL_MAX_2D_PARAM_FILTER_SIZE, pair_shape, filter));
  if (is_pool || node.type == QNN_OP_CONV_2D) {
    params.push_back(tensor_param(QNN_OP_CONV_2D_PARAM_STRIDE, pair_shape, stride));
    params.push_back(tensor_param(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT, pads_shape, pads));
  }
  std::vector<Qnn_Tensor_t> inputs;
  for (const size_t index : node.inputs) inputs.push_back(tensors[index]);
  Qnn_Tensor_t output = tensors[node.output];

  Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
  config.v1 = {.name = node.name.c_str(),
               .packageName = QNN_OP_PACKAGE_NAME_QTI_AISW,
               .typeName = node.type.c_str(),
               .numOfParams = static_cast<uint32_t>(params.size()),
               .params = params.data(),
               .numOfInputs = static_cast<uint32_t>(inputs.size()),
               .inputTensors = inputs.data(),
               .numOfOutputs = 1,
               .outputTensors = &output};
  OPENQNN_TRY(library_->check(api().backendValidateOpConfig(backend_, config),
                              concat("QnnBackend_validateOpConfig for '", node.name, "'")));
  return library_->check(api().graphAddNode(graph, config), concat("QnnGraph_addNode for '", node.name, "'"));
}

Result<GraphHandle> Session::build(const std::string& name, const TypedModel& typed) {
  GraphHandle graph = {.name = name};
  OPENQNN_TRY(
      library_->check(api().graphCreate(context_, name.c_str(), nullptr, &graph.handle), "QnnGraph_create"));
  std::vector<Described> described(typed.model->tensors.size());
  std::vector<Qnn_Tensor_t> tensors;
  for (size_t i = 0; i < described.size(); ++i) {
    describe(described[i], typed, i);
    OPENQNN_TRY(
        library_->check(api().tensorCreateGraphTensor(graph.handle, &described[i].tensor),
                        concat("QnnTensor_createGraphTensor for '", typed.model->tensors[i].name, "'")));
    tensors.push_back(described[i].tensor);
  }
  for (const ModelNode& node : typed.model->nodes) OPENQNN_TRY(add_node(graph.handle, node, tensors));
  graph.input_id = tensors[typed.model->input].v1.id;
  graph.output_id = tensors[typed.model->output].v1.id;
  return graph;
}

Result<std::vector<Event>> Session::finalize(const GraphHandle& graph) {
  const ScopedProfile profile(*library_, backend_);
  OPENQNN_TRY(profile.status());
  OPENQNN_TRY(
      library_->check(api().graphFinalize(graph.handle, profile.handle(), nullptr), "QnnGraph_finalize"));
  return profile.events();
}

Result<GraphHandle> Session::retrieve(GraphHandle graph) {
  OPENQNN_TRY(
      library_->check(api().graphRetrieve(context_, graph.name.c_str(), &graph.handle), "QnnGraph_retrieve"));
  return graph;
}

Result<std::vector<std::byte>> Session::execute(const GraphHandle& graph, const TypedModel& typed,
                                                std::span<const std::byte> input,
                                                std::vector<Event>* events) {
  Described in;
  Described out;
  describe(in, typed, typed.model->input);
  describe(out, typed, typed.model->output);
  std::vector<std::byte> sent(input.begin(), input.end());
  std::vector<std::byte> received(element_count(out.dimensions) * (typed.quantized() ? 1 : sizeof(float)));
  const Qnn_Tensor_t inputs[] = {
      buffer_tensor(graph.input_id, QNN_TENSOR_TYPE_APP_WRITE, in, sent.data(), sent.size())};
  Qnn_Tensor_t outputs[] = {
      buffer_tensor(graph.output_id, QNN_TENSOR_TYPE_APP_READ, out, received.data(), received.size())};
  if (events == nullptr) {
    OPENQNN_TRY(library_->check(api().graphExecute(graph.handle, inputs, 1, outputs, 1, nullptr, nullptr),
                                "QnnGraph_execute"));
    return received;
  }
  const ScopedProfile profile(*library_, backend_);
  OPENQNN_TRY(profile.status());
  OPENQNN_TRY(
      library_->check(api().graphExecute(graph.handle, inputs, 1, outputs, 1, profile.handle(), nullptr),
                      "QnnGraph_execute"));
  OPENQNN_ASSIGN(*events, profile.events());
  return received;
}

Result<std::vector<std::byte>> Session::binary() const {
  Qnn_ContextBinarySize_t size = 0;
  OPENQNN_TRY(library_->check(api().contextGetBinarySize(context_, &size), "QnnContext_getBinarySize"));
  std::vector<std::byte> bytes(size);
  Qnn_ContextBinarySize_t written = 0;
  OPENQNN_TRY(library_->check(api().contextGetBinary(context_, bytes.data(), size, &written),
                              "QnnContext_getBinary"));
  bytes.resize(written);
  return bytes;
}

Result<BinarySummary> Session::summarize(std::vector<std::byte> binary) const {
  const auto& system = library_->system();
  QnnSystemContext_Handle_t handle = nullptr;
  OPENQNN_TRY(library_->check(system.systemContextCreate(&handle), "QnnSystemContext_create"));
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t info_size = 0;
  const Status status = library_->check(
      system.systemContextGetBinaryInfo(handle, binary.data(), binary.size(), &info, &info_size),
      "QnnSystemContext_getBinaryInfo");
  BinarySummary summary;
  if (status) {
    switch (info->version) {
      case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1:
        summary = summary_of(info->contextBinaryInfoV1);
        break;
      case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2:
        summary = summary_of(info->contextBinaryInfoV2);
        break;
      default:
        summary = summary_of(info->contextBinaryInfoV3);
        summary.soc_model = info->contextBinaryInfoV3.socModel;
    }
  }
  system.systemContextFree(handle);
  OPENQNN_TRY(status);
  return summary;
}

}  // namespace openqnn::tools
