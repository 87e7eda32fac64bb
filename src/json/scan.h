// SPDX-License-Identifier: BSD-3-Clause
// Single characters, strings and comments of a JSON text. Only this room includes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace openqnn::json {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
inline constexpr size_t kNowhere = std::string_view::npos;
inline constexpr int32_t kWidestIndent = 64;  // spaces a level; more serves nobody

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_bracket(char c) { return c == '{' || c == '}' || c == '[' || c == ']'; }

// ASCII that stands for itself in a string, between the quotes.
inline constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();
inline bool is_plain(char c) { return kPlain[static_cast<uint8_t>(c)]; }

// Where the first character that is not plain stands, or `end`.
inline const char* plain_end(const char* at, const char* end) {
  while (at != end && is_plain(*at)) ++at;
  return at;
}

// Behind the comment that begins at `at`: a line comment ends before its line end. kNowhere when no comment
// begins there, or when it is never closed.
size_t comment_end(std::string_view text, size_t at);
bool comment_begins(std::string_view text, size_t at);

// Behind the string whose opening quote stands at `at`, or the end of the text when it is never closed.
size_t string_end(std::string_view text, size_t at);

// Where the space and comments that begin at `at` end.
size_t skip_space_and_comments(std::string_view text, size_t at);

// Behind the token (string, word, number, bracket, comma or colon) that begins at `at`.
size_t token_end(std::string_view text, size_t at);

}  // namespace openqnn::json
