// SPDX-License-Identifier: BSD-3-Clause
// The options that save memory bandwidth, and several cores: what a client sees of them in profiles, in the
// binary's description and in refusals.
#include <gmock/gmock.h>

#include "HTP/QnnHtpProfile.h"
#include "HTP/QnnHtpSystemContext.h"
#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

// A graph that lives on the way to DDR: level 1, one megabyte of VTCM, and what a test adds. The last of
// several sizes counts.
class Options {
 public:
  Options() {
    add_optimization(QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG, 1);
    add(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB).vtcmSizeInMB = 1;
  }
  Options& add_optimization(QnnHtpGraph_OptimizationType_t type, float value) {
    add(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION).optimizationOption = {type, value};
    return *this;
  }
  Options& vtcm_bytes(uint32_t bytes) {
    add(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES).vtcmSizeInBytes = bytes;
    return *this;
  }
  Options& cores(uint32_t count) {
    add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES).numCores = count;
    return *this;
  }
  Options& hvx_threads(uint64_t count) {
    add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS).numHvxThreads = count;
    return *this;
  }
  Options& clear() {
    options_.clear();
    return *this;
  }
  const QnnGraph_Config_t** list() {
    list_.clear();
    for (const auto& option : options_) list_.push_back(option->list()[0]);
    list_.push_back(nullptr);
    return list_.data();
  }

 private:
  QnnHtpGraph_CustomConfig_t& add(QnnHtpGraph_ConfigOption_t option) {
    return options_.emplace_back(std::make_unique<GraphOption>(option))->custom;
  }
  std::vector<std::unique_ptr<GraphOption>> options_;
  std::vector<const QnnGraph_Config_t*> list_;
};

// Tensors of two megabytes, which go to DDR and back.
const Sample& large_chain() {
  static const Sample kSample = add_chain(Kind::kQuantized, 2048, 3);
  return kSample;
}

uint64_t cycles_of(const Session& session, const Graph& graph) {
  const Owned profile = session.profile();
  graph.run(large_chain().inputs, profile);
  return only(events_of(session.api, profile), QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE)
      .value;
}

uint64_t cycles_on(const char* target, Options options) {
  const ScopedEnvironment environment("OPENQNN_TARGET", target);
  const Session session;
  const Owned context = session.context();
  return cycles_of(session, Graph::built(session.api, context, large_chain().model, options.list()));
}

constexpr auto kDlbc = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC;
constexpr auto kDlbcWeights = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS;
constexpr auto kSlc = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR;

// ---- VTCM ----

// feature: B9 (C API)
TEST(Bandwidth, AFewPagesMoreOfVtcmKeepMoreOutOfDdr) {
  const auto cycles_with = [](uint32_t bytes) {
    return cycles_on("host:SM8850", std::move(Options().vtcm_bytes(bytes)));
  };
  constexpr uint32_t kPage = 64 << 10;
  EXPECT_LT(cycles_with(kPage * 68), cycles_with(kPage * 17));
}

// ---- DLBC ----

// feature: B9 (C API)
TEST(Bandwidth, DlbcMakesABandwidthBoundGraphFaster) {
  const uint64_t plain = cycles_on("host:SM8650", {});
  EXPECT_LT(cycles_on("host:SM8650", std::move(Options().add_optimization(kDlbc, 1))), plain);
  EXPECT_EQ(cycles_on("host:SM8650", std::move(Options().add_optimization(kDlbc, 0))), plain);
}

// feature: B9 (C API)
TEST(Bandwidth, DlbcIsToldByTheBinary) {
  const auto told = [](float value) {
    const Session session;
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, large_chain().model,
                                     Options().add_optimization(kDlbc, value).list());
    Bytes binary = binary_of(session.api, context);
    const SystemLibrary library;
    QnnSystemContext_Handle_t handle = nullptr;
    const QnnSystemContext_BinaryInfo_t* info = nullptr;
    Qnn_ContextBinarySize_t size = 0;
    EXPECT_EQ(library.api().systemContextCreate(&handle), QNN_SUCCESS);
    EXPECT_EQ(library.api().systemContextGetBinaryInfo(handle, binary.data(), binary.size(), &info, &size),
              QNN_SUCCESS);
    const auto& blob = *static_cast<const QnnHtpSystemContext_GraphBlobInfo_t*>(
        info->contextBinaryInfoV3.graphs[0].graphInfoV3.graphBlobInfo);
    const int answer = blob.contextBinaryGraphBlobInfoV1.htpDlbc;
    library.api().systemContextFree(handle);
    return answer;
  };
  EXPECT_EQ(told(0), 0);
  EXPECT_EQ(told(1), 1);
}

// feature: B9 (C API)
TEST(Bandwidth, DlbcExcludesWeightSharing) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  ContextOption sharing(QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED);
  sharing.custom.weightSharingEnabled = true;
  const Owned context = session.context(sharing.list());
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model,
                                   Options().add_optimization(kDlbcWeights, 1).list());
  Qnn_ContextBinarySize_t size = 0;
  EXPECT_TRUE(refused(session.api, session.api.contextGetBinarySize(context, &size),
                      QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED, {"DLBC", "weight sharing"}));
}

// Documented: 32 graphs with one kind of compression, 16 with both.
// feature: B9 (C API)
TEST(Bandwidth, ABinaryHoldsSoManyCompressedGraphs) {
  const auto answer_with = [](int graphs, bool activations, bool weights) {
    const Session session;
    const Owned context = session.context();
    Model model = add(Kind::kQuantized).model;
    for (int i = 0; i < graphs; ++i) {
      model.name = "g" + std::to_string(i);
      Options options;
      options.add_optimization(kDlbc, activations ? 1 : 0).add_optimization(kDlbcWeights, weights ? 1 : 0);
      Graph::built(session.api, context, model, options.list());
    }
    Qnn_ContextBinarySize_t size = 0;
    return session.api.contextGetBinarySize(context, &size);
  };
  EXPECT_EQ(answer_with(33, false, false), QNN_SUCCESS);
  EXPECT_EQ(answer_with(32, true, false), QNN_SUCCESS);
  EXPECT_EQ(answer_with(33, true, false), QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED);
  EXPECT_EQ(answer_with(33, false, true), QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED);
  EXPECT_EQ(answer_with(16, true, true), QNN_SUCCESS);
  EXPECT_EQ(answer_with(17, true, true), QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED);
}

// feature: B9 (C API)
TEST(Bandwidth, DlbcExcludesASharedSpillFillBuffer) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model,
                                   Options().add_optimization(kDlbc, 1).list());
  const Bytes binary = binary_of(session.api, context);
  ContextOption group(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS);
  group.custom.groupRegistration = {nullptr, 30081024};
  Qnn_ContextHandle_t loaded = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreateFromBinary(session.backend, session.device, group.list(),
                                                          binary.data(), binary.size(), &loaded, nullptr),
                      QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"DLBC", "spill-fill"}));
}

// feature: B9 (C API)
TEST(Bandwidth, SomeOptionsAreForOfflinePreparation) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "android:SM8750");
  const Session session;
  const Owned context = session.context();
  Qnn_GraphHandle_t graph = nullptr;
  const auto expect_refused = [&](Options& options, const char* name) {
    EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "g", options.list(), &graph),
                        QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE, {name, "offline"}));
  };
  expect_refused(Options().add_optimization(kDlbc, 1), "DLBC");
  expect_refused(Options().add_optimization(kDlbcWeights, 1), "DLBC weights");
  expect_refused(Options().add_optimization(kSlc, 1), "SLC");
  expect_refused(Options().cores(2), "cores");
}

// ---- The system-level cache ----

Qnn_ErrorHandle_t set_slc(const Session& session, const Graph& graph, float value) {
  GraphOption option(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION);
  option.custom.optimizationOption = {kSlc, value};
  return session.api.graphSetConfig(graph.handle, option.list());
}

// Documented: decided offline; during execution 0 forces it off, and 1 restores it.
// feature: B9 (C API)
TEST(Bandwidth, TheSystemLevelCacheIsForcedOffAndRestored) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8750");
  const Session session;
  const Owned original = session.context();
  const uint64_t plain = cycles_on("host:SM8750", {});
  const Graph built =
      Graph::built(session.api, original, large_chain().model, Options().add_optimization(kSlc, 1).list());
  const Bytes binary = binary_of(session.api, original);
  const Owned loaded = session.load(binary);
  const Graph retrieved = Graph::retrieved(session.api, loaded, built.model);
  for (const Graph* graph : {&built, &retrieved}) {
    const uint64_t cached = cycles_of(session, *graph);
    EXPECT_LT(cached, plain);
    ASSERT_EQ(set_slc(session, *graph, 0), QNN_SUCCESS);
    EXPECT_EQ(cycles_of(session, *graph), plain) << "as if it was prepared without";
    ASSERT_EQ(set_slc(session, *graph, 1), QNN_SUCCESS);
    EXPECT_EQ(cycles_of(session, *graph), cached);
  }
  ASSERT_EQ(set_slc(session, built, 0), QNN_SUCCESS);
  EXPECT_EQ(binary_of(session.api, original), binary) << "a session's choice is not in the binary";
}

// feature: B9 (C API)
TEST(Bandwidth, ARefusedListLeavesTheSystemLevelCache) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8750");
  const Session session;
  const Owned context = session.context();
  const Graph graph =
      Graph::built(session.api, context, large_chain().model, Options().add_optimization(kSlc, 1).list());
  const uint64_t cached = cycles_of(session, graph);
  Options list;
  list.clear().add_optimization(kSlc, 0).hvx_threads(2);
  EXPECT_TRUE(refused(session.api, session.api.graphSetConfig(graph.handle, list.list()),
                      QNN_GRAPH_ERROR_GRAPH_FINALIZED, {"first execute"}));
  EXPECT_EQ(cycles_of(session, graph), cached);
}

// feature: B9 (C API)
TEST(Bandwidth, AGraphPreparedWithoutTheCacheCannotGetItLater) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8750");
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model);
  EXPECT_EQ(set_slc(session, graph, 0), QNN_SUCCESS);
  EXPECT_TRUE(
      refused(session.api, set_slc(session, graph, 1), QNN_GRAPH_ERROR_GRAPH_FINALIZED, {"SLC allocator"}));
}

// feature: B9 (C API)
TEST(Bandwidth, PartsWithoutTheCacheSaySo) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8650");
  const Session session;
  const Owned context = session.context();
  take_log();
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model,
                                   Options().add_optimization(kSlc, 1).list());
  EXPECT_THAT(take_log(), HasSubstr("SLC allocator has no effect"));
}

// ---- Cores ----

// feature: B9 (C API)
TEST(Bandwidth, TwoCoresAreForPartsThatHaveThem) {
  const auto answer_on = [](const char* target) {
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Session session;
    const Owned context = session.context();
    Options options;
    options.cores(2);
    Graph graph(session.api, context, add(Kind::kQuantized).model, options.list());
    graph.compose();
    return graph.finalize();
  };
  EXPECT_EQ(answer_on("host:SA8775P"), QNN_SUCCESS);
  EXPECT_EQ(answer_on("host:SM8650"), QNN_GRAPH_ERROR_FINALIZE_FAILED);
}

// feature: B9, C2 (C API)
TEST(Bandwidth, ABinaryForTwoCoresIsForPartsThatHaveThem) {
  const auto binary = [] {
    const ScopedEnvironment environment("OPENQNN_TARGET", "host:SA8775P");
    const Session session;
    const Owned context = session.context();
    Graph::built(session.api, context, add(Kind::kQuantized).model, Options().cores(2).list());
    return binary_of(session.api, context);
  }();
  const auto answer_on = [&](const char* target) {
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Session session;
    return session.api.contextValidateBinary(session.backend, session.device, nullptr, binary.data(),
                                             binary.size());
  };
  EXPECT_EQ(answer_on("host:SA8775P"), QNN_SUCCESS);
  EXPECT_EQ(answer_on("host:SM8550"), QNN_CONTEXT_ERROR_CREATE_FROM_BINARY);
}

// ---- Stages of finalize ----

TEST(Bandwidth, FinalizeTellsItsStagesAndWhatGoesToDdr) {
  const Session session;
  const Owned context = session.context();
  const Owned profile = session.profile();
  take_log();
  const Graph graph = Graph::built(session.api, context, large_chain().model, Options().list(), profile);
  const std::string log = take_log();
  const std::vector<std::string> stages = {
      "Graph Preparation Initializing", "Graph Optimizations", "Post Graph Optimization",
      "Graph Sequencing for Target",    "VTCM Allocation",     "Parallelization Optimization",
      "Finalizing Graph Sequence",      "Completion"};
  size_t at = 0;
  for (const std::string& stage : stages)
    for (const char* line : {"Starting stage: ", "Completed stage: "}) {
      at = log.find(line + stage, at);
      ASSERT_NE(at, std::string::npos) << line << stage << "\n" << log;
    }
  const size_t summary = log.find("====== DDR bandwidth summary ======");
  ASSERT_NE(summary, std::string::npos);
  EXPECT_GT(summary, log.find("Starting stage: Finalizing Graph Sequence"));
  EXPECT_LT(summary, log.find("Completed stage: Finalizing Graph Sequence"));

  std::vector<std::string> told;
  for (const Event& event : events_of(session.api, profile))
    if (std::ranges::count(stages, event.name) > 0) told.push_back(event.name);
  EXPECT_EQ(told, stages);
}

}  // namespace
}  // namespace conformance
