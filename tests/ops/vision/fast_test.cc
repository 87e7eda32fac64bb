// SPDX-License-Identifier: BSD-3-Clause
#include "ops/fast_cases.h"

namespace openqnn::ops {
namespace {

// Up and down, by every rule of places; elements that move, that are mixed, and that are requantized.
INSTANTIATE_TEST_SUITE_P(
    Resizes, FastKernels,
    testing::Values("ResizeBilinear in=2x9x11x35:ufx8 to=18,22 half_pixel_centers=1",
                    "ResizeBilinear in=1x9x11x3:ufx8 to=20,5 align_corners=1",
                    "ResizeBilinear in=1x9x11x64:f16 to=18,22",
                    "ResizeBilinear in=1x19x11x5:f16 to=4,3 antialias=1",
                    "ResizeBilinear in=1x9x11x17:ufx16 to=13,12 half_pixel_centers=1",
                    "ResizeNearestNeighbor in=2x9x11x35:ufx8 to=18,22",
                    "ResizeNearestNeighbor in=1x9x11x3:f16 to=27,4 half_pixel_centers=1",
                    "ResizeNearestNeighbor in=1x9x11x1:ufx8 to=18,22 align_corners=1",
                    "Resize in=1x7x8x19:f16 to=15,9 interpolation_mode=2 exclude_outside=1",
                    "Resize in=1x7x8x19:ufx8 to=3,9 interpolation_mode=1 transformation_mode=2"));

// Neighbours whose encodings stay are copied.
TEST(FastResizes, CopyPixels) {
  for (const std::string type : {"ufx8", "f16", "ufx16"})
    for (const std::string channels : {"1", "2", "3", "4", "8", "35"}) {
      OpCase c{"ResizeNearestNeighbor in=2x5x7x" + channels + ":" + type + " to=11,13"};
      c.outputs[0].quantization = c.inputs[0].quantization;
      SCOPED_TRACE(type + " " + channels);
      ASSERT_EQ(choose_kernel(*c.op, c.call()).name, "pixels");
      expect_the_bits_of_the_reference(c);
    }
}

// Few channels, whole vectors of them, and more; windows that stick out into padding, and of padding alone.
INSTANTIATE_TEST_SUITE_P(
    Means, FastKernels,
    testing::Values(
        "PoolAvg2d in=1x9x11x70:ufx8 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
        "PoolAvg2d in=1x9x11x70:ufx8 filter_size=3,2 stride=2,1 pad_amount=1,0,1,0 count_pad_for_edges=1",
        "PoolAvg2d in=2x14x14x33:sfx8 filter_size=14,14 stride=1,1",
        "PoolAvg2d in=2x14x14x5:ufx8 filter_size=14,14 stride=1,1",
        "PoolAvg2d in=1x14x14x40:ufx16 filter_size=14,14 stride=1,1",
        "PoolAvg2d in=1x40x40x17:ufx16 filter_size=40,40 stride=1,1",
        "PoolAvg2d in=2x14x14x33:f16 filter_size=14,14 stride=1,1",
        "PoolAvg2d in=1x9x11x5:f16 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
        "PoolAvg3d in=1x5x6x7x33:ufx8 filter_size=2,3,3 stride=1,2,2 pad_amount=1,1,1,1,1,1"));

INSTANTIATE_TEST_SUITE_P(
    Maxima, FastKernels,
    testing::Values("PoolMax2d in=2x9x11x150:f16 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
                    "PoolMax2d in=2x9x11x5:f16 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1",
                    "PoolMax2d in=1x4x4x40:f16 filter_size=2,2 stride=2,2 pad_amount=3,3,3,3",
                    "PoolMax3d in=1x5x6x7x33:f16 filter_size=2,3,3 stride=1,2,2 pad_amount=1,1,1,1,1,1",
                    "PoolMax2d in=1x9x11x70:ufx8 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1"));

// With the input's encoding for the output, stored integers are compared as they are.
TEST(FastMaxima, GiveTheBitsOfTheReference) {
  for (const std::string type : {"ufx8", "sfx8", "ufx16"})
    for (const std::string channels : {"3", "64", "150"}) {
      OpCase c{"PoolMax2d in=2x9x11x" + channels + ":" + type +
               " filter_size=2,3 stride=2,2 pad_amount=3,1,1,3"};
      c.outputs[0].quantization = c.inputs[0].quantization;
      SCOPED_TRACE(type + " " + channels);
      ASSERT_EQ(choose_kernel(*c.op, c.call()).name, "stored");
      expect_the_bits_of_the_reference(c);
    }
}

}  // namespace
}  // namespace openqnn::ops
