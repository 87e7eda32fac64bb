// SPDX-License-Identifier: BSD-3-Clause
// The pieces below the protocol; tests/tools/lsp_test.py speaks to the whole server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/lsp/cursor.h"
#include "tools/lsp/framing.h"
#include "tools/lsp/positions.h"
#include "tools/lsp/protocol.h"
#include "tools/lsp/server.h"

namespace openqnn::tools::lsp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using At = Cursor::At;

// ---- Positions ----

TEST(LspPositions, CountInTheEncoding) {
  const std::string text = "a\n\xc3\xa9\xf0\x9d\x84\x9ex";  // a, é, a clef beyond the BMP, x
  EXPECT_EQ(Lines(text, Encoding::kUtf8).position(8), (Position{1, 6}));
  EXPECT_EQ(Lines(text, Encoding::kUtf16).position(8), (Position{1, 3}));
  EXPECT_EQ(Lines(text, Encoding::kUtf32).position(8), (Position{1, 2}));
}

TEST(LspPositions, AllLineEnds) {
  const Lines lines("a\r\nb\rc\nd", Encoding::kUtf16);
  EXPECT_EQ(lines.offset({1, 0}), 3u);
  EXPECT_EQ(lines.offset({2, 0}), 5u);
  EXPECT_EQ(lines.offset({3, 0}), 7u);
  EXPECT_EQ(lines.position(2), (Position{0, 1}));  // between \r and \n
}

TEST(LspPositions, BeyondTheText) {
  const Lines lines("ab\r\nc", Encoding::kUtf16);
  EXPECT_EQ(lines.offset({0, 99}), 2u);
  EXPECT_EQ(lines.offset({99, 0}), 5u);
  EXPECT_EQ(lines.offset({0xffffffff, 0xffffffff}), 5u);
  EXPECT_EQ(lines.position(99), (Position{1, 1}));
  EXPECT_EQ(Lines("", Encoding::kUtf8).offset({0, 5}), 0u);
}

TEST(LspPositions, InsideOfACharacter) {
  const std::string text = "\xf0\x9d\x84\x9e!";
  EXPECT_EQ(Lines(text, Encoding::kUtf16).offset({0, 1}), 0u);
  EXPECT_EQ(Lines(text, Encoding::kUtf8).offset({0, 2}), 0u);
  EXPECT_EQ(Lines(text, Encoding::kUtf16).position(3), (Position{0, 0}));
}

TEST(LspPositions, RoundTripOverLongLines) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 7 == 0 ? "\xf0\x9d\x84\x9e" : i % 3 == 0 ? "\xc3\xa9" : "x";
  text += "\r\n" + text;
  for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf16, Encoding::kUtf32}) {
    const Lines lines(text, encoding);
    for (uint32_t at = 0; at < text.size(); ++at) {
      const bool inside = (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80 || text[at] == '\n';
      if (inside) continue;
      ASSERT_EQ(lines.offset(lines.position(at)), at);
    }
  }
}

TEST(LspPositions, WithAndWithoutATableTheSame) {
  const std::string text = "\r\r\n\n\xc3\xa9\r\xf0\x9d\x84\x9e\xf0\x9d\x84\x9e\r\nab\n\r";
  for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf16, Encoding::kUtf32}) {
    const Lines lines(text, encoding);
    for (uint32_t line = 0; line < 10; ++line) {
      for (uint32_t character = 0; character < 10; ++character)
        EXPECT_EQ(offset_in(text, encoding, {line, character}), lines.offset({line, character}))
            << line << ":" << character;
    }
  }
}

TEST(LspPositions, DifferenceNeitherSplitsCharactersNorLineEnds) {
  const json::Edit edit = difference("x\xc3\xa9y", "x\xc3\xa8y");
  EXPECT_EQ(edit.span, (json::Span{1, 3}));
  EXPECT_EQ(edit.text, "\xc3\xa8");
  const std::string before = "a\r\nb";
  const Value json = edit_json(before, Lines(before, Encoding::kUtf8), {{2, 3}, ""});
  EXPECT_EQ(at(json, {"newText"}).as_string(), "\r");
  EXPECT_EQ(at(json, {"range", "start", "character"}).as_int64(), 1);
}

// ---- Cursor ----

// The cursor stands at the first '|'.
struct Marked {
  explicit Marked(std::string marked) : text(std::move(marked)) {
    const size_t mark = text.find('|');
    text.erase(mark, 1);
    cursor = cursor_at(text, static_cast<uint32_t>(mark));
  }
  std::string text;
  Cursor cursor;
};

TEST(LspCursor, Keys) {
  const Marked marked(R"({"devices": [{"cores": [{"core_id": 0, "pe|rf": 1, "x": {"y": 2}}]}]})");
  EXPECT_EQ(marked.cursor.at, At::kKey);
  EXPECT_THAT(marked.cursor.path, ElementsAre("devices", "cores"));
  EXPECT_EQ(marked.cursor.key, "perf");
  EXPECT_THAT(marked.cursor.other_keys, ElementsAre("core_id", "x"));
  EXPECT_TRUE(marked.cursor.colon_follows);
}

TEST(LspCursor, Values) {
  const Marked scalar(R"({"graphs": {"O": 3|}})");
  EXPECT_EQ(scalar.cursor.at, At::kValue);
  EXPECT_EQ(scalar.cursor.key, "O");
  const Marked element(R"({"graphs": [{"graph_names": ["a", "b|"]}]})");
  EXPECT_EQ(element.cursor.at, At::kValue);
  EXPECT_TRUE(element.cursor.in_list);
  EXPECT_EQ(element.cursor.key, "graph_names");
  EXPECT_THAT(element.cursor.path, ElementsAre("graphs"));
}

TEST(LspCursor, MissingPunctuation) {
  EXPECT_EQ(Marked("{\"a\": 1 |").cursor.missing_comma, 7u);
  EXPECT_EQ(Marked("{\"a\" \"b|\"").cursor.at, At::kKey);
  EXPECT_EQ(Marked("{\"a\" |").cursor.at, At::kNowhere);
  EXPECT_EQ(Marked("[1 |").cursor.at, At::kNowhere);
  EXPECT_THAT(Marked("{\"a\": [}, |").cursor.path, IsEmpty());
}

TEST(LspCursor, OpenStringEndsWithItsLine) {
  const Marked marked("{\"graphs\": [{\"vt|\n  \"O\": 3}]}");
  EXPECT_EQ(marked.cursor.key, "vt");
  EXPECT_FALSE(marked.cursor.token.closed);
  EXPECT_THAT(marked.cursor.other_keys, ElementsAre("O"));
}

TEST(LspCursor, CommentsAndDepth) {
  EXPECT_EQ(Marked("{ // here|\n}").cursor.at, At::kNowhere);
  EXPECT_EQ(Marked("{ /* here */|}").cursor.at, At::kKey);
  EXPECT_EQ(Marked(std::string(1000, '{') + "|").cursor.at, At::kNowhere);
}

TEST(LspCursor, KindOfADraft) {
  EXPECT_EQ(kind_of_draft(R"({"devices": [{"soc_)"), config::Kind::kHtp);
  EXPECT_EQ(kind_of_draft(R"({"backend_extensions": )"), config::Kind::kTool);
  EXPECT_EQ(kind_of_draft(R"({"graphs": [{"graph_name": "g", "tensors": [)"), config::Kind::kDataFormat);
  EXPECT_EQ(kind_of_draft(R"({"name": "x")"), std::nullopt);
  EXPECT_EQ(kind_of_draft(""), std::nullopt);
}

// ---- Framing ----

TEST(LspFraming, PiecesAndSeveralAtOnce) {
  FrameReader reader;
  for (const char c : framed("{}")) {
    EXPECT_FALSE(reader.next());
    reader.feed({&c, 1});
  }
  EXPECT_EQ(reader.next()->content, "{}");
  reader.feed(framed("1") + framed("22") + "Content-");
  EXPECT_EQ(reader.next()->content, "1");
  EXPECT_EQ(reader.next()->content, "22");
  EXPECT_FALSE(reader.next());
}

TEST(LspFraming, TooLargeIsSkipped) {
  FrameReader reader;
  reader.feed("Content-Length: 67108865\r\n\r\nabc");
  EXPECT_EQ(reader.next()->state, Frame::State::kTooLarge);
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 63; ++i) reader.feed(block);
  EXPECT_FALSE(reader.next());
  reader.feed(std::string((1 << 20) - 2, 'x') + framed("next"));
  EXPECT_EQ(reader.next()->content, "next");
}

TEST(LspFraming, BrokenIsForEver) {
  FrameReader reader;
  reader.feed("Content-Length: x\r\n\r\n");
  EXPECT_EQ(reader.next()->state, Frame::State::kBroken);
  reader.feed(framed("{}"));
  EXPECT_FALSE(reader.next());
}

// ---- Server ----

TEST(LspServer, DiagnosticsWaitForIdle) {
  std::vector<std::string> sent;
  Server server("1.2.3", [&](std::string_view message) { sent.emplace_back(message); });
  const auto take = [&](std::string content) { server.take({Frame::State::kMessage, std::move(content)}); };
  take(R"({"id": 1, "method": "initialize", "params": {}})");
  EXPECT_THAT(sent.back(), HasSubstr("1.2.3"));
  take(R"({"method": "textDocument/didOpen", "params": {"textDocument":
       {"uri": "u", "version": 1, "text": "{\"graphs\": [}"}}})");
  EXPECT_EQ(sent.size(), 1u);
  server.idle();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_THAT(sent.back(), HasSubstr("publishDiagnostics"));
  server.idle();
  EXPECT_EQ(sent.size(), 2u);
}

}  // namespace
}  // namespace openqnn::tools::lsp
