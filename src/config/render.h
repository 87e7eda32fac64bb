// SPDX-License-Identifier: BSD-3-Clause
// What a check says, for people, programs and code review: pure functions from findings to text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/follow.h"

namespace openqnn::config {

struct TextStyle {
  bool colour = false;
  bool brief = false;  // one line a finding, no summary, nothing when all is clean
};
// "file:line:column: severity: message [code]", the excerpt, notes, advice and fix; a summary at the end.
std::string render_text(const std::vector<CheckedFile>& files, const TextStyle& style = {});
// One finding as in render_text.
std::string render_finding(const CheckedFile& file, const Finding& finding, const TextStyle& style = {});
// "2 errors, 1 warning"; "" when there is none.
std::string count_words(const std::vector<CheckedFile>& files);

// {"files": [{"file", "kind", "findings": [{"code", "severity", "message", "line", "column", "path",
// "fix"?}], "not_checked"?: [path]}]}
std::string render_json(const std::vector<CheckedFile>& files);

// Workflow commands of GitHub: "::error file=…,line=…,col=…,title=code::message".
std::string render_github(const std::vector<CheckedFile>& files);

// SARIF 2.1.0, with the fixes as replacements.
std::string render_sarif(const std::vector<CheckedFile>& files, std::string_view tool_version);

// Whether anything at least so severe was found.
bool has_findings(const std::vector<CheckedFile>& files, Severity least = Severity::kNote);

}  // namespace openqnn::config
