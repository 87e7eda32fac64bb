// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "json/edit.h"
#include "json/json.h"
#include "json/test_support.h"

namespace openqnn::json {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The liberties as "kind:text", in order.
std::vector<std::string> liberties(std::string_view text) {
  LenientNotes notes;
  const auto value = parse_lenient(text, "t", notes);
  EXPECT_TRUE(value.ok()) << (value.ok() ? "" : value.error().to_string());
  EXPECT_FALSE(notes.repair.has_value());
  std::vector<std::string> out;
  for (const Liberty& liberty : notes.liberties) {
    const char* kind = liberty.kind == Liberty::Kind::kByteOrderMark ? "mark:"
                       : liberty.kind == Liberty::Kind::kComment     ? "comment:"
                                                                     : "comma:";
    out.push_back(kind + std::string(text.substr(liberty.span.begin, liberty.span.end - liberty.span.begin)));
  }
  return out;
}

TEST(JsonLenient, StrictTextTakesNoLiberties) {
  EXPECT_THAT(liberties("{\"a\": [1, 2, \"// no /* comment # here\"]}"), ElementsAre());
}

TEST(JsonLenient, ListsEachLiberty) {
  EXPECT_THAT(liberties("\xef\xbb\xbf{}"), ElementsAre("mark:\xef\xbb\xbf"));
  EXPECT_THAT(liberties("// a\r\n{} # b"), ElementsAre("comment:// a", "comment:# b"));
  EXPECT_THAT(liberties("[1, /* a\n* */ 2 /**/]"), ElementsAre("comment:/* a\n* */", "comment:/**/"));
  EXPECT_THAT(liberties("{\"k\"/*a*/:/*b*/1/*c*/}//"),
              ElementsAre("comment:/*a*/", "comment:/*b*/", "comment:/*c*/", "comment://"));
  EXPECT_THAT(liberties("[1,]"), ElementsAre("comma:,"));
  EXPECT_THAT(liberties("{\"a\": {\"b\": 1,},\n}"), ElementsAre("comma:,", "comma:,"));
  EXPECT_THAT(liberties("[1 /*a*/ , // b\n /*c*/ ]"),
              ElementsAre("comment:/*a*/", "comma:,", "comment:// b", "comment:/*c*/"));
  EXPECT_THAT(liberties("{/* only */}"), ElementsAre("comment:/* only */"));
}

TEST(JsonLenient, ReadsTheSameTree) {
  EXPECT_TRUE(read_lenient("\xef\xbb\xbf// x\n{\"a\": [1, 2,], # y\n\"b\": /* z */ null,}")
                  .same_as(read(R"({"a": [1, 2], "b": null})")));
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const std::string text = RandomText(seed).strict();
    EXPECT_TRUE(read_lenient(text).same_as(read(text))) << text;
    EXPECT_TRUE(liberties(text).empty());
  }
}

TEST(JsonLenient, SpansAfterCommentsAndMarks) {
  const std::string text = "\xef\xbb\xbf/* 漢字 é */ {\"😀\": /* e\u0301 */ 12, // x\r\n\t\"b\": true}";
  const Value value = read_lenient(text);
  const LineIndex lines(text);
  EXPECT_EQ(lines.position(value.span().begin), (Position{1, 12}));
  EXPECT_EQ(lines.position(value.as_object()[0].key_span.begin), (Position{1, 13}));
  EXPECT_EQ(lines.position(value.as_object()[0].value.span().begin), (Position{1, 27}));
  EXPECT_EQ(lines.position(value.as_object()[1].key_span.begin), (Position{2, 2}));
  EXPECT_EQ(lines.position(value.as_object()[1].value.span().begin), (Position{2, 7}));
}

struct Hopeless {
  std::string_view text;
  uint32_t line, column;
  std::string_view message, fix;
};

class LenientBadText : public testing::TestWithParam<Hopeless> {};

TEST_P(LenientBadText, SaysWhatWhereAndHow) {
  const Hopeless& bad = GetParam();
  LenientNotes notes;
  const auto value = parse_lenient(bad.text, "f.json", notes);
  ASSERT_FALSE(value.ok()) << bad.text;
  EXPECT_EQ(value.error().where.line, bad.line) << value.error().to_string();
  EXPECT_EQ(value.error().where.column, bad.column) << value.error().to_string();
  EXPECT_THAT(value.error().message, HasSubstr(std::string(bad.message)));
  EXPECT_THAT(value.error().fix, HasSubstr(std::string(bad.fix)));
}

INSTANTIATE_TEST_SUITE_P(
    Json, LenientBadText,
    testing::Values(Hopeless{"", 1, 1, "empty", "{}"}, Hopeless{"\xef\xbb\xbf", 1, 1, "empty", "{}"},
                    Hopeless{"// only\n", 2, 1, "empty", "{}"},
                    Hopeless{"[1, /* a\nb", 2, 2, "ends inside a comment", "close the comment with */"},
                    Hopeless{"{} /*", 1, 6, "ends inside a comment", "*/"},
                    Hopeless{"{\"a\" /*/ : 1}", 1, 14, "ends inside a comment", "*/"},
                    Hopeless{"[1 / 2]", 1, 3, "before '/'", "// or /*"},
                    Hopeless{"[/]", 1, 2, "not '/'", "// or /*"},
                    Hopeless{"{/}", 1, 2, "not '/'", "// or /*"},
                    Hopeless{"{} // \xff", 1, 7, "byte 0xff", "save the file as UTF-8"},
                    Hopeless{"[,]", 1, 2, "not ','", "remove"}, Hopeless{"[1,,]", 1, 4, "not ','", "remove"},
                    Hopeless{"{\"a\":,}", 1, 6, "not ','", "missing value"},
                    Hopeless{"[1 // c\n 2]", 1, 3, "before '2'", "write ','"},
                    Hopeless{"{\"a\": 1, \"a\": 2,}", 1, 10, "occurs twice", "one of them"}));

TEST(JsonLenient, TellsWhereAnOpenCommentBegins) {
  LenientNotes notes;
  EXPECT_EQ(parse_lenient("[\n 1, /* x", "t", notes).error().notes.at(0), "it begins at line 2, column 5");
}

// What becomes of the text by the repair that is offered; "" when none is.
std::string repaired(const std::string& text) {
  LenientNotes notes;
  const auto value = parse_lenient(text, "t", notes);
  EXPECT_FALSE(value.ok()) << text;
  return notes.repair ? apply_edits(text, {*notes.repair}) : "";
}

TEST(JsonLenient, MendsAMissingComma) {
  EXPECT_EQ(repaired("[1 2]"), "[1, 2]");
  EXPECT_EQ(repaired("[1 // one\n 2]"), "[1, // one\n 2]");
  EXPECT_EQ(repaired("[\"a\"\"b\"]"), "[\"a\",\"b\"]");
  EXPECT_EQ(repaired("[{} [] ]"), "[{}, [] ]");
  EXPECT_EQ(repaired("[1 true]"), "[1, true]");
  EXPECT_EQ(repaired("{\"a\": 1\r\n  \"b\": 2}"), "{\"a\": 1,\r\n  \"b\": 2}");
  EXPECT_EQ(repaired("{\"a\": {} /* x */ \"b\" /* y */ : 2}"), "{\"a\": {}, /* x */ \"b\" /* y */ : 2}");
  EXPECT_EQ(repaired("{\"a\": \"he said \"hi\", \"b\": 2}"), "");  // not a comma, but an escape is missing
  EXPECT_EQ(repaired("{\"a\": 1 2}"), "");
  EXPECT_EQ(repaired("[1 x]"), "");
  EXPECT_EQ(repaired("[1"), "");  // where the rest belongs is for the author to say
  EXPECT_EQ(repaired("{\"a\": [1}"), "");
}

TEST(JsonLenient, MendsASurplusComma) {
  EXPECT_EQ(repaired("[1,,2]"), "[1,2]");
  EXPECT_EQ(repaired("[1, /* x */ , 2]"), "[1, /* x */  2]");
  EXPECT_EQ(repaired("[,1]"), "[1]");
  EXPECT_EQ(repaired("{\"a\": 1,, \"b\": 2}"), "{\"a\": 1, \"b\": 2}");
  EXPECT_EQ(repaired("{,}"), "{}");
  EXPECT_EQ(repaired("{\"a\": , \"b\": 2}"), "");
  EXPECT_EQ(repaired("[{\"a\": ,}]"), "");
}

TEST(JsonLenient, MendsASurplusBracket) {
  EXPECT_EQ(repaired("{\"a\": 1}}\n"), "{\"a\": 1}\n");
  EXPECT_EQ(repaired("[1]] // end"), "[1] // end");
  EXPECT_EQ(repaired("[1]]}"), "[1]}");  // one after the other
  EXPECT_EQ(repaired("{\"a\": {\"b\": 1}}, \"c\": 2}"), "");
}

TEST(JsonLenient, MendsQuotesAndWords) {
  EXPECT_EQ(repaired("{'a': 1}"), "{\"a\": 1}");
  EXPECT_EQ(repaired("['it\\'s \"x\" \\n']"), "[\"it's \\\"x\\\" \\n\"]");
  EXPECT_EQ(repaired("['it's']"), "");
  EXPECT_EQ(repaired("['a\n']"), "");
  EXPECT_EQ(repaired("['a]"), "");
  EXPECT_EQ(repaired("['\\x']"), "");
  EXPECT_EQ(repaired("[True]"), "[true]");
  EXPECT_EQ(repaired("[False]"), "[false]");
  EXPECT_EQ(repaired("None"), "null");
  EXPECT_EQ(repaired("[Nope]"), "");
}

TEST(JsonLenient, RepairsLeadToAReadableText) {
  std::string text = "{'a': [True,, False None]\n 'b': 'x'}}";
  for (int repairs = 0; repairs < 20; ++repairs) {
    LenientNotes notes;
    const auto value = parse_lenient(text, "t", notes);
    if (value.ok()) break;
    ASSERT_TRUE(notes.repair.has_value()) << text << "\n" << value.error().to_string();
    text = apply_edits(text, {*notes.repair});
  }
  EXPECT_EQ(text, "{\"a\": [true, false, null],\n \"b\": \"x\"}");
}

TEST(JsonLenient, ForgetsTheNotesOfTheTextBefore) {
  LenientNotes notes;
  EXPECT_FALSE(parse_lenient("[1 /*x*/ 2]", "t", notes).ok());
  EXPECT_TRUE(notes.repair.has_value());
  EXPECT_TRUE(parse_lenient("[]", "t", notes).ok());
  EXPECT_TRUE(notes.liberties.empty() && !notes.repair);
}

}  // namespace
}  // namespace openqnn::json
