// SPDX-License-Identifier: BSD-3-Clause
#include "config/schema.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "json/json.h"

namespace openqnn::config {
namespace {

using json::Value;

Value schema_of(Kind kind) {
  auto parsed = json::parse(json_schema(kind), "schema");
  EXPECT_TRUE(parsed) << kind_def(kind).name;
  return parsed ? std::move(*parsed) : Value();
}

const Value& at(const Value& value, std::initializer_list<std::string_view> path) {
  static const Value none;
  const Value* found = &value;
  for (const std::string_view key : path) {
    found = found->find(key);
    if (found == nullptr) return none;
  }
  return *found;
}

TEST(Schema, NamesItsDialectAndItself) {
  for (const KindDef& kind : kinds()) {
    const Value schema = schema_of(kind.kind);
    EXPECT_EQ(at(schema, {"$schema"}).as_string(), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(at(schema, {"$id"}).as_string(), std::string("urn:openqnn:config:") + std::string(kind.name));
    EXPECT_EQ(at(schema, {"title"}).as_string(), kind.title);
  }
}

TEST(Schema, HasEveryOptionInEverySpelling) {
  for (const KindDef& kind : kinds()) {
    const Value schema = schema_of(kind.kind);
    for (const PlacedSection& section : sections_of(kind.kind)) {
      const Value& body = section.path.empty() ? schema : at(schema, {"$defs", section.section->name});
      for (const OptionDef& option : section.section->options)
        for (const std::string_view spelling : option.spellings())
          EXPECT_FALSE(at(body, {"properties", spelling, "description"}).as_string().empty()) << spelling;
    }
  }
}

// Sections are referred to by name, so two of one kind must not share a name.
TEST(Schema, SectionsHaveNamesOfTheirOwn) {
  for (const KindDef& kind : kinds()) {
    std::set<std::string_view> names;
    for (const PlacedSection& section : sections_of(kind.kind))
      EXPECT_TRUE(names.insert(section.section->name).second) << kind.name << " " << section.path;
  }
}

TEST(Schema, IsTheSameEveryTime) { EXPECT_EQ(json_schema(Kind::kHtp), json_schema(Kind::kHtp)); }

TEST(Schema, CarriesDefaultsRangesAndMarks) {
  const Value schema = schema_of(Kind::kHtp);
  const Value& graphs = at(schema, {"$defs", "graphs", "properties"});
  EXPECT_EQ(at(graphs, {"O", "default"}).as_int64(), 2);
  EXPECT_EQ(at(graphs, {"O", "minimum"}).as_int64(), 1);
  EXPECT_EQ(at(graphs, {"O", "maximum"}).as_int64(), 3);
  EXPECT_EQ(at(graphs, {"O", "multipleOf"}).as_int64(), 1);
  EXPECT_TRUE(at(graphs, {"fp16_relaxed_precision", "deprecated"}).as_bool());
  EXPECT_TRUE(at(schema, {"$defs", "devices", "properties", "soc_id", "deprecated"}).as_bool());
  EXPECT_FALSE(at(schema, {"$defs", "devices", "properties", "soc_model", "deprecated"}).as_bool());
}

TEST(Schema, ChoicesComeWithTheirHelp) {
  const Value schema = schema_of(Kind::kHtp);
  const json::Array& profiles =
      at(schema, {"$defs", "cores", "properties", "perf_profile", "oneOf"}).as_array();
  ASSERT_FALSE(profiles.empty());
  EXPECT_EQ(at(profiles[0], {"const"}).as_string(), "burst");
  EXPECT_NE(at(profiles[0], {"description"}).as_string().find("highest clocks"), std::string_view::npos);
  const json::Array& core_types =
      at(schema, {"$defs", "devices", "properties", "core_type", "oneOf"}).as_array();
  ASSERT_EQ(core_types.size(), 2u);
  EXPECT_EQ(at(core_types[1], {"const"}).as_int64(), 1);
}

TEST(Schema, ListsMayBeObjectsWhereFilesHaveBoth) {
  const Value schema = schema_of(Kind::kHtp);
  EXPECT_EQ(at(schema, {"properties", "graphs", "anyOf"}).as_array().size(), 2u);
  EXPECT_EQ(at(schema, {"properties", "context", "anyOf"}).as_array().size(), 2u);
  EXPECT_EQ(at(schema, {"properties", "devices", "type"}).as_string(), "array");
}

// The types that a schema allows, one behind the other.
std::vector<std::string> forms(const Value& schema) {
  const json::Array& either = at(schema, {"anyOf"}).as_array();
  if (either.empty()) {
    const std::string items(at(schema, {"items", "type"}).as_string());
    return {std::string(at(schema, {"type"}).as_string()) + (items.empty() ? "" : " of " + items)};
  }
  std::vector<std::string> all;
  for (const Value& one : either)
    for (std::string& form : forms(one)) all.push_back(std::move(form));
  return all;
}

TEST(Schema, ListsMayBeOneItemWhereFilesHaveBoth) {
  const Value htp = schema_of(Kind::kHtp), compile = schema_of(Kind::kCompile);
  EXPECT_EQ(forms(at(htp, {"$defs", "graphs", "properties", "graph_names"})),
            (std::vector<std::string>{"array of string", "string"}));
  EXPECT_EQ(forms(at(compile, {"properties", "op_packages"})),
            (std::vector<std::string>{"object", "array of object", "null"}));
}

TEST(Schema, RequiredKeysAreListed) {
  const Value schema = schema_of(Kind::kThroughput);
  EXPECT_EQ(at(schema, {"required"}).as_array().size(), 4u);
  EXPECT_EQ(at(schema, {"$defs", "threads", "required"}).as_array().size(), 4u);
}

}  // namespace
}  // namespace openqnn::config
