// SPDX-License-Identifier: BSD-3-Clause
// Graphs of adjustable size for benchmarks.
#pragma once

#include "ir/graph.h"
#include "program/program.h"

namespace openqnn::bench {

// `length` 3x3 convolutions with Relu in a row, 8-bit, 16x16x32.
ir::Graph conv_chain(uint32_t length);

// The chain, prepared for an SM8650.
program::ProgramSet prepared_chain(uint32_t length);

}  // namespace openqnn::bench
