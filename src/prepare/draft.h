// SPDX-License-Identifier: BSD-3-Clause
// The Program while the passes work on it, and the passes in their order.
#pragma once

#include <vector>

#include "base/log.h"
#include "prepare/course.h"
#include "prepare/prepare.h"

namespace openqnn::prepare {

struct Draft {
  program::Program program;
  std::vector<ir::Blob> data;        // beside program.tensors: the values of static ones
  std::vector<std::byte> constants;  // the data section, filled by lay_out
  uint64_t unstated_bytes = 0;       // of it that follow, and that no client stated
};

// Another constant in place of one that other ops may read as well: the client's tensor may be stored twice.
void replace_operand(Draft& draft, ir::TensorIndex& operand, ir::TensorDesc desc, ir::Blob data);

// The client's graph with the types the device computes in: half wherever the client says float.
Draft legalise(const ir::Graph& graph, const soc::Target& target, const Options& options);

// Convolutions of a few channels: the matrix unit takes them with symmetric weights, or not at all.
void shorten_depth(Draft& draft, const Options& options, const Logger& log);

// Gives 8-bit weights whose numbers all fit in 4 bits a 4-bit encoding of the same numbers, where asked to.
void pack_weights(Draft& draft, const Options& options, const Logger& log);

// Folds an activation into the op before it where nobody else sees the tensor in between.
void fuse(Draft& draft, const Options& options, const Logger& log);

// Puts static operands into the form their op stores them in, and drops tensors nobody names any more.
void lay_out(Draft& draft);

// Gives every activation its place in the executor's arena.
void plan_arena(program::Program& program);

// The output box of every tile of every op, in the order they run.
using Tiling = std::vector<std::vector<ir::Box>>;
// How tiles are cut, where they can be cut so.
struct Cut {
  double vtcm_share = 0.5;  // that a tile and what it needs take at most
  uint32_t images = 0;      // of a batch, that a tile has at most; 0: any number
};
Result<Tiling> tile(const program::Program& program, const Cut& cut = {}, Course* course = nullptr);
// The first dimension that all inputs of the graph have; 1 when there is none.
uint32_t batch_of(const program::Program& program);

// VTCM placement and DMA for the tiles in an order: fills program.schedule. Images first: in depth, but the
// first images of a batch go through all ops before the next ones begin.
enum class Order : uint8_t { kBreadthFirst, kDepthFirst, kImagesFirst };
Status sequence(program::Program& program, const Tiling& tiling, Order order = Order::kBreadthFirst,
                Course* course = nullptr);

// What becomes of transfers: how much of each tensor's bytes compression leaves, and how much room the
// system-level cache has.
struct Traffic {
  std::vector<double> left;  // by tensor; 1 is all
  uint64_t slc_bytes = 0;
};
Traffic traffic_of(const Draft& draft, const soc::Target& target, const Options& options, const Logger& log);
void route(program::Program& program, const Traffic& traffic);
// Of a tensor between two ops, to memory or back.
bool is_spill_or_fill(const program::Program& program, const program::Task& task);

// Bytes between the NPU and DDR, as the vendor's backend sums them up.
struct DdrSummary {
  uint64_t spill_bytes = 0;
  uint64_t fill_bytes = 0;
  uint64_t write_total_bytes = 0;
  uint64_t read_total_bytes = 0;
};
DdrSummary ddr_summary(const program::Program& program);

// Tiles, order, VTCM and transfers, as far as the program's O level looks for them.
Status schedule(program::Program& program, const soc::Target& target, const Traffic& traffic, Course& course,
                const Logger& log);

}  // namespace openqnn::prepare
