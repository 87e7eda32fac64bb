// SPDX-License-Identifier: BSD-3-Clause
#include "json/utf8.h"

#include <algorithm>
#include <iterator>

namespace openqnn::json {

uint32_t count_characters(std::string_view well_formed) {
  return static_cast<uint32_t>(std::ranges::count_if(well_formed, begins_character));
}

size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const auto between = [&](size_t i, uint8_t low, uint8_t high) { return byte(i) >= low && byte(i) <= high; };
  const auto follows = [&](size_t i) { return between(i, 0x80, 0xbf); };
  if (text.empty()) return 0;
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  // The second byte's range is what excludes overlong forms, surrogates and values that are too large (RFC
  // 3629, 4).
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first == 0xe0) return between(1, 0xa0, 0xbf) && follows(2) ? 3 : 0;
  if (first == 0xed) return between(1, 0x80, 0x9f) && follows(2) ? 3 : 0;
  if (first >= 0xe1 && first <= 0xef) return follows(1) && follows(2) ? 3 : 0;
  if (first == 0xf0) return between(1, 0x90, 0xbf) && follows(2) && follows(3) ? 4 : 0;
  if (first >= 0xf1 && first <= 0xf3) return follows(1) && follows(2) && follows(3) ? 4 : 0;
  if (first == 0xf4) return between(1, 0x80, 0x8f) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// ---- Columns: after Unicode's EastAsianWidth.txt, combining marks and emoji ----

namespace {

struct Range {
  uint32_t first, last;
};

// What changes the direction or the place of the text around it: shown, it could make a line look like
// another.
constexpr Range kObeyed[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x200e, 0x200f},
                             {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfff9, 0xfffb}};

constexpr Range kNoColumn[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},   {0x0610, 0x061a},
                               {0x064b, 0x065f}, {0x06d6, 0x06dc}, {0x0900, 0x0902},   {0x093c, 0x093c},
                               {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31},   {0x0e34, 0x0e3a},
                               {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},   {0x200b, 0x200d},
                               {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0x3099, 0x309a},   {0xfe00, 0xfe0f},
                               {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef}};

constexpr Range kTwoColumns[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},   {0x23f3, 0x23f3},
    {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},
    {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},   {0x26fa, 0x26fa},
    {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},
    {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},
    {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
    {0x3041, 0x3098},   {0x309b, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335},
    {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
    {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f3fa}, {0x1f400, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc},
    {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596},
    {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6d7}, {0x1f6dc, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb},
    {0x1f7f0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x2fffd}, {0x30000, 0x3fffd}};

template <size_t kCount>
bool holds(const Range (&ranges)[kCount], uint32_t code) {
  const auto* after =
      std::upper_bound(std::begin(ranges), std::end(ranges), code,
                       [](uint32_t wanted, const Range& range) { return wanted < range.first; });
  return after != std::begin(ranges) && code <= std::prev(after)->last;
}

// Of a character of `length` bytes.
uint32_t code_point(std::string_view character, size_t length) {
  constexpr uint8_t kFirstBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = static_cast<uint8_t>(character[0]) & kFirstBits[length];
  for (size_t i = 1; i < length; ++i) code = (code << 6) | (static_cast<uint8_t>(character[i]) & 0x3f);
  return code;
}

}  // namespace

int display_columns(std::string_view character) {
  const size_t length = utf8_length(character);
  if (length == 0) return -1;
  const uint32_t code = code_point(character, length);
  if (holds(kObeyed, code)) return -1;
  if (code < 0x300) return 1;
  if (holds(kNoColumn, code)) return 0;
  return holds(kTwoColumns, code) ? 2 : 1;
}

}  // namespace openqnn::json
