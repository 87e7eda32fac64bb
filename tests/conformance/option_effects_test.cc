// SPDX-License-Identifier: BSD-3-Clause
// What options do, measured where a client can see it: in the binary's bytes, in the binary info, in the
// profile. Legal and illegal values are in option_table_test.cc.
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>

#include "HTP/QnnHtpProfile.h"
#include "HTP/QnnHtpSystemContext.h"
#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// ---- What a binary says of how a graph was prepared ----

struct Prepared {
  uint32_t vtcm_mb;
  uint64_t hvx_threads;
};
Prepared first_graph_of(const Bytes& binary) {
  const SystemLibrary library;
  QnnSystemContext_Handle_t handle = nullptr;
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  Bytes copy = binary;
  if (library.api().systemContextCreate(&handle) != QNN_SUCCESS ||
      library.api().systemContextGetBinaryInfo(handle, copy.data(), copy.size(), &info, &size) != QNN_SUCCESS)
    throw std::runtime_error("no binary info");
  const auto& graph = info->contextBinaryInfoV3.graphs[0].graphInfoV3;
  const auto& blob = static_cast<const QnnHtpSystemContext_GraphBlobInfo_t*>(graph.graphBlobInfo)
                         ->contextBinaryGraphBlobInfoV1;
  const Prepared prepared{blob.vtcmSize, blob.numHvxThreads};
  library.api().systemContextFree(handle);
  return prepared;
}

Bytes binary_on(const char* target, const Sample& sample, const QnnGraph_Config_t** options = nullptr) {
  const ScopedEnvironment environment("OPENQNN_TARGET", target);
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, sample.model, options);
  return binary_of(session.api, context);
}

Prepared prepared_on(const char* target, GraphOptions options = {}) {
  return first_graph_of(binary_on(target, add(Kind::kQuantized), options.list()));
}

// Documented: 4 MB, and what a part with less has.
// feature: B6 (C API)
TEST(OptionEffects, VtcmIs4MegabytesUnlessMoreIsAskedFor) {
  EXPECT_EQ(prepared_on("host:SM8650").vtcm_mb, 4U);
  EXPECT_EQ(prepared_on("android:SM8650").vtcm_mb, 4U);
  EXPECT_EQ(prepared_on("host:SM7450").vtcm_mb, 2U) << "all it has";
  EXPECT_EQ(prepared_on("").vtcm_mb, 4U);
  EXPECT_EQ(prepared_on("host:SM8650", GraphOptions().vtcm_mb(QNN_HTP_GRAPH_CONFIG_OPTION_MAX)).vtcm_mb, 8U);
  EXPECT_EQ(prepared_on("host:SM8650", GraphOptions().vtcm_mb(8)).vtcm_mb, 8U);
  EXPECT_EQ(prepared_on("host:SM8650", GraphOptions().vtcm_mb(2)).vtcm_mb, 2U);
}

// feature: B6 (C API)
TEST(OptionEffects, MoreVtcmThanThePartHasIsRefusedAtFinalize) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8650");
  const Session session;
  const Owned context = session.context();
  GraphOptions options;
  options.vtcm_mb(9);
  Graph graph(session.api, context, add(Kind::kQuantized).model, options.list());
  graph.compose();
  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_FINALIZE_FAILED,
                      {"9437184", "SM8650", "8388608"}));
}

// "The maximum" means something only where a SoC is named.
// feature: B6 (C API)
TEST(OptionEffects, AllVtcmWithoutASocIsSaidToBeTheDefaultParts) {
  const Session session;
  const Owned context = session.context();
  GraphOptions options;
  options.vtcm_mb(QNN_HTP_GRAPH_CONFIG_OPTION_MAX);
  take_log();
  const Graph graph = Graph::built(session.api, context, add(Kind::kQuantized).model, options.list());
  EXPECT_THAT(take_log(), HasSubstr("no SoC is named"));
}

// feature: B6, B9 (C API)
TEST(OptionEffects, VtcmInBytesIsForV81AndLater) {
  const auto answer_on = [](const char* target, uint32_t bytes) {
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Session session;
    const Owned context = session.context();
    GraphOption option(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
    option.custom.vtcmSizeInBytes = bytes;
    Qnn_GraphHandle_t graph = nullptr;
    return session.api.graphCreate(context, "g", option.list(), &graph);
  };
  constexpr uint32_t kDocumented = 8323072;  // the example of the documents
  EXPECT_EQ(answer_on("host:SM8850", kDocumented), QNN_SUCCESS);
  EXPECT_EQ(answer_on("host:SM8650", kDocumented), QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE);
  EXPECT_EQ(answer_on("host:SM8650", 2 << 20), QNN_SUCCESS) << "whole megabytes";
}

// Documented: 4 in offline preparation, all of the part's where it prepares itself.
// feature: B6, B9 (C API)
TEST(OptionEffects, HvxThreadsAre4OfflineAndAllOnline) {
  EXPECT_EQ(prepared_on("host:SM8850").hvx_threads, 4U);
  EXPECT_EQ(prepared_on("android:SM8850").hvx_threads, 8U);
  EXPECT_EQ(prepared_on("android:SM8750").hvx_threads, 6U);
  EXPECT_EQ(prepared_on("host:SM8850", GraphOptions().hvx_threads(8)).hvx_threads, 8U);
  EXPECT_EQ(prepared_on("android:SM8850", GraphOptions().hvx_threads(3)).hvx_threads, 3U);
}

uint64_t cycles_of(const Session& session, const Graph& graph, const Sample& sample) {
  const Owned profile = session.profile();
  graph.run(sample.inputs, profile);
  return only(events_of(session.api, profile), QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE)
      .value;
}

// feature: B6, B9 (C API)
TEST(OptionEffects, HvxThreadsMayChangeUntilTheFirstExecute) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8850");
  const Session session;
  const Sample sample = add_chain(Kind::kQuantized, 256, 4);
  const Owned original = session.context();
  Graph built = Graph::built(session.api, original, sample.model);
  const Bytes binary = binary_of(session.api, original);
  GraphOptions one;
  one.hvx_threads(1);
  GraphOptions too_many;
  too_many.hvx_threads(9);
  const Owned loaded = session.load(binary);
  const Graph retrieved = Graph::retrieved(session.api, loaded, built.model);
  for (const Graph* graph : {&std::as_const(built), &retrieved}) {
    EXPECT_TRUE(refused(session.api, session.api.graphSetConfig(graph->handle, too_many.list()),
                        QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"SM8850", "8"}));
    check(session.api, session.api.graphSetConfig(graph->handle, one.list()), "graphSetConfig");
  }
  EXPECT_EQ(first_graph_of(binary_of(session.api, original)).hvx_threads, 1U) << "it goes into the binary";
  const Owned untouched = session.load(binary);
  const uint64_t with_four =
      cycles_of(session, Graph::retrieved(session.api, untouched, built.model), sample);
  for (const Graph* graph : {&std::as_const(built), &retrieved}) {
    EXPECT_GT(cycles_of(session, *graph, sample), with_four);
    EXPECT_TRUE(refused(session.api, session.api.graphSetConfig(graph->handle, one.list()),
                        QNN_GRAPH_ERROR_GRAPH_FINALIZED, {"first execute"}));
  }
}

// ---- Weights ----

// Weights from -8 to 7 around the middle of their range, many enough to show in the binary.
Sample narrow_weights() {
  Sample sample = conv_relu_pool(Kind::kQuantized, 8, 64, 64);
  for (Tensor& tensor : sample.model.tensors) {
    if (tensor.role != QNN_TENSOR_TYPE_STATIC || tensor.dims.size() != 4) continue;
    for (std::byte& weight : tensor.data)
      weight = std::byte(static_cast<uint8_t>(-tensor.encoding.offset + int(weight) % 16 - 8));
  }
  return sample;
}

// feature: B6, B9 (C API)
TEST(OptionEffects, WeightsPackingHalvesWeightsThatFit) {
  const Session session;
  GraphOption packing(QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING);
  packing.custom.weightsPacking = true;
  const auto result = [&](const Sample& sample, const QnnGraph_Config_t** options) {
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, sample.model, options);
    return std::pair(graph.run(sample.inputs), binary_of(session.api, context).size());
  };
  const Sample narrow = narrow_weights();
  const auto [plain_outputs, plain_bytes] = result(narrow, nullptr);
  const auto [packed_outputs, packed_bytes] = result(narrow, packing.list());
  EXPECT_EQ(packed_outputs, plain_outputs) << "the numbers are the same";
  constexpr double kWeights = 3 * 3 * 64 * 64;
  constexpr double kPage = 4096;  // sections of a binary begin on one
  EXPECT_NEAR(static_cast<double>(plain_bytes - packed_bytes), kWeights / 2, kPage) << "half of them is left";

  const Sample wide = conv_relu_pool(Kind::kQuantized, 8, 64, 64);
  EXPECT_EQ(result(wide, packing.list()), result(wide, nullptr)) << "what does not fit stays as it is";
}

struct Shared {
  Owned context;
  std::vector<Graph> graphs;
  Bytes binary;
};

// Graphs of different names with the same weights, in one binary.
Shared two_graphs(const Session& session, const Sample& sample, bool sharing) {
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED);
  option.custom.weightSharingEnabled = sharing;
  Shared shared{session.context(option.list()), {}, {}};
  for (const char* name : {"first", "second"}) {
    Model model = sample.model;
    model.name = name;
    shared.graphs.push_back(Graph::built(session.api, shared.context, model));
  }
  shared.binary = binary_of(session.api, shared.context);
  return shared;
}

// feature: B6, C3 (C API)
TEST(OptionEffects, WeightSharingStoresEqualWeightsOnce) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  const Sample sample = conv_relu_pool(Kind::kQuantized, 8, 64, 64);
  const Shared apart = two_graphs(session, sample, false);
  const Shared shared = two_graphs(session, sample, true);
  constexpr size_t kWeights = 3 * 3 * 64 * 64;
  EXPECT_GE(apart.binary.size(), shared.binary.size() + kWeights);
  const Buffers expected = apart.graphs[0].run(sample.inputs);
  const Owned loaded = session.load(shared.binary);
  for (const Graph& graph : shared.graphs)
    EXPECT_EQ(Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs), expected);
  // A binary made of a shared one is shared: nothing is unpacked on the way.
  EXPECT_EQ(binary_of(session.api, loaded).size(), shared.binary.size());
}

// That a context with this switch on is refused, in these words; without words, that it is taken.
void expect_answer_on(const char* target, QnnHtpContext_ConfigOption_t which,
                      std::initializer_list<std::string> words) {
  ContextOption option(which);
  option.custom.weightSharingEnabled = true;  // all switches lie at the start of the union
  const ScopedEnvironment environment("OPENQNN_TARGET", target);
  const Session session;
  Qnn_ContextHandle_t context = nullptr;
  const Qnn_ErrorHandle_t answer =
      session.api.contextCreate(session.backend, session.device, option.list(), &context);
  if (words.size() > 0) {
    EXPECT_TRUE(refused(session.api, answer, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, words)) << target;
    return;
  }
  EXPECT_EQ(answer, QNN_SUCCESS) << target;
  EXPECT_EQ(session.api.contextFree(context, nullptr), QNN_SUCCESS);
}

// feature: A10, B6 (C API)
TEST(OptionEffects, ContextOptionsAreForThePartsAndPlatformsThatAreDocumented) {
  const auto sharing = QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED;
  expect_answer_on("host:SM8450", sharing, {"weight sharing", "v73", "v69"});
  expect_answer_on("host:SM8550", sharing, {});
  expect_answer_on("android:SM8650", sharing, {"weight sharing", "offline"});
  const auto extended_udma = QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA;
  expect_answer_on("host:SM8750", extended_udma, {"extended UDMA", "v81", "v79"});
  expect_answer_on("host:SM8850", extended_udma, {});
  expect_answer_on("android:SM8850", extended_udma, {});
  const auto lora = QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED;
  expect_answer_on("host:SM8450", lora, {});
  expect_answer_on("android:SM8750", lora, {"LoRA weight sharing", "offline"});
}

// feature: B6 (C API)
TEST(OptionEffects, AtMost64GraphsShareWeights) {
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED);
  option.custom.weightSharingEnabled = true;

  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  const Owned context = session.context(option.list());
  Qnn_GraphHandle_t graph = nullptr;
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(session.api.graphCreate(context, ("g" + std::to_string(i)).c_str(), nullptr, &graph),
              QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "one too many", nullptr, &graph),
                      QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE, {"64"}));
}

// feature: B6 (C API)
TEST(OptionEffects, GraphsThatShareWeightsHaveOneVtcmSize) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED);
  option.custom.weightSharingEnabled = true;
  const Owned context = session.context(option.list());
  Model model = add(Kind::kQuantized).model;
  Graph::built(session.api, context, model);
  model.name = "other";
  Graph::built(session.api, context, model, GraphOptions().vtcm_mb(8).list());
  Qnn_ContextBinarySize_t size = 0;
  EXPECT_TRUE(refused(session.api, session.api.contextGetBinarySize(context, &size),
                      QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED, {"other", "VTCM"}));
}

// ---- Options that count at one time only ----

// feature: B6 (C API)
TEST(OptionEffects, OptionsOfCreationAreRefusedLater) {
  const Session session;
  const Owned context = session.context();
  for (const auto option :
       {QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED, QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY,
        QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS,
        QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING})
    EXPECT_TRUE(refused(session.api, session.api.contextSetConfig(context, ContextOption(option).list()),
                        QNN_CONTEXT_ERROR_INVALID_CONFIG, {"created"}))
        << option;
  ContextOption profiling(QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
  profiling.custom.dspMemoryProfilingEnabled = true;
  EXPECT_EQ(session.api.contextSetConfig(context, profiling.list()), QNN_SUCCESS)
      << "documented to come later";
}

// feature: B6 (C API)
TEST(OptionEffects, OptionsOfLoadingAreSaidToHaveNoEffectOnAContextThatIsCreated) {
  const Session session;
  for (const auto option : {QNN_CONTEXT_CONFIG_PERSISTENT_BINARY, QNN_CONTEXT_CONFIG_ENABLE_GRAPHS,
                            QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY}) {
    const char* const no_graphs[] = {nullptr};
    ContextOption given(option);
    if (option == QNN_CONTEXT_CONFIG_PERSISTENT_BINARY) given.config.isPersistentBinary = 1;
    if (option == QNN_CONTEXT_CONFIG_ENABLE_GRAPHS) given.config.enableGraphs = no_graphs;
    if (option == QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY)
      given.config.binaryCompatibilityType = QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
    take_log();
    const Owned context = session.context(given.list());
    EXPECT_THAT(take_log(), HasSubstr("counts when a binary is loaded")) << option;
  }
}

// feature: B6 (C API)
TEST(OptionEffects, APersistentBinaryThatIsCopiedSaysSo) {
  const Bytes binary = binary_on("", add(Kind::kQuantized));
  const auto log_of_load_at = [&](size_t offset) {
    const Session session;
    std::vector<std::byte> room(binary.size() + 128);
    void* aligned = room.data();
    size_t left = room.size();
    auto* const at = static_cast<std::byte*>(std::align(64, binary.size() + offset, aligned, left)) + offset;
    std::copy(binary.begin(), binary.end(), at);
    take_log();
    session.load({at, binary.size()}, PersistentBinary().list());
    return take_log();
  };
  EXPECT_THAT(log_of_load_at(0), Not(HasSubstr("is copied")));
  EXPECT_THAT(log_of_load_at(8), HasSubstr("is copied"));
}

// A preset counts at level 3, whichever of the two comes first.
// feature: B6 (C API)
TEST(OptionEffects, APresetWithoutLevel3IsWarnedOf) {
  const Session session;
  const Owned context = session.context();
  GraphOption point(QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG);
  point.custom.finalizeConfig = {"P", QNN_SCALAR_INIT};
  point.custom.finalizeConfig.value.dataType = QNN_DATATYPE_UINT_32;
  point.custom.finalizeConfig.value.uint32Value = 3;
  GraphOptions level;
  level.optimization(3);
  const QnnGraph_Config_t* both[] = {point.list()[0], level.list()[0], nullptr};
  Qnn_GraphHandle_t graph = nullptr;
  take_log();
  check(session.api, session.api.graphCreate(context, "alone", point.list(), &graph), "graphCreate");
  EXPECT_THAT(take_log(), HasSubstr("level is 2"));
  check(session.api, session.api.graphCreate(context, "both", both, &graph), "graphCreate");
  EXPECT_THAT(take_log(), HasSubstr("the search is the same"));
}

// ---- Strict loading ----

// What creating a context answers; validateBinary answers the same.
Qnn_ErrorHandle_t load_on(const char* target, const Bytes& binary,
                          QnnContext_BinaryCompatibilityType_t compatibility) {
  const ScopedEnvironment environment("OPENQNN_TARGET", target);
  const Session session;
  ContextOption option(QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY);
  option.config.binaryCompatibilityType = compatibility;
  Qnn_ContextHandle_t context = nullptr;
  const Qnn_ErrorHandle_t answer = session.api.contextCreateFromBinary(
      session.backend, session.device, option.list(), binary.data(), binary.size(), &context, nullptr);
  EXPECT_EQ(session.api.contextValidateBinary(session.backend, session.device, option.list(), binary.data(),
                                              binary.size()),
            answer);
  if (context) check(session.api, session.api.contextFree(context, nullptr), "contextFree");
  return answer;
}

// Documented: a graph that was prepared with the maximum is sub-optimal where there is more; one that asked
// for less is not.
// feature: B6, C2 (C API)
TEST(OptionEffects, StrictLoadingAsksForMoreVtcmOnlyWhereAllWasWanted) {
  constexpr auto kStrict = QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
  const Sample sample = add(Kind::kQuantized);
  const Bytes content = binary_on("host:SM8550", sample, GraphOptions().vtcm_mb(2).list());
  EXPECT_EQ(load_on("host:SM8550", content, kStrict), QNN_SUCCESS);
  const Bytes all_of_four = binary_on("host:SM8635", sample, GraphOptions().vtcm_mb(0).list());
  EXPECT_EQ(load_on("host:SM8635", all_of_four, kStrict), QNN_SUCCESS);
  EXPECT_EQ(load_on("host:SM8550", all_of_four, kStrict), QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL);
  EXPECT_EQ(load_on("host:SM8550", all_of_four, QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE), QNN_SUCCESS);
}

// feature: C2 (C API)
TEST(OptionEffects, ABinaryThatCannotRunIsRefused) {
  constexpr auto kPermissive = QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
  constexpr auto kStrict = QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
  const Sample sample = add(Kind::kQuantized);
  const Bytes of_v75 = binary_on("host:SM8650", sample);
  const Bytes of_8_megabytes = binary_on("host:SM8550", sample, GraphOptions().vtcm_mb(8).list());
  for (const auto compatibility : {kPermissive, kStrict}) {
    EXPECT_EQ(load_on("host:SM8550", of_v75, compatibility), QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)
        << "of a newer architecture";
    EXPECT_EQ(load_on("host:SM8635", of_8_megabytes, compatibility), QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)
        << "of more VTCM";
  }
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  Qnn_ContextHandle_t context = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreateFromBinary(session.backend, session.device, nullptr,
                                                          of_v75.data(), of_v75.size(), &context, nullptr),
                      QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, {"SM8650", "v75", "SM8550", "prepare"}));
  EXPECT_EQ(context, nullptr);
}

// feature: C2 (C API)
TEST(OptionEffects, ABinaryOfAnOlderArchitectureRunsWhereThatIsPermitted) {
  const Sample sample = add(Kind::kQuantized);
  Bytes of_v73;
  Model model;
  Buffers expected;
  {
    const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8550");
    const Session session;
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, sample.model);
    of_v73 = binary_of(session.api, context);
    model = graph.model;
    expected = graph.run(sample.inputs);
  }
  EXPECT_EQ(load_on("host:SM8650", of_v73, QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT),
            QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL);
  EXPECT_EQ(load_on("host:SM8650", of_v73, QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE), QNN_SUCCESS);
  const ScopedEnvironment environment("OPENQNN_TARGET", "host:SM8650");
  const Session session;
  const Owned loaded = session.load(of_v73);  // permissive is the default
  EXPECT_EQ(Graph::retrieved(session.api, loaded, model).run(sample.inputs), expected);
}

// ---- Groups ----

// The listings of the documents: three contexts share a spill-fill buffer, and a fourth has its own.
class GroupTest : public ::testing::Test {
 protected:
  explicit GroupTest(const char* target = "") : environment_("OPENQNN_TARGET", target) {}

  Qnn_ErrorHandle_t load(Qnn_ContextHandle_t first, uint64_t bytes, Qnn_ContextHandle_t* context,
                         Qnn_Priority_t priority = QNN_PRIORITY_DEFAULT) {
    ContextOption registration(option_);
    registration.custom.groupRegistration = {first, bytes};
    ContextOption level(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
    level.config.priority = priority;
    const QnnContext_Config_t* list[] = {registration.list()[0], level.list()[0], nullptr};
    return session_.api.contextCreateFromBinary(session_.backend, session_.device, list, binary().data(),
                                                binary().size(), context, nullptr);
  }
  const Bytes& binary() {
    if (binary_.empty()) {
      const Owned context = session_.context();
      model_ = Graph::built(session_.api, context, add(Kind::kQuantized).model).model;
      binary_ = binary_of(session_.api, context);
    }
    return binary_;
  }
  void free(std::initializer_list<Qnn_ContextHandle_t> contexts) {
    for (const Qnn_ContextHandle_t context : contexts)
      EXPECT_EQ(session_.api.contextFree(context, nullptr), QNN_SUCCESS);
  }

  const ScopedEnvironment environment_;
  const Session session_;
  Bytes binary_;
  Model model_;
  QnnHtpContext_ConfigOption_t option_ = QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS;
};

constexpr uint64_t kListedSize = 30081024;

// feature: B6, C4 (C API)
TEST_F(GroupTest, LaterContextsSayTheSameSizeOrNone) {
  Qnn_ContextHandle_t first = nullptr;
  Qnn_ContextHandle_t second = nullptr;
  Qnn_ContextHandle_t third = nullptr;
  Qnn_ContextHandle_t other = nullptr;
  ASSERT_EQ(load(nullptr, kListedSize, &first), QNN_SUCCESS);
  ASSERT_EQ(load(first, kListedSize, &second), QNN_SUCCESS);
  ASSERT_EQ(load(first, 0, &third), QNN_SUCCESS);
  constexpr auto kInvalid = QNN_CONTEXT_ERROR_INVALID_CONFIG;
  EXPECT_TRUE(
      refused(session_.api, load(first, kListedSize + 1, &other), kInvalid, {"30081025", "30081024"}));
  EXPECT_TRUE(refused(session_.api, load(nullptr, 0, &other), kInvalid, {"above 0"}));
  EXPECT_TRUE(refused(session_.api, load(second, kListedSize, &other), kInvalid, {"founded"}))
      << "the second has not founded the group";
  const Owned outsider = session_.context();
  EXPECT_TRUE(refused(session_.api, load(outsider, kListedSize, &other), kInvalid, {"founded"}));
  free({first});
  EXPECT_TRUE(refused(session_.api, load(first, kListedSize, &other), kInvalid, {"live"}));
  free({second, third});
}

class ConcurrentGroupTest : public GroupTest {
 protected:
  ConcurrentGroupTest() : GroupTest("android:SM8850") {
    option_ = QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING;
  }
};

// feature: B6, C4 (C API)
TEST_F(ConcurrentGroupTest, PrioritiesAreEqualAndFrozen) {
  Qnn_ContextHandle_t first = nullptr;
  Qnn_ContextHandle_t second = nullptr;
  Qnn_ContextHandle_t alone = nullptr;
  Qnn_ContextHandle_t other = nullptr;
  ASSERT_EQ(load(nullptr, kListedSize, &first), QNN_SUCCESS);
  ASSERT_EQ(load(first, 0, &second), QNN_SUCCESS);
  ASSERT_EQ(load(nullptr, kListedSize, &alone, QNN_PRIORITY_LOW), QNN_SUCCESS);
  EXPECT_TRUE(refused(session_.api, load(first, 0, &other, QNN_PRIORITY_LOW),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"priority"}));
  ContextOption low(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
  low.config.priority = QNN_PRIORITY_LOW;
  EXPECT_TRUE(refused(session_.api, session_.api.contextSetConfig(second, low.list()),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"one priority"}));
  const Graph graph = Graph::retrieved(session_.api, second, model_);
  EXPECT_TRUE(refused(session_.api, session_.api.graphSetConfig(graph.handle, GraphOption(0U).list()),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"one priority"}));
  free({first, second, alone});
}

// feature: B6 (C API)
TEST_F(ConcurrentGroupTest, ARefusedPriorityLeavesTheOtherOptions) {
  Qnn_ContextHandle_t context = nullptr;
  ASSERT_EQ(load(nullptr, kListedSize, &context), QNN_SUCCESS);
  ContextOption profiling(QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
  profiling.custom.dspMemoryProfilingEnabled = true;
  ContextOption low(QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
  low.config.priority = QNN_PRIORITY_LOW;
  const QnnContext_Config_t* list[] = {&profiling.config, &low.config, nullptr};
  EXPECT_TRUE(refused(session_.api, session_.api.contextSetConfig(context, list),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"one priority"}));
  const Owned profile = session_.profile();
  check(session_.api, session_.api.contextFree(context, profile), "contextFree");
  for (const Event& event : events_of(session_.api, profile))
    EXPECT_NE(event.name, "DSP:after_context_freed");
}

// The listing as printed: three contexts in one group, and a fourth that founds its own, at any priority.
// feature: B6, C4 (C API)
TEST_F(ConcurrentGroupTest, ThreeContextsShareAndAFourthFoundsItsOwnGroup) {
  Qnn_ContextHandle_t first = nullptr;
  Qnn_ContextHandle_t second = nullptr;
  Qnn_ContextHandle_t third = nullptr;
  Qnn_ContextHandle_t fourth = nullptr;
  Qnn_ContextHandle_t fifth = nullptr;
  ASSERT_EQ(load(nullptr, kListedSize, &first), QNN_SUCCESS);
  ASSERT_EQ(load(first, kListedSize, &second), QNN_SUCCESS);
  ASSERT_EQ(load(first, kListedSize, &third), QNN_SUCCESS);
  ASSERT_EQ(load(nullptr, kListedSize, &fourth, QNN_PRIORITY_HIGH), QNN_SUCCESS);

  const Sample sample = add(Kind::kQuantized);
  const Buffers expected = Graph::retrieved(session_.api, first, model_).run(sample.inputs);
  for (const Qnn_ContextHandle_t context : {second, third, fourth})
    EXPECT_EQ(Graph::retrieved(session_.api, context, model_).run(sample.inputs), expected);

  // Only who founded a group can be joined, and each group has its own priority.
  constexpr auto kInvalid = QNN_CONTEXT_ERROR_INVALID_CONFIG;
  EXPECT_TRUE(refused(session_.api, load(third, kListedSize, &fifth), kInvalid, {"founded"}));
  EXPECT_TRUE(refused(session_.api, load(fourth, kListedSize, &fifth), kInvalid, {"priority"}));
  EXPECT_EQ(load(fourth, kListedSize, &fifth, QNN_PRIORITY_HIGH), QNN_SUCCESS);
  free({first, second, third, fourth, fifth});
}

// feature: A10, B6, C4 (C API)
TEST_F(GroupTest, ConcurrentGroupsAreForAndroidAndV81) {
  option_ = QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING;
  const auto refuses = [](const char* target, const char* word) {
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Session session;
    ContextOption option(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING);
    option.custom.concurrentGroupRegistration = {nullptr, kListedSize};
    Qnn_ContextHandle_t context = nullptr;
    EXPECT_TRUE(refused(session.api,
                        session.api.contextCreate(session.backend, session.device, option.list(), &context),
                        QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"concurrent", word}))
        << target;
  };
  refuses("android:SM8750", "v79");
  refuses("linux:SM8850", "Android");
}

}  // namespace
}  // namespace conformance
