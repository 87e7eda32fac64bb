// SPDX-License-Identifier: BSD-3-Clause
// The whole path: options, determinism, cost of preparing, and several graphs as one.
#include <gmock/gmock.h>

#include <functional>

#include "base/text.h"
#include "prepare/passes.h"
#include "program/constant_pool.h"
#include "program/context_binary.h"
#include "program/verify.h"
#include "support/cpu_time.h"

namespace openqnn::prepare {
namespace {

using T = GraphBuilder::T;

Diagnostic refusal(const ir::Graph& graph, const soc::Target& target, const Options& options) {
  const auto set = prepare(graph, target, options, Logger());
  if (!set) return set.error();
  ADD_FAILURE() << "was prepared";
  return {};
}

class Lines : public LogSink {
 public:
  Lines() : LogSink(LogLevel::kWarning) {}
  void write(LogLevel, std::string_view line) override { text += concat(line, "\n"); }
  std::string text;
};

// Sizes are those of the default part; what it lacks is told, and refused only where somebody named it.
TEST(Prepare, TellsWhenThePartThatNobodyNamedCouldNotRunTheGraph) {
  const auto lines = std::make_shared<Lines>();
  const soc::Target nobody_named = *soc::default_target();
  GraphBuilder floats(ir::DataType::kFloat32);
  floats.output(floats.relu(floats.input({1, 8, 8, 8})));
  EXPECT_TRUE(prepare(floats.build(), nobody_named, {}, Logger(lines)));
  EXPECT_THAT(lines->text, testing::HasSubstr("no SoC is named"));
  EXPECT_THAT(lines->text, testing::HasSubstr("SM8350 (v68) has no half precision"));
  EXPECT_FALSE(prepare(floats.build(), part("SM8350"), {}, Logger()));

  lines->text.clear();
  GraphBuilder bytes(ir::DataType::kUfixed8);
  bytes.output(bytes.relu(bytes.input({1, 8, 8, 8})));
  EXPECT_TRUE(prepare(bytes.build(), nobody_named, {}, Logger(lines)));
  EXPECT_EQ(lines->text, "");
}

TEST(PrepareOptions, ALevelOtherThan1To3IsRefused) {
  for (const uint32_t level : {0U, 4U, 100U}) {
    const Diagnostic error = refusal(chain(1), part(), {.optimization = level});
    EXPECT_EQ(error.code, "prepare-optimization");
    EXPECT_EQ(error.failure, Failure::kInvalid);
    EXPECT_NE(error.message.find(std::to_string(level)), std::string::npos) << error.message;
  }
}

TEST(PrepareOptions, MoreVtcmThanThePartHasIsRefused) {
  const Diagnostic error = refusal(chain(1), part("SM8650"), {.vtcm_bytes = 8 * kMiB + 1});
  EXPECT_EQ(error.code, "prepare-vtcm");
  EXPECT_NE(error.message.find("SM8650 has 8388608"), std::string::npos) << error.message;
  EXPECT_FALSE(error.fix.empty());
  EXPECT_TRUE(prepare(chain(1), part("SM8650"), {.vtcm_bytes = 8 * kMiB}, Logger()));
}

TEST(PrepareOptions, MoreHvxThreadsThanThePartHasAreRefused) {
  const soc::Target target = part();
  const Diagnostic error = refusal(chain(1), target, {.hvx_threads = target.hvx_contexts + 1});
  EXPECT_EQ(error.code, "prepare-hvx");
  EXPECT_NE(error.message.find(target.soc), std::string::npos) << error.message;
  EXPECT_TRUE(prepare(chain(1), target, {.hvx_threads = target.hvx_contexts}, Logger()));
}

TEST(Prepare, AnIncompleteGraphIsRefused) {
  EXPECT_EQ(refusal(ir::Graph("empty"), part(), {}).code, ir::Graph("empty").check_complete().error().code);
}

TEST(Prepare, VtcmTooSmallForAnyWindowIsRefusedAsExhausted) {
  EXPECT_EQ(refusal(chain(1), part_with_vtcm(128), {}).failure, Failure::kExhausted);
}

// Each of the six ops, alone, in every type and at every level.
TEST(Prepare, EveryOpIsPreparedInEveryTypeAtEveryLevel) {
  using Build = std::function<T(GraphBuilder&, T)>;
  const std::pair<const char*, Build> ops[] = {
      {"Conv2d", [](GraphBuilder& g, T x) { return g.conv(x, 24); }},
      {"Relu", [](GraphBuilder& g, T x) { return g.relu(x); }},
      {"ElementWiseAdd", [](GraphBuilder& g, T x) { return g.add(x, g.constant({16})); }},
      {"PoolMax2d", [](GraphBuilder& g, T x) { return g.pool(x); }},
      {"MatMul", [](GraphBuilder& g, T x) { return g.matmul(x, 24); }},
      {"Softmax", [](GraphBuilder& g, T x) { return g.softmax(x); }},
  };
  for (const auto& [name, build] : ops)
    for (const ir::DataType type : {kFloat32, kFloat16, kUfixed8})
      for (const uint32_t level : {1, 2, 3}) {
        SCOPED_TRACE(testing::Message() << name << " O" << level);
        GraphBuilder g(type);
        g.output(build(g, g.input({1, 12, 12, 16})));
        const program::Program program = program_of(g.build(), part(), {.optimization = level});
        EXPECT_EQ(op_types(program), std::vector<std::string>{name});
      }
}

TEST(Prepare, WhatItMakesPassesTheVerifierOfFiles) {
  for (uint32_t seed = 100; seed < 130; ++seed) {
    SCOPED_TRACE(seed);
    const program::ProgramSet set = prepared(random_graph(seed, seed % 2 ? kUfixed8 : kFloat32, 8));
    const Status ops = program::verify_ops(*set.programs[0], set.constants.size());
    EXPECT_TRUE(ops) << ops.error().to_string();
    const Status schedule = program::verify_schedule(*set.programs[0]);
    EXPECT_TRUE(schedule) << schedule.error().to_string();
  }
}

TEST(Prepare, TheSameGraphGivesTheSameBytes) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const auto bytes = [seed] {
      return program::write_context_binary(prepared(random_graph(seed, kUfixed8, 10)));
    };
    EXPECT_EQ(bytes(), bytes()) << seed;
  }
}

// A tile deep inside reads more rows than those at the border, whose windows reach into the padding. What the
// tiler takes for the largest tile must not be one of those.
TEST(Prepare, WindowsThatReachFarIntoThePaddingStillFit) {
  GraphBuilder g(kUfixed8);
  g.output(g.pool(g.input({1, 128, 8, 32}), {.filter = 64, .stride = 1, .pad = 63}));
  for (const uint64_t kib : {24, 16, 12}) {
    const auto set = prepare(g.build(), part_with_vtcm(kib * kKiB), {}, Logger());
    EXPECT_TRUE(set) << kib << " KiB: " << set.error().to_string();
  }
}

// A tile of padding alone depends on no input at all.
TEST(Prepare, ATileOfPaddingAloneIsPrepared) {
  GraphBuilder g(kUfixed8);
  g.output(g.conv(g.input({1, 4, 32, 32}), 32, {.filter = 1, .pad = 9}));
  const auto set = prepare(g.build(), part_with_vtcm(24 * kKiB), {}, Logger());
  EXPECT_TRUE(set) << set.error().to_string();
}

// ---- Cost of preparing ----

auto preparing_chain(size_t ops, uint64_t vtcm) {
  return [graph = chain(ops, {1, 16, 16, 32}), target = part_with_vtcm(vtcm)] { prepared(graph, target); };
}

TEST(PrepareCost, GrowsNearlyLinearlyWithTheNumberOfOps) {
  for (const uint64_t vtcm : {8 * kMiB, 16 * kKiB})  // all in VTCM, and everything spilled
    for (const size_t factor : {10, 100}) {
      const double bar = 4.0 * static_cast<double>(factor);
      EXPECT_LT(test::growth(bar, preparing_chain(50, vtcm), preparing_chain(50 * factor, vtcm)), bar)
          << vtcm;
    }
}

auto preparing_join(const std::string& type, size_t inputs) {
  GraphBuilder g(kUfixed8);
  std::vector<T> pieces;
  for (size_t i = 0; i < inputs; ++i) pieces.push_back(g.input({2, 8}));
  g.output(g.join(type, pieces, 0));
  return [graph = g.build(), target = part_with_vtcm(256 * kKiB)] { prepared(graph, target); };
}

// Tiles of one op that need few of its inputs.
TEST(PrepareCost, GrowsNearlyLinearlyWithTheNumberOfInputs) {
  constexpr double kBar = 100 * 1.5;
  for (const char* type : {"Concat", "Pack"})
    EXPECT_LT(test::growth(kBar, preparing_join(type, 100), preparing_join(type, 10'000)), kBar) << type;
}

// Three ops over a tensor of `tiles` x 8 rows, one tile for each 8 rows. The middle one has halos, and
// weights that every tile reads.
auto sequencing(uint32_t tiles, uint64_t vtcm) {
  GraphBuilder g(kUfixed8);
  const T x = g.relu(g.input({1, 8 * tiles, 8, 32}));
  g.output(g.relu(g.conv(x, 32, {.filter = 15, .pad = 7})));
  Draft draft = legalise(g.build(), part_with_vtcm(vtcm), {});
  lay_out(draft);
  plan_arena(draft.program);
  Tiling tiling(draft.program.ops.size());
  for (std::vector<ir::Box>& boxes : tiling)
    for (uint32_t i = 0; i < tiles; ++i) boxes.push_back({{0, 8 * i, 0, 0}, {1, 8 * i + 8, 8, 32}});
  return [draft = std::move(draft), tiling = std::move(tiling)] {
    program::Program program = draft.program;
    const Status sequenced = sequence(program, tiling);
    ASSERT_TRUE(sequenced) << sequenced.error().to_string();
    const Status sound = program::verify_schedule(program);
    ASSERT_TRUE(sound) << sound.error().to_string();
  };
}

TEST(PrepareCost, GrowsNearlyLinearlyWithTheNumberOfTiles) {
  constexpr double kBar = 10 * 4;
  for (const uint64_t vtcm : {256 * kMiB, kMiB, 16 * kKiB})  // all in VTCM, a part, and next to nothing
    EXPECT_LT(test::growth(kBar, sequencing(500, vtcm), sequencing(5000, vtcm)), kBar) << vtcm;
}

// ---- Several graphs as one ----

ir::Graph adding(const std::string& name, uint32_t seed, uint32_t width) {
  GraphBuilder g(kUfixed8, name, seed);
  g.output(g.add(g.input({4, width}), g.constant({width})));
  return g.build();
}

std::vector<std::byte> constant_of(const program::ProgramSet& set, size_t index) {
  const program::Program& program = *set.programs[index];
  const program::Tensor& tensor = program.tensors[program.ops[0].inputs[1]];
  const std::byte* bytes = set.constants.data() + tensor.offset;
  return {bytes, bytes + tensor.bytes};
}

TEST(Merge, OffsetsCountFromTheCommonConstants) {
  const program::ProgramSet sets[] = {prepared(adding("a", 1, 100)), prepared(adding("b", 2, 200))};
  const program::ProgramSet merged = program::merge(sets, program::WeightSharing::kAsItIs);
  ASSERT_EQ(merged.programs.size(), 2U);
  EXPECT_EQ(merged.programs[0]->graph, "a");
  EXPECT_EQ(merged.programs[1]->graph, "b");
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(constant_of(merged, i), constant_of(sets[i], 0));
    const Status status = program::verify_ops(*merged.programs[i], merged.constants.size());
    EXPECT_TRUE(status) << status.error().to_string();
  }
  EXPECT_EQ(merged.constants.size(), 128U + 200);
}

TEST(Merge, EqualConstantsOfTwoGraphsAreStoredOnce) {
  const program::ProgramSet sets[] = {prepared(adding("a", 1, 100)), prepared(adding("b", 1, 100))};
  const program::ProgramSet merged = program::merge(sets, program::WeightSharing::kEqual);
  EXPECT_EQ(merged.constants.size(), 100U);
  EXPECT_EQ(constant_of(merged, 0), constant_of(merged, 1));
  // What is shared stays shared, whatever the next binary is asked for.
  const program::ProgramSet again = program::merge(std::span(&merged, 1), program::WeightSharing::kAsItIs);
  EXPECT_EQ(again.constants.size(), 100U);
}

TEST(Merge, EqualConstantsAreStoredTwiceUnlessSharingIsAskedFor) {
  const program::ProgramSet sets[] = {prepared(adding("a", 1, 100)), prepared(adding("b", 1, 100))};
  const program::ProgramSet merged = program::merge(sets, program::WeightSharing::kAsItIs);
  EXPECT_EQ(merged.constants.size(), 128U + 100);
  EXPECT_EQ(constant_of(merged, 0), constant_of(merged, 1));
}

TEST(Merge, OutlivesTheSetsItCameFrom) {
  program::ProgramSet merged;
  std::vector<std::byte> expected;
  {
    std::vector<program::ProgramSet> sets = {prepared(adding("a", 1, 100))};
    expected = constant_of(sets[0], 0);
    merged = program::merge(sets, program::WeightSharing::kAsItIs);
  }
  EXPECT_EQ(constant_of(merged, 0), expected);
}

}  // namespace
}  // namespace openqnn::prepare
