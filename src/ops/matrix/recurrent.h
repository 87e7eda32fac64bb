// SPDX-License-Identifier: BSD-3-Clause
// What recurrent layers share: weights [units, n] times vectors, in double.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {

// A tensor that may be absent, as real numbers; absent ones read as 0.
class OptionalReader {
 public:
  OptionalReader(const KernelArgs& args, size_t index) {
    if (args.call.has_input(index)) reader_.emplace(args.call.in(index), args.inputs[index]);
  }
  bool present() const { return reader_.has_value(); }
  double operator()(uint64_t at) const { return reader_ ? (*reader_)(at) : 0.0; }

 private:
  std::optional<ElementReader> reader_;
};

// The same for an output.
class OptionalWriter {
 public:
  OptionalWriter(const KernelArgs& args, size_t index) {
    if (index < args.call.outputs.size() && args.call.outputs[index])
      writer_.emplace(args.call.out(index), args.outputs[index]);
  }
  void operator()(uint64_t at, double real) const {
    if (writer_) (*writer_)(at, real);
  }

 private:
  std::optional<ElementWriter> writer_;
};

// Row `row` of weights [rows, vector.size()] times the vector, in ascending order.
inline double row_product(const OptionalReader& weights, uint64_t row, std::span<const double> vector) {
  double sum = 0.0;
  for (size_t i = 0; i < vector.size(); ++i) sum += weights(row * vector.size() + i) * vector[i];
  return sum;
}

// `steps` products of [batch, k] with [k, n] on the matrix unit, and all operands once through VTCM.
Work recurrent_work(const OpCall& call, uint64_t steps, uint64_t batch, uint64_t k, uint64_t n);

// The reset input asks for state that lives on between executions.
Status refuse_reset(const OpCall& call, size_t index);

}  // namespace openqnn::ops
