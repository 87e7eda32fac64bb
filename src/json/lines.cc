// SPDX-License-Identifier: BSD-3-Clause
// Lines and columns, and the excerpt that shows them.
#include <algorithm>
#include <iterator>
#include <limits>

#include "json/edit.h"
#include "json/json.h"
#include "json/scan.h"
#include "json/utf8.h"

namespace openqnn::json {
namespace {

constexpr size_t kBlock = 1024;  // bytes between two counts of the characters

// The part of a line that an excerpt shows.
struct Window {
  size_t begin = 0;
  size_t end = 0;
};

constexpr uint32_t kWidest = 100;  // columns of text in an excerpt
constexpr uint32_t kLead = 60;     // of them before the mark, when the line is cut
constexpr uint32_t kTab = 4;
constexpr std::string_view kCut = "...";

// What a terminal shows for the character at the start of `text`.
struct Glyph {
  std::string_view shown;
  size_t bytes;
  uint32_t columns;
};

Glyph next_glyph(std::string_view text) {
  const size_t length = std::max<size_t>(utf8_length(text), 1);
  const std::string_view bytes = text.substr(0, length);
  if (bytes == "\t") return {std::string_view("    ", kTab), 1, kTab};
  const int columns = display_columns(bytes);
  if (columns < 0) return {"\xef\xbf\xbd", length, 1};
  return {bytes, length, static_cast<uint32_t>(columns)};
}

// The beginning of the character that ends at `end`.
size_t character_before(std::string_view line, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && !begins_character(line[begin])) --begin;
  return utf8_length(line.substr(begin, end - begin)) == end - begin ? begin : end - 1;
}

// As far before `from` as `columns` allow.
size_t reach_back(std::string_view line, size_t from, uint32_t columns) {
  while (from > 0) {
    const size_t before = character_before(line, from);
    const uint32_t width = next_glyph(line.substr(before)).columns;
    if (width > columns) break;
    columns -= width;
    from = before;
  }
  return from;
}

size_t reach_ahead(std::string_view line, size_t from, uint32_t columns) {
  while (from < line.size()) {
    const Glyph glyph = next_glyph(line.substr(from));
    if (glyph.columns > columns) break;
    columns -= glyph.columns;
    from += glyph.bytes;
  }
  return from;
}

// The whole line, or what fits around the mark at `mark`.
Window window_around(std::string_view line, size_t mark) {
  if (reach_back(line, mark, kWidest) == 0) {
    if (reach_ahead(line, 0, kWidest) == line.size()) return {0, line.size()};
  }
  const size_t begin = reach_back(line, mark, kLead);
  return {begin, std::max(reach_ahead(line, begin, kWidest), mark)};
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text.substr(0, std::numeric_limits<uint32_t>::max())) {
  starts_.push_back(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  for (size_t end = text_.find('\n'); end != kNowhere; end = text_.find('\n', end + 1)) {
    starts_.push_back(static_cast<uint32_t>(end + 1));
  }
  uint32_t count = 0;
  for (size_t at = 0; at < text_.size(); at += kBlock) {
    characters_.push_back(count);
    count += count_characters(text_.substr(at, kBlock));
  }
}

uint32_t LineIndex::characters_before(uint32_t offset) const {
  const size_t block = offset / kBlock;
  if (block >= characters_.size()) {  // at the very end of the text
    if (characters_.empty()) return 0;
    return characters_.back() + count_characters(text_.substr((characters_.size() - 1) * kBlock));
  }
  return characters_[block] + count_characters(text_.substr(block * kBlock, offset % kBlock));
}

Position LineIndex::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  // Inside of a character counts as its beginning.
  for (int back = 0; back < 3 && offset < text_.size() && offset > 0; ++back) {
    if (begins_character(text_[offset])) break;
    --offset;
  }
  offset = std::max(offset, starts_.front());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - starts_.begin());
  return {line, characters_before(offset) - characters_before(*std::prev(after)) + 1};
}

std::string_view LineIndex::line(uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const size_t begin = starts_[number - 1];
  if (number == starts_.size()) return text_.substr(begin);
  size_t end = starts_[number] - 1;
  if (end > begin && text_[end - 1] == '\r') --end;
  return text_.substr(begin, end - begin);
}

std::string excerpt(const LineIndex& lines, Span span) {
  const uint32_t number = lines.position(span.begin).line;
  const std::string_view line = lines.line(number);
  const size_t start = static_cast<size_t>(line.data() - lines.text().data());
  const auto in_line = [&](size_t offset) { return std::clamp(offset, start, start + line.size()) - start; };
  const size_t mark = line.empty() ? 0 : in_line(span.begin);
  const size_t mark_end = line.empty() ? 0 : in_line(std::max(span.begin, span.end));
  const Window window = window_around(line, mark);

  std::string shown = window.begin > 0 ? std::string(kCut) : "";
  uint32_t before = static_cast<uint32_t>(shown.size());
  uint32_t marked = 0;
  for (size_t at = window.begin; at < window.end;) {
    const Glyph glyph = next_glyph(line.substr(at));
    shown += glyph.shown;
    if (at + glyph.bytes <= mark) {
      before += glyph.columns;
    } else if (at < mark_end) {
      marked += glyph.columns;
    }
    at += glyph.bytes;
  }
  if (window.end < line.size()) shown += kCut;

  constexpr size_t kNumberWidth = 5;
  std::string label = std::to_string(number);
  if (label.size() < kNumberWidth) label.insert(0, kNumberWidth - label.size(), ' ');
  const std::string margin(label.size(), ' ');
  std::string out = label + " |" + (shown.empty() ? "" : " ") + shown + "\n";
  out += margin + " | " + std::string(before, ' ') + "^";
  if (marked > 1) out.append(marked - 1, '~');
  return out + "\n";
}

}  // namespace openqnn::json
