// SPDX-License-Identifier: BSD-3-Clause
// Problems that are large enough for every part of a fast kernel: whole vectors, what is left behind them,
// and several rows. Each family lists its own:
//
//   INSTANTIATE_TEST_SUITE_P(Rows, FastKernels, testing::Values("Softmax in=3x197:ufx8", …));
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ops/op_case.h"

namespace openqnn::ops {

// The chosen kernel against the reference, on all of the output and on random parts of it.
inline void expect_the_bits_of_the_reference(const OpCase& c) {
  ASSERT_NE(choose_kernel(*c.op, c.call()).name, "reference");
  const Bytes expected = c.run_reference();
  ASSERT_EQ(c.run(), expected);
  if (!c.divides()) return;
  oracle::Random random(7);
  Bytes parts(c.output_bytes(), kUntouched);
  for (const ir::Box& part : random_partition(random, c.whole())) c.run_into(parts, part);
  ASSERT_EQ(parts, expected);
}

class FastKernels : public testing::TestWithParam<const char*> {};

TEST_P(FastKernels, GiveTheBitsOfTheReference) {
  for (const Specials specials : {Specials::kNone, Specials::kFinite, Specials::kAll}) {
    const OpCase c = OpCase(oracle::Problem::parse(GetParam()), specials).stored();
    expect_the_bits_of_the_reference(c);
  }
}

}  // namespace openqnn::ops
