// SPDX-License-Identifier: BSD-3-Clause
// Rules: each a short function with a stable code, the sentence or mistake it comes from, and examples that
// are run as tests. rules/README.md says how to add one.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/check.h"
#include "config/finding.h"

namespace openqnn::config {

// Collects findings for one rule.
class Report {
 public:
  Report(std::string_view code, Severity severity, std::vector<Finding>& out)
      : code_(code), severity_(severity), out_(out) {}

  // A finding at a key of a record (by the name of its table entry; the record itself when it is not set).
  // Answers it, so that notes and a fix can be added.
  Finding& at(const Record& record, std::string_view option, std::string message, std::string advice = {});
  // About the file as a whole.
  Finding& at(Kind kind, std::string message, std::string advice = {});

 private:
  std::string_view code_;
  Severity severity_;
  std::vector<Finding>& out_;
};

// Fixes for what stands at a key; nothing when the value was not read from a text.
std::optional<Fix> remove_key(const Record& record, std::string_view option);
std::optional<Fix> rename_key(const Record& record, std::string_view option, std::string_view new_name);
std::optional<Fix> add_key(const Record& record, std::string_view key, std::string json_text);

// A file, perhaps two, and what is known beside them.
struct Example {
  std::string_view text;        // the file
  std::string_view inner = {};  // when `text` is a tool file: the backend file it names
  std::string_view flags = {};  // as `openqnn check` takes them: "--tool qnn-net-run --soc SM8550"
};

using RuleFunction = void (*)(const Subject& subject, Report& report);
// Judges graph entries one by one, some at a time: what was just read is still in the caches for the next
// rule.
using GraphRuleFunction = void (*)(const Subject& subject, std::span<const Record> graphs, Report& report);

struct RuleDef {
  std::string_view code;  // "dlbc-weight-sharing"
  // The options it judges, by name: when none of them is set it has nothing to say and is not asked. Empty:
  // it looks at files as a whole.
  std::array<std::string_view, 3> about = {};
  Severity severity = Severity::kWarning;
  std::string_view title;    // what it finds, in one line
  std::string_view why;      // why it matters
  std::string_view instead;  // what to do
  std::string_view source;   // the document and its statement in our words, or the real mistake
  Example bad;
  Example good;  // a near miss that must stay silent
  // At most one of the two; none: found while reading or by the field checks.
  RuleFunction find = nullptr;
  GraphRuleFunction find_in_graphs = nullptr;

  constexpr bool judges() const { return find != nullptr || find_in_graphs != nullptr; }
};

// Every rule, in the order of the documentation: reading, fields, then one group per topic.
std::span<const RuleDef* const> rules();
const RuleDef* find_rule(std::string_view code);

struct RuleGroup {
  std::string_view title;
  std::vector<const RuleDef*> rules;
};
std::span<const RuleGroup> rule_groups();  // the same by topic

// One array per file under rules/.
std::span<const RuleDef> reading_rules();
std::span<const RuleDef> field_rules();
std::span<const RuleDef> part_rules();
std::span<const RuleDef> assumed_rules();
std::span<const RuleDef> vtcm_rules();
std::span<const RuleDef> dlbc_rules();
std::span<const RuleDef> switching_rules();
std::span<const RuleDef> sharing_rules();
std::span<const RuleDef> power_rules();
std::span<const RuleDef> ignored_rules();
std::span<const RuleDef> graph_name_rules();
std::span<const RuleDef> outer_file_rules();
std::span<const RuleDef> throughput_rules();
std::span<const RuleDef> data_format_rules();
std::span<const RuleDef> lpai_rules();
std::span<const RuleDef> version_rules();
std::span<const RuleDef> compile_rules();

}  // namespace openqnn::config
