// SPDX-License-Identifier: BSD-3-Clause
#include "config/rule.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Member;
using json::quoted;

std::vector<const RuleDef*> joined(std::initializer_list<std::span<const RuleDef>> files) {
  std::vector<const RuleDef*> all;
  for (const auto file : files)
    for (const RuleDef& rule : file) all.push_back(&rule);
  return all;
}

// The opening bracket, so that an excerpt shows where the object begins and not all of it.
json::Span opening(const json::Value& object) {
  const json::Span span = object.span();
  return span.empty() ? span : json::Span{span.begin, span.begin + 1};
}

}  // namespace

Finding& Report::at(Kind kind, std::string message, std::string advice) {
  return out_.emplace_back(Finding{.code = code_,
                                   .severity = severity_,
                                   .message = std::move(message),
                                   .advice = std::move(advice),
                                   .kind = kind});
}

Finding& Report::at(const Record& record, std::string_view option, std::string message, std::string advice) {
  Finding& finding = at(record.kind(), std::move(message), std::move(advice));
  const Member* member = record.find(option);
  if (member == nullptr) {
    finding.path = record.path().to_string();
    finding.span = opening(record.object());
    return finding;
  }
  finding.path = record.path().to_string(member->key);
  const bool is_long = member->value.kind() >= json::Value::Kind::kArray;
  finding.span = is_long || member->key_span.empty()
                     ? member->key_span
                     : json::Span{member->key_span.begin, member->value.span().end};
  return finding;
}

std::optional<Fix> remove_key(const Record& record, std::string_view option) {
  const Member* member = record.find(option);
  if (member == nullptr || member->key_span.empty()) return std::nullopt;
  return Fix{concat("remove ", member->key),
             {{Change::Kind::kRemoveItem, {member->key_span.begin, member->value.span().end}}}};
}

std::optional<Fix> rename_key(const Record& record, std::string_view option, std::string_view new_name) {
  const Member* member = record.find(option);
  if (member == nullptr || member->key_span.empty()) return std::nullopt;
  return Fix{concat("rename to ", new_name), {{Change::Kind::kReplace, member->key_span, quoted(new_name)}}};
}

std::optional<Fix> add_key(const Record& record, std::string_view key, std::string json_text) {
  if (record.object().span().empty()) return std::nullopt;
  return Fix{concat("add ", key, ": ", json_text),
             {{Change::Kind::kInsertMember, record.object().span(), std::move(json_text), std::string(key)}}};
}

std::span<const RuleGroup> rule_groups() {
  static const std::vector<RuleGroup> groups = {
      {"Reading the file", joined({reading_rules()})},
      {"Single fields", joined({field_rules()})},
      {"The part", joined({part_rules(), assumed_rules()})},
      {"Memory", joined({vtcm_rules(), dlbc_rules(), switching_rules()})},
      {"Sharing", joined({sharing_rules()})},
      {"Power and latency", joined({power_rules()})},
      {"Tools and stages, names of graphs, other files",
       joined({ignored_rules(), graph_name_rules(), outer_file_rules(), throughput_rules(),
               data_format_rules()})},
      {"LPAI", joined({lpai_rules()})},
      {"Versions", joined({version_rules()})},
      {"Python's CompileConfig", joined({compile_rules()})},
  };
  return groups;
}

std::span<const RuleDef* const> rules() {
  static const std::vector<const RuleDef*> all = [] {
    std::vector<const RuleDef*> list;
    for (const RuleGroup& group : rule_groups())
      list.insert(list.end(), group.rules.begin(), group.rules.end());
    return list;
  }();
  return all;
}

const RuleDef* find_rule(std::string_view code) {
  const auto found = std::ranges::find(rules(), code, &RuleDef::code);
  return found != rules().end() ? *found : nullptr;
}

}  // namespace openqnn::config
