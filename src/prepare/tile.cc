// SPDX-License-Identifier: BSD-3-Clause
// Cuts each op's output into boxes whose operands fit VTCM beside each other.
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

class OpTiler {
 public:
  OpTiler(const program::Program& program, const program::Op& op)
      : program_(program),
        op_(op),
        def_(*ops::find_op(op.type)),
        call_(program::call_of(program, op)),
        whole_(ir::Box::whole(call_.out().shape)),
        axes_(def_.split_axes(call_)),
        chunk_(whole_.extents()) {}

  Result<std::vector<ir::Box>> tiles() {
    // Half of VTCM, so that the next tile's operands can be fetched while this one computes. An op that does
    // not fit that may still fit the whole, without the overlap.
    const uint64_t vtcm = program_.schedule.vtcm_bytes;
    if (!shrink_to(vtcm / 2) && working_set(chunk_) > vtcm) return too_large(vtcm);
    spread_over_threads();
    return boxes();
  }

 private:
  // VTCM that one tile of this size needs. The tile in the middle has the widest halo.
  uint64_t working_set(const ir::Shape& chunk) const {
    ir::Box box = whole_;
    for (size_t i = 0; i < box.rank(); ++i) {
      const auto middle = static_cast<uint32_t>((ceil_div(whole_.end[i], chunk[i]) - 1) / 2 * chunk[i]);
      box.begin[i] = middle;
      box.end[i] = std::min(middle + chunk[i], whole_.end[i]);
    }
    uint64_t bytes = vtcm_bytes(call_.out(), box);
    for (size_t i = 0; i < op_.inputs.size(); ++i)
      if (op_.inputs[i] != ir::kNoTensor)
        bytes += input_vtcm_bytes(def_, call_, i, def_.input_box(call_, i, box));
    return bytes;
  }

  static ir::Shape halved(ir::Shape chunk, const ops::SplitAxis& axis) {
    const uint64_t half = round_up(ceil_div(chunk[axis.axis], 2), axis.granularity);
    chunk[axis.axis] = static_cast<uint32_t>(std::min<uint64_t>(half, chunk[axis.axis]));
    return chunk;
  }

  // Halves the axis that saves most, until a tile fits; the op's own order breaks ties.
  bool shrink_to(uint64_t budget) {
    uint64_t needed = working_set(chunk_);
    while (needed > budget) {
      ir::Shape best = chunk_;
      uint64_t best_needed = needed;
      for (const ops::SplitAxis& axis : axes_) {
        const ir::Shape candidate = halved(chunk_, axis);
        const uint64_t candidate_needed = working_set(candidate);
        if (candidate_needed < best_needed) {
          best = candidate;
          best_needed = candidate_needed;
        }
      }
      if (best_needed == needed) return false;
      chunk_ = best;
      needed = best_needed;
    }
    return true;
  }

  uint64_t tile_count() const {
    uint64_t count = 1;
    for (size_t i = 0; i < whole_.rank(); ++i) count *= ceil_div(whole_.end[i], chunk_[i]);
    return count;
  }

  // Vector ops have one tile per HVX thread at least, where their shape allows.
  void spread_over_threads() {
    if (def_.work(call_, whole_).unit != soc::Unit::kHvx) return;
    for (const ops::SplitAxis& axis : axes_)
      while (tile_count() < program_.schedule.hvx_threads) {
        const ir::Shape smaller = halved(chunk_, axis);
        if (smaller == chunk_) break;
        chunk_ = smaller;
      }
  }

  std::vector<ir::Box> boxes() const {
    std::vector<ir::Box> result;
    ir::Shape counts = whole_.end;
    for (size_t i = 0; i < counts.rank(); ++i)
      counts[i] = static_cast<uint32_t>(ceil_div(whole_.end[i], chunk_[i]));
    ir::for_each_index(ir::Box::whole(counts), [&](const ir::Shape& position) {
      ir::Box box = whole_;
      for (size_t i = 0; i < box.rank(); ++i) {
        box.begin[i] = position[i] * chunk_[i];
        box.end[i] = std::min(box.begin[i] + chunk_[i], whole_.end[i]);
      }
      result.push_back(box);
    });
    return result;
  }

  Diagnostic too_large(uint64_t vtcm) const {
    return exhausted("tile-vtcm",
                     concat("the smallest tile ", chunk_.to_string(), " of ", op_.type, " needs ",
                            working_set(chunk_), " bytes of VTCM, and ", vtcm, " are granted"))
        .at(concat("graph '", program_.graph, "', node '", op_.name, "'"))
        .fix_by("grant more VTCM, choose a part that has more, or make the op's rows or channels smaller");
  }

  const program::Program& program_;
  const program::Op& op_;
  const ops::OpDef& def_;
  const ops::OpCall call_;
  const ir::Box whole_;
  const std::vector<ops::SplitAxis> axes_;
  ir::Shape chunk_;  // extents of one tile
};

}  // namespace

Result<Tiling> tile(const program::Program& program) {
  Tiling tiling;
  for (const program::Op& op : program.ops) {
    OPENQNN_ASSIGN(std::vector<ir::Box> boxes, OpTiler(program, op).tiles());
    tiling.push_back(std::move(boxes));
  }
  return tiling;
}

}  // namespace openqnn::prepare
