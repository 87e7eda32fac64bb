// SPDX-License-Identifier: BSD-3-Clause
#include "ops/movement/scalar.h"

#include "base/text.h"
#include "ops/elements.h"

namespace openqnn::ops {

Status check_fill(const OpCall& call, std::string_view param, const ir::TensorDesc& tensor) {
  using ir::DataType;
  const ir::Param* given = call.params->find(param);
  if (!given) return {};
  const DataType type = given->type;
  const bool other_float = ir::is_float(type) && type != DataType::kFloat32;
  if (other_float || type == DataType::kUndefined)
    return invalid("op-param-type", concat("parameter '", param, "' is ", ir::name(type),
                                           ", which is not accepted as a scalar"))
        .fix_by("pass a value as f32, or a stored integer");
  if (ir::is_quantized(type) && !ir::is_quantized(tensor.type))
    return invalid("op-param-type",
                   concat("parameter '", param, "' is ", ir::name(type), " where the tensor is ",
                          ir::name(tensor.type), " and has no encoding"))
        .fix_by("pass the value as f32 or as a plain integer");
  return {};
}

double fill_value(const OpCall& call, std::string_view param, const ir::TensorDesc& tensor, double fallback) {
  const ir::Param* given = call.params->find(param);
  if (!given) return fallback;
  if (given->type == ir::DataType::kFloat32) return load<float>(given->data.data(), 0);
  if (given->type == ir::DataType::kUint64) return static_cast<double>(load<uint64_t>(given->data.data(), 0));
  const int64_t stored = load_integer(given->type, given->data.data(), 0);
  if (!ir::is_quantized(tensor.type)) return static_cast<double>(stored);
  const ir::ScaleOffset& encoding = tensor.quantization.at(0);
  // In double: a client's 64-bit integer plus the offset may not fit one.
  return static_cast<double>(encoding.scale) * (static_cast<double>(stored) + encoding.offset);
}

}  // namespace openqnn::ops
