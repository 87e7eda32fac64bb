// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "json/edit.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

// Formatted, and checked for what must hold of every text.
std::string formatted(std::string_view text, uint32_t indent = 2) {
  const auto out = format(text, "t", indent);
  EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().to_string());
  if (!out.ok()) return "";
  EXPECT_TRUE(read_lenient(*out).same_as(read_lenient(text))) << text << "\n---\n" << *out;
  EXPECT_EQ(comments_of(*out), comments_of(text)) << *out;
  const auto again = format(*out, "again", indent);
  EXPECT_TRUE(again.ok() && *again == *out) << text << "\n---\n"
                                            << *out << "---\n"
                                            << (again.ok() ? *again : "");
  for (const char* trailing : {" \n", "\t\n", " \r", "\t\r"}) {
    EXPECT_EQ(out->find(trailing), std::string::npos) << *out;
  }
  EXPECT_TRUE(out->ends_with('\n') && !out->ends_with("\n\n"));
  return *out;
}

TEST(JsonFormat, OneMemberALine) {
  EXPECT_EQ(formatted(R"({"a":1,"b":{"c":[1,2,  "x"],"d":[]},"e":[{"f":null},[1]],"g":{ }})"), R"({
  "a": 1,
  "b": {
    "c": [1, 2, "x"],
    "d": []
  },
  "e": [
    {
      "f": null
    },
    [1]
  ],
  "g": {}
}
)");
  EXPECT_EQ(formatted("[{\"a\":1}]", 4), "[\n    {\n        \"a\": 1\n    }\n]\n");
  EXPECT_EQ(formatted("  7\n\n\n"), "7\n");
  EXPECT_EQ(formatted("[\"\\u00e9\", 1.50, 1E5]"), "[\"\\u00e9\", 1.50, 1E5]\n");  // as written
}

TEST(JsonFormat, LongArraysGetALineForEachElement) {
  const std::string element = "\"" + std::string(45, 'x') + "\"";
  const std::string two = "[" + element + ", " + element + "]";
  EXPECT_EQ(formatted(two), two + "\n");
  EXPECT_EQ(formatted("{\"key of some length\": " + two + "}"),
            "{\n  \"key of some length\": [\n    " + element + ",\n    " + element + "\n  ]\n}\n");
}

TEST(JsonFormat, CommasAndMarksGo) {
  EXPECT_EQ(formatted("\xef\xbb\xbf[1,2,]"), "[1, 2]\n");
  EXPECT_EQ(formatted("{\"a\": {\"b\": 1,},}"), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
}

TEST(JsonFormat, KeepsLineEnds) {
  EXPECT_EQ(formatted("{\"a\":1,\r\n\"b\":2}"), "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n");
  EXPECT_EQ(formatted("[ // c  \r\n1, /* a \r\n b */ 2]"), "[ // c\r\n  1,\r\n  /* a\r\n b */ 2\r\n]\r\n");
}

TEST(JsonFormat, Comments) {
  EXPECT_EQ(formatted(R"(   // before
/* and */ # more
{ // the object
      // about a
  "a" : 1 , // trailing a
  /* inline */ "b": 2 /* before the comma */ , "c"
    : // between
      3,
        /* block
           of two lines */
  "d": [ // elements
     1, 2 // two
     # end
  ], "e": { /* nothing */ }
  // last
} // after
// end)"),
            R"(// before
/* and */ # more
{ // the object
  // about a
  "a": 1, // trailing a
  /* inline */ "b": 2, /* before the comma */
  // between
  "c": 3,
  /* block
     of two lines */
  "d": [ // elements
    1,
    2 // two
    # end
  ],
  "e": { /* nothing */
  }
  // last
} // after
// end
)");
}

TEST(JsonFormat, BlocksKeepTheirShape) {
  EXPECT_EQ(formatted("[\n      /* a\n       * b\n\n   c\n       */\n1]"),
            "[\n  /* a\n   * b\n\nc\n   */\n  1\n]\n");
  EXPECT_EQ(formatted("[\n\t/* a\n\t * b */\n1]"), "[\n  /* a\n\t * b */\n  1\n]\n");
}

TEST(JsonFormat, RefusesWhatCannotBeRead) {
  const auto out = format("[1 2]", "f.json");
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().code, "json-syntax");
  EXPECT_EQ(out.error().where.object, "f.json");
}

TEST(JsonFormat, AnyText) {
  for (uint32_t seed = 0; seed < 5000; ++seed) {
    formatted(RandomText(seed).lenient(), seed % 5);
    formatted(RandomText(seed).strict(), seed % 5);
    if (testing::Test::HasFailure()) {
      FAIL() << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace openqnn::json
