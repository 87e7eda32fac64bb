// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a converted graph were called in the model's file.
#pragma once

#include <string>
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

}  // namespace openqnn::frontend
