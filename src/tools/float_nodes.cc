// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <utility>

#include "base/text.h"
#include "tools/console.h"
#include "tools/model_job.h"

namespace openqnn::tools {
namespace {

// A reason without the names in it, which stand in quotes.
std::string without_names(const std::string& reason) {
  std::string kept;
  bool in_name = false;
  for (const char c : reason) {
    if (c == '\'') in_name = !in_name;
    if (!in_name) kept += c;
  }
  return kept;
}

}  // namespace

std::string FloatNode::text() const { return concat(name, " (", type, "): ", why); }

std::vector<std::string> lines_of(const std::vector<FloatNode>& nodes, FloatNodeList list) {
  std::vector<std::string> lines;
  if (list == FloatNodeList::kAll) {
    for (const FloatNode& node : nodes) lines.push_back(node.text());
    return lines;
  }
  std::vector<std::pair<const FloatNode*, size_t>> groups;  // the first of each, and how many there are
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (const FloatNode& node : nodes) {
    const auto [found, is_new] = places.try_emplace({node.type, without_names(node.why)}, groups.size());
    if (is_new) groups.emplace_back(&node, 0);
    ++groups[found->second].second;
  }
  for (const auto& [first, count] : groups)
    lines.push_back(count == 1
                        ? first->text()
                        : concat(first->name, " (", first->type, ") and ", count - 1, " more: ", first->why));
  return lines;
}

void print_float_nodes(const std::vector<FloatNode>& nodes, FloatNodeList list, std::string_view indent,
                       std::string_view option_for_all) {
  const std::vector<std::string> lines = lines_of(nodes, list);
  for (const std::string& line : lines) print(concat(indent, shown(line), "\n"));
  if (lines.size() < nodes.size()) print(concat(indent, option_for_all, " lists all ", nodes.size(), "\n"));
}

}  // namespace openqnn::tools
