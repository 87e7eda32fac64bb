// SPDX-License-Identifier: BSD-3-Clause
// Nodes that stay in float although the model is quantized, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openqnn::tools {

struct FloatNode {
  std::string name;
  std::string type;
  std::string why;

  std::string text() const;  // "name (type): reason"
};

enum class FloatNodeList : bool { kGrouped, kAll };

// A line for each, or one for all nodes of a type that have the same reason but for the names in it: the
// first of them with its reason, and how many more there are.
std::vector<std::string> lines_of(const std::vector<FloatNode>& nodes, FloatNodeList list);

// The lines as they stand below "... ops left in float"; where some were grouped, how to see all.
void print_float_nodes(const std::vector<FloatNode>& nodes, FloatNodeList list, std::string_view indent,
                       std::string_view option_for_all);

}  // namespace openqnn::tools
