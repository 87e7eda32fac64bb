// SPDX-License-Identifier: BSD-3-Clause
#include "api/graph_options.h"

#include <cmath>

#include "HTP/QnnHtpGraph.h"
#include "api/answer.h"
#include "base/text.h"
#include "base/units.h"

namespace openqnn::api {
namespace {

ApiError refused(const char* code, std::string message) {
  return {QNN_GRAPH_ERROR_INVALID_ARGUMENT, invalid(code, std::move(message)).at("graph configuration")};
}

Outcome<> apply_optimization(const QnnHtpGraph_OptimizationOption_t& option, const Logger& log,
                             prepare::Options& options) {
  if (number_of(option.type) != QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG)
    return ApiError(
        QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
        unsupported("graph-optimization-type", concat("optimization type ", number_of(option.type),
                                                      " is not supported; the finalize flag (3) is")));
  const float level = option.floatValue;
  if (!(level == 1.0F || level == 2.0F || level == 3.0F))
    return refused("graph-optimization", concat("optimization level ", level, " is not 1, 2 or 3"));
  options.optimization = static_cast<uint32_t>(level);
  if (options.optimization == 3)
    log.warn("optimization level 3 prepares like level 2: no search is done yet");
  return {};
}

Outcome<> apply_custom(const QnnHtpGraph_CustomConfig_t& config, const Logger& log,
                       prepare::Options& options) {
  switch (number_of(config.option)) {
    case QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION:
      return apply_optimization(config.optimizationOption, log, options);
    case QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION:
      if (number_of(config.precision) != QNN_PRECISION_FLOAT16)
        return refused("graph-precision", "float graphs are computed in half precision only");
      log.warn(
          "the precision option is deprecated and has no effect: float graphs are computed in half "
          "precision");
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB:
      options.vtcm_bytes = config.vtcmSizeInMB * kMiB;
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF:
      options.fold_relu = !config.foldReluActivationIntoConvOff;
      return {};
    case QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS:
      if (config.numHvxThreads == 0 || config.numHvxThreads > 64)
        return refused("graph-hvx-threads",
                       concat(config.numHvxThreads, " HVX threads: between 1 and 64 are possible"));
      options.hvx_threads = static_cast<uint32_t>(config.numHvxThreads);
      return {};
    default:
      return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                      unsupported("graph-htp-option",
                                  concat("HTP graph option ", number_of(config.option), " is not supported"))
                          .fix_by("leave the option out"));
  }
}

Outcome<> apply(const QnnGraph_Config_t& config, const Logger& log, prepare::Options& options) {
  switch (number_of(config.option)) {
    case QNN_GRAPH_CONFIG_OPTION_CUSTOM:
      if (!config.customConfig) return null_argument(QNN_GRAPH_ERROR_INVALID_ARGUMENT, "customConfig");
      return apply_custom(*static_cast<const QnnHtpGraph_CustomConfig_t*>(config.customConfig), log, options);
    case QNN_GRAPH_CONFIG_OPTION_PRIORITY:
      log.warn(
          concat("graph priority ", number_of(config.priority), " has no effect: one client is modelled"));
      return {};
    default:
      return ApiError(
          QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
          unsupported("graph-option", concat("graph option ", number_of(config.option), " is not supported"))
              .fix_by("leave the option out"));
  }
}

}  // namespace

Outcome<> apply_graph_configs(const QnnGraph_Config_t** configs, const Logger& log,
                              prepare::Options& options) {
  prepare::Options changed = options;
  OPENQNN_TRY(for_each_config(
      configs, [&](const QnnGraph_Config_t& config) { return openqnn::api::apply(config, log, changed); }));
  options = changed;
  return {};
}

}  // namespace openqnn::api
