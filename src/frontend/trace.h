// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a converted graph were called in the model's file.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace openqnn::frontend {

struct Trace {
  struct Node {
    std::string name;                  // in the graph
    std::vector<std::string> sources;  // nodes of the file
  };
  struct Tensor {
    std::string name;    // in the graph
    std::string source;  // tensor of the file
  };
  std::vector<Node> nodes;      // in the graph's order
  std::vector<Tensor> tensors;  // those that have a source
};

// What the model's file calls a tensor of the graph, whose names have to be words of C; empty where nothing
// tells.
inline std::string_view source_of(const Trace& trace, std::string_view tensor) {
  const auto found = std::ranges::find(trace.tensors, tensor, &Trace::Tensor::name);
  return found == trace.tensors.end() ? std::string_view() : found->source;
}

}  // namespace openqnn::frontend
