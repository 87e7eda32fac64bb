// SPDX-License-Identifier: BSD-3-Clause
// The file of qnn-throughput-net-run: threads that combine backends, models and contexts by name.
#include <unordered_map>

#include "config/rules/common.h"

namespace openqnn::config {
namespace {

std::vector<Record> threads(const Subject& subject) {
  const auto test = section_of(subject, Kind::kThroughput, "testCase");
  return test ? test->records("threads") : std::vector<Record>();
}

std::vector<std::string_view> names(const std::vector<Record>& records, std::string_view option) {
  std::vector<std::string_view> out;
  for (const Record& record : records) {
    if (const auto name = record.text(option)) out.push_back(*name);
  }
  return out;
}

// The records of a section by name, for what threads refer to; of two with one name the first counts.
std::unordered_map<std::string_view, Record> by_name(const Subject& subject, std::string_view section,
                                                     std::string_view name_option) {
  std::unordered_map<std::string_view, Record> found;
  for (const Record& record : sections_of(subject, Kind::kThroughput, section)) {
    if (const auto name = record.text(name_option)) found.emplace(*name, record);
  }
  return found;
}

void thread_reference(const Subject& subject, Report& report) {
  constexpr struct {
    std::string_view option, section, name;
  } kReferences[] = {{"backend", "backends", "backendName"},
                     {"context", "contexts", "contextName"},
                     {"model", "models", "modelName"}};
  const auto all = threads(subject);
  for (const auto& reference : kReferences) {
    const auto known = names(sections_of(subject, Kind::kThroughput, reference.section), reference.name);
    const NameIndex index(known.begin(), known.end());
    for (const Record& thread : all) {
      const auto name = thread.text(reference.option);
      if (!name || index.contains(*name)) continue;
      report.at(
          thread, reference.option, concat("no entry of ", reference.section, " is called '", *name, "'"),
          known.empty() ? concat("add one to ", reference.section) : concat("there is ", quoted_list(known)));
    }
  }
}

void init_in_loop_binary(const Subject& subject, Report& report) {
  const auto models = by_name(subject, "models", "modelName");
  for (const Record& thread : with(threads(subject), "initModelInLoop")) {
    const auto model = models.find(thread.text("model").or_else(""));
    if (model == models.end() || !model->second.on("loadFromCachedBinary")) continue;
    report.at(thread, "initModelInLoop",
              "a model that is loaded from a context binary cannot be made in the loop",
              "remove initModelInLoop, or use a model library");
  }
}

void binary_flag(const Subject& subject, Report& report) {
  for (const Record& model : sections_of(subject, Kind::kThroughput, "models")) {
    const std::string_view path = model.text("modelPath").or_else("");
    const bool binary = model.on("loadFromCachedBinary");
    const bool looks_binary = path.ends_with(".bin");
    const bool looks_library = path.ends_with(".so") || path.ends_with(".dll");
    if ((!looks_binary || binary) && (!looks_library || !binary)) continue;
    report.at(model, binary ? "loadFromCachedBinary" : "modelPath",
              binary ? "loadFromCachedBinary is on, but modelPath is a model library"
                     : "modelPath is a context binary, but loadFromCachedBinary is not on",
              concat("set loadFromCachedBinary to ", binary ? "false" : "true"));
  }
}

void throughput_extensions(const Subject& subject, Report& report) {
  for (const Record& backend : sections_of(subject, Kind::kThroughput, "backends")) {
    const auto profile = backend.text("perfProfile");
    if (backend.has("backendExtensions") || !profile || *profile == "default") continue;
    report.at(backend, "perfProfile",
              "a performance profile needs the extension library, and backendExtensions is not set",
              "set backendExtensions to libQnnHtpNetRunExtensions.so");
  }
  const auto backends = by_name(subject, "backends", "backendName");
  for (const Record& thread : threads(subject)) {
    const auto backend = backends.find(thread.text("backend").or_else(""));
    if (!thread.has("backendConfig") || backend == backends.end() || backend->second.has("backendExtensions"))
      continue;
    report.at(thread, "backendConfig",
              "the extension library reads this file, and the backend has no backendExtensions",
              "set backendExtensions to libQnnHtpNetRunExtensions.so");
  }
}

void throughput_profiles(const Subject& subject, Report& report) {
  for (const Record& backend : sections_of(subject, Kind::kThroughput, "backends")) {
    const auto profile = backend.text("perfProfile");
    if (!profile || *profile == "default") continue;
    for (const Record& core : subject.cores()) {
      const auto inner = core.text("perf_profile");
      if (!inner || *inner == *profile) continue;
      report.at(backend, "perfProfile",
                concat("perfProfile is ", *profile, ", perf_profile of the HTP file is ", *inner,
                       "; no document says which counts"),
                "give the same one in both, or only here");
    }
  }
}

void queue_without_async(const Subject& subject, Report& report) {
  const auto used = names(with(threads(subject), "executeAsynchronous"), "context");
  const NameIndex asynchronous(used.begin(), used.end());
  for (const Record& context : sections_of(subject, Kind::kThroughput, "contexts")) {
    const auto name = context.text("contextName");
    if (!context.on("executeAsyncQueueDepth") || !name || asynchronous.contains(*name)) continue;
    report.at(context, "executeAsyncQueueDepth",
              concat("no thread of context '", *name, "' executes asynchronously"),
              "set executeAsynchronous in the thread, or remove the depth");
  }
}

constexpr std::string_view kWithProfile = R"({
  "backends": [{
    "backendName": "htp", "backendPath": "libQnnHtp.so",
    "backendExtensions": "libQnnHtpNetRunExtensions.so", "perfProfile": "burst"
  }],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp", "backendConfig": "htp.json"}
  ]}
})";

constexpr RuleDef kThroughputRules[] = {
    {
        .code = "thread-reference",
        .about = {"testCase"},
        .severity = Severity::kError,
        .title = "A thread refers to a backend, context or model that is not there.",
        .why = "Threads combine the other sections by name; an unknown name stops the tool.",
        .instead = "Use the backendName, contextName and modelName of the entries above.",
        .source =
            "Tool documentation: backend, context and model of a thread are required and refer to names.",
        .bad = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "HTP"}
  ]}
})"},
        .good = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .find = thread_reference,
    },
    {
        .code = "init-in-loop-binary",
        .about = {"testCase"},
        .severity = Severity::kError,
        .title = "A model from a context binary is to be made in the loop.",
        .why = "Only models that are composed from a library can be made again and again.",
        .instead = "Remove initModelInLoop for binaries.",
        .source = "Tool documentation: initModelInLoop is not for cached binaries.",
        .bad = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "m.bin", "loadFromCachedBinary": true}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp", "initModelInLoop": true}
  ]}
})"},
        .good = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp", "initModelInLoop": true}
  ]}
})"},
        .find = init_in_loop_binary,
    },
    {
        .code = "binary-flag",
        .about = {"modelPath"},
        .severity = Severity::kError,
        .title = "loadFromCachedBinary and the file of the model do not fit.",
        .why = "The tool opens a binary as a library, or the reverse, and fails.",
        .instead = "Set loadFromCachedBinary to true for .bin files, and only for them.",
        .source = "Tool documentation: modelPath is a library or a binary, and the flag says which.",
        .bad = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "m.bin"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .good = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "m.bin", "loadFromCachedBinary": true}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .find = binary_flag,
    },
    {
        .code = "throughput-extensions",
        .about = {"testCase"},
        .title = "A profile or backend file is given without the extension library.",
        .why = "The extension library sets the profile and reads the backend's file; without it both are "
               "dropped.",
        .instead = "Set backendExtensions in the backend's entry.",
        .source = "Tool documentation: backendExtensions is needed for performance modes. The HTP backend "
                  "page limits extensions to two other tools, yet names this one at several options.",
        .bad = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so", "perfProfile": "burst"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .good = {.text = R"({
  "backends": [{
    "backendName": "htp", "backendPath": "libQnnHtp.so",
    "backendExtensions": "libQnnHtpNetRunExtensions.so", "perfProfile": "burst"
  }],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c"}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .find = throughput_extensions,
    },
    {
        .code = "throughput-profiles",
        .about = {"perfProfile"},
        .title = "The throughput file and the HTP file name different performance profiles.",
        .why = "Both reach the same votes, and no document says which one counts.",
        .instead = "Give the same profile in both, or only in the throughput file.",
        .source = "Tool documentation for perfProfile, HTP backend page for perf_profile.",
        .bad = {.text = kWithProfile, .inner = R"({"devices": [{"cores": [{"perf_profile": "balanced"}]}]})"},
        .good = {.text = kWithProfile, .inner = R"({"devices": [{"cores": [{"perf_profile": "burst"}]}]})"},
        .find = throughput_profiles,
    },
    {
        .code = "queue-without-async",
        .about = {"executeAsyncQueueDepth"},
        .severity = Severity::kNote,
        .title = "A queue depth is set for a context that no thread uses asynchronously.",
        .why = "The queue is for asynchronous executions; without them the depth has no effect.",
        .instead = "Set executeAsynchronous in the thread, or remove the depth.",
        .source = "Tool documentation: executeAsynchronous is off by default.",
        .bad = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c", "executeAsyncQueueDepth": 10}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp"}
  ]}
})"},
        .good = {.text = R"({
  "backends": [{"backendName": "htp", "backendPath": "libQnnHtp.so"}],
  "models": [{"modelName": "m", "modelPath": "libm.so"}],
  "contexts": [{"contextName": "c", "executeAsyncQueueDepth": 10}],
  "testCase": {"iteration": 1, "threads": [
    {"threadName": "t", "context": "c", "model": "m", "backend": "htp", "executeAsynchronous": true}
  ]}
})"},
        .find = queue_without_async,
    },
};

}  // namespace

std::span<const RuleDef> throughput_rules() { return kThroughputRules; }

}  // namespace openqnn::config
