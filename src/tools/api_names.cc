// SPDX-License-Identifier: BSD-3-Clause
#include "tools/api_names.h"

#include <array>
#include <utility>

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

constexpr std::array<std::pair<uint32_t, std::string_view>, 20> kTypeNames = {{
    {QNN_DATATYPE_INT_8, "INT_8"},
    {QNN_DATATYPE_INT_16, "INT_16"},
    {QNN_DATATYPE_INT_32, "INT_32"},
    {QNN_DATATYPE_INT_64, "INT_64"},
    {QNN_DATATYPE_UINT_8, "UINT_8"},
    {QNN_DATATYPE_UINT_16, "UINT_16"},
    {QNN_DATATYPE_UINT_32, "UINT_32"},
    {QNN_DATATYPE_UINT_64, "UINT_64"},
    {QNN_DATATYPE_FLOAT_16, "FLOAT_16"},
    {QNN_DATATYPE_FLOAT_32, "FLOAT_32"},
    {QNN_DATATYPE_FLOAT_64, "FLOAT_64"},
    {QNN_DATATYPE_SFIXED_POINT_4, "SFIXED_POINT_4"},
    {QNN_DATATYPE_SFIXED_POINT_8, "SFIXED_POINT_8"},
    {QNN_DATATYPE_SFIXED_POINT_16, "SFIXED_POINT_16"},
    {QNN_DATATYPE_SFIXED_POINT_32, "SFIXED_POINT_32"},
    {QNN_DATATYPE_UFIXED_POINT_4, "UFIXED_POINT_4"},
    {QNN_DATATYPE_UFIXED_POINT_8, "UFIXED_POINT_8"},
    {QNN_DATATYPE_UFIXED_POINT_16, "UFIXED_POINT_16"},
    {QNN_DATATYPE_UFIXED_POINT_32, "UFIXED_POINT_32"},
    {QNN_DATATYPE_BOOL_8, "BOOL_8"},
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

std::string data_type_name(uint32_t type) {
  for (const auto& [number, name] : kTypeNames)
    if (number == type) return concat("QNN_DATATYPE_", name);
  return std::to_string(type);
}

}  // namespace openqnn::tools
