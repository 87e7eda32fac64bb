// SPDX-License-Identifier: BSD-3-Clause
// Sums of products, as convolutions and matrix products define them: input 0 times input 1 (the weights) plus
// input 2 (the bias, one per output channel). The three classes below are the specification of our numbers; a
// fast kernel must give the same bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops {

enum : size_t { kInput, kWeight, kBias };

inline const std::byte* optional_input(const KernelArgs& args, size_t index) {
  return args.call.has_input(index) ? args.inputs[index] : nullptr;
}

// The longest sum: with the limits on offsets (validate.cc) an exact sum then fits 64 bits; dot.cc proves it.
inline constexpr uint64_t kMaxSumLength = uint64_t{1} << 28;

Status check_sum_length(uint64_t k);

// The largest weight of 16 bits that the matrix unit holds: it takes the two bytes of a weight as signed
// numbers, of which the upper one is rounded up.
inline constexpr int32_t kLargestWeight16 = 0x7F7F;

// Weights: one encoding, or (signed, static, offset 0) one per output channel or block; 16-bit ones: one,
// symmetric. `other_axis` is a second axis along which encodings may lie. Activations use all bits of their
// type.
Status check_encodings(const OpCall& call, const WeightMatrices& matrices,
                       std::optional<uint32_t> other_axis = std::nullopt);
// 32-bit biases are symmetric; a scale of 0 says that they count accumulator units already.
Status check_bias(const OpCall& call, const WeightMatrices& matrices, uint32_t channels);

// A static bias of an op with 8-bit activations becomes accumulator units (i32); other biases stay.
std::optional<StoredOperand> store_bias(const OpCall& call, const ir::Blob& data,
                                        const WeightMatrices& matrices);

// ---- Fixed-point activations ----

// What a column adds to its sums of integers: see IntegerSum.
struct ColumnTerms {
  double unit = 1.0;       // what a step of the sum stands for
  int64_t start = 0;       // the bias in such steps,
  double real_bias = 0.0;  // or as a real number
};
ColumnTerms column_terms(const OpCall& call, const std::byte* bias, const WeightReader& weights,
                         const WeightMatrices& matrices, uint64_t group, uint64_t column, uint64_t channel);

// Whether products of one column have different scales.
bool scales_differ_in_a_column(const ir::TensorDesc& weight, const WeightMatrices& matrices);

// Scratch of the classes below: a column of weights, and its encodings.
uint64_t dot_scratch(const OpCall& call, const WeightMatrices& matrices);

// Everything about an exact sum of (a + offset) * (w + offset) but reading the activations; it is rounded
// once, to the output. A fused activation follows on what the output would have been without it.
//   Bias: with 8-bit activations it is rounded to steps of the accumulator, ties to even, saturated to 32
//   bits, as the matrix unit takes it. With 16-bit ones, whose steps are too small for 32 bits, and with
//   weights that have an encoding per block it is added to the sum as the real number it stands for (ours).
//   Blocks: products of consecutive k in one block are summed exactly; the sums, times their scales, are
//   added in double in the order of k (ours). 16-bit weights above 0x7F7F count as 0x7F7F, the largest that
//   the matrix unit can hold (saturation: ours).
class IntegerSum {
 public:
  IntegerSum(const KernelArgs& args, const WeightMatrices& matrices);

  // Turns to one column of one weight matrix; its bias is that of `channel`.
  void column(uint64_t group, uint64_t column, uint64_t channel);
  // One sum: begin, some `add` (in a derived class), end, which writes element `out`.
  void begin() {
    sum_ = terms_.start;
    real_ = 0.0;
    block_ = blocks_.empty() ? 0 : blocks_[0];
  }
  void end(uint64_t out);

 protected:
  void add_product(int64_t product, uint64_t k) {
    if (!blocks_.empty() && blocks_[k] != block_) close_block(blocks_[k]);
    sum_ += product;
  }

  KernelMemory memory_;
  const std::byte* input_;
  int64_t input_offset_;
  KernelVector<int32_t> weights_;  // of the column, offsets included

 private:
  void close_block(size_t next);

  const OpCall& call_;
  const WeightMatrices& matrices_;
  const std::byte* bias_;
  std::byte* output_;
  WeightReader reader_;
  bool blocked_;                 // the encoding changes within a column
  KernelVector<size_t> blocks_;  // the encoding of each k, when blocked
  size_t block_ = 0;
  ColumnTerms terms_;  // of the column; its unit counts when not blocked
  int64_t sum_ = 0;
  double real_ = 0.0;  // of the blocks that are done
};

// `Stored` is the activations' integer type.
template <class Stored>
class IntegerDot : public IntegerSum {
 public:
  using IntegerSum::IntegerSum;

  // `count` products from the k-th of the sum on, with activations `stride` elements apart.
  void add(uint64_t first, uint64_t stride, uint64_t k, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      const auto activation = int64_t{load<Stored>(input_, first + i * stride)};
      add_product((activation + input_offset_) * weights_[k + i], k + i);
    }
  }
};

// ---- Half activations ----

// Half weights: products of halves are exact in float; they are added in float in the order of k, starting
// from 0, then the bias, and the total is rounded to half once. kEvenOdd keeps two sums, of the products with
// even and with odd k, and adds them before the bias. k counts the real products of a sum: the position in
// [tap][channel] of a convolution, the row of a matrix; neither the blocks' padding nor the border shifts it.
class HalfDot {
 public:
  HalfDot(const KernelArgs& args, const WeightMatrices& matrices);

  void column(uint64_t group, uint64_t column, uint64_t channel);
  void begin() { sums_[0] = sums_[1] = 0.0F; }
  void add(uint64_t first, uint64_t stride, uint64_t k, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
      sums_[(k + i) & odd_mask_] += to_float(load<Half>(input_, first + i * stride)) * weights_[k + i];
  }
  void end(uint64_t out);

 protected:
  // Adds the bias, rounds and writes.
  void write(float total, uint64_t out) const;

  KernelMemory memory_;
  const OpCall& call_;
  const std::byte* input_;
  WeightReader reader_;
  uint64_t odd_mask_;
  KernelVector<float> weights_;
  float sums_[2] = {};

 private:
  const std::byte* bias_;
  std::byte* output_;
  uint64_t channel_ = 0;
};

// Fixed-point weights: the stored integers (offset included, exact in float) are multiplied and added in
// float by FMA in the order of k; where the encoding changes, and at the end, the sum times its scale is
// added to the total, by FMA as well (ours). kEvenOdd adds its two sums before that.
class HalfByFixedDot : public HalfDot {
 public:
  HalfByFixedDot(const KernelArgs& args, const WeightMatrices& matrices)
      : HalfDot(args, matrices), blocks_(memory_.vector<size_t>(matrices.k())) {}

  void column(uint64_t group, uint64_t column, uint64_t channel);
  void begin() {
    HalfDot::begin();
    total_ = 0.0F;
    block_ = blocks_[0];
  }
  void add(uint64_t first, uint64_t stride, uint64_t k, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      if (blocks_[k + i] != block_) close_block(blocks_[k + i]);
      float& sum = sums_[(k + i) & odd_mask_];
      sum = std::fma(to_float(load<Half>(input_, first + i * stride)), weights_[k + i], sum);
    }
  }
  void end(uint64_t out);

 private:
  void close_block(size_t next);

  KernelVector<size_t> blocks_;  // the encoding of each k
  size_t block_ = 0;
  float total_ = 0.0F;
};

// ---- Single precision ----

// What the others are measured against, so that it must be near the true sum and quick, but not the same bits
// on every machine: sixteen sums side by side, which compilers turn into vectors, added in the end.
class FloatDot {
 public:
  FloatDot(const KernelArgs& args, const WeightMatrices& matrices);

  void column(uint64_t group, uint64_t column, uint64_t channel);
  void begin() { sums_.fill(0.0F); }
  void add(uint64_t first, uint64_t stride, uint64_t k, uint64_t count) {
    uint64_t i = 0;
    if (stride == 1) {
      for (; i + kLanes <= count; i += kLanes)
        for (uint64_t lane = 0; lane < kLanes; ++lane)
          sums_[lane] += load<float>(input_, first + i + lane) * weights_[k + i + lane];
    }
    for (; i < count; ++i) sums_[0] += load<float>(input_, first + i * stride) * weights_[k + i];
  }
  void end(uint64_t out);

 private:
  static constexpr uint64_t kLanes = 16;

  KernelMemory memory_;
  const OpCall& call_;
  const std::byte* input_;
  WeightReader reader_;
  KernelVector<float> weights_;
  std::array<float, kLanes> sums_{};
  const std::byte* bias_;
  std::byte* output_;
  uint64_t channel_ = 0;
};

// Calls body(dot) with the dot that the types of the call ask for.
template <class Body>
void with_dot(const KernelArgs& args, const WeightMatrices& matrices, Body&& body) {
  const auto run = [&](auto dot) { body(dot); };
  const bool half_weights = args.call.in(kWeight).type == ir::DataType::kFloat16;
  switch (args.call.in(kInput).type) {
    case ir::DataType::kFloat16:
      return half_weights ? run(HalfDot(args, matrices)) : run(HalfByFixedDot(args, matrices));
    case ir::DataType::kFloat32:
      return run(FloatDot(args, matrices));
    case ir::DataType::kUfixed8:
      return run(IntegerDot<uint8_t>(args, matrices));
    case ir::DataType::kSfixed8:
      return run(IntegerDot<int8_t>(args, matrices));
    case ir::DataType::kSfixed16:
      return run(IntegerDot<int16_t>(args, matrices));
    default:
      return run(IntegerDot<uint16_t>(args, matrices));
  }
}

// ---- Work on the matrix unit ----

// Rows of outputs (spatial positions) that the matrix unit computes together.
inline constexpr uint64_t kHmxRows8 = 64;
inline constexpr uint64_t kHmxRows16 = 32;

// Rows of a matrix, in whole chunks.
uint64_t issued_rows(const OpCall& call, uint64_t rows);
// `matrices` products of rows x k x columns, the rows as issued, and the bytes they touch beside the weights,
// whose `weight_matrices` matrices of k x columns are added.
Work matrix_work(const OpCall& call, uint64_t matrices, uint64_t rows, uint64_t k, uint64_t columns,
                 uint64_t weight_matrices, uint64_t other_bytes);
// Whether a product of so many rows with constant weights leaves chunks of the matrix unit unfilled. Ours:
// the one network that shows it (ViT, 197 tokens) takes several times as long as its products.
bool has_ragged_rows(const OpCall& call, uint64_t rows);

// The rows of types that store_bias and pack_weights make where no table has them.
std::vector<std::string_view> stored_rows();

}  // namespace openqnn::ops
