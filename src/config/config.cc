// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Member;
using json::Value;

// Whose keys stand at the top of a flat file.
constexpr const SectionDef* kSectionsOfFlatFile[] = {&kGraphSection, &kDeviceSection, &kCoreSection,
                                                     &kContextSection};

// Files made from other runtimes' option maps write numbers as strings: "60".
Value number_in(const Value& value) {
  return value.kind() == Value::Kind::kString ? Value::of_number_text(value.as_string()) : value;
}

// Some write switches as strings: "true".
std::optional<bool> switch_in(const Value& value) {
  if (value.kind() == Value::Kind::kBool) return value.as_bool();
  if (value.kind() != Value::Kind::kString) return std::nullopt;
  if (value.as_string() == "true") return true;
  return value.as_string() == "false" ? std::optional(false) : std::nullopt;
}

// Whether records of `wanted` may stand in a record of `section`, at any depth.
bool leads_to(const SectionDef& section, const SectionDef& wanted) {
  return &section == &wanted || std::ranges::any_of(section.options, [&](const OptionDef& option) {
    return option.section != nullptr && leads_to(*option.section, wanted);
  });
}

// Goes only where such records may be: a file may have 100 000 graphs and one device.
void append_records(const SectionDef& wanted, const Record& from, std::vector<Record>& out) {
  if (&from.section() == &wanted) out.push_back(from);
  for (const OptionDef& option : from.section().options) {
    if (!option.is_container() || !leads_to(*option.section, wanted)) continue;
    std::vector<Record> children = from.records(option.name);
    if (out.empty()) out.reserve(children.size());
    for (const Record& child : children) append_records(wanted, child, out);
  }
}

}  // namespace

// ---- Path ----

Path Path::child(const OptionDef& option, int32_t index) const {
  Path path = *this;
  if (path.count_ < path.steps_.size()) path.steps_[path.count_++] = {&option, index};
  return path;
}

std::string Path::to_string() const {
  std::string out;
  for (uint8_t i = 0; i < count_; ++i) {
    if (i > 0) out += '.';
    out += steps_[i].option->name;
    if (steps_[i].index != kAlone) out += concat('[', steps_[i].index, ']');
  }
  return out;
}

std::string Path::to_string(std::string_view key) const {
  std::string out = to_string();
  if (!out.empty()) out += '.';
  return out.append(key);
}

// ---- Record ----

const Member* Record::find(std::string_view option) const {
  const Member* found = nullptr;  // of two spellings the last one counts, as for a repeated key
  for (const Member& member : object_->as_object()) {
    const OptionDef* def = flat_ ? find_option(*section_, member.key) : option_of_tag(*section_, member.tag);
    if (def != nullptr && def->name == option && !member.value.is_null()) found = &member;
  }
  return found;
}

Option<int64_t> Record::integer(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  if (member->value.kind() == Value::Kind::kBool) return {member->value.as_bool() ? 1 : 0, member};
  return {number_in(member->value).as_int64(), member};
}

Option<double> Record::number(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  if (member->value.kind() == Value::Kind::kBool) return {member->value.as_bool() ? 1.0 : 0.0, member};
  return {number_in(member->value).as_double(), member};
}

Option<bool> Record::boolean(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  if (const auto state = switch_in(member->value)) return {*state, member};
  const auto number = number_in(member->value).as_double();
  if (!number) return {std::nullopt, member};
  return {*number != 0, member};
}

Option<std::string_view> Record::text(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  if (member->value.kind() != Value::Kind::kString) return {std::nullopt, member};
  return {member->value.as_string(), member};
}

Option<std::vector<std::string_view>> Record::texts(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  if (member->value.kind() == Value::Kind::kString) return {{{member->value.as_string()}}, member};
  if (member->value.kind() != Value::Kind::kArray) return {std::nullopt, member};
  std::vector<std::string_view> texts;
  for (const Value& item : member->value.as_array()) {
    if (item.kind() == Value::Kind::kString) texts.push_back(item.as_string());
  }
  return {std::move(texts), member};
}

bool Record::on(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return false;
  return switch_in(member->value).value_or(number_in(member->value).as_double().value_or(0) >= 1);
}

std::vector<Record> Record::records(std::string_view option) const {
  const Member* member = find(option);
  if (member == nullptr) return {};
  const OptionDef* def = find_option(*section_, member->key);
  if (def == nullptr || def->section == nullptr) return {};
  const Value& value = member->value;
  if (value.kind() == Value::Kind::kObject) return {Record(*def->section, value, path_.child(*def), kind_)};
  std::vector<Record> records;
  records.reserve(value.as_array().size());
  int32_t index = 0;
  for (const Value& item : value.as_array()) {
    if (item.kind() == Value::Kind::kObject)
      records.emplace_back(*def->section, item, path_.child(*def, index), kind_);
    ++index;
  }
  return records;
}

// ---- Config ----

Record Config::root() const { return {*kind_def(kind).root, tree, Path(), kind}; }

std::vector<Record> Config::records(const SectionDef& section) const {
  std::vector<Record> out;
  if (flat) {
    if (std::ranges::find(kSectionsOfFlatFile, &section) != std::end(kSectionsOfFlatFile))
      out.emplace_back(section, tree, Path(), kind, true);
    return out;
  }
  append_records(section, root(), out);
  return out;
}

void bind(const SectionDef& section, Value& object) {
  json::Object* members = object.object();
  if (members == nullptr) return;
  for (Member& member : *members) {
    const OptionDef* option = find_option(section, member.key);
    member.tag = tag_of(section, option);
    if (option == nullptr || option->section == nullptr) continue;
    bind(*option->section, member.value);
    if (json::Array* items = member.value.array()) {
      for (Value& item : *items) bind(*option->section, item);
    }
  }
}

void bind(Config& config) {
  if (!config.flat) bind(*kind_def(config.kind).root, config.tree);
}

FlatOption flat_option(std::string_view key) {
  for (const SectionDef* section : kSectionsOfFlatFile) {
    const OptionDef* option = find_option(*section, key);
    // Only the names of files: a stray "name" or "id" makes no flat file.
    if (option != nullptr && option->name == key) return {section, option};
  }
  return {};
}

}  // namespace openqnn::config
