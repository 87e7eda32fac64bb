// SPDX-License-Identifier: BSD-3-Clause
#include "api/context_options.h"

#include <algorithm>
#include <array>

#include "HTP/QnnHtpContext.h"
#include "api/answer.h"
#include "api/doubtful_memory.h"
#include "api/graph_options.h"
#include "base/text.h"
#include "config/without_effect.h"
#include "runtime/thread_priority.h"

namespace openqnn::api {
namespace {

constexpr const char* kOwnMemory = "contexts keep their memory to themselves";
constexpr const char* kForListsAlone = "it counts in the configuration of a list of binaries alone";
constexpr const char* kLoadedAtOnce = "a binary is used where it lies, at once";
constexpr const char* kNoSections = "adapters are not stored apart from weights";

// An HTP option that is on or off, and off unless it is given. What is off is what holds anyway, so only "on"
// is limited, or has no effect.
struct Switch {
  uint32_t option;
  runtime::FeatureLimit limit;
  const char* why_without_effect = nullptr;  // null: it has one
};

constexpr std::array kSwitches = {
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED,
           {.option = "weight sharing", .offline = true, .first_arch = 73}},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY, {.option = "prepare only"}},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED,
           {.option = "DSP memory profiling"},
           "Android and QNX report the DSP's heap, and this process plays neither (OPENQNN_TARGET)"},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES, {.option = "share resources"}, kForListsAlone},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION,
           {.option = "I/O memory estimation"},
           "process domains are not modelled"},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION, {.option = "init acceleration"}, kLoadedAtOnce},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION,
           {.option = "skip validation on binary section"}},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA,
           {.option = "extended UDMA", .first_arch = 81},
           config::without_effect::kExtendedUdma},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED,
           {.option = "LoRA weight sharing", .offline = true},
           kNoSections},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED,
           {.option = "LoRA RAM preload"},
           kNoSections},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_REFERENCE_WEIGHT_SHARING_ENABLED,
           {.option = "reference weight sharing"},
           "a binary holds one part's graphs"},
    Switch{QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_ENABLED,
           {.option = "graph splitting", .offline = true},
           "graphs of any size are prepared whole"},
};

constexpr runtime::FeatureLimit kConcurrentGroups = {
    .option = "concurrent resource sharing", .android = true, .first_arch = 81, .last_arch = 81};

// HTP options with a number, of which every one is legal.
constexpr std::array kAmountsWithoutEffect = {
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET, "file read memory budget", kLoadedAtOnce},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT, "reused I/O limit",
             "inputs and outputs are used in the client's buffers"},
    NoEffect{QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_EXTRA_SIZE,
             "concurrent deserialization extra size", kLoadedAtOnce},
};

constexpr std::array kContextOptionsWithoutEffect = {
    NoEffect{QNN_CONTEXT_CONFIG_OPTION_ERROR_REPORTING, "error reporting", "every failure has its sentence"},
    NoEffect{QNN_CONTEXT_CONFIG_OPTION_OEM_STRING, "OEM string", "no vendor of a device reads it"},
    NoEffect{QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT, "memory limit hint", kLoadedAtOnce},
    NoEffect{QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER, "graph retention order", "no graph is ever unloaded"},
};

ApiError refused_context(const char* code, std::string message) {
  return {QNN_CONTEXT_ERROR_INVALID_CONFIG, invalid(code, std::move(message)).at("context configuration")};
}

// ---- Groups of contexts ----

// What the founder of a group says of it, once it is found to be one.
Outcome<runtime::ContextGroup> group_of(Qnn_ContextHandle_t founder, bool concurrent) {
  const auto first = runtime::HandleTable::instance().acquire<runtime::Context>(founder);
  if (!first)
    return refused_context("context-group",
                           "the first context of the group is not a live context of this library");
  if (!first->group() || !first->group()->founded || first->group()->concurrent != concurrent)
    return refused_context("context-group",
                           concat("the context named as the first of the group has not founded one",
                                  concurrent ? " for concurrent sharing" : ""));
  return *first->group();
}

Outcome<runtime::ContextGroup> read_group(const QnnHtpContext_GroupRegistration_t& given, bool concurrent) {
  const uint64_t bytes = given.maxSpillFillBuffer;
  if (!given.firstGroupHandle) {
    if (bytes > 0)
      return runtime::ContextGroup{.concurrent = concurrent, .founded = true, .spill_fill_bytes = bytes};
    return refused_context(
        "context-group-size",
        "the first context of a group needs a spill-fill size above 0: the largest that a graph "
        "of the group has");
  }
  OPENQNN_ASSIGN(runtime::ContextGroup group, group_of(given.firstGroupHandle, concurrent));
  group.founded = false;
  if (bytes == 0 || bytes == group.spill_fill_bytes) return group;
  return refused_context("context-group-size",
                         concat("a spill-fill size of ", bytes, " bytes in a group that was founded with ",
                                group.spill_fill_bytes, ": say the same, or 0"));
}

// Documented: a concurrent group runs at one priority, the one of its first context.
Outcome<> settle_group_priority(runtime::ContextOptions& options) {
  if (!options.group || !options.group->concurrent) return {};
  if (options.group->founded) options.group->priority = options.priority;
  if (options.group->priority == options.priority) return {};
  return refused_context("context-group-priority",
                         concat("priority ", options.priority, " in a group for concurrent sharing that has ",
                                options.group->priority));
}

// ---- HTP options ----

// Documented for two platforms alone.
bool device_reports_heap() {
  const auto persona = runtime::persona_from_environment();
  return persona &&
         (persona->platform == runtime::Platform::kAndroid || persona->platform == runtime::Platform::kQnx);
}

// What is said of a switch that is on.
void turn_on(const Switch& option, const Logger& log, runtime::ContextOptions& options) {
  options.limits.push_back(option.limit);
  const bool is_heap = option.option == QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED;
  if (option.why_without_effect && !(is_heap && options.profiles_dsp_heap))
    log.warn(
        concat("context option '", option.limit.option, "' has no effect here: ", option.why_without_effect));
}

Outcome<> read_share_type(const QnnHtpContext_CustomConfig_t& config, const Logger& log) {
  const uint32_t type = number_of(config.shareResOptType);
  if (type > CONCURRENT_OPTIMIZATION)
    return refused_context("context-share-type", concat("no way to share resources has the number ", type));
  log.warn(concat("context option 'share resources type' has no effect here: ", kForListsAlone));
  return {};
}

Outcome<> read_patch_file(int file, const Logger& log) {
  if (file < 0)
    return refused_context("context-patch-file", concat(file, " is no file descriptor to write a patch to"));
  log.warn(concat("context option 'concurrent deserialization patch' has no effect here: ", kLoadedAtOnce));
  return {};
}

void read_switch(const Switch& option, const QnnHtpContext_CustomConfig_t& config, const Logger& log,
                 runtime::ContextOptions& options) {
  const bool on = flag_of(config.weightSharingEnabled);  // all switches lie at the start of the union
  if (option.option == QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED) options.weight_sharing = on;
  if (option.option == QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY) options.prepare_only = on;
  if (option.option == QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION)
    options.skip_section_checks = on;
  if (option.option == QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED)
    options.profiles_dsp_heap = on && device_reports_heap();
  if (on) turn_on(option, log, options);
}

Outcome<> read_custom(const QnnContext_CustomConfig_t custom, const Logger& log,
                      runtime::ContextOptions& options) {
  OPENQNN_TRY(check_custom_config(custom, QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  const auto& config = *static_cast<const QnnHtpContext_CustomConfig_t*>(custom);
  const uint32_t option = number_of(config.option);
  const auto known = std::find_if(kSwitches.begin(), kSwitches.end(),
                                  [option](const Switch& each) { return each.option == option; });
  if (known != kSwitches.end()) {
    read_switch(*known, config, log, options);
    return {};
  }
  switch (option) {
    case QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS: {
      OPENQNN_ASSIGN(options.group, read_group(config.groupRegistration, /*concurrent=*/false));
      log.warn(concat("context option 'group registration' has no effect here: ", kOwnMemory));
      return {};
    }
    case QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING: {
      OPENQNN_ASSIGN(options.group, read_group(config.concurrentGroupRegistration, /*concurrent=*/true));
      options.limits.push_back(kConcurrentGroups);
      log.warn(concat("context option '", kConcurrentGroups.option, "' has no effect here: ", kOwnMemory));
      return {};
    }
    case QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE:
      return read_share_type(config, log);
    case QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH:
      return read_patch_file(config.concurrentDeserializationPatchFd, log);
    default:
      if (said_without_effect("context", kAmountsWithoutEffect, option, log)) return {};
      return ApiError(
          QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
          unsupported("context-htp-option", concat("no HTP context option has the number ", option))
              .fix_by("leave the option out"));
  }
}

// ---- Options of every backend ----

Outcome<uint32_t> queue_depth(const QnnContext_AsyncExecutionQueueDepth_t& depth) {
  if (number_of(depth.type) != QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC)
    return refused_context("context-queue",
                           concat("queue depth type ", number_of(depth.type), " is not numeric (0)"));
  if (depth.depth >= 1 && depth.depth <= runtime::AsyncQueue::kMostDepth) return depth.depth;
  return refused_context("context-queue", concat("a queue depth of ", depth.depth, " is not between 1 and ",
                                                 runtime::AsyncQueue::kMostDepth));
}

constexpr size_t kMostName = 65535;  // longer ones are no graph's

Outcome<std::vector<std::string>> names_in(const char* const* list) {
  const auto no_memory = [](std::string_view what) {
    return ApiError(
        QNN_CONTEXT_ERROR_INVALID_CONFIG,
        invalid("context-enable-graphs", concat(what, " of option 'enable graphs' points to no memory"))
            .at("context configuration")
            .fix_by("pass a list of names that ends with null; an HTP option goes into customConfig"));
  };
  std::vector<std::string> names;
  for (; list; ++list) {
    const auto entry = doubtful<const char*>(list);
    if (!entry) return no_memory("the list");
    if (!*entry) break;
    auto name = doubtful_text(*entry, kMostName);
    if (!name) return no_memory(concat("name ", names.size()));
    names.push_back(*std::move(name));
  }
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
      log.info(concat("context ", runtime::priority_text(options.priority)));
      return {};
    }
    case QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH: {
      OPENQNN_ASSIGN(options.queue_depth, queue_depth(config.asyncExeQueueDepth));
      return {};
    }
    case QNN_CONTEXT_CONFIG_ENABLE_GRAPHS: {
      OPENQNN_ASSIGN(options.enabled_graphs, names_in(config.enableGraphs));
      return {};
    }
    case QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY:
      if (number_of(config.binaryCompatibilityType) > QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT)
        return refused_context("context-compatibility",
                               concat("compatibility ", number_of(config.binaryCompatibilityType),
                                      " is neither permissive (0) nor strict (1)"));
      options.strict = number_of(config.binaryCompatibilityType) == QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT;
      return {};
    default:
      if (said_without_effect("context", kContextOptionsWithoutEffect, option, log)) return {};
      return ApiError(
          QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
          unsupported("context-option",
                      option == QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT
                          ? "context option DEFER_GRAPH_INIT is not supported: graphs come with their context"
                          : concat("no context option has the number ", option))
              .fix_by("leave the option out"));
  }
}

bool counts_at_creation_only(const QnnContext_Config_t& config) {
  const uint32_t option = number_of(config.option);
  if (option == QNN_CONTEXT_CONFIG_OPTION_CUSTOM) {
    const auto htp_option = doubtful<uint32_t>(config.customConfig);  // the first field
    return htp_option == QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED ||
           htp_option == QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY ||
           htp_option == QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION ||
           htp_option == QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS ||
           htp_option == QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING;
  }
  return option == QNN_CONTEXT_CONFIG_PERSISTENT_BINARY || option == QNN_CONTEXT_CONFIG_ENABLE_GRAPHS ||
         option == QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH ||
         option == QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
}

}  // namespace

Outcome<runtime::ContextOptions> read_context_configs(const QnnContext_Config_t** configs, const Logger& log,
                                                      runtime::ContextOptions options) {
  OPENQNN_TRY(for_each_config(
      configs, [&](const QnnContext_Config_t& config) { return read_config(config, log, options); }));
  OPENQNN_TRY(settle_group_priority(options));
  return options;
}

Outcome<> check_limits(const runtime::ContextOptions& options, const runtime::Persona& persona,
                       const soc::Target* part) {
  for (const runtime::FeatureLimit& limit : options.limits) {
    const auto refuse = [&](std::string_view where_it_is_taken, std::string fix) {
      return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                      unsupported("context-option-limit",
                                  concat("context option '", limit.option, "' is ", where_it_is_taken))
                          .at("context configuration")
                          .fix_by(std::move(fix)));
    };
    if (limit.offline && !persona.offline())
      return refuse("for offline preparation on a host", "prepare the binary on a host, and load it here");
    if (limit.android && !persona.offline() && persona.platform != runtime::Platform::kAndroid)
      return refuse("for Android", "leave the option out on this platform");
    const bool named = part && !part->assumed;
    if (named && (part->arch < limit.first_arch || part->arch > limit.last_arch))
      return refuse(concat("for v", limit.first_arch, limit.last_arch == UINT32_MAX ? " and later" : " alone",
                           "; this is v", part->arch),
                    "leave the option out, or name another SoC");
  }
  return {};
}

Outcome<> change_context(const QnnContext_Config_t** configs, runtime::Context& context) {
  runtime::ContextOptions options;
  options.profiles_dsp_heap = context.profiles_dsp_heap();
  bool has_priority = false;
  OPENQNN_TRY(for_each_config(configs, [&](const QnnContext_Config_t& config) -> Outcome<> {
    const uint32_t option = number_of(config.option);
    if (counts_at_creation_only(config))
      return refused_context("context-option-late", concat(option == QNN_CONTEXT_CONFIG_OPTION_CUSTOM
                                                               ? "an HTP context option"
                                                               : concat("context option ", option),
                                                           " counts when a context is created"));
    has_priority |= option == QNN_CONTEXT_CONFIG_OPTION_PRIORITY;
    return read_config(config, context.log(), options);
  }));
  OPENQNN_ASSIGN_AS(const runtime::Persona persona, QNN_CONTEXT_ERROR_INVALID_CONFIG,
                    runtime::persona_from_environment());
  OPENQNN_TRY(check_limits(options, persona, &context.device()->target));
  if (has_priority && context.parts().priority_is_frozen && options.priority != context.priority())
    return frozen_priority(QNN_CONTEXT_ERROR_INVALID_CONFIG, "context configuration");
  context.set_profiles_dsp_heap(options.profiles_dsp_heap);
  if (has_priority) context.set_priority(options.priority);
  return {};
}

}  // namespace openqnn::api
