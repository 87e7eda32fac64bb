// SPDX-License-Identifier: BSD-3-Clause
// Changing JSON text in place: what is not changed keeps its bytes, comments and order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"

namespace openqnn::json {

// The text with the edits made. Edits may come in any order; of edits that overlap, the first in the list
// wins and the others are left out (then `left_out`, when given, is set).
std::string apply_edits(std::string_view text, const std::vector<Edit>& edits, bool* left_out = nullptr);

// Removes a member of an object or an element of an array: `item` spans key to value, or the value. The comma
// that is no longer needed goes too, and the line when nothing else stands on it.
Edit remove_item(std::string_view text, Span item);

// Adds a member at the end of the object that spans `object` ("{...}"), in the layout of its neighbours.
// `value` is JSON text.
Edit insert_member(std::string_view text, Span object, std::string_view key, std::string_view value);

// The text laid out anew: `indent` spaces a level, one member a line, short arrays of scalars on one line,
// `"key": value`, comments and order kept, the text's own line ends, one final newline, no trailing blanks.
// Trailing commas go. A text that parse_lenient refuses is refused.
Result<std::string> format(std::string_view text, std::string_view source, uint32_t indent = 2);

// The line of `span` with a mark below it, for a diagnostic:
//
//    12 |       "vtcm_mb": 16,
//       |                  ^~
//
// Tabs and characters that are two columns wide keep the mark in its place; a very long line is cut around
// it. Both lines end with '\n'. What a terminal would obey instead of showing (control characters) becomes
// U+FFFD.
std::string excerpt(const LineIndex& lines, Span span);

}  // namespace openqnn::json
