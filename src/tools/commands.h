// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `openqnn`, one file each. A new one is its file, its line here and its line in main.cc.
#pragma once

#include <span>

#include "tools/args.h"

namespace openqnn::tools {

struct Command {
  CommandSpec spec;
  int (*run)(const Args& args);  // answers the exit code
};

const Command& check_command();
const Command& fix_command();
const Command& fmt_command();
const Command& show_command();
const Command& diff_command();
const Command& new_command();
const Command& explain_command();
const Command& schema_command();
const Command& run_command();
const Command& compare_command();
const Command& demo_command();
const Command& inspect_command();
const Command& validate_command();
const Command& simulate_command();
const Command& advise_command();
const Command& report_command();
const Command& profile_command();
const Command& soc_command();
const Command& profiles_command();
const Command& power_command();
const Command& errors_command();
const Command& ops_command();
const Command& lsp_command();
const Command& completions_command();

// All of them, in the order in which a new user meets them.
std::span<const Command* const> commands();

}  // namespace openqnn::tools
