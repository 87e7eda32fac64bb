// SPDX-License-Identifier: BSD-3-Clause
#include "model/fields.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <limits>
#include <map>
#include <memory>

#include "base/text.h"

namespace openqnn::python {
namespace {

using config::Choice;
using config::OptionDef;
using config::SectionDef;
using config::Type;
using json::Value;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

// A list of names in files, one name in Python.
bool is_split(const OptionDef& option) {
  return option.type == Type::kStrings && option.one_or_many && option.python_required;
}

// What a field reads as before it is set. Tables state it as JSON; a list of records starts empty.
Value fallback_of(const OptionDef& option) {
  const std::string_view text =
      option.python_default_json.empty() ? option.default_json : option.python_default_json;
  if (!text.empty()) {
    auto parsed = json::parse(text, option.name);
    if (parsed) return std::move(*parsed);
  }
  const bool list = option.type == Type::kSections && !option.python_optional;
  return list ? Value::of(json::Array{}) : Value();
}

Problem refuse(std::string_view type, std::string message) { return {std::string(type), std::move(message)}; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

using Coerced = std::variant<Value, Problem>;

// ---- One function per type ----

Coerced boolean(const Value& value) {
  constexpr std::string_view kTrue[] = {"1", "on", "t", "true", "y", "yes"};
  constexpr std::string_view kFalse[] = {"0", "off", "f", "false", "n", "no"};
  const auto has = [](const auto& words, const std::string& word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
  };
  if (value.kind() == Value::Kind::kBool) return value;
  if (const auto number = value.as_int64(); number && (*number == 0 || *number == 1))
    return Value::of(*number == 1);
  if (value.kind() == Value::Kind::kString) {
    const std::string word = lower(value.as_string());
    if (has(kTrue, word)) return Value::of(true);
    if (has(kFalse, word)) return Value::of(false);
  }
  if (value.kind() == Value::Kind::kString || value.kind() == Value::Kind::kNumber)
    return refuse("bool_parsing", "Input should be a valid boolean, unable to interpret input");
  return refuse("bool_type", "Input should be a valid boolean");
}

// A bool counts as 0 or 1, a string as what it spells.
Value as_number(const Value& value) {
  if (value.kind() == Value::Kind::kBool) return Value::of(int64_t{value.as_bool() ? 1 : 0});
  if (value.kind() != Value::Kind::kString) return value;
  std::string_view text = trimmed(value.as_string());
  if (text.starts_with('+')) text.remove_prefix(1);
  return Value::of_number_text(std::string(text));
}

Coerced integer(const Value& value) {
  const Value number = as_number(value);
  if (const auto whole = number.as_int64()) {
    const std::string_view text = number.number_text();
    return text.find_first_of(".eE") == std::string_view::npos && text != "-0" ? number : Value::of(*whole);
  }
  if (value.kind() == Value::Kind::kString)
    return refuse("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
  if (number.kind() != Value::Kind::kNumber) return refuse("int_type", "Input should be a valid integer");
  if (number.number_text().find_first_of(".eE") == std::string_view::npos)
    return refuse("int_parsing_size", "Input should be a valid integer of at most 64 bits");
  return refuse("int_from_float", "Input should be a valid integer, got a number with a fractional part");
}

Coerced number_of(const OptionDef& option, const Value& value) {
  Value number = as_number(value);
  if (!number.as_double()) return refuse("float_type", "Input should be a valid number");
  if (option.whole && !number.as_int64()) return refuse("int_from_float", "Input should be a whole number");
  return number;
}

Coerced in_range(const OptionDef& option, Coerced coerced) {
  const auto* number = std::get_if<Value>(&coerced);
  if (number == nullptr) return coerced;
  const double real = number->as_double().value_or(0);
  const int64_t max = std::min(option.max, option.python_max);
  if (option.min != kLowest && real < static_cast<double>(option.min))
    return refuse("greater_than_equal", concat("Input should be greater than or equal to ", option.min));
  if (max != config::kNoLimit && real > static_cast<double>(max))
    return refuse("less_than_equal", concat("Input should be less than or equal to ", max));
  return coerced;
}

std::string one_of(const auto& words) {
  std::string out = "Input should be ";
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

Coerced literal_number(const OptionDef& option, const Value& value, Origin origin) {
  Coerced coerced = integer(value);
  if (origin == Origin::kFile) {
    OptionDef in_files = option;
    in_files.python_max = config::kNoLimit;
    return in_range(in_files, std::move(coerced));
  }
  if (std::holds_alternative<Value>(coerced) && std::holds_alternative<Value>(in_range(option, coerced)))
    return coerced;
  std::vector<std::string> words;
  for (int64_t n = option.min; n <= option.python_max; ++n) words.push_back(concat(n));
  return refuse("literal_error", one_of(words));
}

Coerced text(const OptionDef& option, Annotation annotation, const Value& value) {
  if (value.kind() != Value::Kind::kString) return refuse("string_type", "Input should be a valid string");
  if (annotation != Annotation::kLiteral && annotation != Annotation::kEnum) return value;
  const auto is = [&](const Choice& choice) { return choice.value == value.as_string(); };
  if (std::any_of(option.choices.begin(), option.choices.end(), is)) return value;
  std::vector<std::string> words;
  for (const Choice& choice : option.choices) words.push_back(concat("'", choice.value, "'"));
  return refuse(annotation == Annotation::kEnum ? "enum" : "literal_error", one_of(words));
}

Coerced item_of(const OptionDef& option, const Value& item) {
  return option.type == Type::kIntegers ? in_range(option, integer(item))
                                        : text(option, Annotation::kStr, item);
}

Coerced items(const OptionDef& option, const Value& value, Origin origin) {
  if (value.kind() == Value::Kind::kString && option.one_or_many) return Value::of(json::Array{value});
  const bool one_number = origin == Origin::kFile && option.type == Type::kIntegers &&
                          value.kind() == Value::Kind::kNumber;  // `check` warns of it
  if (one_number) return items(option, Value::of(json::Array{value}), origin);
  if (value.kind() != Value::Kind::kArray) return refuse("list_type", "Input should be a valid list");
  json::Array out;
  for (const Value& item : value.as_array()) {
    Coerced made = item_of(option, item);
    if (auto* problem = std::get_if<Problem>(&made)) {
      problem->location.emplace_back(static_cast<int64_t>(out.size()));
      return made;
    }
    out.push_back(std::get<Value>(std::move(made)));
  }
  return Value::of(std::move(out));
}

Coerced any_object(const OptionDef& option, const Value& value) {
  const bool list = option.one_or_many && value.kind() == Value::Kind::kArray;
  if (value.kind() == Value::Kind::kObject || list) return value;
  return refuse("dict_type", "Input should be a valid dictionary");
}

Coerced coerce_kind(const ClassInfo& info, const Field& field, const Value& value, Origin origin) {
  const OptionDef& option = *field.option;
  const Annotation annotation = annotation_of(info, field);
  switch (annotation) {
    case Annotation::kBool:
      return boolean(value);
    case Annotation::kInt:
      return in_range(option, integer(value));
    case Annotation::kNumber:
      return in_range(option, number_of(option, value));
    case Annotation::kLiteral:
      if (option.choices.empty()) return literal_number(option, value, origin);
      [[fallthrough]];
    case Annotation::kStr:
    case Annotation::kEnum:
    case Annotation::kEnumOrStr:
    case Annotation::kPath:
      return text(option, annotation, value);
    case Annotation::kStrings:
    case Annotation::kInts:
      return items(option, value, origin);
    case Annotation::kDict:
      return any_object(option, value);
    case Annotation::kModel:
    case Annotation::kModels:
      break;
  }
  return value;
}

std::map<const SectionDef*, std::unique_ptr<ClassInfo>>& classes() {
  static std::map<const SectionDef*, std::unique_ptr<ClassInfo>> held;
  return held;
}

}  // namespace

const Field* ClassInfo::find(std::string_view key) const {
  if (open) return nullptr;
  const OptionDef* option = config::find_option(*section, key);
  if (option == nullptr || !option->in_python) return nullptr;
  return &field(config::tag_of(*section, option));
}

ClassInfo& class_of(const SectionDef& section) {
  std::unique_ptr<ClassInfo>& held = classes()[&section];
  if (held) return *held;
  held = std::make_unique<ClassInfo>();
  held->section = &section;
  for (const OptionDef& option : section.options) {
    const uint16_t tag = config::tag_of(section, &option);
    held->fields.push_back({&option, tag, fallback_of(option)});
    if (is_split(option)) held->names_tag = tag;
  }
  return *held;
}

ClassInfo& new_open_class(std::string name, std::string summary) {
  struct Made {
    std::string name, summary;
    SectionDef section;
  };
  static std::deque<Made> made;
  Made& last = made.emplace_back(Made{std::move(name), std::move(summary), {}});
  last.section.python_class = last.name;
  last.section.summary = last.summary;
  ClassInfo& info = class_of(last.section);
  info.open = true;
  return info;
}

// The documents give names to two sets of choices; a word of each set tells which they are.
std::string_view enum_name(const OptionDef& option) {
  for (const Choice& choice : option.choices) {
    if (choice.value == "burst") return "PerfProfile";
    if (choice.value == "v73") return "DspArchitecture";
  }
  return "";
}

Annotation annotation_of(const ClassInfo& info, const Field& field) {
  const OptionDef& option = *field.option;
  switch (option.type) {
    case Type::kBool:
      return Annotation::kBool;
    case Type::kInteger:
      return Annotation::kInt;
    case Type::kNumber:
      if (option.python_max != config::kNoLimit) return Annotation::kLiteral;
      // Switches are integers in Python; a level may also be written 3.0.
      return option.on_from_one || option.also_bool ? Annotation::kInt : Annotation::kNumber;
    case Type::kString:
      if (enum_name(option) == "DspArchitecture") return Annotation::kEnumOrStr;  // new parts come every year
      if (!enum_name(option).empty()) return Annotation::kEnum;
      return option.choices.empty() ? Annotation::kStr : Annotation::kLiteral;
    case Type::kPath:
      return Annotation::kPath;
    case Type::kStrings:
      return field.tag == info.names_tag ? Annotation::kStr : Annotation::kStrings;
    case Type::kIntegers:
      return Annotation::kInts;
    case Type::kAnyObject:
      return Annotation::kDict;
    case Type::kSection:
      return Annotation::kModel;
    case Type::kSections:
    case Type::kOneOrMore:
      return Annotation::kModels;
  }
  return Annotation::kStr;
}

Coerced coerce(const ClassInfo& info, const Field& field, const Value& value, Origin origin) {
  if (value.is_null() && field.option->python_optional) return value;
  return coerce_kind(info, field, value, origin);
}

bool is_list(const Field& field) {
  return field.option->type == Type::kIntegers || field.option->type == Type::kStrings;
}

Coerced coerce_item(const Field& field, const Value& item) { return item_of(*field.option, item); }

Coerced coerce_name(const Value& value) {
  const bool one = value.kind() == Value::Kind::kArray && value.as_array().size() == 1;
  const Value& name = one ? value.as_array().front() : value;
  if (name.kind() == Value::Kind::kString) return name;
  if (name.kind() == Value::Kind::kArray)
    return refuse("string_type", "Input should be one name: an object is made for each graph");
  return refuse("string_type", "Input should be a valid string");
}

}  // namespace openqnn::python
