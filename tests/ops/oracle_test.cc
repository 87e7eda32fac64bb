// SPDX-License-Identifier: BSD-3-Clause
// Every op against the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/half.h"
#include "ops/exp.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kRandomProblems = 60;

TEST(Oracle, EveryOpHasOneAndEveryTypeIsTried) {
  for (const OpDef* op : all_ops()) {
    const oracle::Oracle* oracle = oracle::find(std::string(op->type));
    ASSERT_NE(oracle, nullptr) << op->type << " has no file in tests/oracle";
    EXPECT_GE(oracle->problems.size(), 5U) << op->type;
    for (const char* type : {"f16", "ufx8"}) {
      bool tried = false;
      for (const std::string& variant : oracle->variants) tried |= variant.rfind(type, 0) == 0;
      EXPECT_TRUE(tried) << op->type << " is never tried with " << type;
    }
  }
  EXPECT_EQ(oracle::all().size(), all_ops().size());
}

// Distance between neighbouring halves around a value.
double half_step(double value) {
  const int exponent = value == 0.0 ? -14 : std::max(-14, std::ilogb(value));
  return std::ldexp(1.0, exponent - 10);
}

// Half a step for the rounding at the end; for sums also what float additions may lose on the way.
double half_tolerance(const OpCase& c, size_t i) {
  const auto& sum_length = oracle::find(c.problem.op)->sum_length;
  const double steps = 0.5 * half_step(c.expected.values[i]) * 1.0001;
  if (!sum_length) return steps;
  return steps + static_cast<double>(sum_length(c.problem) + 2) * std::ldexp(c.magnitude.values[i], -24);
}

void expect_close_half(const OpCase& c, const Bytes& got) {
  for (size_t i = 0; i < c.expected.values.size(); ++i) {
    Half half;
    std::memcpy(&half.bits, &got[i * 2], 2);
    const double value = to_float(half);
    if (std::isinf(c.expected.values[i])) {
      ASSERT_EQ(value, c.expected.values[i]) << "element " << i;
      continue;
    }
    ASSERT_NEAR(value, c.expected.values[i], half_tolerance(c, i)) << "element " << i;
  }
}

// Returns how many elements differ from the oracle's own rounding; none by more than one step.
size_t expect_close_fixed(const OpCase& c, const Bytes& got) {
  const ir::ScaleOffset& encoding = c.output.quantization.encodings[0];
  size_t different = 0;
  for (size_t i = 0; i < c.expected.values.size(); ++i) {
    const double steps = c.expected.values[i] / encoding.scale - encoding.offset;
    const double stored = std::isnan(steps) ? 0.0 : std::min(255.0, std::max(0.0, std::nearbyint(steps)));
    const double difference = std::fabs(static_cast<double>(static_cast<uint8_t>(got[i])) - stored);
    EXPECT_LE(difference, 1.0) << "element " << i << " is " << static_cast<int>(got[i]) << ", not " << stored;
    if (difference > 1.0) return different;
    if (difference != 0.0) ++different;
  }
  return different;
}

TEST(Oracle, AgreesWithTheReferenceKernels) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    size_t elements = 0;
    size_t different = 0;
    for (const oracle::Problem& problem : oracle::problems(oracle, kRandomProblems)) {
      SCOPED_TRACE(problem.line);
      const OpCase c(problem);
      const Status status = validate(c.op->type, c.call());
      ASSERT_TRUE(status) << status.error().to_string();
      const Bytes got = c.run();
      if (c.is_half()) {
        expect_close_half(c, got);
      } else {
        elements += got.size();
        different += expect_close_fixed(c, got);
      }
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(elements, 1000U) << oracle.op;
    EXPECT_LE(different * 1000, elements)
        << oracle.op << ": " << different << " of " << elements << " differ";
  }
}

// v75 and later add up even and odd products apart: another result, as good as the first.
TEST(Oracle, EvenAndOddSumsDifferAndAreAsGood) {
  size_t different = 0;
  for (const char* line :
       {"Conv2d in=1x12x12x33:f16 in=3x3x33x32:f16 in=32:f16 stride=1,1 pad_amount=1,1,1,1",
        "MatMul in=64x301:f16 in=301x64:f16:static"}) {
    SCOPED_TRACE(line);
    OpCase c{std::string(line)};
    const Bytes sequential = c.run();
    c.half_accumulation = soc::HalfAccumulation::kEvenOdd;
    const Bytes even_odd = c.run();
    expect_close_half(c, even_odd);
    EXPECT_EQ(even_odd, c.stored().run());
    if (sequential != even_odd) ++different;
  }
  EXPECT_EQ(different, 2U);
}

TEST(Numbers, HalfOverflowsToInfinity) {
  OpCase c{std::string("MatMul in=1x64:f16 in=64x1:f16")};
  const Half large = to_half(60000.0F);
  for (Bytes& bytes : c.data)
    for (size_t i = 0; i < bytes.size(); i += 2) std::memcpy(&bytes[i], &large.bits, 2);
  Half result;
  std::memcpy(&result.bits, c.run().data(), 2);
  EXPECT_EQ(result.bits, 0x7C00);
}

TEST(Numbers, ExponentialIsExactToTheLastPlaces) {
  for (int i = -1900; i < 1900; ++i) {
    const double x = i * 0.37;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1.0, 1e-15) << x;
  }
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-800.0), 0.0);
  EXPECT_EQ(portable_exp(-INFINITY), 0.0);
  EXPECT_EQ(portable_exp(800.0), INFINITY);
  EXPECT_TRUE(std::isnan(portable_exp(NAN)));
}

}  // namespace
}  // namespace openqnn::ops
