// SPDX-License-Identifier: BSD-3-Clause
// Work and input boxes of single ops, by hand.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

Work whole_work(const std::string& line) {
  const OpCase c(line);
  return c.op->work(c.call(), c.whole());
}

TEST(Work, MatrixOpsCountWhatIsIssued) {
  // 5 x 5 positions make one chunk of 8 x 8, 9 x 3 products one block of 32, 40 columns two.
  const Work conv = whole_work("Conv2d in=1x5x5x3:ufx8 in=3x3x3x40:sfx8 stride=1,1 pad_amount=1,1,1,1");
  EXPECT_EQ(conv.unit, soc::Unit::kHmx);
  EXPECT_EQ(conv.arithmetic, soc::Arithmetic::kBytes);
  EXPECT_EQ(conv.macs, 64U * 32 * 64);
  EXPECT_EQ(conv.vtcm_bytes, 75U + 32 * 64 + 1000);
  const Work half = whole_work("Conv2d in=1x5x5x3:f16 in=3x3x3x40:f16 stride=1,1 pad_amount=1,1,1,1");
  EXPECT_EQ(half.arithmetic, soc::Arithmetic::kHalf);
  EXPECT_EQ(half.macs, 64U * 32 * 64);  // 8 x 4 positions a chunk, two of them
  EXPECT_EQ(half.vtcm_bytes, 2U * conv.vtcm_bytes);
  // Each group is a product of its own.
  EXPECT_EQ(whole_work("Conv2d in=1x8x8x8:ufx8 in=1x1x4x8:ufx8 stride=1,1 pad_amount=0,0,0,0 group=2").macs,
            2U * 64 * 32 * 32);
  const Work matmul = whole_work("MatMul in=2x3x40:ufx8 in=40x5:ufx8");
  EXPECT_EQ(matmul.macs, 2U * 64 * 64 * 32);  // two matrices: the second operand is plain here
  EXPECT_EQ(matmul.matrices, 2U);
  EXPECT_EQ(matmul.of(VectorKind::kPack), 64U * 32 / 128);
  EXPECT_EQ(matmul.vtcm_bytes, 240U + 64 * 32 + 30);
}

// As many maps as an axis has positions at most, and one along an axis where the filter has one tap.
TEST(Work, ADilatedConvolutionIsSplitAlongEachAxisByItself) {
  const auto chunked = [](const std::string& line, const std::string& stride = "1,1") {
    return whole_work(line + " stride=" + stride).macs / 32 / 32;
  };
  const std::string line = "Conv2d in=1x1x1000x32:ufx8 in=1x3x32x32:sfx8 pad_amount=0,0,";
  EXPECT_EQ(chunked(line + "1,1 dilation=1,1"), 3U * 8 * 1000);
  EXPECT_EQ(chunked(line + "8,8 dilation=1,8"), 3U * 8 * 1024);
  EXPECT_EQ(chunked(line + "8,8 dilation=8,8"), 3U * 8 * 1024);
  EXPECT_EQ(chunked(line + "4000,4000 dilation=1,4000"), 3U * 8 * 8 * 1000);
  const std::string square = "Conv2d in=1x8x8x32:ufx8 in=3x3x32x32:sfx8 ";
  EXPECT_EQ(chunked(square + "pad_amount=2,2,2,2 dilation=2,2"), 9U * 4 * 64);
  EXPECT_EQ(chunked(square + "pad_amount=24,24,24,24 dilation=24,24"), 9U * 64 * 64);
  const std::string larger = "Conv2d in=1x16x16x32:ufx8 in=3x3x32x32:sfx8 pad_amount=2,2,2,2 dilation=2,2";
  EXPECT_EQ(chunked(larger, "2,2"), 9U * 64) << "outputs of one parity: one map";
}

// 64 rows of bytes, 32 of anything wider; a product of 16 by 16 bits takes two passes.
TEST(Work, AttentionCountsTheRowsOfItsType) {
  const auto attention = [](const std::string& type) {
    const std::string rows = " in=1x32x32:" + type;
    return whole_work("GroupQueryAttention" + rows + " in=1:i32 in=scalar:i32" + rows + rows +
                      " num_heads=1 kv_num_heads=1")
        .macs;
  };
  EXPECT_EQ(attention("f16"), 2U * 32 * 32 * 32);
  EXPECT_EQ(attention("ufx8"), 2U * 64 * 32 * 32);
  EXPECT_EQ(attention("ufx16"), 2U * 2 * 32 * 32 * 32);
}

TEST(Work, VectorOpsCountVectorsAndBytes) {
  for (const char* line :
       {"Relu in=1x256:ufx8", "Softmax in=2x128:ufx8", "ElementWiseAdd in=256:ufx8 in=256:ufx8",
        "PoolMax2d in=1x2x4x64:ufx8 filter_size=2,2 stride=1,1 pad_amount=0,1,0,0"}) {
    SCOPED_TRACE(line);
    const Work work = whole_work(line);
    EXPECT_EQ(work.unit, soc::Unit::kHvx);
    EXPECT_EQ(work.macs, 0U);
    EXPECT_GE(work.vector_ops, 2U * 2);
    EXPECT_LE(work.vector_ops, 2U * 200);
    EXPECT_GE(work.vtcm_bytes, 512U);
  }
}

Work work_by_kinds(const std::string& line) {
  const OpCase c(line);
  return work_of(*c.op, c.call(), c.whole());
}

// What the simulator is told of vectors: 2048 bytes, which nothing pads, are 16 of them.
TEST(Work, VectorsAreCountedByTheirKind) {
  struct Row {
    const char* line;
    VectorKind kind;
    uint64_t vectors;
  };
  for (const Row& row : {
           Row{"Relu in=1x8x8x32:ufx8", VectorKind::kElementwise, 16 + 16},
           Row{"ElementWiseAdd in=1x8x8x32:ufx8 in=1x8x8x32:ufx8", VectorKind::kElementwise, 16 + 16 + 16},
           Row{"ElementWiseDivide in=1x8x8x32:ufx8 in=1x8x8x32:ufx8", VectorKind::kQuotient, 16},
           Row{"Sigmoid in=1x8x8x32:ufx8", VectorKind::kActivation, 16},
           Row{"Softmax out=ufx8 in=1x8x8x32:ufx8", VectorKind::kSoftmax, 16},
           Row{"Transpose in=1x8x8x32:ufx8 perm=0,2,1,3", VectorKind::kLayout, 16 + 16},
           Row{"Concat out=ufx8 in=1x8x8x32:ufx8 in=1x8x8x32:ufx8 axis=3", VectorKind::kConcat, 16 + 16 + 32},
       }) {
    const Work work = work_by_kinds(row.line);
    EXPECT_EQ(work.of(row.kind), row.vectors) << row.line;
    EXPECT_EQ(work.vector_ops, 0U) << row.line << ": it is not paid twice";
  }
}

TEST(Work, OpsWithoutAKindAreCountedByInstructions) {
  const Work work = work_by_kinds("Tile in=1x8x8x32:ufx8 multiples=1,1,1,2");
  for (const uint64_t vectors : work.vectors) EXPECT_EQ(vectors, 0U);
  EXPECT_GT(work.vector_ops, 0U);
}

TEST(Region, InputBoxesAreNoLargerThanNeeded) {
  const auto needed = [](const char* line, size_t input, const ir::Box& box) {
    const OpCase c{std::string(line)};
    return input_box(*c.op, c.call(), input, box).to_string();
  };
  const char* conv = "Conv2d in=1x8x8x8:f16 in=3x3x4x6:f16 in=6:f16 stride=2,1 pad_amount=1,1,1,1 group=2";
  EXPECT_EQ(needed(conv, 0, {{0, 1, 2, 0}, {1, 3, 4, 3}}), "[0:1, 1:6, 1:5, 0:4]");
  EXPECT_EQ(needed(conv, 0, {{0, 0, 7, 2}, {1, 1, 8, 4}}), "[0:1, 0:2, 6:8, 0:8]");
  EXPECT_EQ(needed(conv, 1, {{0, 0, 0, 1}, {1, 1, 1, 5}}), "[0:3, 0:3, 0:4, 1:5]");
  EXPECT_EQ(needed(conv, 2, {{0, 0, 0, 1}, {1, 1, 1, 5}}), "[1:5]");
  const char* matmul = "MatMul in=2x1x5x3:f16 in=4x2x3:f16 transpose_in1=1";
  EXPECT_EQ(needed(matmul, 0, {{1, 1, 2, 0}, {2, 3, 4, 1}}), "[1:2, 0:1, 2:4, 0:3]");
  EXPECT_EQ(needed(matmul, 1, {{1, 1, 2, 0}, {2, 3, 4, 1}}), "[1:3, 0:1, 0:3]");
  EXPECT_EQ(needed("PoolMax2d in=1x9x9x4:f16 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1", 0,
                   {{0, 1, 0, 1}, {1, 2, 2, 2}}),
            "[0:1, 1:4, 0:4, 1:2]");
  EXPECT_EQ(needed("ElementWiseAdd in=2x3x4:f16 in=3x1:f16", 1, {{0, 1, 2}, {1, 2, 4}}), "[1:2, 0:1]");
  EXPECT_EQ(needed("Softmax in=4x7:f16", 0, {{1, 2}, {2, 3}}), "[1:2, 0:7]");
}

}  // namespace
}  // namespace openqnn::ops
