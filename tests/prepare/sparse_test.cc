// SPDX-License-Identifier: BSD-3-Clause
// Sparse tensors move as one piece, of the bytes that they have; ops that keep state are one tile.
#include "prepare/run_program.h"
#include "prepare/schedule_check.h"
#include "program/verify.h"

namespace openqnn::prepare {
namespace {

using exec::Mode;
using program::Program;
using program::Task;
using program::TaskKind;
using program::VtcmBlock;
using T = GraphBuilder::T;

// `rows` rows of 100 among `height`, dense again, as frames that a buffer keeps beside the ones before.
ir::Graph sparse_graph(uint32_t rows, uint32_t height) {
  GraphBuilder g(kUfixed8);
  const T sparse = g.to_sparse(g.relu(g.input({rows, 100})), height);
  g.output(g.relu(g.buffer(g.to_dense(sparse), 2 * height, 2)));
  return g.build();
}

const program::Tensor& sparse_of(const Program& program) {
  return *std::ranges::find_if(program.tensors, [](const auto& tensor) { return tensor.desc.is_sparse(); });
}

TEST(SparseSchedule, TheSameBitsForEveryVtcmAndMode) {
  const ir::Graph graph = sparse_graph(60, 300);
  const auto expected = run(prepared(graph), Mode::kWhole);
  for (const uint64_t vtcm : {8 * kMiB, 64 * kKiB, 16 * kKiB, 4 * kKiB})
    for (const uint32_t level : {1U, 3U}) {
      const program::ProgramSet set = prepared(graph, part_with_vtcm(vtcm), {.optimization = level});
      expect_sound(*set.programs[0]);
      EXPECT_EQ(run(set, Mode::kWhole), expected) << vtcm;
      EXPECT_EQ(run(set, Mode::kTiled), expected) << vtcm;
    }
}

TEST(SparseSchedule, ASparseTensorTakesItsOwnBytesAlone) {
  const Program program = program_of(sparse_graph(60, 300));
  const program::Tensor& sparse = sparse_of(program);
  EXPECT_EQ(sparse.bytes, 60U * (4 + 100));
  for (const VtcmBlock& block : program.schedule.blocks)
    if (&program.tensors[block.tensor] == &sparse) {
      EXPECT_EQ(block.bytes, round_up(sparse.bytes, 128));
      EXPECT_EQ(block.box, ir::Box::whole(sparse.desc.shape));
    }
  // With 4 KiB it does not fit, and passes through.
  const Program small = program_of(sparse_graph(60, 300), part_with_vtcm(4 * kKiB));
  size_t moved = 0;
  for (const Task& task : small.schedule.tasks)
    if (task.kind != TaskKind::kCompute && small.tensors[task.tensor].desc.is_sparse()) {
      EXPECT_EQ(task.bytes, 60U * (4 + 100));
      ++moved;
    }
  EXPECT_GT(moved, 0U);
}

TEST(SparseSchedule, OpsThatKeepStateAreOneTile) {
  const Program program = program_of(sparse_graph(60, 300), part_with_vtcm(16 * kKiB));
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (program.ops[i].type != "Buffer") continue;
    EXPECT_EQ(std::ranges::count_if(
                  program.schedule.tasks,
                  [i](const Task& task) { return task.kind == TaskKind::kCompute && task.op == i; }),
              1);
  }
}

}  // namespace
}  // namespace openqnn::prepare
