// SPDX-License-Identifier: BSD-3-Clause
#include "advise/advise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "advise/rule.h"
#include "base/text.h"
#include "json/json.h"
#include "ops/op.h"

namespace openqnn::advise {
namespace {

constexpr double kLeastGain = 0.5;  // percent
constexpr double kMostPrice = 5;

constexpr std::array<std::string_view, 4> kNames = {"info", "note", "warning", "error"};

Level level_of(Severity severity) {
  static constexpr std::array<Level, 3> kLevels = {Level::kNote, Level::kWarning, Level::kError};
  return kLevels.at(static_cast<size_t>(severity));
}

constexpr std::array<RuleGroup, 10> kGroups = {{{"Precision", precision_rules},
                                                {"Weights", weight_rules},
                                                {"Encodings", encoding_rules},
                                                {"Bottlenecks", bottleneck_rules},
                                                {"Fusion", fusion_rules},
                                                {"Shapes", shape_rules},
                                                {"Data movement", mover_rules},
                                                {"Options of graphs", option_rules},
                                                {"Memory and contexts", memory_rules},
                                                {"The client", client_rules}}};

}  // namespace

std::string_view level_name(Level level) { return kNames[static_cast<size_t>(level)]; }

std::optional<Level> level_from(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Level>(found - kNames.begin());
}

// ---- Times ----

Result<TimedProgram> timed(const ir::Graph& graph, const soc::Target& target, const prepare::Options& options,
                           const Logger& log) {
  TimedProgram made;
  OPENQNN_ASSIGN(made.set, prepare::prepare(graph, target, options, log));
  made.timeline = sim::simulate(made.program().schedule, target, sim::PowerState::of(target));
  return made;
}

Result<double> what_if(const Given& given, const ir::Graph& graph, const prepare::Options& options) {
  for (const ir::Node& node : graph.nodes()) OPENQNN_TRY(ops::validate(node.type, ops::call_of(graph, node)));
  OPENQNN_ASSIGN(const TimedProgram made, timed(graph, given.target, options, Logger()));
  return in_micros(made.timeline.accelerator);
}

// ---- Rules ----

std::span<const RuleGroup> rule_groups() { return kGroups; }

std::span<const RuleDef* const> rules() {
  static const std::vector<const RuleDef*> all = [] {
    std::vector<const RuleDef*> list;
    for (const RuleGroup& group : kGroups)
      for (const RuleDef& rule : group.rules()) list.push_back(&rule);
    return list;
  }();
  return all;
}

const RuleDef* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules(), id, &RuleDef::id);
  return found == rules().end() ? nullptr : *found;
}

// ---- Findings ----

Finding& Report::add(std::string message, std::vector<size_t> ops) {
  std::ranges::stable_sort(ops, std::greater<>(), [&](size_t op) { return subject_.share(op); });
  Finding& made = out_.emplace_back();
  made.id = rule_.id;
  made.level = rule_.level;
  if (rule_.scope == Scope::kGraph) made.graph = subject_.program().graph;
  made.message = std::move(message);
  made.advice = rule_.instead;
  made.source = rule_.source;
  made.op_count = ops.size();
  if (ops.size() > kMostOps) ops.resize(kMostOps);
  for (const size_t op : ops) made.ops.push_back(subject_.evidence(op));
  return made;
}

void Report::add_effect(Finding& finding, std::string change, const Result<double>& after) {
  if (!after) {
    finding.why_not_simulated = after.error().message;
    return;
  }
  Effect made{std::move(change), subject_.accelerator_us(), *after};
  if (rule_.effect_is_price || std::abs(made.percent()) >= kLeastGain)
    finding.effects.push_back(std::move(made));  // else it has none that is worth a line
  // What more work costs may be something; a change that is to save time must save some.
  const double most = rule_.effect_is_price ? kMostPrice : -kLeastGain;
  const bool is_worth_it =
      std::ranges::any_of(finding.effects, [&](const Effect& effect) { return effect.percent() <= most; });
  finding.level = is_worth_it ? rule_.level : Level::kInfo;
  finding.advice = costs_time(finding) ? concat("would cost time here (simulated): ", rule_.instead)
                                       : std::string(rule_.instead);
}

// A change that was made for something else than time may cost some.
bool Report::costs_time(const Finding& finding) const {
  return !rule_.effect_is_price && !finding.effects.empty() &&
         std::ranges::all_of(finding.effects,
                             [](const Effect& effect) { return effect.percent() >= kLeastGain; });
}

void Report::try_graph(Finding& finding, std::string change, const Result<ir::Graph>& changed) {
  const Given& given = subject_.given();
  add_effect(finding, std::move(change),
             changed ? what_if(given, *changed, given.options) : Result<double>(changed.error()));
}

void Report::try_nodes(Finding& finding, std::string change, const std::vector<size_t>& ops,
                       Result<ir::Graph> (*rewrite)(const ir::Graph& graph, const NodeList& nodes)) {
  const ir::Graph* graph = subject_.given().graph;
  if (graph == nullptr) return;
  NodeList nodes;
  for (const size_t op : ops) nodes.push_back(subject_.op(op).source_nodes.front());
  try_graph(finding, std::move(change), rewrite(*graph, nodes));
}

std::vector<Finding> advise(const Given& given) {
  const Subject subject(given);
  std::vector<Finding> found;
  for (const RuleDef* rule : rules()) {
    if (rule->scope == Scope::kContext && given.timed.index != 0) continue;
    Report report(*rule, subject, found);
    rule->find(subject, report);
  }
  return found;
}

std::vector<Finding> findings_of(const std::vector<config::CheckedFile>& files) {
  std::vector<Finding> found;
  for (const config::CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    for (const config::Finding& one : file.findings) {
      Finding& made = found.emplace_back();
      made.id = one.code;
      made.level = level_of(one.severity);
      const json::Position at = lines.position(one.span.begin);
      made.where = one.span.empty() ? file.name : concat(file.name, ":", at.line, ":", at.column);
      made.message = one.message;
      made.advice = one.advice;
      made.source = concat("openqnn check: docs/rules/", one.code, ".md");
    }
  }
  return found;
}

bool has_findings(const std::vector<Finding>& findings, Level least) {
  return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.level >= least; });
}

}  // namespace openqnn::advise
