// SPDX-License-Identifier: BSD-3-Clause
// Rules: each a short function with a stable id, the sentence it comes from, and a model with the problem and
// one that nearly has it in tests/advise. README.md says how to add one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advise/advise.h"
#include "advise/rewrite.h"
#include "advise/subject.h"

namespace openqnn::advise {

struct RuleDef;

// Collects the findings of one rule.
class Report {
 public:
  Report(const RuleDef& rule, const Subject& subject, std::vector<Finding>& out)
      : rule_(rule), subject_(subject), out_(out) {}

  // A finding on these ops. Good until the next is added.
  Finding& add(std::string message, std::vector<size_t> ops = {});
  // What a changed graph would bring. Where that cannot be had, the finding says why; where
  // it is not faster, the finding is no more than information.
  void try_graph(Finding& finding, std::string change, const Result<ir::Graph>& changed);
  // The same of the nodes that these ops stand for, changed by a function of rewrite.h; of a model alone.
  void try_nodes(Finding& finding, std::string change, const std::vector<size_t>& ops,
                 Result<ir::Graph> (*rewrite)(const ir::Graph& graph, const NodeList& nodes));

 private:
  void add_effect(Finding& finding, std::string change, const Result<double>& after);
  bool costs_time(const Finding& finding) const;

  const RuleDef& rule_;
  const Subject& subject_;
  std::vector<Finding>& out_;
};

enum class Scope : uint8_t { kGraph, kContext };

struct RuleDef {
  std::string_view id;  // "ADV-DIV"; never changed
  Level level = Level::kNote;
  Scope scope = Scope::kGraph;
  std::string_view title;        // what it finds, in one line
  std::string_view why;          // why it matters
  std::string_view when;         // from which figure on it speaks; ours unless `source` states it
  std::string_view instead;      // the change that helps
  std::string_view bad;          // an example in one line
  std::string_view good;         // the same without the problem
  std::string_view source;       // the document and its statement in our words, or "ours"
  std::string_view effect = {};  // what is simulated anew; empty: nothing
  bool effect_is_price = false;  // the change brings something else than time
  void (*find)(const Subject& subject, Report& report) = nullptr;
};

// Every rule, in the order of the documentation.
std::span<const RuleDef* const> rules();
const RuleDef* find_rule(std::string_view id);

struct RuleGroup {
  std::string_view title;
  std::span<const RuleDef> (*rules)();
};
std::span<const RuleGroup> rule_groups();

// One array per file under rules/.
std::span<const RuleDef> precision_rules();
std::span<const RuleDef> weight_rules();
std::span<const RuleDef> encoding_rules();
std::span<const RuleDef> bottleneck_rules();
std::span<const RuleDef> fusion_rules();
std::span<const RuleDef> shape_rules();
std::span<const RuleDef> mover_rules();
std::span<const RuleDef> option_rules();
std::span<const RuleDef> memory_rules();
std::span<const RuleDef> client_rules();

}  // namespace openqnn::advise
