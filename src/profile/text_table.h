// SPDX-License-Identifier: BSD-3-Clause
// Text for people: numbers without a locale, columns that line up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"

namespace openqnn::profile {

// The text, and dashes below it: as many as it has characters, unless said otherwise.
std::string heading(std::string_view text, size_t dashes = 0);

std::string micros_text(Nanos nanos);                     // "12.345", microseconds
std::string percent_text(uint64_t part, uint64_t whole);  // "12.3 %"; "0.0 %" of nothing
std::string error_band_text(double relative);             // "±50 %", "not stated"
std::string memory_text(uint64_t bytes);                  // "8 MiB", "2048 KiB"; bytes when not whole
// Two that are compared, in one unit: "4407040 bytes" and "5501952 bytes".
std::pair<std::string, std::string> memory_texts(uint64_t a, uint64_t b);

// Rows of cells; columns as wide as their widest cell.
class TextTable {
 public:
  enum class Align : uint8_t { kLeft, kRight };
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void rule() { rows_.emplace_back(); }  // a line of dashes
  std::string text() const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace openqnn::profile
