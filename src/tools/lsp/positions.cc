// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/positions.h"

#include <algorithm>
#include <iterator>

namespace openqnn::tools::lsp {
namespace {

constexpr uint32_t kBlock = 4096;  // bytes between two counts of the units

bool continues_character(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

// How many units a byte stands for; those of a character are counted at its first byte.
uint32_t units_of(char byte, Encoding encoding) {
  if (encoding == Encoding::kUtf8) return 1;
  if (continues_character(byte)) return 0;
  const bool takes_a_pair = static_cast<uint8_t>(byte) >= 0xf0;
  return encoding == Encoding::kUtf16 && takes_a_pair ? 2 : 1;
}

uint32_t count_units(std::string_view text, Encoding encoding) {
  uint32_t count = 0;
  for (const char byte : text) count += units_of(byte, encoding);
  return count;
}

// The place `units` behind `at`, within a line; before the character when it is inside of one.
uint32_t walk(json::Span line, uint32_t at, uint64_t units, std::string_view text, Encoding encoding) {
  while (at < line.end && units_of(text[at], encoding) <= units) {
    units -= units_of(text[at], encoding);
    ++at;
  }
  while (at > line.begin && at < text.size() && continues_character(text[at])) --at;
  return at;
}

// Finds the ends of lines one after the other. Searches for both kinds of line end with the library's fast
// search, and for none of them twice in the same place.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) : text_(text) {}

  size_t after(size_t at) {
    if (newline_ < at || !searched_) newline_ = std::min(text_.find('\n', at), text_.size());
    searched_ = true;
    return at + std::min(text_.substr(at, newline_ - at).find('\r'), newline_ - at);
  }

 private:
  std::string_view text_;
  size_t newline_ = 0;
  bool searched_ = false;
};

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  static constexpr std::string_view kNames[] = {"utf-8", "utf-16", "utf-32"};
  return kNames[static_cast<size_t>(encoding)];
}

Lines::Lines(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding) {
  starts_.push_back(0);
  for (size_t at = text.find_first_of("\r\n"); at != text.npos; at = text.find_first_of("\r\n", at)) {
    at += text.substr(at, 2) == "\r\n" ? 2 : 1;
    starts_.push_back(static_cast<uint32_t>(at));
  }
  uint32_t count = 0;
  for (size_t at = 0; at <= text.size(); at += kBlock) {
    units_.push_back(count);
    count += count_units(text.substr(at, kBlock), encoding);
  }
}

uint32_t Lines::units_before(uint32_t offset) const {
  const uint32_t block = offset / kBlock;
  return units_[block] + count_units(text_.substr(block * kBlock, offset % kBlock), encoding_);
}

uint32_t Lines::line_end(size_t line) const {
  if (line + 1 == starts_.size()) return static_cast<uint32_t>(text_.size());
  const uint32_t next = starts_[line + 1];
  return next - (next - starts_[line] >= 2 && text_.substr(next - 2, 2) == "\r\n" ? 2 : 1);
}

Position Lines::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - starts_.begin() - 1);
  offset = std::min(offset, line_end(line));
  while (offset > starts_[line] && offset < text_.size() && continues_character(text_[offset])) --offset;
  return {line, units_before(offset) - units_before(starts_[line])};
}

uint32_t Lines::offset(Position position) const {
  if (position.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  const uint32_t begin = starts_[position.line];
  const uint32_t end = line_end(position.line);
  const uint64_t wanted = uint64_t{units_before(begin)} + position.character;

  // The last block that begins before the place, then byte by byte.
  const auto first = units_.begin() + begin / kBlock;
  const auto after = std::upper_bound(first, units_.end(), wanted);
  const auto block =
      static_cast<uint32_t>(std::distance(units_.begin(), after == first ? first : std::prev(after)));
  uint32_t at = std::max(begin, block * kBlock);
  if (at >= end) at = end;
  return walk({begin, end}, at, wanted - std::min<uint64_t>(wanted, units_before(at)), text_, encoding_);
}

uint32_t offset_in(std::string_view text, Encoding encoding, Position position) {
  LineEnds ends(text);
  size_t begin = 0;
  size_t end = ends.after(0);
  for (uint32_t line = 0; line < position.line; ++line) {
    if (end == text.size()) return static_cast<uint32_t>(end);
    begin = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
    end = ends.after(begin);
  }
  const json::Span line{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  return walk(line, line.begin, position.character, text, encoding);
}

}  // namespace openqnn::tools::lsp
