// SPDX-License-Identifier: BSD-3-Clause
#include "json/utf8.h"

namespace openqnn::json {

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

}  // namespace openqnn::json
