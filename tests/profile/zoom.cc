// SPDX-License-Identifier: BSD-3-Clause
#include "profile/zoom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample.h"

namespace openqnn::profile {
namespace {

using testing::HasSubstr;

TracedRun run_of_sample() {
  Sample s = sample();
  s.program.source_nodes = {"a", "b"};
  s.program.ops[0].inputs = {0, 1};
  s.program.ops[0].outputs = {2};
  s.program.ops[0].source_nodes = {0};
  s.program.ops[1].inputs = {2};
  s.program.ops[1].outputs = {3};
  s.program.ops[1].source_nodes = {1};
  return {s.program, s.timeline};
}

// feature: D5 (report)
TEST(Zoom, KeepsTheOpsBetweenTwoNodes) {
  const auto part = zoom(run_of_sample(), "tanh", "tanh", {});
  ASSERT_TRUE(part.ok()) << part.error().to_string();
  ASSERT_EQ(part->program.ops.size(), 1U);
  EXPECT_EQ(part->program.ops[0].name, "tanh");
  ASSERT_EQ(part->timeline.events.size(), 4U);  // two tiles and two stores
  EXPECT_EQ(part->timeline.events[0].start.value, 0U);
  EXPECT_EQ(part->timeline.total.value, 2150U - 900U);
  for (const program::Task& task : part->program.schedule.tasks) EXPECT_EQ(task.op, 0U);
  for (const sim::Event& event : part->timeline.events)
    EXPECT_LT(event.task, part->program.schedule.tasks.size());
  const auto all = zoom(run_of_sample(), "conv", "tanh", {});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->timeline.total.value, 2150U);
}

TEST(Zoom, KeepsTheYieldsOfThePart) {
  TracedRun run = run_of_sample();
  run.timeline.acquire = {77};
  run.timeline.yields = {{.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}},
                         {.start = {1000}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  const auto part = zoom(std::move(run), "tanh", "tanh", {});  // begins at 900
  ASSERT_TRUE(part.ok());
  ASSERT_EQ(part->timeline.yields.size(), 1U);
  EXPECT_EQ(part->timeline.yields[0].start.value, 100U);
  EXPECT_EQ(part->timeline.acquire.value, 0U) << "the whole call waited";
}

// feature: D5 (report)
TEST(Zoom, TakesNamesOfNodesAndOfTheFile) {
  EXPECT_EQ(zoom(run_of_sample(), "b", "b", {})->program.ops[0].name, "tanh");
  const Traceback traceback = {{"b", {"/act/Tanh"}}};
  EXPECT_EQ(zoom(run_of_sample(), "/act/Tanh", "b", traceback)->program.ops[0].name, "tanh");
  const auto unknown = zoom(run_of_sample(), "/act/Tanh", "b", {});
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().to_string(), HasSubstr("names of the model's file need --dlc"));
}

TEST(Zoom, RefusesTheWrongOrder) {
  const auto wrong = zoom(run_of_sample(), "tanh", "conv", {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("nothing leads from 'tanh' to 'conv'"));
}

}  // namespace
}  // namespace openqnn::profile
