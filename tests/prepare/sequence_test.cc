// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <optional>

#include "prepare/passes.h"
#include "prepare/schedule_check.h"

namespace openqnn::prepare {
namespace {

using ir::TensorRole;
using program::Program;
using program::Task;
using program::TaskKind;
using T = GraphBuilder::T;

constexpr uint64_t kHuge = 64 * kMiB;

// As prepare does, but without its own verification: a schedule that it would refuse is to be seen here.
Program sequenced(const ir::Graph& graph, uint64_t vtcm, bool& fits) {
  Draft draft = legalise(graph, part_with_vtcm(vtcm), {});
  fuse(draft, {}, Logger());
  lay_out(draft);
  const auto tiling = tile(draft.program);
  fits = tiling.ok();
  if (!fits) {
    EXPECT_EQ(tiling.error().failure, Failure::kExhausted) << tiling.error().to_string();
    return draft.program;
  }
  const Status status = sequence(draft.program, *tiling);
  EXPECT_TRUE(status) << status.error().to_string();
  return draft.program;
}

Program sequenced(const ir::Graph& graph, uint64_t vtcm) {
  bool fits = false;
  Program program = sequenced(graph, vtcm, fits);
  EXPECT_TRUE(fits);
  return program;
}

// Two convolutions and a residual around them.
ir::Graph residual_block(ir::DataType type = kUfixed8) {
  GraphBuilder g(type);
  const T x = g.relu(g.input({1, 32, 32, 64}));
  const T y = g.conv(g.relu(g.conv(x, 64)), 64);
  g.output(g.relu(g.add(x, y)));
  return g.build();
}

TEST(Sequence, RandomGraphsAreSoundForEveryVtcmSize) {
  size_t sound = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const ir::Graph graph = random_graph(seed, seed % 2 ? kUfixed8 : kFloat32, 3 + seed % 9);
    for (const uint64_t kib : {24, 64, 96, 160, 320, 1024, 65536}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << kib << " KiB");
      bool fits = false;
      const Program program = sequenced(graph, kib * kKiB, fits);
      if (!fits) continue;
      expect_sound(program);
      if (HasFailure()) return;
      ++sound;
    }
  }
  EXPECT_GT(sound, 150U) << "too few of the sizes fit: the test shows little";
}

TEST(Sequence, AResidualBlockIsSoundForEveryVtcmSize) {
  for (const ir::DataType type : {kUfixed8, kFloat32})
    for (const uint64_t kib : {160, 192, 256, 512, 2048}) {
      SCOPED_TRACE(kib);
      expect_sound(sequenced(residual_block(type), kib * kKiB));
    }
}

// What the tasks of the graph's second op ask for: the one behind a sum, or another operation of a family.
std::vector<Task> tasks_behind_sum(const std::function<T(GraphBuilder&, T)>& second,
                                   std::optional<uint32_t> operation = {}) {
  GraphBuilder g(kUfixed8);
  const T x = g.input({1, 8, 8, 32});
  g.output(g.pool(second(g, operation ? g.binary(x, x, *operation) : g.add(x, x))));
  const Program program = sequenced(g.build(), kHuge);
  std::vector<Task> tasks;
  for (const Task& task : program.schedule.tasks)
    if (task.kind == TaskKind::kCompute && task.op == 1) tasks.push_back(task);
  EXPECT_FALSE(tasks.empty());
  return tasks;
}

TEST(Sequence, AClampBehindASumIsFreeWhicheverOpSaysIt) {
  constexpr uint32_t kElu = 0;
  constexpr uint32_t kRelu = 4;
  const auto is_free = [](const Task& task) { return task.work.vtcm_bytes == 0 && task.launches == 0; };
  const auto relu = tasks_behind_sum([](GraphBuilder& g, T x) { return g.relu(x); });
  const auto relu6 = tasks_behind_sum([](GraphBuilder& g, T x) { return g.unary("Relu6", x); });
  const auto neuron = tasks_behind_sum([](GraphBuilder& g, T x) { return g.neuron(x, kRelu); });
  const auto elu = tasks_behind_sum([](GraphBuilder& g, T x) { return g.neuron(x, kElu); });
  EXPECT_TRUE(std::ranges::all_of(relu, is_free));
  EXPECT_TRUE(std::ranges::all_of(relu6, is_free));
  EXPECT_TRUE(std::ranges::all_of(neuron, is_free));
  EXPECT_TRUE(std::ranges::none_of(elu, is_free));
  constexpr uint32_t kAdd = 0;
  constexpr uint32_t kMultiply = 13;
  const auto relu_of = [](GraphBuilder& g, T x) { return g.relu(x); };
  EXPECT_TRUE(std::ranges::all_of(tasks_behind_sum(relu_of, kAdd), is_free));
  EXPECT_TRUE(std::ranges::none_of(tasks_behind_sum(relu_of, kMultiply), is_free));
}

TEST(Sequence, WithRoomEnoughNothingInBetweenTouchesDdr) {
  const Program program = sequenced(residual_block(), kHuge);
  EXPECT_EQ(count_tasks(program, TaskKind::kLoad, TensorRole::kNative), 0U);
  EXPECT_EQ(count_tasks(program, TaskKind::kStore, TensorRole::kNative), 0U);
}

TEST(Sequence, WithLittleRoomResultsAreSpilledAndLoadedAgain) {
  const Program program = sequenced(residual_block(), 192 * kKiB);
  EXPECT_GT(count_tasks(program, TaskKind::kLoad, TensorRole::kNative), 0U);
  EXPECT_GT(count_tasks(program, TaskKind::kStore, TensorRole::kNative), 0U);
}

TEST(Sequence, MoreRoomNeverMeansMoreTraffic) {
  uint64_t before = UINT64_MAX;
  for (const uint64_t kib : {192, 512, 65536}) {
    const Program program = sequenced(residual_block(), kib * kKiB);
    uint64_t bytes = 0;
    for (const Task& task : program.schedule.tasks) bytes += task.bytes;
    EXPECT_LE(bytes, before) << kib;
    before = bytes;
  }
}

TEST(Sequence, WeightsThatFitAreLoadedOnce) {
  GraphBuilder g(kUfixed8);
  const T x = g.input({1, 32, 32, 32});
  g.output(g.conv(g.conv(x, 64), 64));
  // Several tiles by rows, and the weights of both stay.
  const Program program = sequenced(g.build(), 256 * kKiB);
  EXPECT_GE(program.schedule.tasks.size(), 10U);
  uint64_t stored = 0;
  for (const program::Tensor& tensor : program.tensors)
    if (tensor.role == TensorRole::kStatic) stored += tensor.bytes;
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kStatic), stored);
}

TEST(Sequence, InputsAreLoadedAndOutputsStored) {
  const Program program = sequenced(chain(1, {1, 8, 8, 32}), kHuge);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kInput), 8U * 8 * 32);
  EXPECT_EQ(bytes_moved(program, TaskKind::kStore, TensorRole::kOutput), 8U * 8 * 32);
}

TEST(Sequence, AnOutputThatIsReadAgainIsStoredAndNotReloaded) {
  GraphBuilder g(kUfixed8);
  const T early = g.output(g.relu(g.input({1, 8, 8, 32})));
  g.output(g.relu(early));
  const Program program = sequenced(g.build(), kHuge);
  expect_sound(program);
  EXPECT_EQ(count_tasks(program, TaskKind::kLoad, TensorRole::kOutput), 0U);
}

// DDR holds tensors without VTCM's padding.
TEST(Sequence, TransfersMoveTheTensorsOwnBytes) {
  const Program program = sequenced(chain(1, {1, 3, 3, 5}), kHuge);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kInput), 45U);
  EXPECT_GE(program.schedule.blocks[0].bytes, 8U * 8 * 32);
}

// Double buffering: while a tile computes, the operands of the next are on their way.
TEST(Sequence, TheNextTilesLoadsDoNotWaitForThisTilesCompute) {
  const ir::Shape shape{1, 64, 32, 32};
  const Program program = sequenced(chain(1, shape), 48 * kKiB);
  const auto before = ancestors(program.schedule);
  uint32_t compute = UINT32_MAX;
  size_t ahead = 0;
  size_t loads = 0;
  for (uint32_t i = 0; i < program.schedule.tasks.size(); ++i) {
    const Task& task = program.schedule.tasks[i];
    if (task.kind == TaskKind::kCompute) compute = i;
    if (task.kind != TaskKind::kLoad || compute == UINT32_MAX) continue;
    ++loads;
    ahead += !before[i][compute];
  }
  EXPECT_GT(loads, 3U);
  EXPECT_EQ(ahead, loads);
}

TEST(Sequence, AComputeTaskCarriesItsOpsWorkForItsTile) {
  const Program program = sequenced(residual_block(), 256 * kKiB);
  for (const Task& task : program.schedule.tasks) {
    if (task.kind != TaskKind::kCompute) continue;
    const program::Op& op = program.ops[task.op];
    if (op.type == "Relu") continue;  // the addition before computes it
    const ops::Work work = ops::work_of(*ops::find_op(op.type), program::call_of(program, op), task.box);
    EXPECT_EQ(task.unit, work.unit);
    EXPECT_EQ(task.work.macs, work.macs);
    EXPECT_EQ(task.work.vector_ops, work.vector_ops);
    EXPECT_GE(task.work.vectors, work.vectors) << "and what is converted at the graph's ends";
  }
}

TEST(Sequence, AnOpThatReadsOneTensorTwiceLoadsItOnce) {
  GraphBuilder g(kUfixed8);
  const T x = g.input({1, 8, 8, 32});
  g.output(g.add(x, x));
  const Program program = sequenced(g.build(), kHuge);
  expect_sound(program);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kInput), 8U * 8 * 32);
}

TEST(Sequence, AProductOfATensorWithItselfIsSound) {
  GraphBuilder g(kUfixed8);
  const T x = g.relu(g.input({128, 128}));
  g.output(g.matmul(x, x, true));
  for (const uint64_t kib : {24, 32, 48, 1024}) {
    SCOPED_TRACE(kib);
    expect_sound(sequenced(g.build(), kib * kKiB));
  }
}

}  // namespace
}  // namespace openqnn::prepare
