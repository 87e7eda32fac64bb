// SPDX-License-Identifier: BSD-3-Clause
// What stands at a place of a text, whether the text is sound JSON or still being typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "config/read.h"
#include "tools/lsp/scanner.h"

namespace openqnn::tools::lsp {

struct Cursor {
  enum class At : uint8_t {
    kNowhere,  // outside of the braces, in a comment, or too deep
    kKey,
    kValue,
  };
  At at = At::kNowhere;
  std::vector<std::string_view> path;        // the keys that lead to the object around the cursor
  std::string_view key;                      // of the value, or the one under the cursor
  Token token;                               // under the cursor or ending at it; kEnd when there is none
  std::vector<std::string_view> other_keys;  // of the object, when at a key
  std::optional<uint32_t> missing_comma;     // where a comma must go before another item can follow
  bool colon_follows = false;                // after the key under the cursor
  bool in_list = false;                      // the value is an element of a list
};

// The cursor stands between characters; a token that ends there is still being typed. Everything refers to
// `text`.
Cursor cursor_at(std::string_view text, uint32_t offset);

// The kind of file that the keys suggest, whatever the state of the text.
std::optional<config::Kind> kind_of_draft(std::string_view text);

// The section that the keys of `path` lead to in a file of this kind; nullptr when the tables know none.
const config::SectionDef* section_at(config::Kind kind, const std::vector<std::string_view>& path);

}  // namespace openqnn::tools::lsp
