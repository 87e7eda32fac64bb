// SPDX-License-Identifier: BSD-3-Clause
// From text to a Config: syntax, liberties, encoding, limits, and which kind of file it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/finding.h"

namespace openqnn::config {

// More graph entries than any tool takes; a file beyond it is a mistake or an attack.
inline constexpr size_t kMostGraphs = 1'000'000;

struct Document {
  std::string name;  // the path, for messages
  std::string text;
  std::optional<Config> config;   // none when the text is not JSON or is no configuration
  std::vector<Finding> findings;  // from reading alone
};

// Never fails: what is wrong with the text is a finding. With `expected`, a file of another kind is a
// finding that names both; without, the kind is detected.
Document read(std::string name, std::string text, std::optional<Kind> expected = std::nullopt);
// The same from a file; a directory, a missing or unreadable file is a finding, too.
Document read_file(const std::string& path, std::optional<Kind> expected = std::nullopt);
// What could not be read at all, with that as its finding.
Document unreadable(std::string name, const Diagnostic& why);

// The kind that the keys at the top suggest; nothing when they suggest none.
std::optional<Kind> detect_kind(const json::Value& tree);

}  // namespace openqnn::config
