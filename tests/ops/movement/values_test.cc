// SPDX-License-Identifier: BSD-3-Clause
// What the oracle does not say of ops that move elements: bytes that are kept, values in parameters, hostile
// indices, meetings of updates, noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/half.h"
#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

ir::Quantization encoding(float scale, int32_t offset) { return ir::Quantization::per_tensor(scale, offset); }

template <class T>
std::vector<T> run(const OpCase& c) {
  const Status status = validate_prepared(*c.op, c.call());
  EXPECT_TRUE(status) << status.error().to_string();
  return status ? values_of<T>(c.run()) : std::vector<T>();
}

using U8 = std::vector<uint8_t>;
using I32 = std::vector<int32_t>;

// ---- Bytes and values ----

TEST(MovementValues, EqualEncodingsKeepEveryBit) {
  OpCase c(std::string("Transpose in=2x2:f16 perm=1,0"));
  // Two NaNs with a payload, infinity, the smallest number.
  c.data[0] = bytes_of(std::vector<uint16_t>{0x7E01, 0xFDFF, 0x7C00, 0x0001});
  EXPECT_EQ(run<uint16_t>(c), (std::vector<uint16_t>{0x7E01, 0x7C00, 0xFDFF, 0x0001}));
}

TEST(MovementValues, DifferentEncodingsRoundToEvenAndSaturate) {
  OpCase c(std::string("Concat out=ufx8 in=2:ufx8 in=3:ufx8"));
  c.inputs[0].quantization = encoding(1.0F, 0);
  c.inputs[1].quantization = encoding(0.5F, -128);
  c.outputs[0].quantization = encoding(1.0F, -10);
  c.data[0] = bytes_of(U8{0, 250});
  c.data[1] = bytes_of(U8{129, 131, 0});  // 0.5, 1.5, -64
  EXPECT_EQ(run<uint8_t>(c), (U8{10, 255, 10, 12, 0}));
}

TEST(MovementValues, BoolsBecomeZeroOrOne) {
  OpCase c(std::string("Reshape in=4:bool8 to=2,2"));
  c.data[0] = bytes_of(U8{0, 1, 2, 255});
  EXPECT_EQ(run<uint8_t>(c), (U8{0, 1, 1, 1}));
}

TEST(MovementValues, ReshapeQuantizesHalves) {
  OpCase c(std::string("Reshape in=4:f16 out=ufx8 to=2,2"));
  c.outputs[0].quantization = encoding(0.5F, -4);
  c.data[0] = bytes_of(std::vector<uint16_t>{to_half(1.0F).bits, to_half(-9.0F).bits, 0x7E00, 0x7C00});
  EXPECT_EQ(run<uint8_t>(c), (U8{6, 0, 0, 255}));
}

// ---- Boxes ----

TEST(MovementBoxes, ReshapeNeedsOnlyTheRowsItReads) {
  const OpCase c(std::string("Reshape in=4x6x5:f16 to=2,2,30"));
  const auto box = [&](const ir::Box& output) { return c.op->input_box(c.call(), 0, output).to_string(); };
  EXPECT_EQ(box({{0, 1, 0}, {1, 2, 30}}), "[1:2, 0:6, 0:5]");
  EXPECT_EQ(box({{1, 0, 7}, {2, 1, 9}}), "[2:3, 1:2, 2:4]");
  EXPECT_EQ(box({{0, 1, 3}, {2, 2, 4}}), "[1:4, 0:6, 0:5]");
  EXPECT_EQ(box(c.whole()), "[0:4, 0:6, 0:5]");
}

TEST(MovementBoxes, TilesNeedNoInputsTheyDoNotTouch) {
  const OpCase concat(std::string("Concat out=ufx8 in=2x3:ufx8 in=2x4:ufx8 in=2x5:ufx8 axis=1"));
  const ir::Box box{{0, 4}, {2, 7}};
  EXPECT_TRUE(concat.op->input_box(concat.call(), 0, box).empty());
  EXPECT_EQ(concat.op->input_box(concat.call(), 1, box).to_string(), "[0:2, 1:4]");
  EXPECT_TRUE(concat.op->input_box(concat.call(), 2, box).empty());
  const OpCase pack(std::string("Pack out=ufx8 in=2x3:ufx8 in=2x3:ufx8 in=2x3:ufx8 axis=0"));
  const ir::Box middle{{1, 0, 1}, {2, 2, 3}};
  EXPECT_TRUE(pack.op->input_box(pack.call(), 0, middle).empty());
  EXPECT_EQ(pack.op->input_box(pack.call(), 1, middle).to_string(), "[0:2, 1:3]");
  EXPECT_TRUE(pack.op->input_box(pack.call(), 2, middle).empty());
  const OpCase pad(std::string("Pad in=4:ufx8 scheme=0 pad_amount=3,3"));
  EXPECT_TRUE(pad.op->input_box(pad.call(), 0, {{0}, {3}}).empty());
  const OpCase slice(std::string("StridedSlice in=9:ufx8 ranges=8,-1,-3"));
  EXPECT_EQ(slice.op->input_box(slice.call(), 0, {{1}, {3}}).to_string(), "[2:6]");
}

// ---- Values in parameters ----

OpCase padded(const std::string& value) {
  OpCase c("Pad in=1:ufx8 scheme=0 pad_amount=1,0 pad_constant_value" + value);
  c.inputs[0].quantization = encoding(0.5F, -10);
  c.outputs[0].quantization = encoding(0.25F, 0);
  c.data[0] = bytes_of(U8{12});
  return c;
}

TEST(MovementScalars, IntegersAreStoredValuesAndFloatsReal) {
  EXPECT_EQ(run<uint8_t>(padded(":i32=16")), (U8{12, 4}));  // 0.5 * (16 - 10) = 3
  EXPECT_EQ(run<uint8_t>(padded(":ufx8=16")), (U8{12, 4}));
  EXPECT_EQ(run<uint8_t>(padded(":f32=3")), (U8{12, 4}));
  EXPECT_EQ(run<uint8_t>(padded(":i32=-7")), (U8{0, 4}));
  EXPECT_EQ(run<uint8_t>(padded(":f32=1e30")), (U8{255, 4}));
  EXPECT_EQ(run<uint8_t>(padded(":i32=2147483647")), (U8{255, 4}));
}

TEST(MovementScalars, OfOneHotCountInTheOutputsEncoding) {
  OpCase c(std::string("OneHot in=2:i32 out=ufx8 depth=2 on_value:ufx8=200 off_value:ufx8=7"));
  c.outputs[0].quantization = encoding(0.1F, -100);
  c.data[0] = bytes_of(I32{1, 0});
  EXPECT_EQ(run<uint8_t>(c), (U8{7, 200, 200, 7}));
  OpCase real(std::string("OneHot in=1:i32 out=ufx8 depth=2"));
  real.outputs[0].quantization = encoding(0.5F, -100);
  real.data[0] = bytes_of(I32{0});
  EXPECT_EQ(run<uint8_t>(real), (U8{102, 100}));
}

TEST(MovementScalars, ConstantsTakeAnyType) {
  OpCase c(std::string("ConstantOfShape in=1:u32 out=f16 value=1e6 to=2"));
  EXPECT_EQ(run<uint16_t>(c), (std::vector<uint16_t>{0x7C00, 0x7C00}));  // beyond half: infinity
  OpCase stored(std::string("ConstantOfShape in=1:u32 out=ufx8 value:ufx8=77 to=2"));
  EXPECT_EQ(run<uint8_t>(stored), (U8{77, 77}));
  OpCase integer(std::string("ConstantOfShape in=1:u32 out=i32 value:i32=-5 to=2"));
  EXPECT_EQ(run<int32_t>(integer), (I32{-5, -5}));
}

// ---- Indices ----

constexpr int32_t kLow = std::numeric_limits<int32_t>::min();
constexpr int32_t kHigh = std::numeric_limits<int32_t>::max();

TEST(MovementIndices, OutsideReadsZeroAndNegativeCountsFromTheEnd) {
  OpCase c(std::string("Gather in=3:ufx8 in=8:i32 axis=0"));
  c.inputs[0].quantization = c.outputs[0].quantization = encoding(1.0F, -5);
  c.data[0] = bytes_of(U8{10, 20, 30});
  c.data[1] = bytes_of(I32{0, 2, 3, -1, -3, -4, kLow, kHigh});
  EXPECT_EQ(run<uint8_t>(c), (U8{10, 30, 5, 30, 10, 5, 5, 5}));
  OpCase unsigned_one(std::string("Gather in=3:i32 in=3:u32 axis=0"));
  unsigned_one.data[0] = bytes_of(I32{10, 20, 30});
  unsigned_one.data[1] = bytes_of(std::vector<uint32_t>{1, UINT32_MAX, 3});
  EXPECT_EQ(run<int32_t>(unsigned_one), (I32{20, 0, 0}));
}

TEST(MovementIndices, OneTupleOutsideIsEnough) {
  OpCase c(std::string("GatherNd in=2x2:i32 in=3x2:i32"));
  c.data[0] = bytes_of(I32{1, 2, 3, 4});
  c.data[1] = bytes_of(I32{1, 0, 1, 2, kLow, 0});
  EXPECT_EQ(run<int32_t>(c), (I32{3, 0, 0}));
}

TEST(MovementIndices, ScattersDropWhatIsOutside) {
  OpCase c(std::string("ScatterElements in=3:i32 in=4:i32 in=4:i32"));
  c.data[0] = bytes_of(I32{1, 2, 3});
  c.data[1] = bytes_of(I32{3, -1, kHigh, kLow});
  c.data[2] = bytes_of(I32{7, 8, 9, 10});
  EXPECT_EQ(run<int32_t>(c), (I32{1, 2, 8}));
}

TEST(MovementIndices, SkippedBatchesMoveTheOthersUp) {
  OpCase c(std::string("BatchPermutation in=3x2:i32 in=3:i32"));
  c.data[0] = bytes_of(I32{1, 2, 3, 4, 5, 6});
  c.data[1] = bytes_of(I32{-1, 2, 0});
  EXPECT_EQ(run<int32_t>(c), (I32{5, 6, 1, 2, 0, 0}));
}

TEST(MovementIndices, NonZerosFillTheRoomThereIs) {
  OpCase c(std::string("NonZero in=2x2:ufx8 out=i32 rows=3"));
  c.inputs[0].quantization = encoding(0.5F, -3);
  c.data[0] = bytes_of(U8{3, 4, 2, 3});  // only 3 stands for 0
  EXPECT_EQ(run<int32_t>(c), (I32{0, 1, 1, 0, -1, -1}));
  c.data[0] = bytes_of(U8{0, 0, 0, 0});
  EXPECT_EQ(run<int32_t>(c), (I32{0, 0, 0, 1, 1, 0}));
}

// ---- Updates that meet ----

OpCase meeting(const std::string& reduction, const std::string& type) {
  return OpCase("ScatterElements in=2:" + type + " in=3:i32 in=3:" + type + " out=" + type +
                " reduction=" + reduction);
}

TEST(MovementScatter, TheLastOneWins) {
  OpCase c = meeting("0", "i32");
  c.data[0] = bytes_of(I32{1, 2});
  c.data[1] = bytes_of(I32{0, 0, -2});
  c.data[2] = bytes_of(I32{5, 6, 7});
  EXPECT_EQ(run<int32_t>(c), (I32{7, 2}));
}

TEST(MovementScatter, SumsRoundAndSaturateOnce) {
  OpCase c = meeting("1", "ufx8");
  c.inputs[0].quantization = c.inputs[2].quantization = encoding(0.5F, -100);
  c.outputs[0].quantization = encoding(1.0F, 0);
  c.data[1] = bytes_of(I32{0, 0, 1});
  c.data[0] = bytes_of(U8{100, 255});
  c.data[2] = bytes_of(U8{255, 20, 101});  // 77.5 - 40 = 37.5, and 77.5 + 0.5
  EXPECT_EQ(run<uint8_t>(c), (U8{38, 78}));
  c.data[2] = bytes_of(U8{20, 255, 20});  // below 0 on the way
  EXPECT_EQ(run<uint8_t>(c), (U8{38, 38}));
}

TEST(MovementScatter, IntegersSaturate) {
  OpCase c = meeting("1", "i32");
  c.data[0] = bytes_of(I32{kHigh, kLow});
  c.data[1] = bytes_of(I32{0, 1, 1});
  c.data[2] = bytes_of(I32{1, kLow, kHigh});
  EXPECT_EQ(run<int32_t>(c), (I32{kHigh, kLow}));
  OpCase product = meeting("2", "i32");
  product.data[0] = bytes_of(I32{kHigh, kHigh});
  product.data[1] = bytes_of(I32{0, 1, 1});
  product.data[2] = bytes_of(I32{-2, kHigh, 0});
  EXPECT_EQ(run<int32_t>(product), (I32{kLow, 0}));
}

TEST(MovementScatter, NanIsTheLargest) {
  OpCase c = meeting("3", "f16");
  const uint16_t nan = 0x7E00;
  c.data[0] = bytes_of(std::vector<uint16_t>{to_half(1.0F).bits, nan});
  c.data[1] = bytes_of(I32{0, 0, 1});
  c.data[2] = bytes_of(std::vector<uint16_t>{nan, to_half(5.0F).bits, to_half(5.0F).bits});
  for (const uint16_t bits : run<uint16_t>(c)) EXPECT_TRUE(std::isnan(to_float(Half{bits})));
}

// ---- Columns ----

// Folding what was unfolded counts each pixel once per window over it.
TEST(MovementColumns, FoldingBackCountsTheWindows) {
  OpCase unfold(std::string("Im2Col in=1x3x3x1:f16 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0"));
  unfold.data[0] = bytes_of(std::vector<uint16_t>(9, to_half(1.0F).bits));
  OpCase fold(std::string("Col2Im in=1x4x4:f16 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0 to=1,3,3,1"));
  fold.data[0] = unfold.run();
  std::vector<float> sums;
  for (const uint16_t bits : run<uint16_t>(fold)) sums.push_back(to_float(Half{bits}));
  EXPECT_EQ(sums, (std::vector<float>{1, 2, 1, 2, 4, 2, 1, 2, 1}));
}

// ---- Glimpses ----

OpCase glimpse(const std::string& noise, float offset) {
  OpCase c("ExtractGlimpse in=1x8x8x2:f16 in=1x2:f16 size=64,64 normalized=0 centered=0 noise=" + noise);
  c.data[1] = bytes_of(std::vector<uint16_t>{to_half(offset).bits, to_half(offset).bits});
  return c;
}

struct Moments {
  double low, high, mean, deviation;
};
Moments moments(const std::vector<uint16_t>& halves) {
  Moments m{1e9, -1e9, 0, 0};
  double squares = 0;
  for (const uint16_t bits : halves) {
    const double value = to_float(Half{bits});
    m.low = std::min(m.low, value);
    m.high = std::max(m.high, value);
    m.mean += value / static_cast<double>(halves.size());
    squares += value * value / static_cast<double>(halves.size());
  }
  m.deviation = std::sqrt(squares - m.mean * m.mean);
  return m;
}

TEST(MovementGlimpse, UniformNoiseHasTheImagesRange) {
  const OpCase c = glimpse("0", 1000.0F);
  const Moments image = moments(values_of<uint16_t>(c.data[0]));
  const Moments noise = moments(run<uint16_t>(c));
  EXPECT_GE(noise.low, image.low);
  EXPECT_LE(noise.high, image.high);
  EXPECT_NEAR(noise.mean, (image.low + image.high) / 2, 0.05);
  EXPECT_NEAR(noise.deviation, (image.high - image.low) / std::sqrt(12.0), 0.05);
}

TEST(MovementGlimpse, GaussianNoiseHasTheImagesMeanAndDeviation) {
  const OpCase c = glimpse("1", -1000.0F);
  const Moments image = moments(values_of<uint16_t>(c.data[0]));
  const Moments noise = moments(run<uint16_t>(c));
  EXPECT_NEAR(noise.mean, image.mean, 0.05);
  EXPECT_NEAR(noise.deviation, image.deviation, 0.05);
  EXPECT_GT(noise.high, image.high);  // it has tails
}

TEST(MovementGlimpse, OffsetsThatAreNoPlaceSeeNothing) {
  for (const float offset : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    for (const uint16_t bits : run<uint16_t>(glimpse("2", offset))) ASSERT_EQ(bits, 0);
}

TEST(MovementGlimpse, NoiseIsTheSameInEveryDivision) {
  OpCase c(std::string("ExtractGlimpse in=3x4x4x1:f16 in=3x2:f16 size=7,7 noise=1"));
  Bytes parts(c.output_bytes(), kUntouched);
  for (const ir::Box& box : {ir::Box{{0, 0, 0, 0}, {1, 7, 7, 1}}, ir::Box{{1, 0, 0, 0}, {3, 7, 7, 1}}})
    c.run_into(parts, box);
  EXPECT_EQ(parts, c.run());
}

}  // namespace
}  // namespace openqnn::ops
