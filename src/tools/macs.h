// SPDX-License-Identifier: BSD-3-Clause
// How many multiply-accumulates a model states, whatever a device makes of them.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace openqnn::tools {

// Of convolutions, matrix products and recurrent cells; 0 for others (ours: that is what makes the sum).
uint64_t macs_of(const ir::Graph& graph, const ir::Node& node);

}  // namespace openqnn::tools
