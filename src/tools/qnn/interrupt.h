// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM end the loops of a program: what runs is finished, and what there is is written and
// told.
#pragma once

#include <atomic>

namespace openqnn::tools {

// From now on the signals set the flag. A second one of the same kind ends the program at once.
void catch_interrupts();
std::atomic<bool>& interrupted();
// What a shell expects of a program that a signal ended, 130 for SIGINT; 0 when none came.
int interrupted_exit_code();

}  // namespace openqnn::tools
