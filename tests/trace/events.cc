// SPDX-License-Identifier: BSD-3-Clause
#include "profile/events.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/text.h"
#include "golden.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

std::optional<uint64_t> value_of(const std::vector<ProfileEvent>& events, uint32_t type) {
  for (const ProfileEvent& event : events) {
    if (event.type == type) return event.value;
  }
  return std::nullopt;
}

// A line for each event, those inside it below.
std::string text_of(const std::vector<ProfileEvent>& events, size_t depth = 0) {
  std::string text;
  for (const ProfileEvent& event : events) {
    text +=
        concat(std::string(2 * depth, ' '), event.name, ": ",
               event.has_value ? concat(event.value) : "dropped", ", unit ",
               static_cast<uint32_t>(event.unit), event.clock == Clock::kDevice ? ", device\n" : ", host\n");
    text += text_of(event.children, depth + 1);
  }
  return text;
}

TEST(ExecuteEvents, HoldTheTimelinesNumbers) {
  const Sample s = sample();
  const auto events = execute_events(s.program, s.timeline);
  EXPECT_EQ(value_of(events, event_type::kHvxThreads), 2U);
  EXPECT_EQ(value_of(events, event_type::kExecuteAcceleratorCycles), 2150U);
  EXPECT_EQ(value_of(events, event_type::kExecuteAccelerator), 1U);  // 1433 ns
  EXPECT_EQ(value_of(events, event_type::kExecuteRpc), 88U);         // + 87 us
  EXPECT_EQ(value_of(events, event_type::kExecute), 131U);           // + 43 us
  for (const ProfileEvent& event : events) EXPECT_EQ(event.clock, Clock::kDevice) << event.name;
}

TEST(ExecuteEvents, Nest) {
  const Sample s = sample();
  const auto events = execute_events(s.program, s.timeline);
  EXPECT_LE(value_of(events, event_type::kExecuteAcceleratorWithoutWait),
            value_of(events, event_type::kExecuteAccelerator));
  EXPECT_LE(value_of(events, event_type::kExecuteAccelerator),
            value_of(events, event_type::kExecuteQnnAccelerator));
  EXPECT_LE(value_of(events, event_type::kExecuteQnnAccelerator), value_of(events, event_type::kExecuteRpc));
  EXPECT_LE(value_of(events, event_type::kExecuteRpc), value_of(events, event_type::kExecute));
}

TEST(ExecuteEvents, WaitingForDataIsNotComputing) {
  Sample s = sample();
  s.timeline.power.clock_hz = 1e6;  // a cycle is a microsecond
  const auto events = execute_events(s.program, s.timeline);
  EXPECT_EQ(value_of(events, event_type::kExecuteAcceleratorWithoutWait), 1900U - 500U);
}

TEST(ExecuteEvents, DetailedAddsOneEventPerOp) {
  const Sample s = sample();
  for (const ProfileEvent& event : execute_events(s.program, s.timeline)) EXPECT_TRUE(event.children.empty());
  for (const ProfileEvent& event : execute_events(s.program, s.timeline, Level::kDetailed)) {
    if (event.type != event_type::kExecuteAcceleratorCycles) continue;
    ASSERT_EQ(event.children.size(), 4U);
    EXPECT_EQ(event.children[0].name, "Input OpId_2 (cycles)");
    EXPECT_EQ(event.children[0].value, 400U);
    EXPECT_EQ(event.children[1].name, "conv:OpId_4 (cycles)");
    EXPECT_EQ(event.children[1].value, 800U);
    EXPECT_EQ(event.children[2].value, 1200U);
    EXPECT_EQ(event.children[2].type, event_type::kNode);
    EXPECT_EQ(event.children[3].name, "Output OpId_3 (cycles)");
    EXPECT_EQ(event.children[3].value, 400U);
  }
}

TEST(HostEvents, AreMeasuredAndNest) {
  const std::vector<HostStage> stages = {{"Graph Optimizations", {2'769'400}}, {"Completion", {18'000}}};
  const ProfileEvent event = host_event(host_call::kFinalize, {15'371'000}, HostTimes::kKeep, stages);
  EXPECT_EQ(event.clock, Clock::kHost);
  EXPECT_EQ(event.value, 15371U);
  ASSERT_EQ(event.children.size(), 2U);
  EXPECT_EQ(event.children[0].value, 2769U);
  EXPECT_EQ(event.children[0].clock, Clock::kHost);
}

TEST(HostEvents, DroppedTimesLeaveNoTrace) {
  const std::vector<HostStage> a = {{"Completion", {1'000'000}}};
  const std::vector<HostStage> b = {{"Completion", {2'000'000}}};
  const ProfileEvent first = host_event(host_call::kFinalize, {5'000'000}, HostTimes::kDrop, a);
  EXPECT_FALSE(first.has_value);
  EXPECT_EQ(first.value, 0U);
  EXPECT_EQ(text_of({first}), text_of({host_event(host_call::kFinalize, {6'000'000}, HostTimes::kDrop, b)}));
}

TEST(Events, MatchTheirGolden) {
  const Sample s = sample();
  std::vector<ProfileEvent> events = {host_event(host_call::kLoadBinary, {1'234'000}, HostTimes::kKeep)};
  const auto add = [&](const std::vector<ProfileEvent>& more) {
    events.insert(events.end(), more.begin(), more.end());
  };
  const std::vector<HostStage> stages = {{"Graph Optimizations", {2'769'000}}, {"Completion", {18'000}}};
  add({host_event(host_call::kFinalize, {15'371'000}, HostTimes::kKeep, stages)});
  add(execute_events(s.program, s.timeline, Level::kDetailed));
  add({host_event(host_call::kDeinit, {55'000}, HostTimes::kDrop)});
  EXPECT_TRUE(matches_golden("events.txt", text_of(events)));
}

}  // namespace
}  // namespace openqnn::profile
