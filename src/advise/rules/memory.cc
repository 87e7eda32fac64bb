// SPDX-License-Identifier: BSD-3-Clause
// Contexts: their size, and what graphs of one share.
#include <algorithm>

#include "advise/rule.h"
#include "base/text.h"
#include "base/units.h"
#include "config/rules/common.h"
#include "program/memory_needs.h"

namespace openqnn::advise {
namespace {

constexpr uint64_t kGiB = 1024 * kMiB;
constexpr uint64_t kContextLimit = 3 * kGiB;
constexpr uint64_t kSessionLimit = 15 * kGiB / 4;  // 3.75 GB of addresses
constexpr uint64_t kOpBytes = 40;                  // of the document's example
constexpr uint64_t kManyOpBytes = 1000 * 1000;
constexpr uint64_t kMuchGrowth = 100;
constexpr double kFewShared = 0.1;

std::string gigabytes(uint64_t bytes) {
  const uint64_t hundredths = bytes / (kGiB / 100);
  return concat(hundredths / 100, ".", hundredths % 100 < 10 ? "0" : "", hundredths % 100, " GB");
}

void op_growth(const Subject& subject, Report& report) {
  const uint64_t nodes = subject.program().source_nodes.size();
  const uint64_t tasks = subject.program().schedule.tasks.size();
  if (nodes == 0 || tasks * kOpBytes < kManyOpBytes || tasks / nodes < kMuchGrowth) return;
  const std::vector<size_t> most =
      subject.ops_where([&](size_t op) { return subject.totals(op).tiles >= tasks / 10; });
  report.add(concat(nodes, " nodes became ", tasks, " operations of the device: ", tasks * kOpBytes / 1000,
                    " KB at ", kOpBytes, " bytes each instead of ", nodes * kOpBytes / 1000,
                    "; the whole binary has ", subject.given().binary_bytes / 1000, " KB"),
             most);
}

void large_context(const Subject& subject, Report& report) {
  uint64_t bytes = 0;
  uint64_t shared = 0;
  for (const program::MemoryNeeds& needs : program::memory_needs(subject.given().timed.set)) {
    bytes += needs.sum() - needs.vtcm;  // VTCM is no memory of the session
    shared = std::max(shared, needs.shared_weights);
  }
  bytes += shared;
  if (bytes < kContextLimit) return;
  report.add(concat("the context needs ", gigabytes(bytes), " of the ", gigabytes(kSessionLimit),
                    " that a session has"));
}

// ---- What the outer file says of graphs ----

std::vector<std::string_view> names_in(const Subject& subject, std::string_view option) {
  if (subject.given().config == nullptr) return {};
  const auto context = config::section_of(*subject.given().config, config::Kind::kTool, "context_configs");
  return context ? context->texts(option).or_else({}) : std::vector<std::string_view>{};
}

void long_retention(const Subject& subject, Report& report) {
  const std::vector<std::string_view> names = names_in(subject, "graph_retention_order");
  if (names.empty()) return;
  const program::ProgramSet& set = subject.given().timed.set;
  const std::vector<program::MemoryNeeds> needs = program::memory_needs(set);
  uint64_t bytes = 0;
  uint64_t shared = 0;
  size_t fit = 0;
  size_t known = 0;
  for (const std::string_view name : names) {
    for (size_t i = 0; i < needs.size(); ++i) {
      if (set.programs[i]->graph != name) continue;
      ++known;
      bytes += needs[i].sum() - needs[i].vtcm;
      shared = std::max(shared, needs[i].shared_weights);
      if (bytes + shared <= kSessionLimit) ++fit;
    }
  }
  if (bytes + shared <= kSessionLimit) return;
  report.add(concat("the ", known, " graphs of graph_retention_order need ", gigabytes(bytes + shared),
                    ", and a session has ", gigabytes(kSessionLimit), ": the first ", fit, " fit"));
}

// ---- Weight sharing ----

bool shares_weights(const Subject& subject) {
  return subject.given().config != nullptr && config::weight_sharing(*subject.given().config);
}

void unlike_graphs(const Subject& subject, Report& report) {
  const program::ProgramSet& set = subject.given().timed.set;
  if (!shares_weights(subject) || set.programs.size() < 2) return;
  const std::vector<program::MemoryNeeds> needs = program::memory_needs(set);
  const uint64_t shared = needs[0].shared_weights;
  uint64_t all = shared;
  for (const program::MemoryNeeds& one : needs) all += one.constants;
  if (static_cast<double>(shared) >= kFewShared * static_cast<double>(all)) return;
  report.add(concat("weight sharing is on, and the ", set.programs.size(), " graphs have ", shared / kKiB,
                    " of ", all / kKiB, " KiB of constants in common"));
}

void one_graph_used(const Subject& subject, Report& report) {
  const program::ProgramSet& set = subject.given().timed.set;
  const std::vector<std::string_view> enabled = names_in(subject, "enable_graphs");
  if (!shares_weights(subject) || set.programs.size() < 2 || enabled.size() != 1) return;
  report.add(concat("weight sharing is on for ", set.programs.size(), " graphs, and enable_graphs names '",
                    enabled[0], "' alone"));
}

constexpr RuleDef kMemoryRules[] = {
    {.id = "ADV-OPCOUNT",
     .level = Level::kNote,
     .title = "The prepared graph has very many more operations than the model.",
     .why = "Heavy ops are cut until their pieces fit VTCM, and every piece is in the binary, with its order "
            "and paging: 30 ops of 40 bytes are 1.2 KB, 300 000 are 12 MB.",
     .when = "1 MB of operations at 40 bytes each, and 100 times as many as nodes (ours)",
     .instead = "smaller images or fewer channels in the ops that are cut most, more VTCM, 8 bits for 16",
     .bad = "30 nodes, 300 000 operations: 12 MB",
     .good = "30 nodes, 2 000 operations: 80 KB",
     .source = "HTP backend page: QNN context binary size",
     .find = op_growth},
    {.id = "ADV-CONTEXT-SIZE",
     .level = Level::kWarning,
     .scope = Scope::kContext,
     .title = "A context needs more than 3 GB.",
     .why =
         "A session has 3.75 GB of addresses, a context never spans two, and inputs and outputs are mapped "
         "into the same session.",
     .when = "3 GB and more of constants, operations, spill-fill and I/O together",
     .instead = "split the model before it is converted, or use fewer bits for its weights",
     .bad = "one context with 3.5 GB of weights",
     .good = "two contexts with 1.8 GB each",
     .source = "HTP backend page, several sessions: keep a context under 3 GB",
     .find = large_context},
    {.id = "ADV-RETENTION",
     .level = Level::kWarning,
     .scope = Scope::kContext,
     .title = "The graphs of graph_retention_order do not fit together.",
     .why =
         "All of them are loaded with the binary, as long as they fit into the addresses of one session; the "
         "others are switched after all.",
     .when = "more than 3.75 GB together",
     .instead = "shorten the list to what fits, the most important first",
     .bad = "\"graph_retention_order\": [\"a\", \"b\"], 2 GB each",
     .good = "\"graph_retention_order\": [\"a\"]",
     .source = "HTP backend page, multi-graph switching: users must ensure that the list fits",
     .find = long_retention},
    {.id = "ADV-SHARING-UNLIKE",
     .level = Level::kWarning,
     .scope = Scope::kContext,
     .title = "Weight sharing is on for graphs that have little in common.",
     .why = "What is not common is not shared, and the layout for sharing can cost RAM and storage.",
     .when = "a tenth of the constants in common and less (ours)",
     .instead = "put unlike graphs into contexts of their own, or turn weight_sharing_enabled off",
     .bad = "weight_sharing_enabled for a detector and a translator",
     .good = "weight_sharing_enabled for prefill and decode of one model",
     .source = "HTP backend page: weight sharing is for graphs with common weights",
     .find = unlike_graphs},
    {.id = "ADV-SHARING-ONE",
     .level = Level::kWarning,
     .scope = Scope::kContext,
     .title = "Weight sharing is on, and one graph is used.",
     .why = "The weights of all graphs are loaded for one of them.",
     .when = "several graphs in the binary, one in enable_graphs",
     .instead = "make a binary of that graph alone, without weight sharing",
     .bad = "weight_sharing_enabled, \"enable_graphs\": [\"decode\"]",
     .good = "weight_sharing_enabled, \"enable_graphs\": [\"prefill\", \"decode\"]",
     .source = "HTP backend page: limitations of weight sharing",
     .find = one_graph_used},
};

}  // namespace

std::span<const RuleDef> memory_rules() { return kMemoryRules; }

}  // namespace openqnn::advise
