// SPDX-License-Identifier: BSD-3-Clause
// What a client calls the operands of a node, for refusals of its op's definition, which knows places alone.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::ops {

// Beside the node's operands; empty where there is no name.
struct OperandNames {
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
};
OperandNames names_of(const ir::Graph& graph, const ir::Node& node);

// A refusal whose message says "input 1 (weight)" says "'w1' (input 1, weight)" then.
Diagnostic with_names(Diagnostic refusal, const OperandNames& names);
inline Status with_names(Status status, const OperandNames& names) {
  return status ? std::move(status) : Status(with_names(std::move(status).error(), names));
}

}  // namespace openqnn::ops
