// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls of the C API with random graphs: right ones, wrong ones, stale handles, frees in
// any order. Whatever the answers are, nothing may crash, leak or hang.
#include <memory>
#include <string>

#include "HTP/QnnHtpGraph.h"
#include "QnnInterface.h"
#include "QnnOpDef.h"
#include "api/fuzz/dice.h"
#include "ops/op.h"

namespace openqnn::api {
namespace {

constexpr uint32_t kMostSteps = 48;
constexpr uint64_t kMostBytes = 1 << 16;  // of one tensor

// What a tensor of the C API points to.
struct OwnTensor {
  std::string name;
  std::vector<uint32_t> dims;
  std::vector<std::byte> data;
  std::vector<Qnn_ScaleOffset_t> encodings;
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;

  uint64_t bytes() const {
    const auto type = ir::data_type_from(static_cast<uint32_t>(tensor.v1.dataType));
    uint64_t bytes = type ? ir::byte_size(*type) : 0;
    for (const uint32_t dim : dims) bytes = bytes > kMostBytes ? bytes : bytes * dim;
    return bytes;
  }
  void bind_buffer() {
    data.resize(std::min(bytes(), kMostBytes));
    tensor.v1.clientBuf = {data.data(), static_cast<uint32_t>(data.size())};
  }
};
using Tensors = std::vector<std::unique_ptr<OwnTensor>>;

struct OwnGraph {
  Qnn_GraphHandle_t handle = nullptr;
  std::string name;
  Tensors tensors;
};

class Session {
 public:
  explicit Session(Dice dice) : dice_(dice) {}

  void run() {
    create_backend();
    create_context();
    create_graph();
    for (uint32_t step = 0; step < kMostSteps && !dice_.empty(); ++step) act();
    finish();
  }

 private:
  void act() {
    switch (dice_.below(20)) {
      case 0:
        return create_backend();
      case 1:
        return create_context();
      case 2:
      case 3:
        return create_graph();
      case 4:
        return load_binary();
      case 5:
        return free_something();
      case 6:
      case 7:
        return finalize();
      case 8:
      case 9:
      case 10:
        return execute();
      case 11:
        return set_options();
      case 12:
        return retrieve();
      case 13:
        return create_profile();
      default:
        return add_node();
    }
  }

  // ---- Handles: mostly one that lives, sometimes one that does not ----

  void* handle(const std::vector<void*>& handles) {
    if (handles.empty() || dice_.one_in(32))
      return reinterpret_cast<void*>(uintptr_t{dice_.word()});  // NOLINT
    return dice_.of(handles);
  }
  OwnGraph* graph() { return graphs_.empty() ? nullptr : dice_.of(graphs_).get(); }

  void create_backend() {
    Qnn_BackendHandle_t made = nullptr;
    if (QnnBackend_create(nullptr, nullptr, &made) == QNN_SUCCESS) backends_.push_back(made);
  }

  void create_context() {
    Qnn_ContextHandle_t made = nullptr;
    if (QnnContext_create(handle(backends_), nullptr, nullptr, &made) == QNN_SUCCESS)
      contexts_.push_back(made);
  }

  void create_profile() {
    Qnn_ProfileHandle_t made = nullptr;
    const auto level = dice_.one_in(8) ? dice_.word() : 1 + dice_.below(2);
    if (QnnProfile_create(handle(backends_), static_cast<QnnProfile_Level_t>(level), &made) == QNN_SUCCESS)
      profiles_.push_back(made);
  }

  void create_graph() {
    auto made = std::make_unique<OwnGraph>();
    made->name = "g" + std::to_string(dice_.below(4));
    if (QnnGraph_create(handle(contexts_), made->name.c_str(), nullptr, &made->handle) == QNN_SUCCESS)
      graphs_.push_back(std::move(made));
  }

  void retrieve() {
    auto found = std::make_unique<OwnGraph>();
    found->name = "g" + std::to_string(dice_.below(4));
    QnnGraph_retrieve(handle(contexts_), found->name.c_str(), &found->handle);
  }

  void free_something() {
    switch (dice_.below(3)) {
      case 0:
        QnnContext_free(handle(contexts_), nullptr);
        return;
      case 1:
        QnnBackend_free(handle(backends_));
        return;
      default:
        QnnProfile_free(handle(profiles_));
    }
  }

  void set_options() {
    OwnGraph* target = graph();
    if (!target) return;
    QnnHtpGraph_CustomConfig_t custom = QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT;
    custom.option = static_cast<QnnHtpGraph_ConfigOption_t>(dice_.below(24));
    custom.vtcmSizeInMB = dice_.number();
    QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
    config.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
    const QnnGraph_Config_t* list[] = {&config, nullptr};
    QnnGraph_setConfig(target->handle, list);
  }

  // ---- Nodes ----

  std::vector<uint32_t> shape() {
    std::vector<uint32_t> dims(1 + dice_.below(4));
    for (uint32_t& dim : dims) dim = dice_.one_in(64) ? dice_.number() : 1 + dice_.below(6);
    return dims;
  }

  void describe(OwnTensor& own, Qnn_TensorType_t role, ir::DataType type) {
    own.name = "t" + std::to_string(tensors_made_++);
    if (own.dims.empty()) own.dims = dice_.one_in(3) || last_shape_.empty() ? shape() : last_shape_;
    last_shape_ = own.dims;
    Qnn_TensorV1_t& fields = own.tensor.v1;
    fields.name = own.name.c_str();
    fields.type = role;
    fields.dataType = static_cast<Qnn_DataType_t>(type);
    fields.rank = static_cast<uint32_t>(own.dims.size());
    fields.dimensions = own.dims.data();
    fields.memType = QNN_TENSORMEMTYPE_RAW;
    if (ir::is_quantized(type)) encode(own);
    if (role == QNN_TENSOR_TYPE_STATIC) own.bind_buffer();
  }

  void encode(OwnTensor& own) {
    Qnn_QuantizeParams_t& params = own.tensor.v1.quantizeParams;
    params.encodingDefinition = QNN_DEFINITION_DEFINED;
    params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    params.scaleOffsetEncoding = {0.02F, -static_cast<int32_t>(dice_.below(200))};
    if (!dice_.one_in(8)) return;
    const uint32_t axis = dice_.below(static_cast<uint32_t>(own.dims.size()));
    own.encodings.assign(std::min(own.dims[axis], 64U), {0.01F, 0});
    params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
    params.axisScaleOffsetEncoding = {static_cast<int32_t>(axis), static_cast<uint32_t>(own.encodings.size()),
                                      own.encodings.data()};
  }

  // A tensor of the graph: one that is there already, or a new one.
  OwnTensor* tensor(OwnGraph& target, Qnn_TensorType_t role, ir::DataType type) {
    if (role != QNN_TENSOR_TYPE_APP_READ && !target.tensors.empty() && dice_.one_in(2)) {
      OwnTensor* old = dice_.of(target.tensors).get();
      if (old->tensor.v1.dataType == static_cast<Qnn_DataType_t>(type) || dice_.one_in(8)) return old;
    }
    auto made = std::make_unique<OwnTensor>();
    describe(*made, role, type);
    if (QnnTensor_createGraphTensor(target.handle, &made->tensor) != QNN_SUCCESS && !dice_.one_in(4))
      return nullptr;
    target.tensors.push_back(std::move(made));
    return target.tensors.back().get();
  }

  static ir::DataType type_of(const std::vector<std::vector<ir::DataType>>& side, size_t index) {
    if (side.empty()) return ir::DataType::kFloat32;
    const std::vector<ir::DataType>& types = side[std::min(index, side.size() - 1)];
    return types.empty() ? ir::DataType::kFloat32 : types.front();
  }

  // Some parameters of an op, mostly as its schema wants them.
  struct OwnParams {
    std::vector<Qnn_Param_t> list;
    std::vector<std::unique_ptr<OwnTensor>> tensors;
  };

  void add_param(const ops::ParamSchema& schema, OwnParams& params) {
    const auto open = schema.type == ir::DataType::kUndefined ? ir::DataType::kFloat32 : schema.type;
    Qnn_Param_t param = QNN_PARAM_INIT;
    param.name = schema.name.c_str();
    if (schema.shape.rank() == 0) {
      param.paramType = QNN_PARAMTYPE_SCALAR;
      param.scalarParam.dataType = static_cast<Qnn_DataType_t>(open);
      param.scalarParam.uint32Value = dice_.number();
      if (open == ir::DataType::kFloat32)
        param.scalarParam.floatValue = static_cast<float>(dice_.below(9)) - 2;
      params.list.push_back(param);
      return;
    }
    auto own = std::make_unique<OwnTensor>();
    for (const uint32_t dim : schema.shape.dims())
      own->dims.push_back(dim ? dim : static_cast<uint32_t>(last_shape_.size()));
    const std::vector<uint32_t> before = last_shape_;
    describe(*own, QNN_TENSOR_TYPE_STATIC, open);
    last_shape_ = before;
    for (size_t i = 0; i + 4 <= own->data.size(); i += 4) {
      const uint32_t value = dice_.number();
      std::memcpy(&own->data[i], &value, 4);
    }
    param.paramType = QNN_PARAMTYPE_TENSOR;
    param.tensorParam = own->tensor;
    params.list.push_back(param);
    params.tensors.push_back(std::move(own));
  }

  void add_node() {
    OwnGraph* target = graph();
    if (!target) return;
    const auto schemas = ops::all_schemas();
    const ops::Schema& schema = schemas[dice_.byte() % schemas.size()];
    static const ops::TypeRow kNoRow;
    const ops::TypeRow& row = schema.rows.empty() ? kNoRow : schema.rows[dice_.byte() % schema.rows.size()];
    std::vector<Qnn_Tensor_t> inputs;
    for (size_t i = 0; i < schema.inputs.size(); ++i) {
      if (schema.inputs[i].optional && dice_.one_in(2)) break;
      const auto role = i > 0 && dice_.one_in(2) ? QNN_TENSOR_TYPE_STATIC : QNN_TENSOR_TYPE_APP_WRITE;
      OwnTensor* made = tensor(*target, role, type_of(row.inputs, i));
      if (!made) return;
      inputs.push_back(made->tensor);
    }
    std::vector<Qnn_Tensor_t> outputs;
    for (size_t i = 0; i < schema.outputs.size(); ++i) {
      if (schema.outputs[i].optional && dice_.one_in(2)) break;
      const auto role = dice_.one_in(2) ? QNN_TENSOR_TYPE_APP_READ : QNN_TENSOR_TYPE_NATIVE;
      OwnTensor* made = tensor(*target, role, type_of(row.outputs, i));
      if (!made) return;
      outputs.push_back(made->tensor);
    }
    OwnParams params;
    for (const ops::ParamSchema& param : schema.params)
      if (param.required || dice_.one_in(2)) add_param(param, params);

    const std::string name = "n" + std::to_string(nodes_made_++);
    Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
    config.v1.name = name.c_str();
    config.v1.packageName = QNN_OP_PACKAGE_NAME_QTI_AISW;
    config.v1.typeName = schema.type.c_str();
    config.v1.numOfParams = static_cast<uint32_t>(params.list.size());
    config.v1.params = params.list.data();
    config.v1.numOfInputs = static_cast<uint32_t>(inputs.size());
    config.v1.inputTensors = inputs.data();
    config.v1.numOfOutputs = static_cast<uint32_t>(outputs.size());
    config.v1.outputTensors = outputs.data();
    QnnBackend_validateOpConfig(handle(backends_), config);
    QnnGraph_addNode(target->handle, config);
  }

  // ---- Running ----

  void* profile() { return profiles_.empty() || dice_.one_in(2) ? nullptr : handle(profiles_); }

  void finalize() {
    if (OwnGraph* target = graph()) QnnGraph_finalize(target->handle, profile(), nullptr);
  }

  void execute() {
    OwnGraph* target = graph();
    if (!target) return;
    std::vector<Qnn_Tensor_t> inputs;
    std::vector<Qnn_Tensor_t> outputs;
    for (const auto& own : target->tensors) {
      const bool writes = own->tensor.v1.type == QNN_TENSOR_TYPE_APP_WRITE;
      if (!writes && own->tensor.v1.type != QNN_TENSOR_TYPE_APP_READ) continue;
      if (dice_.one_in(32)) continue;
      own->bind_buffer();
      (writes ? inputs : outputs).push_back(own->tensor);
    }
    for (std::byte& byte : target->tensors.empty() ? no_bytes_ : target->tensors.front()->data)
      byte = static_cast<std::byte>(dice_.byte());
    QnnGraph_execute(target->handle, inputs.data(), static_cast<uint32_t>(inputs.size()), outputs.data(),
                     static_cast<uint32_t>(outputs.size()), profile(), nullptr);
  }

  void load_binary() {
    void* from = handle(contexts_);
    Qnn_ContextBinarySize_t bytes = 0;
    if (QnnContext_getBinarySize(from, &bytes) != QNN_SUCCESS || bytes > (1U << 24)) return;
    std::vector<std::byte> binary(bytes);
    Qnn_ContextBinarySize_t written = 0;
    if (QnnContext_getBinary(from, binary.data(), bytes, &written) != QNN_SUCCESS) return;
    if (dice_.one_in(4)) binary[dice_.word() % binary.size()] ^= std::byte{1};
    Qnn_ContextHandle_t made = nullptr;
    if (QnnContext_createFromBinary(handle(backends_), nullptr, nullptr, binary.data(), written, &made,
                                    profile()) == QNN_SUCCESS)
      contexts_.push_back(made);
  }

  // Frees whatever is left; stale handles answer with an error.
  void finish() {
    for (void* context : contexts_) QnnContext_free(context, nullptr);
    for (void* each : profiles_) QnnProfile_free(each);
    for (void* backend : backends_) QnnBackend_free(backend);
  }

  Dice dice_;
  std::vector<void*> backends_;
  std::vector<void*> contexts_;
  std::vector<void*> profiles_;
  std::vector<std::unique_ptr<OwnGraph>> graphs_;
  std::vector<uint32_t> last_shape_;
  std::vector<std::byte> no_bytes_;
  uint32_t tensors_made_ = 0;
  uint32_t nodes_made_ = 0;
};

}  // namespace
}  // namespace openqnn::api

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::api::Session(openqnn::api::Dice(data, size)).run();
  return 0;
}
