// SPDX-License-Identifier: BSD-3-Clause
// Positions that come as data: indices of gathers and scatters, u32 or i32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/elements.h"

namespace openqnn::ops {

class IndexReader {
 public:
  IndexReader(const ir::TensorDesc& desc, const std::byte* data) : type_(desc.type), data_(data) {}
  int64_t operator()(uint64_t at) const { return load_integer(type_, data_, at); }

 private:
  ir::DataType type_;
  const std::byte* data_;
};

// The position on an axis that an index means, or nothing outside of it. Negative indices count from the end,
// as in ONNX; HTP documents 0 to size - 1 only. What an index outside does is ours: gathers read 0 there, and
// scatters drop the update.
inline std::optional<uint32_t> position_of(int64_t index, uint32_t size) {
  const int64_t position = index < 0 ? index + size : index;
  if (position < 0 || position >= size) return std::nullopt;
  return static_cast<uint32_t>(position);
}

}  // namespace openqnn::ops
