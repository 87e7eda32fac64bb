// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/finish.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/elements.h"
#include "ops/elementwise/activation.h"

namespace openqnn::ops::fast {
namespace {

ByteFinish output_of(const OpCall& call) {
  const IntegerRange range = ir::integer_range(call.out().type);
  const int32_t offset = call.out().quantization.at(0).offset;
  ByteFinish finish;
  finish.offset = offset;
  finish.low = static_cast<float>(range.low + offset);
  finish.high = static_cast<float>(range.high + offset);
  // A sum, a factor and what they give are rounded to 24 bits each.
  finish.tolerance = std::max(std::abs(finish.low), std::abs(finish.high)) * 0x1p-22F;
  return finish;
}

constexpr double kMostSteps = 0x1p30;  // they have to stay integers of 32 bits

bool is_usual(float factor) {
  return factor == 0.0F || (std::isfinite(factor) && factor > std::numeric_limits<float>::min());
}

}  // namespace

void FinishPlan::settle(const OpCall& call, int64_t largest_sum) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  factors_.assign(exact_factors_.begin(), exact_factors_.end());
  finish_ = output_of(call);
  fits_ = ir::byte_size(call.out().type) == 1 && largest_sum <= kMost && finish_.tolerance < 0.01F;
  for (size_t i = 0; fits_ && i < starts_.size(); ++i) {
    const int64_t most = std::abs(starts_[i]) + largest_sum;
    fits_ =
        most <= kMost && is_usual(factors_[i]) && static_cast<double>(most) * exact_factors_[i] < kMostSteps;
  }
  if (fits_) starts32_.assign(starts_.begin(), starts_.end());
}

ByteFinish FinishPlan::of(uint64_t first) const {
  if (!fits_) return {};
  ByteFinish finish = finish_;
  finish.starts = starts32_.data() + first;
  finish.factors = factors_.data() + first;
  finish.exact_factors = exact_factors_.data() + first;
  return finish;
}

void WidePlan::settle(int64_t largest_sum) {
  is_small_ = true;
  for (uint64_t i = 0; i < starts_.size(); ++i) {
    has_biases_ |= biases_[i] != 0.0;
    const double most = std::abs(starts_[i]) + static_cast<double>(largest_sum);
    is_small_ &= most * factors_[i] + std::abs(biases_[i]) < kMostSteps;
  }
}

WideFinish WidePlan::of(const OpCall& call, uint64_t first) const {
  const IntegerRange range = ir::integer_range(call.out().type);
  const ir::ScaleOffset& encoding = call.out().quantization.at(0);
  return {.starts = starts_.data() + first,
          .factors = factors_.data() + first,
          .biases = has_biases_ ? biases_.data() + first : nullptr,
          .low = static_cast<double>(range.low) + encoding.offset,
          .high = static_cast<double>(range.high) + encoding.offset,
          .offset = encoding.offset,
          .is_small = is_small_};
}

HalfEnd::HalfEnd(const OpCall& call, const TileFunctions& functions) : call_(call), functions_(functions) {
  const Epilogue& epilogue = call.epilogue;
  switch (epilogue.activation) {
    case Activation::kNone:
      break;
    case Activation::kRelu:
      range_.has_low = true;
      break;
    case Activation::kClamp:
      range_ = {.has_low = true, .has_high = true, .low = epilogue.low, .high = epilogue.high};
      break;
    default:
      is_range_ = false;
  }
}

HalfFinish HalfEnd::range(const float* bias) const {
  HalfFinish finish = range_;
  finish.bias = bias;
  return finish;
}

void HalfEnd::operator()(const float* sums, const float* bias, size_t count, std::byte* out) const {
  constexpr size_t kAtOnce = 64;
  if (is_range_)
    return functions_.finish_halves(sums, range(bias), reinterpret_cast<Unaligned16*>(out), count);
  const bool by_vectors = call_.epilogue.activation == Activation::kSigmoid && functions_.sigmoids;
  for (size_t begin = 0; begin < count; begin += kAtOnce) {
    const size_t some = std::min(count - begin, kAtOnce);
    std::array<float, kAtOnce> values;
    for (size_t i = 0; i < some; ++i) values[i] = bias ? sums[begin + i] + bias[begin + i] : sums[begin + i];
    if (by_vectors)
      functions_.sigmoids(values.data(), call_.fast_sigmoid, reinterpret_cast<Unaligned16*>(out) + begin,
                          some);
    else
      for (size_t i = 0; i < some; ++i)
        save(out, begin + i, one_nan(to_half(activate(call_, static_cast<double>(values[i])))));
  }
}

}  // namespace openqnn::ops::fast
