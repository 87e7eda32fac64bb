// SPDX-License-Identifier: BSD-3-Clause
// The float graph behind a quantized one: what it would compute if nothing between its nodes were rounded.
#pragma once

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::quant {

// Every real tensor in single precision under its own name, constants with the values that they stand for,
// and without the nodes that only convert between integers and float. What the constants lost when they were
// quantized is not to be had again.
Result<ir::Graph> float_graph_of(const ir::Graph& quantized);

// Whether nothing but Quantize and Dequantize touches the integers of a graph: it computes in float, and its
// client alone passes and reads integers.
bool is_float_inside(const ir::Graph& graph);

}  // namespace openqnn::quant
