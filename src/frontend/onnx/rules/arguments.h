// SPDX-License-Identifier: BSD-3-Clause
// Arguments that were attributes in old opsets and are inputs in new ones. What is read here by a rule's
// inference is read in the same way by its lowering: both kinds of node are taken.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

// The numbers of input `input` where the node has it, else those of the attribute; nothing when it has
// neither. An input must be constant.
template <class Node>
Result<std::optional<std::vector<int64_t>>> integers_of(const Node& node, size_t input,
                                                        std::string_view attribute) {
  if (node.has(input)) {
    const Constant* constant = node.constant(input);
    if (constant == nullptr) {
      return not_offered_node(node.node(), concat("its ", attribute,
                                                  " are computed by the model, but shapes must be known "
                                                  "before it runs"))
          .fix_by("export the model with fixed shapes, or simplify it first");
    }
    return std::optional(constant->integers());
  }
  if (!node.attributes().has(attribute)) return std::optional<std::vector<int64_t>>();
  return std::optional(node.attributes().integers(attribute));
}

// One number of an input that must be constant, e.g. k of a TopK.
template <class Node>
Result<int64_t> integer_of(const Node& node, size_t input, std::string_view name) {
  OPENQNN_ASSIGN(const auto values, integers_of(node, input, name));
  if (!values || values->size() != 1)
    return wrong_node(node.node(), concat("its ", name, " is no single number"));
  return values->front();
}

inline Result<size_t> axis_of(const NetNode& node, int64_t axis, size_t rank) {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit)
    return wrong_node(node, concat("axis ", axis, " does not exist in a tensor of rank ", rank));
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

// Each once, counted from 0.
template <class Node>
Result<std::vector<size_t>> axes_of(const Node& node, const std::vector<int64_t>& axes, size_t rank) {
  if (rank > kMostDims)
    return not_offered_node(node.node(), concat("it has to do with ", rank, " dimensions"));
  std::vector<size_t> all;
  for (const int64_t given : axes) {
    OPENQNN_ASSIGN(const size_t axis, axis_of(node.node(), given, rank));
    for (const size_t other : all)
      if (other == axis) return wrong_node(node.node(), concat("axis ", given, " is named twice"));
    all.push_back(axis);
  }
  return all;
}

}  // namespace openqnn::frontend::onnx
