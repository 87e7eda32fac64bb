// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "power_device.h"

namespace openqnn::sim {
namespace {

using ::testing::HasSubstr;

PowerHistory everything() {
  PowerHistory history{.soc = "SM8650", .arch = 75, .clock_hz = 1'422'000'000, .left_out = 3};
  PowerVote vote = profile_vote("llm_decode_burst");
  vote.core = ClockVote{corner("SVS"), corner("NOM"), corner("TURBO"), 3};
  vote.dcvs = true;
  vote.mode = DcvsMode::kDutyCycle;
  vote.sleep_disabled = false;
  vote.rpc_control_latency_us = 100;
  vote.adaptive_polling_us = 1000;
  vote.hmx_timeout_us = 300;
  history.events = {
      {.kind = PowerEvent::Kind::kVote, .client = 7, .vote = vote},
      {.kind = PowerEvent::Kind::kStage, .label = "init \"x\""},
      {.kind = PowerEvent::Kind::kTimer, .client = 7, .vote = profile_vote("relaxed"), .duration = us(5)},
      {.kind = PowerEvent::Kind::kExecute, .label = "g", .times = {us(10), us(2)}},
      {.kind = PowerEvent::Kind::kIdle, .duration = us(9000)},
      {.kind = PowerEvent::Kind::kExecute, .times = {us(10), us(2)}, .at_burst = true},
      {.kind = PowerEvent::Kind::kRemove, .client = 7}};
  return history;
}

TEST(PowerHistory, IsReadBackEqual) {
  const std::string text = history_json(everything(), power_facts());
  const auto read = read_power_history(text, "h", power_facts());
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(history_json(*read, power_facts()), text);
  EXPECT_EQ(read->events[0].vote, everything().events[0].vote);
}

TEST(PowerHistory, PlayedTwiceItIsTheSame) {
  const PowerTimeline once = power_timeline(power_facts(), everything());
  const PowerTimeline again = power_timeline(power_facts(), everything());
  EXPECT_EQ(once.end, again.end);
  ASSERT_EQ(once.executes.size(), 2U);
  EXPECT_EQ(once.executes[1].start, again.executes[1].start);
}

TEST(PowerHistory, IntervalsFollowEachOtherWithoutGaps) {
  const PowerTimeline timeline = power_timeline(power_facts(), everything());
  Nanos at;
  for (const PowerInterval& interval : timeline.intervals) {
    EXPECT_EQ(interval.start, at);
    EXPECT_LT(interval.start, interval.end);
    at = interval.end;
  }
  EXPECT_EQ(at, timeline.end);
}

TEST(PowerHistory, APersonMayNameAProfileAndChangeAKey) {
  const auto read = read_power_history(
      R"({"openqnn_power_history": 1, "events": [
        {"event": "vote", "client": 1, "profile": "balanced", "rpc_polling_us": 50}]})",
      "h", power_facts());
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read->events[0].vote.core, profile_vote("balanced").core);
  EXPECT_EQ(read->events[0].vote.rpc_polling_us, 50U);
}

TEST(PowerHistory, WhatIsWrongIsNamedWithItsPlace) {
  const auto message = [](std::string events) {
    return read_power_history(R"({"openqnn_power_history": 1, "events": [)" + events + "]}", "h",
                              power_facts())
        .error()
        .to_string();
  };
  EXPECT_THAT(read_power_history("{}", "h", power_facts()).error().to_string(),
              HasSubstr("no power history"));
  EXPECT_THAT(message(R"({"event": "nap"})"), HasSubstr("h:1:41: error: an event needs"));
  EXPECT_THAT(message(R"({"event": "vote"})"), HasSubstr("'client' must be a whole number"));
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "cor": []})"), HasSubstr("'cor' is not known here"));
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "core": ["A", "B", "C"]})"),
              HasSubstr("no corner 'A'"));
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "core": ["NOM", "SVS", "NOM"]})"),
              HasSubstr("rising order"));
  for (const std::string mode : {"-1", "256", "1.5", "\"LOW\""})
    EXPECT_THAT(message(R"({"event": "vote", "client": 1, "core": ["NOM", "NOM", "NOM", )" + mode + "]}"),
                HasSubstr("a whole number from 0 to 255"))
        << mode;
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "profile": "brust"})"),
              HasSubstr("did you mean burst"));
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "mode": "fast"})"), HasSubstr("no DCVS mode 'fast'"));
  EXPECT_THAT(message(R"({"event": "vote", "client": 1, "dcvs": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(message(R"({"event": "idle", "ns": -1})"), HasSubstr("from 0 to"));
  EXPECT_THAT(message(R"({"event": "timer", "client": 1, "after_ns": 1})"), HasSubstr("needs 'then'"));
  EXPECT_THAT(message(R"({"event": "execute", "accelerator_ns": 1, "burst_accelerator_ns": 1})"),
              HasSubstr("exclude each other"));
}

TEST(PowerHistory, TimesNearTheEndOfTheCalendarDoNotWrap) {
  PowerHistory history;
  const Nanos longest{INT64_MAX};
  for (int i = 0; i < 4; ++i) {
    history.events.push_back(
        {.kind = PowerEvent::Kind::kVote, .client = 1, .vote = profile_vote("power_saver")});
    history.events.push_back({.kind = PowerEvent::Kind::kIdle, .duration = longest});
    history.events.push_back(
        {.kind = PowerEvent::Kind::kExecute, .times = {longest, longest}, .at_burst = true});
  }
  const PowerTimeline timeline = power_timeline(power_facts(), history);
  Nanos at;
  for (const Nanos event : timeline.at) {
    EXPECT_GE(event, at);
    at = event;
  }
}

}  // namespace
}  // namespace openqnn::sim
