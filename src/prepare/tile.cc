// SPDX-License-Identifier: BSD-3-Clause
// Cuts each op's output into boxes whose operands fit VTCM beside each other.
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "prepare/draft.h"
#include "prepare/operands.h"

namespace openqnn::prepare {
namespace {

// Of one op: far beyond any tensor of a device, far below what a host has memory to plan.
constexpr uint64_t kMostTiles = 1 << 16;

class OpTiler {
 public:
  OpTiler(const program::Program& program, const program::Op& op)
      : program_(program),
        op_(op),
        def_(*ops::find_op(op.type)),
        call_(program::call_of(program, op)),
        whole_(ir::Box::whole(call_.out().shape)),
        axes_(ops::split_axes(def_, call_)),
        chunk_(whole_.extents()) {}

  Result<std::vector<ir::Box>> tiles() {
    // Half of VTCM, so that the next tile's operands can be fetched while this one computes. An op that does
    // not fit that may still fit the whole, without the overlap.
    const uint64_t vtcm = program_.schedule.vtcm_bytes;
    for (const uint64_t budget : {vtcm / 2, vtcm}) {
      chunk_ = whole_.extents();
      if (!shrink_to(budget)) continue;
      spread_over_threads();
      return boxes();
    }
    // Not even the smallest tile fits. Undivided, what does not fit passes through VTCM once; each tile would
    // fetch it again. Small tiles come second: they may touch fewer operands.
    const ir::Shape smallest = chunk_;
    for (const ir::Shape& chunk : {whole_.extents(), smallest}) {
      chunk_ = chunk;
      std::vector<Operand> needed = operands(chunk);
      if (fit_by_streaming(needed, vtcm)) return boxes();
    }
    return too_large(vtcm);
  }

 private:
  // What one tile of this size needs. The tile in the middle has the widest halo.
  std::vector<Operand> operands(const ir::Shape& chunk) const {
    ir::Box box = whole_;
    for (size_t i = 0; i < box.rank(); ++i) {
      const uint64_t middle = (ceil_div(whole_.end[i], chunk[i]) - 1) / 2 * chunk[i];
      box.begin[i] = static_cast<uint32_t>(middle);
      box.end[i] = static_cast<uint32_t>(std::min<uint64_t>(middle + chunk[i], whole_.end[i]));
    }
    return operands_of(op_, def_, call_, box);
  }

  static ir::Shape halved(ir::Shape chunk, const ops::SplitAxis& axis) {
    const uint64_t half = round_up(ceil_div(chunk[axis.axis], 2), axis.granularity);
    chunk[axis.axis] = static_cast<uint32_t>(std::min<uint64_t>(half, chunk[axis.axis]));
    return chunk;
  }

  // Halves the axis that saves most, until a tile fits; the op's own order breaks ties.
  bool shrink_to(uint64_t budget) {
    uint64_t needed = total_bytes(operands(chunk_));
    while (needed > budget) {
      ir::Shape best = chunk_;
      uint64_t best_needed = needed;
      for (const ops::SplitAxis& axis : axes_) {
        const ir::Shape candidate = halved(chunk_, axis);
        const uint64_t candidate_needed = total_bytes(operands(candidate));
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

  Result<std::vector<ir::Box>> boxes() const {
    if (tile_count() > kMostTiles)
      return exhausted("tile-count", concat("the output ", call_.out().shape.to_string(), " would take ",
                                            tile_count(), " tiles; at most ", kMostTiles, " are made"))
          .at(place())
          .fix_by("check the shape; a tensor of this size fits no device");
    std::vector<ir::Box> result;
    result.reserve(tile_count());
    ir::Shape counts = whole_.end;
    for (size_t i = 0; i < counts.rank(); ++i)
      counts[i] = static_cast<uint32_t>(ceil_div(whole_.end[i], chunk_[i]));
    ir::for_each_index(ir::Box::whole(counts), [&](const ir::Shape& position) {
      ir::Box box = whole_;
      for (size_t i = 0; i < box.rank(); ++i) {
        box.begin[i] = position[i] * chunk_[i];
        box.end[i] =
            static_cast<uint32_t>(std::min<uint64_t>(uint64_t{box.begin[i]} + chunk_[i], whole_.end[i]));
      }
      result.push_back(box);
    });
    return result;
  }

  std::string place() const { return concat("graph '", program_.graph, "', node '", op_.name, "'"); }

  Diagnostic too_large(uint64_t vtcm) const {
    const size_t count = operands(chunk_).size();
    return exhausted("tile-vtcm",
                     concat(vtcm, " bytes of VTCM are granted, too few for a window of ", kLeastWindow,
                            " bytes on each of the ", count, " operands of ", op_.type))
        .at(place())
        .fix_by("grant more VTCM, or choose a part that has more");
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
