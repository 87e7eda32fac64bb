// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "ops/fast_cases.h"

namespace openqnn::ops {
namespace {

INSTANTIATE_TEST_SUITE_P(Softmax, FastKernels,
                         testing::Values("Softmax in=1x12x19x197:ufx8 out=ufx8",
                                         "Softmax in=12x19x197:sfx8 out=sfx8",
                                         "Softmax in=9x64:ufx8 out=ufx8",
                                         "Softmax in=9x300:ufx8 out=ufx8 beta=0.1",
                                         "Softmax in=9x1000:ufx8 out=ufx8 beta=30",
                                         "Softmax in=12x19x197:f16", "Softmax in=9x1000:f16 beta=3",
                                         "Softmax in=9x8:f16", "Softmax in=3x197:ufx16 out=ufx16"));

INSTANTIATE_TEST_SUITE_P(
    Norms, FastKernels,
    testing::Values("LayerNorm in=19x768:ufx8 in=768:ufx8:static in=768:sfx32:static axes=1",
                    "LayerNorm in=19x200:ufx8 in=200:ufx8:static axes=1", "LayerNorm in=19x200:ufx8 axes=1",
                    "LayerNorm in=19x768:f16 in=768:f16:static in=768:f16:static axes=1",
                    "LayerNorm in=19x193:f16 in=193:f16:static axes=1", "LayerNorm in=19x193:f16 axes=1",
                    "RmsNorm in=19x193:f16 in=193:f16:static axes=1"));

// Kept and reduced dimensions last, several of both, rows of more than one block.
INSTANTIATE_TEST_SUITE_P(
    Reductions, FastKernels,
    testing::Values("ReduceMean in=2x7x7x130:ufx8 axes=1,2",
                    "ReduceMean in=2x7x7x130:f16 axes=1,2 keep_dims=1", "ReduceMean in=3x5x197:ufx8 axes=2",
                    "ReduceMean in=3x5x1200:f16 axes=2 keep_dims=1",
                    "ReduceMean in=2x3x4x5x20:f16 axes=0,2,4", "ReduceSum in=5x4x600:ufx16 axes=0",
                    "ReduceSum in=5x4x60:sfx8 axes=1,2", "ReduceMax in=4x9x77:f16 axes=2",
                    "ReduceMax in=4x9x77:sfx8 axes=0,1", "ReduceMin in=4x9x1077:f16 axes=0,2",
                    "ReduceMin in=4x9x77:ufx16 axes=1", "ReduceProd in=3x5x70:f16 axes=0",
                    "ReduceSumSquare in=3x5x70:f16 axes=0,1", "ReduceSumSquare in=9x70:ufx8 axes=0"));

// Every distance from the largest, by encodings of the output that are coarse, fine and shifted.
TEST(FastSoftmax, GivesTheBitsOfTheReference) {
  for (const std::string type : {"ufx8", "sfx8"})
    for (const float in_scale : {0.001F, 0.05F, 0.7F})
      for (const float out_scale : {1.0F / 256, 1e-6F, 0.01F, 4.0F})
        for (const int32_t offset : {0, -100, 7}) {
          OpCase c{"Softmax in=20x256:" + type + " out=" + type};
          for (size_t i = 0; i < c.data[0].size() / 2; ++i) c.data[0][i] = static_cast<std::byte>(i);
          c.inputs[0].quantization = ir::Quantization::per_tensor(in_scale, 3);
          c.outputs[0].quantization = ir::Quantization::per_tensor(out_scale, offset);
          SCOPED_TRACE(type + " " + std::to_string(in_scale) + " " + std::to_string(out_scale));
          ASSERT_EQ(c.run(), c.run_reference());
        }
}

// Two elements that share all of the weight, by scales of which each has almost a whole number and a half.
TEST(FastSoftmax, RoundsHalvesAsTheReference) {
  for (uint32_t odd = 3; odd < 512; odd += 2) {
    OpCase c{std::string("Softmax in=2x64:ufx8 out=ufx8")};
    std::ranges::fill(c.data[0], std::byte{0});
    for (const size_t at : {3, 60, 64, 65}) c.data[0][at] = std::byte{255};
    c.inputs[0].quantization = ir::Quantization::per_tensor(0.7F, 0);
    c.outputs[0].quantization = ir::Quantization::per_tensor(1.0F / static_cast<float>(odd), 0);
    ASSERT_EQ(choose_kernel(*c.op, c.call()).name, "bytes");
    ASSERT_EQ(c.run(), c.run_reference()) << odd;
  }
}

// Rows that hardly vary, which are divided by very little, and encodings that leave no room for float.
TEST(FastNorm, GivesTheBitsOfTheReference) {
  for (const float scale : {1e-6F, 0.03F, 50.0F})
    for (const float out_scale : {1e-4F, 0.02F, 3.0F}) {
      OpCase c{"LayerNorm in=20x192:ufx8 in=192:ufx8:static in=192:sfx32:static axes=1"};
      for (size_t i = 0; i < 192; ++i) c.data[0][i] = static_cast<std::byte>(100 + i / 191);
      c.inputs[0].quantization = ir::Quantization::per_tensor(scale, -101);
      c.outputs[0].quantization = ir::Quantization::per_tensor(out_scale, -120);
      SCOPED_TRACE(std::to_string(scale) + " " + std::to_string(out_scale));
      ASSERT_EQ(c.run(), c.run_reference());
    }
}

}  // namespace
}  // namespace openqnn::ops
