// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/fold.h"

#include "base/text.h"
#include "frontend/onnx/rules/quantization.h"

namespace openqnn::frontend::onnx {

Status need_small_constant(const Inference& node, uint64_t count) {
  if (count <= kLargestMadeConstant) return {};
  return node.not_offered(concat("a constant of ", count, " elements would have to be stored for it"));
}

void copy_element(const Constant& from, uint64_t index, ConstantBuilder& to, uint64_t at) {
  if (is_real(from.type()))
    to.put(at, from.real(index));
  else
    to.put(at, from.integer(index));
}

int64_t wrapped(ElementType type, int64_t value) {
  const uint32_t bits = bits_of(type);
  if (!is_integer(type) || bits >= 64) return value;
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  const bool is_signed = type == ElementType::kInt4 || type == ElementType::kInt8 ||
                         type == ElementType::kInt16 || type == ElementType::kInt32;
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return is_signed ? static_cast<int64_t>((low ^ sign) - sign) : static_cast<int64_t>(low);
}

int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapping_subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t wrapping_multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

std::vector<int64_t> strides_of(const Dims& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = wrapping_multiply(strides[i], dims[i]);
  return strides;
}

View stretched(const Dims& dims, const Dims& out) {
  const std::vector<int64_t> strides = strides_of(dims);
  View view{std::vector<int64_t>(out.size(), 0)};
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1) view.strides[out.size() - dims.size() + i] = strides[i];
  return view;
}

Constant seen_through(const Constant& from, const Dims& dims, const View& view, Dims out) {
  ConstantBuilder builder(from.type(), std::move(out));
  walk(dims, {view}, [&](uint64_t index, const std::vector<int64_t>& at) {
    copy_element(from, static_cast<uint64_t>(at[0]), builder, index);
  });
  return builder.take();
}

Status fold_reshaped(Inference& node) {
  OPENQNN_TRY(node.set(0, node.constant(0)->reshaped(node.out_dims(0))));
  if (const auto& given = node.in(0).encoding)
    node.keep_encoding(0, reshaped_encoding(*given, node.dims(0), node.out_dims(0)));
  return {};
}

AxisSplit around(const Dims& dims, size_t axis) {
  AxisSplit split;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t& part = i < axis ? split.before : i == axis ? split.extent : split.after;
    part = wrapping_multiply(part, dims[i]);  // overflows only where another dimension is 0
  }
  return split;
}

}  // namespace openqnn::frontend::onnx
