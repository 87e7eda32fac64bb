// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/thread_priority.h"

#include <gtest/gtest.h>

#include "QnnTypes.h"

namespace openqnn::runtime {
namespace {

// The documents' table, written down a second time.
// feature: B8 (inside)
TEST(ThreadPriority, TheTable) {
  struct Row {
    uint32_t priority;
    ThreadPriorities threads;
  };
  const Row rows[] = {{0, {0xC5, 0xC6}},   {50, {0xC3, 0xC4}},  {100, {0xC0, 0xC1}}, {150, {0xBD, 0xBE}},
                      {200, {0xBB, 0xBC}}, {300, {0xB6, 0xB7}}, {400, {0xB1, 0xB2}}, {500, {0xAC, 0xAD}}};
  for (const Row& row : rows) EXPECT_EQ(thread_priorities(row.priority), row.threads) << row.priority;
  EXPECT_EQ(thread_priorities(QNN_PRIORITY_DEFAULT), thread_priorities(100));
  EXPECT_EQ(thread_priorities(QNN_PRIORITY_LOWEST), thread_priorities(0));
  EXPECT_EQ(thread_priorities(QNN_PRIORITY_HIGHEST), thread_priorities(500));
  for (const uint32_t none : {1U, 99U, 501U, 0x7FFFFFFFU}) EXPECT_FALSE(thread_priorities(none)) << none;
}

TEST(ThreadPriority, OnWindowsAllLevelsAreAlike) {
  for (const uint32_t priority : {0U, 100U, 500U})
    EXPECT_EQ(thread_priorities(priority, Platform::kWindows), (ThreadPriorities{0xC0, 0xC1})) << priority;
}

TEST(ThreadPriority, InWords) {
  EXPECT_EQ(priority_text(200), "priority 200: HMX threads at 0xBB, HVX threads at 0xBC");
  EXPECT_EQ(priority_text(7), "priority 7");
}

}  // namespace
}  // namespace openqnn::runtime
