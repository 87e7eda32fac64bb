// SPDX-License-Identifier: BSD-3-Clause
#include "ops/fast_cases.h"

namespace openqnn::ops {
namespace {

INSTANTIATE_TEST_SUITE_P(Joins, FastKernels,
                         testing::Values("Concat in=1x1x77:f16 in=1x9x77:f16 axis=1 out=f16",
                                         "Concat in=3x5x7:ufx8 in=3x5x300:ufx8 axis=2 out=ufx8",
                                         "Concat in=2x3x5x7:f16 in=2x3x4x7:f16 in=2x3x1x7:f16 axis=2 out=f16",
                                         "Concat in=2x3x5x7:f16 in=1x3x5x7:f16 axis=0 out=f16",
                                         "Concat in=2x3x5x7:f16 axis=3 out=f16",
                                         "Concat in=2x9x70:ufx8 in=2x9x33:ufx8 axis=2 out=ufx8",
                                         "Concat in=2x9x70:sfx8 in=2x9x33:sfx8 axis=2 out=sfx8",
                                         "Split in=2x9x35:f16 axis=1 split_index=2,3 out=f16 out=f16 out=f16",
                                         "Split in=2x9x35:ufx8 axis=2 split_index=30 out=ufx8 out=ufx8",
                                         "Split in=2x9x35:f16 axis=0 split_index=1 out=f16 out=f16"));

INSTANTIATE_TEST_SUITE_P(Gathers, FastKernels,
                         testing::Values("Gather in=9x5x77:f16 in=4:i32 axis=0",
                                         "Gather in=5x9x77:ufx8 in=3x2:i32 axis=1",
                                         "Gather in=5x9x7x11:f16 in=6:u32 axis=1"));

// Images by channel to channels by pixel, and back; matrices of whole squares and their edges.
TEST(FastTransposes, GiveTheBitsOfTheReference) {
  for (const std::string type : {"ufx8", "f16", "i32"})
    for (const std::string shape : {"2x3x17x19", "1x4x17x19", "1x5x17x19", "1x37x3x64"})
      for (const std::string perm : {"0,2,3,1", "0,3,1,2", "0,1,3,2"}) {
        OpCase c{"Transpose in=" + shape + ":" + type + " perm=" + perm};
        c.outputs[0].quantization = c.inputs[0].quantization;
        SCOPED_TRACE(shape + " " + type + " " + perm);
        expect_the_bits_of_the_reference(c);
      }
}

}  // namespace
}  // namespace openqnn::ops
