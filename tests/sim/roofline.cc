// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

program::Schedule one_after_the_other() {
  program::Task both = hmx(100'000, 8, {0});
  both.work.vector_ops = 40;
  return schedule(1, {load(1600), both, hvx(50, {1}), store(800, {2})});
}

Timeline roofline(const soc::Target& target, const program::Schedule& what) {
  return simulate(what, target, PowerState::of(target), ModelLevel::kRoofline);
}

TEST(Roofline, TheBusiestUnitIsTheTotal) {
  const Timeline timeline = roofline(toy_target(), one_after_the_other());
  EXPECT_EQ(timeline.total.value, 150U);  // DMA's 100 + 50; HMX has 100, HVX 40 + 50
  EXPECT_EQ(run(one_after_the_other()).total.value, 100U + 40 + 100 + 50 + 50);
}

TEST(Roofline, StartsCostNothing) {
  soc::Target target = toy_target();
  target.timing.task_cycles = 1000;
  target.timing.dma_setup_cycles = 1000;
  EXPECT_EQ(roofline(target, one_after_the_other()).total.value, 150U);
}

TEST(Roofline, SaysWhichModelItIs) {
  EXPECT_TRUE(roofline(toy_target(), one_after_the_other()).model.starts_with("roofline model"));
  EXPECT_TRUE(run(one_after_the_other()).model.starts_with("event model"));
}

}  // namespace
}  // namespace openqnn::sim
