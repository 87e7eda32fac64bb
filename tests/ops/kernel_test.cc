// SPDX-License-Identifier: BSD-3-Clause
// Fast kernels give the bits of the reference, whatever they are asked to compute at a time.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kRandomProblems = 20;

TEST(Kernel, FastOnesGiveTheBitsOfTheReference) {
  oracle::Random random(5);
  for (OpCase& plain : all_cases(kRandomProblems)) {
    if (plain.op->kernels.size() < 2) continue;
    SCOPED_TRACE(plain.problem.line);
    for (const auto accumulation : {soc::HalfAccumulation::kSequential, soc::HalfAccumulation::kEvenOdd}) {
      plain.half_accumulation = accumulation;
      const OpCase c = plain.stored();
      ASSERT_EQ(c.run(), c.run_reference());
      if (!c.divides()) continue;
      Bytes parts(c.output_bytes(), kUntouched);
      for (const ir::Box& part : random_partition(random, c.whole())) c.run_into(parts, part);
      ASSERT_EQ(parts, c.run_reference());
    }
  }
}

TEST(Kernel, TheirRegionsCoverTheOutput) {
  for (const OpCase& plain : all_cases(kRandomProblems)) {
    const OpCase c = plain.stored();
    const OpCall call = c.call();
    const Kernel& kernel = choose_kernel(*c.op, call);
    if (!kernel.divide) continue;
    SCOPED_TRACE(c.problem.line);
    for (const size_t wanted : {1, 2, 8, 64}) {
      Bytes out(c.output_bytes(), kUntouched);
      for (const ir::Box& part : kernel.divide(call, wanted)) c.run_into(out, part);
      ASSERT_EQ(out, c.run_reference()) << wanted;
    }
  }
}

}  // namespace
}  // namespace openqnn::ops
