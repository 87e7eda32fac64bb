// SPDX-License-Identifier: BSD-3-Clause
#include "api/graph_options.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "HTP/QnnHtpGraph.h"
#include "api/answer.h"
#include "api/doubtful_memory.h"
#include "api/model_facts.h"
#include "api/own_options.h"
#include "base/text.h"
#include "base/units.h"
#include "config/without_effect.h"
#include "runtime/thread_priority.h"

namespace openqnn::api {
namespace {

constexpr std::array kGraphOptionsWithoutEffect = {
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG, "parallel graph execution",
             "graphs of one process are not modelled side by side"},
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING, "HMX bounding",
             "the clocks it plans for are not modelled"},
};

// These are on or off; off is what holds anyway.
constexpr std::array kSwitchesWithoutEffect = {
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT, "assume same quant",
             config::without_effect::kAssumeSameQuant},
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER, "share I/O buffer",
             config::without_effect::kShareIoBuffer},
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM, "monolithic LSTM",
             config::without_effect::kMonolithicLstm},
    NoEffect{QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION, "precision compensation",
             "16-bit activations are accumulated exactly"},
};

constexpr std::array kOptimizationsWithoutEffect = {
    NoEffect{QNN_HTP_GRAPH_OPTIMIZATION_TYPE_SCHEDULE_THRESHOLD, "schedule threshold",
             "the search tries all of its plans"},
    NoEffect{QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_RETRIES, "finalize retries",
             "the search tries all of its plans"},
    NoEffect{QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION, "sparse weights compression",
             config::without_effect::kSparseWeights},
    NoEffect{QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_VTCM_RETENTION, "VTCM retention",
             "every execution begins with an empty VTCM"},
    NoEffect{QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_CACHED_WEIGHTS, "cached weights",
             "every execution begins with an empty VTCM"},
};

constexpr uint32_t kVtcmStep = 64 << 10;
constexpr uint32_t kFirstArchWithByteVtcm = 81;
constexpr uint64_t kMostHvxThreads = 64;  // of any part; what this one has is asked at finalize
constexpr uint32_t kLevelWithPresets = 3;
// Optimizations from here on are on or off; those before count something.
constexpr uint32_t kFirstSwitch = QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC;

ApiError refused_graph(const char* code, std::string message) {
  return {QNN_GRAPH_ERROR_INVALID_ARGUMENT, invalid(code, std::move(message)).at("graph configuration")};
}

Outcome<> apply_optimization(const QnnHtpGraph_OptimizationOption_t& option, const Logger& log,
                             prepare::Options& options) {
  const uint32_t type = number_of(option.type);
  const float value = option.floatValue;
  if (type != QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG) {
    if (!std::isfinite(value) || value < 0 || (type >= kFirstSwitch && value > 0 && value < 1))
      return refused_graph("graph-optimization", concat("optimization ", type, " has the value ", value,
                                                        type >= kFirstSwitch ? ": 0 is off, 1 and more is on"
                                                                             : ": 0 is the least"));
    switch (type) {
      case QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC:
        options.compress_activations = value > 0;
        return {};
      case QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS:
        options.compress_weights = value > 0;
        return {};
      case QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR:
        options.use_slc = value > 0;
        return {};
      default:
        break;
    }
    if (said_without_effect("graph", kOptimizationsWithoutEffect, type, value > 0 ? log : Logger()))
      return {};
    return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("graph-optimization-type", concat("no optimization has the number ", type)));
  }
  if (!(value == 1.0F || value == 2.0F || value == 3.0F))
    return refused_graph("graph-optimization", concat("optimization level ", value, " is not 1, 2 or 3"));
  options.optimization = static_cast<uint32_t>(value);
  return {};
}

// The one setting known is "P", a preset of the compiler that level 3 may use.
Outcome<> check_finalize_config(const QnnHtpGraph_FinalizeConfig_t& config) {
  if (!config.key) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "finalizeConfig.key");
  const std::optional<std::string> key = doubtful_text(config.key);
  if (!key) return refused_graph("graph-finalize-config", "finalizeConfig.key points to no memory");
  if (*key != "P")
    return refused_graph("graph-finalize-config",
                         concat("finalize setting '", *key, "' is not known; 'P' is"));
  constexpr std::array<uint32_t, 17> kLegal = {0, 1, 2, 3, 4, 5, 6, 8, 13, 15, 16, 17, 19, 20, 21, 22, 23};
  const uint32_t type = number_of(config.value.dataType);
  if (type != QNN_DATATYPE_UINT_32 && type != QNN_DATATYPE_INT_32)
    return refused_graph("graph-finalize-config",
                         concat("P point of data type ", type, ": it is a 32-bit integer"));
  const uint32_t point = config.value.uint32Value;
  if (std::find(kLegal.begin(), kLegal.end(), point) == kLegal.end())
    return refused_graph("graph-finalize-config",
                         concat("P point ", point, " is none of 0 to 6, 8, 13, 15 to 17, 19 to 23"));
  return {};
}

// Presets are of level 3: which level holds is known when the whole list was read.
void warn_of_preset(const prepare::Options& options, const Logger& log) {
  if (options.optimization != kLevelWithPresets)
    log.warn(concat("graph option 'P point' has no effect: it counts at optimization level ",
                    kLevelWithPresets, " only, and the level is ", options.optimization));
  else
    log.warn(concat("graph option 'P point' has no effect here: ", config::without_effect::kFinalizeConfig));
}

Outcome<> apply_vtcm_bytes(uint32_t bytes, const soc::Target& part, prepare::Options& options) {
  if (bytes % kVtcmStep != 0)
    return refused_graph("graph-vtcm", concat(bytes, " bytes of VTCM are no multiple of ", kVtcmStep,
                                              " (64 KiB), which it comes in"));
  if (bytes % kMiB != 0 && part.arch < kFirstArchWithByteVtcm && !part.assumed)
    return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("graph-vtcm-bytes", concat(bytes, " bytes of VTCM: v", part.arch,
                                                           " takes whole megabytes only; bytes are for v",
                                                           kFirstArchWithByteVtcm, " and later"))
                        .at("graph configuration")
                        .fix_by("use VTCM_SIZE_IN_MB"));
  options.vtcm_bytes = bytes;
  return {};
}

Outcome<> apply_hvx_threads(uint64_t threads, prepare::Options& options) {
  if (threads == 0 || threads > kMostHvxThreads)
    return refused_graph("graph-hvx-threads",
                         concat(threads, " HVX threads: between 1 and ", kMostHvxThreads, " are possible"));
  options.hvx_threads = static_cast<uint32_t>(threads);
  return {};
}

Outcome<> apply_facts(const void* told, GraphChange& change) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;  // a name for each of millions of nodes
  const auto place = doubtful<FactsText>(told);
  if (!place || place->bytes > kMostBytes)
    return refused_graph("model-facts", "the option points to no facts");
  std::string text(place->bytes, '\0');
  if (!read_doubtful(place->text, text.data(), text.size()))
    return refused_graph("model-facts", "the option's text points to no memory");
  OPENQNN_ASSIGN_AS(prepare::ModelFacts facts, QNN_GRAPH_ERROR_INVALID_ARGUMENT, facts_from(text));
  change.options.prepare.facts = std::make_shared<const prepare::ModelFacts>(std::move(facts));
  return {};
}

Outcome<> apply_stop(const void* flag, GraphChange& change) {
  if (!doubtful<uint8_t>(flag)) return refused_graph("graph-stop", "the option points to no memory");
  change.options.stop = static_cast<const std::atomic<bool>*>(flag);
  return {};
}

Outcome<> apply_custom(const QnnHtpGraph_CustomConfig_t& config, const Logger& log, const soc::Target& part,
                       GraphChange& change) {
  prepare::Options& options = change.options.prepare;
  const uint32_t option = number_of(config.option);
  if (option == QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS) {
    change.sets_hvx_threads = true;
    return apply_hvx_threads(config.numHvxThreads, options);
  }
  if (option == QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION &&
      number_of(config.optimizationOption.type) == QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR) {
    change.sets_slc = true;
    return apply_optimization(config.optimizationOption, log, options);
  }
  change.prepares = true;
  switch (option) {
    case QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION:
      return apply_optimization(config.optimizationOption, log, options);
    case QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION:
      if (number_of(config.precision) > QNN_PRECISION_FLOAT16)
        return refused_graph("graph-precision",
                             concat("no precision has the number ", number_of(config.precision)));
      log.warn(
          "the precision option is deprecated and has no effect: float graphs are computed in half "
          "precision");
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB:
      options.vtcm_bytes = config.vtcmSizeInMB * kMiB;
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES:
      return apply_vtcm_bytes(config.vtcmSizeInBytes, part, options);
    case QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF:
      options.fold_relu = !flag_of(config.foldReluActivationIntoConvOff);
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF:
      options.short_depth_on_hmx = !flag_of(config.shortDepthConvOnHmxOff);
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION:
      options.advanced_fusion = flag_of(config.advancedActivationFusion);
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID:
      options.high_precision_sigmoid = flag_of(config.highPrecisionSigmoid);
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING:
      options.pack_weights = flag_of(config.weightsPacking);
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES:
      if (config.numCores == 0) return refused_graph("graph-cores", "a graph runs on one core or more");
      options.cores = config.numCores;
      return {};
    case kModelFactsOption:
      return apply_facts(config.reserved, change);
    case kStopOption:
      return apply_stop(config.reserved, change);
    case QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG:
      change.chooses_preset = true;
      return check_finalize_config(config.finalizeConfig);
    default:
      if (said_without_effect("graph", kGraphOptionsWithoutEffect, option, log)) return {};
      // All switches lie at the start of the union.
      if (said_without_effect("graph", kSwitchesWithoutEffect, option,
                              flag_of(config.assumeSameQuant) ? log : Logger()))
        return {};
      return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                      unsupported("graph-htp-option", concat("no HTP graph option has the number ", option))
                          .fix_by("leave the option out"));
  }
}

Outcome<> apply(const QnnGraph_Config_t& config, const Logger& log, const soc::Target& part,
                GraphChange& change) {
  switch (const uint32_t option = number_of(config.option)) {
    case QNN_GRAPH_CONFIG_OPTION_CUSTOM:
      OPENQNN_TRY(check_custom_config(config.customConfig, QNN_GRAPH_ERROR_INVALID_ARGUMENT));
      return apply_custom(*static_cast<const QnnHtpGraph_CustomConfig_t*>(config.customConfig), log, part,
                          change);
    case QNN_GRAPH_CONFIG_OPTION_PRIORITY: {
      OPENQNN_ASSIGN(change.options.priority,
                     checked_priority(config.priority, QNN_GRAPH_ERROR_INVALID_ARGUMENT));
      return {};
    }
    case QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE:
    case QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE:
    case QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS:
      return ApiError(
          QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
          unsupported("graph-option",
                      concat("graph option ", option, " is not supported: HTP has no continuous profiling"))
              .fix_by("pass a profile handle to finalize and execute"));
    default:
      return ApiError(
          QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
          unsupported(
              "graph-option",
              option == QNN_GRAPH_CONFIG_OPTION_ENABLE_BINARY_SECTION_WEIGHTS_UPDATES
                  ? "graph option ENABLE_BINARY_SECTION_WEIGHTS_UPDATES is not supported: every graph "
                    "with updateable tensors takes sections"
                  : concat("no graph option has the number ", option))
              .fix_by("leave the option out"));
  }
}

}  // namespace

Outcome<> check_offline(const prepare::Options& options) {
  const char* const what = options.compress_weights       ? "DLBC weights"
                           : options.compress_activations ? "DLBC"
                           : options.use_slc              ? "SLC allocator"
                           : options.cores > 1            ? "cores"
                                                          : nullptr;
  if (what == nullptr) return {};
  OPENQNN_ASSIGN_AS(const runtime::Persona persona, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
                    runtime::persona_from_environment());
  if (persona.offline()) return {};
  return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("graph-option-offline",
                              concat("graph option '", what, "' is for offline preparation on a host"))
                      .at("graph configuration")
                      .fix_by("prepare the binary on a host, and load it here"));
}

bool said_without_effect(const char* what, std::span<const NoEffect> table, uint32_t option,
                         const Logger& log) {
  const auto found = std::ranges::find(table, option, &NoEffect::option);
  if (found == table.end()) return false;
  log.warn(concat(what, " option '", found->name, "' has no effect here: ", found->why));
  return true;
}

bool flag_of(const bool& flag) {
  uint8_t byte = 0;
  std::memcpy(&byte, &flag, sizeof byte);
  return byte != 0;
}

ApiError frozen_priority(Qnn_ErrorHandle_t code, std::string where) {
  return {code, invalid("priority-frozen",
                        "the priority cannot change: the context is in a group for concurrent sharing, which "
                        "runs at one priority")
                    .at(std::move(where))};
}

Outcome<uint32_t> checked_priority(const Qnn_Priority_t& priority, Qnn_ErrorHandle_t code) {
  const uint32_t level = number_of(priority);
  if (runtime::thread_priorities(level)) return level;
  return ApiError(
      code,
      invalid("priority", concat("no priority has the number ", level)).fix_by("use one of QNN_PRIORITY_*"));
}

Outcome<runtime::GraphOptions> default_graph_options(runtime::Context& context) {
  runtime::GraphOptions options{.priority = context.priority()};
  OPENQNN_ASSIGN_AS(const runtime::Persona persona, QNN_GRAPH_ERROR_INVALID_ARGUMENT,
                    runtime::persona_from_environment());
  if (!persona.offline()) options.prepare.hvx_threads = 0;  // all of the part's
  return options;
}

Outcome<GraphChange> apply_graph_configs(const QnnGraph_Config_t** configs, const Logger& log,
                                         const soc::Target& part, const runtime::GraphOptions& options) {
  GraphChange change{.options = options};
  OPENQNN_TRY(for_each_config(configs, [&](const QnnGraph_Config_t& config) {
    return openqnn::api::apply(config, log, part, change);
  }));
  if (change.chooses_preset) warn_of_preset(change.options.prepare, log);
  return change;
}

}  // namespace openqnn::api
