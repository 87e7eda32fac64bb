// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/tcm_need.h"

#include <gmock/gmock.h>

#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

ir::Graph top_of(uint32_t candidates) {
  GraphBuilder g(kUfixed8);
  const auto [values, indices] = g.top_k(g.input({1, candidates}), 10);
  g.output(values);
  g.output(indices);
  return g.build();
}

ir::Graph sum_of_width(uint32_t width) {
  GraphBuilder g(kUfixed8);
  const auto x = g.input({1, 1, width, 32});
  g.output(g.add(x, g.unary("Sigmoid", x)));
  return g.build();
}

struct Prepared {
  Status status;
  std::string log;
};

Prepared in_two_megabytes(const ir::Graph& graph, bool named = true) {
  soc::Target target = part();
  target.assumed = !named;
  const auto lines = std::make_shared<Lines>();
  const auto set = prepare(graph, target, {.vtcm_bytes = 2 * kMiB}, Logger(lines));
  return {set ? Status() : Status(set.error()), lines->text};
}

// 256 bytes of values and as many of results for each candidate: 4096 fill two megabytes.
TEST(TcmNeed, AnOpThatTakesAllAtOnceIsRefusedWithItsNeed) {
  EXPECT_TRUE(in_two_megabytes(top_of(4096)).status);
  const Prepared refused = in_two_megabytes(top_of(4097));
  ASSERT_FALSE(refused.status);
  EXPECT_EQ(refused.status.error().failure, Failure::kExhausted);
  EXPECT_THAT(refused.status.error().to_string(), HasSubstr("(TopK) needs 2097664 bytes of TCM at a time"));
  EXPECT_THAT(refused.status.error().to_string(), HasSubstr("grant more VTCM"));
}

TEST(TcmNeed, APartThatNobodyNamedRefusesNothing) {
  const Prepared prepared = in_two_megabytes(top_of(4097), false);
  EXPECT_TRUE(prepared.status);
  EXPECT_THAT(prepared.log, HasSubstr("1 op does not fit the 2097152 bytes of VTCM"));
}

// 256 bytes of each of three tensors for each column.
TEST(TcmNeed, OpsThatCanBeCutAreTold) {
  EXPECT_THAT(in_two_megabytes(sum_of_width(2728)).log, IsEmpty());
  const Prepared wide = in_two_megabytes(sum_of_width(2736));
  EXPECT_TRUE(wide.status);
  EXPECT_THAT(wide.log, HasSubstr("(ElementWiseAdd) needs 2101248 bytes of TCM at a time"));
}

// One function needs what it needs, whichever op asks for it.
TEST(TcmNeed, OpsOfFamiliesCountAsTheOnesThatAreOneOfThemAlone) {
  constexpr uint32_t kElu = 0;
  for (const bool alone : {true, false}) {
    GraphBuilder g(kUfixed8);
    const auto x = g.input({1, 1, 4104, 32});
    g.output(alone ? g.unary("Elu", x) : g.neuron(x, kElu));
    EXPECT_THAT(in_two_megabytes(g.build()).log, HasSubstr("needs 2101248 bytes of TCM at a time")) << alone;
  }
}

}  // namespace
}  // namespace openqnn::prepare
