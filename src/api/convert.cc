// SPDX-License-Identifier: BSD-3-Clause
#include "api/convert.h"

#include <cstddef>
#include <cstring>

#include "api/answer.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

static_assert(offsetof(Qnn_TensorV1_t, clientBuf) == offsetof(Qnn_TensorV2_t, clientBuf),
              "version 2 begins with the fields of version 1");
static_assert(static_cast<uint32_t>(ir::DataType::kUfixed8) == QNN_DATATYPE_UFIXED_POINT_8 &&
                  static_cast<uint32_t>(ir::DataType::kSfixed32) == QNN_DATATYPE_SFIXED_POINT_32 &&
                  static_cast<uint32_t>(ir::DataType::kFloat16) == QNN_DATATYPE_FLOAT_16 &&
                  static_cast<uint32_t>(ir::DataType::kFloat32) == QNN_DATATYPE_FLOAT_32 &&
                  static_cast<uint32_t>(ir::DataType::kUint32) == QNN_DATATYPE_UINT_32 &&
                  static_cast<uint32_t>(ir::DataType::kBool8) == QNN_DATATYPE_BOOL_8 &&
                  static_cast<uint32_t>(ir::DataType::kUndefined) == QNN_DATATYPE_UNDEFINED,
              "ir::DataType has the values of Qnn_DataType_t");

Result<ir::DataType> to_type(const Qnn_DataType_t& type) {
  if (const auto known = ir::data_type_from(number_of(type))) return *known;
  return unsupported("tensor-type", concat("data type 0x", std::hex, number_of(type), " is not supported"));
}

Result<ir::Quantization> to_quantization(const Qnn_QuantizeParams_t& params) {
  ir::Quantization result;
  if (number_of(params.encodingDefinition) != QNN_DEFINITION_DEFINED) return result;
  switch (number_of(params.quantizationEncoding)) {
    case QNN_QUANTIZATION_ENCODING_SCALE_OFFSET:
      return ir::Quantization::per_tensor(params.scaleOffsetEncoding.scale,
                                          params.scaleOffsetEncoding.offset);
    case QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET: {
      const Qnn_AxisScaleOffset_t& axis = params.axisScaleOffsetEncoding;
      if (axis.numScaleOffsets > 0 && !axis.scaleOffset)
        return invalid("tensor-encoding-null", "the list of scales and offsets is null");
      if (axis.axis < 0)
        return invalid("tensor-encoding-axis", concat("quantization axis ", axis.axis, " is negative"));
      result.kind = ir::Quantization::Kind::kPerAxis;
      result.axis = static_cast<uint32_t>(axis.axis);
      for (uint32_t i = 0; i < axis.numScaleOffsets; ++i)
        result.encodings.push_back({axis.scaleOffset[i].scale, axis.scaleOffset[i].offset});
      return result;
    }
    case QNN_QUANTIZATION_ENCODING_UNDEFINED:
      return result;
    default:
      return unsupported("tensor-encoding",
                         concat("quantization encoding ", number_of(params.quantizationEncoding),
                                " is not supported; scale-offset (0) and axis scale-offset (1) are"));
  }
}

Result<ir::TensorRole> to_role(const Qnn_TensorType_t& type) {
  switch (number_of(type)) {
    case QNN_TENSOR_TYPE_APP_WRITE:
      return ir::TensorRole::kInput;
    case QNN_TENSOR_TYPE_APP_READ:
      return ir::TensorRole::kOutput;
    case QNN_TENSOR_TYPE_NATIVE:
      return ir::TensorRole::kNative;
    case QNN_TENSOR_TYPE_STATIC:
      return ir::TensorRole::kStatic;
    default:
      return unsupported("tensor-kind", concat("tensor type ", number_of(type), " is not supported; ",
                                               "APP_WRITE, APP_READ, NATIVE and STATIC are"));
  }
}

ir::Blob copy_data(const Qnn_ClientBuffer_t& buffer) {
  const auto* bytes = static_cast<const std::byte*>(buffer.data);
  return std::make_shared<const std::vector<std::byte>>(bytes, bytes + (bytes ? buffer.dataSize : 0));
}

// A value of the width its type says, from the union of a scalar.
std::vector<std::byte> scalar_bytes(const Qnn_Scalar_t& scalar, ir::DataType type) {
  std::vector<std::byte> bytes(ir::byte_size(type));
  std::memcpy(bytes.data(), &scalar.uint64Value, bytes.size());
  return bytes;
}

Result<ir::Param> to_param(const Qnn_Param_t& param) {
  if (!param.name) return invalid("param-name", "a parameter has no name");
  ir::Param result;
  result.name = param.name;
  if (number_of(param.paramType) == QNN_PARAMTYPE_SCALAR) {
    OPENQNN_ASSIGN(result.type, to_type(param.scalarParam.dataType));
    result.data = scalar_bytes(param.scalarParam, result.type);
    return result;
  }
  if (number_of(param.paramType) != QNN_PARAMTYPE_TENSOR)
    return invalid("param-kind",
                   concat("parameter kind ", number_of(param.paramType), " is neither scalar nor tensor"));
  OPENQNN_ASSIGN(const ir::TensorDesc desc, to_desc(param.tensorParam));
  const Qnn_ClientBuffer_t& buffer = common_fields(param.tensorParam).clientBuf;
  const uint64_t expected = ir::plain_bytes(desc);
  if (!buffer.data || buffer.dataSize != expected)
    return invalid("param-data", concat("the data has ", buffer.data ? buffer.dataSize : 0, " bytes where ",
                                        desc.shape.to_string(), " needs ", expected));
  const auto* bytes = static_cast<const std::byte*>(buffer.data);
  result.type = desc.type;
  result.shape = desc.shape;
  result.data.assign(bytes, bytes + buffer.dataSize);
  return result;
}

}  // namespace

const Qnn_TensorV1_t& common_fields(const Qnn_Tensor_t& tensor) { return tensor.v1; }
Qnn_TensorV1_t& common_fields(Qnn_Tensor_t& tensor) { return tensor.v1; }

std::string name_of(const Qnn_Tensor_t& tensor) {
  const uint32_t version = number_of(tensor.version);
  const bool readable = version == QNN_TENSOR_VERSION_1 || version == QNN_TENSOR_VERSION_2;
  const char* name = readable ? common_fields(tensor).name : nullptr;
  return name ? name : "(no name)";
}

bool is_absent(const Qnn_Tensor_t& tensor) {
  return number_of(common_fields(tensor).type) == QNN_TENSOR_TYPE_NULL;
}

Status check_version(const Qnn_Tensor_t& tensor) {
  if (number_of(tensor.version) == QNN_TENSOR_VERSION_1) return {};
  if (number_of(tensor.version) != QNN_TENSOR_VERSION_2)
    return unsupported("tensor-version", concat("tensor version ", number_of(tensor.version),
                                                " is not supported; 1 and 2 are"));
  for (uint32_t i = 0; tensor.v2.isDynamicDimensions && i < tensor.v2.rank; ++i)
    if (tensor.v2.isDynamicDimensions[i])
      return unsupported("tensor-dynamic", concat("dimension ", i, " is dynamic"))
          .fix_by("fix every dimension");
  return {};
}

Result<ir::TensorDesc> to_desc(const Qnn_Tensor_t& tensor) {
  OPENQNN_TRY(check_version(tensor));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  if (fields.rank > ir::kMaxRank)
    return unsupported("tensor-rank", concat("rank ", fields.rank, " is larger than ", ir::kMaxRank));
  if (fields.rank > 0 && !fields.dimensions) return invalid("tensor-dimensions", "the dimensions are null");
  if (fields.dataFormat != QNN_TENSOR_DATA_FORMAT_DENSE)
    return unsupported("tensor-format",
                       concat("data format ", fields.dataFormat, " is not supported; dense (0) is"));
  ir::TensorDesc desc;
  OPENQNN_ASSIGN(desc.type, to_type(fields.dataType));
  desc.shape = ir::Shape(std::span<const uint32_t>(fields.dimensions, fields.rank));
  OPENQNN_ASSIGN(desc.quantization, to_quantization(fields.quantizeParams));
  desc.is_static = number_of(fields.type) == QNN_TENSOR_TYPE_STATIC;
  OPENQNN_TRY(ir::check(desc));
  return desc;
}

Result<ir::Tensor> to_tensor(const Qnn_Tensor_t& tensor) {
  ir::Tensor result;
  OPENQNN_ASSIGN(result.desc, to_desc(tensor));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  if (!fields.name || !*fields.name) return invalid("tensor-name", "the tensor has no name");
  result.name = fields.name;
  OPENQNN_ASSIGN(result.role, to_role(fields.type));
  if (result.role == ir::TensorRole::kStatic) {
    if (number_of(fields.memType) != QNN_TENSORMEMTYPE_RAW)
      return unsupported("tensor-memory", "static data must come in a raw client buffer");
    result.data = copy_data(fields.clientBuf);
  }
  return result;
}

Result<ir::Params> to_params(std::span<const Qnn_Param_t> params) {
  ir::Params result;
  for (const Qnn_Param_t& param : params) {
    auto converted = to_param(param);
    if (!converted) {
      Diagnostic diagnostic = std::move(converted).error();
      diagnostic.notes.push_back(concat("in parameter '", param.name ? param.name : "(no name)", "'"));
      return diagnostic;
    }
    result.add(*std::move(converted));
  }
  return result;
}

}  // namespace openqnn::api
