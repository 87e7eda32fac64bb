// SPDX-License-Identifier: BSD-3-Clause
// Cast keeps stored numbers, Convert real ones.
#include <cmath>
#include <limits>

#include "ops/elementwise/exact.h"

namespace openqnn::ops {
namespace {

using Long = std::vector<int64_t>;
using Integers = std::vector<int32_t>;
using Unsigned = std::vector<uint32_t>;
using Stored = std::vector<uint8_t>;
using Signed = std::vector<int8_t>;

template <class To, class From>
std::vector<To> cast(const std::string& from, const std::string& to, const std::vector<From>& values) {
  const std::string line = "Cast in=" + std::to_string(values.size()) + ":" + from + " out=" + to;
  return values_of<To>(run_on(line, {bytes_of(values)}));
}

TEST(Cast, LongIntegersAreExact) {
  constexpr int64_t kOdd = (int64_t{1} << 53) + 1;  // no double
  EXPECT_EQ((cast<int64_t>("i64", "i64", Long{kOdd, -kOdd, INT64_MIN, INT64_MAX})),
            (Long{kOdd, -kOdd, INT64_MIN, INT64_MAX}));
  EXPECT_EQ((cast<int32_t>("i64", "i32", Long{kOdd, -3, INT32_MAX, (int64_t{1} << 32) + 7, INT64_MIN})),
            (Integers{1, -3, INT32_MAX, 7, 0}));
  EXPECT_EQ((cast<uint32_t>("i64", "u32", Long{kOdd, -1, UINT32_MAX})),
            (Unsigned{1, UINT32_MAX, UINT32_MAX}));
  EXPECT_EQ((cast<int64_t>("i32", "i64", Integers{INT32_MIN, -1, INT32_MAX})),
            (Long{INT32_MIN, -1, INT32_MAX}));
  EXPECT_EQ((cast<int64_t>("u32", "i64", Unsigned{0, UINT32_MAX})), (Long{0, UINT32_MAX}));
}

TEST(Cast, NarrowerIntegersKeepTheLowBits) {
  EXPECT_EQ((cast<uint8_t>("i32", "u8", Integers{255, 256, -1, 511})), (Stored{255, 0, 255, 255}));
  EXPECT_EQ((cast<int8_t>("i32", "sfx8", Integers{127, 128, 200, -129})), (Signed{127, -128, -56, 127}));
  EXPECT_EQ((cast<uint8_t>("sfx8", "u8", Signed{-1, -128, 5})), (Stored{255, 128, 5}));
}

TEST(Cast, EncodingsDoNotMatter) {
  const Bytes out = run_on("Cast in=2:ufx8 out=i32", {bytes_of(Stored{10, 200})},
                           [](OpCase& c) { encode(c.inputs[0], 0.1F, -100); });
  EXPECT_EQ(values_of<int32_t>(out), (Integers{10, 200}));
  const Bytes half = run_on("Cast in=2:ufx8 out=f16", {bytes_of(Stored{10, 200})},
                            [](OpCase& c) { c.inputs[0].quantization = {}; });
  EXPECT_EQ(reals(half), (std::vector<double>{10, 200}));
  const Bytes fixed = run_on("Cast in=2:f16 out=ufx8", {halves({3.9, 300})},
                             [](OpCase& c) { encode(c.outputs[0], 0.1F, -100); });
  EXPECT_EQ(values_of<uint8_t>(fixed), (Stored{3, 255}));
}

TEST(Cast, FloatsAreCutOffAndSaturate) {
  const Bytes in = halves({2.9, -2.9, 65504, INFINITY, -INFINITY, NAN});
  EXPECT_EQ(values_of<int32_t>(run_on("Cast in=6:f16 out=i32", {in})),
            (Integers{2, -2, 65504, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ(values_of<int64_t>(run_on("Cast in=6:f16 out=i64", {in})),
            (Long{2, -2, 65504, INT64_MAX, INT64_MIN, 0}));
  EXPECT_EQ(values_of<uint8_t>(run_on("Cast in=6:f16 out=u8", {in})), (Stored{2, 0, 255, 255, 0, 0}));
}

// Neither side's encoding counts: any will do, per channel too, and so will none.
TEST(Cast, NeedsNoEncodings) {
  for (const char* line : {"Cast in=3:ufx8 out=sfx8", "Cast in=3:i32 out=ufx16", "Cast in=3:f16 out=ufx8",
                           "Cast in=3:sfx16 out=i32"}) {
    OpCase c{std::string(line)};
    const Bytes before = c.run();
    for (std::vector<ir::TensorDesc>* side : {&c.inputs, &c.outputs})
      for (ir::TensorDesc& desc : *side) desc.quantization = {};
    EXPECT_TRUE(validate("Cast", c.call())) << line;
    EXPECT_TRUE(validate_prepared(*c.op, c.call())) << line;
    EXPECT_EQ(c.run(), before) << line;
  }
  OpCase per_axis{std::string("Cast in=2x2:i32 out=sfx8")};
  per_axis.outputs[0].quantization.kind = ir::Quantization::Kind::kPerAxis;
  per_axis.outputs[0].quantization.axis = 1;
  per_axis.outputs[0].quantization.encodings = {{0.5F, 0}, {0.25F, 0}};
  EXPECT_TRUE(validate("Cast", per_axis.call()));
}

TEST(Cast, BoolsAreZeroOrOne) {
  EXPECT_EQ((cast<uint8_t>("bool8", "u8", Stored{0, 1, 7})), (Stored{0, 1, 1}));
  EXPECT_EQ((cast<uint8_t>("bool8", "bool8", Stored{0, 255})), (Stored{0, 1}));
  EXPECT_EQ((cast<uint8_t>("i32", "bool8", Integers{0, 256, -1})), (Stored{0, 1, 1}));
  EXPECT_EQ(values_of<uint8_t>(run_on("Cast in=3:f16 out=bool8", {halves({0.25, -0.0, NAN})})),
            (Stored{1, 0, 1}));
  EXPECT_EQ(reals(run_on("Cast in=2:bool8 out=f16", {bytes_of(Stored{0, 9})})), (std::vector<double>{0, 1}));
}

TEST(Cast, LargeIntegersOverflowHalf) {
  EXPECT_EQ(reals(run_on("Cast in=3:i32 out=f16", {bytes_of(Integers{2049, 70000, -70000})})),
            (std::vector<double>{2048, INFINITY, -INFINITY}));
}

TEST(Convert, RequantizesWithTiesToEven) {
  const Bytes out = run_on("Convert in=4:ufx8 out=ufx8", {bytes_of(Stored{1, 3, 5, 255})}, [](OpCase& c) {
    encode(c.inputs[0], 0.5F, 0);
    encode(c.outputs[0], 1.0F, -200);
  });
  EXPECT_EQ(values_of<uint8_t>(out), (Stored{200, 202, 202, 255}));
}

// The most frequent use: the same scale, the offset moved by 128, gives the same value.
TEST(Convert, SignedToUnsignedMovesTheOffset) {
  const Bytes out = run_on("Convert in=3:sfx8 out=ufx8", {bytes_of(Signed{-128, 0, 127})}, [](OpCase& c) {
    encode(c.inputs[0], 0.37F, 5);
    encode(c.outputs[0], 0.37F, 5 - 128);
  });
  EXPECT_EQ(values_of<uint8_t>(out), (Stored{0, 128, 255}));
}

TEST(Convert, BoolsBecomeOne) {
  const Bytes out = run_on("Convert in=2:bool8 out=ufx8", {bytes_of(Stored{0, 9})},
                           [](OpCase& c) { encode(c.outputs[0], 0.5F, 0); });
  EXPECT_EQ(values_of<uint8_t>(out), (Stored{0, 2}));
}

TEST(Quantize, SaturatesAndRoundsTiesToEven) {
  const Bytes out = run_on("Quantize in=6:f16 out=ufx8", {halves({0.25, 0.75, -100, 1000, INFINITY, NAN})},
                           [](OpCase& c) { encode(c.outputs[0], 0.5F, -10); });
  EXPECT_EQ(values_of<uint8_t>(out), (Stored{10, 12, 0, 255, 255, 0}));
}

TEST(Dequantize, UsesTheInputsEncoding) {
  const Bytes out = run_on("Dequantize in=3:ufx8 out=f16", {bytes_of(Stored{0, 10, 255})},
                           [](OpCase& c) { encode(c.inputs[0], 0.5F, -10); });
  EXPECT_EQ(reals(out), (std::vector<double>{-5, 0, 122.5}));
}

}  // namespace
}  // namespace openqnn::ops
