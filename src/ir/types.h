// SPDX-License-Identifier: BSD-3-Clause
// Element types. The values are those of Qnn_DataType_t, so that the C API and the context binary need no
// mapping (src/api asserts it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/rounding.h"

namespace openqnn::ir {

enum class DataType : uint32_t {
  kInt8 = 0x0008,
  kInt16 = 0x0016,
  kInt32 = 0x0032,
  kInt64 = 0x0064,
  kUint8 = 0x0108,
  kUint16 = 0x0116,
  kUint32 = 0x0132,
  kUint64 = 0x0164,
  kFloat16 = 0x0216,
  kFloat32 = 0x0232,
  kFloat64 = 0x0264,
  kSfixed4 = 0x0304,
  kSfixed8 = 0x0308,
  kSfixed16 = 0x0316,
  kSfixed32 = 0x0332,
  kUfixed4 = 0x0404,
  kUfixed8 = 0x0408,
  kUfixed16 = 0x0416,
  kUfixed32 = 0x0432,
  kBool8 = 0x0508,
  kUndefined = 0x7FFFFFFF,
};

// The type behind a number from a client or a file, when it names one.
std::optional<DataType> data_type_from(uint32_t value);

// The short name used in schemas, messages and reports: "ufx8", "f16", "i32".
std::string_view name(DataType type);
std::optional<DataType> data_type_from(std::string_view name);

// Bytes of one stored element (4-bit types are stored one to a byte in client tensors); 0 for kUndefined.
size_t byte_size(DataType type);

bool is_quantized(DataType type);  // the fixed-point types
bool is_float(DataType type);
IntegerRange integer_range(DataType type);  // of the stored integers of a quantized type of at most 32 bits

}  // namespace openqnn::ir
