// SPDX-License-Identifier: BSD-3-Clause
// Runs the tiles in order over a VTCM that works like a cache with late write-back: an operand is loaded when
// a tile needs it and it is not there; a result stays until its last reader is done, and goes to DDR only
// when it must make room or when the client wants it. Loads depend on nothing but the previous users of their
// bytes, so they run ahead of the computation as far as VTCM allows.
#include <algorithm>

#include "base/text.h"
#include "prepare/draft.h"
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
        vtcm_(schedule_),
        readers_left_(program.tensors.size(), 0) {
    for (const program::Op& op : program.ops)
      for (const ir::TensorIndex input : op.inputs)
        if (input != ir::kNoTensor) ++readers_left_[input];
    stores_.resize(program.tensors.size());
    producers_.resize(program.tensors.size(), 0);
    for (uint32_t i = 0; i < program.ops.size(); ++i)
      for (const ir::TensorIndex output : program.ops[i].outputs) producers_[output] = i;
  }

  Status run(const Tiling& tiling) {
    for (op_ = 0; op_ < program_.ops.size(); ++op_) {
      const program::Op& op = program_.ops[op_];
      def_ = ops::find_op(op.type);
      call_ = program::call_of(program_, op);
      for (const ir::Box& tile : tiling[op_]) OPENQNN_TRY(add_tile(op, tile));
      release_read_tensors(op);
    }
    return {};
  }

 private:
  struct Operand {
    ir::TensorIndex tensor;
    ir::Box box;
    uint64_t bytes;  // in VTCM
  };

  // A block that has room in VTCM, and the tasks that used its bytes before.
  struct NewBlock {
    BlockId block;
    std::vector<uint32_t> after;
  };

  // Where a tile finds its operands: blocks that are there, and new ones, of which the last is its output.
  struct Placement {
    std::vector<BlockId> blocks;
    std::vector<NewBlock> added;
  };

  Status add_tile(const program::Op& op, const ir::Box& tile) {
    std::vector<Operand> operands;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == ir::kNoTensor) continue;
      const ir::Box box = def_->input_box(call_, i, tile);
      if (box.empty()) continue;  // the tile sees padding alone
      operands.push_back({op.inputs[i], box, input_vtcm_bytes(*def_, call_, i, box)});
    }
    const Operand output{op.outputs[0], tile, vtcm_bytes(call_.out(), tile)};

    std::optional<Placement> placement = place(operands, output);
    if (!placement) {
      // Fragmented, or the blocks at hand are larger than the boxes needed: start from an empty VTCM.
      for (const BlockId block : vtcm_.resident()) evict(block);
      placement = place(operands, output);
    }
    if (!placement)
      return internal("sequence-vtcm", concat("a tile of '", op.name, "' does not fit an empty VTCM"));

    std::vector<uint32_t> after = std::move(placement->added.back().after);
    placement->added.pop_back();
    for (NewBlock& added : placement->added) load(added);
    for (const BlockId block : placement->blocks)
      if (!schedule_.blocks[block].users.empty()) after.push_back(schedule_.blocks[block].users.front());
    add_compute(output, placement->blocks, std::move(after));
    if (program_.tensors[output.tensor].role == ir::TensorRole::kOutput) store(placement->blocks.back());
    return {};
  }

  // Room for everything a tile needs, or nothing: then no block was added.
  std::optional<Placement> place(const std::vector<Operand>& operands, const Operand& output) {
    Placement placement;
    for (const Operand& operand : operands) {
      const std::vector<BlockId> present = covering(operand);
      placement.blocks.insert(placement.blocks.end(), present.begin(), present.end());
      if (present.empty() && !add_block(operand, placement)) return std::nullopt;
    }
    if (!add_block(output, placement)) return std::nullopt;
    return placement;
  }

  bool add_block(const Operand& operand, Placement& placement) {
    // Parts of it may be in VTCM alone: a load reads DDR, so they go there first.
    const std::vector<BlockId> parts = vtcm_.resident(operand.tensor);
    for (const BlockId part : parts)
      if (overlap(schedule_.blocks[part].box, operand.box)) store(part);

    NewBlock added;
    if (const std::optional<BlockId> block = make_room(operand, placement.blocks, added.after)) {
      added.block = *block;
      placement.blocks.push_back(*block);
      placement.added.push_back(std::move(added));
      return true;
    }
    while (!placement.added.empty()) {
      vtcm_.cancel(placement.added.back().block, std::move(placement.added.back().after));
      placement.added.pop_back();
    }
    computed_.resize(schedule_.blocks.size());
    stored_.resize(schedule_.blocks.size());
    return false;
  }

  void load(NewBlock& added) {
    const program::VtcmBlock& block = schedule_.blocks[added.block];
    for (const auto& [box, task] : stores_[block.tensor])
      if (overlap(box, block.box)) added.after.push_back(task);
    add_transfer(TaskKind::kLoad, added.block, std::move(added.after));
  }

  // Resident blocks that hold the operand together: one that contains it, or the tiles its producer left.
  std::vector<BlockId> covering(const Operand& operand) {
    std::vector<BlockId> parts;
    uint64_t covered = 0;
    for (const BlockId block : vtcm_.resident(operand.tensor)) {
      const ir::Box& box = schedule_.blocks[block].box;
      if (contains(box, operand.box)) return {block};
      if (!computed_[block] || !overlap(box, operand.box)) continue;
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

  // A block for the operand, after evicting the oldest blocks that the tile does not need.
  std::optional<BlockId> make_room(const Operand& operand, const std::vector<BlockId>& pinned,
                                   std::vector<uint32_t>& after) {
    std::optional<BlockId> block = vtcm_.allocate(operand.tensor, operand.box, operand.bytes, after);
    if (!block) {
      for (const BlockId victim : vtcm_.resident()) {
        if (std::find(pinned.begin(), pinned.end(), victim) != pinned.end()) continue;
        evict(victim);
        block = vtcm_.allocate(operand.tensor, operand.box, operand.bytes, after);
        if (block) break;
      }
    }
    if (block) {
      computed_.resize(schedule_.blocks.size(), false);
      stored_.resize(schedule_.blocks.size(), false);
    }
    return block;
  }

  void evict(BlockId block) {
    if (readers_left_[schedule_.blocks[block].tensor] > 0) store(block);
    vtcm_.retire(block);
  }

  // Writes a result to DDR unless it is there already or came from there.
  void store(BlockId block) {
    if (!computed_[block] || stored_[block]) return;
    stored_[block] = true;
    const uint32_t task = add_transfer(TaskKind::kStore, block, {schedule_.blocks[block].users.front()});
    stores_[schedule_.blocks[block].tensor].emplace_back(schedule_.blocks[block].box, task);
  }

  // What a transfer moves: DDR holds activations without the padding of VTCM's chunks.
  uint64_t ddr_bytes(const program::VtcmBlock& piece) const {
    const ir::TensorDesc& desc = program_.tensors[piece.tensor].desc;
    return desc.layout == ir::Layout::kPlain ? piece.box.elements() * ir::byte_size(desc.type) : piece.bytes;
  }

  uint32_t add_transfer(TaskKind kind, BlockId block, std::vector<uint32_t> after) {
    const program::VtcmBlock& piece = schedule_.blocks[block];
    return add_task({.kind = kind,
                     .unit = soc::Unit::kDma,
                     .op = kind == TaskKind::kStore ? producers_[piece.tensor] : op_,
                     .tensor = piece.tensor,
                     .box = piece.box,
                     .bytes = ddr_bytes(piece),
                     .work = {.unit = soc::Unit::kDma},
                     .after = std::move(after)},
                    {block});
  }

  void add_compute(const Operand& output, const std::vector<BlockId>& pinned, std::vector<uint32_t> after) {
    const ops::Work work = def_->work(call_, output.box);
    computed_[pinned.back()] = true;
    add_task({.kind = TaskKind::kCompute,
              .unit = work.unit,
              .op = op_,
              .tensor = output.tensor,
              .box = output.box,
              .work = work,
              .after = std::move(after)},
             pinned);
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

  // After the last reader, a tensor's blocks make room at once.
  void release_read_tensors(const program::Op& op) {
    for (const ir::TensorIndex input : op.inputs) {
      if (input == ir::kNoTensor || --readers_left_[input] > 0) continue;
      const std::vector<BlockId> blocks = vtcm_.resident(input);
      for (const BlockId block : blocks) vtcm_.retire(block);
    }
  }

  program::Program& program_;
  program::Schedule& schedule_;
  Vtcm vtcm_;
  std::vector<uint32_t> producers_;     // the op that writes a tensor
  std::vector<uint32_t> readers_left_;  // ops that still read a tensor
  std::vector<std::vector<std::pair<ir::Box, uint32_t>>>
      stores_;                  // per tensor: what is in DDR, and since which task
  std::vector<bool> computed_;  // per block: filled by computing, not by loading
  std::vector<bool> stored_;    // per block: its contents are in DDR
  uint32_t op_ = 0;
  const ops::OpDef* def_ = nullptr;
  ops::OpCall call_;
};

}  // namespace

Status sequence(program::Program& program, const Tiling& tiling) { return Sequencer(program).run(tiling); }

}  // namespace openqnn::prepare
