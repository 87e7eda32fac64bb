// SPDX-License-Identifier: BSD-3-Clause
// The part of YAML that I/O configuration files are written in: mappings and lists by indentation, plain and
// quoted words, lists in brackets, comments. All else is refused at its line, never misread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::tools::convert {

struct YamlNode {
  enum class Kind : uint8_t { kNothing, kWord, kMap, kList };
  Kind kind = Kind::kNothing;
  std::string word;
  std::vector<std::string> keys;  // of a map, in order, each once
  std::vector<YamlNode> items;    // of a list; of a map, beside its keys
  uint32_t line = 0;              // 1-based
};

// `source` names the text in diagnostics.
Result<YamlNode> parse_yaml(std::string_view text, std::string_view source);

}  // namespace openqnn::tools::convert
