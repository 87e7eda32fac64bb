// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "golden.h"
#include "json/json.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

// A parsed trace: its events, and questions about one.
struct Parsed {
  json::Value root;

  explicit Parsed(const std::string& text) {
    auto parsed = json::parse(text, "trace");
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().to_string());
    if (parsed.ok()) root = std::move(*parsed);
  }
  std::vector<const json::Value*> events(std::string_view phase) const& {
    std::vector<const json::Value*> found;
    const json::Value* all = root.find("traceEvents");
    if (all == nullptr) return found;
    for (const json::Value& event : all->as_array()) {
      if (event.find("ph")->as_string() == phase) found.push_back(&event);
    }
    return found;
  }
  std::vector<const json::Value*> events(std::string_view phase) && = delete;  // would point into the dead
  // Slices of tasks, without that of the inference.
  std::vector<const json::Value*> tasks() const& {
    auto found = events("X");
    std::erase_if(found,
                  [](const json::Value* event) { return event->find("cat")->as_string() == "runtrace"; });
    return found;
  }
  std::vector<const json::Value*> counters(std::string_view name) const& {
    auto found = events("C");
    std::erase_if(found, [&](const json::Value* event) { return event->find("name")->as_string() != name; });
    return found;
  }
};

double number(const json::Value& event, std::string_view key) {
  const json::Value* value = event.find(key);
  return value == nullptr ? -1 : value->as_double().value_or(-1);
}
std::string text(const json::Value& event, std::string_view key) {
  const json::Value* value = event.find(key);
  return value == nullptr ? "" : std::string(value->as_string());
}
// Nanoseconds, exact: the trace writes microseconds with three places.
int64_t nanos(const json::Value& event, std::string_view key) {
  return static_cast<int64_t>(number(event, key) * 1000 + 0.5);
}

Parsed trace_of(const Sample& s) { return Parsed(chrometrace(s.program, s.timeline)); }

TEST(Chrometrace, MatchesItsGolden) {
  const Sample s = sample();
  EXPECT_TRUE(matches_golden("chrometrace.json", chrometrace(s.program, s.timeline)));
}

TEST(Chrometrace, HasATrackPerUnitInstance) {
  std::vector<std::string> names;
  const Parsed trace = trace_of(sample());
  for (const json::Value* event : trace.events("M")) {
    if (text(*event, "name") == "thread_name") names.push_back(text(*event->find("args"), "name"));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"HMX", "HVX 0", "HVX 1", "DMA", "net Runtraces"}));
}

TEST(Chrometrace, SlicesNeverOverlapOnATrack) {
  Sample s = sample();
  s.timeline.power.clock_hz = 1.422e9;  // cycles that are no whole nanoseconds
  const Parsed trace = trace_of(s);
  const auto slices = trace.tasks();
  ASSERT_EQ(slices.size(), s.timeline.events.size());
  std::map<double, int64_t> free_at;
  for (const json::Value* slice : slices) {
    const int64_t start = nanos(*slice, "ts");
    ASSERT_GE(start, 0);
    ASSERT_GE(nanos(*slice, "dur"), 0);
    int64_t& free = free_at[number(*slice, "tid")];
    EXPECT_GE(start, free) << text(*slice, "name");
    free = start + nanos(*slice, "dur");
  }
}

TEST(Chrometrace, SlicesSayWhatBoundThem) {
  const Parsed trace = trace_of(sample());
  const json::Value& args = *trace.tasks().front()->find("args");
  EXPECT_EQ(text(args, "op"), "conv");
  EXPECT_EQ(text(args, "bound"), "DMA");
  EXPECT_EQ(text(args, "tile"), "[0:1, 0:8, 0:8, 0:32]");
  EXPECT_EQ(number(args, "cycles"), 300);
  EXPECT_EQ(number(args, "bytes"), 2048);
  EXPECT_EQ(text(args, "system_service"), "DramToTcm");
}

TEST(Chrometrace, EveryFlowStartsInsideASliceAndFinishesLater) {
  const Parsed trace = trace_of(sample());
  std::map<double, const json::Value*> starts;
  for (const json::Value* start : trace.events("s")) {
    EXPECT_TRUE(starts.emplace(number(*start, "id"), start).second) << "an id twice";
  }
  EXPECT_EQ(starts.size(), 8U);  // 4 load→compute, 2 compute→compute, 2 compute→store
  const auto finishes = trace.events("f");
  ASSERT_EQ(finishes.size(), starts.size());
  const auto slices = trace.tasks();
  for (const json::Value* finish : finishes) {
    const auto start = starts.find(number(*finish, "id"));
    ASSERT_NE(start, starts.end());
    EXPECT_LE(nanos(*start->second, "ts"), nanos(*finish, "ts"));
    const auto around = std::count_if(slices.begin(), slices.end(), [&](const json::Value* slice) {
      const int64_t from = nanos(*slice, "ts");
      const int64_t at = nanos(*start->second, "ts");
      return number(*slice, "tid") == number(*start->second, "tid") && from <= at &&
             at < from + nanos(*slice, "dur");
    });
    EXPECT_EQ(around, 1);
    starts.erase(start);
  }
  EXPECT_TRUE(starts.empty());
}

TEST(Chrometrace, AFreedPlaceIsNoFlow) {
  Sample s = sample();
  s.program.schedule.tasks[2].after = {0};  // a load behind a load
  const Parsed trace = trace_of(s);
  EXPECT_EQ(trace.events("s").size(), 8U);
}

TEST(Chrometrace, TheVtcmCounterEndsEmpty) {
  const Sample s = sample();
  const Parsed trace = trace_of(s);
  const auto counters = trace.counters("VTCM alloc");
  ASSERT_FALSE(counters.empty());
  int64_t last = -1;
  for (const json::Value* counter : counters) {
    EXPECT_GT(nanos(*counter, "ts"), last);
    last = nanos(*counter, "ts");
    EXPECT_GE(number(*counter->find("args"), "bytes"), 0);
    EXPECT_LE(number(*counter->find("args"), "bytes"), static_cast<double>(s.program.schedule.vtcm_bytes));
  }
  EXPECT_EQ(number(*counters.front()->find("args"), "bytes"), 65536);
  EXPECT_EQ(number(*counters.back()->find("args"), "bytes"), 0);
}

// feature: D5 (report)
TEST(Chrometrace, BandwidthIsWhatTasksMoveAndEndsAtNothing) {
  const Sample s = sample();
  const Parsed trace = trace_of(s);
  for (const std::string_view name : {"VTCM read", "VTCM write", "DRAM read", "DRAM write"}) {
    const auto counters = trace.counters(name);
    ASSERT_FALSE(counters.empty()) << name;
    double megabytes = 0;
    double rate = 0;
    double since = 0;
    for (const json::Value* counter : counters) {
      megabytes += rate * (number(*counter, "ts") - since) * 1e-6;
      rate = number(*counter->find("args"), "MB/s");
      since = number(*counter, "ts");
      EXPECT_GE(rate, 0);
    }
    EXPECT_EQ(rate, 0) << name;
    const double moved = name == "DRAM read" ? 3 * 2048 : name == "DRAM write" ? 2 * 2048 : 0;
    if (moved > 0) {
      EXPECT_NEAR(megabytes, moved * 1e-6, moved * 1e-8) << name;
    }
  }
}

TEST(Chrometrace, TheVectorsOfAMatrixTaskMoveNothingAgain) {
  Sample s = sample();
  const Parsed before = trace_of(s);
  auto& events = s.timeline.events;
  const auto conv = std::ranges::find(events, soc::Unit::kHmx, &sim::Event::unit);
  sim::Event vectors = *conv;
  vectors.unit = soc::Unit::kHvx;
  events.insert(conv, vectors);
  const Parsed after = trace_of(s);
  for (const std::string_view name : {"VTCM read", "VTCM write"}) {
    const auto counters = before.counters(name);
    const auto again = after.counters(name);
    ASSERT_EQ(again.size(), counters.size()) << name;
    for (size_t i = 0; i < counters.size(); ++i)
      EXPECT_EQ(number(*again[i]->find("args"), "MB/s"), number(*counters[i]->find("args"), "MB/s")) << name;
  }
  EXPECT_EQ(std::ranges::count_if(
                after.tasks(),
                [](const json::Value* slice) { return slice->find("args")->find("bytes") == nullptr; }),
            1);
}

// feature: D5 (report)
TEST(Chrometrace, EveryOptionAddsItsPart) {
  Sample s = sample();
  s.program.schedule.tasks[2].after = {0};  // a load behind a load
  const RunView run{&s.program, &s.timeline};
  const auto with = [&](bool TraceOptions::*part) {
    TraceOptions options;
    if (part != nullptr) options.*part = true;
    return Parsed(chrometrace(std::span(&run, 1), options));
  };
  const auto count = [](const Parsed& trace, std::string_view phase) { return trace.events(phase).size(); };
  const size_t tasks = s.timeline.events.size();
  const Parsed bare = with(nullptr);
  EXPECT_EQ(count(bare, "X"), tasks);
  EXPECT_EQ(count(bare, "s"), 0U);
  EXPECT_EQ(count(bare, "C"), 0U);
  EXPECT_EQ(count(with(&TraceOptions::data_flows), "s"), 8U);
  EXPECT_EQ(count(with(&TraceOptions::sequence_flows), "s"), 1U);
  EXPECT_EQ(count(with(&TraceOptions::runtrace), "X"), tasks + 1);
  EXPECT_GT(count(with(&TraceOptions::memory), "C"), 0U);
}

// feature: D5 (report)
TEST(Chrometrace, TracebackNamesTheNodesOfTheFile) {
  Sample s = sample();
  s.program.source_nodes = {"conv_node", "tanh_node"};
  s.program.ops[0].source_nodes = {0};
  const RunView run{&s.program, &s.timeline};
  const Traceback traceback = {{"conv_node", {"/layer/Conv"}}};
  TraceOptions options;
  options.traceback = &traceback;
  const std::string text = chrometrace(std::span(&run, 1), options);
  EXPECT_NE(text.find(R"("qnn_nodes": ["conv_node"], "framework_nodes": ["/layer/Conv"])"),
            std::string::npos);
}

// feature: D5 (report)
TEST(Chrometrace, AProgramTellsTheNodesOfTheFileItself) {
  Sample s = sample();
  EXPECT_EQ(chrometrace(s.program, s.timeline).find("framework_nodes"), std::string::npos);
  s.program.source_nodes = {"conv_node", "tanh_node"};
  s.program.framework_nodes = {{"/layer/Conv"}, {}};
  s.program.ops[0].source_nodes = {0};
  s.program.ops[1].source_nodes = {1};
  const std::string text = chrometrace(s.program, s.timeline);
  EXPECT_NE(text.find(R"("qnn_nodes": ["conv_node"], "framework_nodes": ["/layer/Conv"])"),
            std::string::npos);
  EXPECT_NE(text.find(R"("qnn_nodes": ["tanh_node"], "framework_nodes": [])"), std::string::npos);
}

// feature: D5 (report)
TEST(Chrometrace, SeveralProgramsFollowEachOther) {
  const Sample s = sample();
  const std::array<RunView, 2> runs = {{{&s.program, &s.timeline}, {&s.program, &s.timeline}}};
  TraceOptions options;
  options.data_flows = true;
  const Parsed trace(chrometrace(runs, options));
  int64_t end_of_first = 0;
  for (const json::Value* slice : trace.tasks()) {
    if (number(*slice, "pid") == 1)
      end_of_first = std::max(end_of_first, nanos(*slice, "ts") + nanos(*slice, "dur"));
    else
      EXPECT_GE(nanos(*slice, "ts"), end_of_first);
  }
  EXPECT_EQ(trace.events("s").size(), 16U);
}

TEST(Chrometrace, SaysThatItsClockIsSimulated) {
  const Parsed trace = trace_of(sample());
  const json::Value* other = trace.root.find("otherData");
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(text(*other, "clock"), "simulated");
  EXPECT_EQ(text(*other, "model"), sample().timeline.model);
  EXPECT_EQ(number(*other, "error_band"), 0.5);
}

TEST(Chrometrace, ZeroDurationsAndOddNamesStayValid) {
  const Sample s = odd_sample();
  const Parsed trace = trace_of(s);
  const auto slices = trace.tasks();
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(text(*slices[0], "name"), "load größe/\t日本語 \"q\"");
  EXPECT_EQ(text(*slices[1], "name"), "naïve \"op\"\n");
  for (const json::Value* slice : slices) EXPECT_EQ(number(*slice, "dur"), 0);
  EXPECT_EQ(trace.events("s").size(), 2U);
  EXPECT_TRUE(trace.events("C").empty());  // in use for no time
}

// feature: B8 (report)
TEST(Chrometrace, YieldsHaveATrackOfTheirOwn) {
  Sample s = sample();
  s.timeline.yields = {{.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  const std::string text = chrometrace(s.program, s.timeline);
  for (const char* const part : {R"("net Yields")", R"("save")", R"("re-acquire")", R"("restore")"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(chrometrace(s.program, sample().timeline).find("Yields"), std::string::npos);
}

TEST(Chrometrace, AnEmptyTimelineIsStillATrace) {
  Sample s = odd_sample();
  s.timeline.events.clear();
  const Parsed trace = trace_of(s);
  EXPECT_TRUE(trace.tasks().empty());
  EXPECT_TRUE(trace.events("C").empty());
  EXPECT_FALSE(trace.events("M").empty());
}

}  // namespace
}  // namespace openqnn::profile
