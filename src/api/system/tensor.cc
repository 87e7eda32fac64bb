// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemTensor.h
#include "System/QnnSystemTensor.h"
#include "api/answer.h"
#include "api/convert.h"
#include "api/system/stored_bytes.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

Outcome<uint64_t> element_bytes(const Qnn_TensorV1_t& fields) {
  const uint32_t type = number_of(fields.dataType);
  if (const auto bytes = stored_bytes(type)) return uint64_t{*bytes};
  if (type == QNN_DATATYPE_STRING)
    return ApiError(
        QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE,
        unsupported("tensor-type", "texts have no common size: their bytes cannot be told from the shape"));
  return ApiError(QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR,
                  invalid("tensor-type", concat("no data type has the number 0x", std::hex, type))
                      .fix_by("set dataType to a QNN_DATATYPE_ value"));
}

// Dense data alone have a size that follows from type and shape.
Outcome<> check_dense(const Qnn_TensorV1_t& fields) {
  if (fields.dataFormat == QNN_TENSOR_DATA_FORMAT_DENSE) return {};
  return ApiError(QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE,
                  unsupported("tensor-format", concat("the bytes of data format ", fields.dataFormat,
                                                      " do not follow from type and shape alone"))
                      .fix_by("ask for a tensor of dense data (format 0)"));
}

// A dynamic dimension counts as what it says, which is its most.
Outcome<uint64_t> footprint_of(const Qnn_Tensor_t& tensor) {
  const uint32_t version = number_of(tensor.version);
  if (version != QNN_TENSOR_VERSION_1 && version != QNN_TENSOR_VERSION_2)
    return ApiError(QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR,
                    invalid("tensor-version", concat("no tensor version has the number ", version))
                        .fix_by("set version to 1 or 2"));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  if (fields.rank > ir::kMaxRank)
    return ApiError(QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR,
                    invalid("tensor-rank", concat("rank ", fields.rank, " is larger than ", ir::kMaxRank)));
  if (fields.rank > 0 && !fields.dimensions)
    return ApiError(QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR,
                    invalid("tensor-dimensions",
                            concat("the dimensions of a tensor of rank ", fields.rank, " are null")));
  OPENQNN_TRY(check_dense(fields));
  OPENQNN_ASSIGN(uint64_t bytes, element_bytes(fields));
  for (uint32_t i = 0; i < fields.rank; ++i)
    if (__builtin_mul_overflow(bytes, uint64_t{fields.dimensions[i]}, &bytes))
      return ApiError(QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR,
                      invalid("tensor-size", "the tensor has more bytes than 64 bits can count"));
  return bytes;
}

// The same, with the tensor named in what goes wrong.
Outcome<uint64_t> named_footprint_of(const Qnn_Tensor_t& tensor) {
  Outcome<uint64_t> bytes = footprint_of(tensor);
  if (bytes) return bytes;
  ApiError error = std::move(bytes).error();
  error.diagnostic.where.object = concat("tensor '", name_of(tensor), "'");
  return error;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnSystemTensor_getMemoryFootprint(Qnn_Tensor_t tensor, uint64_t* footprint) {
  return answer("QnnSystemTensor_getMemoryFootprint", [&]() -> Outcome<> {
    if (!footprint) return null_argument(QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT, "footprint");
    OPENQNN_ASSIGN(*footprint, named_footprint_of(tensor));
    return {};
  });
}
