// SPDX-License-Identifier: BSD-3-Clause
// A graph whose float tensors are half floats.
#pragma once

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::tools::convert {

// With `keep_io`, inputs and outputs stay as they are, with casts behind and before them. Refuses a graph
// with a node that the backend does not compute in half.
Result<ir::Graph> in_half(const ir::Graph& graph, bool keep_io);

}  // namespace openqnn::tools::convert
