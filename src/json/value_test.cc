// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "json/json.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

TEST(JsonValue, AnswersNothingForTheWrongKind) {
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

TEST(JsonValue, IntegersAreExact) {
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

TEST(JsonValue, HugeNumbersKeepTheirText) {
  const Value huge = read("123456789012345678901234567890.5E+400");
  EXPECT_EQ(huge.number_text(), "123456789012345678901234567890.5E+400");
  EXPECT_EQ(huge.as_double(), std::nullopt);
  EXPECT_EQ(read("1e-999").as_double(), std::nullopt);
  EXPECT_EQ(read("0.1").as_double(), 0.1);
  EXPECT_TRUE(std::signbit(*read("-0").as_double()));
}

TEST(JsonValue, Made) {
  EXPECT_EQ(Value::of(true).kind(), Value::Kind::kBool);
  EXPECT_EQ(Value::of(int64_t{-7}).number_text(), "-7");
  EXPECT_EQ(Value::of(0.1).number_text(), "0.1");
  EXPECT_TRUE(Value::of(std::nan("")).is_null());
  EXPECT_TRUE(Value::of(-INFINITY).is_null());
  EXPECT_EQ(Value::of(std::string("é")).as_string(), "é");
  EXPECT_EQ(Value::of("literal").as_string(), "literal");
  EXPECT_EQ(Value::of_number_text("1.50").number_text(), "1.50");
  EXPECT_TRUE(Value::of(std::string("x")).span().empty());
  for (const char* bad : {"", "-", "01", "1.", ".5", "1e", "+1", "1 ", "0x1", "NaN", "1.e3"}) {
    EXPECT_TRUE(Value::of_number_text(bad).is_null()) << bad;
  }
  for (const char* good : {"0", "-0", "1.5", "1e3", "1E-3", "-0.0e+00", "1230"}) {
    EXPECT_EQ(Value::of_number_text(good).number_text(), good);
    EXPECT_TRUE(read(good).same_as(Value::of_number_text(good)));
  }
}

TEST(JsonValue, Changed) {
  Value value = read(R"({"a": [1], "b": 2})");
  EXPECT_EQ(value.array(), nullptr);
  Object& members = *value.object();
  members[0].tag = 7;
  members[0].value.array()->push_back(Value::of("x"));
  members.push_back({"c", {}, Value::of(Array()), 9});
  const Value copy = value;
  EXPECT_EQ(copy.as_object()[0].tag, 7);
  EXPECT_EQ(copy.as_object()[2].tag, 9);
  EXPECT_EQ(write(copy, {-1}), R"({"a": [1, "x"], "b": 2, "c": []})");
}

TEST(JsonValue, SameByMeaning) {
  const auto same = [](std::string_view a, std::string_view b) {
    const bool forth = read(a).same_as(read(b));
    EXPECT_EQ(forth, read(b).same_as(read(a))) << a << " and " << b;
    return forth;
  };
  EXPECT_TRUE(same("3", "3.0"));
  EXPECT_TRUE(same("3", "0.3e1"));
  EXPECT_TRUE(same("1200e-2", "12"));
  EXPECT_TRUE(same("-0", "0.0e7"));
  EXPECT_TRUE(same("1e400", "10e399"));
  EXPECT_TRUE(same("1e99999999999999999999", "1e99999999999999999999"));
  EXPECT_FALSE(same("1e99999999999999999999", "2e99999999999999999999"));
  EXPECT_FALSE(same("3", "-3"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(same("3", "\"3\""));
  EXPECT_TRUE(same("[1, 2]", "[ 1.0,2 ]"));
  EXPECT_FALSE(same("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(same("[1]", "[1, 2]"));
  EXPECT_TRUE(same(R"({"a": 1, "b": [null]})", R"({"b": [null], "\u0061": 1})"));
  EXPECT_FALSE(same(R"({"a": 1, "b": 2})", R"({"a": 1, "c": 2})"));
  EXPECT_FALSE(same(R"({"a": 1, "b": 2})", R"({"b": 1, "a": 2})"));
  EXPECT_FALSE(same(R"({"a": 1})", R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(same("true", "false"));
  EXPECT_FALSE(same("{}", "[]"));
}

// A square would take hours.
TEST(JsonValue, LongNumbersAreNoSquare) {
  const std::string digits(4000000, '7');
  const std::string zeros(4000000, '0');
  EXPECT_EQ(read(digits).as_int64(), std::nullopt);
  EXPECT_EQ(read("0." + digits).as_int64(), std::nullopt);
  EXPECT_EQ(read("12." + zeros).as_int64(), 12);
  EXPECT_EQ(read("12" + zeros + "e-4000000").as_int64(), 12);
  EXPECT_EQ(read("0." + zeros + "12e4000002").as_int64(), 12);
  EXPECT_EQ(read(digits).as_double(), std::nullopt);
  EXPECT_NEAR(*read("0." + digits).as_double(), 7.0 / 9, 1e-15);
  EXPECT_TRUE(read("12." + zeros).same_as(read("12")));
}

TEST(JsonValue, ManyMembersInAnotherOrderAreNoSquare) {
  Object forth, back;
  for (int64_t i = 0; i < 200000; ++i) forth.push_back({"k" + std::to_string(i), {}, Value::of(i)});
  back.assign(forth.rbegin(), forth.rend());
  EXPECT_TRUE(Value::of(std::move(forth)).same_as(Value::of(std::move(back))));
}

}  // namespace
}  // namespace openqnn::json
