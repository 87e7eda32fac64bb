// SPDX-License-Identifier: BSD-3-Clause
#include "config/meaning.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Value;

Value plain_number(const Value& value) {
  if (const auto whole = value.as_int64()) return Value::of(*whole);
  if (const auto real = value.as_double()) return Value::of(*real);
  return value;  // too large for a double: its text is all we have
}

// Numbers and switches are also written as strings: "60", "true".
Value out_of_string(const Value& value) {
  const std::string_view text = value.as_string();
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  const bool is_number = !text.empty() && error == std::errc() && stopped == end && std::isfinite(number);
  if (is_number) return Value::of(number);
  if (text == "true" || text == "false") return Value::of(text == "true");
  return value;
}

Value as_switch(const Value& value) {
  Value read = value.kind() == Value::Kind::kString ? out_of_string(value) : value;
  if (const auto number = read.as_double()) return Value::of(*number != 0);
  return read;
}

Value as_number(const OptionDef& option, const Value& value) {
  const Value read = value.kind() == Value::Kind::kString ? out_of_string(value) : value;
  if (read.kind() == Value::Kind::kBool) return Value::of(int64_t{read.as_bool()});
  if (read.kind() != Value::Kind::kNumber) return value;
  if (option.on_from_one && read.as_double().value_or(0) >= 1) return Value::of(int64_t{1});
  return plain_number(read);
}

Value as_list(Value value) {
  if (value.kind() == Value::Kind::kArray) return value;
  json::Array items;
  items.push_back(std::move(value));
  return Value::of(std::move(items));
}

// "graphs" -> "graph"; the sections' names are plurals where they are lists.
std::string_view singular(const OptionDef& container) {
  std::string_view name = container.name;
  if (container.type != Type::kSection && name.size() > 1 && name.ends_with('s')) name.remove_suffix(1);
  return name;
}

std::string value_words(const Value& value) {
  if (value.kind() == Value::Kind::kString) return concat("'", value.as_string(), "'");
  return json::write(value, {.indent = -1});
}

}  // namespace

Value meaning_of(const OptionDef& option, const Value& value) {
  switch (option.type) {
    case Type::kBool:
      return as_switch(value);
    case Type::kInteger:
    case Type::kNumber:
      return as_number(option, value);
    case Type::kStrings:
    case Type::kIntegers:
      return value.is_null() ? value : as_list(value);
    default:
      return value;
  }
}

std::optional<Value> default_of(const OptionDef& option) {
  if (option.default_json.empty()) return std::nullopt;
  auto value = json::parse(option.default_json, "default");
  if (!value) return std::nullopt;
  return meaning_of(option, *value);
}

const OptionDef* identity_of(const SectionDef& section) {
  // A device has core_id too, but is a device by its device_id: the order counts.
  constexpr std::array<std::string_view, 9> kIdentities = {"graph_names", "graph_name",  "device_id",
                                                           "core_id",     "tensor_name", "backendName",
                                                           "modelName",   "contextName", "threadName"};
  for (const std::string_view name : kIdentities) {
    for (const OptionDef& option : section.options) {
      if (option.name == name) return &option;
    }
  }
  return nullptr;
}

std::vector<std::string> titles_of(const Record& record, const OptionDef& container, size_t index) {
  const OptionDef* identity = identity_of(record.section());
  if (identity == nullptr) {
    return {index == 0 ? std::string(singular(container)) : concat(singular(container), " ", index + 1)};
  }
  const json::Member* member = record.find(identity->name);
  if (member == nullptr) return {title_of_absent(container)};
  const Value value = meaning_of(*identity, member->value);
  std::vector<std::string> titles;
  if (value.kind() == Value::Kind::kArray) {
    for (const Value& item : value.as_array())
      titles.push_back(concat(singular(container), " ", value_words(item)));
  } else {
    titles.push_back(concat(singular(container), " ", value_words(value)));
  }
  if (titles.empty()) titles.push_back(title_of_absent(container));
  return titles;
}

std::string title_of_absent(const OptionDef& container) {
  const OptionDef* identity = identity_of(*container.section);
  if (identity == nullptr) return std::string(singular(container));
  const auto value = default_of(*identity);
  if (!value) return concat(singular(container), " without a name");
  return concat(singular(container), " ", value_words(*value));
}

}  // namespace openqnn::config
