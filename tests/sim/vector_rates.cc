// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

// An op of no kind that stands at the graph's end computes, and brings its result into the client's layout.
TEST(VectorRates, InstructionsCountBesideVectorsOfAKind) {
  const soc::Target target = toy_target();
  program::Task task = hvx(40);
  const uint64_t alone = cost_on(target, task).vector.value;
  task.work.of(soc::VectorKind::kLayout) = 10;
  EXPECT_EQ(cost_on(target, task).vector.value, alone + 20);
}

}  // namespace
}  // namespace openqnn::sim
