// SPDX-License-Identifier: BSD-3-Clause
// Sums of products, as Conv2d and MatMul define them: input 0 times input 1 (the weights) plus input 2 (the
// bias, one per column). The two classes below are the specification of our numbers; a fast kernel must give
// the same bits.
#pragma once

#include <cstdint>
#include <optional>

#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {

// The longest sum: with the limits on 8-bit offsets (schema.cc) an exact sum then fits 64 bits.
inline constexpr uint64_t kMaxSumLength = uint64_t{1} << 28;

Status check_sum_length(uint64_t k);
// One encoding, or (signed, static, offset 0) one per column along `axis`.
Status check_weight_encoding(const ir::TensorDesc& weight, uint32_t axis);
// 32-bit biases are symmetric; a scale of 0 says that they count accumulator units already.
Status check_bias(const ir::TensorDesc& bias, uint32_t columns);

// What a step of the integer accumulator of `column` stands for.
double accumulator_unit(const OpCall& call, uint32_t column);
// A bias as the accumulator counts, ties to even, saturated to 32 bits.
int32_t bias_in_accumulator_units(const ir::TensorDesc& bias, const std::byte* data, uint32_t column,
                                  double unit);
// A static bias of quantized type becomes accumulator units (i32); other biases stay.
std::optional<StoredOperand> store_bias(const OpCall& call, const std::byte* data);

// 8-bit: the exact sum of (a + offset) * (w + offset) and the bias, rounded once to the output. A fused
// activation follows on what the output would have been without it.
class IntegerDot {
 public:
  explicit IntegerDot(const KernelArgs& args);

  void begin(uint32_t column);
  // `a` and `w` are positions in the data; k is the number of the product in the sum, not used here.
  void add(uint64_t a, uint64_t w, uint64_t /*k*/) {
    const int64_t weight =
        signed_weights_ ? int64_t{load<int8_t>(weights_, w)} : int64_t{load<uint8_t>(weights_, w)};
    sum_ += (int64_t{load<uint8_t>(input_, a)} + input_offset_) * (weight + weight_offset_);
  }
  void end(uint64_t out) const;

 private:
  const OpCall& call_;
  const std::byte* input_;
  const std::byte* weights_;
  const std::byte* bias_;
  std::byte* output_;
  bool signed_weights_;
  int64_t input_offset_;
  int64_t weight_offset_ = 0;
  double unit_ = 1.0;
  int64_t sum_ = 0;
};

// Half: products of halves are exact in float; they are added in float in the order of `add` calls, starting
// from 0, then the bias, and the total is rounded to half once. kEvenOdd keeps two sums, of the products with
// even and with odd k, and adds them before the bias. k counts the real products of a sum: the position in
// [fh][fw][channel] of a convolution, the row of a matrix; neither the blocks' padding nor the border shifts
// it.
class HalfDot {
 public:
  explicit HalfDot(const KernelArgs& args);

  void begin(uint32_t column);
  void add(uint64_t a, uint64_t w, uint64_t k) {
    sums_[k & odd_mask_] += to_float(load<Half>(input_, a)) * to_float(load<Half>(weights_, w));
  }
  void end(uint64_t out) const;

 private:
  const OpCall& call_;
  const std::byte* input_;
  const std::byte* weights_;
  const std::byte* bias_;
  std::byte* output_;
  uint64_t odd_mask_;
  uint32_t column_ = 0;
  float sums_[2] = {};
};

// ---- Work on the matrix unit ----

// Rows of outputs (spatial positions) that the matrix unit computes together.
inline constexpr uint64_t kHmxRows8 = 64;
inline constexpr uint64_t kHmxRows16 = 32;

// `matrices` products of rows x k x columns as issued, and the bytes they touch.
Work matrix_work(const OpCall& call, uint64_t matrices, uint64_t rows, uint64_t k, uint64_t columns,
                 uint64_t vtcm_bytes);

}  // namespace openqnn::ops
