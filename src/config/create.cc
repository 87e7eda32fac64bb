// SPDX-License-Identifier: BSD-3-Clause
#include "config/create.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "config/commented_json.h"
#include "config/soc_details.h"
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr uint32_t kWeightSharingArch = 73;
constexpr uint32_t kLlmDecodeArch = 79;

// What a purpose asks of the power settings. The choices are ours, from what the documents recommend.
struct Recipe {
  std::string_view name;
  std::string_view about;
  std::string_view perf_profile;
  std::string_view why_profile;
  int64_t rpc_control_latency;
  std::string_view why_latency;
  int64_t optimization;
  std::string_view why_optimization;
};

constexpr std::string_view kPrepareLonger = "Preparing takes longer; it is done once.";
constexpr std::string_view kWakeSoon = "Up to 200 where every inference must be quick.";

constexpr std::array<Recipe, kPurposeCount> kRecipes = {{
    {"latency", "the shortest time of one inference", "burst",
     "The highest clocks; they stay for a while after an inference, so an idle device must leave it.", 100,
     kWakeSoon, 3, kPrepareLonger},
    {"throughput", "many inferences one after the other", "sustained_high_performance",
     "High clocks that a warm device can hold.", 100, kWakeSoon, 3, kPrepareLonger},
    {"power", "little energy", "power_saver", "Low clocks, and no votes between inferences.", 1000,
     "Lets the CPU sleep deeply while the DSP works.", 3,
     "Less work is less energy; preparing takes longer."},
    {"memory", "little RAM", "balanced", "Memory is what counts here, not speed.", 100, kWakeSoon, 3,
     "Preparing takes longer; it is done once."},
    {"llm", "a language model with a prompt and a token graph", "burst",
     "The highest clocks; leave it when no token is wanted.", 100, kWakeSoon, 3, kPrepareLonger},
    {"lora", "a model with LoRA adapters", "burst", "The highest clocks; leave it when the model is idle.",
     100, kWakeSoon, 3, kPrepareLonger},
    {"debug", "finding out where the time goes", "high_performance", "Steady clocks between runs.", 100,
     kWakeSoon, 2, "Prepares quickly while the model changes."},
}};

const Recipe& recipe_of(Purpose purpose) { return kRecipes[static_cast<size_t>(purpose)]; }

// Of a part whose own is not stated: that of another part with the same SoC model.
std::optional<uint32_t> arch_of(const std::optional<soc::SocInfo>& soc) {
  if (!soc || soc->arch || !soc->soc_model) return soc ? soc->arch : std::nullopt;
  const auto same_model = soc_of_model(*soc->soc_model);
  return same_model ? same_model->arch : std::nullopt;
}

class Creation {
 public:
  explicit Creation(const CreateOptions& options) : options_(options), recipe_(recipe_of(options.purpose)) {}

  CommentedSection htp() const {
    CommentedSection file(kHtpFile);
    file.section("graphs", graphs()).section("devices", devices());
    if (options_.purpose == Purpose::kMemory) {
      CommentedSection context(kContextSection);
      context.number("file_read_memory_budget_in_mb", 25, "Any amount up to the size of the binary.");
      CommentedSection memory(kMemorySection);
      memory.text("mem_type", "shared_buffer", "Spares a copy of each.");
      file.section("context", context).section("memory", memory);
    }
    if (options_.purpose == Purpose::kLlm && can_share_weights())
      file.section("context", sharing_context("weight_sharing_enabled",
                                              "Offline on x86-64 Linux; all graphs need the same vtcm_mb."));
    if (options_.purpose == Purpose::kLora)
      file.section("context", sharing_context("lora_weight_sharing", "Offline on x86-64 Linux."));
    return file;
  }

  CommentedSection tool() const {
    CommentedSection file(kToolFile);
    CommentedSection extensions(file.section_of("backend_extensions"));
    extensions.text("shared_library_path", "libQnnHtpNetRunExtensions.so",
                    "On Windows QnnHtpNetRunExtensions.dll.");
    extensions.text(
        "config_file_path", "htp.json",
        "Found from the directory the tool runs in. `openqnn new --kind htp --out htp.json` makes one.");
    file.section("backend_extensions", extensions);
    if (options_.purpose == Purpose::kMemory) {
      CommentedSection contexts(file.section_of("context_configs"));
      contexts.boolean("is_persistent_binary", true,
                       "Map the file (--use_mmap), else all of it stays in RAM.");
      contexts.number("memory_limit_hint", 1, "The amount itself does not count.");
      file.section("context_configs", contexts);
    }
    return file;
  }

  CommentedSection lpai() const {
    CommentedSection file(kLpaiFile);
    CommentedSection backend(file.section_of("lpai_backend"));
    backend.text("target_env", "adsp");
    backend.text("enable_hw_ver", lpai_version().value_or(std::string(kDefaultLpai)), why_lpai());
    CommentedSection graph(file.section_of("lpai_graph"));
    CommentedSection execute(graph.section_of("execute"));
    const bool is_saving = options_.purpose == Purpose::kPower || options_.purpose == Purpose::kMemory;
    execute.number("fps", is_saving ? 1 : 30).number("ftrt_ratio", 10, "10 is the clock that fps needs.");
    execute.text("client_type", options_.purpose == Purpose::kThroughput ? "non_real_time" : "real_time");
    execute.text("affinity", "soft").number("core_selection", 0);
    graph.section("execute", execute);
    CommentedSection profile(file.section_of("lpai_profile"));
    profile.text("level", options_.purpose == Purpose::kDebug ? "detailed" : "basic");
    file.section("lpai_backend", backend).section("lpai_graph", graph).section("lpai_profile", profile);
    return file;
  }

  CommentedSection data_format() const {
    CommentedSection file(kDataFormatFile);
    CommentedSection graph(file.section_of("graphs"));
    graph.texts("graph_name", graph_names(), "As the model calls them.");
    std::vector<CommentedSection> tensors;
    for (const std::string_view name :
         {"past_key_0_in", "past_value_0_in", "past_key_0_out", "past_value_0_out"}) {
      CommentedSection& tensor = tensors.emplace_back(graph.section_of("tensors"));
      tensor.text("tensor_name", name, "All keys and values of the cache, of every layer: all or none.");
      tensor.text("dataFormat", "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT",
                  "A KV cache as the matrix unit reads it; no copy between layouts.");
    }
    graph.sections("tensors", tensors);
    file.section("graphs", graph);
    return file;
  }

  CommentedSection optrace() const {
    CommentedSection file(kOptraceFile);
    CommentedSection features(file.section_of("features"));
    const bool is_small = options_.purpose == Purpose::kMemory;
    features.boolean("enable_input_output_flow_events", !is_small);
    features.boolean("enable_sequencer_flow_events", options_.purpose == Purpose::kDebug);
    features.boolean("htp_json", true).boolean("runtrace", true).boolean("memory_info", true);
    features.boolean("traceback", true).boolean("qhas_schema", false).boolean("qhas_json", true);
    file.section("features", features);
    return file;
  }

  CommentedSection throughput() const {
    CommentedSection file(kThroughputFile);
    CommentedSection backend(file.section_of("backends"));
    backend.text("backendName", "htp").text("backendPath", "libQnnHtp.so");
    backend.text("backendExtensions", "libQnnHtpNetRunExtensions.so", "The profile needs it.");
    backend.text("perfProfile", recipe_.perf_profile, recipe_.why_profile);
    CommentedSection model(file.section_of("models"));
    model.text("modelName", graph_names().front()).text("modelPath", concat(graph_names().front(), ".bin"));
    model.boolean("loadFromCachedBinary", true);
    CommentedSection context(file.section_of("contexts"));
    context.text("contextName", "context");
    file.section("backends", backend).section("models", model).section("contexts", context);
    file.section("testCase", test_case(file));
    return file;
  }

 private:
  std::optional<uint32_t> arch() const { return arch_of(options_.soc); }

  bool can_share_weights() const {
    const size_t count = graph_names().size();
    return arch().value_or(kWeightSharingArch) >= kWeightSharingArch && count > 1 &&
           count <= kMostSharingGraphs;
  }

  std::vector<std::string> graph_names() const {
    if (!options_.graphs.empty()) return options_.graphs;
    if (options_.purpose == Purpose::kLlm) return {"prompt", "token"};
    return {"model"};
  }

  CommentedSection graphs() const {
    CommentedSection graph(kGraphSection);
    graph.texts("graph_names", graph_names(),
                options_.graphs.empty()
                    ? "Put the names of your graphs here: the stem of the model's file, as a rule."
                    : "");
    if (options_.soc && options_.soc->vtcm_mb) {
      graph.number("vtcm_mb", static_cast<int64_t>(*options_.soc->vtcm_mb),
                   concat("All that ", options_.soc->chipset, " has."));
    } else if (options_.soc && options_.soc->soc_model) {
      graph.number("vtcm_mb", 0, concat("0 takes all that ", options_.soc->chipset, " has."));
    }
    if (options_.soc && options_.soc->hvx_threads)
      graph.number("hvx_threads", *options_.soc->hvx_threads,
                   concat("All that ", options_.soc->chipset, " has."));
    graph.number("O", recipe_.optimization, recipe_.why_optimization);
    if (options_.purpose == Purpose::kLora) graph.boolean("assume_same_quant", true);
    return graph;
  }

  CommentedSection devices() const {
    CommentedSection device(kDeviceSection);
    if (options_.soc && options_.soc->soc_model)
      device.number("soc_model", *options_.soc->soc_model, concat(options_.soc->chipset, "."));
    if (arch()) device.text("dsp_arch", concat("v", *arch()));
    if (options_.purpose == Purpose::kDebug)
      device.text("profiling_level", "linting",
                  "For --profiling_level backend of the vendor's tools; openqnn's have basic and detailed.");
    device.section("cores", core());
    return device;
  }

  CommentedSection core() const {
    CommentedSection core(kCoreSection);
    core.number("core_id", 0).text("perf_profile", perf_profile(), recipe_.why_profile);
    core.number("rpc_control_latency", recipe_.rpc_control_latency, recipe_.why_latency);
    if (options_.purpose == Purpose::kLatency)
      core.number("rpc_polling_time", 9999, "The longest there is; costs CPU power.");
    return core;
  }

  std::string_view perf_profile() const {
    const bool decodes = options_.purpose == Purpose::kLlm && arch().value_or(0) >= kLlmDecodeArch &&
                         options_.sdk && *options_.sdk >= kLlmDecodeSdk;
    return decodes ? "llm_decode_burst" : recipe_.perf_profile;
  }

  static CommentedSection sharing_context(std::string_view option, std::string_view why) {
    CommentedSection context(kContextSection);
    context.boolean(option, true, why);
    return context;
  }

  std::optional<std::string> lpai_version() const {
    return options_.soc ? lpai_version_of(*options_.soc) : std::nullopt;
  }

  std::string why_lpai() const {
    if (lpai_version()) return concat("That of ", options_.soc->chipset, ".");
    const std::string unstated =
        options_.soc ? concat("No public source states that of ", options_.soc->chipset, "; this") : "This";
    return concat(unstated, " is the default. Known are ", lpai_versions_text(), ".");
  }

  CommentedSection test_case(const CommentedSection& file) const {
    CommentedSection test(file.section_of("testCase"));
    test.number("iteration", 1, "A negative number goes on until you stop it.");
    CommentedSection thread(test.section_of("threads"));
    thread.text("threadName", "thread").text("backend", "htp").text("context", "context");
    thread.text("model", graph_names().front()).number("loop", 100).text("loopUnit", "count");
    test.section("threads", thread);
    return test;
  }

  const CreateOptions& options_;
  const Recipe& recipe_;
};

std::string head_comment(const CreateOptions& options) {
  const KindDef& kind = kind_def(options.kind);
  const std::string part = options.soc ? concat(", for ", options.soc->chipset) : "";
  return concat(kind.title, part, ": ", recipe_of(options.purpose).about, ". It goes to ", kind.goes_to,
                ". `openqnn check` checks it, `openqnn explain KEY` tells more.");
}

// Whether the part can have such a file at all.
Status possible(const CreateOptions& options) {
  if (options.kind == Kind::kCompile)
    return invalid("no-such-file", "CompileConfig is a Python class, not a file")
        .fix_by("choose another kind");
  const auto known = arch_of(options.soc);
  const bool is_for_htp = options.kind != Kind::kLpai;
  if (!known && options.soc && is_for_htp)
    return unsupported("part-without-htp",
                       concat("no source states that ", options.soc->chipset, " has an HTP, or which one"))
        .fix_by(
            "name a part whose architecture is known (`openqnn soc` lists them), or leave --soc out and "
            "write soc_model and dsp_arch yourself");
  if (!known) return {};
  const uint32_t arch = *known;
  if (is_for_htp && arch < soc::kFirstHtpArch)
    return unsupported("part-without-htp", concat(options.soc->chipset, " (v", arch, ") has no HTP"))
        .fix_by("choose a part of v68 or later; `openqnn soc` lists them");
  if (options.kind == Kind::kDataFormat && arch == soc::kFirstHtpArch)
    return unsupported("native-kv-arch",
                       concat("a native KV cache needs v69 or later; ", options.soc->chipset, " is v", arch,
                              ", and nothing else in a data-format file is for it"))
        .fix_by("leave the data-format file out");
  return {};
}

}  // namespace

std::string_view purpose_name(Purpose purpose) { return recipe_of(purpose).name; }

std::optional<Purpose> find_purpose(std::string_view name) {
  const auto* found = std::ranges::find(kRecipes, name, &Recipe::name);
  if (found == kRecipes.end()) return std::nullopt;
  return static_cast<Purpose>(found - kRecipes.begin());
}

Result<std::string> create(const CreateOptions& options) {
  OPENQNN_TRY(possible(options));
  const Creation creation(options);
  // In the order of the kinds; kCompile is none of them.
  using Maker = CommentedSection (Creation::*)() const;
  constexpr std::array<Maker, kKindCount - 1> kMakers = {&Creation::htp,     &Creation::tool,
                                                         &Creation::lpai,    &Creation::data_format,
                                                         &Creation::optrace, &Creation::throughput};
  const CommentedSection made = (creation.*kMakers[static_cast<size_t>(options.kind)])();
  return write_commented(made, head_comment(options), options.comments);
}

}  // namespace openqnn::config
