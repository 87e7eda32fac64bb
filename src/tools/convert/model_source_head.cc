// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/model_source.h"

namespace openqnn::tools::convert {

// C++17, and no header but QNN's: the product compiles without openqnn, too.
const std::string_view kModelSourceHead = R"source(
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "QnnInterface.h"

// Begin and end of the .bin, which qnn-model-lib-generator links in; absent in a library without one.
extern "C" __attribute__((weak, visibility("hidden"))) const unsigned char* const openqnn_model_bin[2];

// What the programs that load a model library know of it.
struct ModelGraphInfo {
  Qnn_GraphHandle_t graph;
  char* graphName;
  Qnn_Tensor_t* inputTensors;
  uint32_t numInputTensors;
  Qnn_Tensor_t* outputTensors;
  uint32_t numOutputTensors;
};
struct ModelGraphConfigInfo {
  const char* graphName;
  const QnnGraph_Config_t** graphConfigs;
};

namespace {

enum Answer : int { kComposed = 0, kBadArgument = 1, kFailed = 2 };

// ---- Messages ----

void call_back(QnnLog_Callback_t callback, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  callback(format, QNN_LOG_LEVEL_ERROR, 0, arguments);
  va_end(arguments);
}

void tell(QnnLog_Callback_t callback, const std::string& text) {
  if (callback != nullptr)
    call_back(callback, "%s", text.c_str());
  else
    std::fprintf(stderr, "%s\n", text.c_str());
}

// ---- The .bin: a tar archive of raw files ----

struct Bytes {
  const unsigned char* data = nullptr;
  size_t size = 0;
};

std::map<std::string, Bytes> files_of_bin() {
  constexpr size_t kBlock = 512;
  std::map<std::string, Bytes> files;
  if (openqnn_model_bin == nullptr) return files;
  const unsigned char* at = openqnn_model_bin[0];
  while (static_cast<size_t>(openqnn_model_bin[1] - at) > kBlock && *at != 0) {
    char name[101] = {};
    char size_in_octal[13] = {};
    std::memcpy(name, at, 100);
    std::memcpy(size_in_octal, at + 124, 12);
    const size_t size = std::strtoull(size_in_octal, nullptr, 8);
    at += kBlock;
    const size_t left = static_cast<size_t>(openqnn_model_bin[1] - at);
    const size_t stored = (size + kBlock - 1) / kBlock * kBlock;
    if (size > left || stored > left) break;
    files[name] = {at, size};
    at += stored;
  }
  return files;
}

// ---- Encodings: real = scale * (stored + offset) ----

struct Encoding {
  Qnn_QuantizationEncoding_t kind = QNN_QUANTIZATION_ENCODING_UNDEFINED;
  float scale = 0.0F;
  int32_t offset = 0;
  uint32_t bits = 0;
  int32_t axis = 0;
  std::vector<uint32_t> block = {};
  const char* file = nullptr;  // of the .bin: one scale (float) and offset (int32_t) after the other
};

[[maybe_unused]] Encoding none() { return {}; }

[[maybe_unused]] Encoding scale_offset(float scale, int32_t offset) {
  Encoding made;
  made.kind = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
  made.scale = scale;
  made.offset = offset;
  return made;
}

[[maybe_unused]] Encoding bw_scale_offset(uint32_t bits, float scale, int32_t offset) {
  Encoding made = scale_offset(scale, offset);
  made.kind = QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET;
  made.bits = bits;
  return made;
}

[[maybe_unused]] Encoding axis_scale_offset(int32_t axis, const char* file) {
  Encoding made;
  made.kind = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
  made.axis = axis;
  made.file = file;
  return made;
}

[[maybe_unused]] Encoding bw_axis_scale_offset(uint32_t bits, int32_t axis, const char* file) {
  Encoding made = axis_scale_offset(axis, file);
  made.kind = QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET;
  made.bits = bits;
  return made;
}

[[maybe_unused]] Encoding block_scale_offset(std::initializer_list<uint32_t> block, const char* file) {
  Encoding made;
  made.kind = QNN_QUANTIZATION_ENCODING_BLOCK;
  made.block = block;
  made.file = file;
  return made;
}

// ---- Parameters of nodes: scalars and small arrays ----

struct Param {
  const char* name;
  Qnn_DataType_t type;
  uint64_t scalar;  // its bytes, the first ones first
  const uint32_t* dims;
  size_t rank;
  const void* values;
  size_t bytes;
};

template <class Value>
[[maybe_unused]] Param scalar(const char* name, Qnn_DataType_t type, Value value) {
  Param made = {name, type, 0, nullptr, 0, nullptr, 0};
  std::memcpy(&made.scalar, &value, sizeof(value));
  return made;
}

// Valid inside the call that it is written in.
template <class Value>
[[maybe_unused]] Param array(const char* name, Qnn_DataType_t type,
                             const std::initializer_list<uint32_t>& dims,
                             const std::initializer_list<Value>& values) {
  Param made = {name, type, 0, nullptr, dims.size(), nullptr, values.size() * sizeof(Value)};
  made.dims = dims.begin();
  made.values = values.begin();
  return made;
}

// The float of these bits, for those that cannot be written as a number.
[[maybe_unused]] float float_of(uint32_t bits) {
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// ---- The graph ----

// A tensor, and what its description points to. Stays where it is.
struct Tensor {
  Qnn_Tensor_t described = QNN_TENSOR_INIT;
  std::string name;
  std::vector<uint32_t> dims;
  Encoding encoding;
  std::vector<Qnn_ScaleOffset_t> scale_offsets;
  std::vector<float> scales;
  std::vector<int32_t> offsets;
};

// After a call that failed, the others do nothing.
class Graph {
 public:
  Graph(const QNN_INTERFACE_VER_TYPE& api, QnnLog_Callback_t log, bool debug)
      : api_(api), log_(log), debug_(debug), files_(files_of_bin()) {}

  bool failed() const { return failed_; }
  void create(Qnn_ContextHandle_t context, const char* name, const QnnGraph_Config_t** configs) {
    name_ = name;
    check(api_.graphCreate(context, name, configs, &handle_), "QnnGraph_create", name);
  }

  // `file` has the values of a constant.
  void tensor(const char* name, Qnn_TensorType_t type, Qnn_DataType_t data_type,
              std::initializer_list<uint32_t> dims, const Encoding& encoding, const char* file = nullptr) {
    if (failed_) return;
    tensors_.emplace_back();
    Tensor& made = tensors_.back();
    made.name = name;
    made.dims = dims;
    made.encoding = encoding;
    Qnn_TensorV1_t& described = made.described.v1;
    described.name = made.name.c_str();
    // With debug, everything that is computed can be read.
    described.type = debug_ && type == QNN_TENSOR_TYPE_NATIVE ? QNN_TENSOR_TYPE_APP_READ : type;
    described.dataType = data_type;
    described.rank = static_cast<uint32_t>(made.dims.size());
    described.dimensions = made.dims.data();
    described.memType = QNN_TENSORMEMTYPE_RAW;
    describe_encoding(made);
    if (file != nullptr) {
      const Bytes values = bytes_of(file);
      described.clientBuf = {const_cast<unsigned char*>(values.data), static_cast<uint32_t>(values.size)};
    }
    if (failed_) return;
    check(api_.tensorCreateGraphTensor(handle_, &made.described), "QnnTensor_createGraphTensor", name);
    by_name_[made.name] = &made;
    if (described.type == QNN_TENSOR_TYPE_APP_WRITE) inputs_.push_back(made.described);
    if (described.type == QNN_TENSOR_TYPE_APP_READ) outputs_.push_back(made.described);
  }

  // An operand that is left out is nullptr.
  void node(const char* name, const char* type, std::initializer_list<Param> params,
            std::initializer_list<const char*> inputs, std::initializer_list<const char*> outputs) {
    if (failed_) return;
    std::vector<Qnn_Param_t> described;
    for (const Param& param : params) described.push_back(describe(param));
    std::vector<Qnn_Tensor_t> in = operands(inputs);
    std::vector<Qnn_Tensor_t> out = operands(outputs);
    if (failed_) return;
    Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
    config.v1.name = name;
    config.v1.packageName = "qti.aisw";
    config.v1.typeName = type;
    config.v1.numOfParams = static_cast<uint32_t>(described.size());
    config.v1.params = described.data();
    config.v1.numOfInputs = static_cast<uint32_t>(in.size());
    config.v1.inputTensors = in.data();
    config.v1.numOfOutputs = static_cast<uint32_t>(out.size());
    config.v1.outputTensors = out.data();
    check(api_.graphAddNode(handle_, config), "QnnGraph_addNode", name);
  }

  ModelGraphInfo* info() {
    info_ = {handle_,         &name_[0],
             inputs_.data(),  static_cast<uint32_t>(inputs_.size()),
             outputs_.data(), static_cast<uint32_t>(outputs_.size())};
    return &info_;
  }

 private:
  void fail(const std::string& text) {
    failed_ = true;
    tell(log_, text);
  }

  void check(Qnn_ErrorHandle_t code, const char* call, const char* what) {
    if (code == QNN_SUCCESS) return;
    std::string text =
        std::string(call) + " for '" + what + "' answered " + std::to_string(QNN_GET_ERROR_CODE(code));
    const char* why = nullptr;
    if (api_.errorGetVerboseMessage != nullptr && api_.errorGetVerboseMessage(code, &why) == QNN_SUCCESS &&
        why != nullptr) {
      text += std::string(": ") + why;
      api_.errorFreeVerboseMessage(why);
    }
    fail(text);
  }

  Bytes bytes_of(const char* file) {
    const auto found = files_.find(file);
    if (found != files_.end()) return found->second;
    fail(openqnn_model_bin == nullptr
             ? "the library was built without the .bin of the model; build it again with -b"
             : std::string("the .bin that the library was built with has no ") + file +
                   "; it is of another model");
    return {};
  }

  void describe_encoding(Tensor& made) {
    const Encoding& from = made.encoding;
    Qnn_QuantizeParams_t& to = made.described.v1.quantizeParams;
    if (from.kind == QNN_QUANTIZATION_ENCODING_UNDEFINED) return;
    to.encodingDefinition = QNN_DEFINITION_DEFINED;
    to.quantizationEncoding = from.kind;
    if (from.file != nullptr) {
      const Bytes bytes = bytes_of(from.file);
      made.scale_offsets.resize(bytes.size / sizeof(Qnn_ScaleOffset_t));
      if (!made.scale_offsets.empty())
        std::memcpy(made.scale_offsets.data(), bytes.data,
                    made.scale_offsets.size() * sizeof(Qnn_ScaleOffset_t));
    }
    for (const Qnn_ScaleOffset_t& one : made.scale_offsets) {
      made.scales.push_back(one.scale);
      made.offsets.push_back(one.offset);
    }
    const auto count = static_cast<uint32_t>(made.scale_offsets.size());
    if (from.kind == QNN_QUANTIZATION_ENCODING_SCALE_OFFSET)
      to.scaleOffsetEncoding = {from.scale, from.offset};
    else if (from.kind == QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET)
      to.bwScaleOffsetEncoding = {from.bits, from.scale, from.offset};
    else if (from.kind == QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET)
      to.axisScaleOffsetEncoding = {from.axis, count, made.scale_offsets.data()};
    else if (from.kind == QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET)
      to.bwAxisScaleOffsetEncoding = {from.bits, from.axis, count, made.scales.data(), made.offsets.data()};
    else
      to.blockEncoding = {made.encoding.block.data(), made.scale_offsets.data()};
  }

  static Qnn_Param_t describe(const Param& from) {
    Qnn_Param_t param = QNN_PARAM_INIT;
    param.name = from.name;
    if (from.rank == 0) {
      param.paramType = QNN_PARAMTYPE_SCALAR;
      param.scalarParam.dataType = from.type;
      param.scalarParam.uint64Value = from.scalar;
      return param;
    }
    param.paramType = QNN_PARAMTYPE_TENSOR;
    param.tensorParam = QNN_TENSOR_INIT;
    Qnn_TensorV1_t& tensor = param.tensorParam.v1;
    tensor.name = from.name;
    tensor.type = QNN_TENSOR_TYPE_STATIC;
    tensor.dataType = from.type;
    tensor.rank = static_cast<uint32_t>(from.rank);
    tensor.dimensions = const_cast<uint32_t*>(from.dims);
    tensor.memType = QNN_TENSORMEMTYPE_RAW;
    tensor.clientBuf = {const_cast<void*>(from.values), static_cast<uint32_t>(from.bytes)};
    return param;
  }

  std::vector<Qnn_Tensor_t> operands(std::initializer_list<const char*> names) {
    std::vector<Qnn_Tensor_t> made;
    for (const char* const name : names) {
      Qnn_Tensor_t absent = QNN_TENSOR_INIT;
      absent.v1.type = QNN_TENSOR_TYPE_NULL;
      made.push_back(name == nullptr ? absent : by_name_[name]->described);
    }
    return made;
  }

  const QNN_INTERFACE_VER_TYPE api_;
  const QnnLog_Callback_t log_;
  const bool debug_;
  const std::map<std::string, Bytes> files_;
  bool failed_ = false;
  std::string name_;
  Qnn_GraphHandle_t handle_ = nullptr;
  std::list<Tensor> tensors_;
  std::map<std::string, Tensor*> by_name_;
  std::vector<Qnn_Tensor_t> inputs_;
  std::vector<Qnn_Tensor_t> outputs_;
  ModelGraphInfo info_ = {};
};
)source";

const std::string_view kModelSourceTail = R"source(
// ---- What the library offers ----

// A graph that was told to a caller, until the caller frees it.
struct Told {
  std::unique_ptr<Graph> graph;
  ModelGraphInfo* info;
};
std::list<Told>& told() {
  static std::list<Told> graphs;
  return graphs;
}
// Threads may compose into contexts of their own at the same time.
std::mutex& told_mutex() {
  static std::mutex mutex;
  return mutex;
}

const QnnGraph_Config_t** configs_of_graph(const ModelGraphConfigInfo** infos, uint32_t count) {
  for (uint32_t i = 0; infos != nullptr && i < count; ++i)
    if (std::strcmp(infos[i]->graphName, kGraphName) == 0) return infos[i]->graphConfigs;
  return nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int MODEL_PREFIX(composeGraphs)(
    Qnn_BackendHandle_t, QNN_INTERFACE_VER_TYPE api, Qnn_ContextHandle_t context,
    const ModelGraphConfigInfo** graphsConfigInfo, uint32_t numGraphsConfigInfo, ModelGraphInfo*** graphsInfo,
    uint32_t* numGraphsInfo, bool debug, QnnLog_Callback_t logCallback, QnnLog_Level_t) {
  if (graphsInfo == nullptr || numGraphsInfo == nullptr) {
    tell(logCallback, "graphsInfo and numGraphsInfo must not be null");
    return kBadArgument;
  }
  std::unique_ptr<Graph> graph(new Graph(api, logCallback, debug));
  graph->create(context, kGraphName, configs_of_graph(graphsConfigInfo, numGraphsConfigInfo));
  for (const auto step : kSteps) step(*graph);
  if (graph->failed()) return kFailed;
  const std::lock_guard<std::mutex> lock(told_mutex());
  told().push_back({std::move(graph), nullptr});
  told().back().info = told().back().graph->info();
  *graphsInfo = &told().back().info;
  *numGraphsInfo = 1;
  return kComposed;
}

extern "C" __attribute__((visibility("default"))) int MODEL_PREFIX(freeGraphsInfo)(
    ModelGraphInfo*** graphsInfo, uint32_t) {
  if (graphsInfo == nullptr) return kBadArgument;
  const std::lock_guard<std::mutex> lock(told_mutex());
  for (auto at = told().begin(); at != told().end(); ++at) {
    if (&at->info != *graphsInfo) continue;
    told().erase(at);
    *graphsInfo = nullptr;
    return kComposed;
  }
  return kBadArgument;
}
)source";

}  // namespace openqnn::tools::convert
