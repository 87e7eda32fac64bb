// SPDX-License-Identifier: BSD-3-Clause
// A quantized graph as a double-precision model would compute it: every op exactly, by the oracles, on the
// reals that its operands stand for; every result rounded to its encoding.
#pragma once

#include <map>
#include <vector>

#include "ir/graph.h"

namespace openqnn::quant {

// The reals of every tensor, by index; `inputs` are reals of the graph's inputs.
std::map<ir::TensorIndex, std::vector<double>> fake_quant(
    const ir::Graph& graph, const std::map<ir::TensorIndex, std::vector<double>>& inputs);

}  // namespace openqnn::quant
