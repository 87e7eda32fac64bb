// SPDX-License-Identifier: BSD-3-Clause
// Runs the tiles in a given order over a VTCM that works like a cache with late write-back: an operand is
// loaded when a tile needs it and it is not there; a result stays until its last reader is done, and goes to
// DDR only when it must make room or when the client wants it. Loads depend on nothing but the previous users
// of their bytes, so they run ahead of the computation as far as VTCM allows. What is too large for VTCM is
// streamed: loaded for one tile alone, or stored as soon as it is computed. Each core has a VTCM of its own;
// what another core computed comes through DDR.
#include <algorithm>

#include "base/text.h"
#include "ops/common.h"
#include "prepare/draft.h"
#include "prepare/operands.h"
#include "prepare/order.h"
#include "prepare/vtcm.h"

namespace openqnn::prepare {
namespace {

using program::Task;
using program::TaskKind;

class Sequencer {
 public:
  explicit Sequencer(program::Program& program)
      : program_(program),
        schedule_(program.schedule),
        cores_(program.schedule.cores),
        producers_(program.tensors.size(), 0),
        readers_left_(program.tensors.size(), 0),
        stores_(program.tensors.size()),
        running_(program.ops.size()) {
    for (uint32_t core = 0; core < cores_; ++core) vtcms_.emplace_back(program, core);
    for (uint32_t i = 0; i < program.ops.size(); ++i) {
      for (const ir::TensorIndex input : program.ops[i].inputs)
        if (input != ir::kNoTensor) ++readers_left_[input];
      for (const ir::TensorIndex output : program.ops[i].outputs)
        if (output != ir::kNoTensor) producers_[output] = i;
    }
    readers_ = readers_left_;
  }

  Status run(const Tiling& tiling, const TileGraph& graph, const std::vector<TileIndex>& order,
             Course* course) {
    std::vector<uint32_t> readers_left(order.size());
    for (TileIndex tile = 0; tile < order.size(); ++tile)
      readers_left[tile] = static_cast<uint32_t>(graph.readers(tile).size());
    std::vector<size_t> tiles_left;
    for (const std::vector<ir::Box>& tiles : tiling) tiles_left.push_back(tiles.size());

    constexpr uint64_t kTilesBetweenQuestions = 64;
    uint64_t done = 0;
    for (const TileIndex tile : order) {
      if (course && done++ % kTilesBetweenQuestions == 0) OPENQNN_TRY(course->advance(done, order.size()));
      const auto [op, number] = graph.place(tile);
      begin_op(op);
      core_ = graph.core_of(tile, cores_);
      OPENQNN_TRY(add_tile(program_.ops[op], tiling[op][number]));
      for (const TileIndex read : graph.reads(tile))
        if (--readers_left[read] == 0) retire_tile(graph.place(read), tiling);
      if (--tiles_left[op] > 0) continue;
      release_tensors(program_.ops[op]);
      running_[op].reset();
    }
    return {};
  }

 private:
  // A block that has room in VTCM, and the tasks that used its bytes before.
  struct NewBlock {
    BlockId block;
    const Operand* operand;
    std::vector<uint32_t> after;
  };

  // Where a tile finds its operands: blocks that are there, and new ones.
  struct Placement {
    std::vector<BlockId> present;
    std::vector<NewBlock> added;
  };

  // An op of which tiles have run, and others will: in depth, other ops' tiles lie between.
  struct Running {
    const ops::OpDef* def = nullptr;
    ops::OpCall call;
    ops::NeededParts parts;  // of this call, so it stays where it is
    bool is_free = false;    // see is_computed_by_producer
  };

  struct BlockState {
    bool computed = false;    // filled by computing, not by loading
    bool stored = false;      // its contents are in DDR
    uint32_t pinned_for = 0;  // the attempt at placing a tile that needs it
  };

  void begin_op(uint32_t op) {
    op_ = op;
    std::optional<Running>& running = running_[op];
    now_ = running ? &*running : &running.emplace();
    if (now_->def) return;
    now_->def = ops::find_op(program_.ops[op].type);
    now_->call = program::call_of(program_, program_.ops[op]);
    now_->parts = ops::parts_of(*now_->def, now_->call);
    now_->is_free = is_computed_by_producer();
  }

  // Nobody will read this part of a tensor again.
  void retire_tile(const TilePlace& place, const Tiling& tiling) {
    const program::Op& op = program_.ops[place.op];
    if (op.outputs.size() != 1) return;  // they are released whole
    const ir::Box& box = tiling[place.op][place.tile];
    for (const BlockId block : resident_anywhere(op.outputs[0], box))
      if (states_[block].computed && schedule_.blocks[block].box == box) retire(block);
  }

  Status add_tile(const program::Op& op, const ir::Box& tile) {
    const std::vector<ops::NeededPart> parts = now_->parts(tile);
    std::vector<Operand> operands = operands_of(op, *now_->def, now_->call, tile, parts);
    const bool fits = fit_by_streaming(operands, schedule_.vtcm_bytes);
    std::optional<Placement> placement = fits ? place(operands) : std::nullopt;
    if (fits && !placement) {
      // Fragmented, or the blocks at hand are larger than the boxes needed: start from an empty VTCM.
      while (const std::optional<BlockId> block = vtcm().unused_for_longest()) evict(*block);
      placement = place(operands);
    }
    if (!placement)
      return internal("sequence-vtcm", concat("a tile of '", op.name, "' does not fit an empty VTCM"));

    for (const NewBlock& added : placement->added)
      if (!added.operand->is_output) load(added);
    add_compute(op, tile, parts, *placement);
    for (const NewBlock& added : placement->added) {
      const bool is_result =
          added.operand->is_output && program_.tensors[added.operand->tensor].role == ir::TensorRole::kOutput;
      if (is_result || (added.operand->is_output && added.operand->streamed)) store(added.block);
      if (added.operand->streamed) retire(added.block);
    }
    return {};
  }

  // Room for everything a tile needs, or nothing: then no block was added.
  std::optional<Placement> place(const std::vector<Operand>& operands) {
    ++attempt_;
    Placement placement;
    for (const Operand& operand : operands) {
      const std::vector<BlockId> present = operand.is_output ? std::vector<BlockId>() : covering(operand);
      for (const BlockId block : present) {
        states_[block].pinned_for = attempt_;
        vtcm().touch(block);
      }
      placement.present.insert(placement.present.end(), present.begin(), present.end());
      if (!present.empty() || add_block(operand, placement)) continue;
      cancel(placement);
      return std::nullopt;
    }
    return placement;
  }

  bool add_block(const Operand& operand, Placement& placement) {
    // Parts of it may be in VTCM alone: a load reads DDR, so they go there first.
    for (const BlockId part : resident_anywhere(operand.tensor, operand.box)) store(part);

    NewBlock added{0, &operand, {}};
    const std::optional<BlockId> block = make_room(operand, added.after);
    if (!block) return false;
    added.block = *block;
    placement.added.push_back(std::move(added));
    return true;
  }

  void cancel(Placement& placement) {
    for (; !placement.added.empty(); placement.added.pop_back())
      vtcm().cancel(placement.added.back().block, std::move(placement.added.back().after));
    states_.resize(schedule_.blocks.size());
  }

  // A block for the operand, after evicting the blocks that nothing has used for longest.
  std::optional<BlockId> make_room(const Operand& operand, std::vector<uint32_t>& after) {
    std::optional<BlockId> block = vtcm().allocate(operand, after);
    Vtcm::Stamp next = 0;
    while (!block) {
      const std::optional<BlockId> victim = vtcm().unused_for_longest(next);
      if (!victim) return std::nullopt;
      next = vtcm().last_use(*victim) + 1;
      if (states_[*victim].pinned_for == attempt_) continue;
      evict(*victim);
      block = vtcm().allocate(operand, after);
    }
    states_.push_back({.pinned_for = attempt_});
    return block;
  }

  // Resident blocks that hold the operand together: one that contains it, or the tiles its producer left.
  std::vector<BlockId> covering(const Operand& operand) const {
    std::vector<BlockId> parts;
    uint64_t covered = 0;
    for (const BlockId block : vtcms_[core_].resident(operand.tensor, operand.box)) {
      const ir::Box& box = schedule_.blocks[block].box;
      if (contains(box, operand.box)) return {block};
      if (!states_[block].computed) continue;
      parts.push_back(block);
      covered += intersection_elements(box, operand.box);
    }
    // A producer's tiles never overlap each other, so equal volume means full cover.
    return covered == operand.box.elements() ? parts : std::vector<BlockId>{};
  }

  static uint64_t intersection_elements(const ir::Box& a, const ir::Box& b) {
    uint64_t elements = 1;
    for (size_t i = 0; i < a.rank(); ++i)
      elements *= std::min(a.end[i], b.end[i]) - std::max(a.begin[i], b.begin[i]);
    return elements;
  }

  void evict(BlockId block) {
    if (readers_left_[schedule_.blocks[block].tensor] > 0) store(block);
    retire(block);
  }

  void load(const NewBlock& added) {
    const program::VtcmBlock& block = schedule_.blocks[added.block];
    std::vector<uint32_t> after = stores_[block.tensor].overlapping(block.box);
    after.insert(after.end(), added.after.begin(), added.after.end());
    add_transfer(TaskKind::kLoad, added.block, added.operand->ddr_bytes, std::move(after));
  }

  // Writes a result to DDR unless it is there already or came from there.
  void store(BlockId id) {
    if (!states_[id].computed || states_[id].stored) return;
    states_[id].stored = true;
    const program::VtcmBlock& block = schedule_.blocks[id];
    const program::Tensor& tensor = program_.tensors[block.tensor];
    const uint32_t task =
        add_transfer(TaskKind::kStore, id, ir::plain_bytes(tensor.desc, block.box), {block.users.front()});
    stores_[block.tensor].insert(tensor.desc.shape, block.box, task);
  }

  uint32_t add_transfer(TaskKind kind, BlockId block, uint64_t bytes, std::vector<uint32_t> after) {
    const program::VtcmBlock& piece = schedule_.blocks[block];
    return add_task({.kind = kind,
                     .unit = soc::Unit::kDma,
                     .op = kind == TaskKind::kStore ? producers_[piece.tensor] : op_,
                     .tensor = piece.tensor,
                     .box = piece.box,
                     .bytes = bytes,
                     .work = {.unit = soc::Unit::kDma},
                     .after = std::move(after),
                     .core = piece.core},
                    {block});
  }

  // Inputs and outputs of the graph lie in DDR as the client has them: chunks are made on the way in, and
  // undone on the way out.
  uint64_t converted_vectors(const Placement& placement) const {
    uint64_t vectors = 0;
    for (const NewBlock& added : placement.added) {
      const program::Tensor& tensor = program_.tensors[added.operand->tensor];
      if (ir::is_io(tensor.role)) vectors += ops::padded_vectors(tensor.desc, added.operand->box);
    }
    return vectors;
  }

  // Clamps that the device computes as it writes the result before: that op's own work covers them.
  bool is_computed_by_producer() const {
    if (program_.optimization < 2 || !ops::clamps(*now_->def, now_->call)) return false;
    const ir::TensorIndex input = program_.ops[op_].inputs[0];
    if (program_.tensors[input].role != ir::TensorRole::kNative || readers_[input] != 1) return false;
    const program::Op& producer = program_.ops[producers_[input]];
    return ops::find_op(ops::type_alone(producer.type, producer.params))->clamps_as_it_writes;
  }

  // A convolution without the matrix unit: for each result, a product with each of its weights, at the price
  // that products of depth-wise convolutions have there (ours).
  ops::Work on_vector_units(const program::Op& op, ops::Work work, const ir::Box& tile) const {
    const ir::Shape& weight = program_.tensors[op.inputs[1]].desc.shape;  // height, width, channels, results
    work.unit = soc::Unit::kHvx;
    work.macs = work.skipped_macs = work.vector_ops = 0;
    work.ragged = false;
    work.of(ops::VectorKind::kTap) +=
        ops::padded_vectors(now_->call.out(), tile) * weight[0] * weight[1] * weight[2];
    return work;
  }

  void add_compute(const program::Op& op, const ir::Box& tile, const std::vector<ops::NeededPart>& parts,
                   const Placement& placement) {
    std::vector<BlockId> used = placement.present;
    std::vector<uint32_t> after;
    for (const NewBlock& added : placement.added) {
      used.push_back(added.block);
      if (!added.operand->is_output) continue;
      states_[added.block].computed = true;
      after.insert(after.end(), added.after.begin(), added.after.end());
    }
    for (const BlockId block : used)
      if (!schedule_.blocks[block].users.empty()) after.push_back(schedule_.blocks[block].users.front());
    ops::Work work = now_->is_free ? ops::Work{} : ops::work_of(*now_->def, now_->call, tile, parts);
    if (op.off_hmx) work = on_vector_units(op, work, tile);
    work.of(ops::VectorKind::kLayout) += converted_vectors(placement);
    const bool is_first = tile.begin == ir::Box::whole(now_->call.out().shape).begin;
    add_task({.kind = TaskKind::kCompute,
              .unit = work.unit,
              .op = op_,
              .tensor = op.outputs[0],
              .box = tile,
              .work = work,
              .after = std::move(after),
              .launches = is_first && !now_->is_free ? ops::launches_of(*now_->def, now_->call) : 0,
              .core = core_},
             used);
  }

  uint32_t add_task(Task task, const std::vector<BlockId>& blocks) {
    std::sort(task.after.begin(), task.after.end());
    task.after.erase(std::unique(task.after.begin(), task.after.end()), task.after.end());
    const auto index = static_cast<uint32_t>(schedule_.tasks.size());
    schedule_.tasks.push_back(std::move(task));
    for (const BlockId block : blocks) {
      std::vector<uint32_t>& users = schedule_.blocks[block].users;
      if (users.empty() || users.back() != index) users.push_back(index);
    }
    return index;
  }

  // After the last reader, a tensor's blocks make room at once; what nobody reads does so after its op.
  void release_tensors(const program::Op& op) {
    for (const ir::TensorIndex input : op.inputs)
      if (input != ir::kNoTensor && --readers_left_[input] == 0) retire_all(input);
    for (const ir::TensorIndex output : op.outputs)
      if (output != ir::kNoTensor && readers_left_[output] == 0) retire_all(output);
  }

  void retire_all(ir::TensorIndex tensor) {
    for (Vtcm& vtcm : vtcms_)
      for (const BlockId block : vtcm.resident(tensor)) vtcm.retire(block);
  }

  // Of the core that runs this tile.
  Vtcm& vtcm() { return vtcms_[core_]; }
  void retire(BlockId block) { vtcms_[schedule_.blocks[block].core].retire(block); }
  std::vector<BlockId> resident_anywhere(ir::TensorIndex tensor, const ir::Box& box) const {
    std::vector<BlockId> blocks;
    for (const Vtcm& vtcm : vtcms_) {
      const std::vector<BlockId> own = vtcm.resident(tensor, box);
      blocks.insert(blocks.end(), own.begin(), own.end());
    }
    return blocks;
  }

  program::Program& program_;
  program::Schedule& schedule_;
  const uint32_t cores_;
  std::vector<Vtcm> vtcms_;             // by core
  uint32_t core_ = 0;                   // that runs this tile
  std::vector<uint32_t> producers_;     // the op that writes a tensor
  std::vector<uint32_t> readers_;       // how many ops read a tensor
  std::vector<uint32_t> readers_left_;  // how often a tensor will still be read by an op
  std::vector<BoxIndex> stores_;        // per tensor: what is in DDR, and since which task
  std::vector<BlockState> states_;      // beside the schedule's blocks
  uint32_t attempt_ = 0;
  uint32_t op_ = 0;
  std::vector<std::optional<Running>> running_;  // by op
  Running* now_ = nullptr;
};

}  // namespace

Status sequence(program::Program& program, const Tiling& tiling, Order order, Course* course) {
  const TileGraph graph(program, tiling);
  std::vector<TileIndex> tiles = order == Order::kBreadthFirst
                                     ? graph.breadth_first()
                                     : graph.depth_first(groups_that_fit(program, tiling));
  if (order == Order::kImagesFirst) tiles = graph.images_first(std::move(tiles), tiling, batch_of(program));
  return Sequencer(program).run(tiling, graph, graph.side_by_side(tiles, program.schedule.cores), course);
}

}  // namespace openqnn::prepare
