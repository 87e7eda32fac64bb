// SPDX-License-Identifier: BSD-3-Clause
// Graph switching and external buffers: the context_configs of the tool file.
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

std::vector<Record> context_configs(const Subject& subject) {
  return sections_of(subject, Kind::kTool, "context_configs");
}

bool has_names(const Record& context, std::string_view option) {
  const auto names = context.texts(option);
  return names && !(*names).empty();
}

void retention_needs_switching(const Subject& subject, Report& report) {
  for (const Record& context : context_configs(subject)) {
    if (!has_names(context, "graph_retention_order")) continue;
    const bool persistent = context.on("is_persistent_binary");
    const bool limited = context.on("memory_limit_hint");
    if (persistent && limited) continue;
    const std::string_view missing = persistent ? "memory_limit_hint above 0"
                                     : limited  ? "is_persistent_binary: true"
                                                : "is_persistent_binary: true and memory_limit_hint above 0";
    report.at(context, "graph_retention_order",
              concat("graph_retention_order has no effect without ", missing), concat("add ", missing));
  }
}

void retention_not_enabled(const Subject& subject, Report& report) {
  for (const Record& context : context_configs(subject)) {
    if (!has_names(context, "enable_graphs") || !has_names(context, "graph_retention_order")) continue;
    const auto names = *context.texts("enable_graphs");
    const NameIndex enabled(names.begin(), names.end());
    for (const std::string_view name : *context.texts("graph_retention_order")) {
      if (enabled.contains(name)) continue;
      report.at(context, "graph_retention_order",
                concat("'", name, "' is to be kept in memory, but is not enabled"),
                "add it to enable_graphs, or remove it here");
    }
  }
}

void switching_not_persistent(const Subject& subject, Report& report) {
  for (const Record& context : context_configs(subject)) {
    if (!context.on("memory_limit_hint") || context.on("is_persistent_binary")) continue;
    if (has_names(context, "graph_retention_order")) continue;  // retention-needs-switching says so
    report.at(context, "memory_limit_hint",
              "graph switching also needs is_persistent_binary: true, to reload graphs from",
              "add is_persistent_binary: true");
  }
}

void share_resources_switching(const Subject& subject, Report& report) {
  if (!graph_switching(subject)) return;
  for (const Record& group : with(subject.records(Kind::kHtp, kGroupContextSection), "share_resources")) {
    report.at(group, "share_resources",
              "share_resources cannot be used with graph switching, which the tool file turns on",
              "remove memory_limit_hint from the tool file, or share_resources here");
  }
}

// A buffer from the client and one from the group's registration are two ways to the same thing.
void spill_fill_twice(const Subject& subject, Report& report) {
  if (!spill_fill_group(subject)) return;
  for (const Record& context : context_configs(subject)) {
    if (context.integer("spill_fill_buffer").or_else(0) == 0) continue;
    report.at(context, "spill_fill_buffer",
              "an external spill-fill buffer cannot be used with max_spill_fill_buffer_for_group in the HTP "
              "file",
              "keep one of the two");
  }
}

constexpr std::string_view kOuter = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"
  },
  "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1}
})";
constexpr std::string_view kOuterWithoutLimit = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"
  },
  "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 0}
})";
constexpr std::string_view kOuterWithBuffer = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"
  },
  "context_configs": {"spill_fill_buffer": -1}
})";

constexpr RuleDef kSwitchingRules[] = {
    {
        .code = "retention-needs-switching",
        .about = {"graph_retention_order"},
        .title = "A retention order is given, but graph switching is not on.",
        .why = "Without a persistent binary and a memory limit hint the list is read and disabled; all "
               "graphs are loaded, and memory is not saved.",
        .instead = "Set is_persistent_binary to true and memory_limit_hint to any number above 0.",
        .source =
            "HTP backend page: multi-graph switching needs both; without the hint, retention is disabled.",
        .bad = {.text =
                    R"({"context_configs": {"is_persistent_binary": true, "graph_retention_order": ["a"]}})"},
        .good = {.text = R"({
  "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1, "graph_retention_order": ["a"]}
})"},
        .find = retention_needs_switching,
    },
    {
        .code = "retention-not-enabled",
        .about = {"graph_retention_order"},
        .severity = Severity::kError,
        .title = "A graph is to be retained that is not enabled.",
        .why = "Retained graphs are loaded with the binary, and only enabled graphs can be.",
        .instead = "List the graph in enable_graphs as well, or leave enable_graphs out to enable all.",
        .source = "HTP backend page: the names in the retention list should be enabled.",
        .bad = {.text = R"({
  "context_configs": {
    "is_persistent_binary": true, "memory_limit_hint": 1,
    "enable_graphs": ["a"], "graph_retention_order": ["a", "b"]
  }
})"},
        .good = {.text = R"({
  "context_configs": {
    "is_persistent_binary": true, "memory_limit_hint": 1,
    "enable_graphs": ["a", "b"], "graph_retention_order": ["b"]
  }
})"},
        .find = retention_not_enabled,
    },
    {
        .code = "switching-not-persistent",
        .about = {"memory_limit_hint"},
        .title = "A memory limit hint is given without a persistent binary.",
        .why =
            "Graphs that were unloaded are loaded again from the binary, so it has to stay; otherwise graph "
            "switching stays off.",
        .instead = "Set is_persistent_binary to true, and keep the binary mapped while the context lives.",
        .source = "HTP backend page: is_persistent_binary is required for graph switching.",
        .bad = {.text = R"({"context_configs": {"memory_limit_hint": 100}})"},
        .good = {.text = R"({"context_configs": {"memory_limit_hint": 0}})"},
        .find = switching_not_persistent,
    },
    {
        .code = "share-resources-switching",
        .about = {"share_resources"},
        .severity = Severity::kError,
        .title = "Resource sharing is combined with graph switching.",
        .why = "Both rearrange the memory of graphs behind the client's back, and exclude each other.",
        .instead = "Choose one: switching keeps few graphs loaded, sharing lets loaded contexts use the same "
                   "memory.",
        .source =
            "HTP backend page and Python reference: share_resources cannot be used with graph switching.",
        .bad = {.text = kOuter, .inner = R"({"groupContext": {"share_resources": true}})"},
        .good = {.text = kOuterWithoutLimit, .inner = R"({"groupContext": {"share_resources": true}})"},
        .find = share_resources_switching,
    },
    {
        .code = "spill-fill-twice",
        .about = {"spill_fill_buffer"},
        .severity = Severity::kError,
        .title = "Two kinds of shared spill-fill buffer are asked for.",
        .why =
            "A buffer that the client gives and one that a group of contexts registers exclude each other.",
        .instead = "Use spill_fill_buffer in the tool file, or the group in the HTP file.",
        .source = "Newer HTP page, as users quote it: external spill-fill is not for contexts registered as "
                  "a group.",
        .bad = {.text = kOuterWithBuffer,
                .inner = R"({"context": {"group_id": 0, "max_spill_fill_buffer_for_group": 30081024}})"},
        .good = {.text = kOuterWithoutLimit,
                 .inner = R"({"context": {"group_id": 0, "max_spill_fill_buffer_for_group": 30081024}})"},
        .find = spill_fill_twice,
    },
};

}  // namespace

std::span<const RuleDef> switching_rules() { return kSwitchingRules; }

}  // namespace openqnn::config
