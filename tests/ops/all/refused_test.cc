// SPDX-License-Identifier: BSD-3-Clause
// Ops that are known but not computed.
#include "ops/refused.h"

#include <gtest/gtest.h>

#include "ops/op.h"

namespace openqnn::ops {
namespace {

TEST(Refused, TheTableNamesOpsThatAreNotComputed) {
  for (const RefusedOp& refused : refused_ops()) {
    EXPECT_NE(find_schema(refused.type), nullptr) << refused.type << " is no op type";
    EXPECT_EQ(find_op(refused.type), nullptr) << refused.type << " is computed: take it out of refused.cc";
    EXPECT_FALSE(refused.why.empty()) << refused.type;
  }
}

TEST(Refused, EveryOpIsComputedOrHasAReason) {
  for (const Schema& schema : all_schemas())
    EXPECT_EQ(why_not_computed(schema.type).empty(), find_op(schema.type) != nullptr) << schema.type;
}

TEST(Refused, ValidateTellsTheReason) {
  for (const RefusedOp& refused : refused_ops()) {
    const Status status = validate(refused.type, OpCall{});
    ASSERT_FALSE(status) << refused.type;
    EXPECT_EQ(status.error().code, "op-not-computed");
    EXPECT_EQ(status.error().failure, Failure::kUnsupported);
    EXPECT_NE(status.error().message.find(refused.why), std::string::npos) << status.error().message;
  }
}

}  // namespace
}  // namespace openqnn::ops
