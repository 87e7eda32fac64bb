// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "json/json.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

using testing::HasSubstr;

TEST(Json, ReadsEveryKind) {
  const Value value =
      read(R"( {"n": null, "t": true, "f": false, "i": -12, "d": 1.5e+3, "s": "x", "a": [1, []], "o": {}} )");
  ASSERT_EQ(value.kind(), Value::Kind::kObject);
  EXPECT_TRUE(value.find("n")->is_null());
  EXPECT_TRUE(value.find("t")->as_bool());
  EXPECT_EQ(value.find("f")->kind(), Value::Kind::kBool);
  EXPECT_FALSE(value.find("f")->as_bool());
  EXPECT_EQ(value.find("i")->as_int64(), -12);
  EXPECT_EQ(value.find("d")->as_double(), 1500.0);
  EXPECT_EQ(value.find("s")->as_string(), "x");
  EXPECT_EQ(value.find("a")->as_array().size(), 2u);
  EXPECT_TRUE(value.find("o")->as_object().empty());
  EXPECT_EQ(value.find("absent"), nullptr);
  EXPECT_EQ(value.as_object()[4].key, "d");  // in the order of the text
}

TEST(Json, Strings) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00")").as_string(), "\"\\/\b\f\n\r\té€😀");
  EXPECT_EQ(read(R"("a\u0000b")").as_string(), std::string_view("a\0b", 3));
  EXPECT_EQ(read("\"é€😀\x7f\"").as_string(), "é€😀\x7f");
  EXPECT_EQ(read("{\"a\\u0062\": 1}").find("ab")->as_int64(), 1);
}

TEST(Json, SpansAreBytes) {
  const std::string text = " {\"é\" : [12, \"漢\\n\"],\r\n\t\"k\": {}, \"t\":true }\n";
  const Value value = read(text);
  const auto slice = [&](Span span) { return text.substr(span.begin, span.end - span.begin); };
  EXPECT_EQ(value.span(), (Span{1, static_cast<uint32_t>(text.size() - 1)}));
  const Object& members = value.as_object();
  EXPECT_EQ(slice(members[0].key_span), "\"é\"");
  EXPECT_EQ(slice(members[0].value.span()), "[12, \"漢\\n\"]");
  EXPECT_EQ(slice(members[0].value.as_array()[0].span()), "12");
  EXPECT_EQ(slice(members[0].value.as_array()[1].span()), "\"漢\\n\"");
  EXPECT_EQ(slice(members[1].value.span()), "{}");
  EXPECT_EQ(slice(members[2].value.span()), "true");
  EXPECT_EQ(members[2].tag, 0);
}

struct Bad {
  std::string_view text;
  uint32_t line, column;
  std::string_view message, fix;
};

class BadText : public testing::TestWithParam<Bad> {};

TEST_P(BadText, SaysWhatWhereAndHow) {
  const Bad& bad = GetParam();
  const auto value = parse(bad.text, "f.json");
  ASSERT_FALSE(value.ok()) << bad.text;
  EXPECT_EQ(value.error().where.object, "f.json");
  EXPECT_EQ(value.error().where.line, bad.line) << bad.text << "\n" << value.error().to_string();
  EXPECT_EQ(value.error().where.column, bad.column) << bad.text << "\n" << value.error().to_string();
  EXPECT_THAT(value.error().message, HasSubstr(std::string(bad.message)));
  EXPECT_THAT(value.error().fix, HasSubstr(std::string(bad.fix)));
}

using namespace std::string_view_literals;
INSTANTIATE_TEST_SUITE_P(
    Json, BadText,
    testing::Values(
        Bad{"", 1, 1, "empty", "{}"}, Bad{" \n ", 2, 2, "empty", "{}"},
        Bad{"\xef\xbb\xbf{}", 1, 1, "byte order mark", "BOM"},
        Bad{"{} x", 1, 4, "'x' after the end", "one value"}, Bad{"[1,]", 1, 4, "not ']'", "remove the comma"},
        Bad{"{\"a\":1,}", 1, 8, "a key is expected here, not '}'", "remove the comma"},
        Bad{"{\"a\":1\n \"b\":2}", 1, 7, "',' or '}' is expected", "write ','"},
        Bad{"[1 2]", 1, 3, "before '2'", "write ','"}, Bad{"[1", 1, 3, "the end of the text", "']'"},
        Bad{"[", 1, 2, "not the end of the text", "write"}, Bad{"{a:1}", 1, 2, "not 'a'", "double quotes"},
        Bad{"{'a':1}", 1, 2, "not '''", "double quotes"}, Bad{"['a']", 1, 2, "not '''", "double quotes"},
        Bad{"{\"a\" 1}", 1, 6, "':' is expected after the key \"a\"", ": value"},
        Bad{"// hi\n{}", 1, 1, "not '/'", "no comments"}, Bad{"{}\n# hi", 2, 1, "'#' after", "one value"},
        Bad{"[1, // x\n2]", 1, 5, "not '/'", "no comments"}, Bad{"{ # x\n}", 1, 3, "not '#'", "no comments"},
        Bad{"NaN", 1, 1, "not 'NaN'", "no such number"}, Bad{"-Infinity", 1, 2, "after '-'", "finite"},
        Bad{"True", 1, 1, "not 'True'", "lower case"}, Bad{"nul", 1, 1, "not 'nul'", "null"},
        Bad{"truefalse", 1, 1, "not 'truefalse'", "true"}, Bad{"+1", 1, 1, "not '+'", "plus"},
        Bad{".5", 1, 1, "not '.'", "digit"}, Bad{"01", 1, 1, "start with 0", "leading zeros"},
        Bad{"-", 1, 2, "after '-'", "number"}, Bad{"1.", 1, 3, "after the point", "1.0"},
        Bad{"1e+", 1, 4, "exponent", "1e6"}, Bad{"0x10", 1, 2, "go on with 'x10'", "decimal"},
        Bad{"1.2.3", 1, 4, "go on with '.'", "decimal"}, Bad{"\"abc", 1, 5, "ends inside a string", "close"},
        Bad{"\"a\nb\"", 1, 3, "line ends inside a string", "\\n"},
        Bad{"\"a\x01\"", 1, 3, "control character 0x01", "\\u0001"},
        Bad{"\"\\x\"", 1, 2, "no escape", "\\\\"}, Bad{"\"\\", 1, 2, "no escape", "\\\\"},
        Bad{"\"\\u12g4\"", 1, 2, "four hexadecimal", "\\u00e9"},
        Bad{"\"é\\ud800\"", 1, 3, "surrogate", "both halves"},
        Bad{"\"\\udc00\\ud800\"", 1, 2, "surrogate", "both"},
        Bad{"\"\\ud800\\u0041\"", 1, 2, "surrogate", "both"}, Bad{"\"é\xff\"", 1, 3, "byte 0xff", "UTF-8"},
        Bad{"\"\xc0\x80\"", 1, 2, "byte 0xc0", "UTF-8"}, Bad{"\"\xed\xa0\x80\"", 1, 2, "byte 0xed", "UTF-8"},
        Bad{"\"\xf4\x90\x80\x80\"", 1, 2, "byte 0xf4", "UTF-8"},
        Bad{"\"\xe2\x82\"", 1, 2, "byte 0xe2", "UTF-8"}, Bad{"\xff", 1, 1, "byte 0xff", "double quotes"},
        Bad{"\0"sv, 1, 1, "byte 0x00", "double quotes"}, Bad{"{}\0"sv, 1, 3, "byte 0x00", "one value"},
        Bad{"\"\\\0\""sv, 1, 2, "no escape", "\\\\"},
        Bad{"{\"漢字\": \"😀\", \"e\u0301\": x}", 1, 19, "not 'x'", "double quotes"},
        Bad{"{\r\n\t\"a\": 1,\r\n\t\"b\": x}", 3, 7, "not 'x'", "double quotes"},
        Bad{"[1,,2]", 1, 4, "not ','", "remove this comma"}, Bad{"{,}", 1, 2, "not ','", "this comma"},
        Bad{"{\"a\":1,\n\"b\":{\"a\":2},\"a\":3}", 2, 13, "\"a\" occurs twice", "one of them"},
        Bad{"{\"a\":1,\"\\u0061\":2}", 1, 8, "occurs twice", "one of them"}));

TEST(Json, NotesWhereTheOtherEndIs) {
  const auto duplicate = parse("{\"k\": 1, \"k\": 2}", "t");
  EXPECT_EQ(duplicate.error().code, "json-duplicate-key");
  EXPECT_EQ(duplicate.error().notes.at(0), "it stands first at line 1, column 2");
  EXPECT_EQ(parse("\n [\n1", "t").error().notes.at(0), "it begins at line 2, column 2");
}

TEST(Json, Limits) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse(nested(64), "t").ok());
  EXPECT_EQ(parse(nested(65), "t").error().code, "json-depth");
  const std::string deep(10000000, '[');  // NOLINT(bugprone-string-constructor): that long on purpose
  EXPECT_EQ(parse(deep, "t").error().code, "json-depth");
  EXPECT_TRUE(parse(nested(kDeepest), "t", {.max_depth = 100000}).ok());
  EXPECT_EQ(parse(nested(kDeepest + 1), "t", {.max_depth = 100000}).error().code, "json-depth");
  EXPECT_EQ(parse("[1]", "t", {.max_bytes = 2}).error().code, "json-size");
  EXPECT_TRUE(parse("[1]", "t", {.max_bytes = 3}).ok());
  // Never looked at, so that no such text need exist.
  const std::string_view endless("[1]", size_t{1} << 32);
  EXPECT_EQ(parse(endless, "t", {.max_bytes = UINT64_MAX}).error().code, "json-size");
}

TEST(Json, FewAndManyDuplicates) {
  for (const int keys : {2, 16, 17, 1000}) {
    std::string text = "{";
    for (int i = 0; i < keys; ++i) text += "\"k" + std::to_string(i) + "\":0,";
    EXPECT_TRUE(parse(text + "\"x\":1}", "t").ok());
    const auto value = parse(text + "\"k1\":1,\"k0\":1,\"k1\":2}", "t");
    ASSERT_FALSE(value.ok());
    EXPECT_THAT(value.error().message, HasSubstr("\"k1\""));  // the one that stands first
    EXPECT_EQ(value.error().where.column, text.size() + 1);
    EXPECT_EQ(value.error().notes.at(0), "it stands first at line 1, column 9");
  }
}

TEST(Json, ManyKeysAreNoSquare) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  text += "\"k7\":1}";
  const auto value = parse(text, "t");
  ASSERT_FALSE(value.ok());
  EXPECT_THAT(value.error().message, HasSubstr("\"k7\""));
}

}  // namespace
}  // namespace openqnn::json
