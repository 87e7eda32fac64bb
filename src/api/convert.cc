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

// Optional inputs and outputs are inputs and outputs: HTP takes no null tensors at execute, so they must be
// passed there all the same.
Result<ir::TensorRole> to_role(const Qnn_TensorType_t& type) {
  switch (number_of(type)) {
    case QNN_TENSOR_TYPE_APP_WRITE:
    case QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE:
    case QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE:
      return ir::TensorRole::kInput;
    case QNN_TENSOR_TYPE_APP_READ:
    case QNN_TENSOR_TYPE_UPDATEABLE_APP_READ:
    case QNN_TENSOR_TYPE_OPTIONAL_APP_READ:
      return ir::TensorRole::kOutput;
    case QNN_TENSOR_TYPE_NATIVE:
    case QNN_TENSOR_TYPE_UPDATEABLE_NATIVE:
      return ir::TensorRole::kNative;
    case QNN_TENSOR_TYPE_STATIC:
    case QNN_TENSOR_TYPE_UPDATEABLE_STATIC:
      return ir::TensorRole::kStatic;
    case QNN_TENSOR_TYPE_APP_READWRITE:
    case QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE:
    case QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE:
      return unsupported("tensor-kind",
                         concat("tensor type ", number_of(type),
                                " (READWRITE) is not supported: an op may not write its input"))
          .fix_by("create one APP_WRITE and one APP_READ tensor");
    default:
      return invalid("tensor-kind",
                     concat("tensor type ", number_of(type), " is none that a graph tensor has"));
  }
}

bool is_updateable(const Qnn_TensorType_t& type) {
  const uint32_t number = number_of(type);
  return number >= QNN_TENSOR_TYPE_UPDATEABLE_STATIC && number <= QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE;
}

// Dense is what all but four ops compute on. Layouts other than that and sparse say why they are refused.
Status check_format(Qnn_TensorDataFormat_t format) {
  if (format == QNN_TENSOR_DATA_FORMAT_DENSE || format == QNN_TENSOR_DATA_FORMAT_SPARSE) return {};
  const char* why = "it is not one that the HTP API 5.39 names";
  if (format == QNN_TENSOR_DATA_FORMAT_CODEBOOK || format == QNN_TENSOR_DATA_FORMAT_MX)
    why = "code books and MX blocks: no op of HTP is listed with them";
  else if (format == QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT)
    why = "the matrix unit's own layout: plain tensors are laid out so by finalize";
  else if (format >= QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888 && format <= QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV)
    why = "UBWC images: the compression is not public, and only some automotive parts take it";
  return unsupported("tensor-format", concat("data format ", format, " is not supported (", why, ")"))
      .fix_by("pass dense data (format 0)");
}

// What a client says of the places that a sparse tensor has values at. A dense one has no such places,
// whatever stands there.
Result<ir::Sparsity> to_sparsity(const Qnn_Tensor_t& tensor) {
  if (common_fields(tensor).dataFormat != QNN_TENSOR_DATA_FORMAT_SPARSE) return ir::Sparsity{};
  if (number_of(tensor.version) != QNN_TENSOR_VERSION_2)
    return invalid("tensor-sparse", "a sparse tensor of version 1 cannot say where its values are")
        .fix_by("use version 2, and set sparseParams");
  const Qnn_SparseParams_t& params = tensor.v2.sparseParams;
  if (number_of(params.type) != QNN_SPARSE_LAYOUT_HYBRID_COO)
    return unsupported("tensor-sparse", concat("sparse layout ", number_of(params.type), " is not supported"))
        .fix_by("use QNN_SPARSE_LAYOUT_HYBRID_COO (0)");
  const auto [elements, dimensions] = params.hybridCoo;
  if (dimensions == 0)
    return invalid("tensor-sparse", "a sparse tensor has no sparse dimension")
        .fix_by("set numSparseDimensions to 1 or more, counted from the outermost");
  return ir::Sparsity{elements, dimensions};
}

// Where a tensor's data will be. Only static ones have any yet; a memory handle comes with each execute, and
// a tensor created for one names none.
Status check_memory(const Qnn_TensorV1_t& fields, ir::TensorRole role) {
  const uint32_t memory = number_of(fields.memType);
  if (memory == QNN_TENSORMEMTYPE_RETRIEVE_RAW)
    return unsupported("tensor-memory", "data that the backend retrieves by callback are not supported")
        .fix_by("pass them in a raw client buffer");
  if (role == ir::TensorRole::kStatic && memory != QNN_TENSORMEMTYPE_RAW)
    return unsupported("tensor-memory", "static data must come in a raw client buffer");
  if (memory == QNN_TENSORMEMTYPE_RAW || memory == QNN_TENSORMEMTYPE_MEMHANDLE ||
      memory == QNN_TENSORMEMTYPE_UNDEFINED)
    return {};
  return invalid("tensor-memory", concat("no memory type has the number ", memory));
}

// How executes will pass the tensor. Only inputs and outputs are passed: of the others it says nothing.
ir::ClientMemory declared_memory(const Qnn_TensorV1_t& fields, ir::TensorRole role) {
  const bool is_passed = ir::is_io(role);
  return is_passed && number_of(fields.memType) == QNN_TENSORMEMTYPE_MEMHANDLE ? ir::ClientMemory::kMemHandle
                                                                               : ir::ClientMemory::kRaw;
}

ir::Blob copy_data(const Qnn_ClientBuffer_t& buffer, const ir::TensorDesc& desc) {
  const auto* bytes = static_cast<const std::byte*>(buffer.data);
  std::vector<std::byte> copy(bytes, bytes + (bytes ? buffer.dataSize : 0));
  const uint32_t bits = counting_bits(desc.type, desc.quantization);
  if (bits != 0 && ir::is_quantized(desc.type)) keep_low_bits(copy, desc.type, bits);
  return ir::Blob::of(std::move(copy));
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
  if (desc.is_sparse()) return unsupported("param-sparse", "a parameter cannot be a sparse tensor");
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

bool has_known_version(const Qnn_Tensor_t& tensor) {
  const uint32_t version = number_of(tensor.version);
  return version == QNN_TENSOR_VERSION_1 || version == QNN_TENSOR_VERSION_2;
}

}  // namespace

Status check_dense(Qnn_TensorDataFormat_t format) {
  OPENQNN_TRY(check_format(format));
  if (format == QNN_TENSOR_DATA_FORMAT_DENSE) return {};
  return invalid("tensor-format", "it is passed as a sparse tensor, but inputs and outputs are dense")
      .fix_by("pass dense data (format 0)");
}

const Qnn_TensorV1_t& common_fields(const Qnn_Tensor_t& tensor) { return tensor.v1; }
Qnn_TensorV1_t& common_fields(Qnn_Tensor_t& tensor) { return tensor.v1; }

std::string name_of(const Qnn_Tensor_t& tensor) {
  const char* name = has_known_version(tensor) ? common_fields(tensor).name : nullptr;
  return name ? name : "(no name)";
}

bool is_absent(const Qnn_Tensor_t& tensor) {
  return has_known_version(tensor) && number_of(common_fields(tensor).type) == QNN_TENSOR_TYPE_NULL;
}

Status check_version(const Qnn_Tensor_t& tensor) {
  if (!has_known_version(tensor))
    return unsupported("tensor-version", concat("tensor version ", number_of(tensor.version),
                                                " is not supported; 1 and 2 are"));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  if (fields.rank > ir::kMaxRank)
    return unsupported("tensor-rank", concat("rank ", fields.rank, " is larger than ", ir::kMaxRank));
  if (number_of(tensor.version) == QNN_TENSOR_VERSION_1) return {};
  for (uint32_t i = 0; tensor.v2.isDynamicDimensions && i < tensor.v2.rank; ++i)
    if (tensor.v2.isDynamicDimensions[i])
      return unsupported("tensor-dynamic", concat("dimension ", i, " is dynamic, which HTP does not support"))
          .fix_by("fix every dimension");
  return {};
}

Result<ir::TensorDesc> to_desc(const Qnn_Tensor_t& tensor) {
  OPENQNN_TRY(check_version(tensor));
  const Qnn_TensorV1_t& fields = common_fields(tensor);
  if (fields.rank > 0 && !fields.dimensions) return invalid("tensor-dimensions", "the dimensions are null");
  OPENQNN_TRY(check_format(fields.dataFormat));
  ir::TensorDesc desc;
  OPENQNN_ASSIGN(desc.type, to_type(fields.dataType));
  desc.shape = ir::Shape(std::span<const uint32_t>(fields.dimensions, fields.rank));
  OPENQNN_ASSIGN(desc.sparsity, to_sparsity(tensor));
  OPENQNN_TRY(ir::check(desc));  // before the encoding, whose lists are as long as the shape says
  OPENQNN_ASSIGN(desc.quantization, to_quantization(fields.quantizeParams, desc.shape, desc.type));
  const uint32_t type = number_of(fields.type);
  desc.is_static = type == QNN_TENSOR_TYPE_STATIC || type == QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
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
  result.updateable = is_updateable(fields.type);
  OPENQNN_TRY(check_memory(fields, result.role));
  result.client_memory = declared_memory(fields, result.role);
  if (result.role == ir::TensorRole::kStatic) result.data = copy_data(fields.clientBuf, result.desc);
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
