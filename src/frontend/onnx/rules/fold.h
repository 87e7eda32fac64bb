// SPDX-License-Identifier: BSD-3-Clause
// Values of ops whose inputs are constants: walks over elements, and integer arithmetic that cannot overflow.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/onnx/constant.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {

// What no single fold may make beyond: constants that depend on shapes alone are made without being asked
// whether they are worth it.
inline constexpr uint64_t kLargestMadeConstant = uint64_t{1} << 26;
Status need_small_constant(const Inference& node, uint64_t count);

void copy_element(const Constant& from, uint64_t index, ConstantBuilder& to, uint64_t at);

// A result kept in the bits that its type has.
int64_t wrapped(ElementType type, int64_t value);
// Two's complement, as the types wrap.
int64_t wrapping_add(int64_t a, int64_t b);
int64_t wrapping_subtract(int64_t a, int64_t b);
int64_t wrapping_multiply(int64_t a, int64_t b);

// Elements between neighbours of each dimension, row-major.
std::vector<int64_t> strides_of(const Dims& dims);

// How an operand is read along the dimensions of a walk.
struct View {
  std::vector<int64_t> strides;
  int64_t start = 0;
};
// `dims` stretched to `out`: missing dimensions and those of extent 1 do not move.
View stretched(const Dims& dims, const Dims& out);

// Calls visit(index, offsets) for every element of `dims` in row-major order; offsets[i] is where views[i]
// stands.
template <class Visit>
void walk(const Dims& dims, const std::vector<View>& views, Visit&& visit) {
  std::vector<int64_t> offsets;
  for (const View& view : views) offsets.push_back(view.start);
  std::vector<int64_t> at(dims.size(), 0);
  const uint64_t count = count_of(dims);
  for (uint64_t index = 0; index < count; ++index) {
    visit(index, offsets);
    for (size_t d = dims.size(); d-- > 0;) {
      ++at[d];
      for (size_t i = 0; i < views.size(); ++i) offsets[i] += views[i].strides[d];
      if (at[d] < dims[d]) break;
      for (size_t i = 0; i < views.size(); ++i) offsets[i] -= views[i].strides[d] * at[d];
      at[d] = 0;
    }
  }
}

// The elements of `from` that a view shows, in the dimensions `dims`, as a constant `out`, which has as many.
Constant seen_through(const Constant& from, const Dims& dims, const View& view, Dims out);

// The fold of every op that gives its input in other dimensions.
Status fold_reshaped(Inference& node);

// Dimensions around an axis: how many elements before it, on it, and behind it.
struct AxisSplit {
  int64_t before = 1;
  int64_t extent = 1;
  int64_t after = 1;
};
AxisSplit around(const Dims& dims, size_t axis);

}  // namespace openqnn::frontend::onnx
