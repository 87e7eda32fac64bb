// SPDX-License-Identifier: BSD-3-Clause
#include "profile/text_table.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace openqnn::profile {
namespace {

constexpr size_t kGap = 2;  // spaces between columns

// Columns a UTF-8 text takes, one per character.
size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not a continuation byte
  }));
}

}  // namespace

std::string heading(std::string_view text, size_t dashes) {
  return concat(text, "\n", std::string(dashes == 0 ? text.size() : dashes, '-'), "\n");
}

std::string micros_text(Nanos nanos) {
  const std::string fraction = std::to_string(nanos.value % 1000);
  return concat(nanos.value / 1000, ".", std::string(3 - fraction.size(), '0'), fraction);
}

std::string percent_text(uint64_t part, uint64_t whole) {
  const uint64_t permille = whole == 0 ? 0 : (part * 1000 + whole / 2) / whole;
  return concat(permille / 10, ".", permille % 10, " %");
}

std::string error_band_text(double relative) {
  if (!(relative > 0)) return "not stated";
  return concat("±", std::floor(relative * 100 + 0.5), " %");
}

namespace {

// In the largest unit in which both are whole.
std::string memory_text_beside(uint64_t bytes, uint64_t other) {
  const auto are_whole = [&](uint64_t unit) { return bytes % unit == 0 && other % unit == 0; };
  if ((bytes | other) == 0 || !are_whole(kKiB)) return concat(bytes, " bytes");
  return are_whole(kMiB) ? concat(bytes / kMiB, " MiB") : concat(bytes / kKiB, " KiB");
}

}  // namespace

std::string memory_text(uint64_t bytes) { return memory_text_beside(bytes, bytes); }

std::pair<std::string, std::string> memory_texts(uint64_t a, uint64_t b) {
  return {memory_text_beside(a, b), memory_text_beside(b, a)};
}

std::string TextTable::text() const {
  std::vector<size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  size_t total = 0;
  for (const size_t w : widths) total += w + kGap;

  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += columns_[i] == Align::kRight ? padding + row[i] : row[i] + padding;
      line.append(kGap, ' ');
    }
    if (row.empty()) line.assign(total > kGap ? total - kGap : 0, '-');
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace openqnn::profile
