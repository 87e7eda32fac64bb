// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rule.h"

#include <unordered_map>
#include <vector>

namespace openqnn::frontend::onnx {

// Each family gives its rules.
#define OPENQNN_RULES(family) std::span<const Rule> family##_rules();
#include "frontend/onnx/rules/families.inc"
#undef OPENQNN_RULES

std::span<const Rule* const> all_rules() {
  static const std::vector<const Rule*> kAll = [] {
    std::vector<const Rule*> all;
#define OPENQNN_RULES(family) \
  for (const Rule& rule : family##_rules()) all.push_back(&rule);
#include "frontend/onnx/rules/families.inc"
#undef OPENQNN_RULES
    return all;
  }();
  return kAll;
}

const Rule* find_rule(std::string_view type) {
  static const std::unordered_map<std::string_view, const Rule*> kByType = [] {
    std::unordered_map<std::string_view, const Rule*> by_type;
    for (const Rule* rule : all_rules()) by_type.emplace(rule->type, rule);
    return by_type;
  }();
  const auto found = kByType.find(type);
  return found != kByType.end() ? found->second : nullptr;
}

}  // namespace openqnn::frontend::onnx
