// SPDX-License-Identifier: BSD-3-Clause
// How the work of an op is shared out among threads: they take one piece after another until none is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/shape.h"
#include "ops/op.h"

namespace openqnn::ops {

// Of an op's pieces, about, so that a thread that is late holds nobody up for long. Kernel::divide is asked
// for as many for each thread.
inline constexpr size_t kPiecesPerThread = 4;

// The part of an op that the smallest pieces are, for so many pieces wanted.
constexpr size_t finest_part(size_t wanted) { return 2 * wanted; }

// A box in pieces along an axis, each but the last a multiple of `granularity`. The large ones come first, so
// that threads end together although an axis seldom divides evenly; no other than the last is smaller than
// 1 / finest of the axis.
std::vector<ir::Box> share_out(const ir::Box& whole, size_t axis, uint64_t granularity, size_t threads,
                               size_t finest);

// The same along the outermost axis that tiles may divide, so that each piece is one stretch of memory:
// pieces of an inner one end together more often, and take half as long again. `elements` is how many are
// read or written, of which a piece has to have enough to be worth waking a thread for.
std::vector<ir::Box> share_out(const ir::Box& whole, const std::vector<SplitAxis>& axes, uint64_t elements,
                               size_t wanted);

// The pieces of an op's output for so many threads: as many as are worth waking them for.
std::vector<ir::Box> pieces_of(const OpDef& def, const Kernel& kernel, const OpCall& call, size_t threads);

// When threads are done with pieces that take so long each, in this order.
double time_of(const std::vector<double>& pieces, size_t threads);

}  // namespace openqnn::ops
