// SPDX-License-Identifier: BSD-3-Clause
// Operands that may be absent, as real numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {

// An input; an absent one reads as 0.
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

// An output; what goes to an absent one is dropped.
class OptionalWriter {
 public:
  OptionalWriter(const KernelArgs& args, size_t index) {
    if (args.call.has_output(index)) writer_.emplace(args.call.out(index), args.outputs[index]);
  }
  void operator()(uint64_t at, double real) const {
    if (writer_) (*writer_)(at, real);
  }

 private:
  std::optional<ElementWriter> writer_;
};

}  // namespace openqnn::ops
