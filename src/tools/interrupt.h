// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM end the loops of a program: what runs is finished or given up, no file is left half
// written, and what was done is told.
#pragma once

#include <atomic>

#include "QnnInterface.h"
#include "base/result.h"

namespace openqnn::tools {

// From now on the signals set the flag. A second one of the same kind ends the program at once.
void catch_interrupts();
std::atomic<bool>& interrupted();
// What a shell expects of a program that a signal ended, 130 for SIGINT; 0 when none came.
int interrupted_exit_code();

// Asked between pieces of long work: the failure of a job that a signal has ended.
Status go_on();
// A failure that came of a signal, as that; others as they are.
Status or_interrupted(Status status);

// From now on a signal stops the graph's finalize, where the backend is ours.
void let_signals_stop(const QnnInterface_ImplementationV2_39_t& api, Qnn_GraphHandle_t graph);

}  // namespace openqnn::tools
