// SPDX-License-Identifier: BSD-3-Clause
// Ops that keep something from one run to the next, and runs that give nothing because of it.
#include "exec/state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "exec/executor.h"

namespace openqnn::exec {
namespace {

using ir::DataType;
using ir::TensorRole;
using program::Program;
using program::ProgramSet;
using program::Storage;

using Numbers = std::vector<uint8_t>;

program::Tensor tensor(uint32_t id, TensorRole role, const ir::Shape& shape, uint64_t offset = 0) {
  const bool is_native = role == TensorRole::kNative;
  return {.name = "t" + std::to_string(id),
          .id = id,
          .role = role,
          .desc = {DataType::kUfixed8, shape, ir::Quantization::per_tensor(1.0F, 0)},
          .client_type = DataType::kUfixed8,
          .storage = is_native ? Storage::kArena : Storage::kClient,
          .offset = offset,
          .bytes = shape.elements()};
}

program::Op buffer(ir::TensorIndex from, ir::TensorIndex to, uint32_t size, uint32_t mode,
                   uint32_t stride = 1) {
  program::Op op{.name = "buffer", .type = "Buffer", .inputs = {from}, .outputs = {to}};
  const auto add = [&op](const char* name, uint32_t value) {
    ir::Param param{name, DataType::kUint32, {}, std::vector<std::byte>(sizeof value)};
    std::memcpy(param.data.data(), &value, sizeof value);
    op.params.add(std::move(param));
  };
  add("buffer_size", size);
  add("buffer_dim", 0);
  add("mode", mode);
  add("stride", stride);
  return op;
}

ProgramSet set_of_one(Program program) {
  ProgramSet set;
  set.programs = {std::make_shared<Program>(std::move(program))};
  return set;
}

// x -> Buffer -> held -> Relu -> y, and beside it x -> Relu -> z, which waits for nothing.
ProgramSet held_and_free(uint32_t mode) {
  Program program;
  program.arena_bytes = 64;
  program.tensors = {tensor(1, TensorRole::kInput, {1}), tensor(2, TensorRole::kNative, {3}),
                     tensor(3, TensorRole::kOutput, {3}), tensor(4, TensorRole::kOutput, {1})};
  program.ops = {buffer(0, 1, 3, mode),
                 {.name = "y", .type = "Relu", .inputs = {1}, .outputs = {2}},
                 {.name = "z", .type = "Relu", .inputs = {0}, .outputs = {3}}};
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const ir::TensorIndex output = program.ops[i].outputs[0];
    program.schedule.tasks.push_back(
        {.op = i, .tensor = output, .box = ir::Box::whole(program.tensors[output].desc.shape)});
  }
  return set_of_one(std::move(program));
}

struct Outputs {
  Numbers y = Numbers(3, 99);
  uint8_t z = 99;
  std::vector<ir::TensorIndex> withheld;
};

Outputs run(Executor& executor, uint8_t x) {
  Outputs outputs;
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(&x), nullptr,
                                reinterpret_cast<std::byte*>(outputs.y.data()),
                                reinterpret_cast<std::byte*>(&outputs.z)};
  outputs.withheld = executor.run(buffers);
  return outputs;
}

TEST(State, GoesOnFromRunToRunInBothModes) {
  for (const Mode mode : {Mode::kWhole, Mode::kTiled}) {
    Executor executor(held_and_free(2), mode, Logger());
    EXPECT_TRUE(executor.keeps_state());
    EXPECT_EQ(run(executor, 1).y, (Numbers{0, 0, 1}));
    EXPECT_EQ(run(executor, 2).y, (Numbers{0, 1, 2}));
    EXPECT_EQ(run(executor, 3).y, (Numbers{1, 2, 3}));
    EXPECT_EQ(run(executor, 4).y, (Numbers{2, 3, 4}));
    EXPECT_TRUE(run(executor, 5).withheld.empty());
  }
}

// x -> blocking Buffer of 2 -> a -> filling Buffer of 4 -> y, both emptied by r.
ProgramSet two_stages() {
  Program program;
  program.arena_bytes = 64;
  program.tensors = {tensor(1, TensorRole::kInput, {1}), tensor(2, TensorRole::kNative, {2}),
                     tensor(3, TensorRole::kOutput, {4}), tensor(4, TensorRole::kInput, {1})};
  program.tensors[3].desc = {DataType::kBool8, {1}};
  program.tensors[3].client_type = DataType::kBool8;
  program.ops = {buffer(0, 1, 2, 0, 2), buffer(1, 2, 4, 2, 2)};
  for (program::Op& op : program.ops) op.inputs.push_back(3);
  return set_of_one(std::move(program));
}

// The first stage withholds its output in the run that resets it; the second is reset all the same.
TEST(State, AResetReachesOpsThatWait) {
  Executor executor(two_stages(), Mode::kWhole, Logger());
  Numbers y(4, 99);
  for (uint8_t x = 1; x <= 6; ++x) {
    uint8_t reset = x == 5 ? 1 : 0;
    std::byte* const buffers[] = {reinterpret_cast<std::byte*>(&x), nullptr,
                                  reinterpret_cast<std::byte*>(y.data()),
                                  reinterpret_cast<std::byte*>(&reset)};
    executor.run(buffers);
    EXPECT_TRUE(x != 4 || y == (Numbers{1, 2, 3, 4}));
  }
  EXPECT_EQ(y, (Numbers{0, 0, 5, 6}));
}

TEST(State, EachExecutorHasItsOwn) {
  const ProgramSet set = held_and_free(1);
  Executor first(set, Mode::kWhole, Logger());
  Executor second(set, Mode::kWhole, Logger());
  EXPECT_EQ(run(first, 1).y, (Numbers{1, 0, 0}));
  EXPECT_EQ(run(first, 2).y, (Numbers{1, 2, 0}));
  EXPECT_EQ(run(second, 3).y, (Numbers{3, 0, 0}));
}

TEST(State, WhatIsWithheldLeavesOutputsAlone) {
  Executor executor(held_and_free(0), Mode::kWhole, Logger());
  for (const uint8_t x : {1, 2}) {
    const Outputs outputs = run(executor, x);
    EXPECT_EQ(outputs.y, (Numbers{99, 99, 99}));
    EXPECT_EQ(outputs.z, x) << "what does not depend on it is computed";
    EXPECT_EQ(outputs.withheld, std::vector<ir::TensorIndex>{2});
  }
  const Outputs full = run(executor, 3);
  EXPECT_EQ(full.y, (Numbers{1, 2, 3}));
  EXPECT_TRUE(full.withheld.empty());
}

// Batches are runs one after another.
TEST(State, BatchesGoThroughItInOrder) {
  Executor executor(held_and_free(0), Mode::kWhole, Logger());
  Numbers x = {1, 2, 3, 4};
  Numbers y(12, 99);
  Numbers z(4, 99);
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x.data()), nullptr,
                                reinterpret_cast<std::byte*>(y.data()),
                                reinterpret_cast<std::byte*>(z.data())};
  EXPECT_EQ(executor.run(buffers, 4), std::vector<ir::TensorIndex>{2}) << "in the first two";
  EXPECT_EQ(y, (Numbers{99, 99, 99, 99, 99, 99, 1, 2, 3, 2, 3, 4}));
  EXPECT_EQ(z, x);
}

// A stage before this one withheld it.
TEST(State, AnInputMayBeWithheld) {
  Executor executor(held_and_free(1), Mode::kWhole, Logger());
  EXPECT_EQ(run(executor, 1).y, (Numbers{1, 0, 0}));
  Numbers y(3, 99);
  uint8_t z = 99;
  std::byte* const buffers[] = {nullptr, nullptr, reinterpret_cast<std::byte*>(y.data()),
                                reinterpret_cast<std::byte*>(&z)};
  EXPECT_EQ(executor.run(buffers), (std::vector<ir::TensorIndex>{2, 3}));
  EXPECT_EQ(y, (Numbers{99, 99, 99}));
  EXPECT_EQ(z, 99);
  EXPECT_EQ(run(executor, 2).y, (Numbers{1, 2, 0})) << "no frame came, so none was taken";
}

// Runs take turns: every one sees the frames of whole runs before it.
TEST(State, SeveralThreadsTakeTurns) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  Executor executor(held_and_free(2), Mode::kWhole, Logger());
  std::vector<std::vector<Numbers>> seen(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i)
        seen[t].push_back(run(executor, static_cast<uint8_t>(t * kRounds + i + 1)).y);
    });
  for (std::thread& thread : threads) thread.join();
  // Each frame is the newest once, and the middle one and the oldest of at most one run after.
  std::vector<std::set<uint8_t>> at(3);
  for (const auto& runs : seen)
    for (const Numbers& y : runs)
      for (size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(y[i] == 0 || at[i].insert(y[i]).second) << int{y[i]} << " twice at place " << i;
  EXPECT_EQ(at[2].size(), size_t{kThreads * kRounds});
  EXPECT_EQ(at[1].size(), size_t{kThreads * kRounds - 1});
  EXPECT_EQ(at[0].size(), size_t{kThreads * kRounds - 2});
}

}  // namespace
}  // namespace openqnn::exec
