// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/order.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "prepare/box_index.h"
#include "prepare/operands.h"

namespace openqnn::prepare {

std::vector<uint32_t> groups_that_fit(const program::Program& program, const Tiling& tiling) {
  // Of a result, the tile that is being computed, the one before, and the one that waits for its neighbour's
  // lines.
  constexpr uint64_t kTilesOfResult = 3;
  const uint64_t budget = program.schedule.vtcm_bytes / 4 * 3;
  std::vector<uint32_t> groups;
  uint64_t needed = 0;
  uint32_t group = 0;
  for (size_t i = 0; i < tiling.size(); ++i) {
    const program::Op& op = program.ops[i];
    uint64_t own = kTilesOfResult * vtcm_bytes(program.tensors[op.outputs[0]].desc, tiling[i].front());
    for (const ir::TensorIndex input : op.inputs)
      if (input != ir::kNoTensor && program.tensors[input].storage == program::Storage::kConstant)
        own += program.tensors[input].bytes;
    needed += own;
    if (needed > budget || tiling[i].size() == 1) {
      ++group;
      needed = own;
    }
    groups.push_back(group);
  }
  return groups;
}

TileGraph::TileGraph(const program::Program& program, const Tiling& tiling) {
  for (uint32_t op = 0; op < tiling.size(); ++op) {
    first_of_op_.push_back(static_cast<TileIndex>(places_.size()));
    for (uint32_t tile = 0; tile < tiling[op].size(); ++tile) places_.push_back({op, tile});
  }
  first_of_op_.push_back(static_cast<TileIndex>(places_.size()));
  reads_.resize(places_.size());
  readers_.resize(places_.size());
  connect(program, tiling);
}

void TileGraph::connect(const program::Program& program, const Tiling& tiling) {
  std::vector<BoxIndex> written(program.tensors.size());  // by tensor: the tiles that compute it
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const program::Op& op = program.ops[i];
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = program::call_of(program, op);
    const ops::NeededParts parts = ops::parts_of(def, call);
    for (uint32_t tile = 0; tile < tiling[i].size(); ++tile) {
      const TileIndex reader = first_of_op_[i] + tile;
      for (const ops::NeededPart& part : parts(tiling[i][tile])) {
        const std::vector<TileIndex> tiles = written[op.inputs[part.input]].overlapping(part.box);
        reads_[reader].insert(reads_[reader].end(), tiles.begin(), tiles.end());
      }
      std::ranges::sort(reads_[reader]);
      reads_[reader].erase(std::unique(reads_[reader].begin(), reads_[reader].end()), reads_[reader].end());
      for (const TileIndex read : reads_[reader]) readers_[read].push_back(reader);
    }
    for (size_t output = 0; output < op.outputs.size(); ++output) {
      if (op.outputs[output] == ir::kNoTensor) continue;
      const ir::Shape& shape = call.out(output).shape;
      for (uint32_t tile = 0; tile < tiling[i].size(); ++tile)
        written[op.outputs[output]].insert(shape, output == 0 ? tiling[i][tile] : ir::Box::whole(shape),
                                           first_of_op_[i] + tile);
    }
  }
}

std::vector<TileIndex> TileGraph::breadth_first() const {
  std::vector<TileIndex> order(places_.size());
  std::iota(order.begin(), order.end(), TileIndex{0});
  return order;
}

std::vector<TileIndex> TileGraph::depth_first(const std::vector<uint32_t>& group_of_op) const {
  std::vector<uint32_t> missing(places_.size());
  for (TileIndex tile = 0; tile < places_.size(); ++tile)
    missing[tile] = static_cast<uint32_t>(reads_[tile].size());
  const auto is_whole_op = [&](TileIndex tile) {
    const uint32_t op = places_[tile].op;
    return first_of_op_[op + 1] - first_of_op_[op] == 1;
  };
  // The latest op first, its tiles in their order.
  const auto later = [&](TileIndex a, TileIndex b) {
    return places_[a].op != places_[b].op ? places_[a].op < places_[b].op : a > b;
  };
  std::priority_queue<TileIndex, std::vector<TileIndex>, decltype(later)> ready(later);
  std::vector<TileIndex> order;
  std::vector<bool> done(places_.size(), false);
  const auto run = [&](TileIndex tile) {
    done[tile] = true;
    order.push_back(tile);
    for (const TileIndex reader : readers_[tile])
      if (--missing[reader] == 0 && !is_whole_op(reader) &&
          group_of_op[places_[reader].op] == group_of_op[places_[tile].op])
        ready.push(reader);
  };
  for (TileIndex tile = 0; tile < places_.size(); ++tile) {
    if (!done[tile]) run(tile);
    while (!ready.empty()) {
      const TileIndex next = ready.top();
      ready.pop();
      if (!done[next]) run(next);
    }
  }
  return order;
}

std::vector<TileIndex> TileGraph::images_first(std::vector<TileIndex> order, const Tiling& tiling,
                                               uint32_t batch) const {
  // The last image that each tile needs the results of; those that it reads have smaller indices.
  std::vector<uint32_t> image(places_.size(), 0);
  for (TileIndex tile = 0; tile < places_.size(); ++tile) {
    const ir::Box& box = tiling[places_[tile].op][places_[tile].tile];
    if (box.rank() > 0 && box.end[0] <= batch && box.extent(0) < batch) image[tile] = box.begin[0];
    for (const TileIndex read : reads_[tile]) image[tile] = std::max(image[tile], image[read]);
  }
  std::ranges::stable_sort(order, {}, [&](TileIndex tile) { return image[tile]; });
  return order;
}

uint32_t TileGraph::core_of(TileIndex tile, uint32_t cores) const {
  const TilePlace& at = places_[tile];
  const uint64_t tiles = first_of_op_[at.op + 1] - first_of_op_[at.op];
  return static_cast<uint32_t>(uint64_t{at.tile} * cores / std::max<uint64_t>(tiles, cores));
}

std::vector<TileIndex> TileGraph::side_by_side(const std::vector<TileIndex>& order, uint32_t cores) const {
  if (cores == 1) return order;
  std::vector<std::vector<TileIndex>> waiting(cores);  // each core's own, in their order
  for (const TileIndex tile : order) waiting[core_of(tile, cores)].push_back(tile);
  std::vector<size_t> next(cores, 0);
  std::vector<bool> done(places_.size(), false);
  const auto is_ready = [&](uint32_t core) {
    return next[core] < waiting[core].size() &&
           std::ranges::all_of(reads_[waiting[core][next[core]]], [&](TileIndex read) { return done[read]; });
  };
  std::vector<TileIndex> merged;
  // The first tile of `order` that is left is always ready, so that each turn takes one at least.
  while (merged.size() < order.size())
    for (uint32_t core = 0; core < cores; ++core) {
      if (!is_ready(core)) continue;
      const TileIndex tile = waiting[core][next[core]++];
      done[tile] = true;
      merged.push_back(tile);
    }
  return merged;
}

}  // namespace openqnn::prepare
