// SPDX-License-Identifier: BSD-3-Clause
#include "ir/types.h"

#include <array>
#include <limits>

namespace openqnn::ir {
namespace {

struct TypeInfo {
  DataType type;
  std::string_view name;
  size_t bytes;
};

constexpr std::array kTypes = {
    TypeInfo{DataType::kInt8, "i8", 1},        TypeInfo{DataType::kInt16, "i16", 2},
    TypeInfo{DataType::kInt32, "i32", 4},      TypeInfo{DataType::kInt64, "i64", 8},
    TypeInfo{DataType::kUint8, "u8", 1},       TypeInfo{DataType::kUint16, "u16", 2},
    TypeInfo{DataType::kUint32, "u32", 4},     TypeInfo{DataType::kUint64, "u64", 8},
    TypeInfo{DataType::kFloat16, "f16", 2},    TypeInfo{DataType::kFloat32, "f32", 4},
    TypeInfo{DataType::kFloat64, "f64", 8},    TypeInfo{DataType::kSfixed4, "sfx4", 1},
    TypeInfo{DataType::kSfixed8, "sfx8", 1},   TypeInfo{DataType::kSfixed16, "sfx16", 2},
    TypeInfo{DataType::kSfixed32, "sfx32", 4}, TypeInfo{DataType::kUfixed4, "ufx4", 1},
    TypeInfo{DataType::kUfixed8, "ufx8", 1},   TypeInfo{DataType::kUfixed16, "ufx16", 2},
    TypeInfo{DataType::kUfixed32, "ufx32", 4}, TypeInfo{DataType::kBool8, "bool8", 1},
};

const TypeInfo* find(DataType type) {
  for (const TypeInfo& info : kTypes)
    if (info.type == type) return &info;
  return nullptr;
}

}  // namespace

std::optional<DataType> data_type_from(uint32_t value) {
  const TypeInfo* info = find(static_cast<DataType>(value));
  return info ? std::optional(info->type) : std::nullopt;
}

std::optional<DataType> data_type_from(std::string_view name) {
  for (const TypeInfo& info : kTypes)
    if (info.name == name) return info.type;
  return std::nullopt;
}

std::string_view name(DataType type) {
  const TypeInfo* info = find(type);
  return info ? info->name : "undefined";
}

size_t byte_size(DataType type) {
  const TypeInfo* info = find(type);
  return info ? info->bytes : 0;
}

// The second byte of QNN's value names the family: 3 signed and 4 unsigned fixed point, 2 floating point.
bool is_quantized(DataType type) {
  const uint32_t family = static_cast<uint32_t>(type) >> 8;
  return family == 3 || family == 4;
}

bool is_float(DataType type) { return static_cast<uint32_t>(type) >> 8 == 2; }

IntegerRange integer_range(DataType type) {
  switch (type) {
    case DataType::kSfixed4:
      return {-8, 7};
    case DataType::kUfixed4:
      return {0, 15};
    case DataType::kSfixed8:
      return {-128, 127};
    case DataType::kUfixed8:
      return {0, 255};
    case DataType::kSfixed16:
      return {-32768, 32767};
    case DataType::kUfixed16:
      return {0, 65535};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

}  // namespace openqnn::ir
