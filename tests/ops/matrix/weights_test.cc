// SPDX-License-Identifier: BSD-3-Clause
// Weights of few and of many bits, and what prepare makes of them.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/matrix/packed_weights.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

template <class T>
void put(OpCase& c, size_t input, const std::vector<T>& values) {
  ASSERT_EQ(c.data[input].size(), values.size() * sizeof(T));
  std::memcpy(c.data[input].data(), values.data(), values.size() * sizeof(T));
}

template <class T>
std::vector<T> results(const OpCase& c) {
  const Bytes bytes = c.run();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// 16-bit weights end at 0x7F7F; below that nothing changes.
TEST(Weights, Of16BitsEndWhereTheMatrixUnitDoes) {
  OpCase c{std::string("MatMul in=1x1:ufx16 in=1x4:sfx16")};
  c.inputs[0].quantization = c.inputs[1].quantization = ir::Quantization::per_tensor(1.0F, 0);
  c.outputs[0].quantization = ir::Quantization::per_tensor(1.0F, -32768);
  put<uint16_t>(c, 0, {1});
  put<int16_t>(c, 1, {-0x8000, 0x7F7F, 0x7F80, 0x7FFF});
  EXPECT_EQ(results<uint16_t>(c), (std::vector<uint16_t>{0, 0xFF7F, 0xFF7F, 0xFF7F}));
  c.inputs[1].type = ir::DataType::kUfixed16;
  c.inputs[1].quantization.encodings[0].offset = -32768;
  put<uint16_t>(c, 1, {0, 0xFF7F, 0xFF80, 0xFFFF});
  ASSERT_TRUE(validate("MatMul", c.call()));
  EXPECT_EQ(results<uint16_t>(c), (std::vector<uint16_t>{0, 0xFF7F, 0xFF7F, 0xFF7F}));
}

// Of fewer than 16 bits the middle is that of the bits that count.
TEST(Weights, OfFewerThan16BitsAreSymmetricAroundTheirOwnMiddle) {
  OpCase c{std::string("MatMul in=1x1:ufx16 in=1x3:ufx16:static")};
  c.inputs[0].quantization = ir::Quantization::per_tensor(1.0F, 0);
  c.outputs[0].quantization = ir::Quantization::per_tensor(1.0F, -32768);
  put<uint16_t>(c, 0, {2});
  put<uint16_t>(c, 1, {0, 2049, 4095});
  c.inputs[1].quantization = ir::Quantization::per_tensor(1.0F, -32768, 12);
  const Status whole = validate("MatMul", c.call());
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().fix, "use offset -2048, or sfx16 with offset 0");
  c.inputs[1].quantization.encodings[0].offset = -2048;
  ASSERT_TRUE(validate("MatMul", c.call()));
  const std::vector<uint16_t> sums = {32768 - 4096, 32768 + 2, 32768 + 4094};
  EXPECT_EQ(results<uint16_t>(c), sums);
  const OpCase stored = c.stored();
  ASSERT_TRUE(validate_prepared(*stored.op, stored.call()));
  EXPECT_EQ(results<uint16_t>(stored), sums);
}

// A bias of 16-bit sums is not cut to 32 bits of tiny steps.
TEST(Weights, BiasesOf16BitSumsKeepTheirValue) {
  OpCase c{std::string("MatMul in=1x1:ufx16 in=1x1:sfx16:static in=1:ufx8:static")};
  c.inputs[0].quantization = c.inputs[1].quantization = ir::Quantization::per_tensor(1e-6F, 0);
  c.inputs[2].quantization = ir::Quantization::per_tensor(1.0F, 0);  // 100 is 10^14 steps of the sum
  c.outputs[0].quantization = ir::Quantization::per_tensor(0.5F, 0);
  put<uint16_t>(c, 0, {0});
  put<uint8_t>(c, 2, {100});
  EXPECT_EQ(results<uint16_t>(c), (std::vector<uint16_t>{200}));
  EXPECT_EQ(results<uint16_t>(c.stored()), (std::vector<uint16_t>{200}));
}

// The layout is a file format: the first of two neighbours lies in the low nibble.
TEST(Weights, NibblesLieAsDocumented) {
  ir::TensorDesc desc{.type = ir::DataType::kSfixed8,
                      .shape = {4, 2},
                      .quantization = ir::Quantization::per_tensor(0.5F, 0, 4)};
  Bytes data;
  for (const int value : {-8, 7, 1, 2, 3, 4, 5, 6}) data.push_back(static_cast<std::byte>(value & 0x0F));
  const StoredOperand signed_form =
      pack_weights(desc, ir::Blob::of(data), matmul_weights(desc.shape, false)).value();
  EXPECT_EQ(signed_form.desc.layout, ir::Layout::kHmx4);
  ASSERT_EQ(signed_form.data.size(), 512U);
  EXPECT_EQ(signed_form.data.bytes()[0], std::byte{0x18});  // column 0, k 0 and 1: -8, 1
  EXPECT_EQ(signed_form.data.bytes()[1], std::byte{0x53});  // column 0, k 2 and 3: 3, 5
  EXPECT_EQ(signed_form.data.bytes()[2], std::byte{0x27});  // column 1: 7, 2
  EXPECT_EQ(signed_form.data.bytes()[4], std::byte{0});     // padding

  desc.type = ir::DataType::kUfixed8;  // 0 to 15, stored as -8 to 7
  const StoredOperand unsigned_form =
      pack_weights(desc, ir::Blob::of(data), matmul_weights(desc.shape, false)).value();
  EXPECT_EQ(unsigned_form.desc.type, ir::DataType::kSfixed8);
  EXPECT_EQ(unsigned_form.desc.quantization.encodings[0].offset, 8);
  EXPECT_EQ(unsigned_form.data.bytes()[0], std::byte{0x90});  // 8 and 1, less 8 each
}

TEST(Weights, OfEveryTypeOfTheMatrixUnitArePackedAndOthersAreNot) {
  using ir::DataType;
  ir::TensorDesc desc{.shape = {4, 2}, .quantization = ir::Quantization::per_tensor(0.5F, 0)};
  const auto packed = [&](DataType type) {
    desc.type = type;
    return pack_weights(desc, ir::Blob::of(Bytes(desc.shape.elements() * ir::byte_size(type))),
                        matmul_weights(desc.shape, false));
  };
  for (const DataType type : {DataType::kFloat16, DataType::kSfixed16, DataType::kUfixed16}) {
    ASSERT_TRUE(packed(type)) << static_cast<int>(type);
    EXPECT_EQ(packed(type)->desc.layout, ir::Layout::kHmx16) << static_cast<int>(type);
  }
  for (const DataType type : {DataType::kSfixed8, DataType::kUfixed8}) {
    ASSERT_TRUE(packed(type)) << static_cast<int>(type);
    EXPECT_EQ(packed(type)->desc.layout, ir::Layout::kHmx8) << static_cast<int>(type);
  }
  for (const DataType type : {DataType::kFloat32, DataType::kSfixed32, DataType::kInt32})
    EXPECT_FALSE(packed(type)) << static_cast<int>(type);
}

// By hand: blocks of two rows with scales of their own; the bias is what it stands for.
TEST(Weights, BlocksAreScaledApart) {
  OpCase c{std::string("MatMul in=1x4:ufx8 in=4x1:sfx8:static:block in=1:sfx32:static")};
  c.inputs[0].quantization = ir::Quantization::per_tensor(0.5F, -1);
  c.inputs[1].quantization = ir::Quantization::per_block({2, 1}, {{1.0F, 0}, {0.25F, 0}}, 4);
  c.inputs[2].quantization = ir::Quantization::per_tensor(0.125F, 0);
  c.outputs[0].quantization = ir::Quantization::per_tensor(0.125F, -100);
  put<uint8_t>(c, 0, {3, 5, 7, 9});
  put<int8_t>(c, 1, {1, -2, 4, 5});
  put<int32_t>(c, 2, {3});
  // 0.5 * (2 * 1 + 4 * -2) * 1 + 0.5 * (6 * 4 + 8 * 5) * 0.25 + 0.375 = 5.375
  ASSERT_TRUE(validate("MatMul", c.call()));
  EXPECT_EQ(results<uint8_t>(c), (std::vector<uint8_t>{143}));
  const OpCase stored = c.stored();
  EXPECT_EQ(stored.inputs[1].layout, ir::Layout::kHmx4);
  EXPECT_EQ(stored.inputs[2].type, ir::DataType::kSfixed32);
  EXPECT_EQ(results<uint8_t>(stored), (std::vector<uint8_t>{143}));
}

// Encodings along the summed axis of FullyConnected are blocks of one.
TEST(Weights, FullyConnectedTakesEncodingsAlongBothAxes) {
  OpCase c{std::string("FullyConnected in=1x2:ufx8 in=1x2:sfx8:static:axis")};
  c.inputs[0].quantization = ir::Quantization::per_tensor(1.0F, 0);
  c.inputs[1].quantization = ir::Quantization::per_axis(1, {{1.0F, 0}, {0.5F, 0}});
  c.outputs[0].quantization = ir::Quantization::per_tensor(0.5F, 0);
  put<uint8_t>(c, 0, {3, 5});
  put<int8_t>(c, 1, {2, 7});
  ASSERT_TRUE(validate("FullyConnected", c.call()));
  EXPECT_EQ(results<uint8_t>(c), (std::vector<uint8_t>{47}));  // 6 + 17.5
  EXPECT_EQ(results<uint8_t>(c.stored()), (std::vector<uint8_t>{47}));
}

// Depth-wise weights are no matrices: they stay as they are, and run on the vector unit.
TEST(Weights, OfDepthWiseConvolutionsStay) {
  for (const char* line : {"DepthWiseConv2d in=1x4x4x8:ufx8 in=3x3x1x8:sfx8:static in=8:sfx32:static "
                           "stride=1,1 pad_amount=1,1,1,1",
                           "Conv2d in=1x4x4x8:ufx8 in=3x3x1x8:sfx8:static in=8:sfx32:static stride=1,1 "
                           "pad_amount=1,1,1,1 group=8"}) {
    const OpCase c{std::string(line)};
    const OpCase stored = c.stored();
    EXPECT_EQ(stored.inputs[1].layout, ir::Layout::kPlain);
    EXPECT_EQ(stored.inputs[2].type, ir::DataType::kInt32);
    EXPECT_EQ(c.op->work(c.call(), c.whole()).unit, soc::Unit::kHvx);
  }
}

// A box of weights in groups takes the blocks of the groups it touches.
TEST(Weights, BoxesOfGroupsTakeTheirBlocks) {
  const OpCase c =
      OpCase("Conv2d in=1x2x2x8:ufx8 in=1x1x2x160:sfx8:static stride=1,1 pad_amount=0,0,0,0 group=4")
          .stored();
  const auto bytes = [&](uint32_t begin, uint32_t end) {
    return c.op->packed_bytes(c.call(), {{0, 0, 0, begin}, {1, 1, 2, end}});
  };
  EXPECT_EQ(bytes(0, 160), 4U * 32 * 64);
  EXPECT_EQ(bytes(0, 32), 32U * 32);
  EXPECT_EQ(bytes(39, 41), 2U * 32 * 32);
  EXPECT_EQ(bytes(30, 130), 32U * 64 + 2 * 32 * 64 + 32 * 32);
  EXPECT_EQ(bytes(5, 5), 0U);
  const OpCase t =
      OpCase("TransposeConv2d in=1x2x2x8:ufx8 in=1x1x8x40:sfx8:static stride=1,1 pad_amount=0,0,0,0 group=4")
          .stored();
  EXPECT_EQ(t.op->packed_bytes(t.call(), {{0, 0, 2, 0}, {1, 1, 6, 40}}), 2U * 32 * 64);
  EXPECT_EQ(t.op->packed_bytes(t.call(), {{0, 0, 2, 33}, {1, 1, 4, 40}}), 32U * 32);
}

// By their bytes: how many passes 16-bit activations take is for the simulator to say.
TEST(Work, WiderWeightsTakeMorePasses) {
  const auto work = [](const char* line) {
    const OpCase c{std::string(line)};
    return c.op->work(c.call(), c.whole());
  };
  const Work bytes = work("MatMul in=32x8:ufx8 in=8x4:sfx8");
  const Work words = work("MatMul in=32x8:ufx16 in=8x4:sfx8");
  EXPECT_EQ(bytes.arithmetic, soc::Arithmetic::kBytes);
  EXPECT_EQ(words.arithmetic, soc::Arithmetic::kWords);
  EXPECT_EQ(bytes.macs, 2 * words.macs) << "64 rows a chunk, or 32";
  EXPECT_EQ(work("MatMul in=32x8:ufx16 in=8x4:sfx16").macs, 2 * words.macs);
}

}  // namespace
}  // namespace openqnn::ops
