// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/finish_half.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ops/elements.h"
#include "ops/elementwise/activation.h"
#include "ops/matrix/dot.h"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kBlock = 64;

void round_all(const float* sums, size_t count, std::byte* out) {
  std::array<Half, kBlock> halves;
  for (size_t at = 0; at < count; at += kBlock) {
    const size_t block = std::min(kBlock, count - at);
    floats_to_halves(reinterpret_cast<const std::byte*>(sums + at),
                     reinterpret_cast<std::byte*>(halves.data()), block);
    for (size_t i = 0; i < block; ++i) halves[i] = one_nan(halves[i]);
    std::memcpy(out + at * sizeof(Half), halves.data(), block * sizeof(Half));
  }
}

}  // namespace

void finish_halves(const OpCall& call, float* sums, const float* bias, size_t count, std::byte* out) {
  if (bias)
    for (size_t i = 0; i < count; ++i) sums[i] += bias[i];
  const Epilogue& epilogue = call.epilogue;
  switch (epilogue.activation) {
    case Activation::kNone:
      return round_all(sums, count, out);
    case Activation::kRelu:
      for (size_t i = 0; i < count; ++i) sums[i] = sums[i] < 0.0F ? 0.0F : sums[i];
      return round_all(sums, count, out);
    case Activation::kClamp:
      for (size_t i = 0; i < count; ++i) {
        const float above = sums[i] < epilogue.low ? epilogue.low : sums[i];
        sums[i] = above > epilogue.high ? epilogue.high : above;
      }
      return round_all(sums, count, out);
    default:
      for (size_t i = 0; i < count; ++i)
        save(out, i, one_nan(to_half(activate(call, static_cast<double>(sums[i])))));
  }
}

}  // namespace openqnn::ops::fast
