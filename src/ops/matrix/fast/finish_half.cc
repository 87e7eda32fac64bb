// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/finish_half.h"

#include <algorithm>
#include <array>

#include "ops/elements.h"
#include "ops/elementwise/activation.h"

namespace openqnn::ops::fast {

constexpr size_t kAtOnce = 64;

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
