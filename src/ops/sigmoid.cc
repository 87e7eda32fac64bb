// SPDX-License-Identifier: BSD-3-Clause
// Sigmoid: 1 / (1 + e^-x).
#include "ops/exp.h"
#include "ops/unary.h"

namespace openqnn::ops {
namespace {

// Exponential, reciprocal and requantization of a vector of elements (ours).
constexpr uint64_t kSigmoidInstructions = 24;

double sigmoid_of(double x) { return 1.0 / (1.0 + portable_exp(-x)); }

}  // namespace

const OpDef& sigmoid() {
  static const OpDef op = unary_op<sigmoid_of, kSigmoidInstructions>("Sigmoid");
  return op;
}

}  // namespace openqnn::ops
