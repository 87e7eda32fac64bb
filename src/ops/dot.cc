// SPDX-License-Identifier: BSD-3-Clause
#include "ops/dot.h"

#include "base/text.h"
#include "base/units.h"
#include "ops/common.h"
#include "ops/packed_weights.h"
#include "ops/relu.h"

namespace openqnn::ops {
namespace {

using Kind = ir::Quantization::Kind;

const std::byte* optional_input(const KernelArgs& args, size_t index) {
  return args.call.has_input(index) ? args.inputs[index] : nullptr;
}

}  // namespace

Status check_sum_length(uint64_t k) {
  if (k <= kMaxSumLength) return {};
  return invalid("op-shape",
                 concat("each output sums ", k, " products; at most ", kMaxSumLength, " are supported"));
}

Status check_weight_encoding(const ir::TensorDesc& weight, uint32_t axis) {
  if (!ir::is_quantized(weight.type)) return {};
  const ir::Quantization& quantization = weight.quantization;
  if (quantization.kind == Kind::kNone || quantization.encodings.empty())
    return invalid("op-encoding", concat("the weights are ", ir::name(weight.type), " but have no encoding"))
        .fix_by("set a scale-offset encoding, or one per output channel");
  const bool per_axis = quantization.kind == Kind::kPerAxis;
  if (per_axis) {
    if (quantization.axis != axis)
      return invalid("op-encoding", concat("the weights' encodings lie along axis ", quantization.axis,
                                           " where output channels are axis ", axis));
    if (weight.type != ir::DataType::kSfixed8)
      return unsupported("op-encoding", concat("weights of type ", ir::name(weight.type),
                                               " cannot have an encoding per channel"))
          .fix_by("use sfx8 with offset 0");
    if (!weight.is_static && weight.layout == ir::Layout::kPlain)
      return unsupported("op-encoding", "weights with an encoding per channel must be static");
  }
  for (const ir::ScaleOffset& encoding : quantization.encodings) {
    if (!(encoding.scale > 0.0F))
      return invalid("op-encoding", concat("a scale of the weights is ", encoding.scale))
          .fix_by("every scale must be above 0");
    if (per_axis && encoding.offset != 0)
      return unsupported("op-encoding", concat("an offset of the weights is ", encoding.offset,
                                               ": encodings per channel must be symmetric"))
          .fix_by("use offset 0");
  }
  return {};
}

Status check_bias(const ir::TensorDesc& bias, uint32_t columns) {
  OPENQNN_TRY(expect_shape("bias", bias.shape, {columns}));
  if (!ir::is_quantized(bias.type)) return {};
  const ir::Quantization& quantization = bias.quantization;
  if (quantization.kind == Kind::kNone || quantization.encodings.empty())
    return invalid("op-encoding", concat("the bias is ", ir::name(bias.type), " but has no encoding"))
        .fix_by("set a scale-offset encoding; for sfx32, scale 0 stands for input scale times weight scale");
  if (bias.type == ir::DataType::kUfixed8) {
    if (quantization.kind != Kind::kPerTensor || !(quantization.encodings[0].scale > 0.0F))
      return invalid("op-encoding", "a bias of type ufx8 needs one encoding with a scale above 0");
    return {};
  }
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    if (encoding.offset != 0)
      return invalid("op-encoding", concat("the bias has offset ", encoding.offset,
                                           ": biases of type sfx32 must be symmetric"))
          .fix_by("use offset 0");
  return {};
}

double accumulator_unit(const OpCall& call, uint32_t column) {
  return static_cast<double>(call.in(0).quantization.at(0).scale) *
         static_cast<double>(call.in(1).quantization.at(column).scale);
}

int32_t bias_in_accumulator_units(const ir::TensorDesc& bias, const std::byte* data, uint32_t column,
                                  double unit) {
  if (bias.type == ir::DataType::kInt32) return load<int32_t>(data, column);
  const ir::ScaleOffset& encoding = bias.quantization.at(column);
  const int32_t stored =
      bias.type == ir::DataType::kSfixed32 ? load<int32_t>(data, column) : load<uint8_t>(data, column);
  if (encoding.scale == 0.0F) return stored;  // documented: the scale follows from input and weights
  return quantize_steps(dequantize(stored, encoding) / unit, 0, ir::integer_range(ir::DataType::kSfixed32));
}

std::optional<StoredOperand> store_bias(const OpCall& call, const std::byte* data) {
  const ir::TensorDesc& bias = call.in(2);
  if (!ir::is_quantized(bias.type)) return std::nullopt;
  StoredOperand stored{.desc = bias, .data = {}};
  stored.desc.type = ir::DataType::kInt32;
  stored.desc.quantization = {};
  stored.data.resize(bias.shape.elements() * sizeof(int32_t));
  for (uint32_t column = 0; column < bias.shape[0]; ++column)
    save(stored.data.data(), column,
         bias_in_accumulator_units(bias, data, column, accumulator_unit(call, column)));
  return stored;
}

IntegerDot::IntegerDot(const KernelArgs& args)
    : call_(args.call),
      input_(args.inputs[0]),
      weights_(args.inputs[1]),
      bias_(optional_input(args, 2)),
      output_(args.outputs[0]),
      signed_weights_(args.call.in(1).type == ir::DataType::kSfixed8),
      input_offset_(args.call.in(0).quantization.at(0).offset) {}

void IntegerDot::begin(uint32_t column) {
  weight_offset_ = call_.in(1).quantization.at(column).offset;
  unit_ = accumulator_unit(call_, column);
  sum_ = bias_ ? bias_in_accumulator_units(call_.in(2), bias_, column, unit_) : 0;
}

void IntegerDot::end(uint64_t out) const {
  const IntegerRange range = ir::integer_range(call_.out().type);
  const ir::ScaleOffset& encoding = call_.out().quantization.at(0);
  const bool fused = call_.epilogue.activation == Activation::kRelu;
  const ir::ScaleOffset& first = fused ? call_.epilogue.via.at(0) : encoding;
  int32_t stored = quantize_steps(static_cast<double>(sum_) * (unit_ / static_cast<double>(first.scale)),
                                  first.offset, range);
  if (fused) stored = quantize(relu_of(dequantize(stored, first)), encoding, range);
  save(output_, out, static_cast<uint8_t>(stored));
}

HalfDot::HalfDot(const KernelArgs& args)
    : call_(args.call),
      input_(args.inputs[0]),
      weights_(args.inputs[1]),
      bias_(optional_input(args, 2)),
      output_(args.outputs[0]),
      odd_mask_(args.call.half_accumulation == soc::HalfAccumulation::kEvenOdd ? 1 : 0) {}

void HalfDot::begin(uint32_t column) {
  column_ = column;
  sums_[0] = sums_[1] = 0.0F;
}

void HalfDot::end(uint64_t out) const {
  float total = odd_mask_ ? sums_[0] + sums_[1] : sums_[0];
  if (bias_) total += to_float(load<Half>(bias_, column_));
  Half rounded = to_half(total);
  if (call_.epilogue.activation == Activation::kRelu)
    rounded = to_half(relu_of(static_cast<double>(to_float(rounded))));
  save(output_, out, rounded);
}

Work matrix_work(const OpCall& call, uint64_t matrices, uint64_t rows, uint64_t k, uint64_t columns,
                 uint64_t vtcm_bytes) {
  const bool half = call.out().type == ir::DataType::kFloat16;
  const uint64_t issued_rows = round_up(rows, half ? kHmxRows16 : kHmxRows8);
  const uint64_t block = saturating_multiply(round_up(k, kHmxBlock), round_up(columns, kHmxBlock));
  return {.unit = soc::Unit::kHmx,
          .macs = saturating_multiply(saturating_multiply(matrices, issued_rows), block),
          .mac_bits = half ? 16U : 8U,
          .vtcm_bytes = vtcm_bytes};
}

}  // namespace openqnn::ops
