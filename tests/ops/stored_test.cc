// SPDX-License-Identifier: BSD-3-Clause
// What prepare makes of an op: stored operands and fused activations give the bits of the plain op.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/op_case.h"
#include "ops/packed_weights.h"

namespace openqnn::ops {
namespace {

constexpr size_t kRandomProblems = 30;

TEST(Stored, PackedOperandsGiveTheSameBits) {
  size_t packed = 0;
  for (const OpCase& plain : all_cases(kRandomProblems)) {
    SCOPED_TRACE(plain.problem.line);
    const OpCase stored = plain.stored();
    const OpCall call = stored.call();
    const Status status = validate_prepared(*stored.op, call);
    ASSERT_TRUE(status) << status.error().to_string();
    for (size_t i = 0; i < stored.inputs.size(); ++i) {
      ASSERT_EQ(stored_bytes(*stored.op, call, i), stored.data[i].size()) << "input " << i;
      if (stored.inputs[i].layout != ir::Layout::kPlain) ++packed;
    }
    ASSERT_EQ(stored.run(), plain.run());
  }
  EXPECT_GT(packed, 50U);
}

TEST(Stored, AbsentInputsHaveNoBytes) {
  const OpCase c{std::string("MatMul in=2x2:f16 in=2x2:f16")};
  EXPECT_EQ(stored_bytes(*c.op, c.call(), 2), 0U);
}

// The layout is a file format: these positions may never change.
TEST(Stored, BlocksLieAsDocumented) {
  const PackedShape shape{.groups = 2, .k = 33, .n = 64};
  EXPECT_EQ(shape.elements(), 2U * 64 * 64);
  EXPECT_EQ(shape.index8(0, 0, 1), 4U);
  EXPECT_EQ(shape.index8(0, 1, 0), 1U);
  EXPECT_EQ(shape.index8(0, 5, 37), 1173U);  // the worked example of the vendor's KV-cache layout
  EXPECT_EQ(shape.index8(0, 32, 0), 2048U);
  EXPECT_EQ(shape.index8(1, 0, 0), 4096U);
  EXPECT_EQ(shape.index16(0, 5, 37), 1024U + 5 * 32 + 5);
  EXPECT_EQ(packed_bytes(shape, ir::Layout::kHmx16), 2U * 2 * 64 * 64);
  // Channels of a filter tap are padded to four.
  EXPECT_EQ(conv_packed_shape({3, 3, 3, 16}, 2).k, 36U);
  EXPECT_EQ(conv_packed_shape({3, 3, 3, 16}, 2).n, 8U);
  EXPECT_EQ(conv_packed_row({3, 3, 3, 16}, 1, 2, 1), 5U * 4 + 1);
}

// A box of packed weights takes the blocks it touches, whatever its share of the elements.
TEST(Stored, BoxesTakeWholeBlocks) {
  const PackedShape shape{.groups = 1, .k = 3200, .n = 40};
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 0, 32), 3200U * 32);
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 32, 40), 3200U * 32);
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 31, 33), 3200U * 64);
  EXPECT_EQ(packed_bytes(shape, ir::Layout::kHmx8), 3200U * 64);
}

TEST(Stored, UnsignedWeightsBecomeSigned) {
  const ir::TensorDesc desc{.type = ir::DataType::kUfixed8,
                            .shape = {1, 2},
                            .quantization = ir::Quantization::per_tensor(0.5F, -3)};
  const Bytes data = {std::byte{0}, std::byte{255}};
  const StoredOperand stored = pack_matmul_weights(desc, data.data(), false).value();
  EXPECT_EQ(stored.desc.type, ir::DataType::kSfixed8);
  EXPECT_EQ(stored.desc.quantization.encodings[0].offset, 125);
  EXPECT_EQ(static_cast<int8_t>(stored.data[0]), -128);
  EXPECT_EQ(static_cast<int8_t>(stored.data[4]), 127);
  EXPECT_EQ(stored.data[1], std::byte{0});  // padding
}

// What a client may say must stay sayable once it is stored.
TEST(Stored, TheLargestOffsetsSurvive) {
  OpCase c{std::string("MatMul in=2x3:ufx8 in=3x2:ufx8:static")};
  for (const int32_t offset : {1 << 16, -(1 << 16)}) {
    c.inputs[0].quantization.encodings[0].offset = c.inputs[1].quantization.encodings[0].offset = offset;
    ASSERT_TRUE(validate("MatMul", c.call()));
    const OpCase stored = c.stored();
    ASSERT_TRUE(validate_prepared(*stored.op, stored.call()));
    EXPECT_EQ(stored.run(), c.run());
  }
}

// round(bias / (input scale * weight scale)), ties to even, saturated.
TEST(Stored, BiasBecomesAccumulatorUnits) {
  OpCase c{std::string("MatMul in=1x1:ufx8 in=1x4:sfx8:static in=4:sfx32:static")};
  c.inputs[0].quantization = ir::Quantization::per_tensor(0.5F, 0);
  c.inputs[1].quantization = ir::Quantization::per_tensor(0.5F, 0);
  const auto stored = [&](float scale, std::vector<int32_t> values) {
    c.inputs[2].quantization = ir::Quantization::per_tensor(scale, 0);
    std::memcpy(c.data[2].data(), values.data(), 16);
    const OpCase after = c.stored();
    EXPECT_EQ(after.inputs[2].type, ir::DataType::kInt32);
    std::memcpy(values.data(), after.data[2].data(), 16);
    return values;
  };
  EXPECT_EQ(stored(0.125F, {1, 3, 5, -1}), (std::vector<int32_t>{0, 2, 2, 0}));
  EXPECT_EQ(stored(1e9F, {1, -1, 0, 2}), (std::vector<int32_t>{INT32_MAX, INT32_MIN, 0, INT32_MAX}));
  EXPECT_EQ(stored(0.0F, {7, -7, INT32_MAX, 0}), (std::vector<int32_t>{7, -7, INT32_MAX, 0}));
}

TEST(Fused, ReluAtTheEndGivesTheBitsOfThePair) {
  size_t clipped = 0;
  for (const oracle::Problem& problem : oracle::problems(*oracle::find("Conv2d"), kRandomProblems)) {
    SCOPED_TRACE(problem.line);
    const OpCase conv(problem);
    ASSERT_TRUE(conv.op->fuses && conv.op->fuses(find_op("Relu")->folds_as));

    // Relu on its own, reading what the convolution wrote, with another encoding at its output.
    OpCase relu("Relu in=1:" + std::string(ir::name(conv.output.type)));
    relu.inputs = {conv.output};
    relu.data = {conv.run()};
    relu.output = conv.output;
    if (!conv.is_half()) {
      relu.output.quantization = conv.output.quantization;
      relu.output.quantization.encodings[0].scale *= 0.61F;
      relu.output.quantization.encodings[0].offset = 0;
    }
    const Bytes expected = relu.run();
    if (expected != relu.data[0]) ++clipped;

    OpCase fused = conv.stored();
    fused.epilogue = {Activation::kRelu, conv.output.quantization};
    fused.output = relu.output;
    const Status status = validate_prepared(*fused.op, fused.call());
    ASSERT_TRUE(status) << status.error().to_string();
    ASSERT_EQ(fused.run(), expected);
  }
  EXPECT_GT(clipped, 20U);
}

}  // namespace
}  // namespace openqnn::ops
