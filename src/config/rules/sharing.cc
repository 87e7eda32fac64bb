// SPDX-License-Identifier: BSD-3-Clause
// What graphs and contexts share: weights, LoRA adapters, spill-fill buffers, cores.
#include <set>

#include "base/units.h"
#include "config/rules/common.h"
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

void weight_sharing_arch(const Subject& subject, Report& report) {
  needs_arch(subject, report, subject.contexts(), "weight_sharing_enabled", 73, "weight sharing");
}

void weight_sharing_host(const Subject& subject, Report& report) {
  needs_linux_host(subject, report, subject.contexts(), "weight_sharing_enabled",
                   "a binary with shared weights");
}

void lora_sharing_host(const Subject& subject, Report& report) {
  needs_linux_host(subject, report, subject.contexts(), "lora_weight_sharing",
                   "a binary with shared LoRA weights");
}

size_t graph_count(const Subject& subject) {
  if (subject.circumstances.graphs) return subject.circumstances.graphs->size();
  std::set<std::string_view> names;
  for (const Record& graph : subject.graphs()) {
    for (const std::string_view name : graph_names(graph)) names.insert(name);
  }
  return names.size();
}

void weight_sharing_graph_count(const Subject& subject, Report& report) {
  const size_t count = graph_count(subject);
  if (count <= kMostSharingGraphs) return;
  for (const Record& context : with(subject.contexts(), "weight_sharing_enabled")) {
    report.at(context, "weight_sharing_enabled",
              concat(count, " graphs are to share weights; at most ", kMostSharingGraphs, " can"),
              "spread the graphs over several binaries");
  }
}

void weight_sharing_one_graph(const Subject& subject, Report& report) {
  const auto& graphs = subject.circumstances.graphs;
  if (!graphs || graphs->size() != 1) return;
  for (const Record& context : with(subject.contexts(), "weight_sharing_enabled")) {
    report.at(context, "weight_sharing_enabled",
              "the model has one graph, which has nobody to share weights with",
              "remove weight_sharing_enabled, or give all graphs to one run of the generator");
  }
}

// What a graph asks for in bytes; nothing when it leaves the default. 0 is the maximum, as far as it is
// known.
std::optional<int64_t> vtcm_bytes(const Record& graph, int64_t maximum) {
  const auto bytes = graph.integer("vtcm_size");
  const auto megabytes = graph.integer("vtcm_mb");
  const bool by_byte = bytes && (!megabytes || megabytes.member < bytes.member);
  if (!by_byte && !megabytes) return std::nullopt;
  constexpr int64_t kAnyMb = 1 << 20;  // keeps the product in range, whatever stands in the file
  const int64_t asked =
      by_byte ? *bytes : std::clamp<int64_t>(*megabytes, 0, kAnyMb) * static_cast<int64_t>(kMiB);
  return asked == 0 ? maximum : asked;
}

void weight_sharing_vtcm(const Subject& subject, Report& report) {
  if (!weight_sharing(subject)) return;
  const auto maximum =
      static_cast<int64_t>(limit_of(subject.part, &soc::SocInfo::vtcm_mb).value_or(0) * kMiB);
  std::optional<Record> first;
  std::optional<int64_t> size;
  for (const Record& graph : subject.graphs()) {
    const auto bytes = vtcm_bytes(graph, maximum);
    if (!bytes) continue;
    if (!first) {
      first = graph;
      size = bytes;
    } else if (*bytes != *size) {
      report.at(graph, graph.has("vtcm_mb") ? "vtcm_mb" : "vtcm_size",
                concat("graphs with different VTCM sizes cannot share weights; ", first->path().to_string(),
                       " asks for another size"),
                "give all graphs the same size, or make two binaries");
    }
  }
}

void weight_sharing_parts(const Subject& subject, Report& report) {
  if (!weight_sharing(subject)) return;
  std::optional<int64_t> first;
  for (const Record& device : subject.devices()) {
    const auto model = soc_number(device);
    if (!model) continue;
    if (first && *first != *model) {
      report.at(device, soc_key(device),
                concat("weights are shared for one part only; another device is for SoC model ", *first),
                "make one binary for each part");
    }
    first = first.value_or(*model);
  }
}

// LoRA is evident where its weights are shared; a graph that says nothing is left alone unless another one
// speaks.
void lora_same_quant(const Subject& subject, Report& report) {
  if (!any_on(subject.contexts(), "lora_weight_sharing")) return;
  const auto& graphs = subject.graphs();
  const bool some_say_so = any_on(graphs, "assume_same_quant");
  for (const Record& graph : graphs) {
    if (graph.on("assume_same_quant") || (!graph.has("assume_same_quant") && !some_say_so)) continue;
    report.at(graph, "assume_same_quant", "graphs with LoRA adapters need assume_same_quant: true",
              "set assume_same_quant to true in every graph that has adapters");
  }
}

// The Python class fills in group_id 0 by itself.
void spill_fill_group_id(const Subject& subject, Report& report) {
  const bool from_python = subject.of(Kind::kCompile) != nullptr;
  for (const Record& context : with(subject.contexts(), "max_spill_fill_buffer_for_group")) {
    const auto group = context.integer("group_id");
    if (group ? *group == 0 : from_python) continue;
    report.at(context, "max_spill_fill_buffer_for_group",
              group ? concat("the size is used only with group_id 0, and group_id is ", *group)
                    : "the size is used only with group_id 0, and there is no group_id",
              "set group_id to 0");
  }
}

void share_resources_group(const Subject& subject, Report& report) {
  const auto sharing = with(subject.records(Kind::kHtp, kGroupContextSection), "share_resources");
  if (sharing.empty()) return;
  for (const Record& context : subject.contexts()) {
    const bool registers = context.on("max_spill_fill_buffer_for_group");
    if (!registers && context.integer("group_id").or_else(0) == 0) continue;
    report.at(
        context, registers ? "max_spill_fill_buffer_for_group" : "group_id",
        "a group of contexts cannot be registered while groupContext.share_resources is on",
        "remove group_id and max_spill_fill_buffer_for_group; share_resources shares the buffers already");
  }
}

void multicore_excludes(const Subject& subject, Report& report) {
  const struct {
    bool on;
    std::string_view what;
  } kOthers[] = {
      {weight_sharing(subject), "weight_sharing_enabled"},
      {spill_fill_group(subject), "max_spill_fill_buffer_for_group"},
      {linting(subject), "profiling_level linting"},
      {graph_switching(subject), "graph switching (memory_limit_hint in the tool file)"},
  };
  for (const Record& graph : subject.graphs()) {
    if (graph.integer("num_cores").or_else(1) <= 1) continue;
    for (const auto& other : kOthers) {
      if (!other.on) continue;
      report.at(graph, "num_cores", concat("a graph on several cores does not work with ", other.what),
                "use one core, or do without it");
    }
  }
}

constexpr RuleDef kSharingRules[] = {
    {
        .code = "weight-sharing-arch",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kError,
        .title = "Weight sharing is asked for on a part before v73.",
        .why = "The older hardware cannot address weights that several graphs own.",
        .instead = "Prepare each graph by itself for such parts.",
        .source =
            "HTP backend page: weight sharing is for v73 and later. Public files try it on older parts.",
        .bad = {.text = R"({"context": {"weight_sharing_enabled": true}, "devices": [{"dsp_arch": "v69"}]})"},
        .good = {.text =
                     R"({"context": {"weight_sharing_enabled": true}, "devices": [{"dsp_arch": "v73"}]})"},
        .find = weight_sharing_arch,
    },
    {
        .code = "weight-sharing-host",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kError,
        .title = "Weight sharing is asked for online, or on another host than x86-64 Linux.",
        .why = "Only the offline compiler of the x86-64 Linux SDK writes binaries with shared weights.",
        .instead = "Prepare on x86-64 Linux and ship the binary.",
        .source =
            "HTP backend page: offline prepare on x86 Linux only; no online prepare, no ARM, no Windows.",
        .bad = {.text = R"({"context": {"weight_sharing_enabled": true}})",
                .flags = "--stage offline --platform x86_64-windows"},
        .good = {.text = R"({"context": {"weight_sharing_enabled": true}})",
                 .flags = "--stage offline --platform x86_64-linux"},
        .find = weight_sharing_host,
    },
    {
        .code = "lora-sharing-host",
        .about = {"lora_weight_sharing"},
        .severity = Severity::kError,
        .title = "LoRA weight sharing is asked for online, or on another host than x86-64 Linux.",
        .why = "Only the offline compiler of the x86-64 Linux SDK writes such binaries.",
        .instead = "Prepare on x86-64 Linux and ship the binary.",
        .source = "HTP backend page: LoRA weight sharing is for offline prepare on x86 Linux only.",
        .bad = {.text = R"({"context": {"lora_weight_sharing": true}})", .flags = "--stage online"},
        .good = {.text = R"({"context": {"lora_weight_sharing": true}})", .flags = "--stage offline"},
        .find = lora_sharing_host,
    },
    {
        .code = "weight-sharing-graph-count",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kError,
        .title = "More than 64 graphs are to share weights.",
        .why = "One binary holds at most 64 graphs with common weights.",
        .instead = "Make several binaries.",
        .source = "HTP backend page and Python reference: common weights across graphs, at most 64.",
        .bad = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": [
    "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "g11", "g12", "g13",
    "g14", "g15", "g16", "g17", "g18", "g19", "g20", "g21", "g22", "g23", "g24", "g25", "g26",
    "g27", "g28", "g29", "g30", "g31", "g32", "g33", "g34", "g35", "g36", "g37", "g38", "g39",
    "g40", "g41", "g42", "g43", "g44", "g45", "g46", "g47", "g48", "g49", "g50", "g51", "g52",
    "g53", "g54", "g55", "g56", "g57", "g58", "g59", "g60", "g61", "g62", "g63", "g64", "g65"
  ]}]
})"},
        .good = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": ["prompt", "token"]}, {"graph_names": ["token"]}]
})"},
        .find = weight_sharing_graph_count,
    },
    {
        .code = "weight-sharing-one-graph",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kNote,
        .title = "Weight sharing is on for a model with one graph.",
        .why = "There is nothing to share, and the layout for sharing may cost RAM and storage.",
        .instead = "Leave weight sharing off, or give all graphs to one run of the generator.",
        .source = "HTP backend page: with a single graph in use, sharing can harm RAM and ROM.",
        .bad = {.text = R"({"context": {"weight_sharing_enabled": true}})", .flags = "--graphs token"},
        .good = {.text = R"({"context": {"weight_sharing_enabled": true}})",
                 .flags = "--graphs prompt,token"},
        .find = weight_sharing_one_graph,
    },
    {
        .code = "weight-sharing-vtcm",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kError,
        .title = "Graphs that share weights ask for different VTCM sizes.",
        .why = "Weights are laid out for one VTCM size; graphs of another size cannot use them.",
        .instead = "Give all graphs the same size, or make one binary per size.",
        .source = "HTP backend page: sharing across VTCM sizes or SoCs is not supported.",
        .bad = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": ["a"], "vtcm_mb": 8}, {"graph_names": ["b"], "vtcm_mb": 4}]
})"},
        .good = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": ["a"], "vtcm_mb": 8}, {"graph_names": ["b"], "vtcm_mb": 0}],
  "devices": [{"soc_model": 57}]
})"},
        .find = weight_sharing_vtcm,
    },
    {
        .code = "weight-sharing-parts",
        .about = {"weight_sharing_enabled"},
        .severity = Severity::kError,
        .title = "Graphs are to share weights across parts.",
        .why = "Weights are laid out for one part.",
        .instead = "Make one binary per part.",
        .source = "HTP backend page: sharing across VTCM sizes or SoCs is not supported.",
        .bad = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "devices": [{"device_id": 0, "soc_model": 43}, {"device_id": 1, "soc_model": 57}]
})"},
        .good = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "devices": [{"device_id": 0, "soc_model": 77}, {"device_id": 1, "soc_model": 77}]
})"},
        .find = weight_sharing_parts,
    },
    {
        .code = "lora-same-quant",
        .about = {"lora_weight_sharing"},
        .severity = Severity::kError,
        .title = "LoRA weights are shared, and only some of the graphs say assume_same_quant.",
        .why =
            "Adapters are exchanged in place, which works only when their tensors have the same encodings. "
            "Found are graphs that turn it off, and graphs that do not mention it beside one that turns it "
            "on. When no graph mentions it nothing is said: the file does not tell which graphs have "
            "adapters.",
        .instead = "Set assume_same_quant to true in every graph that has adapters.",
        .source =
            "Python reference: assume_same_quant is required when LoRA adapters are used during compilation.",
        .bad = {.text = R"({
  "context": {"lora_weight_sharing": true},
  "graphs": [{"graph_names": ["a"], "assume_same_quant": true}, {"graph_names": ["b"]}]
})"},
        .good = {.text = R"({
  "context": {"lora_weight_sharing": true},
  "graphs": [{"graph_names": ["a", "b"], "assume_same_quant": true}]
})"},
        .find = lora_same_quant,
    },
    {
        .code = "spill-fill-group-id",
        .about = {"max_spill_fill_buffer_for_group"},
        .severity = Severity::kError,
        .title = "A shared spill-fill size is given without group_id 0.",
        .why = "The size counts only where a group starts, which group_id 0 says; elsewhere it is dropped, "
               "and the Python class refuses it.",
        .instead = "Set group_id to 0 beside it.",
        .source = "HTP backend page and Python reference: group_id must be 0 for this option to be used.",
        .bad = {.text = R"({"context": {"group_id": 1, "max_spill_fill_buffer_for_group": 30081024}})"},
        .good = {.text = R"({"context": {"group_id": 0, "max_spill_fill_buffer_for_group": 30081024}})"},
        .find = spill_fill_group_id,
    },
    {
        .code = "share-resources-group",
        .about = {"share_resources"},
        .severity = Severity::kError,
        .title = "Resource sharing is combined with a registered group of contexts.",
        .why = "share_resources is for contexts created as a list; groups are for contexts created one by "
               "one. The two exclude each other.",
        .instead = "Keep share_resources, which shares the buffers already, or the group.",
        .source = "HTP backend page: contexts created from a list should not be registered to groups.",
        .bad = {.text = R"({
  "context": {"group_id": 0, "max_spill_fill_buffer_for_group": 30081024},
  "groupContext": {"share_resources": true}
})"},
        .good = {.text = R"({
  "context": {"group_id": 0, "max_spill_fill_buffer_for_group": 0},
  "groupContext": {"share_resources": true}
})"},
        .find = share_resources_group,
    },
    {
        .code = "multicore-excludes",
        .about = {"num_cores"},
        .title = "A graph on several cores is combined with a feature that works on one.",
        .why = "Weight sharing, shared spill-fill buffers, linting and graph switching are made for one "
               "core; the binary does not prepare or load.",
        .instead = "Use one core, or do without the other feature.",
        .source = "Newer HTP page: multicore excludes these.",
        .bad = {.text = R"({
  "graphs": [{"graph_names": ["g"], "num_cores": 2}],
  "context": {"weight_sharing_enabled": true}
})"},
        .good = {.text = R"({
  "graphs": [{"graph_names": ["g"], "num_cores": 1}],
  "context": {"weight_sharing_enabled": true}
})"},
        .find = multicore_excludes,
    },
};

}  // namespace

std::span<const RuleDef> sharing_rules() { return kSharingRules; }

}  // namespace openqnn::config
