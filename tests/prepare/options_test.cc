// SPDX-License-Identifier: BSD-3-Clause
// What each option of a graph does: to the Schedule or the bytes first, then to simulated time.
#include <gtest/gtest.h>

#include <set>

#include "prepare/dlbc.h"
#include "prepare/passes.h"
#include "prepare/run_program.h"
#include "prepare/schedule_check.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

using program::Program;
using program::Task;
using program::TaskKind;

// Sums something over all tasks.
template <class Amount>
uint64_t sum(const Program& program, Amount amount) {
  uint64_t total = 0;
  for (const Task& task : program.schedule.tasks) total += amount(task);
  return total;
}
uint64_t ddr_bytes(const Program& program) {
  return sum(program, [](const Task& task) { return task.ddr_bytes(); });
}
uint64_t vtcm_bytes(const Program& program) {
  return sum(program, [](const Task& task) { return task.bytes; });
}

// Static weights of two megabytes whose numbers run from -`reach` to `reach`, and few rows: reading them is
// all that takes time.
ir::Graph many_weights(int reach) {
  GraphBuilder g(kUfixed8);
  const auto in = g.input({8, 1024});
  const auto out = g.matmul(in, 2048);
  g.output(out);
  for (GraphBuilder::T t = 0; t <= out; ++t) {
    ir::Tensor& tensor = g.tensor(t);
    if (tensor.role != ir::TensorRole::kStatic || tensor.desc.shape.rank() != 2) continue;
    std::vector<std::byte> codes(tensor.data.size());
    const int offset = tensor.desc.quantization.at(0).offset;
    uint32_t state = 1;
    for (std::byte& code : codes) {
      state = state * 1664525U + 1013904223U;
      code =
          std::byte(static_cast<uint8_t>(static_cast<int>(state >> 16U) % (2 * reach + 1) - reach - offset));
    }
    tensor.data = ir::Blob::of(std::move(codes));
  }
  return g.build();
}

// Images of two megabytes between the ops, which go to DDR and back where VTCM has one.
ir::Graph many_activations() {
  GraphBuilder g(kUfixed8);
  GraphBuilder::T x = g.input({1, 256, 256, 32});
  for (int i = 0; i < 3; ++i) x = g.conv(x, 32);
  g.output(x);
  return g.build();
}
const Options kCrowded = {.optimization = 1, .vtcm_bytes = kMiB};

// One convolution that fits VTCM as a whole and computes for long.
ir::Graph compute_bound() {
  GraphBuilder g(kUfixed8);
  GraphBuilder::T x = g.input({1, 32, 32, 64});
  for (int i = 0; i < 6; ++i) x = g.conv(x, 64);
  g.output(x);
  return g.build();
}

// ---- DLBC ----

std::vector<std::byte> bytes_of(size_t count, const std::function<int(size_t)>& value) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = std::byte(static_cast<uint8_t>(value(i)));
  return bytes;
}

TEST(Dlbc, BlocksTakeAsManyQuartersAsTheirDistancesNeed) {
  const auto size = [](const std::function<int(size_t)>& value) {
    return compressed_bytes(bytes_of(kDlbcBlock, value)) - kDlbcTableBytes;
  };
  EXPECT_EQ(size([](size_t) { return 77; }), 0U) << "one value";
  EXPECT_EQ(size([](size_t i) { return 250 + static_cast<int>(i % 4); }), kDlbcQuarter) << "2 bits";
  EXPECT_EQ(size([](size_t i) { return static_cast<int>(i % 4) - 2; }), kDlbcQuarter) << "around zero";
  EXPECT_EQ(size([](size_t i) { return static_cast<int>(i % 16) - 8; }), 2 * kDlbcQuarter);
  EXPECT_EQ(size([](size_t i) { return static_cast<int>(i % 64) - 32; }), 3 * kDlbcQuarter);
  EXPECT_EQ(size([](size_t i) { return i % 2 != 0 ? 60 : static_cast<int>(i); }), 2 * kDlbcQuarter)
      << "halves with one exponent";
  EXPECT_EQ(size([](size_t i) { return i % 8 == 0 ? 100 - static_cast<int>(i) : 0; }), kDlbcQuarter)
      << "a mask, and one byte of eight";
  EXPECT_EQ(size([](size_t i) { return i == 9    ? -128
                                       : i == 80 ? 127
                                                 : static_cast<int>(i % 8) - 4; }),
            3 * kDlbcQuarter)
      << "a mask, three bits, and two that need eight";
}

TEST(Dlbc, WhatDoesNotCompressIsStoredAsItIs) {
  const auto noise = bytes_of(4 * kDlbcBlock, [](size_t i) { return static_cast<int>(i * 151 % 256); });
  EXPECT_EQ(compressed_bytes(noise), noise.size());
  EXPECT_EQ(compressed_bytes({}), 0U);
  EXPECT_EQ(compressed_bytes(bytes_of(100, [](size_t) { return 0; })), 100U) << "no whole block";
}

// feature: B9 (inside)
TEST(OptionEffects, DlbcWeightsMoveFewerBytesInLessTime) {
  const ir::Graph graph = many_weights(7);
  const Program plain = program_of(graph);
  const Program compressed = program_of(graph, part(), {.compress_weights = true});
  expect_sound(compressed);
  EXPECT_LT(ddr_bytes(compressed), ddr_bytes(plain) * 6 / 10) << "4 of 8 bits, and the table";
  EXPECT_EQ(vtcm_bytes(compressed), vtcm_bytes(plain)) << "VTCM has them whole";
  EXPECT_LT(time_of(compressed), time_of(plain));
  EXPECT_TRUE(compressed.bandwidth.compressed_weights);
}

// feature: B9 (inside)
TEST(OptionEffects, DlbcWeightsAreMeasuredOnTheRealBytes) {
  const auto bytes_with = [](int reach) {
    return ddr_bytes(program_of(many_weights(reach), part(), {.compress_weights = true}));
  };
  EXPECT_LT(bytes_with(1), bytes_with(7));
  EXPECT_LT(bytes_with(7), bytes_with(30));
  const Program noise = program_of(many_weights(127), part(), {.compress_weights = true});
  const Program plain = program_of(many_weights(127));
  EXPECT_EQ(ddr_bytes(noise), ddr_bytes(plain)) << "stored as they are";
  EXPECT_EQ(time_of(noise), time_of(plain));
}

TEST(OptionEffects, DlbcLeavesWeightsThatMayBeReplaced) {
  GraphBuilder g(kUfixed8);
  const auto in = g.input({8, 64});
  const auto out = g.matmul(in, 64);
  g.output(out);
  for (GraphBuilder::T t = 0; t <= out; ++t)
    if (g.tensor(t).role == ir::TensorRole::kStatic) {
      g.tensor(t).updateable = true;
      g.tensor(t).data = ir::Blob::of(std::vector<std::byte>(g.tensor(t).data.size()));
    }
  const Program program = program_of(g.build(), part(), {.compress_weights = true});
  EXPECT_EQ(ddr_bytes(program), vtcm_bytes(program));
}

// feature: B9 (inside)
TEST(OptionEffects, DlbcOfActivationsTakesTheDocumentedShare) {
  Options options = kCrowded;
  options.compress_activations = true;
  const Program plain = program_of(many_activations(), part(), kCrowded);
  const Program compressed = program_of(many_activations(), part(), options);
  expect_sound(compressed);
  EXPECT_LT(ddr_bytes(compressed), ddr_bytes(plain));
  EXPECT_EQ(vtcm_bytes(compressed), vtcm_bytes(plain));
  EXPECT_LT(time_of(compressed), time_of(plain));
  for (const Task& task : compressed.schedule.tasks) {
    if (task.kind == TaskKind::kCompute) continue;
    const bool is_activation = compressed.tensors[task.tensor].storage != program::Storage::kConstant;
    const double share = static_cast<double>(task.ddr_bytes()) / static_cast<double>(task.bytes);
    EXPECT_NEAR(share, is_activation ? part().timing.dlbc_activations.value : 1.0, 0.01);
  }
}

// feature: B9 (inside)
TEST(OptionEffects, DlbcOfActivationsTakesWhatSamplesShowed) {
  Options options = kCrowded;
  options.compress_activations = true;
  ModelFacts facts;
  facts.activation_share = 0.4;
  options.facts = std::make_shared<const ModelFacts>(std::move(facts));
  const Program measured = program_of(many_activations(), part(), options);
  expect_sound(measured);
  EXPECT_TRUE(measured.bandwidth.measured_activations);
  for (const Task& task : measured.schedule.tasks) {
    if (task.kind == TaskKind::kCompute) continue;
    if (measured.tensors[task.tensor].storage == program::Storage::kConstant) continue;
    EXPECT_NEAR(static_cast<double>(task.ddr_bytes()) / static_cast<double>(task.bytes), 0.4, 0.01);
  }
  options.compress_activations = false;
  const Program off = program_of(many_activations(), part(), options);
  EXPECT_FALSE(off.bandwidth.measured_activations) << "what is not compressed has no share";
  EXPECT_EQ(ddr_bytes(off), vtcm_bytes(off));
}

// The documents: it lowers bandwidth, so it helps where bandwidth is what a graph waits for.
// feature: B9 (inside)
TEST(OptionEffects, DlbcHelpsBandwidthBoundGraphsOnly) {
  const auto gain = [](const ir::Graph& graph) {
    const Options both = {.compress_activations = true, .compress_weights = true};
    return static_cast<double>(time_of(program_of(graph)).value) /
           static_cast<double>(time_of(program_of(graph, part(), both)).value);
  };
  EXPECT_GT(gain(many_weights(7)), 1.2);
  const double nearly_none = gain(compute_bound());
  EXPECT_GE(nearly_none, 1.0);
  EXPECT_LT(nearly_none, 1.1);
}

TEST(OptionEffects, DlbcIsNeverSlowerAndChangesNoResult) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const ir::Graph graph = random_graph(seed, kUfixed8, 12);
    const Options both = {.compress_activations = true, .compress_weights = true};
    const program::ProgramSet plain = prepared(graph);
    const program::ProgramSet compressed = prepared(graph, part(), both);
    EXPECT_LE(time_of(*compressed.programs[0]), time_of(*plain.programs[0])) << seed;
    EXPECT_EQ(run(compressed, exec::Mode::kWhole), run(plain, exec::Mode::kWhole)) << seed;
  }
}

// ---- The system-level cache ----

// feature: B9 (inside)
TEST(OptionEffects, TheSystemLevelCacheTakesSpillsOffDdr) {
  const soc::Target target = part("SM8750");
  Options options = kCrowded;
  const Program plain = program_of(many_activations(), target, options);
  options.use_slc = true;
  const Program cached = program_of(many_activations(), target, options);
  expect_sound(cached);
  EXPECT_TRUE(cached.bandwidth.slc);
  EXPECT_LT(ddr_bytes(cached), ddr_bytes(plain));
  EXPECT_EQ(vtcm_bytes(cached), vtcm_bytes(plain));
  EXPECT_LT(time_on(target, cached), time_on(target, plain));
  for (const Task& task : cached.schedule.tasks) EXPECT_TRUE(!task.in_slc || is_spill_or_fill(cached, task));
}

TEST(OptionEffects, OnlyWhatFitsIsInTheSystemLevelCache) {
  soc::Target target = part("SM8750");
  Options options = kCrowded;
  options.use_slc = true;
  const auto cached_bytes = [&](uint64_t room) {
    target.slc = Bytes{room};
    return sum(program_of(many_activations(), target, options),
               [](const Task& task) { return task.in_slc ? task.bytes : 0; });
  };
  EXPECT_EQ(cached_bytes(0), 0U);
  EXPECT_EQ(cached_bytes(kMiB), 0U) << "each image has two";
  EXPECT_GT(cached_bytes(2 * kMiB), 0U);
  EXPECT_GT(cached_bytes(8 * kMiB), cached_bytes(2 * kMiB));
}

// feature: B9 (inside)
TEST(OptionEffects, PartsWithoutASystemLevelCacheSaySo) {
  const auto lines = std::make_shared<Lines>();
  const auto set = prepare(many_activations(), part("SM8650"), {.use_slc = true}, Logger(lines));
  ASSERT_TRUE(set.ok());
  EXPECT_FALSE(set->programs[0]->bandwidth.slc);
  EXPECT_NE(lines->text.find("SLC allocator has no effect"), std::string::npos) << lines->text;
  EXPECT_NE(lines->text.find("SM8650"), std::string::npos);
}

// ---- Cores ----

// Convolutions that compute for long on images that two cores can halve.
ir::Graph wide_convolutions() {
  GraphBuilder g(kUfixed8);
  GraphBuilder::T x = g.input({1, 64, 64, 128});
  for (int i = 0; i < 3; ++i) x = g.conv(x, 128);
  g.output(x);
  return g.build();
}

// feature: B9 (inside)
TEST(OptionEffects, TwoCoresShareTheTiles) {
  const soc::Target target = part("SA8775P");
  for (const uint32_t level : {1U, 2U, 3U}) {
    const Program one = program_of(wide_convolutions(), target, {.optimization = level});
    const Program two = program_of(wide_convolutions(), target, {.optimization = level, .cores = 2});
    expect_sound(two);
    EXPECT_EQ(two.schedule.cores, 2U);
    const uint64_t on_second = sum(two, [](const Task& task) { return task.core == 1 ? task.work.macs : 0; });
    const uint64_t all = sum(two, [](const Task& task) { return task.work.macs; });
    EXPECT_GT(on_second, all / 3) << level;
    EXPECT_LT(on_second, all * 2 / 3) << level;
    EXPECT_LT(time_on(target, two), time_on(target, one)) << level;
    EXPECT_GT(2 * time_on(target, two).value, time_on(target, one).value) << "DDR is shared";
  }
}

TEST(OptionEffects, MoreCoresAreNeverSlower) {
  const soc::Target target = part("SA8775P");
  for (uint32_t seed = 0; seed < 6; ++seed)
    for (const uint32_t level : {1, 2, 3}) {
      const ir::Graph graph = random_graph(seed, kUfixed8, 10);
      const Program one = program_of(graph, target, {.optimization = level});
      const Program two = program_of(graph, target, {.optimization = level, .cores = 2});
      expect_sound(two);
      EXPECT_LE(time_on(target, two), time_on(target, one)) << seed << ", level " << level;
    }
}

TEST(OptionEffects, RandomGraphsAreSoundOnTwoCores) {
  const soc::Target target = part("SA8775P");
  uint32_t on_two = 0;  // the others are faster on one
  for (uint32_t seed = 100; seed < 150; ++seed)
    for (const uint64_t vtcm : {256 * kKiB, 4 * kMiB}) {
      const ir::Graph graph = random_graph(seed, seed % 2 != 0 ? kFloat16 : kUfixed8, 14);
      const program::ProgramSet one = prepared(graph, target);
      const program::ProgramSet two =
          prepared(graph, target, {.optimization = 1 + seed % 2, .vtcm_bytes = vtcm, .cores = 2});
      expect_sound(*two.programs[0]);
      EXPECT_EQ(run(two, exec::Mode::kTiled), run(one, exec::Mode::kWhole)) << seed;
      on_two += two.programs[0]->schedule.cores == 2 ? 1 : 0;
    }
  EXPECT_GT(on_two, 15U) << "too few of them are on two cores: the test shows little";
}

// feature: B9 (inside)
TEST(OptionEffects, MoreCoresThanThePartHasAreRefused) {
  const auto refused = prepare(compute_bound(), part("SM8650"), {.cores = 2}, Logger());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().to_string(),
      "error: 2 cores asked for, but SM8650 has 1 [prepare-cores] (leave num_cores out, or choose a part "
      "with several NPUs)");
}

// ---- What the others do ----

// feature: B9 (inside)
TEST(OptionEffects, HvxThreadsShareVectorWork) {
  GraphBuilder g(kUfixed8);
  g.output(g.softmax(g.input({1, 64, 64, 64})));
  const ir::Graph graph = g.build();
  EXPECT_EQ(program_of(graph).schedule.hvx_threads, 4U) << "the default";
  Cycles before{UINT64_MAX};
  for (const uint32_t threads : {1U, 2U, 4U}) {
    const Program program = program_of(graph, part(), {.hvx_threads = threads});
    EXPECT_EQ(program.schedule.hvx_threads, threads);
    EXPECT_LT(time_of(program), before);
    before = time_of(program);
  }
}

// feature: B9 (inside)
TEST(OptionEffects, VtcmComesInStepsOf64KiB) {
  const soc::Target target = part("SM8850");
  Options options{.optimization = 1, .vtcm_bytes = kMiB};
  const Program small = program_of(many_activations(), target, options);
  options.vtcm_bytes = kMiB + 64 * kKiB;
  const Program larger = program_of(many_activations(), target, options);
  options.vtcm_bytes = 0;
  const Program all = program_of(many_activations(), target, options);
  EXPECT_EQ(larger.schedule.vtcm_bytes, kMiB + 64 * kKiB);
  EXPECT_EQ(all.schedule.vtcm_bytes, target.vtcm.value);
  EXPECT_LT(ddr_bytes(all), ddr_bytes(small));
  EXPECT_LT(time_on(target, all), time_on(target, small));
}

// feature: B9 (inside)
TEST(OptionEffects, FoldReluOffLeavesTheOpsApart) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.conv(g.input({1, 64, 64, 32}), 64)));
  const ir::Graph graph = g.build();
  const Program folded = program_of(graph);
  const Program apart = program_of(graph, part(), {.fold_relu = false});
  EXPECT_EQ(folded.ops.size(), 1U);
  EXPECT_EQ(apart.ops.size(), 2U);
  EXPECT_GT(apart.schedule.tasks.size(), folded.schedule.tasks.size());
  EXPECT_GT(time_of(apart), time_of(folded));
}

// feature: B9 (inside)
TEST(OptionEffects, ShortDepthOffKeepsConvolutionsOffTheMatrixUnit) {
  GraphBuilder g(kUfixed8);
  const auto first = g.conv(g.input({1, 64, 64, 3}), 32);
  g.output(g.conv(first, 32));
  const ir::Graph graph = g.build();
  const Program on = program_of(graph);
  const Program off = program_of(graph, part(), {.short_depth_on_hmx = false});
  expect_sound(off);
  const auto units_of = [](const Program& program, uint32_t op) {
    std::set<soc::Unit> units;
    for (const Task& task : program.schedule.tasks)
      if (task.kind == TaskKind::kCompute && task.op == op) units.insert(task.unit);
    return units;
  };
  EXPECT_EQ(units_of(on, 0), std::set{soc::Unit::kHmx});
  EXPECT_EQ(units_of(off, 0), std::set{soc::Unit::kHvx});
  EXPECT_EQ(units_of(off, 1), std::set{soc::Unit::kHmx}) << "32 channels are not few";
  EXPECT_GT(time_of(off), time_of(on));
}

// feature: B9 (inside)
TEST(OptionEffects, PackedWeightsAreHalfAsManyBytesToFetch) {
  const ir::Graph graph = many_weights(7);
  const program::ProgramSet plain = prepared(graph);
  const program::ProgramSet packed = prepared(graph, part(), {.pack_weights = true});
  EXPECT_LT(packed.constants.size(), plain.constants.size());
  EXPECT_LT(ddr_bytes(*packed.programs[0]), ddr_bytes(*plain.programs[0]));
  EXPECT_LE(time_of(*packed.programs[0]), time_of(*plain.programs[0]));
}

// ---- Following a preparation ----

class Listener : public Follower {
 public:
  explicit Listener(uint64_t patience = UINT64_MAX) : patience_(patience) {}
  void stage_begins(Stage stage) override {
    EXPECT_FALSE(open_);
    open_ = true;
    begun.push_back(stage);
  }
  void stage_advances(Stage stage, uint64_t done, uint64_t total) override {
    EXPECT_EQ(stage, begun.back());
    EXPECT_LE(done, total);
    ++steps[static_cast<size_t>(stage)];
  }
  void stage_ends(Stage stage) override {
    EXPECT_EQ(stage, begun.back());
    open_ = false;
  }
  bool wants_to_stop() override { return questions++ >= patience_; }

  std::vector<Stage> begun;
  std::array<uint64_t, kStageCount> steps{};
  uint64_t questions = 0;

 private:
  uint64_t patience_;
  bool open_ = false;
};

TEST(Following, HearsOfAllStagesInTheirOrder) {
  for (const uint32_t level : {1U, 2U, 3U}) {
    Listener listener;
    ASSERT_TRUE(prepare(many_activations(), part(), {.optimization = level}, Logger(), &listener).ok());
    ASSERT_EQ(listener.begun.size(), kStageCount);
    for (size_t i = 0; i < kStageCount; ++i) EXPECT_EQ(listener.begun[i], static_cast<Stage>(i));
    EXPECT_GT(listener.steps[static_cast<size_t>(Stage::kSequencing)], 0U);
    EXPECT_GT(listener.steps[static_cast<size_t>(Stage::kVtcmAllocation)], 0U);
    EXPECT_EQ(listener.steps[static_cast<size_t>(Stage::kParallelization)] > 3, level == 3);
  }
}

TEST(Following, APreparationCanBeStoppedAtEveryQuestion) {
  Listener whole;
  const Options options{.optimization = 3};
  ASSERT_TRUE(prepare(many_activations(), part(), options, Logger(), &whole).ok());
  EXPECT_GT(whole.questions, 50U);
  for (uint64_t stop = 0; stop < whole.questions; stop += 7) {
    Listener listener(stop);
    const auto stopped = prepare(many_activations(), part(), options, Logger(), &listener);
    ASSERT_FALSE(stopped.ok()) << stop;
    EXPECT_EQ(stopped.error().code, kStopped);
    EXPECT_EQ(listener.questions, stop + 1) << "at once";
  }
}

TEST(Following, TheLogSumsUpWhatGoesToDdr) {
  const auto lines = std::make_shared<Lines>(LogLevel::kInfo);
  const auto set = prepare(many_activations(), part(), kCrowded, Logger(lines));
  ASSERT_TRUE(set.ok());
  const Program& program = *set->programs[0];
  const auto of = [&](TaskKind kind, bool spills_only) {
    return std::to_string(sum(program, [&](const Task& task) {
      return task.kind == kind && (!spills_only || is_spill_or_fill(program, task)) ? task.bytes : 0;
    }));
  };
  EXPECT_NE(of(TaskKind::kStore, true), "0");
  EXPECT_NE(lines->text.find("====== DDR bandwidth summary ======\nspill_bytes=" +
                             of(TaskKind::kStore, true) + "\nfill_bytes=" + of(TaskKind::kLoad, true) +
                             "\nwrite_total_bytes=" + of(TaskKind::kStore, false) +
                             "\nread_total_bytes=" + of(TaskKind::kLoad, false) + "\n"),
            std::string::npos)
      << lines->text;
}

}  // namespace
}  // namespace openqnn::prepare
