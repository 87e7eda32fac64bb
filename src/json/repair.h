// SPDX-License-Identifier: BSD-3-Clause
// Edits that mend a text which could not be read, where only one thing can have been meant. Only this room
// includes it.
#pragma once

#include <optional>
#include <string_view>

#include "json/json.h"

namespace openqnn::json {

// A comma behind the value that ends at `after_value`, when an item of the container stands at `next`.
std::optional<Edit> insert_comma(std::string_view text, size_t after_value, size_t next, bool in_object);

// Without the bracket at `at`, when only brackets, space and comments follow.
std::optional<Edit> remove_closing_bracket(std::string_view text, size_t at);

// The string in single quotes at `at` in double ones.
std::optional<Edit> double_quotes(std::string_view text, size_t at);

// true for True, false for False, null for None.
std::optional<Edit> python_word(size_t at, std::string_view word);

}  // namespace openqnn::json
