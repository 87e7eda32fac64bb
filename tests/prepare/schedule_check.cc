// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/schedule_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "program/verify.h"

namespace openqnn::prepare {
namespace {

using program::Program;
using program::Task;
using program::TaskKind;
using program::VtcmBlock;

// `whole` without `part`, as boxes.
std::vector<ir::Box> subtract(const ir::Box& whole, const ir::Box& part) {
  if (!overlap(whole, part)) return {whole};
  std::vector<ir::Box> rest;
  ir::Box left = whole;
  for (size_t i = 0; i < whole.rank(); ++i) {
    if (left.begin[i] < part.begin[i]) {
      rest.push_back(left);
      rest.back().end[i] = part.begin[i];
      left.begin[i] = part.begin[i];
    }
    if (left.end[i] > part.end[i]) {
      rest.push_back(left);
      rest.back().begin[i] = part.end[i];
      left.end[i] = part.end[i];
    }
  }
  return rest;
}

bool covered(const ir::Box& box, const std::vector<ir::Box>& by) {
  std::vector<ir::Box> open = {box};
  for (const ir::Box& part : by) {
    std::vector<ir::Box> next;
    for (const ir::Box& piece : open) {
      const std::vector<ir::Box> rest = subtract(piece, part);
      next.insert(next.end(), rest.begin(), rest.end());
    }
    open = std::move(next);
  }
  return open.empty();
}

class Checker {
 public:
  explicit Checker(const Program& program)
      : program_(program),
        tasks_(program.schedule.tasks),
        blocks_(program.schedule.blocks),
        before_(ancestors(program.schedule)) {}

  void run() const {
    const Status status = program::verify_schedule(program_);
    EXPECT_TRUE(status) << status.error().to_string();
    check_reuse();
    for (uint32_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].kind == TaskKind::kCompute) check_compute(i);
      if (tasks_[i].kind == TaskKind::kLoad) check_load(i);
      if (tasks_[i].kind == TaskKind::kStore) check_store(i);
      if (tasks_[i].kind != TaskKind::kCompute) check_transfer(i);
      if (testing::Test::HasFailure()) return;
    }
    check_outputs();
  }

 private:
  void check_reuse() const {
    for (size_t a = 0; a < blocks_.size(); ++a)
      for (size_t b = a + 1; b < blocks_.size(); ++b) {
        const bool share = blocks_[a].core == blocks_[b].core &&
                           blocks_[a].offset < blocks_[b].offset + blocks_[b].bytes &&
                           blocks_[b].offset < blocks_[a].offset + blocks_[a].bytes;
        if (!share) continue;
        for (const uint32_t first : blocks_[a].users)
          for (const uint32_t second : blocks_[b].users)
            ASSERT_TRUE(before_[second][first])
                << "blocks " << a << " and " << b << ", tasks " << first << " and " << second;
      }
  }

  bool uses(const VtcmBlock& block, uint32_t task) const {
    return std::ranges::binary_search(block.users, task);
  }

  void check_compute(uint32_t index) const {
    const Task& task = tasks_[index];
    const program::Op& op = program_.ops[task.op];
    const ops::OpCall call = program::call_of(program_, op);
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == ir::kNoTensor) continue;
      std::vector<ir::Box> at_hand;
      for (const VtcmBlock& block : blocks_) {
        if (block.tensor != op.inputs[i] || !uses(block, index)) continue;
        ASSERT_TRUE(before_[index][block.users[0]]) << "task " << index << " reads before it is filled";
        at_hand.push_back(block.box);
      }
      const ir::Box needed = ops::input_box(*ops::find_op(op.type), call, i, task.box);
      ASSERT_TRUE(covered(needed, at_hand)) << "task " << index << " of " << op.name << " lacks input " << i;
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      if (op.outputs[i] == ir::kNoTensor) continue;
      const ir::Box box = i == 0 ? task.box : ir::Box::whole(call.out(i).shape);
      ASSERT_TRUE(fills_a_block(index, op.outputs[i], box)) << "output " << i << " of " << op.name;
    }
  }

  bool fills_a_block(uint32_t index, ir::TensorIndex tensor, const ir::Box& box) const {
    return std::ranges::any_of(blocks_, [&](const VtcmBlock& block) {
      return block.tensor == tensor && block.box == box && block.users[0] == index;
    });
  }

  void check_load(uint32_t index) const {
    const Task& task = tasks_[index];
    ASSERT_TRUE(fills_a_block(index, task.tensor, task.box));
    const ir::TensorRole role = program_.tensors[task.tensor].role;
    if (role == ir::TensorRole::kInput || role == ir::TensorRole::kStatic) return;
    std::vector<ir::Box> stored;
    for (uint32_t earlier = 0; earlier < index; ++earlier)
      if (tasks_[earlier].kind == TaskKind::kStore && tasks_[earlier].tensor == task.tensor &&
          before_[index][earlier])
        stored.push_back(tasks_[earlier].box);
    ASSERT_TRUE(covered(task.box, stored)) << "task " << index << " loads what nobody stored";
  }

  void check_store(uint32_t index) const {
    const Task& task = tasks_[index];
    const bool from_computed = std::ranges::any_of(blocks_, [&](const VtcmBlock& block) {
      return block.tensor == task.tensor && block.box == task.box && uses(block, index) &&
             tasks_[block.users[0]].kind == TaskKind::kCompute && before_[index][block.users[0]];
    });
    ASSERT_TRUE(from_computed) << "task " << index;
  }

  // Everything goes over the bus, also what passes through a window.
  void check_transfer(uint32_t index) const {
    const ir::TensorDesc& desc = program_.tensors[tasks_[index].tensor].desc;
    if (desc.layout != ir::Layout::kPlain) return;
    ASSERT_EQ(tasks_[index].bytes, ir::plain_bytes(desc, tasks_[index].box)) << index;
  }

  void check_outputs() const {
    for (uint32_t i = 0; i < program_.tensors.size(); ++i) {
      if (program_.tensors[i].role != ir::TensorRole::kOutput) continue;
      std::vector<ir::Box> stored;
      uint64_t elements = 0;
      for (const Task& task : tasks_) {
        if (task.kind != TaskKind::kStore || task.tensor != i) continue;
        stored.push_back(task.box);
        elements += task.box.elements();
      }
      const ir::Box whole = ir::Box::whole(program_.tensors[i].desc.shape);
      EXPECT_TRUE(covered(whole, stored)) << program_.tensors[i].name;
      EXPECT_EQ(elements, whole.elements()) << program_.tensors[i].name << " is stored more than once";
    }
  }

  const Program& program_;
  const std::vector<Task>& tasks_;
  const std::vector<VtcmBlock>& blocks_;
  const std::vector<std::vector<bool>> before_;
};

}  // namespace

std::vector<std::vector<bool>> ancestors(const program::Schedule& schedule) {
  std::vector<std::vector<bool>> before(schedule.tasks.size());
  for (uint32_t i = 0; i < schedule.tasks.size(); ++i) {
    before[i].resize(schedule.tasks.size(), false);
    for (const uint32_t earlier : schedule.tasks[i].after) {
      before[i][earlier] = true;
      for (uint32_t other = 0; other < earlier; ++other)
        if (before[earlier][other]) before[i][other] = true;
    }
  }
  return before;
}

void expect_sound(const Program& program) { Checker(program).run(); }

size_t count_tasks(const Program& program, TaskKind kind, ir::TensorRole role) {
  return static_cast<size_t>(std::ranges::count_if(program.schedule.tasks, [&](const Task& task) {
    return task.kind == kind && program.tensors[task.tensor].role == role;
  }));
}

uint64_t bytes_moved(const Program& program, TaskKind kind, ir::TensorRole role) {
  uint64_t bytes = 0;
  for (const Task& task : program.schedule.tasks)
    if (task.kind == kind && program.tensors[task.tensor].role == role) bytes += task.bytes;
  return bytes;
}

}  // namespace openqnn::prepare
