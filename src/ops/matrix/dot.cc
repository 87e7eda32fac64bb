// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/dot.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "base/units.h"
#include "ops/common.h"
#include "ops/elementwise/activation.h"

namespace openqnn::ops {
namespace {

using ir::DataType;
using ir::Layout;
using Kind = ir::Quantization::Kind;

// No exact sum overflows. The largest |stored + offset| with the limits of validate.cc, stored forms
// included: 16-bit activations, 8-bit ones (also weights), symmetric 16-bit weights.
constexpr int64_t kLargestActivation16 = UINT16_MAX + (1 << 17) + (1 << 15);
constexpr int64_t kLargest8 = UINT8_MAX + (1 << 16) + 128;
constexpr int64_t kLargestSymmetric16 = 1 << 15;
constexpr bool sum_fits(int64_t activation, int64_t weight) {
  const int64_t room = std::numeric_limits<int64_t>::max() - (int64_t{1} << 32);  // for the bias
  return activation * weight <= room / static_cast<int64_t>(kMaxSumLength);
}
static_assert(sum_fits(kLargest8, kLargest8));
static_assert(sum_fits(kLargestActivation16, kLargest8));
static_assert(sum_fits(kLargestActivation16, kLargestSymmetric16));

bool is_16_bit(DataType type) { return ir::byte_size(type) == 2; }

// The offset that 16-bit weights must have.
int32_t symmetric_offset(const ir::TensorDesc& desc) {
  if (desc.type != DataType::kUfixed16) return 0;
  return -(1 << ((desc.quantization.bits ? desc.quantization.bits : 16) - 1));
}

// Whether a bias is a number of accumulator steps: see IntegerSum.
bool bias_counts_steps(const OpCall& call, const WeightMatrices& matrices) {
  return !is_16_bit(call.in(kInput).type) && !scales_differ_in_a_column(call.in(kWeight), matrices);
}

// What a step of a sum stands for, with one of the weights' encodings.
double accumulator_unit(const OpCall& call, size_t encoding) {
  return static_cast<double>(call.in(kInput).quantization.at(0).scale) *
         static_cast<double>(call.in(kWeight).quantization.encodings[encoding].scale);
}

double real_bias(const ir::TensorDesc& bias, const std::byte* data, uint64_t channel, double unit) {
  const int64_t stored = load_integer(bias.type, data, channel);
  const ir::ScaleOffset& encoding = bias.quantization.at(static_cast<uint32_t>(channel));
  // Documented: a scale of 0 follows from input and weights.
  return encoding.scale == 0.0F ? static_cast<double>(stored) * unit : dequantize(stored, encoding);
}

int32_t bias_in_steps(const ir::TensorDesc& bias, const std::byte* data, uint64_t channel, double unit) {
  if (bias.type == DataType::kInt32) return load<int32_t>(data, channel);
  return quantize_steps(real_bias(bias, data, channel, unit) / unit, 0,
                        ir::integer_range(DataType::kSfixed32));
}

Status check_activation(const ir::TensorDesc& desc, std::string_view label) {
  if (!ir::is_quantized(desc.type)) return {};
  const uint32_t bits = desc.quantization.bits;
  if (bits == 0 || bits == 8 * ir::byte_size(desc.type)) return {};
  return unsupported("op-encoding", concat("the ", label, " has a bit width of ", bits,
                                           "; only weights may use fewer bits than their type has"));
}

Status check_many_encodings(const ir::TensorDesc& weight, const WeightMatrices& matrices,
                            std::optional<uint32_t> other_axis) {
  const ir::Quantization& quantization = weight.quantization;
  const bool per_axis = quantization.kind == Kind::kPerAxis;
  const std::string_view per = per_axis ? "channel" : "block";
  if (per_axis && quantization.axis != matrices.column_axis && quantization.axis != other_axis)
    return invalid("op-encoding", concat("the weights' encodings lie along axis ", quantization.axis,
                                         " where output channels are axis ", matrices.column_axis));
  if (weight.type != DataType::kSfixed8)
    return unsupported("op-encoding", concat("weights of type ", ir::name(weight.type),
                                             " cannot have an encoding per ", per))
        .fix_by("use sfx8 with offset 0");
  if (!weight.is_static && weight.layout == Layout::kPlain)
    return unsupported("op-encoding", concat("weights with an encoding per ", per, " must be static"));
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    if (encoding.offset != 0)
      return unsupported("op-encoding", concat("an offset of the weights is ", encoding.offset,
                                               ": encodings per ", per, " must be symmetric"))
          .fix_by("use offset 0");
  return {};
}

Status check_weight_encoding(const ir::TensorDesc& weight, const WeightMatrices& matrices,
                             std::optional<uint32_t> other_axis) {
  if (!ir::is_quantized(weight.type)) return {};
  const ir::Quantization& quantization = weight.quantization;
  if (quantization.kind == Kind::kNone || quantization.encodings.empty())
    return invalid("op-encoding", concat("the weights are ", ir::name(weight.type), " but have no encoding"))
        .fix_by("set a scale-offset encoding, or one per output channel");
  if (quantization.kind != Kind::kPerTensor) OPENQNN_TRY(check_many_encodings(weight, matrices, other_axis));
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    if (!(encoding.scale > 0.0F))
      return invalid("op-encoding", concat("a scale of the weights is ", encoding.scale))
          .fix_by("every scale must be above 0");
  const int32_t offset = quantization.encodings[0].offset;
  if (is_16_bit(weight.type) && offset != symmetric_offset(weight))
    return unsupported("op-encoding", concat("16-bit weights must be symmetric, and have offset ", offset))
        .fix_by(concat("use offset ", symmetric_offset(weight),
                       weight.type == DataType::kUfixed16 ? ", or sfx16 with offset 0" : ""));
  constexpr uint32_t kNibbleBits = 4;
  if (weight.layout == Layout::kHmx4 && (quantization.bits == 0 || quantization.bits > kNibbleBits))
    return invalid("op-layout", "weights stored as nibbles must say that they have at most 4 bits");
  return {};
}

}  // namespace

bool scales_differ_in_a_column(const ir::TensorDesc& weight, const WeightMatrices& matrices) {
  const ir::Quantization& quantization = weight.quantization;
  if (quantization.kind == Kind::kPerBlock) return true;
  return quantization.kind == Kind::kPerAxis && quantization.axis != matrices.column_axis;
}

Status check_sum_length(uint64_t k) {
  if (k <= kMaxSumLength) return {};
  return invalid("op-shape",
                 concat("each output sums ", k, " products; at most ", kMaxSumLength, " are supported"));
}

Status check_encodings(const OpCall& call, const WeightMatrices& matrices,
                       std::optional<uint32_t> other_axis) {
  OPENQNN_TRY(check_activation(call.in(kInput), "input"));
  OPENQNN_TRY(check_activation(call.out(), "output"));
  return check_weight_encoding(call.in(kWeight), matrices, other_axis);
}

Status check_bias(const OpCall& call, const WeightMatrices& matrices, uint32_t channels) {
  const ir::TensorDesc& bias = call.in(kBias);
  OPENQNN_TRY(expect_shape("bias", bias.shape, {channels}));
  const bool many_steps = scales_differ_in_a_column(call.in(kWeight), matrices);
  if (bias.type == DataType::kInt32 && many_steps)
    return invalid("op-encoding",
                   "the bias counts accumulator steps, and the weights' encodings give them no one size");
  if (!ir::is_quantized(bias.type)) return {};
  OPENQNN_TRY(check_activation(bias, "bias"));
  const ir::Quantization& quantization = bias.quantization;
  if (quantization.kind == Kind::kNone || quantization.encodings.empty())
    return invalid("op-encoding", concat("the bias is ", ir::name(bias.type), " but has no encoding"))
        .fix_by("set a scale-offset encoding; for sfx32, scale 0 stands for input scale times weight scale");
  if (bias.type == DataType::kUfixed8) {
    if (quantization.kind != Kind::kPerTensor || !(quantization.encodings[0].scale > 0.0F))
      return invalid("op-encoding", "a bias of type ufx8 needs one encoding with a scale above 0");
    return {};
  }
  if (quantization.kind == Kind::kPerBlock)
    return unsupported("op-encoding", "the bias has an encoding per block")
        .fix_by("use one, or one per channel");
  for (const ir::ScaleOffset& encoding : quantization.encodings) {
    if (encoding.offset != 0)
      return invalid("op-encoding", concat("the bias has offset ", encoding.offset,
                                           ": biases of type sfx32 must be symmetric"))
          .fix_by("use offset 0");
    if (many_steps && encoding.scale == 0.0F)
      return invalid("op-encoding", "the bias has scale 0, and the weights' encodings give it no one scale")
          .fix_by("give the bias a scale above 0");
  }
  return {};
}

std::optional<StoredOperand> store_bias(const OpCall& call, const ir::Blob& data,
                                        const WeightMatrices& matrices) {
  const ir::TensorDesc& bias = call.in(kBias);
  if (!ir::is_quantized(bias.type) || !bias_counts_steps(call, matrices)) return std::nullopt;
  StoredOperand stored{.desc = bias, .data = {}};
  stored.desc.type = DataType::kInt32;
  stored.desc.quantization = {};
  std::vector<std::byte> steps(bias.shape.elements() * sizeof(int32_t));
  const WeightReader weights(call.in(kWeight), nullptr, matrices);
  for (uint64_t channel = 0; channel < bias.shape[0]; ++channel) {
    // The weights of a matrix product's batch share one encoding per column.
    const uint64_t group = channel / matrices.columns;
    const size_t encoding = weights.encoding(group, 0, channel % matrices.columns);
    save(steps.data(), channel, bias_in_steps(bias, data.data(), channel, accumulator_unit(call, encoding)));
  }
  stored.data = ir::Blob::of(std::move(steps));
  return stored;
}

std::vector<std::string_view> stored_rows() {
  return {"ufx8,ufx8,i32 -> ufx8", "ufx8,sfx8,i32 -> ufx8", "sfx8,ufx8,i32 -> sfx8", "sfx8,sfx8,i32 -> sfx8",
          "ufx8,sfx8,ufx8 -> ufx8"};
}

uint64_t dot_scratch(const OpCall& call, const WeightMatrices& matrices) {
  static_assert(sizeof(int32_t) == sizeof(float));
  const bool fixed = ir::is_quantized(call.in(kWeight).type);
  const bool blocks = fixed && (call.in(kInput).type == DataType::kFloat16 ||
                                scales_differ_in_a_column(call.in(kWeight), matrices));
  return room_for<float>(matrices.k()) + (blocks ? room_for<size_t>(matrices.k()) : 0);
}

// ---- Fixed-point activations ----

ColumnTerms column_terms(const OpCall& call, const std::byte* bias, const WeightReader& weights,
                         const WeightMatrices& matrices, uint64_t group, uint64_t column, uint64_t channel) {
  ColumnTerms terms{.unit = accumulator_unit(call, weights.encoding(group, 0, column))};
  if (!bias) return terms;
  if (bias_counts_steps(call, matrices))
    terms.start = bias_in_steps(call.in(kBias), bias, channel, terms.unit);
  else
    terms.real_bias = real_bias(call.in(kBias), bias, channel, terms.unit);
  return terms;
}

IntegerSum::IntegerSum(const KernelArgs& args, const WeightMatrices& matrices)
    : memory_(args),
      input_(args.inputs[kInput]),
      input_offset_(args.call.in(kInput).quantization.at(0).offset),
      weights_(memory_.vector<int32_t>(matrices.k())),
      call_(args.call),
      matrices_(matrices),
      bias_(optional_input(args, kBias)),
      output_(args.outputs[0]),
      reader_(args.call.in(kWeight), args.inputs[kWeight], matrices),
      blocked_(scales_differ_in_a_column(args.call.in(kWeight), matrices)),
      blocks_(memory_.vector<size_t>(blocked_ ? matrices.k() : 0)) {}

void IntegerSum::column(uint64_t group, uint64_t column, uint64_t channel) {
  const ir::TensorDesc& weight = call_.in(kWeight);
  const size_t first = reader_.encoding(group, 0, column);
  const int32_t offset = weight.quantization.encodings[first].offset;  // the same for all of the column
  const bool limited = is_16_bit(weight.type);
  for (uint64_t k = 0; k < weights_.size(); ++k) {
    weights_[k] = reader_.stored(group, k, column) + offset;
    if (limited) weights_[k] = std::min(weights_[k], kLargestWeight16);
    if (blocked_) blocks_[k] = reader_.encoding(group, k, column);
  }
  terms_ = column_terms(call_, bias_, reader_, matrices_, group, column, channel);
}

void IntegerSum::close_block(size_t next) {
  real_ += static_cast<double>(sum_) * accumulator_unit(call_, block_);
  sum_ = 0;
  block_ = next;
}

void IntegerSum::end(uint64_t out) {
  const DataType type = call_.out().type;
  const IntegerRange range = ir::integer_range(type);
  const ir::ScaleOffset& encoding = call_.out().quantization.at(0);
  const auto scale = static_cast<double>(encoding.scale);
  double steps = static_cast<double>(sum_) * (terms_.unit / scale) + terms_.real_bias / scale;
  if (blocked_) {
    close_block(block_);
    steps = (real_ + terms_.real_bias) / scale;
  }
  save_integer(type, output_, out,
               quantize_steps(steps, encoding.offset, range));  // clips what is folded, too
}

// ---- Half activations ----

HalfDot::HalfDot(const KernelArgs& args, const WeightMatrices& matrices)
    : memory_(args),
      call_(args.call),
      input_(args.inputs[kInput]),
      reader_(args.call.in(kWeight), args.inputs[kWeight], matrices),
      odd_mask_(args.call.half_accumulation == soc::HalfAccumulation::kEvenOdd ? 1 : 0),
      weights_(memory_.vector<float>(matrices.k())),
      bias_(optional_input(args, kBias)),
      output_(args.outputs[0]) {}

void HalfDot::column(uint64_t group, uint64_t column, uint64_t channel) {
  channel_ = channel;
  if (call_.in(kWeight).type != DataType::kFloat16) return;
  for (uint64_t k = 0; k < weights_.size(); ++k) weights_[k] = to_float(reader_.half(group, k, column));
}

void HalfDot::end(uint64_t out) { write(odd_mask_ ? sums_[0] + sums_[1] : sums_[0], out); }

void HalfDot::write(float total, uint64_t out) const {
  if (bias_) total += to_float(load<Half>(bias_, channel_));
  save(output_, out, one_nan(to_half(activate(call_, static_cast<double>(total)))));
}

void HalfByFixedDot::column(uint64_t group, uint64_t column, uint64_t channel) {
  HalfDot::column(group, column, channel);
  const std::vector<ir::ScaleOffset>& encodings = call_.in(kWeight).quantization.encodings;
  for (uint64_t k = 0; k < weights_.size(); ++k) {
    blocks_[k] = reader_.encoding(group, k, column);
    weights_[k] = static_cast<float>(reader_.stored(group, k, column) + encodings[blocks_[k]].offset);
  }
}

void HalfByFixedDot::close_block(size_t next) {
  const float sum = odd_mask_ ? sums_[0] + sums_[1] : sums_[0];
  total_ = std::fma(sum, call_.in(kWeight).quantization.encodings[block_].scale, total_);
  HalfDot::begin();
  block_ = next;
}

void HalfByFixedDot::end(uint64_t out) {
  close_block(block_);
  write(total_, out);
}

// ---- Single precision ----

FloatDot::FloatDot(const KernelArgs& args, const WeightMatrices& matrices)
    : memory_(args),
      call_(args.call),
      input_(args.inputs[kInput]),
      reader_(args.call.in(kWeight), args.inputs[kWeight], matrices),
      weights_(memory_.vector<float>(matrices.k())),
      bias_(optional_input(args, kBias)),
      output_(args.outputs[0]) {}

void FloatDot::column(uint64_t group, uint64_t column, uint64_t channel) {
  channel_ = channel;
  reader_.singles(group, column, weights_);
}

void FloatDot::end(uint64_t out) {
  double total = 0.0;
  for (const float sum : sums_) total += static_cast<double>(sum);
  if (bias_) total += static_cast<double>(load<float>(bias_, channel_));
  save(output_, out, static_cast<float>(activate(call_, total)));
}

// ---- Work ----

uint64_t issued_rows(const OpCall& call, uint64_t rows) {
  return round_up(rows, ir::byte_size(call.in(kInput).type) == 1 ? kHmxRows8 : kHmxRows16);
}

bool has_ragged_rows(const OpCall& call, uint64_t rows) {
  constexpr uint64_t kChunk = 8;
  return call.in(kInput).shape.rank() < 4 && rows > kChunk && rows % kChunk != 0;
}

Work matrix_work(const OpCall& call, uint64_t matrices, uint64_t rows, uint64_t k, uint64_t columns,
                 uint64_t weight_matrices, uint64_t other_bytes) {
  const ir::TensorDesc& weight = call.in(kWeight);
  const Arithmetic arithmetic = arithmetic_of(call.in(kInput));
  // The unit multiplies bytes: a 16-bit weight is two of them (ours).
  const uint64_t passes = arithmetic == Arithmetic::kHalf ? 1 : ir::byte_size(weight.type);
  const uint64_t block = saturating_multiply(round_up(k, kHmxBlock), round_up(columns, kHmxBlock));
  const uint64_t weights = saturating_multiply(weight_matrices, block);
  const uint64_t weight_bytes =
      weight.layout == Layout::kHmx4 ? weights / 2 : saturating_multiply(weights, ir::byte_size(weight.type));
  return {
      .unit = soc::Unit::kHmx,
      .arithmetic = arithmetic,
      .macs = saturating_multiply(saturating_multiply(matrices, passes), saturating_multiply(rows, block)),
      .vtcm_bytes = saturating_add(weight_bytes, other_bytes)};
}

}  // namespace openqnn::ops
