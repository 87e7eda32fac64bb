// SPDX-License-Identifier: BSD-3-Clause
// What does not fit VTCM passes through it.
#include "prepare/operands.h"
#include "prepare/run_program.h"
#include "prepare/schedule_check.h"
#include "program/context_binary.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

using exec::Mode;
using ir::TensorRole;
using program::Program;
using program::ProgramSet;
using program::Task;
using program::TaskKind;
using program::VtcmBlock;
using T = GraphBuilder::T;

// ---- The choice ----

Operand operand(uint64_t bytes) { return {.bytes = bytes}; }

std::vector<uint64_t> sizes(const std::vector<Operand>& operands) {
  std::vector<uint64_t> bytes;
  for (const Operand& each : operands) bytes.push_back(each.bytes);
  return bytes;
}

std::vector<bool> streamed(const std::vector<Operand>& operands) {
  std::vector<bool> flags;
  for (const Operand& each : operands) flags.push_back(each.streamed);
  return flags;
}

TEST(FitByStreaming, WhatFitsStaysWhole) {
  std::vector<Operand> operands = {operand(1000), operand(24)};
  EXPECT_TRUE(fit_by_streaming(operands, 1024));
  EXPECT_EQ(sizes(operands), (std::vector<uint64_t>{1000, 24}));
  EXPECT_EQ(streamed(operands), (std::vector<bool>{false, false}));
}

TEST(FitByStreaming, TheLargestIsStreamedFirstThroughABoundedWindow) {
  std::vector<Operand> operands = {operand(128 * kKiB), operand(200 * kMiB), operand(1 * kMiB)};
  EXPECT_TRUE(fit_by_streaming(operands, 8 * kMiB));
  EXPECT_EQ(streamed(operands), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(sizes(operands), (std::vector<uint64_t>{128 * kKiB, kStreamWindow, 1 * kMiB}));
}

TEST(FitByStreaming, AsManyAreStreamedAsMustBe) {
  std::vector<Operand> operands = {operand(5 * kMiB), operand(6 * kMiB), operand(4 * kMiB)};
  EXPECT_TRUE(fit_by_streaming(operands, 8 * kMiB));
  EXPECT_EQ(streamed(operands), (std::vector<bool>{true, true, false}));
}

TEST(FitByStreaming, WindowsShareWhatIsLeft) {
  std::vector<Operand> operands = {operand(10 * kKiB), operand(10 * kKiB), operand(1 * kKiB)};
  EXPECT_TRUE(fit_by_streaming(operands, 3 * kKiB));
  EXPECT_EQ(sizes(operands), (std::vector<uint64_t>{1 * kKiB, 1 * kKiB, 1 * kKiB}));
  EXPECT_EQ(streamed(operands), (std::vector<bool>{true, true, false}));
}

TEST(FitByStreaming, OnlyWhenNotEvenTheWindowsFitItIsGivenUp) {
  const std::vector<Operand> three = {operand(10 * kKiB), operand(10 * kKiB), operand(10 * kKiB)};
  std::vector<Operand> operands = three;
  EXPECT_TRUE(fit_by_streaming(operands, 3 * kLeastWindow));
  EXPECT_EQ(total_bytes(operands), 3 * kLeastWindow);
  operands = three;
  EXPECT_FALSE(fit_by_streaming(operands, 3 * kLeastWindow - 1));
  EXPECT_EQ(sizes(operands), sizes(three)) << "changed although it failed";
}

// ---- Whole graphs ----

size_t streamed_blocks(const Program& program) {
  return static_cast<size_t>(std::ranges::count_if(program.schedule.blocks, &VtcmBlock::streamed));
}

const VtcmBlock& block_of(const Program& program, std::string_view tensor) {
  for (const VtcmBlock& block : program.schedule.blocks)
    if (program.tensors[block.tensor].name == tensor) return block;
  ADD_FAILURE() << "no block of '" << tensor << "'";
  return program.schedule.blocks[0];
}

TEST(Stream, ALongSoftmaxPassesThroughVtcm) {
  GraphBuilder g(kUfixed8);
  const T x = g.input({1, 1000000});
  const T y = g.output(g.softmax(x));
  const ProgramSet set = prepared(g.build(), part_with_vtcm(2 * kMiB));
  const Program& program = *set.programs[0];
  expect_sound(program);
  EXPECT_EQ(streamed_blocks(program), 2U);
  EXPECT_EQ(block_of(program, g.tensor(x).name).bytes, kStreamWindow);
  EXPECT_EQ(block_of(program, g.tensor(y).name).bytes, kStreamWindow);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kInput), 1000000U);
  EXPECT_EQ(bytes_moved(program, TaskKind::kStore, TensorRole::kOutput), 1000000U);
  EXPECT_EQ(run(set, Mode::kTiled), run(set, Mode::kWhole));
}

TEST(Stream, ATableIsStreamedOnceAndTheRestStays) {
  GraphBuilder g(kUfixed8);
  const T table = g.constant({50000, 64});
  const T y = g.gather(table, 40);
  g.output(g.relu(y));
  const ir::Graph graph = g.build();
  const Program program = program_of(graph, part_with_vtcm(1 * kMiB));
  expect_sound(program);
  EXPECT_EQ(streamed_blocks(program), 1U);
  EXPECT_TRUE(block_of(program, g.tensor(table).name).streamed);
  EXPECT_FALSE(block_of(program, g.tensor(y).name).streamed);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kStatic), 50000U * 64 + 40 * 4);
  EXPECT_EQ(count_tasks(program, TaskKind::kLoad, TensorRole::kNative), 0U);
  EXPECT_EQ(run(prepared(graph, part_with_vtcm(1 * kMiB)), Mode::kTiled), run(prepared(graph), Mode::kWhole));
}

// What went through is not there any more: the next reader fetches it from DDR.
TEST(Stream, AStreamedResultGoesToDdrAndComesBack) {
  GraphBuilder g(kUfixed8);
  const T x = g.softmax(g.input({1, 300000}));
  g.output(g.softmax(g.softmax(x)));
  const ir::Graph graph = g.build();
  const Program program = program_of(graph, part_with_vtcm(1 * kMiB));
  expect_sound(program);
  EXPECT_EQ(bytes_moved(program, TaskKind::kStore, TensorRole::kNative), 2U * 300000);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kNative), 2U * 300000);
}

TEST(Stream, OneOfSeveralOutputsIsStreamed) {
  GraphBuilder g(kUfixed8);
  const std::vector<T> pieces = g.split(g.input({1, 4096, 32}), 1, {4000});
  g.output(g.relu(pieces[0]));
  g.output(g.relu(pieces[1]));
  const ir::Graph graph = g.build();
  const Program program = program_of(graph, part_with_vtcm(64 * kKiB));
  expect_sound(program);
  EXPECT_TRUE(block_of(program, g.tensor(pieces[0]).name).streamed);
  EXPECT_FALSE(block_of(program, g.tensor(pieces[1]).name).streamed);
}

TEST(Stream, PackedWeightsMoveAllTheirBlocks) {
  GraphBuilder g(kUfixed8);
  g.output(g.matmul(g.input({1, 4096}), 32));
  const Program program = program_of(g.build(), part_with_vtcm(24 * kKiB));
  expect_sound(program);
  EXPECT_GT(streamed_blocks(program), 0U);
  EXPECT_EQ(bytes_moved(program, TaskKind::kLoad, TensorRole::kStatic), 4096U * 32);
}

// An op that reads one tensor in two ways has a window for each; in the same way, one for both.
TEST(Stream, OneWindowPerWayOfReading) {
  GraphBuilder g(kUfixed8);
  const T x = g.input({8, 40000});
  g.output(g.add(g.softmax(x), g.softmax(x)));
  GraphBuilder twice(kUfixed8);
  const T y = twice.input({64, 40000});
  twice.output(twice.matmul(y, y, true));
  for (const ir::Graph& graph : {g.build(), twice.build()})
    expect_sound(program_of(graph, part_with_vtcm(128 * kKiB)));
}

TEST(Stream, TheTimelineCountsAllBytes) {
  GraphBuilder g(kUfixed8);
  g.output(g.softmax(g.input({1, 1000000})));
  const soc::Target target = part_with_vtcm(2 * kMiB);
  const Program program = program_of(g.build(), target);
  const sim::PowerState power = sim::PowerState::of(target);
  const sim::Timeline timeline = sim::simulate(program.schedule, target, power);
  const double seconds = static_cast<double>(timeline.accelerator.value) * 1e-9;
  EXPECT_GT(seconds, 2e6 / target.timing.dma_bytes_per_second);
}

TEST(Stream, AContextBinaryKeepsIt) {
  GraphBuilder g(kUfixed8);
  g.output(g.softmax(g.input({1, 1000000})));
  const ProgramSet set = prepared(g.build(), part_with_vtcm(2 * kMiB));
  const auto file = program::aligned_copy(program::write_context_binary(set));
  ASSERT_TRUE(file);
  const auto back = program::read_context_binary(file->bytes, file->owner, program::DataCheck::kNow);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(streamed_blocks(*back->programs[0]), 2U);
}

// Whatever the graph and however small VTCM, it is prepared, sound, and gives the same bits.
TEST(Stream, RandomGraphsInATinyVtcm) {
  size_t streams = 0;
  for (uint32_t seed = 500; seed < 516; ++seed) {
    const ir::Graph graph = random_graph(seed, seed % 2 ? kUfixed8 : kFloat32, 4);
    const auto expected = run(prepared(graph), Mode::kWhole);
    for (const uint64_t bytes : {1 * kKiB, 3 * kKiB, 10 * kKiB}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << bytes);
      const ProgramSet set = prepared(graph, part_with_vtcm(bytes));
      if (HasFailure()) return;
      expect_sound(*set.programs[0]);
      streams += streamed_blocks(*set.programs[0]);
      EXPECT_EQ(run(set, Mode::kTiled), expected);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(streams, 50U);
}

}  // namespace
}  // namespace openqnn::prepare
