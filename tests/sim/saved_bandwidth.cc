// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "device.h"

namespace openqnn::sim {
namespace {

TEST(SavedBandwidth, CompressedBytesTakeNoTime) {
  program::Task task = load(1600);
  EXPECT_EQ(cost_on(toy_target(), task).ddr.value, 100U);
  task.saved_bytes = 400;
  EXPECT_EQ(cost_on(toy_target(), task).ddr.value, 75U);
  task.saved_bytes = 1600;
  EXPECT_EQ(cost_on(toy_target(), task).ddr.value, 0U);
}

TEST(SavedBandwidth, TheSystemLevelCacheIsFaster) {
  soc::Target target = toy_target();
  target.timing.slc_speed = 2;
  program::Task task = store(1600);
  EXPECT_EQ(cost_on(target, task).ddr.value, 100U) << "to DDR";
  task.in_slc = true;
  EXPECT_EQ(cost_on(target, task).ddr.value, 50U);
  task.saved_bytes = 800;
  EXPECT_EQ(cost_on(target, task).ddr.value, 25U) << "compressed as well";
}

TEST(SavedBandwidth, SettingATransferUpCostsTheSame) {
  soc::Target target = toy_target();
  target.timing.dma_setup_cycles = 30;
  target.timing.slc_speed = 2;
  program::Task task = load(1600);
  task.in_slc = true;
  EXPECT_EQ(cost_on(target, task).dma.value, 30U);
}

}  // namespace
}  // namespace openqnn::sim
