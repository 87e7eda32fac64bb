// SPDX-License-Identifier: BSD-3-Clause
#include "ops/fast_cases.h"

namespace openqnn::ops {
namespace {

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
