// SPDX-License-Identifier: BSD-3-Clause
// Elements that are moved many at a time, where they lie in one piece before and after.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/movement/move.h"

namespace openqnn::ops {

// As ElementCopier, for stretches.
class StretchCopier {
 public:
  StretchCopier(const ir::TensorDesc& from, const std::byte* source, const ir::TensorDesc& to,
                std::byte* target)
      : read_(from, source), write_(to, target), source_(source), target_(target) {
    // A client's bool may be any byte, ours is 0 or 1.
    if (same_representation(from, to) && to.type != ir::DataType::kBool8)
      size_ = ir::byte_size(to.type);
    else if (ir::byte_size(from.type) == 1 && ir::byte_size(to.type) == 1)
      make_table(from, to);
  }
  void operator()(uint64_t to, uint64_t from, uint64_t count) const {
    if (size_ > 0)
      std::memcpy(target_ + to * size_, source_ + from * size_, count * size_);
    else if (has_table_)
      fast::host_loops().lookup8(table_.data(), reinterpret_cast<const uint8_t*>(source_) + from,
                                 reinterpret_cast<uint8_t*>(target_) + to, count);
    else
      requantize(to, from, count);
  }

 private:
  // What each byte becomes.
  void make_table(const ir::TensorDesc& from, const ir::TensorDesc& to) {
    std::array<uint8_t, kBytes> every;
    std::iota(every.begin(), every.end(), uint8_t{0});
    std::array<double, kBytes> values;
    fast::BlockReader(from, reinterpret_cast<const std::byte*>(every.data()))(0, kBytes, values.data());
    fast::BlockWriter(to, reinterpret_cast<std::byte*>(table_.data()))(0, kBytes, values.data());
    has_table_ = true;
  }
  void requantize(uint64_t to, uint64_t from, uint64_t count) const {
    std::array<double, 256> values;
    for (uint64_t done = 0; done < count; done += values.size()) {
      const size_t some = std::min<uint64_t>(values.size(), count - done);
      read_(from + done, some, values.data());
      write_(to + done, some, values.data());
    }
  }

  fast::BlockReader read_;
  fast::BlockWriter write_;
  const std::byte* source_;
  std::byte* target_;
  size_t size_ = 0;  // of an element that is copied as bytes
  static constexpr size_t kBytes = 256;
  bool has_table_ = false;
  std::array<uint8_t, kBytes> table_;
};

// The first of the axes, none before `lowest`, that a region spans in one piece: all but the first of them
// whole.
inline size_t stretch_axis(const ir::Shape& shape, const ir::Box& region, size_t lowest) {
  size_t axis = region.rank();
  while (axis > lowest && (axis == region.rank() || region.extent(axis) == shape[axis])) --axis;
  return axis;
}

// Calls body(index of the first element, count) for the stretches of a region, which begin with `axis`.
template <class Body>
void for_each_stretch(const ir::Box& region, size_t axis, const Body& body) {
  if (region.empty()) return;
  ir::Box starts = region;
  uint64_t count = 1;
  for (size_t i = axis; i < region.rank(); ++i) {
    starts.end[i] = starts.begin[i] + 1;
    count *= region.extent(i);
  }
  ir::for_each_index(starts, [&](const ir::Shape& index) { body(index, count); });
}

// A box from a tensor to another, where it begins at `target`.
inline void copy_box(const StretchCopier& copy, const ir::Shape& from, const ir::Box& box,
                     const ir::Shape& to, const ir::Shape& target) {
  const size_t axis = std::max(stretch_axis(from, box, 0), stretch_axis(to, box, 0));
  for_each_stretch(box, axis, [&](const ir::Shape& index, uint64_t count) {
    ir::Shape moved = index;
    for (size_t i = 0; i < moved.rank(); ++i) moved[i] += target[i] - box.begin[i];
    copy(ir::offset_of(to, moved), ir::offset_of(from, index), count);
  });
}

}  // namespace openqnn::ops
