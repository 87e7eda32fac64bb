// SPDX-License-Identifier: BSD-3-Clause
// Activations that also stand at the end of other ops.
#pragma once

#include "base/half.h"
#include "ops/elementwise/functions.h"
#include "ops/op.h"

namespace openqnn::ops {

// NaN stays NaN.
inline double relu_of(double x) { return x < 0.0 ? 0.0 : x; }
inline double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

// x/2 (1 + erf(x/sqrt 2)), with the sum as erfc so that nothing cancels for negative x.
inline double gelu_of(double x) {
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  return 0.5 * x * portable_erfc(-x * kSqrtHalf);
}

// As a part computes it that is not asked for high precision: each step in half (ours).
inline double fast_sigmoid_of(double x) {
  const auto rounded = [](double value) { return static_cast<double>(to_float(to_half(value))); };
  return 1.0 / rounded(1.0 + rounded(portable_exp(-x)));
}

// What an op of half results ends in.
inline double activate(const OpCall& call, double x) {
  const Epilogue& epilogue = call.epilogue;
  switch (epilogue.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return relu_of(x);
    case Activation::kClamp:
      return clamped(x, static_cast<double>(epilogue.low), static_cast<double>(epilogue.high));
    case Activation::kSigmoid:
      return call.fast_sigmoid ? fast_sigmoid_of(x) : portable_sigmoid(x);
    case Activation::kTanh:
      return portable_tanh(x);
    case Activation::kGelu:
      return gelu_of(x);
    case Activation::kTimesInput:  // not of sums
      break;
  }
  return x;
}

}  // namespace openqnn::ops
