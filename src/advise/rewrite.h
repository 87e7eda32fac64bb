// SPDX-License-Identifier: BSD-3-Clause
// Graphs with a change that advice speaks of, to be timed and never to be run: shapes, types and constants
// are those that the changed model would have, its new activations borrow encodings from their neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::advise {

// A graph taken apart.
class Rewrite {
 public:
  explicit Rewrite(const ir::Graph& graph)
      : tensors(graph.tensors()), nodes(graph.nodes()), name_(graph.name()) {}

  std::vector<ir::Tensor> tensors;
  std::vector<ir::Node> nodes;

  // Under a name of its own. Answers its index.
  ir::TensorIndex add(ir::Tensor tensor);
  size_t count_readers(ir::TensorIndex tensor) const;
  std::optional<uint32_t> producer(ir::TensorIndex tensor) const;
  // Takes a node out when the graph is put together.
  void drop(uint32_t node) { nodes[node].type.clear(); }
  // The graph again, without what nobody reads or writes any more.
  Result<ir::Graph> graph() const;

 private:
  std::string name_;
};

using NodeList = std::vector<uint32_t>;  // of the graph, by index; others are left alone

// x / constant as x * (1 / constant). Fails where a divisor is 0.
Result<ir::Graph> with_reciprocals(const ir::Graph& graph, const NodeList& divisions);
// Prelu as Relu.
Result<ir::Graph> with_plain_relu(const ir::Graph& graph, const NodeList& prelus);
// a - b as a convolution of both with the weights 1 and -1. Two convolutions of one tensor that a and b come
// from become one.
Result<ir::Graph> with_convolved_differences(const ir::Graph& graph, const NodeList& differences);
// Groups of convolutions joined to as many channels as the matrix unit has rows, with zeros between them.
Result<ir::Graph> with_joined_groups(const ir::Graph& graph, const NodeList& convolutions);
// Outputs of convolutions widened to a multiple of `channels` where convolutions alone read them.
Result<ir::Graph> with_padded_channels(const ir::Graph& graph, const NodeList& convolutions,
                                       uint32_t channels);
// Inputs as their first Reshape or Transpose leaves them.
Result<ir::Graph> with_inputs_behind(const ir::Graph& graph, const NodeList& movers);
// 8-bit weights as 4-bit ones.
Result<ir::Graph> with_four_bit_weights(const ir::Graph& graph, const NodeList& nodes);
// What else reads the input of an activation reads its output.
Result<ir::Graph> with_one_reader(const ir::Graph& graph, const NodeList& activations);

}  // namespace openqnn::advise
