// SPDX-License-Identifier: BSD-3-Clause
// Compression of what goes to DDR: DLBC of inputs and of weights, and of sparse weights.
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

constexpr Sdk kRefusedSince = {2, 36};  // DLBC of weights with weight sharing
constexpr size_t kMostGraphsWithOne = 32;
constexpr size_t kMostGraphsWithBoth = 16;

bool compresses(const Record& graph) { return graph.on("dlbc") || graph.on("dlbc_weights"); }
std::string_view compression_key(const Record& graph) { return graph.on("dlbc") ? "dlbc" : "dlbc_weights"; }

void dlbc_weight_sharing(const Subject& subject, std::span<const Record> graphs, Report& report) {
  if (!weight_sharing(subject)) return;
  const bool refused = !subject.sdk_before(kRefusedSince);
  for (const Record& graph : graphs) {
    if (!compresses(graph)) continue;
    Finding& finding = report.at(
        graph, compression_key(graph),
        refused
            ? "DLBC does not work with weight_sharing_enabled; from SDK 2.36 on preparing both is refused"
            : "DLBC does not work with weight_sharing_enabled; such a binary loads with DLBC of weights off",
        "give up one of the two");
    if (!refused) finding.severity = Severity::kWarning;
    finding.notes.emplace_back(
        "the newer HTP page allows DLBC of weights with weight sharing on select newer parts");
  }
}

void dlbc_online(const Subject& subject, Report& report) {
  if (subject.circumstances.stage != Stage::kOnline) return;
  for (const Record& graph : with(subject.graphs(), "dlbc")) {
    report.at(graph, "dlbc", "DLBC is only for graphs that are prepared offline",
              "prepare a context binary with qnn-context-binary-generator");
  }
}

void dlbc_spill_fill(const Subject& subject, std::span<const Record> graphs, Report& report) {
  if (!spill_fill_group(subject)) return;
  for (const Record& graph : graphs) {
    if (!compresses(graph)) continue;
    report.at(graph, compression_key(graph), "DLBC does not work with max_spill_fill_buffer_for_group",
              "give up one of the two");
  }
}

void dlbc_graph_count(const Subject& subject, Report& report) {
  NameIndex inputs;
  NameIndex weights;
  NameIndex either;
  size_t both = 0;
  for (const Record& graph : subject.graphs()) {
    if (!compresses(graph)) continue;
    for (const std::string_view name : graph_names(graph)) {
      const bool had_both = inputs.contains(name) && weights.contains(name);
      either.insert(name);
      if (graph.on("dlbc")) inputs.insert(name);
      if (graph.on("dlbc_weights")) weights.insert(name);
      if (!had_both && inputs.contains(name) && weights.contains(name)) ++both;
    }
    const bool over = either.size() > kMostGraphsWithOne || both > kMostGraphsWithBoth;
    if (!over) continue;
    report.at(graph, compression_key(graph),
              concat("more graphs are compressed than work: at most ", kMostGraphsWithOne, ", or ",
                     kMostGraphsWithBoth, " with both inputs and weights"),
              "spread the graphs over several binaries");
    return;  // once is enough
  }
}

void compression_fraction(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    for (const std::string_view option : {"dlbc_weights", "sparse_weights_compression"}) {
      const auto value = graph.number(option);
      if (!value || *value <= 0 || *value >= 1) continue;
      report.at(graph, option,
                concat(option, " is a switch: 0 is off, 1 and more is on, and ", *value, " is neither"),
                "write 0 or 1");
    }
  }
}

bool has_sparse_weights(const soc::SocInfo& soc) {
  return soc.chipset.starts_with("SA8255") || soc.chipset.starts_with("SA8620");
}

// A SoC model may stand for a part that can and for others.
bool may_have_sparse_weights(const Part& named) {
  if (!named.soc) return true;
  const soc::SocInfo& soc = *named.soc;
  if (has_sparse_weights(soc) || named.told_by == "--soc" || !soc.soc_model) return has_sparse_weights(soc);
  const Parts parts;
  const auto same = parts.of_model(*soc.soc_model);
  return std::ranges::any_of(same, [](const soc::SocInfo* part) { return has_sparse_weights(*part); });
}

void sparse_weights_part(const Subject& subject, Report& report) {
  const auto without = std::ranges::find_if_not(subject.parts, may_have_sparse_weights);
  if (without == subject.parts.end()) return;
  const std::string part = part_words(*without);
  for (const Record& graph : with(subject.graphs(), "sparse_weights_compression")) {
    report.at(graph, "sparse_weights_compression",
              concat("sparse weights are compressed only for SA8255 and SA8620P; the part is ", part),
              "remove it");
  }
}

constexpr RuleDef kDlbcRules[] = {
    {
        .code = "dlbc-weight-sharing",
        .about = {"dlbc", "dlbc_weights"},
        .severity = Severity::kError,
        .title = "DLBC is combined with weight sharing.",
        .why = "From SDK 2.36 on a binary with both is refused. Binaries that older SDKs made load with "
               "compressed weights switched off, so the memory traffic is what it was without.",
        .instead =
            "Choose one: weight sharing saves RAM and storage, DLBC saves bandwidth. On select newer parts "
            "the newer HTP page allows compressed weights with weight sharing; confirm it for yours.",
        .source = "HTP backend page: DLBC is not supported with weight sharing. The guide's own sample file "
                  "does it.",
        .bad = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": ["a", "b"]}, {"graph_names": ["c"], "dlbc": 1}]
})"},
        .good = {.text = R"({
  "context": {"weight_sharing_enabled": true},
  "graphs": [{"graph_names": ["a", "b"]}, {"graph_names": ["c"], "dlbc": 0}]
})"},
        .find_in_graphs = dlbc_weight_sharing,
    },
    {
        .code = "dlbc-online",
        .about = {"dlbc", "dlbc_weights"},
        .title = "DLBC is asked for while graphs are prepared online.",
        .why = "Compression is decided when a binary is made offline; online the switch does nothing.",
        .instead = "Prepare a context binary, or remove the switch.",
        .source =
            "HTP backend page: DLBC is supported for offline preparation only, although the comment at the "
            "option names online prepare too.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "dlbc": 1}]})", .flags = "--stage online"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "dlbc": 1}]})", .flags = "--stage offline"},
        .find = dlbc_online,
    },
    {
        .code = "dlbc-spill-fill",
        .about = {"dlbc", "dlbc_weights"},
        .severity = Severity::kError,
        .title = "DLBC is combined with a spill-fill buffer that contexts share.",
        .why = "Compressed graphs cannot put their intermediate data into a buffer that others use as well.",
        .instead = "Choose one of the two.",
        .source = "HTP backend page: DLBC is not supported with sharing of spill-fill buffers.",
        .bad = {.text = R"({
  "context": {"group_id": 0, "max_spill_fill_buffer_for_group": 30081024},
  "graphs": [{"graph_names": ["g"], "dlbc_weights": 1}]
})"},
        .good = {.text = R"({
  "context": {"group_id": 0, "max_spill_fill_buffer_for_group": 0},
  "graphs": [{"graph_names": ["g"], "dlbc_weights": 1}]
})"},
        .find_in_graphs = dlbc_spill_fill,
    },
    {
        .code = "dlbc-graph-count",
        .about = {"dlbc", "dlbc_weights"},
        .severity = Severity::kError,
        .title = "More graphs use DLBC than one binary takes.",
        .why = "A binary has room for 32 graphs with compressed inputs or weights, and for 16 with both.",
        .instead = "Compress fewer graphs, or make several binaries.",
        .source =
            "HTP backend page, limitations of DLBC: 32 graphs with one kind of compression, 16 with both.",
        .bad = {.text = R"({"graphs": [{"graph_names": [
  "g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "g11", "g12", "g13", "g14", "g15", "g16"
], "dlbc": 1, "dlbc_weights": 1}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": [
  "g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9", "g10", "g11", "g12", "g13", "g14", "g15", "g16"
], "dlbc": 1}]})"},
        .find = dlbc_graph_count,
    },
    {
        .code = "compression-fraction",
        .about = {"dlbc_weights", "sparse_weights_compression"},
        .severity = Severity::kError,
        .title = "A switch for compression is between off and on.",
        .why = "0 is off and 1 and more is on; what lies between is documented nowhere, and the backend "
               "refuses it.",
        .instead = "Write 0 or 1.",
        .source =
            "HTP backend page: 0 disables and 1 or more enables. The Python reference calls dlbc_weights a "
            "number of weights, which invites fractions.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "dlbc_weights": 0.5}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "dlbc_weights": 1.0}]})"},
        .find_in_graphs = compression_fraction,
    },
    {
        .code = "sparse-weights-part",
        .about = {"sparse_weights_compression"},
        .title = "Sparse weights are to be compressed for a part that cannot read them.",
        .why = "Only two automotive parts have the hardware for it.",
        .instead = "Remove the option for other parts.",
        .source = "Newer HTP page: sparse_weights_compression is for SA8255 and SA8620P, offline only.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "sparse_weights_compression": 1}]})",
                .flags = "--soc SM8750"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "sparse_weights_compression": 1}]})",
                 .flags = "--soc SA8255"},
        .find = sparse_weights_part,
    },
};

}  // namespace

std::span<const RuleDef> dlbc_rules() { return kDlbcRules; }

}  // namespace openqnn::config
