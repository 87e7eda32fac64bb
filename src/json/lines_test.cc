// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "json/edit.h"
#include "json/json.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

TEST(JsonLines, CountsCharacters) {
  const std::string text = "é漢😀e\u0301x\r\n\ty\n\nz";
  const LineIndex lines(text);
  EXPECT_EQ(lines.position(0), (Position{1, 1}));
  EXPECT_EQ(lines.position(2), (Position{1, 2}));   // 漢
  EXPECT_EQ(lines.position(3), (Position{1, 2}));   // inside of it
  EXPECT_EQ(lines.position(5), (Position{1, 3}));   // 😀
  EXPECT_EQ(lines.position(9), (Position{1, 4}));   // e
  EXPECT_EQ(lines.position(10), (Position{1, 5}));  // the accent is a character
  EXPECT_EQ(lines.position(12), (Position{1, 6}));  // x
  EXPECT_EQ(lines.position(15), (Position{2, 1}));
  EXPECT_EQ(lines.position(16), (Position{2, 2}));
  EXPECT_EQ(lines.position(18), (Position{3, 1}));
  EXPECT_EQ(lines.position(20), (Position{4, 2}));
  EXPECT_EQ(lines.position(99), (Position{4, 2}));
  EXPECT_EQ(lines.line(1), "é漢😀e\u0301x");
  EXPECT_EQ(lines.line(2), "\ty");
  EXPECT_EQ(lines.line(3), "");
  EXPECT_EQ(lines.line(4), "z");
  EXPECT_EQ(lines.line(0), "");
  EXPECT_EQ(lines.line(5), "");
}

TEST(JsonLines, EmptyAndEnded) {
  const LineIndex none("");
  EXPECT_EQ(none.position(0), (Position{1, 1}));
  EXPECT_EQ(none.position(7), (Position{1, 1}));
  const LineIndex ended("a\n");
  EXPECT_EQ(ended.position(2), (Position{2, 1}));
  const LineIndex mark("\xef\xbb\xbf{}\n");
  EXPECT_EQ(mark.position(0), (Position{1, 1}));
  EXPECT_EQ(mark.position(3), (Position{1, 1}));
  EXPECT_EQ(mark.position(4), (Position{1, 2}));
  EXPECT_EQ(mark.line(1), "{}");
}

// Against a walk through the text; long enough for several blocks.
TEST(JsonLines, EveryPositionOfALongText) {
  std::string text;
  for (int i = 0; text.size() < 10000; ++i) {
    text += i % 7 == 0 ? "漢" : i % 5 == 0 ? "é" : "x";
    if (i % 3000 == 2999) text += "\n";
  }
  const LineIndex lines(text);
  Position expected;
  Position here;
  for (uint32_t at = 0; at < text.size(); ++at) {
    if ((static_cast<uint8_t>(text[at]) & 0xc0) != 0x80) {
      here = expected;
      expected =
          text[at] == '\n' ? Position{expected.line + 1, 1} : Position{expected.line, expected.column + 1};
    }
    ASSERT_EQ(lines.position(at), here) << at;
  }
  EXPECT_EQ(lines.position(static_cast<uint32_t>(text.size())), expected);
}

std::string shown(std::string_view text, std::string_view marked) {
  const size_t at = text.find(marked);
  const Span span{static_cast<uint32_t>(at), static_cast<uint32_t>(at + marked.size())};
  return excerpt(LineIndex(text), span);
}

TEST(JsonExcerpt, MarksThePlace) {
  EXPECT_EQ(shown("{\n  \"vtcm_mb\": 16,\n}", "16"),
            "    2 |   \"vtcm_mb\": 16,\n"
            "      |              ^~\n");
  EXPECT_EQ(shown("[7]\r\n", "7"), "    1 | [7]\n      |  ^\n");
  EXPECT_EQ(shown("\xef\xbb\xbf[7]", "7"), "    1 | [7]\n      |  ^\n");
}

TEST(JsonExcerpt, TabsAndWideCharacters) {
  EXPECT_EQ(shown("\t{\t7}", "7"), "    1 |     {    7}\n      |          ^\n");
  EXPECT_EQ(shown("[\"漢字\", 7]", "7"), "    1 | [\"漢字\", 7]\n      |          ^\n");
  EXPECT_EQ(shown("[\"😀\", \"漢字\"]", "\"漢字\""),
            "    1 | [\"😀\", \"漢字\"]\n"
            "      |        ^~~~~~\n");
  EXPECT_EQ(shown("[\"e\u0301\", 7]", "7"), "    1 | [\"e\u0301\", 7]\n      |       ^\n");
}

TEST(JsonExcerpt, ShowsNoControlCharacters) {
  EXPECT_EQ(shown("[\x1b[31m\xff\u202e, 7]", "7"),
            "    1 | [\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd, 7]\n"
            "      |           ^\n");
}

TEST(JsonExcerpt, SeveralLinesAreMarkedToTheEndOfTheFirst) {
  EXPECT_EQ(shown("[1, [2,\n3]]", "[2,\n3]"), "    1 | [1, [2,\n      |     ^~~\n");
}

TEST(JsonExcerpt, AtTheEnd) {
  EXPECT_EQ(excerpt(LineIndex("[1"), {2, 2}), "    1 | [1\n      |   ^\n");
  EXPECT_EQ(excerpt(LineIndex("[1\n"), {3, 3}), "    2 |\n      | ^\n");
  EXPECT_EQ(excerpt(LineIndex("[1\n"), {2, 2}), "    1 | [1\n      |   ^\n");
  EXPECT_EQ(excerpt(LineIndex(""), {0, 0}), "    1 |\n      | ^\n");
  EXPECT_EQ(excerpt(LineIndex("[1"), {700, 900}), "    1 | [1\n      |   ^\n");
  EXPECT_EQ(excerpt(LineIndex("[12]"), {3, 1}), "    1 | [12]\n      |    ^\n");
}

TEST(JsonExcerpt, CutsAVeryLongLine) {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += "1234567, ";
  text += "\"here\", ";
  for (int i = 0; i < 1000; ++i) text += "7654321, ";
  const std::string out = shown(text + "0]", "\"here\"");
  const size_t line_end = out.find('\n');
  const std::string line = out.substr(0, line_end);
  EXPECT_THAT(line, testing::StartsWith("    1 | ..."));
  EXPECT_THAT(line, testing::EndsWith("..."));
  EXPECT_LT(line.size(), 120u);
  const std::string mark = out.substr(line_end + 1);
  EXPECT_EQ(line.substr(mark.find('^'), 6), "\"here\"");
  EXPECT_EQ(mark.substr(mark.find('^')), "^~~~~~\n");
  // A mark longer than the window, and one at the line's end.
  const std::string all = excerpt(LineIndex(text), {0, static_cast<uint32_t>(text.size())});
  EXPECT_LT(all.size(), 250u);
  const auto size = static_cast<uint32_t>(text.size());
  EXPECT_THAT(excerpt(LineIndex(text), {size, size}), testing::EndsWith("^\n"));
}

TEST(JsonExcerpt, LineNumbersOfAnyLength) {
  const std::string text(1234567, '\n');
  EXPECT_EQ(excerpt(LineIndex(text + "[7]"), {1234568, 1234569}), "1234568 | [7]\n        |  ^\n");
}

}  // namespace
}  // namespace openqnn::json
