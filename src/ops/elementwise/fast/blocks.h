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

// Whether bytes of this tensor may be taken by the loops for them: fixed point that uses all its 8 bits, and
// an offset that leaves differences of elements exact.
bool has_plain_bytes(const ir::TensorDesc& desc);

// How the elements of a tensor are read and written.
struct BlockFormat {
  explicit BlockFormat(const ir::TensorDesc& desc);

  ir::DataType type;
  size_t size;    // of an element
  bool has_loop;  // else elements go one by one
  FixedFormat fixed;
};

class BlockReader {
 public:
  BlockReader(const ir::TensorDesc& desc, const std::byte* data)
      : format_(desc), one_(desc, data), data_(data) {}
  // Elements [first, first + count).
  void operator()(uint64_t first, size_t count, double* out) const;

 private:
  BlockFormat format_;
  ElementReader one_;
  const std::byte* data_;
};

class BlockWriter {
 public:
  BlockWriter(const ir::TensorDesc& desc, std::byte* data) : format_(desc), one_(desc, data), data_(data) {}
  void operator()(uint64_t first, size_t count, const double* values) const;

 private:
  BlockFormat format_;
  ElementWriter one_;
  std::byte* data_;
};

}  // namespace openqnn::ops::fast
