// SPDX-License-Identifier: BSD-3-Clause
// Graphs and contexts as objects with options: names, priorities, and every HTP option.
#include <gmock/gmock.h>

#include <cstring>

#include "HTP/QnnHtpContext.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

// One graph option in a null-terminated list.
struct GraphOption {
  QnnHtpGraph_CustomConfig_t custom = QNN_HTP_GRAPH_CUSTOM_CONFIG_INIT;
  QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
  const QnnGraph_Config_t* entries[2] = {&config, nullptr};

  explicit GraphOption(QnnHtpGraph_ConfigOption_t option) {
    custom.option = option;
    config.option = QNN_GRAPH_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  explicit GraphOption(uint32_t priority) {
    config.option = QNN_GRAPH_CONFIG_OPTION_PRIORITY;
    std::memcpy(&config.priority, &priority, sizeof priority);
  }
  GraphOption(const GraphOption&) = delete;
  GraphOption& operator=(const GraphOption&) = delete;
  const QnnGraph_Config_t** list() { return entries; }
};

struct ContextOption {
  QnnHtpContext_CustomConfig_t custom = QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT;
  QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;
  const QnnContext_Config_t* entries[2] = {&config, nullptr};

  explicit ContextOption(QnnHtpContext_ConfigOption_t option) {
    std::memset(&custom, 0, sizeof custom);
    custom.option = option;
    config.option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  explicit ContextOption(QnnContext_ConfigOption_t option) {
    std::memset(&config, 0, sizeof config);
    config.option = option;
  }
  ContextOption(const ContextOption&) = delete;
  ContextOption& operator=(const ContextOption&) = delete;
  const QnnContext_Config_t** list() { return entries; }
};

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
TEST(GraphObjects, OptionsWithoutAnEffectSayWhyInTheLog) {
  const Session session;
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Owned plain = session.context();
  const Buffers expected = Graph::built(session.api, plain, sample.model).run(sample.inputs);
  for (const auto& [option, word] : std::vector<std::pair<QnnHtpGraph_ConfigOption_t, const char*>>{
           {QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG, "parallel graph"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING, "HMX bounding"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING, "weights packing"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT, "same quant"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER, "I/O buffer"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM, "LSTM"},
           {QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION, "compensation"}}) {
    take_log();
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, sample.model, GraphOption(option).list());
    EXPECT_EQ(graph.run(sample.inputs), expected) << word;
    const std::string log = take_log();
    EXPECT_THAT(log, HasSubstr(word));
    EXPECT_THAT(log, HasSubstr("no effect here"));
  }
}

// feature: B6 (C API)
TEST(GraphObjects, OptimizationsWithoutAnEffectSayWhyInTheLog) {
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t graph = nullptr;
  for (uint32_t type = 1; type <= 9; ++type) {
    if (type == QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG) continue;
    GraphOption option(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION);
    std::memcpy(&option.custom.optimizationOption.type, &type, sizeof type);
    option.custom.optimizationOption.floatValue = 1.0F;
    take_log();
    EXPECT_EQ(
        session.api.graphCreate(context, ("graph" + std::to_string(type)).c_str(), option.list(), &graph),
        QNN_SUCCESS);
    EXPECT_THAT(take_log(), HasSubstr("no effect here")) << type;
    option.custom.optimizationOption.floatValue = -1.0F;
    EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "bad", option.list(), &graph),
                        QNN_GRAPH_ERROR_INVALID_ARGUMENT));
  }
  GraphOption unknown(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION);
  std::memset(&unknown.custom.optimizationOption.type, 0x22, sizeof(uint32_t));
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "unknown", unknown.list(), &graph),
                      QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE));
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

// Deprecated, and without an effect either way.
// feature: B6 (C API)
TEST(GraphObjects, BothPrecisionsAreTaken) {
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t handle = nullptr;
  GraphOption precision(QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION);
  precision.custom.precision = QNN_PRECISION_FLOAT32;
  EXPECT_EQ(session.api.graphCreate(context, "float", precision.list(), &handle), QNN_SUCCESS);
  precision.custom.precision = QNN_PRECISION_FLOAT16;
  EXPECT_EQ(session.api.graphCreate(context, "half", precision.list(), &handle), QNN_SUCCESS);
  precision.custom.precision = static_cast<Qnn_Precision_t>(7);
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "none", precision.list(), &handle),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"7"}));
}

// feature: B6 (C API)
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
TEST(GraphObjects, CoresAndPPointsAreChecked) {
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t graph = nullptr;
  GraphOption cores(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES);
  cores.custom.numCores = 2;
  take_log();
  EXPECT_EQ(session.api.graphCreate(context, "cores", cores.list(), &graph), QNN_SUCCESS);
  EXPECT_THAT(take_log(), HasSubstr("one core is modelled"));
  cores.custom.numCores = 0;
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "none", cores.list(), &graph),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"core"}));
  GraphOption point(QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG);
  point.custom.finalizeConfig.key = "P";
  point.custom.finalizeConfig.value.dataType = QNN_DATATYPE_UINT_32;
  point.custom.finalizeConfig.value.uint32Value = 13;
  EXPECT_EQ(session.api.graphCreate(context, "point", point.list(), &graph), QNN_SUCCESS);
  point.custom.finalizeConfig.value.uint32Value = 7;
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "seven", point.list(), &graph),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"7"}));
  point.custom.finalizeConfig.key = nullptr;
  EXPECT_NE(session.api.graphCreate(context, "null", point.list(), &graph), QNN_SUCCESS);
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

// feature: B6 (C API)
TEST(ContextObjects, EveryHtpOptionHasAnEffectOrAReason) {
  const Session session;
  for (int number = 1; number <= 21; ++number) {
    const auto option = static_cast<QnnHtpContext_ConfigOption_t>(number);
    const bool reserved = option == QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_14 ||
                          option == QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_15;
    take_log();
    Qnn_ContextHandle_t context = nullptr;
    const Qnn_ErrorHandle_t answer =
        session.api.contextCreate(session.backend, session.device, ContextOption(option).list(), &context);
    if (reserved) {
      EXPECT_TRUE(refused(session.api, answer, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE)) << number;
      continue;
    }
    ASSERT_EQ(answer, QNN_SUCCESS) << number;
    const bool acts = option == QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY;  // its own test says how
    EXPECT_EQ(take_log().find("no effect here") == std::string::npos, acts) << number;
    check(session.api, session.api.contextFree(context, nullptr), "contextFree");
  }
}

// feature: B6 (C API)
TEST(ContextObjects, AGroupNeedsALiveFirstContext) {
  const Session session;
  const Owned first = session.context();
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS);
  option.custom.groupRegistration = {first.get(), 1024};
  const Owned second = session.context(option.list());
  option.custom.groupRegistration.firstGroupHandle = reinterpret_cast<Qnn_ContextHandle_t>(uintptr_t{0x1234});
  Qnn_ContextHandle_t third = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreate(session.backend, session.device, option.list(), &third),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"group"}));
}

// feature: B6 (C API)
TEST(ContextObjects, GarbageOptionsAreRefused) {
  const Session session;
  Qnn_ContextHandle_t context = nullptr;
  ContextOption garbage(QNN_HTP_CONTEXT_CONFIG_OPTION_UNKNOWN);
  std::memset(&garbage.custom, 0xA5, sizeof garbage.custom);
  EXPECT_NE(session.api.contextCreate(session.backend, session.device, garbage.list(), &context),
            QNN_SUCCESS);
  garbage.config.customConfig = nullptr;
  EXPECT_NE(session.api.contextCreate(session.backend, session.device, garbage.list(), &context),
            QNN_SUCCESS);
  ContextOption unknown(static_cast<QnnContext_ConfigOption_t>(4242));
  EXPECT_NE(session.api.contextCreate(session.backend, session.device, unknown.list(), &context),
            QNN_SUCCESS);
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

// feature: B1, C1 (C API)
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

// A binary with less VTCM than the part has runs, but not at its best.
// feature: B6, C1 (C API)
TEST(ContextObjects, StrictCompatibilityWantsTheWholePart) {
  const Session session;
  const Owned original = session.context();
  GraphOptions little;
  little.vtcm_mb(1);
  const Graph graph = Graph::built(session.api, original, add(Kind::kQuantized).model, little.list());
  const Bytes binary = binary_of(session.api, original);
  ContextOption option(QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY);
  option.config.binaryCompatibilityType = QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
  const Owned permissive = session.load(binary, option.list());
  option.config.binaryCompatibilityType = QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
  Qnn_ContextHandle_t context = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreateFromBinary(session.backend, session.device, option.list(),
                                                          binary.data(), binary.size(), &context, nullptr),
                      QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL, {"VTCM"}));
  EXPECT_TRUE(refused(session.api,
                      session.api.contextValidateBinary(session.backend, session.device, option.list(),
                                                        binary.data(), binary.size()),
                      QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL, {"VTCM"}));
}

}  // namespace
}  // namespace conformance
