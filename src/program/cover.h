// SPDX-License-Identifier: BSD-3-Clause
// Whether boxes cover a shape exactly once.
#pragma once

#include <optional>
#include <span>

#include "ir/shape.h"

namespace openqnn::program {

// An index that is not covered once, and by how many boxes it is.
struct CoverFault {
  ir::Shape index;
  int64_t boxes = 0;
};

// Nothing when every index of `shape` is in exactly one box. The boxes must lie inside the shape and have its
// rank. Exact: no sampling. Time O(n log n) per dimension for grids of tiles, whatever their number of axes;
// O(2^r n log n) for the least regular cuts along r axes.
std::optional<CoverFault> find_cover_fault(const ir::Shape& shape, std::span<const ir::Box* const> boxes);

}  // namespace openqnn::program
