// SPDX-License-Identifier: BSD-3-Clause
// Every option of the HTP backend in one table: legal values, edges, illegal values with their code, and what
// the log says of an option that has no effect here. What an option does when it has one is tested in
// option_effects_test.cc.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kActs = "";  // taken, and the log names no option without an effect

// One value of one option. Where it is taken, `says` stands in the log; where not, in the sentence.
template <class Custom>
struct Row {
  uint32_t option;
  std::function<void(Custom&)> fill;
  Qnn_ErrorHandle_t answer;
  const char* says;
};

using ContextRow = Row<QnnHtpContext_CustomConfig_t>;
using GraphRow = Row<QnnHtpGraph_CustomConfig_t>;

// A switch: "off" is what holds anyway, so nothing is said of it.
void add_switch(std::vector<ContextRow>& rows, uint32_t option, const char* says_when_on) {
  rows.push_back({option, [](auto& custom) { custom.weightSharingEnabled = false; }, QNN_SUCCESS, kActs});
  rows.push_back(
      {option, [](auto& custom) { custom.weightSharingEnabled = true; }, QNN_SUCCESS, says_when_on});
}

std::vector<ContextRow> context_rows() {
  constexpr auto kInvalid = QNN_CONTEXT_ERROR_INVALID_CONFIG;
  const auto share_type = [](uint32_t type) {
    return [type](QnnHtpContext_CustomConfig_t& custom) { std::memcpy(&custom.shareResOptType, &type, 4); };
  };
  const auto group = [](uintptr_t first, uint64_t bytes) {
    return [=](QnnHtpContext_CustomConfig_t& custom) {
      custom.groupRegistration = {reinterpret_cast<Qnn_ContextHandle_t>(first), bytes};
    };
  };
  std::vector<ContextRow> rows = {
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS, group(0, 30081024), QNN_SUCCESS,
       "group registration"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS, group(0, 1), QNN_SUCCESS, "no effect here"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS, group(0, 0), kInvalid, "above 0"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS, group(0x1234, 1), kInvalid, "live context"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING, group(0, 30081024), QNN_SUCCESS,
       "concurrent resource sharing"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING, group(0, 0), kInvalid, "above 0"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET,
       [](auto& custom) { custom.fileReadMemoryBudgetInMb = 25; }, QNN_SUCCESS, "file read memory budget"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET,
       [](auto& custom) { custom.fileReadMemoryBudgetInMb = UINT64_MAX; }, QNN_SUCCESS, "no effect here"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE, share_type(0), QNN_SUCCESS,
       "share resources type"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE, share_type(2), QNN_SUCCESS,
       "no effect here"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE, share_type(3), kInvalid, "3"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT, [](auto& custom) { custom.reusedIoLimitMb = 64; },
       QNN_SUCCESS, "reused I/O limit"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_EXTRA_SIZE,
       [](auto& custom) { custom.concurrentDeserializationExtraSizeKB = 1; }, QNN_SUCCESS, "extra size"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH,
       [](auto& custom) { custom.concurrentDeserializationPatchFd = 2; }, QNN_SUCCESS, "patch"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH,
       [](auto& custom) { custom.concurrentDeserializationPatchFd = -1; }, kInvalid, "-1"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_14, [](auto&) {}, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, "14"},
      {QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_15, [](auto&) {}, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, "15"},
      {0, [](auto&) {}, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, "0"},
      {22, [](auto&) {}, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, "22"},
  };
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED, kActs);
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY, kActs);
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED, "DSP memory profiling");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES, "list of binaries alone");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION, "I/O memory estimation");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION, "init acceleration");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA, "extended UDMA");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED, "LoRA weight sharing");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED, "LoRA RAM preload");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_REFERENCE_WEIGHT_SHARING_ENABLED,
             "reference weight sharing");
  add_switch(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_ENABLED, "graph splitting");
  // Whether anything is said depends on whether binary sections are offered.
  rows.push_back({QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION,
                  [](auto& custom) { custom.skipValidationOnBinarySection = false; }, QNN_SUCCESS, kActs});
  return rows;
}

std::vector<GraphRow> graph_rows() {
  constexpr auto kInvalid = QNN_GRAPH_ERROR_INVALID_ARGUMENT;
  using Custom = QnnHtpGraph_CustomConfig_t;
  const auto optimization = [](uint32_t type, float value) {
    return [=](Custom& custom) {
      std::memcpy(&custom.optimizationOption.type, &type, sizeof type);
      custom.optimizationOption.floatValue = value;
    };
  };
  const auto precision = [](uint32_t value) {
    return [value](Custom& custom) { std::memcpy(&custom.precision, &value, sizeof value); };
  };
  const auto preset = [](const char* key, uint32_t point) {
    return [=](Custom& custom) {
      custom.finalizeConfig.key = key;
      custom.finalizeConfig.value.dataType = QNN_DATATYPE_UINT_32;
      custom.finalizeConfig.value.uint32Value = point;
    };
  };
  const auto on = [](bool Custom::*flag) { return [flag](Custom& custom) { custom.*flag = true; }; };
  constexpr uint32_t kLevel = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG;
  std::vector<GraphRow> rows = {
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 1), QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 2), QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 3), QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 0), kInvalid, "level 0"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 4), kInvalid, "level 4"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, 1.5F), kInvalid, "1.5"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(kLevel, NAN), kInvalid, "nan"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(0, 1), QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
       "0"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(10, 1), QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
       "10"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION, precision(QNN_PRECISION_FLOAT32), QNN_SUCCESS, "deprecated"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION, precision(QNN_PRECISION_FLOAT16), QNN_SUCCESS, "deprecated"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION, precision(2), kInvalid, "2"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB, [](auto& custom) { custom.vtcmSizeInMB = 0; },
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB, [](auto& custom) { custom.vtcmSizeInMB = 4; },
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES, [](auto& custom) { custom.vtcmSizeInBytes = 65536; },
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES, [](auto& custom) { custom.vtcmSizeInBytes = 65535; },
       kInvalid, "64 KiB"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS, [](auto& custom) { custom.numHvxThreads = 1; },
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS, [](auto& custom) { custom.numHvxThreads = 0; }, kInvalid,
       "between 1"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS,
       [](auto& custom) { custom.numHvxThreads = (uint64_t{1} << 32) + 1; }, kInvalid, "4294967297"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset("P", 0), QNN_SUCCESS, "optimization level 3 only"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset("P", 23), QNN_SUCCESS, "no effect"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset("P", 7), kInvalid, "P point 7"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset("P", 24), kInvalid, "P point 24"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset("Q", 1), kInvalid, "'Q'"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG, preset(nullptr, 1), kInvalid, "key"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES, [](auto& custom) { custom.numCores = 1; }, QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES, [](auto& custom) { custom.numCores = 2; }, QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES, [](auto& custom) { custom.numCores = 0; }, kInvalid, "core"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF,
       on(&Custom::foldReluActivationIntoConvOff), QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF, on(&Custom::shortDepthConvOnHmxOff),
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION, on(&Custom::advancedActivationFusion),
       QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID, on(&Custom::highPrecisionSigmoid), QNN_SUCCESS,
       kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING, on(&Custom::weightsPacking), QNN_SUCCESS, kActs},
      {QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG, [](auto&) {}, QNN_SUCCESS,
       "parallel graph"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING, [](auto&) {}, QNN_SUCCESS, "HMX bounding"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT, on(&Custom::assumeSameQuant), QNN_SUCCESS,
       "same quant"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER, on(&Custom::shareIOBuffer), QNN_SUCCESS, "I/O buffer"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM, on(&Custom::monolithicLstm), QNN_SUCCESS, "LSTM"},
      {QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION, on(&Custom::precisionCompensation), QNN_SUCCESS,
       "compensation"},
      {0, [](auto&) {}, QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE, "0"},
      {19, [](auto&) {}, QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE, "19"},
  };
  for (uint32_t type = 1; type <= 9; ++type) {
    if (type == kLevel) continue;
    const bool acts = type == QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC ||
                      type == QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS ||
                      type == QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR;
    rows.push_back({QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(type, 1), QNN_SUCCESS,
                    acts ? kActs : "no effect here"});
    rows.push_back({QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(type, 0), QNN_SUCCESS, kActs});
    if (type > kLevel)  // on or off
      rows.push_back({QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(type, 0.5F), kInvalid, "0.5"});
    rows.push_back({QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, optimization(type, -1), kInvalid, "-1"});
    rows.push_back({QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION,
                    optimization(type, std::numeric_limits<float>::infinity()), kInvalid, "inf"});
  }
  return rows;
}

template <class Custom>
std::string name_of(const Row<Custom>& row, size_t index) {
  return "option " + std::to_string(row.option) + ", row " + std::to_string(index);
}

// Whether an object was made, and what was said, as the row has it.
template <class Custom>
void expect_answer(const Session& session, const Row<Custom>& row, Qnn_ErrorHandle_t answer) {
  const std::string log = take_log();
  if (row.answer != QNN_SUCCESS) {
    EXPECT_TRUE(refused(session.api, answer, row.answer, {row.says}));
    return;
  }
  EXPECT_EQ(answer, QNN_SUCCESS) << verbose_message(session.api, answer);
  if (row.says == std::string(kActs))
    EXPECT_THAT(log, Not(HasSubstr("has no effect")));
  else
    EXPECT_THAT(log, HasSubstr(row.says));
}

// Every number that the header names has a row that is taken, unless it is reserved.
template <class Custom>
void expect_complete(const std::vector<Row<Custom>>& rows, uint32_t last,
                     const std::set<uint32_t>& reserved) {
  std::set<uint32_t> taken;
  for (const Row<Custom>& row : rows)
    if (row.answer == QNN_SUCCESS) taken.insert(row.option);
  for (uint32_t option = 1; option <= last; ++option)
    EXPECT_EQ(taken.contains(option), !reserved.contains(option)) << "option " << option;
}

// feature: B6, C5 (C API)
TEST(OptionTable, ContextOptions) {
  const Session session;
  const std::vector<ContextRow> rows = context_rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(name_of(rows[i], i));
    ContextOption option(static_cast<QnnHtpContext_ConfigOption_t>(rows[i].option));
    rows[i].fill(option.custom);
    take_log();
    Qnn_ContextHandle_t context = nullptr;
    expect_answer(session, rows[i],
                  session.api.contextCreate(session.backend, session.device, option.list(), &context));
    if (context) check(session.api, session.api.contextFree(context, nullptr), "contextFree");
  }
  expect_complete(rows, QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH,
                  {QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_14, QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_15});
}

// feature: B6 (C API)
TEST(OptionTable, ContextOptionsOfEveryBackend) {
  const Session session;
  const auto create = [&](uint32_t number) {
    ContextOption option(static_cast<QnnContext_ConfigOption_t>(number));
    Qnn_ContextHandle_t context = nullptr;
    take_log();
    const Qnn_ErrorHandle_t answer =
        session.api.contextCreate(session.backend, session.device, option.list(), &context);
    if (context) check(session.api, session.api.contextFree(context, nullptr), "contextFree");
    return answer;
  };
  EXPECT_EQ(create(QNN_CONTEXT_CONFIG_OPTION_ERROR_REPORTING), QNN_SUCCESS);
  EXPECT_THAT(take_log(), HasSubstr("context option 'error reporting' has no effect here"));
  EXPECT_TRUE(refused(session.api, create(QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT),
                      QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"DEFER_GRAPH_INIT"}));
  EXPECT_TRUE(refused(session.api, create(12), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                      {"no context option has the number 12"}));
}

// No graph is ever unloaded: the options of graph switching say so, and every graph stays there.
// feature: B6 (C API)
TEST(OptionTable, OptionsOfGraphSwitchingSayThatTheyHaveNoEffect) {
  const Session session;
  const Owned original = session.context();
  const Sample samples[] = {add(Kind::kQuantized), matmul_softmax(Kind::kQuantized)};
  std::vector<Graph> graphs;
  for (const Sample& sample : samples) graphs.push_back(Graph::built(session.api, original, sample.model));
  const Bytes binary = binary_of(session.api, original);

  ContextOption hint(QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT);
  hint.config.memoryLimitHint = 1;
  ContextOption order(QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER);
  const char* names[] = {graphs[1].model.name.c_str(), nullptr};
  order.config.graphRetentionOrder = names;
  PersistentBinary persistent;
  const QnnContext_Config_t* all[] = {persistent.list()[0], hint.list()[0], order.list()[0], nullptr};
  take_log();
  const Owned loaded = session.load(binary, all);
  const std::string log = take_log();
  for (const char* option : {"memory limit hint", "graph retention order"})
    EXPECT_THAT(log, HasSubstr("context option '" + std::string(option) + "' has no effect here: "));
  for (size_t i = 0; i < std::size(samples); ++i)
    EXPECT_EQ(Graph::retrieved(session.api, loaded, graphs[i].model).run(samples[i].inputs),
              graphs[i].run(samples[i].inputs));
  take_log();
  const Owned plain = session.load(binary, persistent.list());
  EXPECT_THAT(take_log(), Not(HasSubstr("has no effect")));
}

// feature: B6 (C API)
TEST(OptionTable, GraphOptions) {
  const Session session;
  const Owned context = session.context();
  const std::vector<GraphRow> rows = graph_rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(name_of(rows[i], i));
    GraphOption option(static_cast<QnnHtpGraph_ConfigOption_t>(rows[i].option));
    rows[i].fill(option.custom);
    take_log();
    Qnn_GraphHandle_t graph = nullptr;
    expect_answer(
        session, rows[i],
        session.api.graphCreate(context, ("graph" + std::to_string(i)).c_str(), option.list(), &graph));
  }
  expect_complete(rows, QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION, {});
}

// An option without an effect leaves results as they are, whatever the log says of it.
// feature: B6 (C API)
TEST(OptionTable, OptionsWithoutAnEffectChangeNoResult) {
  const Session session;
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Owned plain = session.context();
  const Buffers expected = Graph::built(session.api, plain, sample.model).run(sample.inputs);
  for (const GraphRow& row : graph_rows()) {
    if (row.answer != QNN_SUCCESS || row.says == std::string(kActs)) continue;
    GraphOption option(static_cast<QnnHtpGraph_ConfigOption_t>(row.option));
    row.fill(option.custom);
    const Owned context = session.context();
    EXPECT_EQ(Graph::built(session.api, context, sample.model, option.list()).run(sample.inputs), expected)
        << row.says;
  }
}

// ---- Payloads that mean nothing ----

// A mistyped option reads what another one wrote, or what nobody did.
// feature: B6 (C API)
TEST(OptionTable, GarbagePayloadsAreAnsweredAndNeverFollowed) {
  const Session session;
  const Owned context = session.context();
  std::vector<uint32_t> options = {0x7FFF0000, 0x7FFFFFFF, 0xA5A5A5A5};
  for (uint32_t option = 0; option < 32; ++option) options.push_back(option);
  int graphs = 0;
  for (const int byte : {0x00, 0x01, 0x7F, 0xA5, 0xFF})
    for (const uint32_t option : options) {
      SCOPED_TRACE("option " + std::to_string(option) + " full of " + std::to_string(byte));
      const auto fill = [&](auto& custom) {
        std::memset(&custom, byte, sizeof custom);
        std::memcpy(&custom.option, &option, sizeof option);
      };
      ContextOption of_context(QNN_HTP_CONTEXT_CONFIG_OPTION_UNKNOWN);
      fill(of_context.custom);
      Qnn_ContextHandle_t made = nullptr;
      if (session.api.contextCreate(session.backend, session.device, of_context.list(), &made) == QNN_SUCCESS)
        check(session.api, session.api.contextFree(made, nullptr), "contextFree");
      GraphOption of_graph(QNN_HTP_GRAPH_CONFIG_OPTION_UNKNOWN);
      fill(of_graph.custom);
      Qnn_GraphHandle_t graph = nullptr;
      const std::string name = "graph" + std::to_string(graphs++);
      const Qnn_ErrorHandle_t answer =
          session.api.graphCreate(context, name.c_str(), of_graph.list(), &graph);
      EXPECT_EQ(answer == QNN_SUCCESS, graph != nullptr);
    }
  // The context is as it was.
  const Sample sample = add(Kind::kQuantized);
  EXPECT_EQ(Graph::built(session.api, context, sample.model).run(sample.inputs).size(), 1U);
}

// An HTP struct put straight into a list, as a public listing prints it, is read as another option, whose
// pointer it does not have.
// feature: B6 (C API)
TEST(OptionTable, MisplacedStructsAreAnsweredAndNeverFollowed) {
  const Session session;
  const Owned context = session.context();
  const auto tried = [](auto config, uint32_t option, int byte, auto&& create, auto&& destroy) {
    std::memset(static_cast<void*>(&config), byte, sizeof config);
    std::memcpy(static_cast<void*>(&config.option), &option, sizeof option);
    const decltype(config)* list[] = {&config, nullptr};
    void* made = nullptr;
    if (create(list, &made) == QNN_SUCCESS) {
      EXPECT_EQ(destroy(made), QNN_SUCCESS);
    }
  };
  const Api& api = session.api;
  int graphs = 0;
  for (const int byte : {0x00, 0x01, 0x7F, 0xA5, 0xFF})
    for (uint32_t option = 0; option < 16; ++option) {
      SCOPED_TRACE("option " + std::to_string(option) + " full of " + std::to_string(byte));
      tried(
          QnnContext_Config_t(QNN_CONTEXT_CONFIG_INIT), option, byte,
          [&](auto list, void** made) {
            return api.contextCreate(session.backend, session.device, list, made);
          },
          [&](void* made) { return api.contextFree(made, nullptr); });
      tried(
          QnnGraph_Config_t(QNN_GRAPH_CONFIG_INIT), option, byte,
          [&](auto list, void** made) {
            return api.graphCreate(context, ("graph" + std::to_string(graphs++)).c_str(), list, made);
          },
          [](void*) -> Qnn_ErrorHandle_t { return QNN_SUCCESS; });
      tried(
          QnnDevice_Config_t(QNN_DEVICE_CONFIG_INIT), option, byte,
          [&](auto list, void** made) { return api.deviceCreate(nullptr, list, made); },
          [&](void* made) { return api.deviceFree(made); });
    }
  QnnContext_Config_t enable = QNN_CONTEXT_CONFIG_INIT;
  enable.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
  const char* names[] = {reinterpret_cast<const char*>(uintptr_t{1}), nullptr};  // NOLINT
  enable.enableGraphs = names;
  const QnnContext_Config_t* list[] = {&enable, nullptr};
  void* made = nullptr;
  EXPECT_TRUE(refused(api, api.contextCreate(session.backend, session.device, list, &made),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"name 0", "no memory"}));
}

// feature: B6 (C API)
TEST(OptionTable, AnOptionWithoutItsStructIsRefused) {
  const Session session;
  const Owned context = session.context();
  ContextOption of_context(QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY);
  of_context.config.customConfig = nullptr;
  Qnn_ContextHandle_t made = nullptr;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreate(session.backend, session.device, of_context.list(), &made),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"customConfig"}));
  GraphOption of_graph(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES);
  of_graph.config.customConfig = nullptr;
  Qnn_GraphHandle_t graph = nullptr;
  EXPECT_TRUE(refused(session.api, session.api.graphCreate(context, "g", of_graph.list(), &graph),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"customConfig"}));
}

// ---- Backend and device ----

// feature: B6 (C API)
TEST(OptionTable, BackendOptions) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned log = create_log(api);
  QnnBackend_Config_t config = QNN_BACKEND_CONFIG_INIT;
  const QnnBackend_Config_t* list[] = {&config, nullptr};
  Qnn_BackendHandle_t backend = nullptr;
  const auto create = [&] { return api.backendCreate(log, list, &backend); };
  config.option = QNN_BACKEND_CONFIG_OPTION_ERROR_REPORTING;
  config.errorConfig = {QNN_ERROR_REPORTING_LEVEL_DETAILED, 16};
  take_log();
  ASSERT_EQ(create(), QNN_SUCCESS);
  EXPECT_THAT(take_log(), HasSubstr("error reporting"));
  EXPECT_EQ(api.backendSetConfig(backend, list), QNN_SUCCESS);
  EXPECT_EQ(api.backendFree(backend), QNN_SUCCESS);
  std::memset(&config.errorConfig, 0xA5, sizeof config.errorConfig);
  EXPECT_TRUE(refused(api, create(), QNN_BACKEND_ERROR_INVALID_CONFIG, {"reporting level"}));
  config.option = QNN_BACKEND_CONFIG_OPTION_PLATFORM;
  config.platformOption = "key:value";
  ASSERT_EQ(create(), QNN_SUCCESS);
  EXPECT_THAT(take_log(), HasSubstr("key:value"));
  EXPECT_EQ(api.backendFree(backend), QNN_SUCCESS);
  config.platformOption = nullptr;
  EXPECT_TRUE(refused(api, create(), QNN_BACKEND_ERROR_INVALID_ARGUMENT, {"platformOption"}));
  std::memset(&config.platformOption, 0xA5, sizeof config.platformOption);
  EXPECT_TRUE(refused(api, create(), QNN_BACKEND_ERROR_INVALID_CONFIG, {"platformOption"}));
  config.option = static_cast<QnnBackend_ConfigOption_t>(4242);
  EXPECT_TRUE(refused(api, create(), QNN_BACKEND_ERROR_NOT_SUPPORTED, {"4242"}));
}

// SOC, ARCH and SIGNEDPD with their values are device_test.cc's; here, what is not offered.
// feature: B5, B6 (C API)
TEST(OptionTable, DeviceOptionsThatAreNotOffered) {
  const BackendLibrary library;
  const Api& api = library.api();
  for (const uint32_t option : {3U, 4U, 5U, 6U, 7U, 0x7FFF0000U, 0x7FFFFFFFU})
    for (const int byte : {0x00, 0xA5, 0xFF}) {
      QnnHtpDevice_CustomConfig_t custom;
      std::memset(&custom, byte, sizeof custom);
      std::memcpy(&custom.option, &option, sizeof option);
      QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
      config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
      config.customConfig = &custom;
      const QnnDevice_Config_t* list[] = {&config, nullptr};
      Qnn_DeviceHandle_t device = nullptr;
      const bool known = option != 7 && option != 0x7FFFFFFF;
      EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, list, &device),
                          known ? QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE : QNN_DEVICE_ERROR_INVALID_CONFIG,
                          {std::to_string(option)}));
    }
}

}  // namespace
}  // namespace conformance
