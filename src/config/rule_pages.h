// SPDX-License-Identifier: BSD-3-Clause
// The rules in Markdown: docs/rules/CODE.md for each, and docs/rules/README.md. `explain.h` has them for a
// terminal.
#pragma once

#include <string>
#include <vector>

#include "config/follow.h"
#include "config/rule.h"

namespace openqnn::config {

// Checks an example of a rule as `openqnn check` would: the file, and the file it names when there is one.
// The examples of CompileConfig's rules are its fields, followed by the HTP file that they make.
std::vector<CheckedFile> check_example(const RuleDef& rule, const Example& example);

std::string rule_page(const RuleDef& rule);
std::string rules_index();

}  // namespace openqnn::config
