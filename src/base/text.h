// SPDX-License-Identifier: BSD-3-Clause
// Small text helpers shared by messages and reports.
#pragma once

#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace openqnn {

// Joins anything that can be streamed: concat("rank ", 4, " > ", 3).
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());  // a client's global locale must not put commas into our numbers
  (out << ... << parts);
  return std::move(out).str();
}

// Levenshtein's distance: how many characters to change to get from one to the other.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace openqnn
