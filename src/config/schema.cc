// SPDX-License-Identifier: BSD-3-Clause
#include "config/schema.h"

#include <initializer_list>
#include <utility>

#include "base/text.h"
#include "config/explain.h"
#include "json/json.h"

namespace openqnn::config {
namespace {

using json::Array;
using json::Object;
using json::Value;

void add(Object& object, std::string_view key, Value value) {
  object.push_back({.key = key, .value = std::move(value)});
}

Value object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Object out;
  for (const auto& [key, value] : members) add(out, key, value);
  return Value::of(std::move(out));
}

Value list_of(const Value& items) { return object({{"type", Value::of("array")}, {"items", items}}); }

Value typed(std::string_view type) { return object({{"type", Value::of(type)}}); }

Value any_of(const Value& first, const Value& second) {
  return object({{"anyOf", Value::of(Array{first, second})}});
}

// ---- What a value may be ----

// A number, or an element of a list of integers.
Value number_schema(const OptionDef& option) {
  Object out;
  add(out, "type", Value::of(option.type == Type::kNumber ? "number" : "integer"));
  if (option.whole) add(out, "multipleOf", Value::of(int64_t{1}));
  if (option.min != std::numeric_limits<int64_t>::min()) add(out, "minimum", Value::of(option.min));
  if (option.max != kNoLimit) add(out, "maximum", Value::of(option.max));
  return Value::of(std::move(out));
}

// 0, or 1 and more.
Value switch_schema() {
  return any_of(object({{"const", Value::of(int64_t{0})}}),
                object({{"type", Value::of("number")}, {"minimum", Value::of(int64_t{1})}}));
}

// Each value with its help, which editors show while completing.
Value choices_schema(const OptionDef& option) {
  Array values;
  for (const Choice& choice : option.choices) {
    Object one;
    const bool is_text = option.type == Type::kString;
    add(one, "const", is_text ? Value::of(choice.value) : Value::of_number_text(std::string(choice.value)));
    if (const std::string help = choice_help(choice); !help.empty()) add(one, "description", Value::of(help));
    values.push_back(Value::of(std::move(one)));
  }
  return object({{"oneOf", Value::of(std::move(values))}});
}

Value section_schema(const OptionDef& option) {
  return object({{"$ref", Value::of(concat("#/$defs/", option.section->name))}});
}

Value shape(const OptionDef& option) {
  if (!option.choices.empty()) return choices_schema(option);
  switch (option.type) {
    case Type::kBool:
      return typed("boolean");
    case Type::kInteger:
    case Type::kNumber:
      return option.on_from_one ? switch_schema() : number_schema(option);
    case Type::kString:
    case Type::kPath:
      return typed("string");
    case Type::kStrings:
      return list_of(typed("string"));
    case Type::kIntegers:
      return list_of(number_schema(option));
    case Type::kAnyObject:
      return typed("object");
    case Type::kSection:
      return section_schema(option);
    case Type::kSections:
      return list_of(section_schema(option));
    case Type::kOneOrMore:
      return any_of(section_schema(option), list_of(section_schema(option)));
  }
  return {};
}

Value value_schema(const OptionDef& option) {
  Value out = shape(option);
  if (option.one_or_many && option.type == Type::kStrings) out = any_of(out, typed("string"));
  if (option.one_or_many && option.type == Type::kAnyObject) out = any_of(out, list_of(typed("object")));
  if (option.also_bool) out = any_of(out, typed("boolean"));
  if (option.python_optional) out = any_of(out, typed("null"));
  return out;
}

// ---- Options and sections ----

// The option's schema under one of its spellings.
Value option_schema(const OptionDef& option, std::string_view spelling) {
  Object out;
  std::string about = description(option);
  if (spelling != option.name) about = concat("Another name of ", option.name, ". ", about);
  add(out, "description", Value::of(about));
  if (option.is_deprecated() || spelling == option.misspelt) add(out, "deprecated", Value::of(true));
  Value value = value_schema(option);
  for (json::Member& member : *value.object()) out.push_back(std::move(member));
  if (!option.default_json.empty()) {
    if (auto parsed = json::parse(option.default_json, option.name)) add(out, "default", std::move(*parsed));
  }
  return Value::of(std::move(out));
}

Object section_body(const SectionDef& section) {
  Object properties;
  Array required;
  for (const OptionDef& option : section.options) {
    for (const std::string_view spelling : option.spellings())
      add(properties, spelling, option_schema(option, spelling));
    if (option.required) required.push_back(Value::of(option.name));
  }
  Object out;
  add(out, "type", Value::of("object"));
  add(out, "properties", Value::of(std::move(properties)));
  if (!required.empty()) add(out, "required", Value::of(std::move(required)));
  add(out, "additionalProperties",
      object(
          {{"description", Value::of("Not known here; `openqnn check` tells what may have been meant.")}}));
  return out;
}

}  // namespace

std::string json_schema(Kind kind) {
  const KindDef& def = kind_def(kind);
  Object out;
  add(out, "$schema", Value::of("https://json-schema.org/draft/2020-12/schema"));
  add(out, "$id", Value::of(concat("urn:openqnn:config:", def.name)));
  add(out, "title", Value::of(def.title));
  add(out, "description", Value::of(concat(def.root->summary, " Goes to ", def.goes_to, ".")));
  for (json::Member& member : section_body(*def.root)) out.push_back(std::move(member));

  Object sections;
  for (const PlacedSection& placed : sections_of(kind).subspan(1)) {
    Object section;
    add(section, "description", Value::of(placed.section->summary));
    for (json::Member& member : section_body(*placed.section)) section.push_back(std::move(member));
    add(sections, placed.section->name, Value::of(std::move(section)));
  }
  add(out, "$defs", Value::of(std::move(sections)));
  return json::write(Value::of(std::move(out))) + "\n";
}

}  // namespace openqnn::config
