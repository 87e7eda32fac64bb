// SPDX-License-Identifier: BSD-3-Clause
// Keys that the chosen tool does not read, or that do not act at the chosen stage. The tables say which.
#include <bit>

#include "config/rules/common.h"

namespace openqnn::config {
namespace {

using json::Member;

constexpr Set<Stage> kAnyStage =
    set_of(Stage::kOffline, Stage::kOnline, Stage::kLoad, Stage::kExecute, Stage::kReport);

// The stages that one run of a tool goes through.
Set<Stage> stages_of_run(const Circumstances& known) {
  if (!known.stage) {
    const bool runs = known.tool == Tool::kNetRun || known.tool == Tool::kThroughputNetRun;
    return runs ? set_of(Stage::kOnline, Stage::kLoad, Stage::kExecute) : kAnyStage;
  }
  switch (*known.stage) {
    case Stage::kOffline:
      return set_of(Stage::kOffline);
    case Stage::kOnline:
      return set_of(Stage::kOnline, Stage::kExecute);
    case Stage::kLoad:
    case Stage::kExecute:
      return set_of(Stage::kLoad, Stage::kExecute);
    case Stage::kReport:
      return set_of(Stage::kReport);
  }
  return kAnyStage;
}

bool runs_finished_binary(const Circumstances& known) {
  return known.stage == Stage::kLoad || known.stage == Stage::kExecute;
}

template <class E>
std::string words(Set<E> set, size_t count, std::string_view (*name)(E)) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (set.has(static_cast<E>(i))) append_item(text, name(static_cast<E>(i)));
  }
  return text;
}

// Who takes a kind of file at all; empty: whoever is given it through another file.
Set<Tool> takers(Kind kind) {
  switch (kind) {
    case Kind::kTool:
      return set_of(Tool::kNetRun, Tool::kContextBinaryGenerator);
    case Kind::kHtp:
    case Kind::kLpai:
      return set_of(Tool::kNetRun, Tool::kContextBinaryGenerator, Tool::kThroughputNetRun);
    case Kind::kDataFormat:
      return set_of(Tool::kContextBinaryGenerator);
    case Kind::kOptrace:
      return set_of(Tool::kProfileViewer);
    case Kind::kThroughput:
      return set_of(Tool::kThroughputNetRun);
    case Kind::kCompile:
      return {};
  }
  return {};
}

bool is_for_another_tool(Kind kind, const Circumstances& known) {
  return known.tool && !takers(kind).empty() && !takers(kind).has(*known.tool);
}

void file_of_another_tool(const Subject& subject, Report& report) {
  for (const Config* config : subject.configs) {
    if (config == nullptr || !is_for_another_tool(config->kind, subject.circumstances)) continue;
    report.at(config->kind,
              concat("this is the ", kind_def(config->kind).title, ", which ",
                     tool_name(*subject.circumstances.tool), " does not take; it is for ",
                     words(takers(config->kind), kToolCount, tool_name)),
              concat("name it in ", kind_def(config->kind).goes_to));
  }
}

// Calls `visit(record, member, option)` for every known key, parents first; a key for which it answers false
// is not entered.
template <class Visit>
void walk(const Record& record, const Visit& visit) {
  for (const Member& member : record.object().as_object()) {
    const OptionDef* option = option_of_tag(record.section(), member.tag);
    if (option == nullptr || !visit(record, member, *option) || !option->is_container()) continue;
    for (const Record& child : record.records(option->name)) walk(child, visit);
  }
}

template <class Visit>
void walk_flat(const Config& config, const Visit& visit) {
  for (const Member& member : config.tree.as_object()) {
    const FlatOption flat = flat_option(member.key);
    if (flat.option == nullptr) continue;
    for (const Record& record : config.records(*flat.section)) visit(record, member, *flat.option);
  }
}

template <class Visit>
void walk_files(const Subject& subject, const Visit& visit) {
  for (const Config* config : subject.configs) {
    if (config == nullptr || config->kind == Kind::kCompile) continue;
    if (is_for_another_tool(config->kind, subject.circumstances)) continue;  // file-of-another-tool
    if (config->flat) {
      walk_flat(*config, visit);
    } else {
      walk(config->root(), visit);
    }
  }
}

bool ignored_by(const OptionDef& option, const Circumstances& known) {
  return known.tool && !option.tools.empty() && !option.tools.has(*known.tool);
}

bool ignored_at(const OptionDef& option, const Circumstances& known) {
  return !option.stages.empty() && (option.stages.bits & stages_of_run(known).bits) == 0;
}

// Graph options that a finished binary keeps: graph-options-binary tells.
bool is_of_finished_binary(const Record& record, const OptionDef& option, const Circumstances& known) {
  return runs_finished_binary(known) && record.kind() == Kind::kHtp && option.section == &kGraphSection;
}

void ignored_by_tool(const Subject& subject, Report& report) {
  const Circumstances& known = subject.circumstances;
  if (!known.tool) return;
  walk_files(subject, [&](const Record& record, const Member& member, const OptionDef& option) {
    if (!ignored_by(option, known)) return !is_of_finished_binary(record, option, known);
    report.at(record, option.name,
              concat(tool_name(*known.tool), " does not read '", member.key, "'; ",
                     words(option.tools, kToolCount, tool_name),
                     std::has_single_bit(option.tools.bits) ? " does" : " do"));
    return false;
  });
}

void ignored_at_stage(const Subject& subject, Report& report) {
  const Circumstances& known = subject.circumstances;
  if (!known.stage && !known.tool) return;
  walk_files(subject, [&](const Record& record, const Member& member, const OptionDef& option) {
    if (ignored_by(option, known)) return false;
    if (!ignored_at(option, known)) return true;
    if (is_of_finished_binary(record, option, known)) return false;
    report.at(record, option.name,
              concat("'", member.key, "' has no effect in this run; it acts at ",
                     words(option.stages, kStageCount, stage_name)));
    return false;
  });
}

void graph_options_binary(const Subject& subject, Report& report) {
  if (!runs_finished_binary(subject.circumstances) || subject.of(Kind::kHtp) == nullptr) return;
  if (subject.circumstances.tool && *subject.circumstances.tool != Tool::kNetRun) return;  // ignored-by-tool
  const Record root = subject.of(Kind::kHtp)->root();
  const auto graphs = root.records("graphs");
  if (std::ranges::none_of(graphs, sets_options)) return;
  report.at(root, "graphs",
            "graph options act while a graph is prepared; a finished binary keeps those it was made with",
            "set them in the file for qnn-context-binary-generator, and make the binary again");
}

constexpr std::string_view kOuterFileOfIgnored = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"
  }
})";

constexpr RuleDef kIgnoredRules[] = {
    {
        .code = "file-of-another-tool",
        .severity = Severity::kError,
        .title = "The file is of a kind that the chosen tool does not take.",
        .why = "The tool refuses the file, or reads none of its keys. The documents limit backend extensions "
               "to qnn-net-run and qnn-context-binary-generator; qnn-throughput-net-run has a file of its "
               "own, whose backendConfig names the HTP file.",
        .instead = "Give the file to the tool it is for, or name it in the place that the tool has for it.",
        .source = "HTP backend page on the scope of backend extensions, and the tool documentation.",
        .bad = {.text = R"({"context_configs": {"context_priority": "high"}})",
                .flags = "--tool qnn-throughput-net-run"},
        .good = {.text = R"({"context_configs": {"context_priority": "high"}})",
                 .flags = "--tool qnn-net-run"},
        .find = file_of_another_tool,
    },
    {
        .code = "ignored-by-tool",
        .severity = Severity::kNote,
        .title = "The chosen tool does not read this key.",
        .why = "The tool drops the key without a word. That is harmless in a file for several tools, and a "
               "surprise when it was meant for this one.",
        .instead = "Set the option in the file of a tool that reads it; `openqnn explain KEY` names them.",
        .source =
            "HTP backend page: a comment at each option says who uses it. Users' reports: settings silently "
            "ignored.",
        .bad = {.text = kOuterFileOfIgnored,
                .inner = R"({"devices": [{"soc_model": 57, "cores": [{"perf_profile": "burst"}]}]})",
                .flags = "--tool qnn-context-binary-generator"},
        .good = {.text = kOuterFileOfIgnored,
                 .inner = R"({"devices": [{"soc_model": 57, "cores": [{"perf_profile": "burst"}]}]})",
                 .flags = "--tool qnn-net-run"},
        .find = ignored_by_tool,
    },
    {
        .code = "ignored-at-stage",
        .severity = Severity::kNote,
        .title = "The key acts at another stage than the chosen one.",
        .why = "Some options count while a graph is prepared, others when a binary is loaded or executed; "
               "elsewhere they have no effect.",
        .instead =
            "Set the option in the file for the stage at which it acts; `openqnn explain KEY` names it.",
        .source = "HTP backend page: a comment at each option says when it is used.",
        .bad = {.text = R"({"context": {"init_acceleration": true}})", .flags = "--stage online"},
        .good = {.text = R"({"context": {"init_acceleration": true}})", .flags = "--stage binary"},
        .find = ignored_at_stage,
    },
    {
        .code = "graph-options-binary",
        .about = {"graphs"},
        .title = "Graph options are set for running a finished binary.",
        .why = "They were decided when the binary was made. Changing them here changes nothing, which looks "
               "as if the options had no effect at all.",
        .instead =
            "Set them when the binary is made. Only clients of the C API can change the number of vector "
            "threads later, before the first execution.",
        .source = "HTP backend page: graph options are used during online and offline prepare. Public files "
                  "set them for finished binaries.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})", .flags = "--stage binary"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})", .flags = "--stage online"},
        .find = graph_options_binary,
    },
};

}  // namespace

std::span<const RuleDef> ignored_rules() { return kIgnoredRules; }

}  // namespace openqnn::config
