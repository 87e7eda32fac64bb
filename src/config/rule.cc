// SPDX-License-Identifier: BSD-3-Clause
#include "config/rule.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Member;
using json::quoted;

std::vector<const RuleDef*> collect() {
  std::vector<const RuleDef*> all;
  for (const auto group : {reading_rules(), field_rules(), part_rules(), memory_rules(), sharing_rules(),
                           power_rules(), tool_rules(), lpai_rules(), version_rules(), compile_rules()}) {
    for (const RuleDef& rule : group) all.push_back(&rule);
  }
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

std::span<const RuleDef* const> rules() {
  static const std::vector<const RuleDef*> all = collect();
  return all;
}

const RuleDef* find_rule(std::string_view code) {
  const auto all = rules();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const RuleDef* rule) { return rule->code == code; });
  return found != all.end() ? *found : nullptr;
}

}  // namespace openqnn::config
