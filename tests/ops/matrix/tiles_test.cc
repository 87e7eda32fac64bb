// SPDX-License-Identifier: BSD-3-Clause
// Products that need several tiles each way, of every form that the tiles' kernels tell apart.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

class Tiles : public testing::TestWithParam<const char*> {};

TEST_P(Tiles, GiveTheBitsOfTheReference) {
  OpCase plain{std::string(GetParam())};
  for (const auto accumulation : {soc::HalfAccumulation::kSequential, soc::HalfAccumulation::kEvenOdd}) {
    plain.half_accumulation = accumulation;
    const OpCase c = plain.stored();
    ASSERT_NE(choose_kernel(*c.op, c.call()).name, "reference");
    ASSERT_EQ(c.run(), c.run_reference());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bytes, Tiles,
    testing::Values(
        // Rows where they lie, one tap and several, with padding and steps.
        "Conv2d in=1x9x11x64:ufx8 in=1x1x64x80:sfx8:static in=80:sfx32:static stride=1,1 pad_amount=0,0,0,0",
        "Conv2d in=2x9x11x32:ufx8 in=3x3x32x70:sfx8:static:axis in=70:sfx32:static stride=2,2 "
        "pad_amount=1,1,1,1",
        // Copied rows: few channels, channels that are no multiple of 4, signed activations, a border.
        "Conv2d in=1x17x17x3:ufx8 in=7x7x3x64:sfx8:static in=64:sfx32:static stride=2,2 pad_amount=3,3,3,3",
        "Conv2d in=1x9x9x37:ufx8 in=3x3x37x33:sfx8:static in=33:sfx32:static stride=1,1 pad_amount=0,2,2,0",
        "Conv2d in=1x9x9x36:sfx8 in=3x3x36x33:sfx8:static in=33:sfx32:static stride=1,1 pad_amount=1,1,1,1",
        // Filters so far apart that what lies between them has no room.
        "Conv2d in=1x5x150x4:ufx8 in=3x3x4x40:sfx8:static in=40:sfx32:static stride=1,10 pad_amount=0,0,0,0",
        // Weights with an offset; groups; two bytes an activation.
        "Conv2d in=1x7x7x64:ufx8 in=3x3x64x64:ufx8:static in=64:sfx32:static stride=1,1 pad_amount=1,1,1,1",
        "Conv2d in=1x7x7x64:ufx8 in=3x3x16x160:sfx8:static in=160:sfx32:static stride=1,1 pad_amount=1,1,1,1 "
        "group=4",
        "Conv2d in=1x7x7x64:ufx16 in=3x3x64x70:sfx8:static in=70:sfx32:static stride=1,1 pad_amount=1,1,1,1",
        "Conv2d in=1x7x7x65:ufx16 in=3x3x65x70:ufx8:static in=70:sfx32:static stride=1,1 pad_amount=1,1,1,1",
        // Weights of 4 bits.
        "Conv2d in=1x7x7x64:ufx8 in=3x3x64x70:sfx8:static:axis:bits4 in=70:sfx32:static stride=1,1 "
        "pad_amount=1,1,1,1",
        "FullyConnected in=3x300:ufx16 in=100x300:sfx8:static:bits4 in=100:sfx32:static",
        // Depth-wise: channels in several blocks, signed activations, weights of more than 8 bits with their
        // offset.
        "DepthWiseConv2d in=1x9x9x150:ufx8 in=3x3x1x150:sfx8:static:axis in=150:sfx32:static stride=2,2 "
        "pad_amount=1,1,1,1",
        "DepthWiseConv2d in=1x9x9x70:sfx8 in=5x5x1x70:sfx8:static in=70:sfx32:static stride=1,1 "
        "pad_amount=2,2,2,2",
        "DepthWiseConv2d in=1x9x9x70:ufx8 in=3x3x1x70:ufx8:static in=70:sfx32:static stride=1,1 "
        "pad_amount=1,1,1,1",
        "FullyConnected in=30x300:ufx8 in=100x300:sfx8:static in=100:sfx32:static",
        "FullyConnected in=1x4096:ufx16 in=100x4096:sfx8:static in=100:sfx32:static",
        "MatMul in=2x29x301:ufx8 in=301x70:sfx8:static",
        // Weights that come at run time.
        "MatMul in=3x29x65:ufx8 in=3x65x70:ufx8", "MatMul in=3x29x64:ufx8 in=3x70x64:ufx8 transpose_in1=1",
        "MatMul in=3x9x65:ufx16 in=3x65x70:ufx8",
        // Depth-wise weights whose offset is far from 0.
        "DepthWiseConv2d in=1x5x5x40:ufx8 in=5x5x1x40:ufx8:static stride=1,1 pad_amount=2,2,2,2",
        // 16-bit activations, with weights of 8 bits and of 16, which are cut in two.
        "DepthWiseConv2d in=1x9x9x70:ufx16 in=3x3x1x70:sfx8:static:axis in=70:sfx32:static stride=2,2 "
        "pad_amount=1,1,1,1",
        "DepthWiseConv2d in=2x7x6x96:ufx16 in=5x5x1x96:ufx8:static stride=1,1 pad_amount=2,2,2,2",
        "DepthWiseConv2d in=1x6x7x33:ufx16 in=3x3x1x33:sfx16:static in=33:sfx32:static stride=1,1 "
        "pad_amount=1,1,1,1"));

INSTANTIATE_TEST_SUITE_P(
    Halves, Tiles,
    testing::Values(
        "Conv2d in=1x9x11x64:f16 in=1x1x64x80:f16:static in=80:f16:static stride=1,1 pad_amount=0,0,0,0",
        "Conv2d in=2x9x11x33:f16 in=3x3x33x70:f16:static in=70:f16:static stride=2,2 pad_amount=1,1,1,1",
        "Conv2d in=1x17x17x3:f16 in=7x7x3x64:f16:static stride=2,2 pad_amount=3,3,3,3",
        // Filters so far apart that what lies between them has no room.
        "Conv2d in=1x5x150x4:f16 in=3x3x4x40:f16:static stride=1,10 pad_amount=0,0,0,0",
        "Conv2d in=1x7x7x64:f16 in=3x3x16x160:f16:static in=160:f16:static stride=1,1 pad_amount=1,1,1,1 "
        "group=4",
        "DepthWiseConv2d in=1x9x9x70:f16 in=3x3x1x70:f16:static in=70:f16:static stride=1,1 "
        "pad_amount=1,1,1,1",
        "TransposeConv2d in=1x7x7x20:f16 in=3x3x20x40:f16:static stride=2,2 pad_amount=1,1,1,1",
        "FullyConnected in=30x300:f16 in=100x300:f16:static in=100:f16:static",
        "MatMul in=2x29x301:f16 in=301x70:f16:static", "MatMul in=3x29x65:f16 in=3x65x70:f16",
        "MatMul in=3x29x64:f16 in=3x70x64:f16 transpose_in1=1"));

TEST(TilesEnd, InEveryActivationWithTheBitsOfTheReference) {
  for (const char* line :
       {"Conv2d in=1x5x7x20:f16 in=3x3x20x70:f16:static in=70:f16:static stride=1,1 pad_amount=1,1,1,1",
        "FullyConnected in=3x40:f16 in=100x40:f16:static in=100:f16:static",
        "DepthWiseConv2d in=1x5x9x70:f16 in=3x3x1x70:f16:static in=70:f16:static stride=1,1 "
        "pad_amount=1,1,1,1"})
    for (const Activation activation :
         {Activation::kRelu, Activation::kClamp, Activation::kSigmoid, Activation::kTanh, Activation::kGelu})
      for (const Specials specials : {Specials::kNone, Specials::kAll})
        for (const bool fast : {false, true}) {
          OpCase plain(oracle::Problem::parse(line), specials);
          plain.epilogue = {activation, -0.5F, 2.0F};
          plain.fast_sigmoid = fast;
          const OpCase c = plain.stored();
          ASSERT_EQ(c.run(), c.run_reference()) << line << ", activation " << static_cast<int>(activation);
        }
}

// A matrix of one row is padded to 32, and packing it at run time would take that much memory.
TEST(TilesDecline, WhatTakesTooMuchMemory) {
  OpCase c{std::string("MatMul in=2x1:f16 in=1x3:f16")};
  c.inputs[1].shape = {1, 1U << 23};
  c.outputs[0].shape = {2, 1U << 23};
  std::vector<std::string> reasons;
  EXPECT_EQ(choose_kernel(*c.op, c.call(), &reasons).name, "reference");
  ASSERT_FALSE(reasons.empty());
  EXPECT_NE(reasons[0].find("bytes of memory for each thread"), std::string::npos) << reasons[0];
}

}  // namespace
}  // namespace openqnn::ops
