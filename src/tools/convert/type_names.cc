// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/type_names.h"

namespace openqnn::tools::convert {

std::string_view type_constant(ir::DataType type) {
  using ir::DataType;
  switch (type) {
    case DataType::kInt8:
      return "QNN_DATATYPE_INT_8";
    case DataType::kInt16:
      return "QNN_DATATYPE_INT_16";
    case DataType::kInt32:
      return "QNN_DATATYPE_INT_32";
    case DataType::kInt64:
      return "QNN_DATATYPE_INT_64";
    case DataType::kUint8:
      return "QNN_DATATYPE_UINT_8";
    case DataType::kUint16:
      return "QNN_DATATYPE_UINT_16";
    case DataType::kUint32:
      return "QNN_DATATYPE_UINT_32";
    case DataType::kUint64:
      return "QNN_DATATYPE_UINT_64";
    case DataType::kFloat16:
      return "QNN_DATATYPE_FLOAT_16";
    case DataType::kFloat32:
      return "QNN_DATATYPE_FLOAT_32";
    case DataType::kFloat64:
      return "QNN_DATATYPE_FLOAT_64";
    case DataType::kSfixed4:
      return "QNN_DATATYPE_SFIXED_POINT_4";
    case DataType::kSfixed8:
      return "QNN_DATATYPE_SFIXED_POINT_8";
    case DataType::kSfixed16:
      return "QNN_DATATYPE_SFIXED_POINT_16";
    case DataType::kSfixed32:
      return "QNN_DATATYPE_SFIXED_POINT_32";
    case DataType::kUfixed4:
      return "QNN_DATATYPE_UFIXED_POINT_4";
    case DataType::kUfixed8:
      return "QNN_DATATYPE_UFIXED_POINT_8";
    case DataType::kUfixed16:
      return "QNN_DATATYPE_UFIXED_POINT_16";
    case DataType::kUfixed32:
      return "QNN_DATATYPE_UFIXED_POINT_32";
    case DataType::kBool8:
      return "QNN_DATATYPE_BOOL_8";
    case DataType::kUndefined:
      break;
  }
  return "QNN_DATATYPE_UNDEFINED";
}

std::string_view role_constant(ir::TensorRole role) {
  switch (role) {
    case ir::TensorRole::kInput:
      return "QNN_TENSOR_TYPE_APP_WRITE";
    case ir::TensorRole::kOutput:
      return "QNN_TENSOR_TYPE_APP_READ";
    case ir::TensorRole::kNative:
      return "QNN_TENSOR_TYPE_NATIVE";
    case ir::TensorRole::kStatic:
      break;
  }
  return "QNN_TENSOR_TYPE_STATIC";
}

}  // namespace openqnn::tools::convert
