// SPDX-License-Identifier: BSD-3-Clause
// Sums of products in half precision.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/half.h"
#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

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
    for (size_t i = 0; i < c.expected[0].values.size(); ++i)
      ASSERT_NEAR(half_at(even_odd, i), c.expected[0].values[i], 0.002 * c.magnitude[0].values[i]);
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

}  // namespace
}  // namespace openqnn::ops
