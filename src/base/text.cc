// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace openqnn {

std::string one_line(std::string_view name) {
  std::string line(name);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return line;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table at a time: the one being filled, and the two before it.
  std::vector<size_t> row(b.size() + 1);
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> two_before(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::swap(two_before, before);
    std::swap(before, row);
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({before[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, before[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], two_before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace openqnn
