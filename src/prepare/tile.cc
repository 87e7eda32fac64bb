// SPDX-License-Identifier: BSD-3-Clause
// Cuts each op's output into boxes whose operands fit VTCM beside each other.
#include <algorithm>
#include <numeric>
#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "ops/common.h"
#include "prepare/draft.h"
#include "prepare/operands.h"

namespace openqnn::prepare {
namespace {

// Of one op: far beyond any tensor of a device, far below what a host has memory to plan.
constexpr uint64_t kMostTiles = 1 << 16;
// That an op is cut into for the sake of others.
constexpr uint64_t kMostBands = 32;

class OpTiler {
 public:
  OpTiler(const program::Program& program, const program::Op& op)
      : program_(program),
        op_(op),
        def_(*ops::find_op(op.type)),
        call_(program::call_of(program, op)),
        parts_(ops::parts_of(def_, call_)),
        whole_(ir::Box::whole(call_.out().shape)),
        axes_(ops::split_axes(def_, call_)),
        chunk_(whole_.extents()) {}

  Result<std::vector<ir::Box>> tiles(const Cut& cut, uint32_t batch) {
    const uint64_t vtcm = program_.schedule.vtcm_bytes;
    if (cut.images != 0) take_images(cut.images, batch);
    // In bands of whole chunks down to a share of VTCM, so that several ops have tiles there.
    shrink_to(static_cast<uint64_t>(static_cast<double>(vtcm) * cut.vtcm_share), band_axes(),
              ops::saturating_multiply(kMostBands, tile_count()));
    divide_for_cores();
    const ir::Shape bands = chunk_;
    // As far as it takes to fit half of VTCM, so that the next tile's operands can be fetched while this one
    // computes; an op that does not fit that may still fit the whole, without the overlap.
    for (const uint64_t budget : {vtcm / 2, vtcm}) {
      chunk_ = bands;
      if (cut_lines_and_columns(budget) || shrink_to(budget, axes_, kMostTiles)) return boxes();
    }
    // Not even the smallest tile fits. Undivided, what does not fit passes through VTCM once; each tile would
    // fetch it again. Small tiles come second: they may touch fewer operands.
    const ir::Shape smallest = chunk_;
    for (const ir::Shape& chunk : {whole_.extents(), smallest}) {
      chunk_ = chunk;
      std::vector<Operand> needed = operands(chunk);
      if (fit_by_streaming(needed, vtcm)) return boxes();
    }
    return too_large(operands(chunk_).size());
  }

 private:
  void take_images(uint32_t images, uint32_t batch) {
    if (whole_.rank() < 2 || whole_.end[0] != batch) return;
    for (const ops::SplitAxis& axis : axes_)
      if (axis.axis == 0)
        chunk_[0] = static_cast<uint32_t>(std::min<uint64_t>(round_up(images, axis.granularity), chunk_[0]));
  }

  // Tiles for each core, where the op can be cut so: several, because what one core computes and another
  // reads goes through DDR in whole tiles.
  void divide_for_cores() {
    constexpr uint64_t kTilesOfCore = 4;
    const uint64_t cores = program_.schedule.cores;
    if (cores == 1) return;
    for (const ops::SplitAxis& axis : band_axes())
      while (tile_count() < cores * kTilesOfCore) {
        const ir::Shape smaller = halved(chunk_, axis);
        if (smaller == chunk_) return;
        chunk_ = smaller;
      }
  }

  // What one tile of this size needs: the one in the middle, which has the widest halo.
  std::vector<Operand> operands(const ir::Shape& chunk) const {
    ir::Box box = whole_;
    for (size_t i = 0; i < box.rank(); ++i) {
      const uint64_t middle = (ceil_div(whole_.end[i], chunk[i]) - 1) / 2 * chunk[i];
      box.begin[i] = static_cast<uint32_t>(middle);
      box.end[i] = static_cast<uint32_t>(std::min<uint64_t>(middle + chunk[i], whole_.end[i]));
    }
    return operands_in(box);
  }

  std::vector<Operand> operands_in(const ir::Box& tile) const {
    return operands_of(op_, def_, call_, tile, parts_(tile));
  }

  static ir::Shape halved(ir::Shape chunk, const ops::SplitAxis& axis) {
    uint64_t half = round_up(ceil_div(chunk[axis.axis], 2), axis.granularity);
    // Whole chunks as long as there are any: the rest of one is computed and thrown away.
    const uint64_t lines = lines_of_chunk(chunk, axis.axis);
    if (half > lines) half = round_up(half, lines);
    chunk[axis.axis] = static_cast<uint32_t>(std::min<uint64_t>(half, chunk[axis.axis]));
    return chunk;
  }

  static uint64_t lines_of_chunk(const ir::Shape& shape, size_t axis) {
    if (shape.rank() >= 4) return axis + 3 == shape.rank() ? ops::kChunkLines : 1;
    return axis + 2 == shape.rank() ? ops::kChunkRows : 1;
  }

  // Lines of an image or rows of a matrix in whole chunks, or columns where most of the bytes are weights:
  // each is then fetched once, and a cut costs nothing but the start of a tile.
  std::vector<ops::SplitAxis> band_axes() const {
    constexpr uint32_t kBandColumns = 128;
    const bool by_columns = is_mostly_constants();
    for (ops::SplitAxis axis : axes_) {
      const bool is_columns = axis.axis + 1 == whole_.rank();
      const uint64_t lines = by_columns && is_columns ? kBandColumns : lines_of_chunk(whole_.end, axis.axis);
      if (by_columns != is_columns || lines == 1) continue;
      axis.granularity = static_cast<uint32_t>(std::lcm(axis.granularity, lines));
      return {axis};
    }
    return {};
  }

  // All chunks that halving along one axis gives, the largest first.
  std::vector<ir::Shape> halvings(ir::Shape chunk, const std::optional<ops::SplitAxis>& axis) const {
    std::vector<ir::Shape> chunks = {chunk};
    while (axis) {
      const ir::Shape smaller = halved(chunk, *axis);
      const uint64_t lines = lines_of_chunk(chunk, axis->axis);
      if (smaller == chunk || smaller[axis->axis] % lines != 0) break;
      chunks.push_back(chunk = smaller);
    }
    return chunks;
  }

  std::optional<ops::SplitAxis> split_axis(bool columns) const {
    for (const ops::SplitAxis& axis : axes_)
      if (columns ? axis.axis + 1 == whole_.rank() : lines_of_chunk(whole_.end, axis.axis) > 1) return axis;
    return std::nullopt;
  }

  // The cut into whole lines and columns that fits and fetches least. Tiles run line by line: what a line of
  // tiles shares is fetched once for it, the weights again with every line. False when none fits.
  bool cut_lines_and_columns(uint64_t budget) {
    if (whole_.rank() == 0) return false;
    const ir::Shape start = chunk_;
    std::optional<uint64_t> least;
    for (const ir::Shape& lines : halvings(start, split_axis(false))) {
      for (const ir::Shape& candidate : halvings(lines, split_axis(true))) {
        const std::vector<Operand> needed = operands(candidate);
        if (total_bytes(needed) > budget) continue;
        const uint64_t fetched = fetched_bytes(needed, candidate);
        if (!least || fetched < *least) {
          least = fetched;
          chunk_ = candidate;
        }
        break;  // the widest columns that fit
      }
    }
    return least.has_value();
  }

  uint64_t fetched_bytes(const std::vector<Operand>& needed, const ir::Shape& chunk) const {
    const size_t last = whole_.rank() - 1;
    const uint64_t columns = ceil_div(whole_.end[last], chunk[last]);
    const uint64_t lines = tile_count(chunk) / columns;
    uint64_t bytes = 0;
    for (size_t i = 0; i < needed.size(); ++i) bytes += needed[i].bytes * lines * (i == 0 ? 1 : columns);
    return bytes;
  }

  bool is_mostly_constants() const {
    uint64_t constants = 0;
    uint64_t others = 0;
    for (const Operand& operand : operands(whole_.extents()))
      (program_.tensors[operand.tensor].storage == program::Storage::kConstant ? constants : others) +=
          operand.bytes;
    return constants > others;
  }

  // Halves the axis that saves most, until a tile fits; the op's own order breaks ties.
  bool shrink_to(uint64_t budget, const std::vector<ops::SplitAxis>& axes, uint64_t most_tiles) {
    uint64_t needed = total_bytes(operands(chunk_));
    while (needed > budget) {
      if (2 * tile_count() > most_tiles) return false;
      ir::Shape best = chunk_;
      uint64_t best_needed = needed;
      for (const ops::SplitAxis& axis : axes) {
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

  uint64_t tile_count() const { return tile_count(chunk_); }
  uint64_t tile_count(const ir::Shape& chunk) const {
    uint64_t count = 1;
    for (size_t i = 0; i < whole_.rank(); ++i) count *= ceil_div(whole_.end[i], chunk[i]);
    return count;
  }

  // The tiles. The one in the middle has stood for all, but a join of many inputs may have tiles that read
  // more of them than there is room for windows on.
  Result<std::vector<ir::Box>> boxes() {
    for (;;) {
      if (tile_count() > kMostTiles)
        return exhausted("tile-count", concat("the output ", call_.out().shape.to_string(), " would take ",
                                              tile_count(), " tiles; at most ", kMostTiles, " are made"))
            .at(place())
            .fix_by("check the shape; a tensor of this size fits no device");
      std::vector<ir::Box> result = boxes_of_chunks();
      const bool never_crowded =
          (op_.inputs.size() + op_.outputs.size()) * kLeastWindow <= program_.schedule.vtcm_bytes;
      const auto crowded =
          never_crowded ? result.end() : std::ranges::find_if_not(result, [&](const auto& box) {
            std::vector<Operand> needed = operands_in(box);
            return fit_by_streaming(needed, program_.schedule.vtcm_bytes);
          });
      if (crowded == result.end()) return result;
      if (!divide_crowded(*crowded)) return too_large(operands_in(*crowded).size());
    }
  }

  // Halves the axis along which the halves of the tile share the fewest inputs; none where they share all.
  bool divide_crowded(const ir::Box& tile) {
    size_t fewest = 2 * parts_(tile).size();
    const ir::Shape whole = chunk_;
    for (const ops::SplitAxis& axis : axes_) {
      const ir::Shape smaller = halved(whole, axis);
      if (smaller == whole) continue;
      ir::Box first = tile;
      ir::Box second = tile;
      first.end[axis.axis] = second.begin[axis.axis] =
          std::min(tile.end[axis.axis], tile.begin[axis.axis] + smaller[axis.axis]);
      const size_t reads = parts_(first).size() + (second.empty() ? 0 : parts_(second).size());
      if (reads >= fewest) continue;
      fewest = reads;
      chunk_ = smaller;
    }
    return chunk_ != whole;
  }

  std::vector<ir::Box> boxes_of_chunks() const {
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

  Diagnostic too_large(size_t count) const {
    return exhausted("tile-vtcm", concat(program_.schedule.vtcm_bytes,
                                         " bytes of VTCM are granted, too few for a window of ", kLeastWindow,
                                         " bytes on each of the ", count, " operands of ", op_.type))
        .at(place())
        .fix_by("grant more VTCM, or choose a part that has more");
  }

  const program::Program& program_;
  const program::Op& op_;
  const ops::OpDef& def_;
  const ops::OpCall call_;
  const ops::NeededParts parts_;
  const ir::Box whole_;
  const std::vector<ops::SplitAxis> axes_;
  ir::Shape chunk_;  // extents of one tile
};

}  // namespace

uint32_t batch_of(const program::Program& program) {
  std::optional<uint32_t> batch;
  for (const program::Tensor& tensor : program.tensors) {
    if (tensor.role != ir::TensorRole::kInput) continue;
    const ir::Shape& shape = tensor.desc.shape;
    if (shape.rank() < 2 || (batch && *batch != shape[0])) return 1;
    batch = shape[0];
  }
  return batch.value_or(1);
}

Result<Tiling> tile(const program::Program& program, const Cut& cut, Course* course) {
  const uint32_t batch = batch_of(program);
  Tiling tiling;
  for (const program::Op& op : program.ops) {
    OPENQNN_ASSIGN(std::vector<ir::Box> boxes, OpTiler(program, op).tiles(cut, batch));
    tiling.push_back(std::move(boxes));
    if (course) OPENQNN_TRY(course->advance(tiling.size(), program.ops.size()));
  }
  return tiling;
}

}  // namespace openqnn::prepare
