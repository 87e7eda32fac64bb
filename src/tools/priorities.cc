// SPDX-License-Identifier: BSD-3-Clause
#include "tools/priorities.h"

#include <array>

#include "QnnTypes.h"
#include "base/text.h"

namespace openqnn::tools {
namespace {

struct NamedPriority {
  std::string_view name;
  uint32_t value;
};
constexpr std::array<NamedPriority, 8> kPriorities = {{
    {"low", QNN_PRIORITY_LOW},
    {"normal_low", QNN_PRIORITY_NORMAL_LOW},
    {"normal", QNN_PRIORITY_NORMAL},
    {"normal_high", QNN_PRIORITY_NORMAL_HIGH},
    {"high", QNN_PRIORITY_HIGH},
    {"high_plus", QNN_PRIORITY_HIGH_PLUS},
    {"critical", QNN_PRIORITY_CRITICAL},
    {"critical_plus", QNN_PRIORITY_CRITICAL_PLUS},
}};

}  // namespace

std::optional<uint32_t> priority_named(std::string_view name) {
  for (const NamedPriority& priority : kPriorities)
    if (priority.name == name) return priority.value;
  return std::nullopt;
}

std::string priority_name(uint32_t priority) {
  for (const NamedPriority& known : kPriorities)
    if (known.value == priority) return std::string(known.name);
  return std::to_string(priority);
}

std::string priority_names() {
  std::string names;
  for (const NamedPriority& priority : kPriorities) append_item(names, priority.name);
  return names;
}

}  // namespace openqnn::tools
