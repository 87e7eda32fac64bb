// SPDX-License-Identifier: BSD-3-Clause
#include "api/context_options.h"

#include <algorithm>
#include <array>

#include "HTP/QnnHtpContext.h"
#include "api/answer.h"
#include "api/graph_options.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// An option that a client may set and that changes nothing here, and why.
struct NoEffect {
  uint32_t option;
  const char* name;
  const char* why;
};

constexpr const char* kOneProcess = "contexts keep their memory to themselves";
constexpr const char* kLoadedAtOnce = "a binary is used where it lies, at once";

constexpr std::array kHtpOptionsWithoutEffect = {
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED, "weight sharing",
             "equal weights of a context's graphs are stored once in any case"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET, "file read memory budget", kLoadedAtOnce},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED, "DSP memory profiling",
             "the DSP's heap is not modelled"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES, "share resources", kOneProcess},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION, "I/O memory estimation",
             "process domains are not modelled"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION, "init acceleration", kLoadedAtOnce},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION,
             "skip validation on binary section", "binary sections are not offered"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE, "share resources type",
             kOneProcess},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA, "extended UDMA",
             "the device's addresses are not modelled"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED, "LoRA weight sharing",
             "binary sections are not offered"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED, "LoRA RAM preload",
             "binary sections are not offered"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT, "reused I/O limit",
             "inputs and outputs are used in the client's buffers"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_REFERENCE_WEIGHT_SHARING_ENABLED, "reference weight sharing",
             "a binary holds one part's graphs"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_EXTRA_SIZE,
             "concurrent deserialization extra size", kLoadedAtOnce},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_ENABLED, "graph splitting",
             "graphs of any size are prepared whole"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH,
             "concurrent deserialization patch", kLoadedAtOnce},
};

constexpr std::array kOptionsWithoutEffect = {
    NoEffect{QNN_CONTEXT_CONFIG_OPTION_OEM_STRING, "OEM string", "no vendor of a device reads it"},
    NoEffect{QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT, "memory limit hint", kLoadedAtOnce},
    NoEffect{QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT, "deferred graph init", kLoadedAtOnce},
    NoEffect{QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER, "graph retention order", "no graph is ever unloaded"},
};

template <size_t count>
bool said_without_effect(const std::array<NoEffect, count>& table, uint32_t option, const Logger& log) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [option](const NoEffect& entry) { return entry.option == option; });
  if (found == table.end()) return false;
  log.warn(concat("context option '", found->name, "' has no effect here: ", found->why));
  return true;
}

ApiError refused(const char* code, std::string message) {
  return {QNN_CONTEXT_ERROR_INVALID_CONFIG, invalid(code, std::move(message)).at("context configuration")};
}

// A group of contexts that share buffers: null founds one, else its first context must be alive.
Outcome<> check_group(const QnnHtpContext_GroupRegistration_t& group, const Logger& log) {
  if (group.firstGroupHandle &&
      !runtime::HandleTable::instance().acquire<runtime::Context>(group.firstGroupHandle))
    return refused("context-group", "the first context of the group is not a live context of this library");
  log.warn(concat("context option 'group registration' has no effect here: ", kOneProcess));
  return {};
}

Outcome<> read_custom(const QnnContext_CustomConfig_t custom, const Logger& log,
                      runtime::ContextOptions& options) {
  if (!custom) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "customConfig");
  const auto& config = *static_cast<const QnnHtpContext_CustomConfig_t*>(custom);
  const uint32_t option = number_of(config.option);
  if (option == QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS)
    return check_group(config.groupRegistration, log);
  if (option == QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING)
    return check_group(config.concurrentGroupRegistration, log);
  if (option == QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY) {
    options.prepare_only = flag_of(config.isPrepareOnly);
    return {};
  }
  if (said_without_effect(kHtpOptionsWithoutEffect, option, log)) return {};
  return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("context-htp-option", concat("no HTP context option has the number ", option))
                      .fix_by("leave the option out"));
}

Outcome<uint32_t> queue_depth(const QnnContext_AsyncExecutionQueueDepth_t& depth) {
  if (number_of(depth.type) != QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC)
    return refused("context-queue",
                   concat("queue depth type ", number_of(depth.type), " is not numeric (0)"));
  if (depth.depth >= 1 && depth.depth <= runtime::AsyncQueue::kMostDepth) return depth.depth;
  return refused("context-queue", concat("a queue depth of ", depth.depth, " is not between 1 and ",
                                         runtime::AsyncQueue::kMostDepth));
}

std::vector<std::string> names_in(const char* const* list) {
  std::vector<std::string> names;
  for (; list && *list; ++list) names.emplace_back(*list);
  return names;
}

Outcome<> read_config(const QnnContext_Config_t& config, const Logger& log,
                      runtime::ContextOptions& options) {
  switch (const uint32_t option = number_of(config.option)) {
    case QNN_CONTEXT_CONFIG_OPTION_CUSTOM:
      return read_custom(config.customConfig, log, options);
    case QNN_CONTEXT_CONFIG_PERSISTENT_BINARY:
      options.persistent_binary = config.isPersistentBinary != 0;
      return {};
    case QNN_CONTEXT_CONFIG_OPTION_PRIORITY: {
      OPENQNN_ASSIGN(options.priority, checked_priority(config.priority, QNN_CONTEXT_ERROR_INVALID_CONFIG));
      log.info(concat("context priority ", options.priority, " is kept; one client is modelled"));
      return {};
    }
    case QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH: {
      OPENQNN_ASSIGN(options.queue_depth, queue_depth(config.asyncExeQueueDepth));
      return {};
    }
    case QNN_CONTEXT_CONFIG_ENABLE_GRAPHS:
      options.enabled_graphs = names_in(config.enableGraphs);
      return {};
    case QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY:
      if (number_of(config.binaryCompatibilityType) > QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT)
        return refused("context-compatibility",
                       concat("compatibility ", number_of(config.binaryCompatibilityType),
                              " is neither permissive (0) nor strict (1)"));
      options.strict = number_of(config.binaryCompatibilityType) == QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
      return {};
    default:
      if (said_without_effect(kOptionsWithoutEffect, option, log)) return {};
      return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                      unsupported("context-option", concat("context option ", option, " is not supported"))
                          .fix_by("leave the option out"));
  }
}

bool counts_at_creation_only(uint32_t option) {
  return option == QNN_CONTEXT_CONFIG_PERSISTENT_BINARY || option == QNN_CONTEXT_CONFIG_ENABLE_GRAPHS ||
         option == QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH ||
         option == QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
}

}  // namespace

Outcome<runtime::ContextOptions> read_context_configs(const QnnContext_Config_t** configs,
                                                      const Logger& log) {
  runtime::ContextOptions options;
  OPENQNN_TRY(for_each_config(
      configs, [&](const QnnContext_Config_t& config) { return read_config(config, log, options); }));
  return options;
}

Outcome<> change_context(const QnnContext_Config_t** configs, runtime::Context& context) {
  runtime::ContextOptions options;
  bool has_priority = false;
  OPENQNN_TRY(for_each_config(configs, [&](const QnnContext_Config_t& config) -> Outcome<> {
    const uint32_t option = number_of(config.option);
    if (counts_at_creation_only(option))
      return refused("context-option-late",
                     concat("context option ", option, " counts when a context is created"));
    has_priority |= option == QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    return read_config(config, context.log(), options);
  }));
  if (has_priority) context.set_priority(options.priority);
  return {};
}

}  // namespace openqnn::api
