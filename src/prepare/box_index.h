// SPDX-License-Identifier: BSD-3-Clause
// Boxes of one tensor, found by what they overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/shape.h"

namespace openqnn::prepare {

// Sorted along the axis on which the first box is the smallest part of the tensor: tiles, which is what it
// holds, are cut most there. A search then looks at one row of tiles, not at all of them.
class BoxIndex {
 public:
  void insert(const ir::Shape& tensor, const ir::Box& box, uint32_t id) {
    if (boxes_.empty()) {
      axis_ = most_cut_axis(tensor, box);
      longest_ = 0;
    }
    longest_ = std::max(longest_, extent(box));
    boxes_.emplace(begin(box), Entry{box, id});
  }

  void erase(const ir::Box& box, uint32_t id) {
    const auto [first, last] = boxes_.equal_range(begin(box));
    const auto found = std::find_if(first, last, [id](const auto& entry) { return entry.second.id == id; });
    if (found != last) boxes_.erase(found);
  }

  // Ascending, which is oldest first for ids that count up.
  std::vector<uint32_t> overlapping(const ir::Box& box) const {
    std::vector<uint32_t> ids;
    const uint32_t from = begin(box);
    auto entry = boxes_.lower_bound(from < longest_ ? 0 : from - longest_ + 1);
    for (; entry != boxes_.end() && entry->first < from + extent(box); ++entry)
      if (ir::overlap(entry->second.box, box)) ids.push_back(entry->second.id);
    std::ranges::sort(ids);
    return ids;
  }

  std::vector<uint32_t> all() const {
    std::vector<uint32_t> ids;
    for (const auto& [begin, entry] : boxes_) ids.push_back(entry.id);
    std::ranges::sort(ids);
    return ids;
  }

 private:
  struct Entry {
    ir::Box box;
    uint32_t id;
  };

  static size_t most_cut_axis(const ir::Shape& tensor, const ir::Box& box) {
    size_t axis = 0;
    for (size_t i = 1; i < box.rank(); ++i)
      if (tensor[i] / box.extent(i) > tensor[axis] / box.extent(axis)) axis = i;
    return axis;
  }

  // A scalar has no axis: all of it begins at 0 and has one element.
  uint32_t begin(const ir::Box& box) const { return box.rank() == 0 ? 0 : box.begin[axis_]; }
  uint32_t extent(const ir::Box& box) const { return box.rank() == 0 ? 1 : box.extent(axis_); }

  std::multimap<uint32_t, Entry> boxes_;  // by where they begin on the axis
  size_t axis_ = 0;
  uint32_t longest_ = 0;  // on the axis, of all boxes since the index was last empty
};

}  // namespace openqnn::prepare
