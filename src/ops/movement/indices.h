// SPDX-License-Identifier: BSD-3-Clause
// Positions that come as data: indices of gathers and scatters, u32 or i32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/text.h"
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

// Tuples of indices, the last dimension of `indices`, address the first of `dims` dimensions of the input.
inline Status check_tuples(const ir::Shape& indices, const ir::Shape& input, size_t dims) {
  if (indices.from_end(0) <= dims) return {};
  return invalid("op-shape",
                 concat("indices ", indices.to_string(), " hold tuples of ", indices.from_end(0),
                        " where input ", input.to_string(), " has ", dims, " dimensions to address"));
}

// An index per element on one axis; the other dimensions may be smaller than the input's.
inline Status check_indices_along(const ir::Shape& indices, const ir::Shape& input, size_t axis) {
  if (indices.rank() != input.rank())
    return invalid("op-rank", concat("indices ", indices.to_string(), " and input ", input.to_string(),
                                     " have different ranks"));
  for (size_t i = 0; i < input.rank(); ++i)
    if (i != axis && indices[i] > input[i])
      return invalid("op-shape", concat("indices ", indices.to_string(), " reach beyond input ",
                                        input.to_string(), " in dimension ", i));
  return {};
}

}  // namespace openqnn::ops
