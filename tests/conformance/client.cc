// SPDX-License-Identifier: BSD-3-Clause
#include "client.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <stdexcept>

namespace conformance {
namespace {

// The log callback has no parameter of the client's, so what it receives is kept here.
std::mutex g_log_mutex;
std::string g_log;  // guarded by g_log_mutex

void keep_line(const char* format, QnnLog_Level_t /*level*/, uint64_t /*timestamp*/, va_list arguments) {
  char line[2048];
  std::vsnprintf(line, sizeof line, format, arguments);
  const std::lock_guard lock(g_log_mutex);
  g_log.append(line).append("\n");
}

void add_events(const Api& api, QnnProfile_EventId_t id, uint32_t depth, std::vector<Event>& found) {
  QnnProfile_EventData_t data = QNN_PROFILE_EVENT_DATA_INIT;
  check(api, api.profileGetEventData(id, &data), "profileGetEventData");
  found.push_back({data.type, data.unit, data.value, data.identifier ? data.identifier : "", depth});
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(api, api.profileGetSubEvents(id, &ids, &count), "profileGetSubEvents");
  const std::vector<QnnProfile_EventId_t> below(ids, ids + count);
  for (const QnnProfile_EventId_t child : below) add_events(api, child, depth + 1, found);
}

}  // namespace

std::string verbose_message(const Api& api, Qnn_ErrorHandle_t answer) {
  const char* text = nullptr;
  if (api.errorGetVerboseMessage(answer, &text) != QNN_SUCCESS || !text) return "";
  std::string copy = text;
  api.errorFreeVerboseMessage(text);
  return copy;
}

void check(const Api& api, Qnn_ErrorHandle_t answer, const char* call) {
  if (answer == QNN_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " answers " + std::to_string(answer) + ": " +
                           verbose_message(api, answer));
}

::testing::AssertionResult refused(const Api& api, Qnn_ErrorHandle_t answer, Qnn_ErrorHandle_t code,
                                   std::initializer_list<std::string> words) {
  const std::string sentence = verbose_message(api, answer);
  if (answer != code)
    return ::testing::AssertionFailure()
           << "the answer is " << answer << " where " << code << " is documented; message: " << sentence;
  for (const std::string& word : words)
    if (sentence.find(word) == std::string::npos)
      return ::testing::AssertionFailure() << "the message lacks '" << word << "': " << sentence;
  return ::testing::AssertionSuccess();
}

Owned& Owned::operator=(Owned&& other) noexcept {
  if (this != &other) {
    free();
    handle_ = std::exchange(other.handle_, nullptr);
    free_ = std::move(other.free_);
  }
  return *this;
}

Qnn_ErrorHandle_t Owned::free() {
  return handle_ ? free_(std::exchange(handle_, nullptr)) : Qnn_ErrorHandle_t{QNN_SUCCESS};
}

Owned create_log(const Api& api, QnnLog_Level_t level) {
  Qnn_LogHandle_t log = nullptr;
  check(api, api.logCreate(keep_line, level, &log), "logCreate");
  return {log, api.logFree};
}

Owned create_log(const SystemApi& api, QnnLog_Level_t level) {
  Qnn_LogHandle_t log = nullptr;
  if (api.systemLogCreate(keep_line, level, &log) != QNN_SUCCESS) throw std::runtime_error("systemLogCreate");
  return {log, api.systemLogFree};
}

Owned create_backend(const Api& api, Qnn_LogHandle_t log) {
  Qnn_BackendHandle_t backend = nullptr;
  check(api, api.backendCreate(log, nullptr, &backend), "backendCreate");
  return {backend, api.backendFree};
}

Owned create_device(const Api& api, Qnn_LogHandle_t log, const QnnDevice_Config_t** config) {
  Qnn_DeviceHandle_t device = nullptr;
  check(api, api.deviceCreate(log, config, &device), "deviceCreate");
  return {device, api.deviceFree};
}

Owned create_context(const Api& api, Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device,
                     const QnnContext_Config_t** config) {
  Qnn_ContextHandle_t context = nullptr;
  check(api, api.contextCreate(backend, device, config, &context), "contextCreate");
  return {context, [free = api.contextFree](void* handle) { return free(handle, nullptr); }};
}

Owned create_profile(const Api& api, Qnn_BackendHandle_t backend, QnnProfile_Level_t level) {
  Qnn_ProfileHandle_t profile = nullptr;
  check(api, api.profileCreate(backend, level, &profile), "profileCreate");
  return {profile, api.profileFree};
}

std::string take_log() {
  const std::lock_guard lock(g_log_mutex);
  return std::exchange(g_log, {});
}

Session::Session(BackendLibrary opened, const QnnDevice_Config_t** device_config)
    : library(std::move(opened)),
      api(library.api()),
      log(create_log(api)),
      backend(create_backend(api, log)),
      device(create_device(api, log, device_config)) {}

Owned Session::load(std::span<const std::byte> binary, const QnnContext_Config_t** config,
                    Qnn_ProfileHandle_t profile) const {
  Qnn_ContextHandle_t context = nullptr;
  check(api,
        api.contextCreateFromBinary(backend, device, config, binary.data(), binary.size(), &context, profile),
        "contextCreateFromBinary");
  return {context, [free = api.contextFree](void* handle) { return free(handle, nullptr); }};
}

QnnHtpGraph_CustomConfig_t& GraphOptions::add(QnnHtpGraph_ConfigOption_t option) {
  custom_.push_back(QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT);
  custom_.back().option = option;
  return custom_.back();
}

GraphOptions& GraphOptions::optimization(float level) {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION).optimizationOption = {
      QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG, level};
  return *this;
}

GraphOptions& GraphOptions::vtcm_mb(uint32_t megabytes) {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB).vtcmSizeInMB = megabytes;
  return *this;
}

GraphOptions& GraphOptions::cores(uint32_t count) {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES).numCores = count;
  return *this;
}

GraphOptions& GraphOptions::hvx_threads(uint64_t threads) {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS).numHvxThreads = threads;
  return *this;
}

GraphOptions& GraphOptions::fold_relu_off() {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF).foldReluActivationIntoConvOff = true;
  return *this;
}

GraphOptions& GraphOptions::short_depth_conv_off() {
  add(QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF).shortDepthConvOnHmxOff = true;
  return *this;
}

const QnnGraph_Config_t** GraphOptions::list() {
  configs_.assign(custom_.size(), QNN_GRAPH_CONFIG_INIT);
  list_.clear();
  for (size_t i = 0; i < custom_.size(); ++i) {
    configs_[i].option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    configs_[i].customConfig = &custom_[i];
    list_.push_back(&configs_[i]);
  }
  list_.push_back(nullptr);
  return list_.data();
}

PersistentBinary::PersistentBinary() {
  option.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
  option.isPersistentBinary = 1;
}

Qnn_ErrorHandle_t validate(const Session& session, const Model& model, const Node& node) {
  Scratch scratch;
  return session.api.backendValidateOpConfig(session.backend, describe(model, node, scratch));
}

IoTensors::IoTensors(const Model& model, const Buffers& inputs_by_name) {
  for (const Tensor* tensor : model.with_role(QNN_TENSOR_TYPE_APP_WRITE)) {
    Tensor filled = *tensor;
    filled.data = inputs_by_name.at(tensor->name);
    inputs.push_back(describe(filled, scratch));
  }
  for (const Tensor* tensor : model.with_role(QNN_TENSOR_TYPE_APP_READ)) {
    Bytes& result = results[tensor->name] = Bytes(tensor->bytes());
    Qnn_Tensor_t& output = outputs.emplace_back(describe(*tensor, scratch));
    output.v1.clientBuf = {result.data(), static_cast<uint32_t>(result.size())};
  }
}

Graph::Graph(const Api& api, Qnn_ContextHandle_t context, Model source, const QnnGraph_Config_t** config)
    : Graph(api, std::move(source)) {
  Scratch scratch;
  check(api, api.graphCreate(context, scratch.text(model.name), config, &handle), "graphCreate");
}

Graph Graph::built(const Api& api, Qnn_ContextHandle_t context, const Model& source,
                   const QnnGraph_Config_t** config, Qnn_ProfileHandle_t profile) {
  Graph graph(api, context, source, config);
  graph.compose();
  check(api, graph.finalize(profile), "graphFinalize");
  return graph;
}

Graph Graph::retrieved(const Api& api, Qnn_ContextHandle_t context, const Model& built_model) {
  Graph graph(api, built_model);
  Scratch scratch;
  check(api, api.graphRetrieve(context, scratch.text(built_model.name), &graph.handle), "graphRetrieve");
  return graph;
}

void Graph::create_if_new(Tensor& tensor) const {
  if (!tensor.created) check(*api_, create_tensor(tensor), "tensorCreateGraphTensor");
}

void Graph::create_tensors_of(Node& node) {
  for (const std::string& name : node.inputs) create_if_new(model.tensor(name));
  for (Param& param : node.params)
    if (auto* tensor = std::get_if<Tensor>(&param.value)) {
      tensor->name = node.name + "_" + param.name;  // unique in the graph
      create_if_new(*tensor);
    }
  for (const std::string& name : node.outputs) create_if_new(model.tensor(name));
}

void Graph::compose() {
  for (Node& node : model.nodes) {
    create_tensors_of(node);
    check(*api_, add_node(node), "graphAddNode");
  }
}

Qnn_ErrorHandle_t Graph::create_tensor(Tensor& tensor, Qnn_TensorVersion_t version) const {
  Scratch scratch;
  Qnn_Tensor_t described = describe(tensor, scratch, version);
  const Qnn_ErrorHandle_t answer = api_->tensorCreateGraphTensor(handle, &described);
  tensor.id = fields(described).id;
  tensor.created = answer == QNN_SUCCESS;
  return answer;
}

Qnn_ErrorHandle_t Graph::add_node(const Node& node) const {
  Scratch scratch;
  return api_->graphAddNode(handle, describe(model, node, scratch));
}

Qnn_ErrorHandle_t Graph::finalize(Qnn_ProfileHandle_t profile) const {
  return api_->graphFinalize(handle, profile, nullptr);
}

Qnn_ErrorHandle_t Graph::execute(IoTensors& io, Qnn_ProfileHandle_t profile) const {
  return api_->graphExecute(handle, io.inputs.data(), static_cast<uint32_t>(io.inputs.size()),
                            io.outputs.data(), static_cast<uint32_t>(io.outputs.size()), profile, nullptr);
}

Buffers Graph::run(const Buffers& inputs, Qnn_ProfileHandle_t profile) const {
  IoTensors io(model, inputs);
  check(*api_, execute(io, profile), "graphExecute");
  return std::move(io.results);
}

Bytes binary_of(const Api& api, Qnn_ContextHandle_t context) {
  Qnn_ContextBinarySize_t size = 0;
  check(api, api.contextGetBinarySize(context, &size), "contextGetBinarySize");
  Bytes binary(size);
  Qnn_ContextBinarySize_t written = 0;
  check(api, api.contextGetBinary(context, binary.data(), binary.size(), &written), "contextGetBinary");
  if (written == 0 || written > size) throw std::runtime_error("contextGetBinary wrote another size");
  binary.resize(written);
  return binary;
}

std::vector<Event> events_of(const Api& api, Qnn_ProfileHandle_t profile) {
  const QnnProfile_EventId_t* ids = nullptr;
  uint32_t count = 0;
  check(api, api.profileGetEvents(profile, &ids, &count), "profileGetEvents");
  const std::vector<QnnProfile_EventId_t> top(ids, ids + count);
  std::vector<Event> found;
  for (const QnnProfile_EventId_t id : top) add_events(api, id, 0, found);
  return found;
}

std::vector<Event> of_type(const std::vector<Event>& events, uint32_t type) {
  std::vector<Event> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [type](const Event& event) { return event.type == type; });
  return found;
}

const Event& only(const std::vector<Event>& events, uint32_t type) {
  const auto matches = [type](const Event& event) { return event.type == type; };
  const auto found = std::find_if(events.begin(), events.end(), matches);
  if (found == events.end() || std::count_if(events.begin(), events.end(), matches) != 1)
    throw std::runtime_error("not exactly one event of type " + std::to_string(type));
  return *found;
}

}  // namespace conformance
