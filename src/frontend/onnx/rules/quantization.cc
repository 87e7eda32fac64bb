// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/quantization.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fold.h"

namespace openqnn::frontend::onnx {
namespace {

// Every form of scale is brought to one number per tensor, per slice or per block.
struct Form {
  ir::Quantization::Kind kind = ir::Quantization::Kind::kPerTensor;
  uint32_t axis = 0;
  ir::Shape block;
};

Result<Form> form_of(const NetNode& node, const Constant& scale, const Dims& dims) {
  Form form;
  const size_t rank = dims.size();
  const int64_t block = node.attributes.integer("block_size", 0);
  if (scale.count() == 1 && block == 0) return form;
  const int64_t axis = node.attributes.integer("axis", 1);
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit)
    return wrong_node(node, concat("axis ", axis, " does not exist in ", text_of(dims)));
  form.axis = static_cast<uint32_t>(counted_axis(axis, rank));
  if (block == 0) {
    if (scale.dims().size() != 1 || scale.dims()[0] != dims[form.axis])
      return wrong_node(node, concat("scales ", text_of(scale.dims()), " do not fit axis ", form.axis, " of ",
                                     text_of(dims)));
    form.kind = ir::Quantization::Kind::kPerAxis;
    return form;
  }
  Dims blocks = dims;
  if (block < 1) return wrong_node(node, concat("its block_size is ", block));
  blocks[form.axis] = (dims[form.axis] + block - 1) / block;
  if (scale.dims() != blocks)
    return wrong_node(node, concat("scales ", text_of(scale.dims()), " do not fit blocks ", text_of(blocks)));
  if (dims[form.axis] % block != 0 || rank > ir::kMaxRank || block > UINT32_MAX)
    return not_offered_node(node, concat("blocks of ", block, " do not divide ", text_of(dims), " evenly"));
  form.kind = ir::Quantization::Kind::kPerBlock;
  for (size_t i = 0; i < rank; ++i) form.block.push_back(i == form.axis ? static_cast<uint32_t>(block) : 1);
  return form;
}

}  // namespace

std::optional<FixedPoint> fixed_point(ElementType type) {
  static constexpr std::pair<ElementType, FixedPoint> kTypes[] = {
      {ElementType::kUint8, {ir::DataType::kUfixed8, 0}},
      {ElementType::kInt8, {ir::DataType::kSfixed8, 0}},
      {ElementType::kUint4, {ir::DataType::kUfixed8, 4}},
      {ElementType::kInt4, {ir::DataType::kSfixed8, 4}},
      {ElementType::kUint16, {ir::DataType::kUfixed16, 0}},
      {ElementType::kInt16, {ir::DataType::kSfixed16, 0}},
      {ElementType::kInt32, {ir::DataType::kSfixed32, 0}},
  };
  const auto* const found = std::ranges::find(kTypes, type, &std::pair<ElementType, FixedPoint>::first);
  return found != std::end(kTypes) ? std::optional(found->second) : std::nullopt;
}

Result<ir::TensorEncoding> encoding_of(const Net& net, const NetNode& node, ElementType type,
                                       const Dims& dims) {
  const auto fixed = fixed_point(type);
  if (!fixed) return not_offered_node(node, concat("integers of type ", name_of(type), " are not computed"));
  const Constant* scale = net.constant(node.input(1));
  const Constant* zero = net.constant(node.input(2));
  const bool has_zero = node.input(2) != kNoValue;
  if (scale == nullptr || (has_zero && zero == nullptr)) {
    return not_offered_node(node, "its scale or zero point is computed by the model")
        .fix_by("quantize the model statically");
  }
  if (zero != nullptr && zero->type() != type)
    return wrong_node(node, concat("its zero point is of type ", name_of(zero->type()), ", its integers of ",
                                   name_of(type)));
  if (zero != nullptr && zero->count() != scale->count())
    return wrong_node(
        node, concat("zero points ", text_of(zero->dims()), " do not fit scales ", text_of(scale->dims())));
  OPENQNN_ASSIGN(const Form form, form_of(node, *scale, dims));
  ir::TensorEncoding encoding{fixed->type, {form.kind, form.axis, fixed->bits, form.block, {}}};
  for (uint64_t i = 0; i < scale->count(); ++i) {
    const auto step = static_cast<float>(scale->real(i));
    if (!(step > 0.0F) || !std::isfinite(step))
      return wrong_node(node, concat("scale ", step, " is not a positive number"));
    const int64_t offset = zero != nullptr ? -zero->integer(i) : 0;
    encoding.quantization.encodings.push_back({step, static_cast<int32_t>(offset)});
  }
  return encoding;
}

std::shared_ptr<const ir::TensorEncoding> transposed_encoding(const ir::TensorEncoding& encoding,
                                                              const Order& order) {
  auto moved = std::make_shared<ir::TensorEncoding>(encoding);
  ir::Quantization& quantization = moved->quantization;
  if (quantization.kind == ir::Quantization::Kind::kPerAxis)
    quantization.axis = inverse(order)[quantization.axis];
  // Blocks are counted row by row; they keep their places only where the dimensions keep theirs.
  if (quantization.kind == ir::Quantization::Kind::kPerBlock && !is_plain(order)) return nullptr;
  return moved;
}

std::shared_ptr<const ir::TensorEncoding> reshaped_encoding(const ir::TensorEncoding& encoding,
                                                            const Dims& from, const Dims& to) {
  auto moved = std::make_shared<ir::TensorEncoding>(encoding);
  ir::Quantization& quantization = moved->quantization;
  if (from == to) return moved;
  if (quantization.kind == ir::Quantization::Kind::kPerBlock) return nullptr;
  if (quantization.kind != ir::Quantization::Kind::kPerAxis) return moved;
  const int64_t before = around(from, quantization.axis).before;
  for (uint32_t i = 0; i < to.size(); ++i) {
    if (to[i] != from[quantization.axis] || around(to, i).before != before) continue;
    quantization.axis = i;
    return moved;
  }
  return nullptr;
}

ir::TensorEncoding integers_themselves(const FixedPoint& type) {
  return {type.type, ir::Quantization::per_tensor(1.0F, 0, type.bits)};
}

ElementEncodings::ElementEncodings(const ir::Quantization& quantization, const Dims& dims)
    : quantization_(quantization) {
  if (quantization.kind == ir::Quantization::Kind::kPerAxis) {
    axis_extent_ = static_cast<uint64_t>(dims[quantization.axis]);
    after_axis_ = static_cast<uint64_t>(extent_between(dims, quantization.axis + 1, dims.size()));
  }
  if (quantization.kind != ir::Quantization::Kind::kPerBlock) return;
  strides_.assign(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides_[i - 1] = strides_[i] * static_cast<uint64_t>(dims[i]);
  for (const int64_t dim : dims) extents_.push_back(static_cast<uint64_t>(dim));
}

const ir::ScaleOffset& ElementEncodings::at(uint64_t index) const {
  if (quantization_.kind == ir::Quantization::Kind::kPerAxis)
    return quantization_.encodings[index / after_axis_ % axis_extent_];
  if (quantization_.kind != ir::Quantization::Kind::kPerBlock) return quantization_.encodings[0];
  uint64_t block = 0;
  for (size_t i = 0; i < extents_.size(); ++i) {
    const uint64_t at = index / strides_[i] % extents_[i];
    block = block * (extents_[i] / quantization_.block[i]) + at / quantization_.block[i];
  }
  return quantization_.encodings[block];
}

}  // namespace openqnn::frontend::onnx
