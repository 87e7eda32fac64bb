// SPDX-License-Identifier: BSD-3-Clause
// What prepare makes of single ops: blocks, biases, fused activations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/half.h"
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
  const StoredOperand stored =
      pack_weights(desc, ir::Blob::of(data), matmul_weights(desc.shape, false)).value();
  EXPECT_EQ(stored.desc.type, ir::DataType::kSfixed8);
  EXPECT_EQ(stored.desc.quantization.encodings[0].offset, 125);
  EXPECT_EQ(static_cast<int8_t>(stored.data.bytes()[0]), -128);
  EXPECT_EQ(static_cast<int8_t>(stored.data.bytes()[4]), 127);
  EXPECT_EQ(stored.data.bytes()[1], std::byte{0});  // padding
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

// Whoever computes the bias leaves it as it is, beside weights that are stored.
TEST(Stored, UnsignedWeightsGoWithABiasThatComesAtRunTime) {
  for (const char* line :
       {"Conv1d in=1x8x4:ufx8 in=3x4x8:ufx8:static in=8:ufx8 stride=1 pad_amount=1,1",
        "TransposeConv1d in=1x8x4:ufx8 in=3x4x8:ufx8:static in=8:ufx8 stride=1 pad_amount=1,1",
        "DepthWiseConv1d in=1x8x1:ufx8 in=3x1x8:ufx8:static in=8:ufx8 stride=1 pad_amount=1,1",
        "MatMul in=2x3:ufx8 in=3x8:ufx8:static in=8:ufx8"}) {
    SCOPED_TRACE(line);
    const OpCase c{std::string(line)};
    ASSERT_TRUE(validate(c.op->type, c.call()));
    const OpCase stored = c.stored();
    ASSERT_EQ(stored.inputs[1].type, ir::DataType::kSfixed8);
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

OpCase ending_in(const OpCase& alone, const Epilogue& epilogue) {
  OpCase fused = alone.stored();
  fused.epilogue = epilogue;
  const Status status = validate_prepared(*fused.op, fused.call());
  EXPECT_TRUE(status) << status.error().to_string();
  return fused;
}

// The op, then the activation by itself.
Bytes apart(const OpCase& alone, const std::string& activation, const std::string& params) {
  OpCase second(activation + " in=1:f16 " + params);
  second.inputs = {alone.outputs[0]};
  second.data = {alone.run()};
  second.outputs = alone.outputs;
  return second.run();
}

std::vector<OpCase> cases_that_fuse(const OpDef& op) {
  std::vector<OpCase> cases;
  for (const oracle::Problem& problem : problems(*oracle::find(std::string(op.type)), kRandomProblems))
    cases.emplace_back(problem);
  return cases;
}

std::vector<const OpDef*> ops_that_fuse() {
  std::vector<const OpDef*> found;
  for (const OpDef& op : all_ops())
    if (op.fuses) found.push_back(&op);
  return found;
}

TEST(Fused, ReluAndClampInHalfGiveTheBitsOfThePair) {
  EXPECT_GE(ops_that_fuse().size(), 9U);  // the convolutions and FullyConnected
  for (const OpDef* op : ops_that_fuse()) {
    size_t clipped = 0;
    for (const OpCase& alone : cases_that_fuse(*op)) {
      if (!alone.is_half()) continue;
      SCOPED_TRACE(alone.problem.line);
      const Bytes relu = ending_in(alone, {Activation::kRelu}).run();
      ASSERT_EQ(relu, apart(alone, "Relu", ""));
      ASSERT_EQ(ending_in(alone, {Activation::kClamp, -0.3F, 0.7F}).run(),
                apart(alone, "ReluMinMax", "min_value=-0.3 max_value=0.7"));
      if (relu != alone.run()) ++clipped;
    }
    EXPECT_GT(clipped, 5U) << op->type;
  }
}

// What the range of the encoding does not clip stays: the documented price of folding.
TEST(Fused, QuantizedOutputsAreClippedByTheirEncodingAlone) {
  for (const OpDef* op : ops_that_fuse()) {
    for (OpCase alone : cases_that_fuse(*op)) {
      if (alone.is_half()) continue;
      SCOPED_TRACE(alone.problem.line);
      const Bytes plain = alone.run();
      ASSERT_EQ(ending_in(alone, {Activation::kRelu}).run(), plain);
      OpCase fused = ending_in(alone, {Activation::kRelu});
      fused.epilogue.activation = Activation::kSigmoid;
      ASSERT_FALSE(validate_prepared(*fused.op, fused.call())) << "only half is computed through the others";
    }
  }
}

// Nothing is rounded in between, so that the result is at least as good as the pair's.
TEST(Fused, OtherActivationsInHalfSkipTheRoundingInBetween) {
  size_t different = 0;
  for (const auto& [activation, type] : {std::pair{Activation::kSigmoid, "Sigmoid"},
                                         {Activation::kTanh, "Tanh"},
                                         {Activation::kGelu, "Gelu"}}) {
    const OpCase alone{
        std::string("Conv2d in=1x6x6x8:f16 in=3x3x8x16:f16:static stride=1,1 pad_amount=1,1,1,1")};
    const Bytes fused = ending_in(alone, {activation}).run();
    const Bytes pair = apart(alone, type, "");
    for (size_t i = 0; i < fused.size(); i += 2) {
      Half a;
      Half b;
      std::memcpy(&a.bits, &fused[i], 2);
      std::memcpy(&b.bits, &pair[i], 2);
      ASSERT_NEAR(to_float(a), to_float(b), 0.004F + 0.004F * std::fabs(to_float(b)));
      if (a.bits != b.bits) ++different;
    }
  }
  EXPECT_GT(different, 20U);
}

}  // namespace
}  // namespace openqnn::ops
