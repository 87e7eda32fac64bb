// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/finish_half.h"

#include "ops/elements.h"
#include "ops/elementwise/activation.h"

namespace openqnn::ops::fast {

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
  for (size_t i = 0; i < count; ++i) {
    const float total = bias ? sums[i] + bias[i] : sums[i];
    save(out, i, one_nan(to_half(activate(call_, static_cast<double>(total)))));
  }
}

}  // namespace openqnn::ops::fast
