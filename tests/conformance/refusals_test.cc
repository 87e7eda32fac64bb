// SPDX-License-Identifier: BSD-3-Clause
// Composing and executing wrongly: each refusal has the documented code and a sentence that names the cause.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "QnnOpPackage.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;

// Removes a parameter of a node.
void drop(Node& node, const char* param) {
  std::erase_if(node.params, [param](const Param& candidate) { return candidate.name == param; });
}

// A wrong op, and the words that tell why it is wrong.
struct BadOp {
  const char* what;
  std::function<void(Model&)> spoil;
  std::vector<std::string> words;
};

std::vector<BadOp> bad_convolutions() {
  return {
      {"unknown type", [](Model& model) { model.node("conv").type = "Frobnicate"; }, {"Frobnicate"}},
      {"missing parameter",
       [](Model& model) { drop(model.node("conv"), QNN_OP_CONV_2D_PARAM_STRIDE); },
       {"stride"}},
      {"unknown parameter",
       [](Model& model) { model.node("conv").params.push_back(scalar("colour", 3U)); },
       {"colour"}},
      {"parameter of the wrong type",
       [](Model& model) { model.node("conv").params.push_back(scalar("group", 1.0F)); },
       {"group"}},
      {"missing input", [](Model& model) { model.node("conv").inputs.resize(1); }, {"input"}},
      {"missing output", [](Model& model) { model.node("conv").outputs.clear(); }, {"output"}},
      {"wrong output shape",
       [](Model& model) {
         model.tensor("conv_out").dims = {1, 8, 8, 7};
       },
       {"[1, 8, 8, 7]", "[1, 8, 8, 8]"}},
      {"wrong rank",
       [](Model& model) {
         model.tensor("image").dims = {8, 8, 3};
       },
       {"[8, 8, 3]"}},
      {"types that do not go together",
       [](Model& model) {
         model.tensor("image").type = QNN_DATATYPE_FLOAT_32;
         model.tensor("image").encoding = {};
       },
       {}},
      {"a stride of 0",
       [](Model& model) {
         drop(model.node("conv"), QNN_OP_CONV_2D_PARAM_STRIDE);
         model.node("conv").params.push_back(numbers(QNN_OP_CONV_2D_PARAM_STRIDE, {2}, {0, 1}));
       },
       {"stride"}},
  };
}

// feature: B1, B2 (C API)
TEST(Validate, NeedsNoRegisteredTensors) {
  const Session session;
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
    for (const Sample& sample : all_samples(kind))
      for (const Node& node : sample.model.nodes) {
        EXPECT_EQ(validate(session, sample.model, node), QNN_SUCCESS)
            << sample.model.name << " " << node.name;
        Node again = node;  // clients ask twice, with a suffix to the name
        again.name += "_2";
        EXPECT_EQ(validate(session, sample.model, again), QNN_SUCCESS);
      }
}

// feature: B1, B2 (C API)
TEST(Validate, RefusalsNameTheCause) {
  const Session session;
  for (const BadOp& bad : bad_convolutions()) {
    Model model = conv_relu_pool(Kind::kQuantized).model;
    bad.spoil(model);
    const Qnn_ErrorHandle_t answer = validate(session, model, model.node("conv"));
    EXPECT_TRUE(refused(session.api, answer, QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE)) << bad.what;
    const std::string sentence = verbose_message(session.api, answer);
    for (const std::string& word : bad.words) EXPECT_THAT(sentence, ::testing::HasSubstr(word)) << bad.what;
  }
}

// feature: B1 (C API)
TEST(Validate, UnknownPackageIsNamed) {
  const Session session;
  Model model = add(Kind::kFloat).model;
  model.node("add").package = "other.package";
  const Qnn_ErrorHandle_t answer = validate(session, model, model.node("add"));
  EXPECT_THAT(answer,
              AnyOf(Eq(QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND), Eq(QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE)));
  EXPECT_THAT(verbose_message(session.api, answer), ::testing::HasSubstr("other.package"));
}

// feature: B1 (C API)
TEST(Compose, UnknownPackageIsNamed) {
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, add(Kind::kFloat).model);
  graph.create_tensors_of(graph.model.nodes.front());
  graph.model.node("add").package = "other.package";
  EXPECT_TRUE(refused(session.api, graph.add_node(graph.model.nodes.front()),
                      QNN_GRAPH_ERROR_INVALID_OP_CONFIG, {"other.package"}));
}

// Counts that would wrap around when added up.
// feature: B1 (C API)
TEST(Validate, HostileCountsAreRefused) {
  const Session session;
  const Owned context = session.context();
  const Model model = add(Kind::kFloat).model;
  const Graph graph(session.api, context, model);
  Scratch scratch;
  for (uint32_t Qnn_OpConfigV1_t::*count :
       {&Qnn_OpConfigV1_t::numOfInputs, &Qnn_OpConfigV1_t::numOfOutputs, &Qnn_OpConfigV1_t::numOfParams}) {
    Qnn_OpConfig_t config = describe(model, model.nodes.front(), scratch);
    config.v1.*count = 0xFFFFFFFF;
    EXPECT_TRUE(refused(session.api, session.api.backendValidateOpConfig(session.backend, config),
                        QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {"4294967295"}));
    EXPECT_TRUE(refused(session.api, session.api.graphAddNode(graph.handle, config),
                        QNN_GRAPH_ERROR_INVALID_OP_CONFIG, {"4294967295"}));
  }
}

// feature: B1 (C API)
TEST(Validate, ConfigOfAnUnknownVersionIsRefused) {
  const Session session;
  const Model model = add(Kind::kFloat).model;
  Scratch scratch;
  Qnn_OpConfig_t config = describe(model, model.nodes.front(), scratch);
  config.version = static_cast<Qnn_OpConfigVersion_t>(77);
  EXPECT_NE(session.api.backendValidateOpConfig(session.backend, config), QNN_SUCCESS);
  config = describe(model, model.nodes.front(), scratch);
  config.v1.typeName = nullptr;
  EXPECT_NE(session.api.backendValidateOpConfig(session.backend, config), QNN_SUCCESS);
  config = describe(model, model.nodes.front(), scratch);
  config.v1.inputTensors = nullptr;
  EXPECT_NE(session.api.backendValidateOpConfig(session.backend, config), QNN_SUCCESS);
}

// feature: B1, B2 (C API)
TEST(Compose, BadOpsAreRefused) {
  const Session session;
  for (const BadOp& bad : bad_convolutions()) {
    const Owned context = session.context();
    Model model = conv_relu_pool(Kind::kQuantized).model;
    bad.spoil(model);
    Graph graph(session.api, context, model);
    graph.create_tensors_of(graph.model.node("conv"));
    const Qnn_ErrorHandle_t answer = graph.add_node(graph.model.node("conv"));
    EXPECT_TRUE(refused(session.api, answer, QNN_GRAPH_ERROR_INVALID_OP_CONFIG)) << bad.what;
    const std::string sentence = verbose_message(session.api, answer);
    EXPECT_THAT(sentence, ::testing::HasSubstr("conv")) << "the node is named; " << bad.what;
    for (const std::string& word : bad.words) EXPECT_THAT(sentence, ::testing::HasSubstr(word)) << bad.what;
  }
}

// feature: B1 (C API)
TEST(Compose, ARefusedNodeLeavesTheGraphUsable) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  Graph graph(session.api, context, sample.model);
  Node wrong = graph.model.nodes.front();
  wrong.type = "Frobnicate";
  graph.create_tensors_of(wrong);
  EXPECT_TRUE(refused(session.api, graph.add_node(wrong), QNN_GRAPH_ERROR_INVALID_OP_CONFIG));
  check(session.api, graph.add_node(graph.model.nodes.front()), "graphAddNode");
  check(session.api, graph.finalize(), "graphFinalize");

  const Owned fresh = session.context();
  EXPECT_EQ(graph.run(sample.inputs), Graph::built(session.api, fresh, sample.model).run(sample.inputs));
}

// feature: B2 (C API)
TEST(Compose, NodesOutOfOrderAreRefusedWithTheTensor) {
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, conv_relu_pool(Kind::kQuantized).model);
  for (Node& node : graph.model.nodes) graph.create_tensors_of(node);
  EXPECT_TRUE(refused(session.api, graph.add_node(graph.model.node("relu")), QNN_GRAPH_ERROR_UNCONNECTED_NODE,
                      {"conv_out"}));
}

// feature: B1 (C API)
TEST(Compose, UnknownTensorIsRefusedByItsId) {
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, add(Kind::kFloat).model);
  graph.create_tensors_of(graph.model.nodes.front());
  graph.model.tensor("right").id = 987654;
  EXPECT_TRUE(refused(session.api, graph.add_node(graph.model.nodes.front()), QNN_GRAPH_ERROR_INVALID_TENSOR,
                      {"987654"}));
}

// feature: B1 (C API)
TEST(Compose, NodeNamesAreUnique) {
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, add_chain(Kind::kFloat, 1, 2).model);
  graph.model.node("add2").name = "add1";
  graph.create_tensors_of(graph.model.nodes[0]);
  check(session.api, graph.add_node(graph.model.nodes[0]), "graphAddNode");
  graph.create_tensors_of(graph.model.nodes[1]);
  EXPECT_TRUE(
      refused(session.api, graph.add_node(graph.model.nodes[1]), QNN_GRAPH_ERROR_INVALID_NAME, {"add1"}));
}

// feature: B1 (C API)
TEST(Compose, GraphNamesAreUniqueInTheContext) {
  const Session session;
  const Owned context = session.context();
  const Model model = add(Kind::kFloat).model;
  const Graph first(session.api, context, model);
  Qnn_GraphHandle_t second = nullptr;
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, model.name.c_str(), nullptr, &second),
                      QNN_GRAPH_ERROR_INVALID_NAME, {model.name}));
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, nullptr, nullptr, &second),
                      QNN_GRAPH_ERROR_INVALID_NAME));
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "other", nullptr, nullptr),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT));
  const Owned other_context = session.context();
  EXPECT_EQ(session.api.graphCreate(other_context, model.name.c_str(), nullptr, &second), QNN_SUCCESS);
}

// QNN_TENSOR_ERROR_ALREADY_EXISTS is deprecated; newer libraries call a taken name a bad parameter.
// feature: B1 (C API)
TEST(Compose, TensorNamesAreUniqueInTheGraph) {
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, add(Kind::kFloat).model);
  Tensor& tensor = graph.model.tensor("left");
  check(session.api, graph.create_tensor(tensor), "tensorCreateGraphTensor");
  EXPECT_TRUE(
      refused(session.api, graph.create_tensor(tensor), QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, {"left"}));
}

// feature: B1 (C API)
TEST(Compose, BadTensorsAreRefusedByName) {
  struct BadTensor {
    const char* what;
    std::function<void(Tensor&)> spoil;
  };
  const std::vector<BadTensor> bad_tensors = {
      {"a dimension of 0",
       [](Tensor& tensor) {
         tensor.dims = {1, 0, 4};
       }},
      {"no data type", [](Tensor& tensor) { tensor.type = QNN_DATATYPE_UNDEFINED; }},
      {"an unknown data type", [](Tensor& tensor) { tensor.type = static_cast<Qnn_DataType_t>(0x4242); }},
      {"no role", [](Tensor& tensor) { tensor.role = QNN_TENSOR_TYPE_UNDEFINED; }},
      {"static without data", [](Tensor& tensor) { tensor.role = QNN_TENSOR_TYPE_STATIC; }},
      {"static with too little data",
       [](Tensor& tensor) {
         tensor.role = QNN_TENSOR_TYPE_STATIC;
         tensor.data.resize(3);
       }},
      {"dimensions whose product overflows", [](Tensor& tensor) { tensor.dims.assign(4, 0xFFFFFFFF); }},
  };
  const Session session;
  const Owned context = session.context();
  const Graph graph(session.api, context, add(Kind::kFloat).model);
  for (const BadTensor& bad : bad_tensors) {
    Tensor tensor{.name = "peculiar", .role = QNN_TENSOR_TYPE_APP_WRITE, .dims = {1, 4}};
    bad.spoil(tensor);
    const Qnn_ErrorHandle_t answer = graph.create_tensor(tensor);
    EXPECT_THAT(answer, AnyOf(Eq(QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM),
                              Eq(QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM)))
        << bad.what;
    EXPECT_THAT(verbose_message(session.api, answer), ::testing::HasSubstr("peculiar")) << bad.what;
  }
  EXPECT_NE(session.api.tensorCreateGraphTensor(graph.handle, nullptr), QNN_SUCCESS);
}

// feature: B1 (C API)
TEST(Compose, GarbageOptionsAreRefused) {
  const Session session;
  const Owned context = session.context();
  QnnHtpGraph_CustomConfig_t custom;
  std::memset(&custom, 0xA5, sizeof custom);
  QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
  config.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
  config.customConfig = &custom;
  const QnnGraph_Config_t* list[] = {&config, nullptr};
  Qnn_GraphHandle_t graph = nullptr;
  EXPECT_NE(session.api.graphCreate(context, "garbage", list, &graph), QNN_SUCCESS);
  config.customConfig = nullptr;
  EXPECT_NE(session.api.graphCreate(context, "null", list, &graph), QNN_SUCCESS);
  config.option = static_cast<QnnGraph_ConfigOption_t>(4242);
  EXPECT_NE(session.api.graphCreate(context, "unknown", list, &graph), QNN_SUCCESS);
}

// feature: B2 (C API)
TEST(Order, ExecuteNeedsFinalize) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kFloat);
  Graph graph(session.api, context, sample.model);
  graph.compose();
  IoTensors io(graph.model, sample.inputs);
  EXPECT_TRUE(
      refused(session.api, graph.execute(io), QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED, {graph.model.name}));
}

// feature: B2 (C API)
TEST(Order, AFinalizedGraphIsFixed) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kFloat);
  Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers before = graph.run(sample.inputs);
  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_GRAPH_FINALIZED, {graph.model.name}));
  Node more = graph.model.nodes.front();
  more.name = "more";
  EXPECT_TRUE(
      refused(session.api, graph.add_node(more), QNN_GRAPH_ERROR_GRAPH_FINALIZED, {graph.model.name}));
  Tensor tensor{.name = "late", .dims = {1}};
  EXPECT_NE(graph.create_tensor(tensor), QNN_SUCCESS);
  EXPECT_EQ(graph.run(sample.inputs), before);
}

// feature: C1 (C API)
TEST(Order, BinaryNeedsFinalize) {
  const Session session;
  const Owned context = session.context();
  const Graph done = Graph::built(session.api, context, add(Kind::kFloat).model);
  Graph open(session.api, context, add(Kind::kQuantized).model);
  open.compose();
  Qnn_ContextBinarySize_t size = 0;
  EXPECT_TRUE(refused(session.api, session.api.contextGetBinarySize(context, &size),
                      QNN_CONTEXT_ERROR_NOT_FINALIZED, {open.model.name}));
  Bytes buffer(1 << 20);
  EXPECT_TRUE(refused(session.api, session.api.contextGetBinary(context, buffer.data(), buffer.size(), &size),
                      QNN_CONTEXT_ERROR_NOT_FINALIZED, {open.model.name}));
}

// feature: B1 (C API)
TEST(Execute, MissingTensorsAreNamed) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);

  IoTensors without_input(graph.model, sample.inputs);
  without_input.inputs.pop_back();
  EXPECT_TRUE(refused(session.api, graph.execute(without_input), QNN_GRAPH_ERROR_INVALID_TENSOR, {"right"}));
  IoTensors without_output(graph.model, sample.inputs);
  without_output.outputs.clear();
  EXPECT_TRUE(refused(session.api, graph.execute(without_output), QNN_GRAPH_ERROR_INVALID_TENSOR, {"sum"}));
}

// feature: B1 (C API)
TEST(Execute, UnfitBuffersAreNamed) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);

  IoTensors small_input(graph.model, sample.inputs);
  small_input.inputs[0].v1.clientBuf.dataSize -= 1;
  EXPECT_TRUE(refused(session.api, graph.execute(small_input), QNN_GRAPH_ERROR_INVALID_TENSOR, {"left"}));
  IoTensors small_output(graph.model, sample.inputs);
  small_output.outputs[0].v1.clientBuf.dataSize = 1;
  EXPECT_TRUE(refused(session.api, graph.execute(small_output), QNN_GRAPH_ERROR_INVALID_TENSOR, {"sum"}));
  IoTensors no_buffer(graph.model, sample.inputs);
  no_buffer.inputs[1].v1.clientBuf.data = nullptr;
  EXPECT_TRUE(refused(session.api, graph.execute(no_buffer), QNN_GRAPH_ERROR_INVALID_TENSOR, {"right"}));
  IoTensors memory_handle(graph.model, sample.inputs);
  memory_handle.inputs[1].v1.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
  memory_handle.inputs[1].v1.memHandle = reinterpret_cast<Qnn_MemHandle_t>(uintptr_t{0x1234});
  EXPECT_NE(graph.execute(memory_handle), QNN_SUCCESS);

  // A larger buffer is fine: what lies behind the tensor is left alone.
  IoTensors large(graph.model, sample.inputs);
  Bytes roomy(graph.model.tensor("sum").bytes() + 64, std::byte{0x5A});
  large.outputs[0].v1.clientBuf = {roomy.data(), static_cast<uint32_t>(roomy.size())};
  check(session.api, graph.execute(large), "graphExecute");
  EXPECT_TRUE(std::all_of(roomy.end() - 64, roomy.end(), [](std::byte b) { return b == std::byte{0x5A}; }));
}

// feature: B1 (C API)
TEST(Execute, TensorsMustBeWhatTheGraphHas) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const auto execute = [&](const std::function<void(Qnn_TensorV1_t&)>& spoil) {
    IoTensors io(graph.model, sample.inputs);
    spoil(io.inputs[0].v1);
    return graph.execute(io);
  };
  EXPECT_EQ(execute([](Qnn_TensorV1_t&) {}), QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api,
                      execute([](Qnn_TensorV1_t& tensor) { tensor.dataType = QNN_DATATYPE_FLOAT_32; }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"left", "f32"}));
  EXPECT_TRUE(refused(session.api, execute([](Qnn_TensorV1_t& tensor) { tensor.dimensions[0] += 1; }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"left", "shape"}));
  EXPECT_TRUE(refused(session.api,
                      execute([](Qnn_TensorV1_t& tensor) { tensor.memType = QNN_TENSORMEMTYPE_UNDEFINED; }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"QNN_TENSORMEMTYPE_RAW"}));
  const auto as_format = [&](Qnn_TensorDataFormat_t format) {
    return execute([format](Qnn_TensorV1_t& tensor) { tensor.dataFormat = format; });
  };
  EXPECT_TRUE(refused(session.api, as_format(QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"left", "matrix unit"}));
  EXPECT_TRUE(refused(session.api, as_format(QNN_TENSOR_DATA_FORMAT_SPARSE), QNN_GRAPH_ERROR_INVALID_TENSOR,
                      {"left", "dense"}));
  std::vector<uint32_t> nine(9, 1);  // the first eight might be those of the graph
  EXPECT_TRUE(refused(session.api, execute([&nine](Qnn_TensorV1_t& tensor) {
                        tensor.dimensions = nine.data();
                        tensor.rank = 9;
                      }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"left", "rank 9"}));
  IoTensors twice(graph.model, sample.inputs);
  twice.inputs.push_back(twice.inputs[0]);
  EXPECT_TRUE(refused(session.api, graph.execute(twice), QNN_GRAPH_ERROR_INVALID_TENSOR, {"twice"}));
}

// feature: B1 (C API)
TEST(Execute, NullListsAreRefused) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  EXPECT_NE(session.api.graphExecute(graph.handle, nullptr, 2, nullptr, 1, nullptr, nullptr), QNN_SUCCESS);
  EXPECT_NE(session.api.graphExecute(graph.handle, nullptr, 0, nullptr, 0, nullptr, nullptr), QNN_SUCCESS);
  const auto made_up = reinterpret_cast<Qnn_SignalHandle_t>(uintptr_t{0x1234});
  IoTensors io(graph.model, sample.inputs);
  EXPECT_NE(
      session.api.graphExecute(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, nullptr, made_up),
      QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
