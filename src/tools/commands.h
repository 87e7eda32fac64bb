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

Command check_command();
Command fix_command();
Command fmt_command();
Command show_command();
Command diff_command();
Command new_command();
Command explain_command();
Command schema_command();
Command run_command();
Command compare_command();
Command demo_command();
Command inspect_command();
Command validate_command();
Command simulate_command();
Command advise_command();
Command report_command();
Command profile_command();
Command soc_command();
Command profiles_command();
Command power_command();
Command errors_command();
Command ops_command();
Command lsp_command();
Command completions_command();

// All of them, in the order in which a new user meets them.
std::span<const Command> commands();

}  // namespace openqnn::tools
