// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "json/json.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

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

TEST(JsonWriter, WholeTrees) {
  const Value tree = read(R"({"a": [1, []], "b": {}})");
  Writer writer;
  writer.begin_object().key("tree").value(tree);
  writer.key("line").begin_array(Writer::Style::kInline).value(tree).value(Value()).end_array().end_object();
  EXPECT_EQ(writer.take(), R"({
  "tree": {
    "a": [
      1,
      []
    ],
    "b": {}
  },
  "line": [{"a": [1, []], "b": {}}, null]
}
)");
  EXPECT_EQ(writer.value(Value::of(true)).take(), "true\n");
}

// What Python's json.dumps(x, indent=n, ensure_ascii=False) writes.
TEST(JsonWrite, LaysOutLikePython) {
  const Value value = read(
      R"({"a":[1,2.50,-3E+2],"e":[],"o":{},"n":{"t":true,"f":false,"z":null},"s":"\u00e9\"\\\/\b\f\n\r\t\u0001\u007f😀"})");
  EXPECT_EQ(
      write(value, {-1}),
      "{\"a\": [1, 2.50, -3E+2], \"e\": [], \"o\": {}, \"n\": {\"t\": true, \"f\": false, \"z\": null}, "
      "\"s\": \"é\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f😀\"}");
  EXPECT_EQ(write(read(R"({"a":[1,{}],"b":{"c":[[]]}})")), R"({
  "a": [
    1,
    {}
  ],
  "b": {
    "c": [
      []
    ]
  }
})");
  EXPECT_EQ(write(read("[1,[2]]"), {0}), "[\n1,\n[\n2\n]\n]");
  EXPECT_EQ(write(read("[1,[2]]"), {4}), "[\n    1,\n    [\n        2\n    ]\n]");
  EXPECT_EQ(write(Value()), "null");
}

TEST(JsonWrite, Quotes) {
  const auto quoted = [](std::string_view text) {
    std::string out = ">";
    append_quoted(out, text);
    return out;
  };
  EXPECT_EQ(quoted(""), ">\"\"");
  EXPECT_EQ(quoted("plain"), ">\"plain\"");
  EXPECT_EQ(quoted("a\"b"), ">\"a\\\"b\"");
  EXPECT_EQ(quoted("\xff\xe2\x82x"), ">\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx\"");
  const std::string controls(3000, '\x1f');
  EXPECT_EQ(quoted(controls).size(), 3 + 6 * controls.size());
  EXPECT_EQ(read(quoted(controls).substr(1)).as_string(), controls);
}

TEST(JsonWrite, ReadsBackTheSame) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    RandomText random(seed);
    LenientNotes notes;
    const auto value = parse_lenient(random.lenient(), "t", notes);
    ASSERT_TRUE(value.ok()) << value.error().to_string();
    for (const int32_t indent : {-1, 0, 2, 3}) {
      const auto again = parse(write(*value, {indent}), "again");
      ASSERT_TRUE(again.ok() && again->same_as(*value)) << "seed " << seed;
      EXPECT_EQ(write(*again, {indent}), write(*value, {indent}));
    }
    const auto again = parse(Writer().value(*value).take(), "again");
    ASSERT_TRUE(again.ok() && again->same_as(*value)) << "seed " << seed;
  }
}

// Each append to a long text must cost by what is appended.
TEST(Writer, ManySmallPiecesCostNoSquare) {
  const auto cpu_time_of = [](int pieces) {
    const std::clock_t start = std::clock();
    Writer writer;
    writer.begin_array();
    for (int i = 0; i < pieces; ++i) writer.string("a piece of ordinary length");
    EXPECT_GT(writer.take().size(), static_cast<size_t>(pieces));
    return static_cast<double>(std::clock() - start);
  };
  const double few = std::max(cpu_time_of(20'000), 1.0);
  EXPECT_LT(cpu_time_of(400'000), 20 * few * 8 + CLOCKS_PER_SEC / 10);
}

}  // namespace
}  // namespace openqnn::json
