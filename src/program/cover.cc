// SPDX-License-Identifier: BSD-3-Clause
#include "program/cover.h"

#include <algorithm>
#include <array>
#include <compare>
#include <vector>

namespace openqnn::program {
namespace {

// The number of boxes over each index is a function that changes only at corners: its difference along every
// axis in turn is +1 or -1 at the corners of each box and 0 elsewhere, and the function is the sum of these
// differences over all corners at or below an index. So the boxes cover the shape once exactly when their
// corners cancel against the corners of the shape, which enters with the opposite sign. The corners are gone
// through axis by axis, and whatever cancels as a whole is dropped at once: in a grid, where the tiles that
// end at a plane meet the tiles that begin there, hardly anything is left after the first axis.
struct Signed {
  const ir::Box* box = nullptr;
  int64_t sign = 0;
  uint32_t at = 0;  // begin or end on the current axis
};

class Cancel {
 public:
  explicit Cancel(size_t rank) : rank_(rank) {}

  // Whether the corners of `items` cancel on `axis` and those after it. When not, index() is the first corner
  // in lexicographic order that does not, and surplus() what is left there. Every corner below the first one
  // cancels, so the surplus of corners is the surplus of boxes over that index.
  bool run(std::vector<Signed> items, size_t axis) {
    merge(items, axis);
    if (items.empty()) return true;
    if (axis == rank_) {
      surplus_ = items.front().sign;
      return false;
    }
    std::vector<Signed> corners = corners_on(items, axis);
    for (size_t first = 0, last = 0; first < corners.size(); first = last) {
      while (last < corners.size() && corners[last].at == corners[first].at) ++last;
      index_[axis] = corners[first].at;
      if (!run({corners.begin() + static_cast<ptrdiff_t>(first),
                corners.begin() + static_cast<ptrdiff_t>(last)},
               axis + 1))
        return false;
    }
    return true;
  }

  const std::array<uint32_t, ir::kMaxRank>& index() const { return index_; }
  int64_t surplus() const { return surplus_; }

 private:
  // Adds up the signs of items that are equal from `axis` on, and drops those that come to 0.
  void merge(std::vector<Signed>& items, size_t axis) const {
    const auto compare = [&](const Signed& a, const Signed& b) {
      for (size_t i = axis; i < rank_; ++i) {
        if (const auto order = a.box->begin[i] <=> b.box->begin[i]; std::is_neq(order)) return order;
        if (const auto order = a.box->end[i] <=> b.box->end[i]; std::is_neq(order)) return order;
      }
      return std::strong_ordering::equal;
    };
    std::ranges::sort(items, [&](const Signed& a, const Signed& b) { return std::is_lt(compare(a, b)); });
    std::vector<Signed> kept;
    for (const Signed& item : items) {
      if (!kept.empty() && std::is_eq(compare(kept.back(), item)))
        kept.back().sign += item.sign;
      else if (!kept.empty() && kept.back().sign == 0)
        kept.back() = item;
      else
        kept.push_back(item);
    }
    if (!kept.empty() && kept.back().sign == 0) kept.pop_back();
    items = std::move(kept);
  }

  // In order along the axis. When all items have the same range there, the corners at its end only repeat
  // those at its begin.
  static std::vector<Signed> corners_on(const std::vector<Signed>& items, size_t axis) {
    const auto same = [&](const Signed& item) {
      return item.box->begin[axis] == items.front().box->begin[axis] &&
             item.box->end[axis] == items.front().box->end[axis];
    };
    const bool repeats = std::ranges::all_of(items, same);
    std::vector<Signed> corners;
    corners.reserve(items.size() * (repeats ? 1 : 2));
    for (const Signed& item : items) {
      corners.push_back({item.box, item.sign, item.box->begin[axis]});
      if (!repeats) corners.push_back({item.box, -item.sign, item.box->end[axis]});
    }
    std::ranges::sort(corners, {}, &Signed::at);
    return corners;
  }

  size_t rank_;
  std::array<uint32_t, ir::kMaxRank> index_{};
  int64_t surplus_ = 0;
};

}  // namespace

std::optional<CoverFault> find_cover_fault(const ir::Shape& shape, std::span<const ir::Box* const> boxes) {
  const ir::Box whole = ir::Box::whole(shape);
  std::vector<Signed> items;
  items.reserve(boxes.size() + 1);
  for (const ir::Box* box : boxes) items.push_back({box, 1});
  items.push_back({&whole, -1});
  Cancel cancel(shape.rank());
  if (cancel.run(std::move(items), 0)) return std::nullopt;
  return CoverFault{ir::Shape(std::span(cancel.index()).first(shape.rank())), 1 + cancel.surplus()};
}

}  // namespace openqnn::program
