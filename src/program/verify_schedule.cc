// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "program/cover.h"
#include "program/describe.h"
#include "program/located.h"
#include "program/verify.h"

namespace openqnn::program {
namespace {

// All tasks together: so that sim's sums of cycles and bytes stay far from 64 bits.
constexpr uint64_t kMaxWork = uint64_t{1} << 56;

// Which tensors an op reads and writes. Every task and every block asks, of ops that may have thousands.
class Operands {
 public:
  explicit Operands(const Program& program) {
    for (const Op& op : program.ops) sides_.push_back({sorted(op.inputs), sorted(op.outputs)});
  }
  bool reads(uint32_t op, ir::TensorIndex tensor) const {
    return std::ranges::binary_search(sides_[op].inputs, tensor);
  }
  bool writes(uint32_t op, ir::TensorIndex tensor) const {
    return std::ranges::binary_search(sides_[op].outputs, tensor);
  }

 private:
  static std::vector<ir::TensorIndex> sorted(std::vector<ir::TensorIndex> tensors) {
    std::ranges::sort(tensors);
    return tensors;
  }

  struct Sides {
    std::vector<ir::TensorIndex> inputs;
    std::vector<ir::TensorIndex> outputs;
  };
  std::vector<Sides> sides_;  // beside the program's ops
};

Status check_box(const Program& program, ir::TensorIndex tensor, const ir::Box& box) {
  if (tensor >= program.tensors.size())
    return invalid("schedule-index", concat("tensor ", tensor, " does not exist"));
  const ir::Shape& shape = program.tensors[tensor].desc.shape;
  bool fits = box.begin.rank() == shape.rank() && box.end.rank() == shape.rank();
  for (size_t i = 0; fits && i < shape.rank(); ++i)
    fits = box.begin[i] < box.end[i] && box.end[i] <= shape[i];
  if (fits && program.tensors[tensor].desc.is_sparse() && box != ir::Box::whole(shape))
    return invalid("schedule-box", concat("box ", box.to_string(), " is a part of the sparse tensor '",
                                          program.tensors[tensor].name, "', which is in one piece"));
  if (fits) return {};
  return invalid("schedule-box",
                 concat("box ", box.begin.to_string(), " to ", box.end.to_string(), " is no part of tensor '",
                        program.tensors[tensor].name, "' ", shape.to_string()));
}

// ---- Tasks ----

// Does the task do to its tensor what its op does, on a unit that can?
Status check_role(const Program& program, const Operands& operands, const Task& task) {
  const Op& op = program.ops[task.op];
  const bool computes = task.kind == TaskKind::kCompute;
  if (computes == (task.unit == soc::Unit::kDma))
    return invalid("schedule-unit", "loads and stores run on the DMA unit, and nothing else does");
  if (computes && task.unit != task.work.unit)
    return invalid("schedule-unit", "the task is on another unit than its work");
  // Kernels and tiles go by an op's first output.
  if (computes && task.tensor != op.outputs[0])
    return invalid("schedule-tensor", "a compute task's tensor is not the output of its op");
  if (task.kind == TaskKind::kLoad && !operands.reads(task.op, task.tensor))
    return invalid("schedule-tensor", "a loaded tensor is not an input of its op");
  if (task.kind == TaskKind::kStore && !operands.writes(task.op, task.tensor))
    return invalid("schedule-tensor", "a stored tensor is not an output of its op");
  return {};
}

Status check_task(const Program& program, const Operands& operands, uint32_t index) {
  const Task& task = program.schedule.tasks[index];
  if (!is_known(task.kind) || !is_known(task.unit) || !is_known(task.work.unit) ||
      !is_known(task.work.arithmetic))
    return invalid("schedule-enum", "a kind or unit has no meaning");
  if (task.op >= program.ops.size())
    return invalid("schedule-index", concat("op ", task.op, " does not exist"));
  OPENQNN_TRY(check_box(program, task.tensor, task.box));
  OPENQNN_TRY(check_role(program, operands, task));
  if (task.core >= program.schedule.cores)
    return invalid("schedule-core",
                   concat("it is on core ", task.core, ", but the schedule is for ", program.schedule.cores));
  if (task.saved_bytes > task.bytes || (task.in_slc && task.kind == TaskKind::kCompute))
    return invalid("schedule-traffic", task.in_slc ? "only loads and stores go through the system-level cache"
                                                   : concat("compression saves ", task.saved_bytes, " of ",
                                                            task.bytes, " bytes"));
  for (const uint32_t earlier : task.after)
    if (earlier >= index)
      return invalid("schedule-order",
                     concat("it waits for task ", earlier, ", which is not an earlier one"));
  return {};
}

Diagnostic too_much_work() { return invalid("schedule-work", "the work of all tasks is more than 2^56"); }

Status check_totals(const Schedule& schedule) {
  uint64_t total = 0;
  const auto adds_up = [&](uint64_t amount) { return amount <= kMaxWork && (total += amount) <= kMaxWork; };
  for (const Task& task : schedule.tasks) {
    const ops::Work& work = task.work;
    for (const uint64_t amount : {task.bytes, work.macs, work.skipped_macs, uint64_t{work.matrices},
                                  work.vector_ops, work.vtcm_bytes, uint64_t{task.launches}})
      if (!adds_up(amount)) return too_much_work();
    for (const uint64_t amount : work.vectors)
      if (!adds_up(amount)) return too_much_work();
  }
  return {};
}

Status check_cover(const Program& program) {
  std::vector<std::vector<const ir::Box*>> boxes(program.ops.size());
  for (const Task& task : program.schedule.tasks)
    if (task.kind == TaskKind::kCompute) boxes[task.op].push_back(&task.box);
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    const auto outputs =
        op.outputs.size() - static_cast<size_t>(std::ranges::count(op.outputs, ir::kNoTensor));
    if (outputs > 1 && boxes[i].size() != 1)
      return invalid("schedule-cover", concat("op '", op.name, "' has ", outputs, " outputs and ",
                                              boxes[i].size(), " compute tasks; such ops are not divided"));
    if (ops::find_op(op.type)->state_bytes && boxes[i].size() != 1)
      return invalid("schedule-cover", concat("op '", op.name, "' keeps state and has ", boxes[i].size(),
                                              " compute tasks; each of them would change it"));
    const Tensor& output = program.tensors[op.outputs[0]];
    if (const auto fault = find_cover_fault(output.desc.shape, boxes[i]))
      return invalid("schedule-cover",
                     concat("op '", op.name, "': element ", fault->index.to_string(), " of its output '",
                            output.name, "' is computed by ", fault->boxes, " tasks instead of one"));
  }
  return {};
}

// ---- VTCM ----

bool computes(const Operands& operands, const Task& task, ir::TensorIndex tensor) {
  return task.kind == TaskKind::kCompute && operands.writes(task.op, tensor);
}

// Bytes of a block's box as it is stored, without any padding that VTCM may add.
uint64_t bytes_of(const Program& program, const VtcmBlock& block) {
  const ir::TensorDesc& desc = program.tensors[block.tensor].desc;
  if (desc.layout == ir::Layout::kPlain) return ir::plain_bytes(desc, block.box);
  // Packed tensors are constants, so a load fills the block; verify_ops saw that its op reads them packed.
  const Op& op = program.ops[program.schedule.tasks[block.users[0]].op];
  return ops::find_op(op.type)->packed_bytes(call_of(program, op), block.box);
}

Status check_room(const Program& program, const VtcmBlock& block) {
  const uint64_t needed = bytes_of(program, block);
  if (block.bytes >= needed) return {};
  return invalid("schedule-vtcm", concat("its box has ", needed, " bytes, more than its ", block.bytes,
                                         ", and is not streamed"));
}

// What passes through a streamed block is gone after the one task that it is streamed for: an input is loaded
// for it, a result goes to DDR.
Status check_stream(const Schedule& schedule, const VtcmBlock& block, bool is_loaded) {
  const TaskKind second = is_loaded ? TaskKind::kCompute : TaskKind::kStore;
  if (block.users.size() == 2 && schedule.tasks[block.users[1]].kind == second) return {};
  return invalid("schedule-stream", is_loaded ? "it is streamed, but not from a load to one compute task"
                                              : "it is streamed, but not from a compute task to one store");
}

Status check_block(const Program& program, const Operands& operands, const VtcmBlock& block) {
  const Schedule& schedule = program.schedule;
  OPENQNN_TRY(check_box(program, block.tensor, block.box));
  if (block.bytes == 0 || block.offset > schedule.vtcm_bytes ||
      block.bytes > schedule.vtcm_bytes - block.offset)
    return invalid("schedule-vtcm", concat(block.bytes, " bytes at offset ", block.offset,
                                           " do not fit in VTCM of ", schedule.vtcm_bytes, " bytes"));
  if (block.users.empty()) return invalid("schedule-users", "no task uses it");
  for (size_t i = 0; i < block.users.size(); ++i) {
    const uint32_t user = block.users[i];
    if (user >= schedule.tasks.size())
      return invalid("schedule-index", concat("task ", user, " does not exist"));
    if (i > 0 && user <= block.users[i - 1]) return invalid("schedule-users", "its users are not in order");
    const Task& task = schedule.tasks[user];
    if (task.core != block.core)
      return invalid("schedule-core", concat("task ", user, " is on core ", task.core,
                                             ", and cannot use the VTCM of core ", block.core));
    const bool reads = task.kind == TaskKind::kCompute && operands.reads(task.op, block.tensor);
    if (task.tensor != block.tensor && !reads && !computes(operands, task, block.tensor))
      return invalid("schedule-users", concat("task ", user, " does not touch its tensor"));
  }
  const Task& first = schedule.tasks[block.users[0]];
  const bool is_loaded = first.kind == TaskKind::kLoad && first.tensor == block.tensor;
  if (!is_loaded && !computes(operands, first, block.tensor))
    return invalid("schedule-users", concat("task ", block.users[0], " uses it, but no task has filled it"));
  return block.streamed ? check_stream(schedule, block, is_loaded) : check_room(program, block);
}

// Whether tasks can be told to end before others begin: by the chains of Task::after.
class Order {
 public:
  explicit Order(const Schedule& schedule)
      : tasks_(schedule.tasks),
        wanted_(tasks_.size()),
        proven_(tasks_.size()),
        visited_(tasks_.size()),
        steps_left_(budget_for(schedule)) {}

  enum class Answer : uint8_t { kYes, kNo, kTooHard };

  // Does every task of `before` end before any of `users` begins? `users` are in order.
  Answer precede(const std::vector<uint32_t>& before, const std::vector<uint32_t>& users) {
    if (!spend(before.size() + users.size())) return Answer::kTooHard;
    ++round_;
    size_t wanted = 0;
    uint32_t lowest = UINT32_MAX;
    for (const uint32_t task : before) {
      if (wanted_[task] != round_) ++wanted;
      wanted_[task] = round_;
      lowest = std::min(lowest, task);
    }
    for (const uint32_t user : users) {
      const Answer answer = follows_all(user, wanted, lowest);
      if (answer != Answer::kYes) return answer;
      proven_[user] = round_;
    }
    return Answer::kYes;
  }

 private:
  // Searches backwards from `user` until all wanted tasks are found, or one that is known to follow them all.
  // Nothing below the lowest of them can matter, so that the search stays in the neighbourhood.
  Answer follows_all(uint32_t user, size_t wanted, uint32_t lowest) {
    ++visit_;
    open_.assign(1, user);
    while (!open_.empty()) {
      const uint32_t task = open_.back();
      open_.pop_back();
      for (const uint32_t earlier : tasks_[task].after) {
        if (!spend(1)) return Answer::kTooHard;
        if (earlier < lowest || visited_[earlier] == visit_) continue;
        visited_[earlier] = visit_;
        if (proven_[earlier] == round_) return Answer::kYes;
        if (wanted_[earlier] == round_ && --wanted == 0) return Answer::kYes;
        open_.push_back(earlier);
      }
    }
    return wanted == 0 ? Answer::kYes : Answer::kNo;
  }

  // Schedules that prepare makes take fewer steps than three for each task, dependency, block and user; a
  // hostile one may not make reading a file take longer than its size warrants.
  static uint64_t budget_for(const Schedule& schedule) {
    constexpr uint64_t kStepsPerItem = 128;
    constexpr uint64_t kLeast = 1 << 16;
    uint64_t items = schedule.tasks.size() + schedule.blocks.size();
    for (const Task& task : schedule.tasks) items += task.after.size();
    for (const VtcmBlock& block : schedule.blocks) items += block.users.size();
    return kLeast + kStepsPerItem * items;
  }

  bool spend(uint64_t steps) {
    if (steps > steps_left_) return false;
    steps_left_ -= steps;
    return true;
  }

  const std::vector<Task>& tasks_;
  // The round or visit in which a task was marked: nothing has to be cleared in between.
  std::vector<uint64_t> wanted_;
  std::vector<uint64_t> proven_;
  std::vector<uint64_t> visited_;
  uint64_t round_ = 0;
  uint64_t visit_ = 0;
  uint64_t steps_left_;
  std::vector<uint32_t> open_;
};

// Which block each byte of VTCM belonged to last, as ranges.
class Occupants {
 public:
  // Gives [begin, end) to `block`; answers with the blocks that had parts of it.
  std::vector<uint32_t> replace(uint64_t begin, uint64_t end, uint32_t block) {
    std::vector<uint32_t> previous;
    auto range = ranges_.lower_bound(begin);
    if (range != ranges_.begin() && std::prev(range)->second.end > begin) --range;
    while (range != ranges_.end() && range->first < end) {
      const auto [start, old] = *range;
      previous.push_back(old.block);
      range = ranges_.erase(range);
      if (start < begin) ranges_.emplace(start, Range{begin, old.block});
      if (old.end > end) ranges_.emplace(end, Range{old.end, old.block});
    }
    ranges_.emplace(begin, Range{end, block});
    std::ranges::sort(previous);
    previous.erase(std::unique(previous.begin(), previous.end()), previous.end());
    return previous;
  }

 private:
  struct Range {
    uint64_t end;
    uint32_t block;
  };
  std::map<uint64_t, Range> ranges_;  // by begin; they do not overlap
};

// Blocks come one after another at each byte, in the order of their first tasks. It suffices to order each
// block after those it replaces: the ones before them follow by transitivity. A block cuts at most two ranges
// in parts, so that all replacements together are O(n), and the whole is O(n log n) where, as prepare makes
// it, a task waits directly for those whose memory it reuses.
Status check_reuse(const Schedule& schedule) {
  std::vector<uint32_t> by_time(schedule.blocks.size());
  for (uint32_t i = 0; i < by_time.size(); ++i) by_time[i] = i;
  std::ranges::stable_sort(by_time, {}, [&](uint32_t i) { return schedule.blocks[i].users[0]; });

  std::vector<Occupants> occupants(schedule.cores);
  Order order(schedule);
  for (const uint32_t index : by_time) {
    const VtcmBlock& block = schedule.blocks[index];
    for (const uint32_t previous :
         occupants[block.core].replace(block.offset, block.offset + block.bytes, index)) {
      switch (order.precede(schedule.blocks[previous].users, block.users)) {
        case Order::Answer::kYes:
          continue;
        case Order::Answer::kNo:
          return invalid("schedule-vtcm-overlap",
                         concat("blocks ", previous, " and ", index,
                                " share bytes of VTCM, but no chain of tasks orders them"));
        case Order::Answer::kTooHard:
          return invalid("schedule-too-tangled", concat("the order of blocks ", previous, " and ", index,
                                                        " could not be shown: the dependencies lead too far"))
              .fix_by("let the task that fills a block wait directly for the users of the one it replaces");
      }
    }
  }
  return {};
}

}  // namespace

Status verify_schedule(const Program& program) {
  const Schedule& schedule = program.schedule;
  const bool uses_hvx =
      std::ranges::any_of(schedule.tasks, [](const Task& task) { return task.unit == soc::Unit::kHvx; });
  if (schedule.hvx_threads > kMaxHvxThreads || (uses_hvx && schedule.hvx_threads == 0))
    return invalid("schedule-threads", concat(schedule.hvx_threads, " HVX threads cannot run the schedule"))
        .at(concat("graph '", program.graph, "'"));
  if (schedule.cores == 0 || schedule.cores > kMaxCores)
    return invalid("schedule-core", concat(schedule.cores, " cores cannot run the schedule"))
        .at(concat("graph '", program.graph, "'"));
  if (schedule.vtcm_bytes > kMaxBytes)
    return invalid("schedule-vtcm", concat("no part has ", schedule.vtcm_bytes, " bytes of VTCM"))
        .at(concat("graph '", program.graph, "'"));
  const Operands operands(program);
  for (uint32_t i = 0; i < schedule.tasks.size(); ++i)
    OPENQNN_TRY(located(check_task(program, operands, i), "graph '", program.graph, "', task ", i));
  OPENQNN_TRY(located(check_totals(schedule), "graph '", program.graph, "'"));
  OPENQNN_TRY(located(check_cover(program), "graph '", program.graph, "'"));
  for (uint32_t i = 0; i < schedule.blocks.size(); ++i)
    OPENQNN_TRY(located(check_block(program, operands, schedule.blocks[i]), "graph '", program.graph,
                        "', VTCM block ", i));
  return located(check_reuse(schedule), "graph '", program.graph, "'");
}

}  // namespace openqnn::program
