// SPDX-License-Identifier: BSD-3-Clause
// Bytes that an element takes in a client's buffer.
#pragma once

#include <cstdint>
#include <optional>

#include "QnnTypes.h"
#include "ir/types.h"

namespace openqnn::api {

// For every Qnn_DataType_t whose elements have one size: none for text and for numbers that name no type.
// Types of fewer than 8 bits lie one to a byte, as the backend takes them (ours).
inline std::optional<uint32_t> stored_bytes(uint32_t data_type) {
  if (const auto known = ir::data_type_from(data_type)) return static_cast<uint32_t>(ir::byte_size(*known));
  switch (data_type) {  // types that no op of ours computes on
    case QNN_DATATYPE_INT_2:
    case QNN_DATATYPE_INT_4:
    case QNN_DATATYPE_UINT_2:
    case QNN_DATATYPE_UINT_4:
    case QNN_DATATYPE_FLOAT_4:
    case QNN_DATATYPE_FLOAT_8:
    case QNN_DATATYPE_SFIXED_POINT_2:
    case QNN_DATATYPE_UFIXED_POINT_2:
      return 1;
    case QNN_DATATYPE_BFLOAT_16:
      return 2;
    default:
      return std::nullopt;
  }
}

}  // namespace openqnn::api
