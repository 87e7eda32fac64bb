// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace openqnn::tools {

// The number that a text is, from its first to its last character; nothing where it is none.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value = {};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

}  // namespace openqnn::tools
