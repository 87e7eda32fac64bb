// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `openqnn`, one file each. A new one is its file, its line here and its line in main.cc.
#pragma once

#include "tools/args.h"

namespace openqnn::tools {

struct Command {
  CommandSpec spec;
  int (*run)(const Args& args);  // answers the exit code
};

const Command& demo_command();
const Command& inspect_command();
const Command& validate_command();
const Command& simulate_command();
const Command& targets_command();
const Command& ops_command();

}  // namespace openqnn::tools
