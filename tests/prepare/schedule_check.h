// SPDX-License-Identifier: BSD-3-Clause
// A slow second opinion on a Schedule, by brute force: what program::verify_schedule proves, and that the
// data flow through VTCM and DDR makes sense.
#pragma once

#include <functional>
#include <vector>

#include "program/program.h"

namespace openqnn::prepare {

// Fails the test unless
// - two blocks that share bytes of VTCM are used one after the other,
// - every compute task finds its inputs in blocks that were filled before it,
// - whatever is loaded is the client's or a constant, or was stored before,
// - every output of the graph is stored.
void expect_sound(const program::Program& program);

// Tasks of one kind on tensors of one role.
size_t count_tasks(const program::Program& program, program::TaskKind kind, ir::TensorRole role);
uint64_t bytes_moved(const program::Program& program, program::TaskKind kind, ir::TensorRole role);

// For each task, the tasks that must have ended before it begins.
std::vector<std::vector<bool>> ancestors(const program::Schedule& schedule);

}  // namespace openqnn::prepare
