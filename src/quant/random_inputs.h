// SPDX-License-Identifier: BSD-3-Clause
// Inputs for a graph where nobody gives any: the same on every machine, and such as a model can take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/graph.h"

namespace openqnn::quant {

// In the tensor's own type. Reals are about as large as normalised pictures or sound. Integers are indices
// within the table where one is read by them; else bytes are pixels, truths are both, and others are 0 or 1,
// as masks are (ours).
std::vector<std::byte> random_input(const ir::Graph& graph, ir::TensorIndex input, uint64_t seed);

}  // namespace openqnn::quant
