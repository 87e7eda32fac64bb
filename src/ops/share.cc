// SPDX-License-Identifier: BSD-3-Clause
#include "ops/share.h"

#include <algorithm>

#include "base/units.h"

namespace openqnn::ops {
namespace {

// A piece with fewer elements takes no longer than handing it over.
constexpr uint64_t kElementsPerPiece = 6144;

}  // namespace

std::vector<ir::Box> share_out(const ir::Box& whole, size_t axis, uint64_t granularity, size_t threads,
                               size_t finest) {
  const uint64_t units = ceil_div(whole.extent(axis), granularity);
  const uint64_t least = ceil_div(units, std::max<uint64_t>(finest, 1));
  std::vector<ir::Box> pieces;
  for (uint64_t done = 0; done < units;) {
    const uint64_t left = units - done;
    const uint64_t size = std::min(left, std::max(least, ceil_div(left, 2 * threads)));
    ir::Box piece = whole;
    piece.begin[axis] = static_cast<uint32_t>(whole.begin[axis] + done * granularity);
    done += size;
    piece.end[axis] =
        static_cast<uint32_t>(std::min<uint64_t>(whole.begin[axis] + done * granularity, whole.end[axis]));
    pieces.push_back(piece);
  }
  if (pieces.empty()) pieces.push_back(whole);
  return pieces;
}

std::vector<ir::Box> share_out(const ir::Box& whole, const std::vector<SplitAxis>& axes, uint64_t elements,
                               size_t wanted) {
  const size_t threads = wanted / kPiecesPerThread;
  uint64_t finest = std::min<uint64_t>(elements / kElementsPerPiece, finest_part(wanted));
  if (threads < 2 || finest < 2) return {whole};
  if (finest > threads) finest = finest / threads * threads;
  const SplitAxis* chosen = nullptr;
  for (const SplitAxis& axis : axes)
    if (whole.extent(axis.axis) > axis.granularity && (!chosen || axis.axis < chosen->axis)) chosen = &axis;
  if (!chosen) return {whole};
  return share_out(whole, chosen->axis, chosen->granularity, threads, finest);
}

std::vector<ir::Box> pieces_of(const OpDef& def, const Kernel& kernel, const OpCall& call, size_t threads) {
  const ir::Box whole = ir::Box::whole(call.out().shape);
  if (threads < 2) return {whole};
  const size_t wanted = threads * kPiecesPerThread;
  if (kernel.divide) return kernel.divide(call, wanted);
  return share_out(whole, split_axes(def, call), whole.elements(), wanted);
}

double time_of(const std::vector<double>& pieces, size_t threads) {
  std::vector<double> busy(threads, 0.0);
  for (const double piece : pieces) *std::ranges::min_element(busy) += piece;
  return *std::ranges::max_element(busy);
}

}  // namespace openqnn::ops
