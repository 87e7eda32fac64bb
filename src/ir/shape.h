// SPDX-License-Identifier: BSD-3-Clause
// Shapes and boxes (sub-ranges of a shape), without allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace openqnn::ir {

inline constexpr size_t kMaxRank = 8;

// Up to kMaxRank dimensions, last one fastest in memory.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<uint32_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const uint32_t> dims);  // keeps at most kMaxRank

  size_t rank() const { return rank_; }
  uint32_t operator[](size_t i) const { return dims_[i]; }
  uint32_t& operator[](size_t i) { return dims_[i]; }
  uint32_t from_end(size_t i) const { return dims_[rank_ - 1 - i]; }
  std::span<const uint32_t> dims() const { return {dims_.data(), rank_}; }
  void push_back(uint32_t dim) { dims_[rank_++] = dim; }

  // 1 for rank 0; nothing when the product does not fit in 63 bits.
  std::optional<uint64_t> checked_elements() const;
  // For shapes that were checked when they came in.
  uint64_t elements() const;

  std::string to_string() const;  // "[1, 8, 8, 32]"
  friend bool operator==(const Shape& a, const Shape& b);

 private:
  std::array<uint32_t, kMaxRank> dims_{};
  uint32_t rank_ = 0;
};

// A half-open sub-range of a shape: begin[i] <= index[i] < end[i].
struct Box {
  Shape begin;
  Shape end;

  static Box whole(const Shape& shape);

  size_t rank() const { return begin.rank(); }
  uint32_t extent(size_t i) const { return end[i] - begin[i]; }
  Shape extents() const;
  uint64_t elements() const { return extents().elements(); }
  bool empty() const { return elements() == 0; }
  std::string to_string() const;  // "[0:1, 0:8, 0:8, 0:32]"
  friend bool operator==(const Box& a, const Box& b) = default;
};

bool overlap(const Box& a, const Box& b);
bool contains(const Box& outer, const Box& inner);

// Calls body(index) for every index of the box in memory order; `index` is a Shape used as coordinates.
template <class Body>
void for_each_index(const Box& box, Body&& body) {
  if (box.empty()) return;
  Shape index = box.begin;
  while (true) {
    body(static_cast<const Shape&>(index));
    size_t i = box.rank();
    while (i > 0) {
      --i;
      if (++index[i] < box.end[i]) break;
      index[i] = box.begin[i];
      if (i == 0) return;
    }
    if (box.rank() == 0) return;
  }
}

// The position of `index` in a dense tensor of `shape`.
inline uint64_t offset_of(const Shape& shape, const Shape& index) {
  uint64_t offset = 0;
  for (size_t i = 0; i < shape.rank(); ++i) offset = offset * shape[i] + index[i];
  return offset;
}

}  // namespace openqnn::ir
