// SPDX-License-Identifier: BSD-3-Clause
// Graphs and contexts as objects with options: names, priorities, which graphs are loaded. Every HTP option
// is in option_table_test.cc.
#include <gmock/gmock.h>

#include <cstring>

#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

// Clients that find a name taken retrieve the graph that has it.
// feature: B1 (C API)
TEST(GraphObjects, AGraphOfATakenNameCanBeRetrieved) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, add(Kind::kFloat).model);
  Qnn_GraphHandle_t second = nullptr;
  ASSERT_TRUE(refused(session.api,
                      session.api.graphCreate(context, graph.model.name.c_str(), nullptr, &second),
                      QNN_GRAPH_ERROR_INVALID_NAME, {"retrieve"}));
  ASSERT_EQ(session.api.graphRetrieve(context, graph.model.name.c_str(), &second), QNN_SUCCESS);
  EXPECT_EQ(second, graph.handle);
  EXPECT_TRUE(refused(session.api, session.api.graphRetrieve(context, "another", &second),
                      QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST, {"another", graph.model.name}));
}

// feature: B6 (C API)
TEST(GraphObjects, VtcmCanBeGivenInBytes) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  GraphOption little(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
  little.custom.vtcmSizeInBytes = 1 << 20;
  EXPECT_FALSE(Graph::built(session.api, context, sample.model, little.list()).run(sample.inputs).empty());
  GraphOption too_much(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
  too_much.custom.vtcmSizeInBytes = 1U << 30;
  Model model = sample.model;
  model.name = "too_much";
  Graph graph(session.api, context, model, too_much.list());
  graph.compose();
  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_FINALIZE_FAILED, {"VTCM"}));

  GraphOption odd(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
  odd.custom.vtcmSizeInBytes = 100000;
  Qnn_GraphHandle_t handle = nullptr;
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "odd", odd.list(), &handle),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"64 KiB"}));
}

// feature: B6, C5 (C API)
TEST(ContextObjects, APrepareOnlyContextDoesNotExecute) {
  const Session session;
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY);
  option.custom.isPrepareOnly = true;
  const Owned context = session.context(option.list());
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  EXPECT_TRUE(
      refused(session.api, graph.execute(io), QNN_COMMON_ERROR_OPERATION_NOT_PERMITTED, {"preparing"}));
  const Owned loaded = session.load(binary_of(session.api, context));
  EXPECT_FALSE(Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs).empty());
}

// feature: B6 (C API)
TEST(GraphObjects, PrioritiesAreThoseThatTheApiNames) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  for (const uint32_t priority : {0U, 50U, 100U, 150U, 200U, 300U, 400U, 500U}) {
    EXPECT_EQ(session.api.graphSetConfig(graph.handle, GraphOption(priority).list()), QNN_SUCCESS)
        << "also after finalize: " << priority;
    ContextOption option(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
    std::memcpy(&option.config.priority, &priority, sizeof priority);
    EXPECT_EQ(session.api.contextSetConfig(context, option.list()), QNN_SUCCESS) << priority;
  }
  for (const uint32_t priority : {1U, 99U, 0x7FFFFFFFU, 0xA5A5A5A5U}) {
    EXPECT_TRUE(refused(session.api, session.api.graphSetConfig(graph.handle, GraphOption(priority).list()),
                        QNN_GRAPH_ERROR_INVALID_ARGUMENT, {std::to_string(priority)}));
    ContextOption option(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
    std::memcpy(&option.config.priority, &priority, sizeof priority);
    EXPECT_TRUE(refused(session.api, session.api.contextSetConfig(context, option.list()),
                        QNN_CONTEXT_ERROR_INVALID_CONFIG, {std::to_string(priority)}));
  }
  EXPECT_TRUE(refused(session.api,
                      session.api.graphSetConfig(
                          graph.handle, GraphOption(QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING).list()),
                      QNN_GRAPH_ERROR_GRAPH_FINALIZED));
}

struct PriorityRow {
  uint32_t priority;
  const char* threads;
};

void expect_threads(const std::vector<PriorityRow>& rows) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model);
  for (const PriorityRow& row : rows) {
    take_log();
    EXPECT_EQ(session.api.graphSetConfig(graph.handle, GraphOption(row.priority).list()), QNN_SUCCESS);
    EXPECT_THAT(take_log(), HasSubstr("graph '" + graph.model.name + "': priority " +
                                      std::to_string(row.priority) + ": " + row.threads));
  }
}

// The documents' table; on Windows the system schedules, and all levels are alike.
// feature: B8 (C API)
TEST(GraphObjects, PrioritiesAreThoseOfHmxAndHvxThreads) {
  expect_threads({{0, "HMX threads at 0xC5, HVX threads at 0xC6"},
                  {50, "HMX threads at 0xC3, HVX threads at 0xC4"},
                  {100, "HMX threads at 0xC0, HVX threads at 0xC1"},
                  {150, "HMX threads at 0xBD, HVX threads at 0xBE"},
                  {200, "HMX threads at 0xBB, HVX threads at 0xBC"},
                  {300, "HMX threads at 0xB6, HVX threads at 0xB7"},
                  {400, "HMX threads at 0xB1, HVX threads at 0xB2"},
                  {500, "HMX threads at 0xAC, HVX threads at 0xAD"}});
  const ScopedEnvironment windows("OPENQNN_TARGET", "windows:SC8380XP");
  std::vector<PriorityRow> alike;
  for (const uint32_t priority : {0U, 50U, 100U, 150U, 200U, 300U, 400U, 500U})
    alike.push_back({priority, "HMX threads at 0xC0, HVX threads at 0xC1"});
  expect_threads(alike);
}

// feature: B8 (C API)
TEST(GraphObjects, AContextsPriorityReachesAllItsGraphs) {
  const Session session;
  const Owned context = session.context();
  const Sample first = add(Kind::kQuantized), second = conv_relu_pool(Kind::kQuantized);
  const Graph one = Graph::built(session.api, context, first.model);
  const Graph other = Graph::built(session.api, context, second.model);
  EXPECT_EQ(session.api.graphSetConfig(one.handle, GraphOption(uint32_t{0}).list()), QNN_SUCCESS);
  take_log();
  ContextOption option(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
  option.config.priority = QNN_PRIORITY_HIGH;
  EXPECT_EQ(session.api.contextSetConfig(context, option.list()), QNN_SUCCESS);
  const std::string log = take_log();
  for (const Graph* const graph : {&one, &other})
    EXPECT_THAT(log, ::testing::HasSubstr("graph '" + graph->model.name +
                                          "': priority 200: HMX threads at 0xBB, HVX threads at 0xBC"));
  // Also where the context has it from the start.
  const Bytes binary = binary_of(session.api, context);
  take_log();
  const Owned loaded = session.load(binary, option.list());
  EXPECT_THAT(take_log(), ::testing::HasSubstr("graph '" + first.model.name + "': priority 200"));
}

// feature: B6 (C API)
TEST(GraphObjects, ContinuousProfilingIsRefusedWithTheReason) {
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t graph = nullptr;
  QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
  config.option = QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE;
  const QnnGraph_Config_t* list[] = {&config, nullptr};
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "profiled", list, &graph),
                      QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE, {"continuous profiling"}));
}

// Only the graphs that are enabled are loaded.
// feature: B6, C1 (C API)
TEST(ContextObjects, EnableGraphsLoadsThoseAlone) {
  const Session session;
  const Owned original = session.context();
  const Graph first = Graph::built(session.api, original, add(Kind::kQuantized).model);
  const Graph second = Graph::built(session.api, original, matmul_softmax(Kind::kQuantized).model);
  const Bytes binary = binary_of(session.api, original);
  const char* names[] = {second.model.name.c_str(), nullptr};
  ContextOption option(QNN_CONTEXT_CONFIG_ENABLE_GRAPHS);
  option.config.enableGraphs = names;
  const Owned loaded = session.load(binary, option.list());
  Qnn_GraphHandle_t graph = nullptr;
  EXPECT_EQ(session.api.graphRetrieve(loaded, second.model.name.c_str(), &graph), QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api, session.api.graphRetrieve(loaded, first.model.name.c_str(), &graph),
                      QNN_GRAPH_ERROR_DISABLED, {first.model.name}));
  names[0] = "nonesuch";
  Qnn_ContextHandle_t context = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreateFromBinary(session.backend, session.device, option.list(),
                                                          binary.data(), binary.size(), &context, nullptr),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"nonesuch"}));
}

// feature: B1, C1, C8 (C API)
TEST(ContextObjects, ASignalCanLimitALoad) {
  const Session session;
  const Owned original = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, original, sample.model);
  const Bytes binary = binary_of(session.api, original);
  const auto load = [&](Qnn_SignalHandle_t signal, Qnn_ContextHandle_t* context) {
    return session.api.contextCreateFromBinaryWithSignal(
        session.backend, session.device, nullptr, binary.data(), binary.size(), context, nullptr, signal);
  };
  Qnn_ContextHandle_t context = nullptr;
  check(session.api, load(nullptr, &context), "contextCreateFromBinaryWithSignal");
  EXPECT_EQ(Graph::retrieved(session.api, context, graph.model).run(sample.inputs), graph.run(sample.inputs));
  check(session.api, session.api.contextFree(context, nullptr), "contextFree");

  QnnSignal_Config_t no_time = QNN_SIGNAL_CONFIG_INIT;
  no_time.option = QNN_SIGNAL_CONFIG_OPTION_TIMEOUT;
  no_time.timeoutDurationUs = 0;
  const QnnSignal_Config_t* options[] = {&no_time, nullptr};
  Qnn_SignalHandle_t signal = nullptr;
  check(session.api, session.api.signalCreate(session.backend, options, &signal), "signalCreate");
  EXPECT_TRUE(refused(session.api, load(signal, &context), QNN_CONTEXT_ERROR_TIMED_OUT));
  check(session.api, session.api.signalFree(signal), "signalFree");
}

}  // namespace
}  // namespace conformance
