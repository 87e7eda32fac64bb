// SPDX-License-Identifier: BSD-3-Clause
// In which order the tiles of all ops run, and which tiles each of them reads.
#pragma once

#include <cstdint>
#include <vector>

#include "prepare/draft.h"

namespace openqnn::prepare {

// A tile by its place when the tiles of all ops are counted through, op by op.
using TileIndex = uint32_t;

struct TilePlace {
  uint32_t op = 0;
  uint32_t tile = 0;  // of that op
};

// Neighbouring ops whose tiles have room in VTCM beside each other, by op: how far an order may go in depth.
std::vector<uint32_t> groups_that_fit(const program::Program& program, const Tiling& tiling);

class TileGraph {
 public:
  TileGraph(const program::Program& program, const Tiling& tiling);

  // Op by op.
  std::vector<TileIndex> breadth_first() const;
  // Ops in their order too, but as soon as tiles of an op are there that a later op of the same group can go
  // on with, it does: what lies between the two is read before it would have to leave VTCM. An op in one
  // piece waits for its turn.
  std::vector<TileIndex> depth_first(const std::vector<uint32_t>& group_of_op) const;

  // The order with the first images of a batch before the next ones, as far as what each tile reads allows.
  std::vector<TileIndex> images_first(std::vector<TileIndex> order, const Tiling& tiling,
                                      uint32_t batch) const;

  // A core takes neighbouring tiles of an op, so that few of them read what another computes.
  uint32_t core_of(TileIndex tile, uint32_t cores) const;
  // The order with the tiles of all cores in turn, as far as what each reads allows.
  std::vector<TileIndex> side_by_side(const std::vector<TileIndex>& order, uint32_t cores) const;

  const TilePlace& place(TileIndex tile) const { return places_[tile]; }
  const std::vector<TileIndex>& reads(TileIndex tile) const { return reads_[tile]; }
  const std::vector<TileIndex>& readers(TileIndex tile) const { return readers_[tile]; }

 private:
  void connect(const program::Program& program, const Tiling& tiling);

  std::vector<TileIndex> first_of_op_;  // and the end, last
  std::vector<TilePlace> places_;
  std::vector<std::vector<TileIndex>> reads_;
  std::vector<std::vector<TileIndex>> readers_;
};

}  // namespace openqnn::prepare
