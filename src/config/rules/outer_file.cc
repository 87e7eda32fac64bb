// SPDX-License-Identifier: BSD-3-Clause
// The tool file: the extension library, priorities, queues, and the graphs it names.
#include <unordered_map>

#include "config/keys.h"
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

constexpr int64_t kDeepestQueue = 300;

std::string_view file_name(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "libQnnHtpV73Stub.so" -> "QnnHtpV73Stub"; the name alone on both systems.
std::string_view library_stem(std::string_view path) {
  std::string_view name = file_name(path);
  if (name.starts_with("lib")) name.remove_prefix(3);
  return name.substr(0, name.find('.'));
}

// A library of the SDK that is no extension library. Other names may be somebody's own.
bool is_other_sdk_library(std::string_view stem) {
  if (!stem.starts_with("Qnn") || stem.find("NetRunExtensions") != std::string_view::npos) return false;
  for (const std::string_view end : {"Stub", "Skel", "Prepare", "Htp", "Dsp", "Lpai", "Cpu", "Gpu", "Saver",
                                     "System", "ModelDlc", "CalculatorStub"}) {
    if (stem.ends_with(end)) return true;
  }
  return false;
}

// The extension library whose name was meant; empty when the name is right, or one of somebody's own.
std::string_view mistyped_extensions(std::string_view path) {
  constexpr std::string_view kMeant[] = {"QnnHtpNetRunExtensions", "QnnLpaiNetRunExtensions"};
  constexpr std::string_view kOthers[] = {"QnnDspNetRunExtensions", "QnnHtaNetRunExtensions",
                                          "QnnGpuNetRunExtensions", "QnnCpuNetRunExtensions",
                                          "QnnAicNetRunExtensions"};
  constexpr size_t kMostSlips = 2;
  constexpr size_t kLongest = 32;  // longer names are no slip of these
  const std::string_view stem = library_stem(path);
  if (stem.size() > kLongest || std::ranges::find(kOthers, stem) != std::end(kOthers)) return {};
  const bool any_case = file_name(path).ends_with(".dll");  // Windows does not tell them apart
  for (const std::string_view meant : kMeant) {
    if (stem == meant || (any_case && lower(stem) == lower(meant))) return {};
  }
  for (const std::string_view meant : kMeant) {
    if (edit_distance(lower(stem), lower(meant)) <= kMostSlips) return meant;
  }
  return {};
}

void library_not_extensions(const Subject& subject, Report& report) {
  const auto extensions = section_of(subject, Kind::kTool, "backend_extensions");
  if (!extensions) return;
  const auto path = extensions->text("shared_library_path");
  if (!path) return;
  if (const std::string_view meant = mistyped_extensions(*path); !meant.empty()) {
    report
        .at(*extensions, "shared_library_path",
            concat("'", file_name(*path), "' is no library of the SDK, but nearly ", meant),
            concat("name lib", meant, ".so, or ", meant, ".dll on Windows"))
        .severity = Severity::kWarning;  // a copy of somebody's own may have such a name
    return;
  }
  if (!is_other_sdk_library(library_stem(*path))) return;
  const bool lpai = library_stem(*path).find("Lpai") != std::string_view::npos;
  report.at(*extensions, "shared_library_path",
            concat("'", file_name(*path),
                   "' is not an extension library; the tool cannot initialize its extensions"),
            concat("name libQnn", lpai ? "Lpai" : "Htp", "NetRunExtensions.so, or its .dll on Windows"));
}

// A library alone is enough to set a performance profile from the command line.
void extensions_incomplete(const Subject& subject, Report& report) {
  const auto extensions = section_of(subject, Kind::kTool, "backend_extensions");
  if (!extensions) return;
  const bool library = extensions->has("shared_library_path");
  const bool file = extensions->has("config_file_path");
  if (library && file) return;
  if (!library) {
    report.at(*extensions, "config_file_path",
              file ? "no shared_library_path is given: without the extension library nobody reads this file"
                   : "backend_extensions names neither a library nor a file, and has no effect",
              file ? "add shared_library_path, for HTP libQnnHtpNetRunExtensions.so"
                   : "add shared_library_path and config_file_path, or remove the section");
    return;
  }
  report
      .at(*extensions, "shared_library_path",
          "no config_file_path is given: the library has nothing to read, and the backend uses its defaults",
          "add config_file_path, unless only flags of the tool need the library")
      .severity = Severity::kNote;
}

bool is_windows(Platform platform) {
  return platform == Platform::kWindowsX86 || platform == Platform::kWindowsArm;
}

void library_platform(const Subject& subject, Report& report) {
  const auto extensions = section_of(subject, Kind::kTool, "backend_extensions");
  const auto path = extensions ? extensions->text("shared_library_path") : Option<std::string_view>();
  if (!path) return;
  const std::string_view name = file_name(*path);
  const bool dll = name.ends_with(".dll");
  const bool so = name.ends_with(".so");
  const auto platform = subject.circumstances.platform;
  const std::string windows_name = concat(library_stem(*path), ".dll");
  if (dll && name.starts_with("libQnn")) {
    report.at(*extensions, "shared_library_path",
              concat("'", name, "': Windows libraries have no lib in front"), concat("write ", windows_name));
  } else if (platform && ((so && is_windows(*platform)) || (dll && !is_windows(*platform)))) {
    report.at(*extensions, "shared_library_path",
              concat("'", name, "' is a library for ", dll ? "Windows" : "Linux and Android", ", not for ",
                     platform_name(*platform)),
              concat("write ", so ? windows_name : concat("lib", library_stem(*path), ".so")));
  }
}

void library_other_backend(const Subject& subject, Report& report) {
  const auto extensions = section_of(subject, Kind::kTool, "backend_extensions");
  if (!extensions) return;
  const auto path = extensions->text("shared_library_path");
  const std::string_view stem = library_stem(path.or_else(""));
  const bool lpai_library = stem == "QnnLpaiNetRunExtensions";
  const bool htp_library = stem == "QnnHtpNetRunExtensions";
  const bool clash = (lpai_library && subject.of(Kind::kHtp) != nullptr) ||
                     (htp_library && subject.of(Kind::kLpai) != nullptr);
  if (!clash) return;
  report.at(*extensions, "shared_library_path",
            concat("the library is for ", lpai_library ? "LPAI" : "HTP",
                   ", but config_file_path names a file for ", lpai_library ? "HTP" : "LPAI"),
            concat("name ", lpai_library ? "libQnnHtpNetRunExtensions.so" : "libQnnLpaiNetRunExtensions.so",
                   ", or another file"));
}

void priority_on_windows(const Subject& subject, Report& report) {
  const Circumstances& known = subject.circumstances;
  if (known.platform != Platform::kWindowsArm || subject.sdk_before({2, 29})) return;
  const auto ignored = [&](const Record& record, std::string_view option) {
    if (!record.has(option)) return;
    report.at(record, option, "on Windows all priorities are the same since SDK 2.29; the system schedules",
              "do not rely on it");
  };
  for (const Record& context : sections_of(subject, Kind::kTool, "context_configs"))
    ignored(context, "context_priority");
  for (const Record& graph : sections_of(subject, Kind::kTool, "graph_configs"))
    ignored(graph, "graph_priority");
}

void queue_too_deep(const Subject& subject, Report& report) {
  const auto check = [&](const std::vector<Record>& records, std::string_view option) {
    for (const Record& record : records) {
      const auto depth = record.integer(option);
      if (depth.or_else(0) <= kDeepestQueue) continue;
      report.at(record, option,
                concat("a queue of ", *depth, " executions is refused; ", kDeepestQueue, " is the most"),
                concat("write ", kDeepestQueue, " or less"));
    }
  };
  check(sections_of(subject, Kind::kTool, "context_configs"), "async_execute_queue_depth");
  check(sections_of(subject, Kind::kThroughput, "contexts"), "executeAsyncQueueDepth");
}

void outer_graph_unknown(const Subject& subject, Report& report) {
  const auto& model = subject.circumstances.graphs;
  if (!model) return;
  const NameIndex known(model->begin(), model->end());
  const auto unknown = [&](const Record& record, std::string_view option, std::string_view name) {
    if (known.contains(name)) return;
    report.at(record, option, concat("the model has no graph '", name, "'"), nearest_graph(subject, name));
  };
  for (const Record& context : sections_of(subject, Kind::kTool, "context_configs")) {
    for (const std::string_view option : {"enable_graphs", "graph_retention_order"}) {
      const auto names = context.texts(option);
      if (!names) continue;
      for (const std::string_view name : *names) unknown(context, option, name);
    }
  }
  for (const Record& graph : sections_of(subject, Kind::kTool, "graph_configs")) {
    if (const auto name = graph.text("graph_name")) unknown(graph, "graph_name", *name);
  }
}

// One entry of equal content more does no harm.
void graph_configured_twice(const Subject& subject, Report& report) {
  const auto graphs = sections_of(subject, Kind::kTool, "graph_configs");
  std::unordered_map<std::string_view, const Record*> first;
  for (const Record& graph : graphs) {
    const auto name = graph.text("graph_name");
    if (!name) continue;
    const auto [found, added] = first.emplace(*name, &graph);
    if (added || found->second->object().same_as(graph.object())) continue;
    report.at(graph, "graph_name",
              concat("'", *name, "' is also in ", found->second->path().to_string(), ", with other options"),
              "put all options of a graph into one entry");
  }
}

constexpr std::string_view kHtpLibrary = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "backend.json"
  }
})";

constexpr RuleDef kOuterFileRules[] = {
    {
        .code = "library-not-extensions",
        .about = {"shared_library_path"},
        .severity = Severity::kError,
        .title = "The extension library is another library of the SDK, or mistyped.",
        .why = "The backend, its stub or the prepare library cannot serve as extensions; the tool reports "
               "that it is unable to initialize backend extensions, or goes on without the file.",
        .instead = "Name the library whose name ends in NetRunExtensions.",
        .source = "Tool documentation and users' reports: a stub named there fails to initialize.",
        .bad = {.text = R"({
  "backend_extensions": {"shared_library_path": "libQnnHtpV73Stub.so", "config_file_path": "htp.json"}
})"},
        .good = {.text = R"({
  "backend_extensions": {"shared_library_path": "./libMyHtpExtensions.so", "config_file_path": "htp.json"}
})"},
        .find = library_not_extensions,
    },
    {
        .code = "extensions-incomplete",
        .about = {"backend_extensions"},
        .title = "backend_extensions lacks the library or the file.",
        .why = "The extension library reads the backend's file. A file without the library is read by "
               "nobody, and the run goes on with defaults; a library without a file has nothing to read, "
               "which is only a note, because flags such as --perf_profile need the library too.",
        .instead = "Give shared_library_path and config_file_path together.",
        .source = "Tool documentation: the two keys of backend_extensions. Users' reports: a configuration "
                  "that is silently ignored.",
        .bad = {.text = R"({"backend_extensions": {"config_file_path": "htp.json"}})"},
        .good = {.text = kHtpLibrary},
        .find = extensions_incomplete,
    },
    {
        .code = "library-platform",
        .about = {"shared_library_path"},
        .title = "The extension library has the name of another operating system.",
        .why =
            "Windows libraries have no lib in front and end in .dll; under the other name the library is not "
            "found, and the run goes on without the configuration.",
        .instead = "Write the name as the platform has it.",
        .source = "Public files and users' reports: extension libraries that are not loadable.",
        .bad = {.text = kHtpLibrary, .flags = "--platform aarch64-windows"},
        .good = {.text = kHtpLibrary, .flags = "--platform aarch64-android"},
        .find = library_platform,
    },
    {
        .code = "library-other-backend",
        .about = {"shared_library_path"},
        .severity = Severity::kError,
        .title = "The extension library and its file are for different backends.",
        .why = "Each extension library reads the file of its own backend and knows none of the other's keys.",
        .instead = "Pair libQnnHtpNetRunExtensions with an HTP file, and libQnnLpaiNetRunExtensions with an "
                   "LPAI file.",
        .source =
            "LPAI configuration page and HTP backend page: each file is parsed by its backend's library.",
        .bad = {.text = kHtpLibrary, .inner = R"({"lpai_backend": {"target_env": "adsp"}})"},
        .good = {.text = kHtpLibrary, .inner = R"({"devices": [{"soc_model": 57}]})"},
        .find = library_other_backend,
    },
    {
        .code = "priority-on-windows",
        .about = {"context_priority", "graph_priority"},
        .severity = Severity::kNote,
        .title = "A priority is set on Windows, where it has no effect.",
        .why = "The operating system schedules the NPU there and may ignore what is asked.",
        .instead = "Do not rely on priorities on Windows.",
        .source =
            "The newer page on priorities: from SDK 2.29 on, every level maps to the same one on Windows.",
        .bad = {.text = R"({"context_configs": {"context_priority": "high"}})",
                .flags = "--platform aarch64-windows"},
        .good = {.text = R"({"context_configs": {"context_priority": "high"}})",
                 .flags = "--platform aarch64-windows --sdk 2.25"},
        .find = priority_on_windows,
    },
    {
        .code = "queue-too-deep",
        .about = {"async_execute_queue_depth", "executeAsyncQueueDepth"},
        .severity = Severity::kError,
        .title = "The queue of asynchronous executions is deeper than allowed.",
        .why = "The depth is fixed when the context is created, and a depth above 300 is an error there.",
        .instead = "Use 300 or less; the tools use 10.",
        .source = "The newer page on asynchronous execution: at most 300.",
        .bad = {.text = R"({"context_configs": {"async_execute_queue_depth": 1000}})"},
        .good = {.text = R"({"context_configs": {"async_execute_queue_depth": 300}})"},
        .find = queue_too_deep,
    },
    {
        .code = "outer-graph-unknown",
        .about = {"enable_graphs", "graph_name", "graph_retention_order"},
        .severity = Severity::kError,
        .title = "The tool file names a graph that the model does not have.",
        .why = "A binary is not loaded when enable_graphs has an unknown name.",
        .instead = "Use the names in the model.",
        .source = "Tool documentation: an unknown name in enable_graphs is an error.",
        .bad = {.text = R"({"context_configs": {"enable_graphs": ["promt"]}})",
                .flags = "--graphs prompt,token"},
        .good = {.text = R"({"context_configs": {"enable_graphs": ["token"]}})",
                 .flags = "--graphs prompt,token"},
        .find = outer_graph_unknown,
    },
    {
        .code = "graph-configured-twice",
        .about = {"graph_configs"},
        .title = "A graph has two entries in graph_configs with different options.",
        .why = "No document says whether the entries are merged or one of them wins.",
        .instead = "Put all options of a graph into one entry.",
        .source = "Tool documentation: graph_name selects the graph of an entry, and nothing is said about "
                  "two entries for one graph.",
        .bad = {.text = R"({
  "graph_configs": [{"graph_name": "g", "graph_priority": "high"}, {"graph_name": "g", "graph_priority": "low"}]
})"},
        .good = {.text = R"({
  "graph_configs": [{"graph_name": "g", "graph_priority": "high"}, {"graph_name": "h", "graph_priority": "low"}]
})"},
        .find = graph_configured_twice,
    },
};

}  // namespace

std::span<const RuleDef> outer_file_rules() { return kOuterFileRules; }

}  // namespace openqnn::config
