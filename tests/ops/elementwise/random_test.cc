// SPDX-License-Identifier: BSD-3-Clause
// What random values promise beyond the oracle: their distribution, and how seeds and names tell them apart.
#include <cmath>

#include "ops/elementwise/exact.h"

namespace openqnn::ops {
namespace {

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
  double low = INFINITY;
  double high = -INFINITY;
};

Moments moments_of(const std::vector<double>& values) {
  Moments result;
  double squares = 0.0;
  for (const double value : values) {
    result.mean += value;
    squares += value * value;
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  const auto n = static_cast<double>(values.size());
  result.mean /= n;
  result.deviation = std::sqrt(squares / n - result.mean * result.mean);
  return result;
}

Bytes seeded(double seed) {
  return run_on("RandomUniformLike in=1:u32 in=1:f16 out=f16 dims=64",
                {bytes_of(std::vector<uint32_t>{64}), halves({seed})});
}

TEST(RandomValues, UniformOnesFillTheirRange) {
  const OpCase c("RandomUniformLike in=1:u32 in=1:f16 out=f16 dims=20000 low=-1 high=3");
  const Moments moments = moments_of(reals(c.run()));
  EXPECT_NEAR(moments.mean, 1.0, 0.05);
  EXPECT_NEAR(moments.deviation, 4.0 / std::sqrt(12.0), 0.05);
  EXPECT_GE(moments.low, -1.0);
  EXPECT_LT(moments.low, -0.99);
  EXPECT_LE(moments.high, 3.0);
  EXPECT_GT(moments.high, 2.99);
}

TEST(RandomValues, NormalOnesHaveTheirMeanAndDeviation) {
  const OpCase c("RandomNormalLike in=1:u32 in=1:f16 out=f16 dims=20000 mean=2 scale=0.5");
  const std::vector<double> values = reals(c.run());
  const Moments moments = moments_of(values);
  EXPECT_NEAR(moments.mean, 2.0, 0.02);
  EXPECT_NEAR(moments.deviation, 0.5, 0.02);
  size_t inside = 0;
  for (const double value : values) inside += std::fabs(value - 2.0) < 0.5 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(inside) / 20000.0, 0.6827, 0.02);
}

TEST(RandomValues, SeedsAndNamesTellThemApart) {
  EXPECT_EQ(seeded(3.0), seeded(3.0));
  EXPECT_NE(seeded(3.0), seeded(4.0));
  const OpCase c("RandomUniformLike in=1:u32 out=f16 dims=64");
  OpCall call = c.call();
  const std::byte* input = c.data[0].data();
  const auto named = [&](std::string_view name) {
    Bytes out(c.output_bytes());
    std::byte* output = out.data();
    call.node = name;
    c.op->kernels.back().run({call, {&input, 1}, {&output, 1}}, c.whole());
    return out;
  };
  EXPECT_EQ(named("a"), named("a"));
  EXPECT_NE(named("a"), named("b"));
}

}  // namespace
}  // namespace openqnn::ops
