// SPDX-License-Identifier: BSD-3-Clause
// What the commands about configuration files have in common: the options that say for whom a file is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/follow.h"
#include "tools/args.h"

namespace openqnn::tools {

// What --kind takes; the last of them `openqnn check` alone.
inline constexpr std::string_view kCheckedKinds = "htp tool lpai data-format optrace throughput input-list";
inline constexpr std::string_view kKindNames = kCheckedKinds.substr(0, kCheckedKinds.rfind(' '));

// --tool, --stage, --soc, --platform, --sdk, --graphs, --kind, --strict; then `more`.
std::vector<OptionSpec> circumstance_options(std::vector<OptionSpec> more,
                                             std::string_view kinds = kKindNames);

// The values of those options, or what is wrong with one of them.
Result<config::CheckOptions> check_options(const Args& args);

// What is wrong with a file of which nothing can be shown, as `openqnn check` tells it: on the standard
// output, which JSON has for itself.
void print_findings(const config::Document& document, const config::CheckOptions& options, bool json);

Result<config::Kind> kind_argument(std::string_view name);

// Refuses what is known to be no configuration: a model, a context binary. `-` is the standard input.
Status expect_configuration(const std::string& path);
Status expect_configurations(const std::vector<std::string>& paths);  // each

// Prints a wrong value of an option on stderr. Answers kUsage.
int wrong_value(const Diagnostic& diagnostic);

}  // namespace openqnn::tools
