// SPDX-License-Identifier: BSD-3-Clause
// What prepare makes of an op: stored operands and fused activations give the bits of the plain op.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kStoredProblems = 30;

TEST(Stored, PackedOperandsGiveTheSameBits) {
  for (const OpCase& plain : all_cases(kStoredProblems)) {
    SCOPED_TRACE(plain.problem.line);
    const OpCase stored = plain.stored();
    const OpCall call = stored.call();
    const Status status = validate_prepared(*stored.op, call);
    ASSERT_TRUE(status) << status.error().to_string();
    for (size_t i = 0; i < stored.inputs.size(); ++i)
      ASSERT_EQ(stored_bytes(*stored.op, call, i), stored.data[i].size()) << "input " << i;
    ASSERT_EQ(stored.run(), plain.run());
  }
}

}  // namespace
}  // namespace openqnn::ops
