// SPDX-License-Identifier: BSD-3-Clause
// Keys and values that the tables do not know: what was probably meant.
#pragma once

#include <string>
#include <string_view>

#include "config/config.h"

namespace openqnn::config {

std::string lower(std::string_view text);  // ASCII letters alone

bool is_comment_key(std::string_view key);           // "_comment", "//", "$schema"
bool looks_like_placeholder(std::string_view text);  // "$dsp_arch", "{SOC_ID}", "<TODO>", "%NAME%"
bool is_pasted_type(const json::Value& value);       // {"type": "integer"}

struct KeyAdvice {
  std::string_view code;  // unknown-key, misplaced-key, foreign-key, unknown-section
  std::string message;
  std::string advice;
  std::string rename_to = {};  // when another spelling is all it takes
};
KeyAdvice advise_on_key(const Config& config, const SectionDef& section, std::string_view key);

// The section of any kind of file that a key at the top may have meant; "" when none is near.
std::string_view nearest_section(std::string_view key);
std::string_view nearest_choice(const OptionDef& option, std::string_view text);  // "" when none is near

}  // namespace openqnn::config
