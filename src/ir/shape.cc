// SPDX-License-Identifier: BSD-3-Clause
#include "ir/shape.h"

#include <algorithm>

namespace openqnn::ir {

Shape::Shape(std::span<const uint32_t> dims) : rank_(static_cast<uint32_t>(std::min(dims.size(), kMaxRank))) {
  std::copy_n(dims.begin(), rank_, dims_.begin());
}

std::optional<uint64_t> Shape::checked_elements() const {
  uint64_t count = 1;
  for (const uint32_t dim : dims())
    if (__builtin_mul_overflow(count, uint64_t{dim}, &count) || count > uint64_t{1} << 62)
      return std::nullopt;
  return count;
}

uint64_t Shape::elements() const {
  uint64_t count = 1;
  for (const uint32_t dim : dims()) count *= dim;
  return count;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (size_t i = 0; i < rank_; ++i) {
    if (i) text += ", ";
    text += std::to_string(dims_[i]);
  }
  return text + "]";
}

bool operator==(const Shape& a, const Shape& b) { return std::ranges::equal(a.dims(), b.dims()); }

Box Box::whole(const Shape& shape) {
  Box box{shape, shape};
  for (size_t i = 0; i < shape.rank(); ++i) box.begin[i] = 0;
  return box;
}

Shape Box::extents() const {
  Shape result = end;
  for (size_t i = 0; i < rank(); ++i) result[i] = extent(i);
  return result;
}

std::string Box::to_string() const {
  std::string text = "[";
  for (size_t i = 0; i < rank(); ++i) {
    if (i) text += ", ";
    text += std::to_string(begin[i]) + ":" + std::to_string(end[i]);
  }
  return text + "]";
}

bool overlap(const Box& a, const Box& b) {
  for (size_t i = 0; i < a.rank(); ++i)
    if (a.begin[i] >= b.end[i] || b.begin[i] >= a.end[i]) return false;
  return true;
}

bool contains(const Box& outer, const Box& inner) {
  for (size_t i = 0; i < outer.rank(); ++i)
    if (inner.begin[i] < outer.begin[i] || inner.end[i] > outer.end[i]) return false;
  return true;
}

}  // namespace openqnn::ir
