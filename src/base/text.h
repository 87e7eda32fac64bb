// SPDX-License-Identifier: BSD-3-Clause
// Small text helpers shared by messages and reports.
#pragma once

#include <cstdint>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace openqnn {

// Text and integers, which are most of what is joined, need no stream; one costs a microsecond to make.
template <class Part>
inline constexpr bool kIsPlain =
    std::is_convertible_v<const Part&, std::string_view> || std::is_same_v<Part, char> ||
    std::is_same_v<Part, int32_t> || std::is_same_v<Part, uint32_t> || std::is_same_v<Part, int64_t> ||
    std::is_same_v<Part, uint64_t>;

template <class Part>
void append_plain(std::string& out, const Part& part) {
  if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    out += std::string_view(part);
  } else if constexpr (std::is_same_v<Part, char>) {
    out += part;
  } else {
    out += std::to_string(part);
  }
}

// Joins anything that can be streamed: concat("rank ", 4, " > ", 3).
template <class... Parts>
std::string concat(const Parts&... parts) {
  if constexpr ((kIsPlain<Parts> && ...)) {
    std::string out;
    (append_plain(out, parts), ...);
    return out;
  } else {
    std::ostringstream out;
    out.imbue(std::locale::classic());  // a client's global locale must not put commas into our numbers
    (out << ... << parts);
    return std::move(out).str();
  }
}

// One more item of a list in words: "a, b". The item is the parts, joined.
template <class... Parts>
void append_item(std::string& list, const Parts&... item) {
  if (!list.empty()) list += ", ";
  list += concat(item...);
}

// A text from a client or a file on one line: control characters, which a terminal would obey instead of
// showing, become '?'.
std::string one_line(std::string_view name);

// The parts between separators: "a,b" gives "a" and "b", "" gives one empty part.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

// How many slips lead from one to the other: a character missing, added or changed, or two neighbours
// swapped.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace openqnn
