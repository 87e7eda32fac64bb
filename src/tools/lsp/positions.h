// SPDX-License-Identifier: BSD-3-Clause
// Places in a text as editors count them: lines and columns from 0, columns in code units of the encoding
// that client and server agreed on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace openqnn::tools::lsp {

enum class Encoding : uint8_t { kUtf8, kUtf16, kUtf32 };
std::string_view encoding_name(Encoding encoding);  // "utf-16"

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  auto operator<=>(const Position&) const = default;  // NOLINT(modernize-use-nullptr): its mistake
};

struct Range {
  Position begin;
  Position end;
  bool operator==(const Range&) const = default;
};

// The lines of a text, which must outlive it. Lines end with "\n", "\r\n" or "\r".
class Lines {
 public:
  Lines(std::string_view text, Encoding encoding);

  // A place inside of a character, or between "\r" and "\n", counts as before it.
  Position position(uint32_t offset) const;
  Range range(json::Span span) const { return {position(span.begin), position(span.end)}; }
  // A column beyond its line is the line's end, a line beyond the text is the text's end.
  uint32_t offset(Position position) const;

 private:
  uint32_t line_end(size_t line) const;
  uint32_t units_before(uint32_t offset) const;

  std::string_view text_;
  Encoding encoding_;
  std::vector<uint32_t> starts_;  // of the lines
  std::vector<uint32_t> units_;   // before every block of the text, so that a long line costs no walk
};

// Lines(text, encoding).offset(position), for a text that changes before anybody asks again: no table is
// made.
uint32_t offset_in(std::string_view text, Encoding encoding, Position position);

}  // namespace openqnn::tools::lsp
