// SPDX-License-Identifier: BSD-3-Clause
// Runs small Programs made by hand. That real graphs give the same bits however they are cut is shown in
// tests/prepare/numerics_test.cc.
#include "exec/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/half.h"

namespace openqnn::exec {
namespace {

using ir::DataType;
using ir::TensorRole;
using program::Op;
using program::Program;
using program::ProgramSet;
using program::Storage;
using program::Tensor;

using Buffer = std::vector<std::byte>;

Tensor tensor(std::string name, TensorRole role, DataType client, const ir::Shape& shape, uint64_t offset) {
  const bool half = client == DataType::kFloat32;
  ir::TensorDesc desc{half ? DataType::kFloat16 : client, shape, {}};
  if (client == DataType::kUfixed8) desc.quantization = ir::Quantization::per_tensor(0.5F, 0);
  const uint64_t bytes = ir::plain_bytes(desc);
  const bool in_place = role != TensorRole::kNative && !half;
  return {std::move(name),       0,      role,
          std::move(desc),       client, in_place ? Storage::kClient : Storage::kArena,
          in_place ? 0 : offset, bytes};
}

Op op(const std::string& type, std::vector<ir::TensorIndex> inputs, ir::TensorIndex output) {
  return {.name = type, .type = type, .inputs = std::move(inputs), .outputs = {output}};
}

ProgramSet set_of(Program program) {
  for (uint32_t i = 0; i < program.tensors.size(); ++i) program.tensors[i].id = i + 1;
  ProgramSet set;
  set.programs = {std::make_shared<Program>(std::move(program))};
  return set;
}

// y = (x + x) + x over a float client: every kind of conversion and the arena are used.
ProgramSet triple(const ir::Shape& shape) {
  const uint64_t slot = round_up(shape.elements() * 2, 64);
  Program program;
  program.arena_bytes = 3 * slot;
  program.tensors = {tensor("x", TensorRole::kInput, DataType::kFloat32, shape, 0),
                     tensor("twice", TensorRole::kNative, DataType::kFloat32, shape, slot),
                     tensor("y", TensorRole::kOutput, DataType::kFloat32, shape, 2 * slot)};
  program.ops = {op("ElementWiseAdd", {0, 0}, 1), op("ElementWiseAdd", {1, 0}, 2)};
  return set_of(std::move(program));
}

// Two outputs of one input, 8-bit: all in the client's buffers.
ProgramSet two_outputs(const ir::Shape& shape) {
  Program program;
  program.tensors = {tensor("x", TensorRole::kInput, DataType::kUfixed8, shape, 0),
                     tensor("relu", TensorRole::kOutput, DataType::kUfixed8, shape, 0),
                     tensor("sum", TensorRole::kOutput, DataType::kUfixed8, shape, 0)};
  program.ops = {op("Relu", {0}, 1), op("ElementWiseAdd", {0, 1}, 2)};
  return set_of(std::move(program));
}

std::vector<float> run_triple(Executor& executor, const std::vector<float>& x) {
  std::vector<float> in = x;
  std::vector<float> out(x.size(), -1.0F);
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(in.data()), nullptr,
                                reinterpret_cast<std::byte*>(out.data())};
  executor.run(buffers);
  EXPECT_EQ(in, x) << "an input was written";
  return out;
}

TEST(Executor, RunsTheOpsInOrder) {
  Executor executor(triple({4}), Mode::kWhole, Logger());
  EXPECT_EQ(run_triple(executor, {0.0F, 1.0F, -2.5F, 100.0F}),
            (std::vector<float>{0.0F, 3.0F, -7.5F, 300.0F}));
}

TEST(Executor, AFloatClientsValuesAreRoundedToHalfOnTheWayIn) {
  Executor executor(triple({1}), Mode::kWhole, Logger());
  EXPECT_EQ(run_triple(executor, {1.0F + 1.0F / 4096}), std::vector<float>{3.0F});
}

TEST(Executor, WritesEveryOutputIntoItsOwnBuffer) {
  Executor executor(two_outputs({2, 64}), Mode::kWhole, Logger());
  Buffer x(128, std::byte{7});
  Buffer relu(128);
  Buffer sum(128);
  std::byte* const buffers[] = {x.data(), relu.data(), sum.data()};
  executor.run(buffers);
  EXPECT_EQ(relu, Buffer(128, std::byte{7}));
  EXPECT_EQ(sum, Buffer(128, std::byte{14}));
}

TEST(Executor, StopsBeforeTheOpThatItIsAskedToStopAt) {
  Executor executor(two_outputs({2, 64}), Mode::kWhole, Logger());
  for (int ops = 0; ops <= 4; ++ops) {  // two batches of two ops
    SCOPED_TRACE(ops);
    Buffer x(256, std::byte{7});
    Buffer relu(256);
    Buffer sum(256);
    std::byte* const buffers[] = {x.data(), relu.data(), sum.data()};
    int asked = 0;
    executor.run(buffers, 2, [&] { return asked++ == ops; });
    EXPECT_EQ(asked, std::min(ops + 1, 4));
    const auto written = [](const Buffer& buffer) {
      return (buffer[0] != std::byte{0}) + (buffer[128] != std::byte{0});
    };
    EXPECT_EQ(written(relu), (ops + 1) / 2);
    EXPECT_EQ(written(sum), ops / 2);
  }
}

TEST(Executor, ClientBuffersMayHaveAnyAlignment) {
  const ir::Shape shape{3, 50};
  const size_t count = shape.elements();
  Executor executor(triple(shape), Mode::kWhole, Logger());
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i) - 70.0F;
  const std::vector<float> expected = run_triple(executor, x);
  for (size_t shift = 1; shift < 4; ++shift) {
    Buffer in(count * 4 + 8);
    Buffer out(count * 4 + 8, std::byte{0xCD});
    std::memcpy(in.data() + shift, x.data(), count * 4);
    std::byte* const buffers[] = {in.data() + shift, nullptr, out.data() + shift};
    executor.run(buffers);
    EXPECT_EQ(std::memcmp(out.data() + shift, expected.data(), count * 4), 0) << shift;
    EXPECT_EQ(out[shift - 1], std::byte{0xCD}) << "wrote before the buffer";
    EXPECT_EQ(out[shift + count * 4], std::byte{0xCD}) << "wrote behind the buffer";
  }
}

TEST(Executor, UnalignedBuffersUsedInPlaceWorkToo) {
  Executor executor(two_outputs({1, 100}), Mode::kWhole, Logger());
  Buffer x(101, std::byte{9});
  Buffer relu(102, std::byte{0xCD});
  Buffer sum(104, std::byte{0xCD});
  std::byte* const buffers[] = {x.data() + 1, relu.data() + 1, sum.data() + 3};
  executor.run(buffers);
  EXPECT_EQ(relu[1], std::byte{9});
  EXPECT_EQ(relu[100], std::byte{9});
  EXPECT_EQ(relu[101], std::byte{0xCD});
  EXPECT_EQ(sum[102], std::byte{18});
  EXPECT_EQ(sum[103], std::byte{0xCD});
}

// ---- Variable batch

// feature: B3 (inside)
TEST(ExecutorBatches, AreBitEqualToSingleRuns) {
  const ir::Shape shape{2, 33};
  const size_t count = shape.elements();
  for (const Mode mode : {Mode::kWhole, Mode::kTiled}) {
    ProgramSet set = triple(shape);
    Program program = *set.programs[0];
    for (uint32_t op = 0; op < 2; ++op)
      program.schedule.tasks.push_back(
          {.unit = soc::Unit::kHvx, .op = op, .tensor = op + 1, .box = ir::Box::whole(shape)});
    Executor executor(set_of(program), mode, Logger());
    constexpr uint32_t kBatches = 5;
    std::vector<float> x(kBatches * count);
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
    std::vector<float> expected;
    for (uint32_t batch = 0; batch < kBatches; ++batch) {
      const auto first = x.begin() + static_cast<std::ptrdiff_t>(batch * count);
      const std::vector<float> y = run_triple(executor, {first, first + static_cast<std::ptrdiff_t>(count)});
      expected.insert(expected.end(), y.begin(), y.end());
    }
    for (const uint32_t batches : {1U, 2U, kBatches}) {
      std::vector<float> y(x.size(), -1.0F);
      std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x.data()), nullptr,
                                    reinterpret_cast<std::byte*>(y.data())};
      executor.run(buffers, batches);
      std::vector<float> partly = expected;
      std::fill(partly.begin() + static_cast<std::ptrdiff_t>(batches * count), partly.end(), -1.0F);
      EXPECT_EQ(y, partly) << batches;
    }
  }
}

// Each tensor's slices have its own size, in the client's type.
TEST(ExecutorBatches, SlicesFollowEachTensorsOwnBytes) {
  Program program;
  program.arena_bytes = 64;
  program.tensors = {tensor("x", TensorRole::kInput, DataType::kUfixed8, {1, 8}, 0),
                     tensor("values", TensorRole::kOutput, DataType::kUfixed8, {1, 3}, 0),
                     tensor("indices", TensorRole::kOutput, DataType::kUint32, {1, 3}, 0)};
  program.ops = {{.name = "top", .type = "TopK", .inputs = {0}, .outputs = {1, 2}}};
  ir::Param k{"k", DataType::kUint32, {}, Buffer(4)};
  k.data[0] = std::byte{3};
  program.ops[0].params.add(k);
  Executor executor(set_of(program), Mode::kWhole, Logger());
  uint8_t x[] = {5, 9, 1, 2, 7, 3, 0, 4, 0, 10, 20, 30, 40, 50, 60, 70};
  uint8_t values[6] = {};
  uint32_t indices[6] = {};
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(values),
                                reinterpret_cast<std::byte*>(indices)};
  executor.run(buffers, 2);
  EXPECT_EQ(std::vector<uint8_t>(values, values + 6), (std::vector<uint8_t>{9, 7, 5, 70, 60, 50}));
  EXPECT_EQ(std::vector<uint32_t>(indices, indices + 6), (std::vector<uint32_t>{1, 4, 0, 7, 6, 5}));
}

TEST(ExecutorBatches, NoneTouchesNothing) {
  Executor executor(triple({4}), Mode::kWhole, Logger());
  std::byte* const buffers[] = {nullptr, nullptr, nullptr};
  executor.run(buffers, 0);
}

TEST(Executor, ANullPointerStandsForAnAbsentOutput) {
  ProgramSet set = triple({4});
  Program program = *set.programs[0];
  program.ops[0].outputs.push_back(ir::kNoTensor);  // the kernel does not ask for it
  Executor executor(set_of(program), Mode::kWhole, Logger());
  EXPECT_EQ(run_triple(executor, {1, 2, 3, 4}), (std::vector<float>{3, 6, 9, 12}));
}

// Activation memory is used again: what an earlier run left there must not be seen.
TEST(Executor, RunsOneAfterAnotherDoNotSeeEachOther) {
  Executor executor(triple({1, 300}), Mode::kWhole, Logger());
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> x(300, static_cast<float>(round));
    ASSERT_EQ(run_triple(executor, x), std::vector<float>(300, static_cast<float>(3 * round)));
  }
}

TEST(Executor, SeveralThreadsMayRunItAtOnce) {
  // Large enough for several pieces each, so that the runs share the pool's workers as well.
  const size_t count = 20000;
  Executor executor(triple({20, 1000}), Mode::kWhole, Logger());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 4; ++round) {
        const auto value = static_cast<float>(t * 10 + round);
        if (run_triple(executor, std::vector<float>(count, value)) != std::vector<float>(count, 3 * value))
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Where clients have all cores, ops are cut into fewer pieces.
TEST(Executor, GivesTheSameBesideOtherCallers) {
  const ir::Shape shape{64, 40, 32};
  Executor executor(triple(shape), Mode::kWhole, Logger());
  std::vector<float> x(shape.elements());
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000) / 8 - 60.0F;
  const std::vector<float> expected = run_triple(executor, x);
  std::vector<std::unique_ptr<ThreadPool::Caller>> others;
  for (size_t i = 0; i < ThreadPool::shared().threads(); ++i)
    others.push_back(std::make_unique<ThreadPool::Caller>(ThreadPool::shared()));
  EXPECT_TRUE(ThreadPool::shared().has_no_room());
  EXPECT_EQ(run_triple(executor, x), expected);
}

TEST(Executor, KeepsTheConstantsAlive) {
  auto constants = std::make_shared<std::vector<std::byte>>(64);
  const uint16_t bits[] = {to_half(1.0F).bits, to_half(-3.0F).bits};
  std::memcpy(constants->data(), bits, sizeof bits);
  Program program;
  program.tensors = {tensor("x", TensorRole::kInput, DataType::kFloat16, {2}, 0),
                     tensor("k", TensorRole::kStatic, DataType::kFloat16, {2}, 0),
                     tensor("y", TensorRole::kOutput, DataType::kFloat16, {2}, 0)};
  program.tensors[1].storage = Storage::kConstant;
  program.tensors[1].desc.is_static = true;
  program.ops = {op("ElementWiseAdd", {0, 1}, 2)};
  ProgramSet set = set_of(std::move(program));
  set.constants = *constants;
  set.owner = std::move(constants);
  Executor executor(std::move(set), Mode::kWhole, Logger());
  uint16_t x[] = {to_half(1.0F).bits, to_half(1.0F).bits};
  uint16_t y[2] = {};
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x), nullptr, reinterpret_cast<std::byte*>(y)};
  executor.run(buffers);
  EXPECT_EQ(y[0], to_half(2.0F).bits);
  EXPECT_EQ(y[1], to_half(-2.0F).bits);
}

// Tiles are the Schedule's: an element no tile covers is not computed.
TEST(Executor, TiledModeComputesTheTilesOfTheSchedule) {
  ProgramSet set = two_outputs({4, 32});
  Program program = *set.programs[0];
  const auto tile = [](uint32_t op_index, ir::TensorIndex output, uint32_t begin, uint32_t end) {
    return program::Task{.op = op_index, .tensor = output, .box = {{begin, 0}, {end, 32}}};
  };
  program.schedule.tasks = {tile(0, 1, 0, 2), tile(0, 1, 2, 4), tile(1, 2, 0, 3)};
  Executor executor(set_of(program), Mode::kTiled, Logger());
  Buffer x(128, std::byte{3});
  Buffer relu(128);
  Buffer sum(128);
  std::byte* const buffers[] = {x.data(), relu.data(), sum.data()};
  executor.run(buffers);
  EXPECT_EQ(relu, Buffer(128, std::byte{3}));
  EXPECT_EQ(sum[95], std::byte{6});
  EXPECT_EQ(sum[96], std::byte{0}) << "row 3 has no tile";
}

class Lines : public LogSink {
 public:
  Lines() : LogSink(LogLevel::kVerbose) {}
  void write(LogLevel, std::string_view line) override { text += std::string(line) + "\n"; }
  std::string text;
};

TEST(Executor, TheEnvironmentChoosesTheMode) {
  const auto lines = std::make_shared<Lines>();
  const Logger log(lines);
  setenv("OPENQNN_EXEC", "tiled", 1);
  EXPECT_EQ(mode_from_environment(log), Mode::kTiled);
  setenv("OPENQNN_EXEC", "whole", 1);
  EXPECT_EQ(mode_from_environment(log), Mode::kWhole);
  unsetenv("OPENQNN_EXEC");
  EXPECT_EQ(mode_from_environment(log), Mode::kWhole);
  EXPECT_TRUE(lines->text.empty());
  setenv("OPENQNN_EXEC", "tield", 1);
  EXPECT_EQ(mode_from_environment(log), Mode::kWhole);
  EXPECT_NE(lines->text.find("'tield'"), std::string::npos);
  unsetenv("OPENQNN_EXEC");
}

TEST(Executor, TellsOfAnInstructionSetThatItCannotTake) {
  const auto lines = std::make_shared<Lines>();
  setenv("OPENQNN_ISA", "neon", 1);
  const Executor executor(triple({4}), Mode::kWhole, Logger(lines));
  unsetenv("OPENQNN_ISA");
  EXPECT_NE(lines->text.find("OPENQNN_ISA='neon' is none of portable, avx2, avx512"), std::string::npos)
      << lines->text;
}

TEST(Executor, SaysWhichKernelAnOpRunsOn) {
  const auto lines = std::make_shared<Lines>();
  const Executor executor(triple({4}), Mode::kWhole, Logger(lines));
  EXPECT_NE(lines->text.find("op 'ElementWiseAdd' runs on kernel "), std::string::npos) << lines->text;
}

TEST(Convert, HalvesAndFloatsRoundTripAtAnyAlignment) {
  const float values[] = {0.0F, -1.5F, 65504.0F, 1e6F};
  Buffer floats(sizeof values + 1);
  Buffer halves(9);
  std::memcpy(floats.data() + 1, values, sizeof values);
  floats_to_halves(floats.data() + 1, halves.data() + 1, 4);
  halves_to_floats(halves.data() + 1, floats.data() + 1, 4);
  float back[4];
  std::memcpy(back, floats.data() + 1, sizeof back);
  EXPECT_EQ(back[1], -1.5F);
  EXPECT_EQ(back[2], 65504.0F);
  EXPECT_TRUE(std::isinf(back[3]));
}

}  // namespace
}  // namespace openqnn::exec
