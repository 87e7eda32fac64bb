// SPDX-License-Identifier: BSD-3-Clause
// Ops with several outputs, with absent ones, and outputs that nobody or everybody reads: through all passes,
// the verifier, the executor and the simulator.
#include "prepare/run_program.h"
#include "prepare/schedule_check.h"
#include "program/context_binary.h"
#include "program/verify.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

using exec::Mode;
using ir::TensorRole;
using program::Program;
using program::ProgramSet;
using program::Task;
using program::TaskKind;
using T = GraphBuilder::T;

constexpr uint64_t kSizes[] = {1 * kKiB, 4 * kKiB, 24 * kKiB, 96 * kKiB, 8 * kMiB};

// Prepares for every VTCM size, checks the schedule by brute force, and compares the modes.
void expect_works(const ir::Graph& graph) {
  const auto expected = run(prepared(graph), Mode::kWhole);
  for (const uint64_t vtcm : kSizes) {
    SCOPED_TRACE(vtcm);
    const ProgramSet set = prepared(graph, part_with_vtcm(vtcm));
    expect_sound(*set.programs[0]);
    EXPECT_EQ(run(set, Mode::kTiled), expected);
    const sim::Timeline timeline =
        sim::simulate(set.programs[0]->schedule, part(), sim::PowerState::of(part()));
    EXPECT_GE(timeline.events.size(), set.programs[0]->schedule.tasks.size());
  }
}

size_t computes_of(const Program& program, uint32_t op) {
  return static_cast<size_t>(std::ranges::count_if(program.schedule.tasks, [op](const Task& task) {
    return task.kind == TaskKind::kCompute && task.op == op;
  }));
}

TEST(SeveralOutputs, EachPieceOfASplitReachesItsReader) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    GraphBuilder g(type);
    const std::vector<T> pieces = g.split(g.relu(g.input({1, 12, 10, 40})), 3, {8, 24});
    g.output(g.relu(pieces[0]));
    g.output(g.softmax(pieces[1]));
    g.output(g.pool(pieces[2]));
    expect_works(g.build());
  }
}

TEST(SeveralOutputs, AreComputedByOneTask) {
  GraphBuilder g(kUfixed8);
  for (const T piece : g.split(g.input({1, 64, 64, 64}), 1, {16, 32})) g.output(g.relu(piece));
  const Program program = program_of(g.build(), part_with_vtcm(512 * kKiB));
  EXPECT_EQ(computes_of(program, 0), 1U);
  EXPECT_GT(computes_of(program, 1), 1U);
}

TEST(SeveralOutputs, TheClientMayReadThemAll) {
  GraphBuilder g(kUfixed8);
  for (const T piece : g.split(g.input({2, 9, 32}), 1, {2, 5})) g.output(piece);
  const ir::Graph graph = g.build();
  expect_works(graph);
  const ProgramSet set = prepared(graph);
  EXPECT_EQ(count_tasks(*set.programs[0], TaskKind::kStore, TensorRole::kOutput), 3U);
  // Piece by piece, the input.
  const auto outputs = run(set, Mode::kWhole);
  const Buffer input = input_values(set.programs[0]->tensors[0]);
  Buffer joined;
  constexpr size_t kRows[] = {2, 3, 4};
  for (size_t batch = 0; batch < 2; ++batch)
    for (size_t i = 0; i < 3; ++i) {
      const Buffer& piece = outputs.at("t" + std::to_string(i + 1));
      ASSERT_EQ(piece.size(), 2 * kRows[i] * 32);
      const auto first = piece.begin() + static_cast<std::ptrdiff_t>(batch * kRows[i] * 32);
      joined.insert(joined.end(), first, first + static_cast<std::ptrdiff_t>(kRows[i] * 32));
    }
  EXPECT_EQ(joined, input);
}

TEST(SeveralOutputs, OfDifferentTypes) {
  for (const ir::DataType type : {kUfixed8, kFloat32, kFloat16}) {
    GraphBuilder g(type);
    const auto [values, indices] = g.top_k(g.softmax(g.input({1, 4, 50})), 7);
    g.output(g.relu(values));
    g.output(indices);
    expect_works(g.build());
  }
}

TEST(SeveralOutputs, OneOfThemMayStayUnread) {
  GraphBuilder g(kUfixed8);
  const auto [values, indices] = g.top_k(g.input({1, 4, 50}), 7);
  (void)values;
  g.output(indices);
  const ir::Graph graph = g.build();
  expect_works(graph);
  EXPECT_EQ(count_tasks(program_of(graph), TaskKind::kStore, TensorRole::kNative), 0U);
}

// Absent outputs are the op's business; the passes, the Schedule and the executor only have to pass over
// them.
TEST(AbsentOutputs, ArePassedOver) {
  Draft draft = legalise(chain(3, {1, 16, 16, 32}), part(), {});
  draft.program.ops[0].outputs.push_back(ir::kNoTensor);
  draft.program.ops[1].outputs.insert(draft.program.ops[1].outputs.end(), 2, ir::kNoTensor);
  fuse(draft, {}, Logger());
  lay_out(draft);
  plan_arena(draft.program);
  const auto tiling = tile(draft.program);
  ASSERT_TRUE(tiling) << tiling.error().to_string();
  ASSERT_TRUE(sequence(draft.program, *tiling));
  expect_sound(draft.program);

  const ProgramSet usual = prepared(chain(3, {1, 16, 16, 32}));
  ProgramSet set = usual;
  set.programs = {std::make_shared<const Program>(draft.program)};
  EXPECT_EQ(run(set, Mode::kWhole), run(usual, Mode::kWhole));
  EXPECT_EQ(run(set, Mode::kTiled), run(usual, Mode::kWhole));
}

// A detector's last op: how many boxes are valid is an optional output.
ir::Graph detections(size_t outputs, bool with_count) {
  ir::Graph graph("nms");
  const auto add = [&graph](const char* name, TensorRole role, ir::DataType type, const ir::Shape& shape) {
    return *graph.add_tensor({name, role, {type, shape, {}}, nullptr});
  };
  const T boxes = add("boxes", TensorRole::kInput, kFloat32, {1, 40, 4});
  const T scores = add("scores", TensorRole::kInput, kFloat32, {1, 3, 40});
  const T selected = add("selected", TensorRole::kOutput, ir::DataType::kInt32, {15, 3});
  ir::Node node{"nms", "NonMaxSuppression", {}, {boxes, scores}, {selected}};
  if (with_count)
    node.outputs.push_back(add("valid", TensorRole::kOutput, ir::DataType::kUint32, {1}));
  else
    node.outputs.resize(outputs, ir::kNoTensor);
  const float threshold = 0.4F;
  ir::Param iou{"iou_threshold", kFloat32, {}, Buffer(sizeof threshold)};
  std::memcpy(iou.data.data(), &threshold, sizeof threshold);
  ir::Param most{"max_boxes_selected", ir::DataType::kUint32, {}, Buffer(sizeof(uint32_t))};
  most.data[0] = std::byte{5};
  node.params.add(iou);
  node.params.add(most);
  const Status added = graph.add_node(node);
  EXPECT_TRUE(added) << added.error().to_string();
  return graph;
}

TEST(AbsentOutputs, AnOptionalOutputMayBeLeftOutOrNamedAsAbsent) {
  const auto complete = run(prepared(detections(2, true)), Mode::kWhole);
  for (const size_t outputs : {1, 2}) {
    SCOPED_TRACE(outputs);
    const ir::Graph graph = detections(outputs, false);
    expect_works(graph);
    const ProgramSet set = prepared(graph);
    EXPECT_EQ(run(set, Mode::kWhole).at("selected"), complete.at("selected"));
    const auto file = program::aligned_copy(program::write_context_binary(set));
    ASSERT_TRUE(file);
    const auto back = program::read_context_binary(file->bytes, file->owner, program::DataCheck::kNow);
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(back->programs[0]->ops[0].outputs.size(), outputs);
    EXPECT_EQ(run(*back, Mode::kTiled), run(set, Mode::kWhole));
  }
}

TEST(AbsentOutputs, AGraphMayHaveThem) {
  ir::Graph graph("g");
  const auto x = *graph.add_tensor({"x", TensorRole::kInput, {kFloat16, {4}, {}}, nullptr});
  const auto y = *graph.add_tensor({"y", TensorRole::kOutput, {kFloat16, {4}, {}}, nullptr});
  EXPECT_TRUE(graph.add_node({"n", "Relu", {}, {x}, {y, ir::kNoTensor}}));
  EXPECT_EQ(graph.producer(y), 0U);
  EXPECT_TRUE(graph.check_complete());
}

// ---- Who reads what ----

TEST(Readers, AnOutputOfTheGraphMayBeReadByOps) {
  GraphBuilder g(kFloat32);
  const T early = g.output(g.relu(g.input({1, 20, 20, 32})));
  g.output(g.add(early, g.output(g.relu(early))));
  expect_works(g.build());
}

TEST(Readers, ATensorMayBeReadTwiceByOneOp) {
  GraphBuilder g(kUfixed8);
  const T x = g.relu(g.input({1, 20, 20, 32}));
  g.output(g.add(x, x));
  expect_works(g.build());
}

TEST(Readers, AProductOfATensorWithItselfWorks) {
  GraphBuilder g(kUfixed8);
  const T x = g.relu(g.input({96, 96}));
  g.output(g.matmul(x, x, true));
  expect_works(g.build());
}

TEST(Readers, AResultMayBeReadByNobody) {
  for (const ir::DataType type : {kUfixed8, kFloat32}) {
    GraphBuilder g(type);
    const T x = g.input({1, 20, 20, 32});
    g.relu(x);
    g.softmax(x);
    g.output(g.relu(x));
    expect_works(g.build());
  }
}

TEST(Readers, AnInputMayBeReadByNobody) {
  GraphBuilder g(kFloat32);
  g.input({3, 3});
  g.output(g.relu(g.input({1, 20})));
  expect_works(g.build());
}

// A client cannot finalize a graph without nodes; a file may hold such a Program.
TEST(NoOps, AProgramOfTensorsAloneIsSoundAndRuns) {
  Program program;
  program.graph = "nothing";
  program.tensors = {{.name = "x",
                      .id = 1,
                      .role = TensorRole::kInput,
                      .desc = {kFloat16, {4}, {}},
                      .client_type = kFloat32,
                      .storage = program::Storage::kArena,
                      .bytes = 8}};
  plan_arena(program);
  EXPECT_EQ(program.arena_bytes, program::kTensorAlignment);
  const auto tiling = tile(program);
  ASSERT_TRUE(tiling);
  ASSERT_TRUE(sequence(program, *tiling));
  const Status ops = program::verify_ops(program, 0);
  EXPECT_TRUE(ops) << ops.error().to_string();
  expect_sound(program);
  ProgramSet set;
  set.programs = {std::make_shared<const Program>(program)};
  EXPECT_TRUE(run(set, Mode::kWhole).empty());
  EXPECT_TRUE(run(set, Mode::kTiled).empty());
  EXPECT_EQ(sim::simulate(program.schedule, part(), sim::PowerState::of(part())).total, Cycles{});
}

}  // namespace
}  // namespace openqnn::prepare
