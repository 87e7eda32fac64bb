// SPDX-License-Identifier: BSD-3-Clause
// What prepare makes of single ops: blocks, biases, fused activations.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/matrix/packed_weights.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kRandomProblems = 5;

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
  const WeightMatrices conv = conv_weights({3, 3, 3, 16}, 2);
  EXPECT_EQ(conv.packed().k, 36U);
  EXPECT_EQ(conv.packed().n, 8U);
  EXPECT_EQ(conv.packed_row(5 * 3 + 1), 5U * 4 + 1);
  EXPECT_EQ(conv.plain(1, 5 * 3 + 1, 2), (5U * 3 + 1) * 16 + 8 + 2);
  // Of a transposed one, groups divide the input channels.
  const WeightMatrices transposed = transpose_conv_weights({1, 2, 6, 4}, 3);
  EXPECT_EQ(transposed.k(), 4U);
  EXPECT_EQ(transposed.plain(2, 3, 1), (1U * 6 + 2 * 2 + 1) * 4 + 1);
}

// A box of packed weights takes the blocks it touches, whatever its share of the elements.
TEST(Stored, BoxesTakeWholeBlocks) {
  const PackedShape shape{.groups = 1, .k = 3200, .n = 40};
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 0, 32), 3200U * 32);
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 32, 40), 3200U * 32);
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 31, 33), 3200U * 64);
  EXPECT_EQ(packed_bytes(shape, ir::Layout::kHmx8), 3200U * 64);
  EXPECT_EQ(packed_bytes(shape, ir::Layout::kHmx4), 3200U * 32);
  EXPECT_EQ(packed_column_bytes(shape, ir::Layout::kHmx8, 7, 7), 0U);
}

TEST(Stored, UnsignedWeightsBecomeSigned) {
  const ir::TensorDesc desc{.type = ir::DataType::kUfixed8,
                            .shape = {1, 2},
                            .quantization = ir::Quantization::per_tensor(0.5F, -3)};
  const Bytes data = {std::byte{0}, std::byte{255}};
  const StoredOperand stored = pack_weights(desc, data.data(), matmul_weights(desc.shape, false)).value();
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

// An op that ends in Relu against the op and Relu apart, with another encoding at Relu's output. Returns
// whether Relu did something.
bool same_bits_as_the_pair(const OpCase& alone) {
  OpCase relu("Relu in=1:" + std::string(ir::name(alone.outputs[0].type)));
  relu.inputs = {alone.outputs[0]};
  relu.data = {alone.run()};
  relu.outputs = alone.outputs;
  if (!alone.is_half()) {
    relu.outputs[0].quantization.encodings[0].scale *= 0.61F;
    relu.outputs[0].quantization.encodings[0].offset = 0;
  }
  const Bytes expected = relu.run();

  OpCase fused = alone.stored();
  fused.epilogue = {Activation::kRelu, alone.outputs[0].quantization};
  fused.outputs[0] = relu.outputs[0];
  const Status status = validate_prepared(*fused.op, fused.call());
  EXPECT_TRUE(status) << status.error().to_string();
  EXPECT_EQ(fused.run(), expected);
  return expected != relu.data[0];
}

TEST(Fused, ReluAtTheEndGivesTheBitsOfThePair) {
  size_t ops = 0;
  for (const OpDef* op : all_ops()) {
    if (!op->fuses || !op->fuses(find_op("Relu")->folds_as)) continue;
    SCOPED_TRACE(op->type);
    ++ops;
    size_t clipped = 0;
    for (const oracle::Problem& problem : problems(*oracle::find(std::string(op->type)), kRandomProblems)) {
      SCOPED_TRACE(problem.line);
      if (same_bits_as_the_pair(OpCase(problem))) ++clipped;
      ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(clipped, 20U);
  }
  EXPECT_GE(ops, 10U);  // the convolutions, MatMul and FullyConnected
}

}  // namespace
}  // namespace openqnn::ops
