// SPDX-License-Identifier: BSD-3-Clause
// Whole sessions, in the order in which public clients make their calls, with results checked against the
// double-precision oracle.
#include <gmock/gmock.h>

#include <algorithm>

#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

class SessionTest : public ::testing::TestWithParam<Kind> {};

// Every call by hand, so that the order can be read here.
// feature: B1, B2 (C API)
TEST_P(SessionTest, OnlineInTheOrderOfClients) {
  const BackendLibrary library;
  const Api& api = library.api();
  const char* build_id = nullptr;
  check(api, api.backendGetBuildId(&build_id), "backendGetBuildId");
  Owned log = create_log(api);
  Owned backend = create_backend(api, log);
  ASSERT_EQ(api.propertyHasCapability(QNN_PROPERTY_GROUP_DEVICE), QNN_SUCCESS);
  Owned device = create_device(api, log);
  Owned profile = create_profile(api, backend);

  QnnContext_Config_t priority = QNN_CONTEXT_CONFIG_INIT;
  priority.option = QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
  priority.priority = QNN_PRIORITY_NORMAL;
  const QnnContext_Config_t* options[] = {&priority, nullptr};
  Owned context = create_context(api, backend, device, options);

  for (const Sample& sample : all_samples(GetParam())) {
    for (const Node& node : sample.model.nodes) {
      Scratch scratch;
      check(api, api.backendValidateOpConfig(backend, describe(sample.model, node, scratch)),
            "backendValidateOpConfig");
    }
    const Graph graph = Graph::built(api, context, sample.model, nullptr, profile);
    const auto expected = expected_outputs(sample.model, sample.inputs);
    for (int repeat = 0; repeat < 3; ++repeat)
      EXPECT_TRUE(agrees(graph.model, graph.run(sample.inputs, profile), expected));
  }

  EXPECT_EQ(context.free(), QNN_SUCCESS);
  EXPECT_EQ(profile.free(), QNN_SUCCESS);
  EXPECT_EQ(device.free(), QNN_SUCCESS);
  EXPECT_EQ(backend.free(), QNN_SUCCESS);
  EXPECT_EQ(log.free(), QNN_SUCCESS);
}

// feature: B1, B2 (C API)
TEST_P(SessionTest, MinimalWithoutLogAndDevice) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned backend = create_backend(api);
  const Owned context = create_context(api, backend);
  const Sample sample = conv_relu_pool(GetParam());
  const Graph graph = Graph::built(api, context, sample.model);
  EXPECT_TRUE(agrees(graph.model, graph.run(sample.inputs), expected_outputs(sample.model, sample.inputs)));
}

// feature: B2 (C API)
TEST_P(SessionTest, OtherInputsGiveOtherOutputs) {
  const Session session;
  const Owned context = session.context();
  Sample sample = matmul_softmax(GetParam());
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers first = graph.run(sample.inputs);
  const Tensor& rows = sample.model.tensor("rows");
  sample.inputs["rows"] = encode(rows, noise(rows.elements(), 4711));
  const Buffers second = graph.run(sample.inputs);
  EXPECT_TRUE(agrees(graph.model, second, expected_outputs(sample.model, sample.inputs)));
  EXPECT_NE(first, second);
}

// feature: B1 (C API)
TEST_P(SessionTest, TensorsOfVersion2AreTakenLikeVersion1) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(GetParam());
  Graph graph(session.api, context, sample.model);
  for (Tensor& tensor : graph.model.tensors)
    check(session.api, graph.create_tensor(tensor, QNN_TENSOR_VERSION_2), "tensorCreateGraphTensor");
  check(session.api, graph.add_node(graph.model.nodes.front()), "graphAddNode");
  check(session.api, graph.finalize(), "graphFinalize");
  EXPECT_TRUE(agrees(graph.model, graph.run(sample.inputs), expected_outputs(sample.model, sample.inputs)));
}

// feature: B1 (C API)
TEST_P(SessionTest, ExtraTensorsAndAnotherOrderAreAccepted) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(GetParam());
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  std::reverse(io.inputs.begin(), io.inputs.end());
  Qnn_Tensor_t stranger = io.inputs.front();
  stranger.v1.id = 987654;
  stranger.v1.name = "stranger";
  io.inputs.insert(io.inputs.begin(), stranger);
  check(session.api, graph.execute(io), "graphExecute");
  EXPECT_TRUE(agrees(graph.model, io.results, expected_outputs(sample.model, sample.inputs)));
}

// feature: B1 (C API)
TEST_P(SessionTest, GraphsOfOneContextAreIndependent) {
  const Session session;
  const Owned context = session.context();
  std::vector<Graph> graphs;
  const std::vector<Sample> samples = all_samples(GetParam());
  for (const Sample& sample : samples) graphs.push_back(Graph::built(session.api, context, sample.model));
  for (size_t i = graphs.size(); i-- > 0;)
    EXPECT_TRUE(agrees(graphs[i].model, graphs[i].run(samples[i].inputs),
                       expected_outputs(samples[i].model, samples[i].inputs)));
}

// feature: B1 (C API)
TEST_P(SessionTest, RetrieveFindsTheGraphByName) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(GetParam());
  const Graph built = Graph::built(session.api, context, sample.model);
  const Graph found = Graph::retrieved(session.api, context, built.model);
  EXPECT_EQ(found.run(sample.inputs), built.run(sample.inputs));
  Qnn_GraphHandle_t none = nullptr;
  EXPECT_TRUE(refused(session.api, session.api.graphRetrieve(context, "nobody", &none),
                      QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST, {"nobody"}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SessionTest, ::testing::Values(Kind::kFloat, Kind::kQuantized), kind_name);

// feature: B1 (C API)
TEST(Log, LevelsAreKept) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned log = create_log(api, QNN_LOG_LEVEL_ERROR);
  const Owned backend = create_backend(api, log);
  take_log();
  const Owned context = create_context(api, backend);
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  Graph::built(api, context, sample.model);
  EXPECT_EQ(take_log(), "") << "nothing failed, so nothing is an error";

  check(api, api.logSetLogLevel(log, QNN_LOG_LEVEL_DEBUG), "logSetLogLevel");
  Sample other = add(Kind::kFloat);
  Graph::built(api, context, other.model);
  take_log();  // may hold anything, or nothing
  EXPECT_TRUE(refused(api, api.logSetLogLevel(log, static_cast<QnnLog_Level_t>(17)),
                      QNN_LOG_ERROR_INVALID_ARGUMENT, {"17"}));
}

// feature: B1 (C API)
TEST(Log, AFailureIsLoggedWithItsSentence) {
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t graph = nullptr;
  take_log();
  const Qnn_ErrorHandle_t answer = session.api.graphRetrieve(context, "graph_that_is_not_there", &graph);
  EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST});
  EXPECT_THAT(take_log(), ::testing::HasSubstr("graph_that_is_not_there"));
}

}  // namespace
}  // namespace conformance
