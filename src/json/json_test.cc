// SPDX-License-Identifier: BSD-3-Clause
#include "json/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace openqnn::json {
namespace {

using testing::HasSubstr;

Value read(std::string_view text) {
  auto value = parse(text, "t");
  EXPECT_TRUE(value.ok()) << text << "\n" << (value.ok() ? "" : value.error().to_string());
  return value.ok() ? *std::move(value) : Value();
}

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

TEST(Json, AnswersNothingForTheWrongKind) {
  const Value text = read("\"5\"");
  EXPECT_FALSE(text.as_bool());
  EXPECT_EQ(text.as_int64(), std::nullopt);
  EXPECT_EQ(text.as_double(), std::nullopt);
  EXPECT_EQ(text.number_text(), "");
  EXPECT_TRUE(text.as_array().empty());
  EXPECT_TRUE(text.as_object().empty());
  EXPECT_EQ(text.find("x"), nullptr);
  EXPECT_EQ(read("5").as_string(), "");
}

TEST(Json, IntegersAreExact) {
  const auto integer = [](std::string_view text) { return read(text).as_int64(); };
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer("8.0"), 8);
  EXPECT_EQ(integer("1e3"), 1000);
  EXPECT_EQ(integer("1200e-2"), 12);
  EXPECT_EQ(integer("0.000e99999999999"), 0);
  EXPECT_EQ(integer("1e18"), 1000000000000000000);
  EXPECT_EQ(integer("1e19"), std::nullopt);
  EXPECT_EQ(integer("1e99999999999"), std::nullopt);
  EXPECT_EQ(integer("1.00000000000000000001"), std::nullopt);
  EXPECT_EQ(integer("9007199254740993"), 9007199254740993);
  EXPECT_EQ(integer("0.5"), std::nullopt);
}

TEST(Json, HugeNumbersKeepTheirText) {
  const Value huge = read("123456789012345678901234567890.5E+400");
  EXPECT_EQ(huge.number_text(), "123456789012345678901234567890.5E+400");
  EXPECT_EQ(huge.as_double(), std::nullopt);
  EXPECT_EQ(read("1e-999").as_double(), std::nullopt);
  EXPECT_EQ(read("0.1").as_double(), 0.1);
  EXPECT_TRUE(std::signbit(*read("-0").as_double()));
}

TEST(Json, Strings) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00")").as_string(), "\"\\/\b\f\n\r\té€😀");
  EXPECT_EQ(read(R"("a\u0000b")").as_string(), std::string_view("a\0b", 3));
  EXPECT_EQ(read("\"é€😀\x7f\"").as_string(), "é€😀\x7f");
  EXPECT_EQ(read("{\"a\\u0062\": 1}").find("ab")->as_int64(), 1);
}

TEST(Json, PositionsCountCharacters) {
  const Value value = read("{\n  \"😀é\": [1,\r\n\t2], \"\\u00e9\": 3 }");
  const Object& members = value.as_object();
  EXPECT_EQ(members[0].position.line, 2u);
  EXPECT_EQ(members[0].position.column, 3u);
  EXPECT_EQ(members[0].value.position().column, 9u);  // two characters, six bytes
  const Value& two = members[0].value.as_array()[1];
  EXPECT_EQ(two.position().line, 3u);
  EXPECT_EQ(two.position().column, 2u);
  EXPECT_EQ(members[1].value.position().column, 16u);
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
}

TEST(Json, ManyKeysAreNoSquare) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  text += "\"k7\":1}";
  const auto value = parse(text, "t");
  ASSERT_FALSE(value.ok());
  EXPECT_THAT(value.error().message, HasSubstr("\"k7\""));
}

TEST(JsonWriter, BlockAndInline) {
  Writer writer;
  writer.begin_object().key("name").string("a\"b\\\n\x01é").key("empty").begin_array().end_array();
  writer.key("inline").begin_array(Writer::Style::kInline).integer(-1).unsigned_integer(UINT64_MAX);
  writer.begin_object().key("x").boolean(true).key("y").null().end_object().end_array();
  writer.key("block")
      .begin_array()
      .number(0.1)
      .number(1e300)
      .number(std::nan(""))
      .number_text("1.50")
      .end_array()
      .end_object();
  EXPECT_EQ(writer.take(), R"({
  "name": "a\"b\\\n\u0001é",
  "empty": [],
  "inline": [-1, 18446744073709551615, {"x": true, "y": null}],
  "block": [
    0.1,
    1e+300,
    null,
    1.50
  ]
}
)");
  EXPECT_EQ(writer.string("again").take(), "\"again\"\n");
}

TEST(JsonWriter, AlwaysWritesJson) {
  Writer writer;
  writer.end_object()
      .begin_object()
      .key("bad\xff\xe2\x82")
      .begin_array()
      .string(std::string_view("\0\x7f", 2));
  EXPECT_EQ(writer.take(),
            "{\n  \"bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\": [\n    \"\\u0000\x7f\"\n  ]\n}\n");
  EXPECT_TRUE(parse(writer.begin_object().key("k").take(), "t").ok());
}

TEST(JsonWriter, DoublesReadBackEqual) {
  for (double value : {0.0, -0.0, 0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.0, -2.5e-7}) {
    const double back = *read(Writer().number(value).take()).as_double();
    EXPECT_EQ(std::signbit(back), std::signbit(value));
    EXPECT_EQ(back, value);
  }
}

}  // namespace
}  // namespace openqnn::json
