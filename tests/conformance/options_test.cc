// SPDX-License-Identifier: BSD-3-Clause
// Options change how a graph runs, never what it computes.
#include <gmock/gmock.h>

#include "HTP/QnnHtpProfile.h"
#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

struct Outcome {
  Buffers outputs;
  uint64_t cycles;  // simulated

  bool operator==(const Outcome&) const = default;
};

Outcome run(const Session& session, const Sample& sample, GraphOptions options = {}) {
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, sample.model, options.list());
  const Owned profile = session.profile();
  Buffers outputs = graph.run(sample.inputs, profile);
  const auto events = events_of(session.api, profile);
  return {std::move(outputs), only(events, QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE).value};
}

// The samples, and two that are too large for one tile in 1 MB of VTCM.
std::vector<Sample> samples(Kind kind) {
  std::vector<Sample> all = all_samples(kind);
  all.push_back(add_chain(kind, 700, 2));
  all.push_back(conv_relu_pool(kind, 64, 4, 32));
  return all;
}

class OptionsTest : public ::testing::TestWithParam<Kind> {};

// feature: B2 (C API)
TEST_P(OptionsTest, TiledExecutionIsBitEqual) {
  for (const Sample& sample : samples(GetParam())) {
    Buffers whole;
    {
      const ScopedEnvironment plain("OPENQNN_EXEC", "");
      whole = run(Session(), sample).outputs;
    }
    const ScopedEnvironment tiled("OPENQNN_EXEC", "tiled");
    EXPECT_EQ(run(Session(), sample).outputs, whole) << sample.model.name;
  }
}

// feature: B2 (C API)
TEST_P(OptionsTest, TiledExecutionInLittleVtcmIsBitEqual) {
  const Sample sample = add_chain(GetParam(), 700, 2);
  const Buffers whole = run(Session(), sample).outputs;
  const ScopedEnvironment tiled("OPENQNN_EXEC", "tiled");
  GraphOptions options;
  options.vtcm_mb(1);
  EXPECT_EQ(run(Session(), sample, options).outputs, whole);
}

// feature: B2 (C API)
TEST_P(OptionsTest, LittleVtcmIsBitEqual) {
  const Session session;
  for (const Sample& sample : samples(GetParam())) {
    GraphOptions options;
    options.vtcm_mb(1);
    EXPECT_EQ(run(session, sample, options).outputs, run(session, sample).outputs) << sample.model.name;
  }
}

// feature: B2 (C API)
TEST_P(OptionsTest, OptimizationLevelsAreBitEqual) {
  const Session session;
  for (const Sample& sample : all_samples(GetParam())) {
    const Buffers expected = run(session, sample).outputs;
    for (const float level : {1.0F, 2.0F, 3.0F}) {
      GraphOptions options;
      options.optimization(level);
      EXPECT_EQ(run(session, sample, options).outputs, expected) << sample.model.name << " O" << level;
    }
  }
}

TEST(Options, EnvironmentWithoutEffectIsSaid) {
  for (const char* name : {"OPENQNN_EXEC", "OPENQNN_THREADS", "OPENQNN_ISA", "OPENQNN_DETERMINISTIC"}) {
    const ScopedEnvironment wrong(name, "perhaps");
    const Session session;
    const Owned context = session.context();
    take_log();
    Graph::built(session.api, context, conv_relu_pool(Kind::kFloat).model);
    const std::string log = take_log();
    EXPECT_THAT(log, testing::HasSubstr(name));
    EXPECT_THAT(log, testing::Not(testing::HasSubstr("error:")));
  }
}

// Folding takes the rounding between the two out; half is rounded to the same numbers either way.
// feature: B2, B6, B9 (C API)
TEST_P(OptionsTest, UnfoldedReluKeepsTheRequestedEncodings) {
  const Session session;
  const Sample sample = conv_relu_pool(GetParam());
  GraphOptions options;
  options.fold_relu_off();
  const Buffers folded = run(session, sample).outputs;
  const Buffers apart = run(session, sample, options).outputs;
  if (GetParam() == Kind::kFloat)
    EXPECT_EQ(apart, folded);
  else
    EXPECT_NE(apart, folded);
  const auto expected = expected_outputs(sample.model, sample.inputs);
  EXPECT_TRUE(agrees(sample.model, apart, expected));
}

// Three input channels and weights that are not symmetric: stored symmetric unless that is switched off.
// feature: B6, B9 (C API)
TEST(Options, ShortDepthConvolutionsCanBeKeptExact) {
  const Session session;
  Sample sample = conv_relu_pool(Kind::kQuantized);
  for (Tensor& tensor : sample.model.tensors)
    if (tensor.role == QNN_TENSOR_TYPE_STATIC && tensor.dims.size() == 4) tensor.encoding.offset = -90;
  const Buffers symmetric = run(session, sample).outputs;
  GraphOptions options;
  options.short_depth_conv_off();
  EXPECT_NE(run(session, sample, options).outputs, symmetric);
}

// feature: B2 (C API)
TEST_P(OptionsTest, ThreadsChangeCyclesAndNothingElse) {
  const Session session;
  const Sample sample = add_chain(GetParam(), 256, 8);
  GraphOptions one_thread;
  one_thread.hvx_threads(1);
  GraphOptions four_threads;
  four_threads.hvx_threads(4);
  const Outcome one = run(session, sample, one_thread);
  const Outcome four = run(session, sample, four_threads);
  EXPECT_EQ(one.outputs, four.outputs);
  EXPECT_GT(one.cycles, four.cycles);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OptionsTest, ::testing::Values(Kind::kFloat, Kind::kQuantized), kind_name);

// feature: B2 (C API)
TEST(Options, OptionsOfALiveGraphCanBeSetBeforeFinalize) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  Graph graph(session.api, context, sample.model);
  GraphOptions options;
  options.vtcm_mb(1).hvx_threads(2).optimization(3);
  check(session.api, session.api.graphSetConfig(graph.handle, options.list()), "graphSetConfig");
  graph.compose();
  check(session.api, graph.finalize(), "graphFinalize");
  EXPECT_EQ(graph.run(sample.inputs), run(session, sample).outputs);
}

}  // namespace
}  // namespace conformance
