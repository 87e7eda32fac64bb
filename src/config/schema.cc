// SPDX-License-Identifier: BSD-3-Clause
#include "config/schema.h"

#include <vector>

#include "base/text.h"
#include "config/explain.h"
#include "json/json.h"

namespace openqnn::config {
namespace {

using json::Array;
using json::Object;
using json::Value;

Value text(std::string_view value) { return Value::of(std::string(value)); }

void add(Object& object, std::string_view key, Value value) {
  object.push_back({.key = key, .value = std::move(value)});
}

Value list_of(Value items) {
  Object out;
  add(out, "type", text("array"));
  add(out, "items", std::move(items));
  return Value::of(std::move(out));
}

Value typed(std::string_view type) {
  Object out;
  add(out, "type", text(type));
  return Value::of(std::move(out));
}

Value any_of(Value first, Value second) {
  Object out;
  Array either;
  either.push_back(std::move(first));
  either.push_back(std::move(second));
  add(out, "anyOf", Value::of(std::move(either)));
  return Value::of(std::move(out));
}

// ---- What a value may be ----

void add_range(Object& out, const OptionDef& option) {
  if (option.min != std::numeric_limits<int64_t>::min()) add(out, "minimum", Value::of(option.min));
  if (option.max != kNoLimit) add(out, "maximum", Value::of(option.max));
}

Value number_schema(const OptionDef& option) {
  Object out;
  add(out, "type", text(option.type == Type::kInteger ? "integer" : "number"));
  if (option.whole) add(out, "multipleOf", Value::of(int64_t{1}));
  add_range(out, option);
  return Value::of(std::move(out));
}

// 0, or 1 and more.
Value switch_schema() {
  Object off;
  add(off, "const", Value::of(int64_t{0}));
  Object on;
  add(on, "type", text("number"));
  add(on, "minimum", Value::of(int64_t{1}));
  return any_of(Value::of(std::move(off)), Value::of(std::move(on)));
}

// Each value with its help, which editors show while completing.
Value choices_schema(const OptionDef& option) {
  Array values;
  for (const Choice& choice : option.choices) {
    Object one;
    const bool is_text = option.type == Type::kString;
    add(one, "const", is_text ? text(choice.value) : Value::of_number_text(std::string(choice.value)));
    if (const std::string help = choice_help(choice); !help.empty()) add(one, "description", text(help));
    values.push_back(Value::of(std::move(one)));
  }
  Object out;
  add(out, "oneOf", Value::of(std::move(values)));
  return Value::of(std::move(out));
}

Value section_schema(const OptionDef& option) {
  Object out;
  add(out, "$ref", text(concat("#/$defs/", option.section->name)));
  return Value::of(std::move(out));
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
    case Type::kIntegers: {
      Object items;
      add(items, "type", text("integer"));
      add_range(items, option);
      return list_of(Value::of(std::move(items)));
    }
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
  if (option.one_or_many && option.type == Type::kStrings) out = any_of(std::move(out), typed("string"));
  if (option.one_or_many && option.type == Type::kAnyObject)
    out = any_of(std::move(out), list_of(typed("object")));
  if (option.also_bool) out = any_of(std::move(out), typed("boolean"));
  if (option.python_optional) out = any_of(std::move(out), typed("null"));
  return out;
}

// ---- Options and sections ----

// The option's schema under one of its spellings.
Value option_schema(const OptionDef& option, std::string_view spelling) {
  Object out;
  std::string about = description(option);
  if (spelling != option.name) about = concat("Another name of ", option.name, ". ", about);
  add(out, "description", text(about));
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
    if (option.required) required.push_back(text(option.name));
  }
  Object unknown;
  add(unknown, "description", text("Not known here; `openqnn check` tells what may have been meant."));

  Object out;
  add(out, "type", text("object"));
  add(out, "properties", Value::of(std::move(properties)));
  if (!required.empty()) add(out, "required", Value::of(std::move(required)));
  add(out, "additionalProperties", Value::of(std::move(unknown)));
  return out;
}

}  // namespace

std::string json_schema(Kind kind) {
  const KindDef& def = kind_def(kind);
  Object out;
  add(out, "$schema", text("https://json-schema.org/draft/2020-12/schema"));
  add(out, "$id", text(concat("urn:openqnn:config:", def.name)));
  add(out, "title", text(def.title));
  add(out, "description", text(concat(def.root->summary, " Goes to ", def.goes_to, ".")));
  for (json::Member& member : section_body(*def.root)) out.push_back(std::move(member));

  Object sections;
  for (const PlacedSection& placed : sections_of(kind).subspan(1)) {
    Object section;
    add(section, "description", text(placed.section->summary));
    for (json::Member& member : section_body(*placed.section)) section.push_back(std::move(member));
    add(sections, placed.section->name, Value::of(std::move(section)));
  }
  add(out, "$defs", Value::of(std::move(sections)));
  return json::write(Value::of(std::move(out))) + "\n";
}

}  // namespace openqnn::config
