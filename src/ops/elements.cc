// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elements.h"

namespace openqnn::ops {

PlainRange plain_range(ir::DataType type) {
  using ir::DataType;
  const auto range = [](auto low, auto high) {
    return PlainRange{static_cast<double>(low), static_cast<double>(high)};
  };
  switch (type) {
    case DataType::kInt8:
      return range(INT8_MIN, INT8_MAX);
    case DataType::kUint8:
      return range(0, UINT8_MAX);
    case DataType::kInt16:
      return range(INT16_MIN, INT16_MAX);
    case DataType::kUint16:
      return range(0, UINT16_MAX);
    case DataType::kInt32:
      return range(INT32_MIN, INT32_MAX);
    case DataType::kUint32:
      return range(0, UINT32_MAX);
    default:
      return range(INT64_MIN, INT64_MAX);
  }
}

}  // namespace openqnn::ops
