// SPDX-License-Identifier: BSD-3-Clause
// Op packages: custom ops between built-in ones, and every way in which a registration can fail.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "QnnOpPackage.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr const char* kExamplePackage = "example.scaled_tanh";

std::string example_path() { return from_environment("OPENQNN_EXAMPLE_OP_PACKAGE"); }
std::string odd_path() { return from_environment("OPENQNN_ODD_OP_PACKAGES"); }

class OpPackages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (example_path().empty() || odd_path().empty())
      GTEST_SKIP() << "OPENQNN_EXAMPLE_OP_PACKAGE and OPENQNN_ODD_OP_PACKAGES name no libraries";
  }

  Qnn_ErrorHandle_t add(const std::string& path, const char* provider, const char* target = nullptr) {
    return api_.backendRegisterOpPackage(session_.backend, path.c_str(), provider, target);
  }
  void add_example() {
    check(api_, add(example_path(), "ScaledTanh_interfaceProvider"), "registerOpPackage");
  }
  void add_odd() { check(api_, add(odd_path(), "Odd_provider"), "registerOpPackage"); }

  Qnn_ErrorHandle_t validate(const Model& model, const Node& node) {
    Scratch scratch;
    return api_.backendValidateOpConfig(session_.backend, describe(model, node, scratch));
  }

  Session session_;
  const Api& api_ = session_.api;
};

Tensor number(const char* name, Qnn_TensorType_t role, Kind kind, float reach,
              std::vector<uint32_t> dims = {2, 64}) {
  Tensor tensor{.name = name, .role = role, .dims = std::move(dims)};
  if (kind == Kind::kQuantized) {
    tensor.type = QNN_DATATYPE_UFIXED_POINT_8;
    tensor.encoding = {2 * reach / 255, -128};
  }
  return tensor;
}

// (left + right) -> ScaledTanh -> Relu: a custom op between built-in ones.
Model between_built_ins(Kind kind) {
  Model model{.name = "between"};
  model.tensors = {
      number("left", QNN_TENSOR_TYPE_APP_WRITE, kind, 1), number("right", QNN_TENSOR_TYPE_APP_WRITE, kind, 1),
      number("sum", QNN_TENSOR_TYPE_NATIVE, kind, 2), number("squeezed", QNN_TENSOR_TYPE_NATIVE, kind, 3),
      number("positive", QNN_TENSOR_TYPE_APP_READ, kind, 3)};
  model.nodes = {
      {.name = "add", .type = QNN_OP_ELEMENT_WISE_ADD, .inputs = {"left", "right"}, .outputs = {"sum"}},
      {.name = "tanh",
       .type = "ScaledTanh",
       .params = {scalar("factor", 3.0F)},
       .inputs = {"sum"},
       .outputs = {"squeezed"},
       .package = kExamplePackage},
      {.name = "relu", .type = QNN_OP_RELU, .inputs = {"squeezed"}, .outputs = {"positive"}}};
  return model;
}

Buffers inputs_of(const Model& model, uint32_t batches = 1) {
  Buffers inputs;
  uint32_t seed = 31;
  for (const Tensor* input : model.with_role(QNN_TENSOR_TYPE_APP_WRITE)) {
    Tensor all = *input;
    all.dims[0] *= batches;
    inputs[input->name] = encode(all, noise(all.elements(), seed++));
  }
  return inputs;
}

void expect_scaled_tanh(const Model& model, const Buffers& inputs, const Buffers& outputs) {
  const Tensor& result = model.tensor("positive");
  const Values left = decode(model.tensor("left"), inputs.at("left"));
  const Values right = decode(model.tensor("right"), inputs.at("right"));
  const Values got = decode(result, outputs.at("positive"));
  const double tolerance = result.encoding.scale != 0 ? 2.5 * result.encoding.scale : 0.01;
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], std::max(0.0, 3 * std::tanh(left[i] + right[i])), tolerance) << i;
}

// feature: B4 (C API)
TEST_F(OpPackages, ACustomOpRunsBetweenBuiltInOnes) {
  add_example();
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized}) {
    const Owned context = session_.context();
    const Model model = between_built_ins(kind);
    for (const Node& node : model.nodes) EXPECT_EQ(validate(model, node), QNN_SUCCESS) << node.name;
    const Graph graph = Graph::built(api_, context, model);
    const Buffers inputs = inputs_of(model);
    expect_scaled_tanh(model, inputs, graph.run(inputs));
  }
}

// feature: B4 (C API)
TEST_F(OpPackages, ScalarsAreReadInTheirWholeWidth) {
  add_example();
  const auto outputs_with = [&](Qnn_DataType_t type) {
    Model model = between_built_ins(Kind::kFloat);
    Param factor = scalar("factor", 300U);
    std::get<Qnn_Scalar_t>(factor.value).dataType = type;
    model.node("tanh").params = {factor};
    const Owned context = session_.context();
    return Graph::built(api_, context, model).run(inputs_of(model));
  };
  EXPECT_EQ(outputs_with(QNN_DATATYPE_UFIXED_POINT_16), outputs_with(QNN_DATATYPE_UINT_16));
}

// feature: B4 (C API)
TEST_F(OpPackages, TargetsAreCpuHtpOrNull) {
  EXPECT_TRUE(refused(api_, add(example_path(), "ScaledTanh_interfaceProvider", "GPU"),
                      QNN_BACKEND_ERROR_INVALID_ARGUMENT, {"GPU", "CPU", "HTP"}));
  for (const char* target : {static_cast<const char*>(nullptr), "CPU", "HTP"}) {
    const Session session;
    EXPECT_EQ(session.api.backendRegisterOpPackage(session.backend, example_path().c_str(),
                                                   "ScaledTanh_interfaceProvider", target),
              QNN_SUCCESS);
  }
}

// feature: B4 (C API)
TEST_F(OpPackages, ItsOpsAreListed) {
  add_example();
  uint32_t count = 0;
  const QnnBackend_OperationName_t* operations = nullptr;
  check(api_, api_.backendGetSupportedOperations(session_.backend, &count, &operations),
        "getSupportedOperations");
  bool found = false;
  for (uint32_t i = 0; i < count; ++i)
    found |= std::string(operations[i].packageName) == kExamplePackage &&
             std::string(operations[i].name) == "ScaledTanh";
  EXPECT_TRUE(found);
  const QnnBackend_OperationName_t* before = operations;
  add_odd();
  check(api_, api_.backendGetSupportedOperations(session_.backend, &count, &operations),
        "getSupportedOperations");
  EXPECT_STREQ(before[0].name, operations[0].name) << "the older list is still there";
}

// feature: B4 (C API)
TEST_F(OpPackages, ThePackageJudgesItsOps) {
  Model model = between_built_ins(Kind::kFloat);
  EXPECT_TRUE(refused(api_, validate(model, model.node("tanh")), QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND,
                      {kExamplePackage}));
  add_example();
  EXPECT_EQ(validate(model, model.node("tanh")), QNN_SUCCESS);
  model.node("tanh").params.clear();
  take_log();
  EXPECT_TRUE(refused(api_, validate(model, model.node("tanh")), QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE,
                      {kExamplePackage, "3110"}));
  EXPECT_THAT(take_log(), ::testing::HasSubstr("op package: ScaledTanh 'tanh' is not like this"));

  const Owned context = session_.context();
  Graph graph(api_, context, model);
  graph.create_tensors_of(graph.model.node("add"));
  check(api_, graph.add_node(graph.model.node("add")), "graphAddNode");
  graph.create_tensors_of(graph.model.node("tanh"));
  EXPECT_TRUE(refused(api_, graph.add_node(graph.model.node("tanh")), QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      {kExamplePackage}));
  graph.model.node("tanh").type = "Frobnicate";
  EXPECT_TRUE(refused(api_, graph.add_node(graph.model.node("tanh")), QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      {kExamplePackage, "Frobnicate", "name one of its ops"}));
}

// feature: B4 (C API)
TEST_F(OpPackages, NodesComeInOrderHereToo) {
  add_example();
  const Owned context = session_.context();
  Graph graph(api_, context, between_built_ins(Kind::kFloat));
  for (Node& node : graph.model.nodes) graph.create_tensors_of(node);
  EXPECT_TRUE(
      refused(api_, graph.add_node(graph.model.node("tanh")), QNN_GRAPH_ERROR_UNCONNECTED_NODE, {"sum"}));
}

// feature: B3, B4 (C API)
TEST_F(OpPackages, BatchesRunOneAfterTheOther) {
  add_example();
  const Owned context = session_.context();
  const Graph graph = Graph::built(api_, context, between_built_ins(Kind::kQuantized));
  Model three = graph.model;
  for (Tensor& tensor : three.tensors) tensor.dims[0] *= 3;
  const Buffers inputs = inputs_of(graph.model, 3);
  IoTensors io(three, inputs);
  check(api_, graph.execute(io), "graphExecute");
  expect_scaled_tanh(three, inputs, io.results);
}

// feature: B4 (C API)
TEST_F(OpPackages, ExecutionsInParallelDoNotDisturbEachOther) {
  add_example();
  const Owned context = session_.context();
  const Graph graph = Graph::built(api_, context, between_built_ins(Kind::kQuantized));
  const Buffers inputs = inputs_of(graph.model);
  const Buffers expected = graph.run(inputs);
  std::vector<std::thread> threads;
  std::atomic<int> differences{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i)
        if (graph.run(inputs) != expected) ++differences;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, 0);
}

// A package's code is no part of a binary: saving says so, and running goes on.
// feature: B4 (C API)
TEST_F(OpPackages, AGraphWithPackageOpsCannotBeSaved) {
  add_example();
  const Owned context = session_.context();
  const Graph graph = Graph::built(api_, context, between_built_ins(Kind::kFloat));
  Qnn_ContextBinarySize_t size = 0;
  EXPECT_TRUE(refused(api_, api_.contextGetBinarySize(context, &size),
                      QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED, {"between", "op package"}));
  Bytes buffer(1 << 20);
  EXPECT_TRUE(refused(api_, api_.contextGetBinary(context, buffer.data(), buffer.size(), &size),
                      QNN_CONTEXT_ERROR_GET_BINARY_FAILED, {"between", "op package"}));
  const Buffers inputs = inputs_of(graph.model);
  expect_scaled_tanh(graph.model, inputs, graph.run(inputs));
}

// feature: B4 (C API)
TEST_F(OpPackages, AProfileHoldsTheBuiltInPart) {
  add_example();
  const Owned context = session_.context();
  const Owned profile = session_.profile();
  const Graph graph = Graph::built(api_, context, between_built_ins(Kind::kFloat));
  graph.run(inputs_of(graph.model), profile);
  EXPECT_FALSE(events_of(api_, profile).empty());
}

// Inputs of the graph, constants and absent tensors go straight into a package op; outputs of the graph come
// straight out of it.
// feature: B4 (C API)
TEST_F(OpPackages, AGraphMayBeOnePackageOp) {
  add_odd();
  Model model{.name = "alone"};
  model.tensors = {number("in", QNN_TENSOR_TYPE_APP_WRITE, Kind::kFloat, 1, {4}),
                   number("constant", QNN_TENSOR_TYPE_STATIC, Kind::kFloat, 1, {4}),
                   number("sum", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4}),
                   number("copy", QNN_TENSOR_TYPE_NATIVE, Kind::kFloat, 1, {4})};
  model.tensor("constant").data = encode(model.tensor("constant"), Values{10, 20, 30, 40});
  model.nodes = {{.name = "sum",
                  .type = "SumAndMany",
                  .inputs = {"in", "constant"},
                  .outputs = {"sum", "copy"},
                  .package = "odd"}};
  const Owned context = session_.context();
  Graph graph(api_, context, model);
  graph.create_tensors_of(graph.model.nodes[0]);
  {
    Scratch scratch;
    Qnn_OpConfig_t config = describe(graph.model, graph.model.nodes[0], scratch);
    std::vector<Qnn_Tensor_t> inputs(config.v1.inputTensors, config.v1.inputTensors + 2);
    inputs.push_back(QNN_TENSOR_INIT);
    inputs.back().v1.type = QNN_TENSOR_TYPE_NULL;
    config.v1.inputTensors = inputs.data();
    config.v1.numOfInputs = 3;
    check(api_, api_.graphAddNode(graph.handle, config), "graphAddNode");
  }
  check(api_, graph.finalize(), "graphFinalize");
  const Buffers inputs = {{"in", encode(model.tensor("in"), Values{1, 2, 3, 4})}};
  EXPECT_THAT(decode(model.tensor("sum"), graph.run(inputs).at("sum")),
              ::testing::ElementsAre(11, 22, 33, 44));
  const Owned profile = session_.profile();
  graph.run(inputs, profile);
  EXPECT_EQ(events_of(api_, profile).size(), 1U) << "what the package's op took on this host";
}

// feature: B4 (C API)
TEST_F(OpPackages, FailuresOfAPackageAreNamed) {
  add_odd();
  for (const auto& [type, finalizes] : {std::pair("Fails", true), std::pair("MakesNothing", false)}) {
    Model model{.name = "failing"};
    model.tensors = {number("in", QNN_TENSOR_TYPE_APP_WRITE, Kind::kFloat, 1, {4}),
                     number("out", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4})};
    model.nodes = {{.name = "node", .type = type, .inputs = {"in"}, .outputs = {"out"}, .package = "odd"}};
    const Owned context = session_.context();
    Graph graph(api_, context, model);
    graph.compose();
    if (!finalizes) {
      EXPECT_TRUE(refused(api_, graph.finalize(), QNN_GRAPH_ERROR_FINALIZE_FAILED, {"odd", "4242", "node"}));
      continue;
    }
    check(api_, graph.finalize(), "graphFinalize");
    IoTensors io(graph.model, {{"in", Bytes(16)}});
    EXPECT_TRUE(refused(api_, graph.execute(io), QNN_GRAPH_ERROR_GENERAL, {"odd", "4711", "node"}));
  }
}

// The signal comes while the package's op runs: that one ends, and nothing behind it begins.
// feature: B2, B4 (C API)
TEST_F(OpPackages, ASignalStopsBehindAPackageOp) {
  add_odd();
  Model model{.name = "stopped"};
  model.tensors = {number("in", QNN_TENSOR_TYPE_APP_WRITE, Kind::kFloat, 1, {4}),
                   number("middle", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4}),
                   number("out", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4})};
  model.nodes = {
      {.name = "sum", .type = "SumAndMany", .inputs = {"in"}, .outputs = {"middle"}, .package = "odd"},
      {.name = "relu", .type = QNN_OP_RELU, .inputs = {"middle"}, .outputs = {"out"}}};
  const Owned context = session_.context();
  const Graph graph = Graph::built(api_, context, model);
  QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
  config.option = QNN_SIGNAL_CONFIG_OPTION_ABORT;
  const QnnSignal_Config_t* configs[] = {&config, nullptr};
  Qnn_SignalHandle_t handle = nullptr;
  check(api_, api_.signalCreate(session_.backend, configs, &handle), "signalCreate");
  const Owned signal(handle, api_.signalFree);

  struct Trigger {
    const Api& api;
    Qnn_SignalHandle_t signal;
    Qnn_ErrorHandle_t answer;
  } trigger{api_, handle, QNN_SIGNAL_ERROR_SIGNAL_IDLE};
  const SharedObject package(odd_path());
  const auto call_when_run =
      reinterpret_cast<void (*)(void (*)(void*), void*)>(package.symbol("Odd_callWhenRun"));
  call_when_run(
      [](void* argument) {
        auto* asked = static_cast<Trigger*>(argument);
        asked->answer = asked->api.signalTrigger(asked->signal);
      },
      &trigger);
  const Bytes input = encode(model.tensor("in"), Values{1, 2, 3, 4});
  IoTensors io(graph.model, {{"in", input}});
  const Qnn_ErrorHandle_t answer =
      api_.graphExecute(graph.handle, io.inputs.data(), static_cast<uint32_t>(io.inputs.size()),
                        io.outputs.data(), static_cast<uint32_t>(io.outputs.size()), nullptr, signal);
  call_when_run(nullptr, nullptr);
  EXPECT_EQ(trigger.answer, QNN_SUCCESS);
  EXPECT_TRUE(refused(api_, answer, QNN_GRAPH_ERROR_ABORTED, {"triggered"}));
  EXPECT_EQ(io.results.at("middle"), input);
  EXPECT_EQ(io.results.at("out"), Bytes(input.size())) << "the op behind it ran";
  EXPECT_EQ(graph.run({{"in", input}}).at("out"), input) << "the graph is unharmed";
}

// feature: B4 (C API)
TEST_F(OpPackages, BothVersionsOfTheInterfaceWork) {
  check(api_, add(odd_path(), "Odd_instances"), "registerOpPackage");
  Model model{.name = "instances"};
  model.tensors = {number("in", QNN_TENSOR_TYPE_APP_WRITE, Kind::kFloat, 1, {4}),
                   number("out", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4})};
  model.nodes = {
      {.name = "node", .type = "SumAndMany", .inputs = {"in"}, .outputs = {"out"}, .package = "instances"}};
  const Owned context = session_.context();
  const Graph graph = Graph::built(api_, context, model);
  const Buffers inputs = {{"in", encode(model.tensor("in"), Values{1, 2, 3, 4})}};
  EXPECT_EQ(graph.run(inputs).at("out"), inputs.at("in"));
}

// feature: B4 (C API)
TEST_F(OpPackages, EveryObjectIsGivenBack) {
  const SharedObject package(odd_path());
  const auto live = reinterpret_cast<int (*)()>(package.symbol("Odd_liveObjects"));
  {
    check(api_, add(odd_path(), "Odd_instances"), "registerOpPackage");
    Model model{.name = "instances"};
    model.tensors = {number("in", QNN_TENSOR_TYPE_APP_WRITE, Kind::kFloat, 1, {4}),
                     number("out", QNN_TENSOR_TYPE_APP_READ, Kind::kFloat, 1, {4})};
    model.nodes = {
        {.name = "node", .type = "SumAndMany", .inputs = {"in"}, .outputs = {"out"}, .package = "instances"}};
    const Owned context = session_.context();
    const Graph graph = Graph::built(api_, context, model);
    EXPECT_EQ(live(), 2);
    // A graph keeps its package alive, whatever becomes of the backend.
    EXPECT_EQ(session_.backend.free(), QNN_SUCCESS);
    const Buffers inputs = {{"in", encode(model.tensor("in"), Values{1, 2, 3, 4})}};
    EXPECT_EQ(graph.run(inputs).at("out"), inputs.at("in"));
  }
  EXPECT_EQ(live(), 0);
}

// ---- Registrations that fail ----

// feature: B4 (C API)
TEST_F(OpPackages, LibrariesThatCannotBeUsedAreToldApart) {
  EXPECT_TRUE(refused(api_, add("/nonexistent/libNone.so", "provider"),
                      QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND, {"libNone.so"}));
  EXPECT_TRUE(refused(api_, add("libNoneAtAll.so", "provider"), QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND));
  const std::string text = ::testing::TempDir() + "no_library.so";
  std::ofstream(text) << "this is no library";
  EXPECT_TRUE(refused(api_, add(text, "provider"), QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED,
                      {"no_library.so"}));
  EXPECT_TRUE(refused(api_, add(odd_path(), "nonesuch"), QNN_BACKEND_ERROR_OP_PACKAGE_IF_PROVIDER_NOT_FOUND,
                      {"nonesuch"}));
}

// feature: B4 (C API)
TEST_F(OpPackages, BadPackagesAreRefusedWithTheReason) {
  const struct {
    const char* provider;
    Qnn_ErrorHandle_t code;
    const char* word;
  } refusals[] = {
      {"Odd_unwilling", QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "4711"},
      {"Odd_fromTheFuture", QNN_BACKEND_ERROR_OP_PACKAGE_UNSUPPORTED_VERSION, "9.4"},
      {"Odd_failingInit", QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "init"},
      {"Odd_dspOnly", QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "createOpImpl"},
      {"Odd_nameless", QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "name"},
      {"Odd_empty", QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED, "4294967295"},
      {"Odd_namedLikeTheBuiltIn", QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE, "qti.aisw"},
  };
  for (const auto& [provider, code, word] : refusals)
    EXPECT_TRUE(refused(api_, add(odd_path(), provider), code, {word})) << provider;
  EXPECT_EQ(add(odd_path(), "Odd_provider"), QNN_SUCCESS) << "a refused package leaves nothing behind";
}

// feature: B4 (C API)
TEST_F(OpPackages, ANameIsRegisteredOnceInABackend) {
  add_example();
  EXPECT_TRUE(refused(api_, add(example_path(), "ScaledTanh_interfaceProvider"),
                      QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE, {kExamplePackage}));
  // Another backend may have it, too; the library is started once for both.
  const Owned other = create_backend(api_);
  EXPECT_EQ(
      api_.backendRegisterOpPackage(other, example_path().c_str(), "ScaledTanh_interfaceProvider", nullptr),
      QNN_SUCCESS);
}

// feature: B4 (C API)
TEST_F(OpPackages, BadArgumentsAreRefused) {
  EXPECT_TRUE(refused(api_, api_.backendRegisterOpPackage(nullptr, "x", "y", nullptr),
                      QNN_BACKEND_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(refused(api_, api_.backendRegisterOpPackage(session_.backend, nullptr, "y", nullptr),
                      QNN_BACKEND_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api_, api_.backendRegisterOpPackage(session_.backend, "x", nullptr, nullptr),
                      QNN_BACKEND_ERROR_INVALID_ARGUMENT));
}

}  // namespace
}  // namespace conformance
