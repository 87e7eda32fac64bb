// SPDX-License-Identifier: BSD-3-Clause
// Graphs by name: which entry is for which graph, and what an entry asks of the compiler.
#include <bit>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "config/rules/common.h"

namespace openqnn::config {
namespace {

using json::Member;

bool is_flat(const Subject& subject) {
  return subject.of(Kind::kHtp) != nullptr && subject.of(Kind::kHtp)->flat;
}

void graph_names_missing(const Subject& subject, std::span<const Record> graphs, Report& report) {
  if (is_flat(subject)) return;  // legacy-flat-file
  for (const Record& graph : graphs) {
    if (!graph_names(graph).empty() || graph.text("graph_names") || !sets_options(graph)) continue;
    report.at(graph, "graph_names", "the options of this entry reach no graph, because it names none",
              "list the graphs in graph_names");
  }
}

void graph_names_unmatched(const Subject& subject, Report& report) {
  if (!subject.circumstances.graphs) return;
  const auto& names = *subject.circumstances.graphs;
  const std::unordered_set<std::string_view> model(names.begin(), names.end());
  for (const Record& graph : subject.graphs()) {
    for (const std::string_view name : graph_names(graph)) {
      if (model.contains(name)) continue;
      report.at(graph, "graph_names",
                concat("the model has no graph '", name, "'; the options for it have no effect"),
                nearest_graph(subject, name));
    }
  }
}

void graph_not_named(const Subject& subject, Report& report) {
  const auto& model = subject.circumstances.graphs;
  const auto& graphs = subject.graphs();
  if (!model || graphs.empty() || is_flat(subject)) return;
  std::set<std::string_view> named;
  for (const Record& graph : graphs) {
    for (const std::string_view name : graph_names(graph)) named.insert(name);
  }
  std::vector<std::string_view> left_out;
  for (const std::string& name : *model) {
    if (!named.contains(name)) left_out.push_back(name);
  }
  if (left_out.empty() || left_out.size() == model->size()) return;  // graph-names-unmatched says more
  report.at(Kind::kHtp, concat("no entry is for ", quoted_list(left_out), "; such graphs get the defaults"),
            "add them to an entry's graph_names");
}

// Whether two entries set the same options to the same values, their names aside.
bool same_options(const Record& a, const Record& b) {
  const auto sets = [](const Record& record, const Record& other) {
    return std::ranges::all_of(record.object().as_object(), [&](const Member& member) {
      const OptionDef* option = option_of_tag(record.section(), member.tag);
      if (option == nullptr || option->name == "graph_names") return true;
      const Member* theirs = other.find(option->name);
      return theirs != nullptr && theirs->value.same_as(member.value);
    });
  };
  return sets(a, b) && sets(b, a);
}

// Whether a name may stand in two entries: an equal hash says so, a table of hashes alone stays in the
// caches.
bool may_repeat_names(std::span<const Record> graphs) {
  std::vector<size_t> table(std::bit_ceil(2 * graphs.size() + 2));  // 0: free
  size_t used = 0;
  for (const Record& graph : graphs) {
    for (const std::string_view name : graph_names(graph)) {
      const size_t hash = std::hash<std::string_view>()(name) | 1;
      size_t slot = (hash >> 1) & (table.size() - 1);
      while (table[slot] != 0 && table[slot] != hash) slot = (slot + 1) & (table.size() - 1);
      if (table[slot] == hash || ++used > table.size() / 2) return true;
      table[slot] = hash;
    }
  }
  return false;
}

void graph_named_twice(const Subject& subject, Report& report) {
  if (!may_repeat_names(subject.graphs())) return;
  std::unordered_map<std::string_view, const Record*> first;
  first.reserve(subject.graphs().size());
  for (const Record& graph : subject.graphs()) {
    for (const std::string_view name : graph_names(graph)) {
      const auto [found, added] = first.emplace(name, &graph);
      if (added || found->second == &graph || same_options(*found->second, graph)) continue;
      report.at(graph, "graph_names",
                concat("'", name, "' is also in ", found->second->path().to_string(), ", with other options"),
                "put all options of a graph into one entry");
    }
  }
}

void p_point_without_o3(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const Member* config = graph.find("finalize_config");
    if (config == nullptr || config->value.find("P") == nullptr) continue;
    const auto level = graph.number("O");
    if (level && *level == 3) continue;
    report.at(graph, "finalize_config",
              level ? concat("the P point takes effect with O 3 only, and O is ", *level)
                    : "the P point takes effect with O 3 only, and O is not set (2 is the default)",
              "set O to 3");
  }
}

void p_point_unknown(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  constexpr int64_t kLegal[] = {0, 1, 2, 3, 4, 5, 6, 8, 13, 15, 16, 17, 19, 20, 21, 22, 23};
  for (const Record& graph : graphs) {
    const Member* config = graph.find("finalize_config");
    const json::Value* point = config != nullptr ? config->value.find("P") : nullptr;
    if (point == nullptr) continue;
    const auto number = point->as_int64();
    if (number && std::ranges::find(kLegal, *number) != std::end(kLegal)) continue;
    report.at(graph, "finalize_config", "there is no such P point",
              "legal are 0 to 6, 8, 13, 15, 16, 17 and 19 to 23");
  }
}

void finalize_setting_unknown(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const Member* config = graph.find("finalize_config");
    if (config == nullptr) continue;
    for (const Member& setting : config->value.as_object()) {
      if (setting.key == "P") continue;
      report.at(graph, "finalize_config",
                concat("'", setting.key, "' is in no document, and openqnn's backend refuses it"),
                "the setting that is documented is P");
    }
  }
}

constexpr RuleDef kGraphNameRules[] = {
    {
        .code = "graph-names-missing",
        .title = "A graph entry names no graph.",
        .why = "Its options are read and applied to nothing; the graph is prepared with the defaults, often "
               "with 4 MB of VTCM.",
        .instead = "List the names of the model's graphs in graph_names.",
        .source =
            "Tool documentation: graph options are applied only when graph_names has at least one entry. "
            "Public files leave it out.",
        .bad = {.text = R"({"graphs": [{"vtcm_mb": 8, "O": 3}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8, "O": 3}]})"},
        .find_in_graphs = graph_names_missing,
    },
    {
        .code = "graph-names-unmatched",
        .about = {"graph_names"},
        .title = "An entry is for a graph that the model does not have.",
        .why = "The vendor's tool compiles with the defaults and says nothing. In one measured case the "
               "graph then had 345 times the spill traffic to DDR.",
        .instead = "Use the names in the model: as a rule the stem of the file that the converter wrote.",
        .source = "Tool documentation and users' reports.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["model_v1"], "vtcm_mb": 8}]})",
                .flags = "--graphs model_v2"},
        .good = {.text = R"({"graphs": [{"graph_names": ["model_v2"], "vtcm_mb": 8}]})",
                 .flags = "--graphs model_v2"},
        .find = graph_names_unmatched,
    },
    {
        .code = "graph-not-named",
        .severity = Severity::kNote,
        .title = "Some graphs of the model are in no entry.",
        .why = "They are prepared with the defaults, beside graphs that are not.",
        .instead = "Add them to an entry, unless the defaults are meant.",
        .source = "Tool documentation: options go to the graphs that are named.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["prompt"], "O": 3}]})",
                .flags = "--graphs prompt,token"},
        .good = {.text = R"({"graphs": [{"graph_names": ["prompt", "token"], "O": 3}]})",
                 .flags = "--graphs prompt,token"},
        .find = graph_not_named,
    },
    {
        .code = "graph-named-twice",
        .about = {"graph_names"},
        .title = "A graph is in two entries with different options.",
        .why = "No document says whether the entries are merged or one of them wins.",
        .instead = "Put all options of a graph into one entry.",
        .source = "HTP backend page: graph_names selects the graphs of an entry, and nothing is said about "
                  "overlaps.",
        .bad = {.text =
                    R"({"graphs": [{"graph_names": ["a", "b"], "O": 3}, {"graph_names": ["b"], "O": 2}]})"},
        .good =
            {.text =
                 R"({"graphs": [{"graph_names": ["a", "b"], "O": 3}, {"graph_names": ["b"], "O": 3.0}]})"},
        .find = graph_named_twice,
    },
    {
        .code = "p-point-without-o3",
        .about = {"finalize_config"},
        .title = "A P point is chosen without O 3.",
        .why = "P points are presets of the highest optimization level; at other levels they have no effect.",
        .instead = "Set O to 3 in the same entry.",
        .source = "Newer HTP page: P points work with O 3 only.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 2, "finalize_config": {"P": 3}}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3.0, "finalize_config": {"P": 3}}]})"},
        .find_in_graphs = p_point_without_o3,
    },
    {
        .code = "p-point-unknown",
        .about = {"finalize_config"},
        .severity = Severity::kError,
        .title = "A P point is chosen that does not exist.",
        .why = "P points are a list with gaps, not a scale.",
        .instead = "Choose one of 0 to 6, 8, 13, 15, 16, 17 and 19 to 23, and measure.",
        .source = "Newer HTP page: the legal P points.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3, "finalize_config": {"P": 7}}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3, "finalize_config": {"P": 8}}]})"},
        .find_in_graphs = p_point_unknown,
    },
    {
        .code = "finalize-setting-unknown",
        .about = {"finalize_config"},
        .title = "A setting of the compiler is in no document.",
        .why = "Settings are handed to the compiler as they are. openqnn's backend knows P alone and refuses "
               "a graph that has others; what the vendor's does with them is not documented.",
        .instead = "Leave it out, unless somebody who knows your compiler named it.",
        .source = "Newer HTP page: P is the one setting that is described.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3, "finalize_config": {"a": 1}}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3, "finalize_config": {"P": 1}}]})"},
        .find_in_graphs = finalize_setting_unknown,
    },
};

}  // namespace

std::span<const RuleDef> graph_name_rules() { return kGraphNameRules; }

}  // namespace openqnn::config
