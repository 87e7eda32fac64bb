// SPDX-License-Identifier: BSD-3-Clause
#include "trace_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>

#include "base/text.h"
#include "json/json.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

using json::Value;
using Track = std::pair<int64_t, int64_t>;  // process and thread

struct Slice {
  double start = 0;
  double length = 0;

  double end() const { return start + length; }
  // As a viewer adds it up that counts from the first slice of a track.
  Slice counted_from(double origin) const { return {start - origin, length}; }
};
struct FlowEnd {
  Track track;
  double at = 0;
};

class RuleCheck {
 public:
  std::vector<std::string> check(std::string_view text) {
    const auto parsed = json::parse(text, "trace");
    if (!parsed) return {"it is no JSON"};
    const Value* const events = parsed->find("traceEvents");
    if (events == nullptr || events->kind() != Value::Kind::kArray) return {"it has no list traceEvents"};
    for (const Value& event : events->as_array()) check_event(event);
    for (auto& [track, slices] : slices_) check_nesting(track, slices);
    check_flows();
    return std::move(broken_);
  }

 private:
  void blame(std::string_view what, const Value& event) {
    const Value* const name = event.find("name");
    broken_.push_back(concat("'", name == nullptr ? "?" : name->as_string(), "' ", what));
  }
  std::optional<double> number(const Value& event, std::string_view key) {
    const Value* const value = event.find(key);
    const auto found = value == nullptr ? std::nullopt : value->as_double();
    if (!found) blame(concat("has no number ", key), event);
    return found;
  }
  std::optional<double> moment(const Value& event, std::string_view key) {
    const auto found = number(event, key);
    if (found && *found < 0) blame(concat("has a negative ", key), event);
    return found;
  }

  void check_event(const Value& event) {
    const Value* const phase = event.find("ph");
    const Value* const name = event.find("name");
    if (name == nullptr || name->kind() != Value::Kind::kString) blame("has no name", event);
    if (phase == nullptr) return blame("has no ph", event);
    const auto process = number(event, "pid");
    const auto thread = number(event, "tid");
    if (!process || !thread) return;
    const Track track(static_cast<int64_t>(*process), static_cast<int64_t>(*thread));
    if (phase->as_string() == "M") return check_metadata(event);
    const auto at = moment(event, "ts");
    if (!at) return;
    if (phase->as_string() == "X") return check_slice(event, track, *at);
    if (phase->as_string() == "C") return check_counter(event);
    if (phase->as_string() == "s" || phase->as_string() == "f") return check_flow(event, track, *at);
    blame(concat("has the unknown ph ", phase->as_string()), event);
  }

  void check_metadata(const Value& event) {
    static const std::map<std::string_view, std::string_view> kArgument = {
        {"process_name", "name"}, {"thread_name", "name"}, {"thread_sort_index", "sort_index"}};
    const auto known = kArgument.find(event.find("name")->as_string());
    const Value* const args = event.find("args");
    if (known == kArgument.end()) return blame("is no metadata that viewers know", event);
    if (args == nullptr || args->find(known->second) == nullptr) blame("lacks its argument", event);
  }

  void check_slice(const Value& event, const Track& track, double at) {
    if (const auto length = moment(event, "dur")) slices_[track].push_back({at, *length});
  }

  void check_counter(const Value& event) {
    const Value* const args = event.find("args");
    if (args == nullptr || args->as_object().empty()) return blame("counts nothing", event);
    for (const json::Member& one : args->as_object())
      if (!one.value.as_double()) blame("counts something that is no number", event);
  }

  void check_flow(const Value& event, const Track& track, double at) {
    const auto id = number(event, "id");
    const Value* const category = event.find("cat");
    if (category == nullptr) blame("has no cat, by which flows are told apart", event);
    if (!id) return;
    const bool starts = event.find("ph")->as_string() == "s";
    if (!starts && (event.find("bp") == nullptr || event.find("bp")->as_string() != "e"))
      blame("would end at the slice after it", event);
    if (!(starts ? starts_ : ends_).emplace(*id, FlowEnd{track, at}).second)
      blame("has an id that another has", event);
  }

  // A slice lies behind the one before it, or inside it, wherever a viewer counts from.
  void check_nesting(const Track& track, std::vector<Slice>& slices) {
    std::ranges::stable_sort(slices, {},
                             [](const Slice& slice) { return std::pair(slice.start, -slice.length); });
    for (const double origin : {0.0, slices.front().start}) {
      std::vector<double> open;
      for (const Slice& one : slices) {
        const Slice slice = one.counted_from(origin);
        while (!open.empty() && open.back() <= slice.start) open.pop_back();
        if (!open.empty() && slice.end() > open.back())
          broken_.push_back(concat("on track ", track.second, " a slice at ", one.start,
                                   " sticks out of the one around it"));
        open.push_back(slice.end());
      }
    }
  }

  bool is_in_a_slice(const FlowEnd& end) const {
    const auto slices = slices_.find(end.track);
    if (slices == slices_.end()) return false;
    return std::ranges::any_of(slices->second, [&](const Slice& slice) {
      return slice.start <= end.at && (end.at < slice.end() || slice.length == 0);
    });
  }

  void check_flows() {
    for (const auto& [id, start] : starts_) {
      const auto end = ends_.find(id);
      if (end == ends_.end()) {
        broken_.push_back(concat("flow ", id, " has no end"));
        continue;
      }
      if (end->second.at < start.at) broken_.push_back(concat("flow ", id, " goes back in time"));
      if (!is_in_a_slice(start) || !is_in_a_slice(end->second))
        broken_.push_back(concat("flow ", id, " does not touch a slice"));
    }
    for (const auto& [id, end] : ends_)
      if (!starts_.contains(id)) broken_.push_back(concat("flow ", id, " has no start"));
  }

  std::vector<std::string> broken_;
  std::map<Track, std::vector<Slice>> slices_;
  std::map<double, FlowEnd> starts_;
  std::map<double, FlowEnd> ends_;
};

// Tasks one behind the other on each unit, without gaps, at a clock whose cycles are no whole nanoseconds.
Sample busy_sample(uint32_t seed) {
  std::mt19937 random(seed);
  Sample s = sample();
  s.program.schedule.tasks.clear();
  s.program.schedule.blocks.clear();
  s.timeline.events.clear();
  s.timeline.power.clock_hz = 1.19e9;
  std::array<uint64_t, soc::kUnitCount> free_at{};
  for (uint32_t i = 0; i < 400; ++i) {
    const auto unit = static_cast<soc::Unit>(random() % 3);
    const auto kind = unit == soc::Unit::kDma ? program::TaskKind::kLoad : program::TaskKind::kCompute;
    uint64_t& free = free_at[static_cast<size_t>(unit)];
    std::vector<uint32_t> after;
    if (i > 0) after.push_back(random() % i);
    const uint64_t ready = after.empty() ? 0 : s.timeline.events[after[0]].end().value;
    const uint64_t start = std::max(free, ready);
    const uint64_t cycles = random() % 5 == 0 ? random() % 3 : random() % 5000;
    s.task(kind, unit, 0, i % 2, 0, start, cycles, sim::Bound::kHvx, after);
    if (unit == soc::Unit::kHvx) s.timeline.events.back().instances = 2;
    free = start + cycles;
  }
  return s;
}

std::string trace_text_of(const Sample& s) { return chrometrace(s.program, s.timeline); }

// feature: D5 (report)
TEST(TraceRules, EveryTraceKeepsThem) {
  EXPECT_EQ(broken_trace_rules(trace_text_of(sample())), std::vector<std::string>());
  EXPECT_EQ(broken_trace_rules(trace_text_of(odd_sample())), std::vector<std::string>());
  for (uint32_t seed = 0; seed < 20; ++seed)
    ASSERT_EQ(broken_trace_rules(trace_text_of(busy_sample(seed))), std::vector<std::string>())
        << "seed " << seed;
}

// feature: D5 (report)
TEST(TraceRules, SeveralProgramsAndEveryOptionKeepThem) {
  const Sample a = busy_sample(1);
  const Sample b = busy_sample(2);
  const std::array<RunView, 2> runs = {{{&a.program, &a.timeline}, {&b.program, &b.timeline}}};
  TraceOptions options;
  options.data_flows = options.sequence_flows = options.runtrace = options.memory = true;
  EXPECT_EQ(broken_trace_rules(chrometrace(runs, options)), std::vector<std::string>());
}

TEST(TraceRules, AreNoticedWhenBroken) {
  const auto broken = [](std::string_view events) {
    return broken_trace_rules(concat("{\"traceEvents\": [", events, "]}")).size();
  };
  EXPECT_EQ(broken(""), 0U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 2},
                      {"name": "b", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1})"),
            0U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 2},
                      {"name": "b", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2})"),
            2U);  // from 0, and from the first
  EXPECT_EQ(broken(R"({"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 0})"), 1U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": -1, "dur": 1})"), 1U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "Q", "pid": 1, "tid": 1, "ts": 0})"), 1U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "C", "pid": 1, "tid": 1, "ts": 0, "args": {"x": "y"}})"), 1U);
  EXPECT_EQ(broken(R"({"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {}})"), 1U);
  EXPECT_EQ(broken(R"({"name": "a", "ph": "s", "cat": "c", "id": 1, "pid": 1, "tid": 1, "ts": 0})"), 1U);
  EXPECT_EQ(broken_trace_rules("[").size(), 1U);
}

}  // namespace

std::vector<std::string> broken_trace_rules(std::string_view trace) { return RuleCheck().check(trace); }

}  // namespace openqnn::profile
