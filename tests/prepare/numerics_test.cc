// SPDX-License-Identifier: BSD-3-Clause
// The contract of design 2, "Numbers": results are bit-equal for every tiling, O level and thread count.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "prepare/run_program.h"

namespace openqnn::prepare {
namespace {

using exec::Mode;

// Small enough for the reference kernels of a debug build, large enough for several tiles.
ir::Graph numeric_graph(uint32_t seed) { return random_graph(seed, seed % 2 ? kUfixed8 : kFloat32, 6); }

TEST(Numerics, TiledIsBitEqualToWholeForEveryVtcmSize) {
  size_t compared = 0;
  size_t most_tasks = 0;
  for (uint32_t seed = 200; seed < 208; ++seed) {
    const ir::Graph graph = numeric_graph(seed);
    const auto whole = run(prepared(graph), Mode::kWhole);
    for (const uint64_t kib : {48, 128, 1024}) {
      const auto set = prepare(graph, part_with_vtcm(kib * kKiB), {}, Logger());
      if (!set) {
        ASSERT_EQ(set.error().failure, Failure::kExhausted) << set.error().to_string();
        continue;
      }
      ASSERT_EQ(run(*set, Mode::kTiled), whole) << "seed " << seed << ", " << kib << " KiB";
      most_tasks = std::max(most_tasks, set->programs[0]->schedule.tasks.size());
      ++compared;
    }
  }
  EXPECT_GT(compared, 12U);
  EXPECT_GT(most_tasks, 100U) << "the tiles are too few to show anything";
}

TEST(Numerics, EveryOptimizationLevelGivesTheSameBits) {
  for (uint32_t seed = 300; seed < 308; ++seed) {
    const ir::Graph graph = numeric_graph(seed);
    const auto plain = run(prepared(graph, part(), {.optimization = 1}), Mode::kWhole);
    for (const uint32_t level : {2, 3})
      ASSERT_EQ(run(prepared(graph, part(), {.optimization = level}), Mode::kWhole), plain)
          << "seed " << seed << ", O" << level;
  }
}

// The tensor in between is gone, but not its rounding.
TEST(Numerics, AFunctionTimesItsInputGivesTheBitsOfBothOps) {
  for (const ir::DataType type : {kUfixed8, ir::DataType::kUfixed16, kFloat32})
    for (const char* function : {"Sigmoid", "Tanh", "HardSwish"}) {
      GraphBuilder g(type);
      const auto x = g.input({1, 16, 64, 40});
      const auto gate = g.unary(function, x);
      if (type == kUfixed8) g.tensor(gate).desc.quantization = ir::Quantization::per_tensor(0.031F, -97);
      g.output(g.multiply(gate, x));
      const ir::Graph graph = g.build();
      const program::ProgramSet set = prepared(graph);
      ASSERT_EQ(set.programs[0]->ops.size(), 1U) << function;
      const auto apart = run(prepared(graph, part(), {.optimization = 1}), Mode::kWhole);
      EXPECT_EQ(run(set, Mode::kWhole), apart) << function;
      EXPECT_EQ(run(set, Mode::kTiled), apart) << function;
    }
}

// A relu folded into a convolution whose own encoding is coarse: that rounding is gone.
// feature: B6 (inside)
TEST(Numerics, AFoldedReluRoundsOnce) {
  GraphBuilder g(kUfixed8);
  const auto between = g.conv(g.input({1, 16, 16, 32}), 32);
  g.tensor(between).desc.quantization = ir::Quantization::per_tensor(0.9F, -128);
  g.output(g.relu(between));
  const ir::Graph graph = g.build();
  const program::ProgramSet folded = prepared(graph);
  ASSERT_EQ(folded.programs[0]->ops.size(), 1U);
  const auto apart = run(prepared(graph, part(), {.fold_relu = false}), Mode::kWhole);
  EXPECT_NE(run(folded, Mode::kWhole), apart);

  GraphBuilder half(kFloat32);
  half.output(half.relu(half.conv(half.input({1, 16, 16, 32}), 32)));
  const ir::Graph float_graph = half.build();
  EXPECT_EQ(run(prepared(float_graph), Mode::kWhole),
            run(prepared(float_graph, part(), {.fold_relu = false}), Mode::kWhole));
}

// feature: B6 (inside)
TEST(Numerics, ShortDepthsWithAsymmetricWeightsAreLessExactUnlessSwitchedOff) {
  const auto graph_of = [](uint32_t depth) {
    GraphBuilder g(kUfixed8);
    g.output(g.conv(g.input({1, 16, 16, depth}), 32));
    return g.build();
  };
  const Options off{.short_depth_on_hmx = false};
  EXPECT_NE(run(prepared(graph_of(3)), Mode::kWhole), run(prepared(graph_of(3), part(), off), Mode::kWhole));
  EXPECT_EQ(run(prepared(graph_of(5)), Mode::kWhole), run(prepared(graph_of(5), part(), off), Mode::kWhole));
}

// A bias in steps of the accumulator keeps its numbers, however many encodings say so.
TEST(Numerics, ShortDepthsKeepABiasInSteps) {
  const auto outputs = [](const ir::Quantization& encoding) {
    GraphBuilder g(kUfixed8);
    const auto bias = g.bias(32);
    g.tensor(bias).desc.quantization = encoding;
    g.output(g.conv(g.input({1, 16, 16, 3}), g.weights({3, 3, 3, 32}), bias));
    return run(prepared(g.build()), Mode::kWhole);
  };
  const auto one = outputs(ir::Quantization::per_tensor(0.0F, 0));
  EXPECT_EQ(outputs(ir::Quantization::per_axis(0, std::vector<ir::ScaleOffset>(32, {0.0F, 0}))), one);
}

// Other weights would change what a bias means that somebody computes in steps of the accumulator.
TEST(Numerics, ShortDepthsWithAComputedBiasStayAsTheyAre) {
  GraphBuilder g(kUfixed8);
  const auto bias = g.bias(32);
  g.tensor(bias).role = ir::TensorRole::kInput;
  g.tensor(bias).desc.is_static = false;
  g.tensor(bias).data = nullptr;
  g.output(g.conv(g.input({1, 16, 16, 3}), g.weights({3, 3, 3, 32}), bias));
  const program::ProgramSet set = prepared(g.build());
  const auto& tensors = set.programs[0]->tensors;
  EXPECT_EQ(std::ranges::count(tensors, ir::TensorRole::kInput, &program::Tensor::role), 2)
      << "no input is made that no client knows of";
}

// feature: B6 (inside)
TEST(Numerics, HighPrecisionSigmoidIsAnOption) {
  GraphBuilder g(kFloat32);
  g.output(g.unary("Sigmoid", g.input({1, 16, 16, 32})));
  const ir::Graph graph = g.build();
  const auto fast = run(prepared(graph), Mode::kWhole);
  EXPECT_NE(run(prepared(graph, part(), {.high_precision_sigmoid = true}), Mode::kWhole), fast);

  GraphBuilder c(kFloat32);  // the same inside a convolution
  c.output(c.unary("Sigmoid", c.conv(c.input({1, 16, 16, 32}), 32)));
  const ir::Graph fused = c.build();
  EXPECT_NE(run(prepared(fused, part(), {.high_precision_sigmoid = true}), Mode::kWhole),
            run(prepared(fused), Mode::kWhole));

  GraphBuilder q(kUfixed8);
  q.output(q.unary("Sigmoid", q.input({1, 16, 16, 32})));
  const ir::Graph quantized = q.build();
  EXPECT_EQ(run(prepared(quantized, part(), {.high_precision_sigmoid = true}), Mode::kWhole),
            run(prepared(quantized), Mode::kWhole));
}

uint64_t digest_of_runs() {
  uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (uint32_t seed = 400; seed < 404; ++seed)
    for (const auto& [name, bytes] : run(prepared(numeric_graph(seed)), Mode::kWhole))
      for (const std::byte byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 1099511628211ULL;
  return hash;
}

// Not a test by itself: the child process of the next one. The pool has one size for the life of a process.
TEST(Numerics, DISABLED_PrintDigest) {
  std::printf("threads %zu digest %016llx\n", ThreadPool::shared().threads(),
              static_cast<unsigned long long>(digest_of_runs()));
}

std::string digest_with_threads(int threads) {
  const std::string command =
      "unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX; OPENQNN_THREADS=" + std::to_string(threads) + " /proc/" +
      std::to_string(getpid()) +
      "/exe --gtest_also_run_disabled_tests --gtest_filter=Numerics.DISABLED_PrintDigest";
  FILE* child = popen(command.c_str(), "r");
  if (!child) return "no child";
  std::string digest = "no digest";
  char line[256];
  while (std::fgets(line, sizeof line, child)) {
    size_t count = 0;
    char text[32];
    if (std::sscanf(line, "threads %zu digest %31s", &count, text) != 2) continue;
    EXPECT_EQ(count, static_cast<size_t>(threads));
    digest = text;
  }
  EXPECT_EQ(pclose(child), 0);
  return digest;
}

TEST(Numerics, OneThreadAndFourGiveTheSameBits) {
  const std::string one = digest_with_threads(1);
  EXPECT_EQ(one.size(), 16U) << one;
  EXPECT_EQ(digest_with_threads(4), one);
}

}  // namespace
}  // namespace openqnn::prepare
