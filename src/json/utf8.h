// SPDX-License-Identifier: BSD-3-Clause
// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace openqnn::json {

// The length in bytes of the well-formed character at the start of `text`; 0 when there is none: overlong
// forms, surrogates, values above U+10FFFF and cut-off sequences are not characters.
size_t utf8_length(std::string_view text);

inline bool begins_character(char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }
uint32_t count_characters(std::string_view well_formed);

// Appends a character; `code` must not be a surrogate.
void append_utf8(std::string& out, uint32_t code);

// How many columns of a terminal the character takes: 0 for a combining mark, 2 for a wide one, negative for
// what a terminal obeys instead of showing it and for bytes that are no character.
int display_columns(std::string_view character);

}  // namespace openqnn::json
