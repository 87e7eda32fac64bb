// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/scanner.h"

#include <algorithm>
#include <utility>

namespace openqnn::tools::lsp {
namespace {

using Kind = Token::Kind;

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kEndsWord = " \t\r\n{}[]:,\"";

uint32_t at_or_end(size_t found, std::string_view text) {
  return static_cast<uint32_t>(std::min(found, text.size()));
}

Token string_token(std::string_view text, uint32_t begin) {
  size_t at = begin + 1;
  while (at < text.size()) {
    if (text[at] == '"') return {Kind::kString, {begin, static_cast<uint32_t>(at + 1)}};
    if (text[at] == '\r' || text[at] == '\n') break;
    at += text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n' && text[at + 1] != '\r' ? 2 : 1;
  }
  return {Kind::kString, {begin, at_or_end(at, text)}, false};
}

Token comment_token(std::string_view text, uint32_t begin) {
  if (text[begin] == '#' || text[begin + 1] == '/')
    return {Kind::kComment, {begin, at_or_end(text.find_first_of("\r\n", begin), text)}, false};
  const size_t end = text.find("*/", begin + 2);
  if (end == text.npos) return {Kind::kComment, {begin, static_cast<uint32_t>(text.size())}, false};
  return {Kind::kComment, {begin, static_cast<uint32_t>(end + 2)}};
}

Kind punctuation(char c) {
  static constexpr std::pair<char, Kind> kMarks[] = {{'{', Kind::kOpenObject}, {'}', Kind::kCloseObject},
                                                     {'[', Kind::kOpenArray},  {']', Kind::kCloseArray},
                                                     {':', Kind::kColon},      {',', Kind::kComma}};
  const auto* const found = std::ranges::find(kMarks, c, &std::pair<char, Kind>::first);
  return found == std::end(kMarks) ? Kind::kWord : found->second;
}

}  // namespace

Token next_token(std::string_view text, uint32_t at) {
  const size_t begin = text.find_first_not_of(kSpace, at);
  if (begin == text.npos) return {Kind::kEnd, {at_or_end(text.npos, text), at_or_end(text.npos, text)}};
  const auto start = static_cast<uint32_t>(begin);
  const std::string_view two = text.substr(begin, 2);
  if (two[0] == '"') return string_token(text, start);
  if (two[0] == '#' || two == "//" || two == "/*") return comment_token(text, start);
  const Kind kind = punctuation(two[0]);
  if (kind != Kind::kWord) return {kind, {start, start + 1}};
  return {Kind::kWord, {start, at_or_end(text.find_first_of(kEndsWord, begin + 1), text)}};
}

std::string_view token_text(std::string_view text, const Token& token) {
  const bool is_string = token.kind == Kind::kString;
  const uint32_t begin = token.span.begin + (is_string ? 1 : 0);
  const uint32_t end = token.span.end - (is_string && token.closed ? 1 : 0);
  return text.substr(begin, end - begin);
}

void Walker::take(const Token& token) {
  took_key_ = false;
  switch (token.kind) {
    case Kind::kEnd:
    case Kind::kComment:
      return;
    case Kind::kOpenObject:
    case Kind::kOpenArray:
      return open(token.kind == Kind::kOpenObject);
    case Kind::kCloseObject:
    case Kind::kCloseArray:
      return close(token.kind == Kind::kCloseObject, token.span.end);
    case Kind::kColon:
      if (!frames_.empty() && frames_.back().is_object) frames_.back().expects = Expects::kValue;
      return;
    case Kind::kComma:
      if (!frames_.empty())
        frames_.back().expects = frames_.back().is_object ? Expects::kKey : Expects::kValue;
      return;
    case Kind::kString:
    case Kind::kWord:
      return take_scalar(token);
  }
}

void Walker::open(bool is_object) {
  if (too_deep_ || frames_.size() == kDeepest) {
    too_deep_ = true;
    return;
  }
  Frame frame;
  frame.is_object = is_object;
  frame.expects = is_object ? Expects::kKey : Expects::kValue;
  if (!frames_.empty() && frames_.back().is_object) frame.key = frames_.back().current;
  frames_.push_back(std::move(frame));
}

// A bracket that fits none of the open containers is a slip; one that fits an outer container closes the
// inner ones.
void Walker::close(bool is_object, uint32_t end) {
  const auto fits = [&](const Frame& frame) { return frame.is_object == is_object; };
  const auto found = std::find_if(frames_.rbegin(), frames_.rend(), fits);
  if (found == frames_.rend()) return;
  frames_.erase(found.base() - 1, frames_.end());
  finish_value(end);
}

void Walker::take_scalar(const Token& token) {
  if (frames_.empty()) return;
  Frame& frame = frames_.back();
  // Without its comma or colon, too, a string beside a finished member is the next key.
  if (frame.is_object && frame.expects != Expects::kValue) {
    frame.current = token;
    frame.keys.push_back(token);
    frame.expects = Expects::kColon;
    took_key_ = true;
    return;
  }
  finish_value(token.span.end);
}

void Walker::finish_value(uint32_t end) {
  if (frames_.empty()) return;
  frames_.back().expects = Expects::kComma;
  frames_.back().value_end = end;
}

}  // namespace openqnn::tools::lsp
