// SPDX-License-Identifier: BSD-3-Clause
// Models that nobody designed: every rule comes to an end on them, and says the same each time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/models.h"
#include "advise/render.h"
#include "prepare/graph_builder.h"

namespace openqnn::advise {
namespace {

class AdviceOnAnyModel : public testing::TestWithParam<ir::DataType> {};

std::string text_of(const std::vector<Finding>& findings) {
  Advice advice;
  advice.findings = findings;
  return advice_json(advice);
}

TEST_P(AdviceOnAnyModel, EndsAndIsTheSameEachTime) {
  constexpr uint32_t kModels = 40;
  constexpr size_t kOps = 12;
  for (uint32_t seed = 1; seed <= kModels; ++seed) {
    const ir::Graph graph = prepare::random_graph(seed, GetParam(), kOps);
    const Given given = given_of(graph);
    const std::vector<Finding> found = advise(given);
    EXPECT_EQ(text_of(found), text_of(advise(given))) << seed;
    for (const Finding& one : found) {
      EXPECT_FALSE(one.message.empty() || one.advice.empty() || one.source.empty()) << one.id;
      EXPECT_LE(one.ops.size(), kMostOps);
      for (const Effect& effect : one.effects) EXPECT_GT(effect.after_us, 0) << one.id;
    }
    // The same Program as if it came from a file: no graph to change.
    Given stored = given;
    stored.graph = nullptr;
    for (const Finding& one : advise(stored)) EXPECT_TRUE(one.effects.empty()) << one.id;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryType, AdviceOnAnyModel,
                         testing::Values(prepare::kFloat32, prepare::kUfixed8));

}  // namespace
}  // namespace openqnn::advise
