// SPDX-License-Identifier: BSD-3-Clause
// Stretches of a tensor as real numbers: what ElementReader and ElementWriter (elements.h) do for one
// element, for many at once, with the same results.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/elements.h"
#include "ops/elementwise/fast/loops.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

const Loops& host_loops();

// Of an 8- or 16-bit fixed-point type that uses all its bits.
FixedFormat fixed_format(const ir::TensorDesc& desc);

class BlockReader {
 public:
  BlockReader(const ir::TensorDesc& desc, const std::byte* data);
  // Elements [first, first + count).
  void operator()(uint64_t first, size_t count, double* out) const;

 private:
  ElementReader one_;  // for types that have no loop
  ir::DataType type_;
  bool has_loop_;
  size_t size_;
  const std::byte* data_;
  FixedFormat format_;
};

class BlockWriter {
 public:
  BlockWriter(const ir::TensorDesc& desc, std::byte* data);
  void operator()(uint64_t first, size_t count, const double* values) const;

 private:
  ElementWriter one_;
  ir::DataType type_;
  bool has_loop_;
  size_t size_;
  std::byte* data_;
  FixedFormat format_;
};

}  // namespace openqnn::ops::fast
