// SPDX-License-Identifier: BSD-3-Clause
// Graphs out of random nodes: what the ops' schemas want, mostly.
#include <dlfcn.h>

#include "QnnOpDef.h"
#include "api/fuzz/options.h"
#include "api/fuzz/steps.h"
#include "ops/op.h"

namespace openqnn::api::fuzz {
namespace {

std::string next_name(Session& session) { return "t" + std::to_string(session.tensors_made++); }

// A tensor of the graph: one that is there already, or a new one.
const OwnTensor* tensor_for(Session& session, OwnGraph& graph, Qnn_TensorType_t role, ir::DataType type) {
  Dice& dice = session.dice;
  if (role != QNN_TENSOR_TYPE_APP_READ && !graph.tensors.empty() && dice.one_in(2)) {
    const OwnTensor* old = dice.of(graph.tensors).get();
    if (old->tensor.v1.dataType == static_cast<Qnn_DataType_t>(type) || dice.one_in(8)) return old;
  }
  const bool is_new_shape = dice.one_in(3) || session.last_shape.empty();
  auto made = random_tensor(
      dice, {next_name(session), role, type, is_new_shape ? random_shape(dice) : session.last_shape});
  session.last_shape = made->dims;
  if (QnnTensor_createGraphTensor(graph.handle, &made->tensor) != QNN_SUCCESS && !dice.one_in(4))
    return nullptr;
  graph.tensors.push_back(std::move(made));
  return graph.tensors.back().get();
}

ir::DataType type_of(const std::vector<std::vector<ir::DataType>>& side, size_t index) {
  if (side.empty()) return ir::DataType::kFloat32;
  const std::vector<ir::DataType>& types = side[std::min(index, side.size() - 1)];
  return types.empty() ? ir::DataType::kFloat32 : types.front();
}

// What an op config points to.
struct Operands {
  std::vector<Qnn_Tensor_t> inputs, outputs;
  std::vector<Qnn_Param_t> params;
  std::vector<std::unique_ptr<OwnTensor>> param_tensors;
};

void add_scalar(Dice& dice, const ops::ParamSchema& schema, ir::DataType type, Operands& operands) {
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.name = schema.name.c_str();
  param.paramType = QNN_PARAMTYPE_SCALAR;
  param.scalarParam.dataType = static_cast<Qnn_DataType_t>(type);
  param.scalarParam.uint32Value = dice.number();
  if (type == ir::DataType::kFloat32) param.scalarParam.floatValue = static_cast<float>(dice.below(9)) - 2;
  operands.params.push_back(param);
}

void add_param(Session& session, const ops::ParamSchema& schema, Operands& operands) {
  Dice& dice = session.dice;
  const auto type = schema.type == ir::DataType::kUndefined ? ir::DataType::kFloat32 : schema.type;
  if (schema.shape.rank() == 0) return add_scalar(dice, schema, type, operands);
  std::vector<uint32_t> dims;
  for (const uint32_t dim : schema.shape.dims())
    dims.push_back(dim ? dim : static_cast<uint32_t>(session.last_shape.size()));
  auto own = random_tensor(dice, {next_name(session), QNN_TENSOR_TYPE_STATIC, type, std::move(dims)});
  for (size_t i = 0; i + sizeof(uint32_t) <= own->data.size(); i += sizeof(uint32_t)) {
    const uint32_t value = dice.number();
    std::memcpy(&own->data[i], &value, sizeof value);
  }
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.name = schema.name.c_str();
  param.paramType = QNN_PARAMTYPE_TENSOR;
  param.tensorParam = own->tensor;
  operands.params.push_back(param);
  operands.param_tensors.push_back(std::move(own));
}

bool add_operands(Session& session, OwnGraph& graph, const ops::Schema& schema, Operands& operands) {
  Dice& dice = session.dice;
  static const ops::TypeRow kNoRow;
  const ops::TypeRow& row = schema.rows.empty() ? kNoRow : schema.rows[dice.byte() % schema.rows.size()];
  for (size_t i = 0; i < schema.inputs.size(); ++i) {
    if (schema.inputs[i].optional && dice.one_in(2)) break;
    const auto role = i > 0 && dice.one_in(2) ? QNN_TENSOR_TYPE_STATIC : QNN_TENSOR_TYPE_APP_WRITE;
    const OwnTensor* made = tensor_for(session, graph, role, type_of(row.inputs, i));
    if (!made) return false;
    operands.inputs.push_back(made->tensor);
  }
  for (size_t i = 0; i < schema.outputs.size(); ++i) {
    if (schema.outputs[i].optional && dice.one_in(2)) break;
    const auto role = dice.one_in(2) ? QNN_TENSOR_TYPE_APP_READ : QNN_TENSOR_TYPE_NATIVE;
    const OwnTensor* made = tensor_for(session, graph, role, type_of(row.outputs, i));
    if (!made) return false;
    operands.outputs.push_back(made->tensor);
  }
  return true;
}

void submit(Session& session, const OwnGraph& graph, const char* package, const char* type,
            Operands& operands) {
  const std::string name = "n" + std::to_string(session.nodes_made++);
  Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
  config.v1.name = name.c_str();
  config.v1.packageName = package;
  config.v1.typeName = type;
  config.v1.numOfParams = static_cast<uint32_t>(operands.params.size());
  config.v1.params = operands.params.data();
  config.v1.numOfInputs = static_cast<uint32_t>(operands.inputs.size());
  config.v1.inputTensors = operands.inputs.data();
  config.v1.numOfOutputs = static_cast<uint32_t>(operands.outputs.size());
  config.v1.outputTensors = operands.outputs.data();
  QnnBackend_validateOpConfig(session.pick(session.backends), config);
  QnnGraph_addNode(graph.handle, config);
}

}  // namespace

void create_graph(Session& session) {
  GraphOptionList options(session);
  auto made = std::make_shared<OwnGraph>();
  made->name = session.graph_name();
  if (QnnGraph_create(session.pick(session.contexts), made->name.c_str(),
                      session.dice.one_in(4) ? options.list() : nullptr, &made->handle) == QNN_SUCCESS)
    session.graphs.push_back(std::move(made));
}

void retrieve_graph(Session& session) {
  auto found = std::make_shared<OwnGraph>();
  found->name = session.graph_name();
  if (QnnGraph_retrieve(session.pick(session.contexts), found->name.c_str(), &found->handle) != QNN_SUCCESS)
    return;
  // Of a loaded graph, the tensors are those of the graph that was saved under this name.
  for (const auto& graph : session.graphs)
    if (graph->name == found->name) found->tensors = graph->tensors;
  session.graphs.push_back(std::move(found));
}

void add_node(Session& session) {
  OwnGraph* graph = session.graph();
  if (!graph) return;
  const auto schemas = ops::all_schemas();
  const ops::Schema& schema = schemas[session.dice.byte() % schemas.size()];
  Operands operands;
  if (!add_operands(session, *graph, schema, operands)) return;
  for (const ops::ParamSchema& param : schema.params)
    if (param.required || session.dice.one_in(2)) add_param(session, param, operands);
  submit(session, *graph, QNN_OP_PACKAGE_NAME_QTI_AISW, schema.type.c_str(), operands);
}

// ---- Graphs that are right but for bad luck: without them, later steps would find nothing to run ----

namespace {

// A graph with the tensors asked for, or null.
std::shared_ptr<OwnGraph> begin_sample(Session& session, std::vector<TensorRequest> requests) {
  auto graph = std::make_shared<OwnGraph>();
  graph->name = session.graph_name();
  if (QnnGraph_create(session.pick(session.contexts), graph->name.c_str(), nullptr, &graph->handle) !=
      QNN_SUCCESS)
    return nullptr;
  for (TensorRequest& request : requests) {
    request.name = next_name(session);
    auto made = random_tensor(session.dice, std::move(request));
    QnnTensor_createGraphTensor(graph->handle, &made->tensor);
    graph->tensors.push_back(std::move(made));
  }
  return graph;
}

// A node on tensors of the graph, by their numbers.
void add_sample_node(Session& session, const OwnGraph& graph, const char* op,
                     const std::vector<size_t>& inputs, size_t output, std::vector<Qnn_Param_t> params = {}) {
  Operands operands{.outputs = {graph.tensors[output]->tensor}, .params = std::move(params)};
  for (const size_t input : inputs) operands.inputs.push_back(graph.tensors[input]->tensor);
  submit(session, graph, QNN_OP_PACKAGE_NAME_QTI_AISW, op, operands);
}

Qnn_Param_t u32_param(const char* name, uint32_t value) {
  Qnn_Param_t param = QNN_PARAM_INIT;
  param.name = name;
  param.paramType = QNN_PARAMTYPE_SCALAR;
  param.scalarParam.dataType = QNN_DATATYPE_UINT_32;
  param.scalarParam.uint32Value = value;
  return param;
}

}  // namespace

// Add with a constant, then Relu.
void compose_sample(Session& session) {
  const ir::DataType type = session.dice.one_in(2) ? ir::DataType::kFloat32 : ir::DataType::kUfixed8;
  const std::vector<uint32_t> dims = {1 + session.dice.below(3), 8};
  const auto graph = begin_sample(session, {{.role = QNN_TENSOR_TYPE_APP_WRITE, .type = type, .dims = dims},
                                            {.role = QNN_TENSOR_TYPE_STATIC, .type = type, .dims = dims},
                                            {.role = QNN_TENSOR_TYPE_NATIVE, .type = type, .dims = dims},
                                            {.role = QNN_TENSOR_TYPE_APP_READ, .type = type, .dims = dims}});
  if (!graph) return;
  add_sample_node(session, *graph, QNN_OP_ELEMENT_WISE_ADD, {0, 1}, 2);
  add_sample_node(session, *graph, QNN_OP_RELU, {2}, 3);
  QnnGraph_finalize(graph->handle, nullptr, nullptr);
  session.graphs.push_back(graph);
}

// Values at places, made dense, kept by a Buffer: a graph whose executes go on from each other.
void compose_stream(Session& session) {
  Dice& dice = session.dice;
  const auto type = ir::DataType::kUfixed8;
  const uint32_t places = 1 + dice.below(3);
  const auto held = dice.one_in(2) ? QNN_TENSOR_TYPE_APP_READ : QNN_TENSOR_TYPE_NATIVE;
  const auto graph = begin_sample(
      session, {{.role = QNN_TENSOR_TYPE_APP_WRITE, .type = ir::DataType::kUint32, .dims = {places, 1}},
                {.role = QNN_TENSOR_TYPE_APP_WRITE, .type = type, .dims = {places, 4}},
                {.role = QNN_TENSOR_TYPE_NATIVE, .type = type, .dims = {3, 4}, .sparse = true},
                {.role = QNN_TENSOR_TYPE_NATIVE, .type = type, .dims = {3, 4}},
                {.role = held, .type = type, .dims = {6, 4}},
                {.role = QNN_TENSOR_TYPE_APP_READ, .type = type, .dims = {6, 4}}});
  if (!graph) return;
  add_sample_node(session, *graph, QNN_OP_CREATE_SPARSE, {0, 1}, 2);
  add_sample_node(session, *graph, QNN_OP_SPARSE_TO_DENSE, {2}, 3);
  add_sample_node(session, *graph, QNN_OP_BUFFER, {3}, 4,
                  {u32_param(QNN_OP_BUFFER_PARAM_BUFFER_SIZE, 6),
                   u32_param(QNN_OP_BUFFER_PARAM_BUFFER_DIM, dice.one_in(16) ? dice.number() : 0),
                   u32_param(QNN_OP_BUFFER_PARAM_STRIDE, dice.one_in(16) ? dice.number() : 3),
                   u32_param(QNN_OP_BUFFER_PARAM_MODE, dice.below(3))});
  add_sample_node(session, *graph, QNN_OP_RELU, {4}, 5);
  // Else later steps may add nodes, those of packages among them.
  if (!dice.one_in(4)) QnnGraph_finalize(graph->handle, nullptr, nullptr);
  session.graphs.push_back(graph);
}

// ---- The example op package ----

void register_package(Session& session) {
  Dice& dice = session.dice;
  // Kept for good: the fuzzer goes on reading the library's coverage after the backend has closed it.
  [[maybe_unused]] static void* const kept = dlopen(OPENQNN_EXAMPLE_OP_PACKAGE, RTLD_NOW | RTLD_NODELETE);
  const char* path = dice.one_in(8) ? "nowhere.so" : OPENQNN_EXAMPLE_OP_PACKAGE;
  const char* provider = dice.one_in(8) ? "nothing" : "ScaledTanh_interfaceProvider";
  QnnBackend_registerOpPackage(session.pick(session.backends), path, provider,
                               dice.one_in(2) ? nullptr : "CPU");
}

void add_package_node(Session& session) {
  OwnGraph* graph = session.graph();
  if (!graph) return;
  Dice& dice = session.dice;
  const OwnTensor* input = tensor_for(session, *graph, QNN_TENSOR_TYPE_APP_WRITE, ir::DataType::kFloat32);
  const OwnTensor* output = tensor_for(session, *graph, QNN_TENSOR_TYPE_APP_READ, ir::DataType::kFloat32);
  if (!input || !output) return;
  Operands operands;
  operands.inputs.push_back(input->tensor);
  operands.outputs.push_back(output->tensor);
  Qnn_Param_t factor = QNN_PARAM_INIT;
  factor.name = "factor";
  factor.paramType = QNN_PARAMTYPE_SCALAR;
  factor.scalarParam.dataType = QNN_DATATYPE_FLOAT_32;
  factor.scalarParam.floatValue = 0.5F;
  if (!dice.one_in(8)) operands.params.push_back(factor);
  submit(session, *graph, "example.scaled_tanh", dice.one_in(8) ? "Another" : "ScaledTanh", operands);
}

// ---- Updates ----

void update_tensors(Session& session) {
  OwnGraph* graph = session.graph();
  if (!graph || graph->tensors.empty()) return;
  std::vector<std::unique_ptr<OwnTensor>> updates;
  std::vector<const Qnn_Tensor_t*> list;
  for (uint32_t count = 1 + session.dice.below(3); count > 0; --count) {
    updates.push_back(random_update(session.dice, *session.dice.of(graph->tensors)));
    list.push_back(&updates.back()->tensor);
  }
  QnnTensor_updateGraphTensors(graph->handle, list.data(), list.size());
}

}  // namespace openqnn::api::fuzz
