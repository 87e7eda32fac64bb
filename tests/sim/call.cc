// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(Call, DurationsNest) {
  soc::Target target = toy_target();
  target.timing.rpc_us = 87.5;
  target.timing.client_us = 43;
  const Timeline timeline = run_on(target, schedule(1, {hvx(1'000'000)}));
  EXPECT_EQ(timeline.accelerator.value, 1'000'000U);
  EXPECT_EQ(timeline.rpc.value, 1'087'500U);
  EXPECT_EQ(timeline.client.value, 1'130'500U);
  EXPECT_LE(timeline.accelerator, timeline.rpc);
  EXPECT_LE(timeline.rpc, timeline.client);
}

TEST(Call, TheModelSaysWhereItsNumbersComeFrom) {
  const Timeline timeline = run(schedule(1, {}));
  EXPECT_EQ(timeline.model, "event model, v75: toy numbers");
  EXPECT_EQ(timeline.error_band, 0.5);
}

}  // namespace
}  // namespace openqnn::sim
