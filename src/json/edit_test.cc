// SPDX-License-Identifier: BSD-3-Clause
#include "json/edit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/test_support.h"

namespace openqnn::json {
namespace {

TEST(JsonEdits, AppliedInAnyOrder) {
  bool left_out = false;
  EXPECT_EQ(apply_edits("abcdef", {{{4, 5}, "E"}, {{0, 1}, ""}, {{2, 2}, "+"}}, &left_out), "b+cdEf");
  EXPECT_FALSE(left_out);
  EXPECT_EQ(apply_edits("abc", {}), "abc");
  EXPECT_EQ(apply_edits("", {{{0, 0}, "x"}}), "x");
  EXPECT_EQ(apply_edits("abc", {{{3, 3}, "1"}, {{3, 3}, "2"}}), "abc12");
  EXPECT_EQ(apply_edits("abc", {{{1, 2}, "B"}, {{1, 1}, "<"}, {{2, 2}, ">"}}, &left_out), "a<B>c");
  EXPECT_FALSE(left_out);
}

TEST(JsonEdits, TheFirstOfTwoThatOverlapWins) {
  const auto applied = [](const std::vector<Edit>& edits) {
    bool left_out = false;
    std::string text = apply_edits("abcdef", edits, &left_out);
    EXPECT_TRUE(left_out);
    return text;
  };
  EXPECT_EQ(applied({{{1, 4}, "1"}, {{3, 5}, "2"}}), "a1ef");
  EXPECT_EQ(applied({{{3, 5}, "2"}, {{1, 4}, "1"}}), "abc2f");
  EXPECT_EQ(applied({{{1, 4}, "1"}, {{2, 2}, "2"}}), "a1ef");
  EXPECT_EQ(applied({{{2, 2}, "2"}, {{1, 4}, "1"}}), "ab2cdef");
  EXPECT_EQ(applied({{{1, 2}, "1"}, {{0, 6}, "2"}}), "a1cdef");
  EXPECT_EQ(applied({{{1, 2}, "1"}, {{1, 2}, "2"}}), "a1cdef");
  EXPECT_EQ(applied({{{4, 9}, "beyond"}, {{5, 3}, "backwards"}}), "abcdef");
}

// The text without the member or element that reads `item`.
std::string without(std::string_view text, std::string_view item) {
  const size_t at = text.find(item);
  EXPECT_NE(at, std::string_view::npos);
  const Span span{static_cast<uint32_t>(at), static_cast<uint32_t>(at + item.size())};
  std::string out = apply_edits(text, {remove_item(text, span)});
  EXPECT_EQ(comments_of(out), comments_of(text)) << out;
  return out;
}

TEST(JsonRemove, OnOneLine) {
  EXPECT_EQ(without("[1, 2, 3]", "1"), "[2, 3]");
  EXPECT_EQ(without("[1, 2, 3]", "2"), "[1, 3]");
  EXPECT_EQ(without("[1, 2, 3]", "3"), "[1, 2]");
  EXPECT_EQ(without("[1]", "1"), "[]");
  EXPECT_EQ(without("{ \"a\": 1 }", "\"a\": 1"), "{}");
  EXPECT_EQ(without("[1,2,3]", "2"), "[1,3]");
  EXPECT_EQ(without("{\"a\": 1, \"b\": [2, {}]}", "\"b\": [2, {}]"), "{\"a\": 1}");
  EXPECT_EQ(without("{\"a\" : 1 , \"b\": 2 }", "\"a\" : 1"), "{\"b\": 2 }");
  EXPECT_EQ(without("[1, 2,]", "2"), "[1,]");
  EXPECT_EQ(without("[1, ]", "1"), "[]");
}

TEST(JsonRemove, OnLinesOfItsOwn) {
  const std::string text = "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ],\n  \"c\": 3\n}\n";
  EXPECT_EQ(without(text, "\"a\": 1"), "{\n  \"b\": [\n    2\n  ],\n  \"c\": 3\n}\n");
  EXPECT_EQ(without(text, "\"b\": [\n    2\n  ]"), "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
  EXPECT_EQ(without(text, "\"c\": 3"), "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n");
  EXPECT_EQ(without("{\n  \"a\": 1\n}", "\"a\": 1"), "{}");
  EXPECT_EQ(without("{\n  \"a\": 1,\n}", "\"a\": 1"), "{}");
  EXPECT_EQ(without("{\n  \"a\": 1,\n  \"b\": 2,\n}", "\"b\": 2"), "{\n  \"a\": 1,\n}");
  EXPECT_EQ(without("[\n  1, 2,\n  3\n]", "2"), "[\n  1,\n  3\n]");
  EXPECT_EQ(without("[ 1,\n  2 ]", "1"), "[\n  2 ]");
  EXPECT_EQ(without("[\n  1\n  , 2\n]", "2"), "[\n  1\n  \n]");
}

TEST(JsonRemove, CarriageReturns) {
  const std::string text = "{\r\n\t\"a\": 1,\r\n\t\"b\": 2,\r\n\t\"c\": 3\r\n}\r\n";
  EXPECT_EQ(without(text, "\"a\": 1"), "{\r\n\t\"b\": 2,\r\n\t\"c\": 3\r\n}\r\n");
  EXPECT_EQ(without(text, "\"b\": 2"), "{\r\n\t\"a\": 1,\r\n\t\"c\": 3\r\n}\r\n");
  EXPECT_EQ(without(text, "\"c\": 3"), "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n");
  EXPECT_EQ(without("[1, // c\r\n2\r\n]", "2"), "[1 // c\r\n]");
}

TEST(JsonRemove, KeepsComments) {
  EXPECT_EQ(without("{\n  // one\n  \"a\": 1,  // why\n  \"b\": 2\n}", "\"a\": 1"),
            "{\n  // one\n  // why\n  \"b\": 2\n}");
  EXPECT_EQ(without("{\n  \"a\": 1, // one\n  // two\n  \"b\": 2\n}", "\"b\": 2"),
            "{\n  \"a\": 1 // one\n  // two\n}");
  EXPECT_EQ(without("{\n  \"a\": 1,\n  \"b\": 2 // last\n}", "\"b\": 2"), "{\n  \"a\": 1\n  // last\n}");
  EXPECT_EQ(without("[1 /* x */, 2]", "1"), "[ /* x */ 2]");
  EXPECT_EQ(without("[1, /* x */ 2]", "2"), "[1 /* x */ ]");
  EXPECT_EQ(without("[1, // x\n 2]", "2"), "[1 // x\n ]");
  EXPECT_EQ(without("[/* x */ 1 /* y */]", "1"), "[/* x */  /* y */]");
  EXPECT_EQ(without("[\n  // x\n  1\n]", "1"), "[\n  // x\n]");
  EXPECT_EQ(without("[\n  0, // 1,\n  /* , */\n  2\n]", "2"), "[\n  0 // 1,\n  /* , */\n]");
  EXPECT_EQ(without("[\"//\",\n  \"*/\",\n  2\n]", "2"), "[\"//\",\n  \"*/\"\n]");
}

TEST(JsonRemove, NonsenseDoesNoHarm) {
  for (const std::string_view text : {"", "[", "/*", "//", "\"", "[1, 2]"}) {
    for (uint32_t begin = 0; begin < 9; ++begin) {
      for (uint32_t end = 0; end < 9; ++end) {
        apply_edits(text, {remove_item(text, {begin, end}), insert_member(text, {begin, end}, "k", "1")});
      }
    }
  }
}

std::string with(std::string_view text, std::string_view key = "k", std::string_view value = "1") {
  const size_t begin = text.find('{');
  const size_t end = text.rfind('}') + 1;
  const Span span{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  std::string out = apply_edits(text, {insert_member(text, span, key, value)});
  EXPECT_EQ(comments_of(out), comments_of(text)) << out;
  const Value tree = read_lenient(out);
  EXPECT_NE(tree.find(key), nullptr) << out;
  return out;
}

TEST(JsonInsert, IntoAnEmptyObject) {
  EXPECT_EQ(with("{}"), "{\"k\": 1}");
  EXPECT_EQ(with("{ }"), "{\"k\": 1}");
  EXPECT_EQ(with("{\n}\n"), "{\n  \"k\": 1\n}\n");
  EXPECT_EQ(with("{\r\n}"), "{\r\n  \"k\": 1\r\n}");
  EXPECT_EQ(with("\t{\n\t}"), "\t{\n\t\t\"k\": 1\n\t}");
  EXPECT_EQ(with("{ /* none */ }"), "{ /* none */ \"k\": 1 }");
  EXPECT_EQ(with("{ // none\n}"), "{ // none\n  \"k\": 1\n}");
  EXPECT_EQ(with("{\n    // none }\n}"), "{\n    // none }\n    \"k\": 1\n}");
  EXPECT_EQ(with("{\n/* none */}"), "{\n/* none */\n\"k\": 1\n}");
}

TEST(JsonInsert, OnOneLine) {
  EXPECT_EQ(with("{\"a\": 1}"), "{\"a\": 1, \"k\": 1}");
  EXPECT_EQ(with("{ \"a\": 1 }"), "{ \"a\": 1, \"k\": 1 }");
  EXPECT_EQ(with("{\"a\": 1,}"), "{\"a\": 1, \"k\": 1}");
  EXPECT_EQ(with("{\"a\": {\"b\": [1, 2]}}"), "{\"a\": {\"b\": [1, 2]}, \"k\": 1}");
  EXPECT_EQ(with("{\"a\": 1 // c\n}"), "{\"a\": 1, \"k\": 1 // c\n}");
  EXPECT_EQ(with("{\"a\": 1}", "q\"\n", "[true]"), "{\"a\": 1, \"q\\\"\\n\": [true]}");
}

TEST(JsonInsert, OnALineOfItsOwn) {
  EXPECT_EQ(with("{\n    \"a\": 1\n}\n"), "{\n    \"a\": 1,\n    \"k\": 1\n}\n");
  EXPECT_EQ(with("{\r\n\t\"a\": 1\r\n}\r\n"), "{\r\n\t\"a\": 1,\r\n\t\"k\": 1\r\n}\r\n");
  EXPECT_EQ(with("{\n  \"a\": 1,\n}"), "{\n  \"a\": 1,\n  \"k\": 1\n}");
  EXPECT_EQ(with("{\n  \"a\": 1 // one\n}"), "{\n  \"a\": 1, // one\n  \"k\": 1\n}");
  EXPECT_EQ(with("{\n  \"a\": 1, /* one */ // two\n  // three\n}"),
            "{\n  \"a\": 1, /* one */ // two\n  \"k\": 1\n  // three\n}");
  EXPECT_EQ(with("{\n  \"a\": [\n    1\n  ]\n}", "k", "{\n  \"b\": 2\n}"),
            "{\n  \"a\": [\n    1\n  ],\n  \"k\": {\n    \"b\": 2\n  }\n}");
  EXPECT_EQ(with("{\"a\": 1,\n \"b\": 2}"), "{\"a\": 1,\n \"b\": 2,\n \"k\": 1}");
}

// An item of a tree, as the way to it: which child at every level.
struct Item {
  std::vector<size_t> way;
  Span span;
  bool is_member;
};

void collect_items(const Value& value, std::vector<size_t>& way, std::vector<Item>& items) {
  const auto add = [&](size_t i, Span span, const Value& child) {
    way.push_back(i);
    items.push_back({way, span, value.kind() == Value::Kind::kObject});
    collect_items(child, way, items);
    way.pop_back();
  };
  for (size_t i = 0; i < value.as_array().size(); ++i) {
    add(i, value.as_array()[i].span(), value.as_array()[i]);
  }
  for (size_t i = 0; i < value.as_object().size(); ++i) {
    const Member& member = value.as_object()[i];
    add(i, {member.key_span.begin, member.value.span().end}, member.value);
  }
}

void erase(Value& value, const std::vector<size_t>& way, size_t level = 0) {
  const auto at = static_cast<ptrdiff_t>(way[level]);
  const bool last = level + 1 == way.size();
  if (Array* array = value.array()) {
    if (last) {
      array->erase(array->begin() + at);
    } else {
      erase((*array)[way[level]], way, level + 1);
    }
  } else if (Object* object = value.object()) {
    if (last) {
      object->erase(object->begin() + at);
    } else {
      erase((*object)[way[level]].value, way, level + 1);
    }
  }
}

void check_removals(const std::string& text) {
  const Value tree = read_lenient(text);
  const bool strict = parse(text, "t").ok();
  std::vector<Item> items;
  std::vector<size_t> way;
  collect_items(tree, way, items);
  for (const Item& item : items) {
    const std::string after = apply_edits(text, {remove_item(text, item.span)});
    Value expected = tree;
    erase(expected, item.way);
    LenientNotes notes;
    const auto got = parse_lenient(after, "after", notes);
    ASSERT_TRUE(got.ok()) << text << "\n--- without " << item.span.begin << "\n"
                          << after << got.error().to_string();
    ASSERT_TRUE(got->same_as(expected)) << text << "\n--- without " << item.span.begin << "\n" << after;
    ASSERT_TRUE(!strict || parse(after, "after").ok()) << after;
    // Comments inside of the item go with it, the others stay.
    std::string placeholder = text;
    placeholder.replace(item.span.begin, item.span.end - item.span.begin, item.is_member ? "\"x\":0" : "0");
    ASSERT_EQ(comments_of(after), comments_of(placeholder)) << text << "\n---\n" << after;
  }
}

TEST(JsonRemove, LeavesTheTreeWithoutTheItem) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    check_removals(RandomText(seed).lenient());
    check_removals(RandomText(seed).strict());
    if (testing::Test::HasFatalFailure()) return;
  }
}

void check_insertions(const std::string& text, const Value& tree, const Value& value) {
  if (value.kind() == Value::Kind::kObject) {
    const std::string after = apply_edits(text, {insert_member(text, value.span(), "new", "[1,\n 2]")});
    LenientNotes notes;
    const auto got = parse_lenient(after, "after", notes);
    ASSERT_TRUE(got.ok()) << text << "\n---\n" << after << "\n" << got.error().to_string();
    ASSERT_FALSE(got->same_as(tree));
    ASSERT_EQ(comments_of(after), comments_of(text)) << after;
    // Taken out again, the tree is what it was.
    std::vector<Item> items;
    std::vector<size_t> way;
    collect_items(*got, way, items);
    Value back = *got;
    for (const Item& item : items) {
      if (after.compare(item.span.begin, 5, "\"new\"") == 0) erase(back, item.way);
    }
    ASSERT_TRUE(back.same_as(tree)) << text << "\n---\n" << after;
  }
  for (const Value& element : value.as_array()) check_insertions(text, tree, element);
  for (const Member& member : value.as_object()) check_insertions(text, tree, member.value);
}

TEST(JsonInsert, LeavesTheTreeWithTheMember) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    const std::string text = RandomText(seed).lenient();
    const Value tree = read_lenient(text);
    check_insertions(text, tree, tree);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Each edit looks only at what is around it.
TEST(JsonRemove, ManyFromALargeText) {
  std::string text = "[\n";
  for (int i = 0; i < 50000; ++i) text += "  {\"path\": \"a/b\", \"i\": 1},  // note\n";
  text += "  0\n]\n";
  const Value tree = read_lenient(text);
  std::vector<Edit> edits;
  for (const Value& element : tree.as_array()) {
    const auto& members = element.as_object();
    if (members.empty()) continue;
    edits.push_back(remove_item(text, {members[1].key_span.begin, members[1].value.span().end}));
  }
  bool left_out = false;
  const Value after = read_lenient(apply_edits(text, edits, &left_out));
  EXPECT_FALSE(left_out);
  EXPECT_EQ(after.as_array()[7].as_object().size(), 1u);
}

}  // namespace
}  // namespace openqnn::json
