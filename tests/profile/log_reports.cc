// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "json/json.h"
#include "profile/report.h"
#include "profile/viewer_reports.h"
#include "sample.h"
#include "tables.h"

namespace openqnn::profile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

LogRecord of_method(uint32_t method, std::string graph, uint64_t start, uint64_t stop,
                    std::vector<LogEvent> events = {}) {
  LogRecord record = execution(std::move(graph), start, stop, std::move(events));
  record.method = method;
  return record;
}

LogRecord run_of(std::string graph, uint64_t start, uint64_t cycles) {
  return execution(std::move(graph), start, start + 7,
                   {number_event(0, 3003, 3, cycles, "Accelerator (execute) time (cycles)"),
                    number_event(1, 404, 3, cycles / 2, "conv:OpId_4 (cycles)"),
                    number_event(0, 400, 1, cycles / 10, "QNN (execute) time")});
}

// feature: D4 (report)
TEST(LogStatistics, AverageLeastAndMostOfEachGraph) {
  LogStatistics statistics;
  ASSERT_TRUE(statistics.on_record(0, of_method(6, "", 0, 331158)).ok());
  ASSERT_TRUE(statistics.on_record(0, of_method(7, "", 0, 74748)).ok());
  ASSERT_TRUE(statistics.on_record(0, of_method(2, "model", 0, 256372)).ok());
  ASSERT_TRUE(statistics.on_record(0, run_of("model", 0, 1000)).ok());
  ASSERT_TRUE(statistics.on_record(0, run_of("other", 500000, 77)).ok());
  ASSERT_TRUE(statistics.on_record(0, run_of("model", 999993, 2001)).ok());
  ASSERT_TRUE(statistics.on_left_out(0, 3).ok());
  const std::string text = statistics.text();
  EXPECT_THAT(text, HasSubstr("Init Stats:\n-----------\n    NetRun:  331158 us\n"));
  EXPECT_THAT(text, HasSubstr("Compose Graphs Stats:\n--------------\n    NetRun:  74748 us\n"));
  EXPECT_THAT(text,
              HasSubstr("Finalize Stats:\n---------------\nGraph 0 (model):\n    NetRun:  256372 us\n"));
  EXPECT_THAT(text, HasSubstr("Execute Stats (Average):\n------------------------\nTotal Inference Time:\n"
                              "---------------------\nGraph 0 (model):\n    NetRun:  150 us\n"
                              "    Backend (Accelerator (execute) time (cycles)): 1500 cycles\n"
                              "        conv:OpId_4 (cycles): 750 cycles\n"));
  EXPECT_THAT(text, HasSubstr("Execute Stats (Min):\n"));
  EXPECT_THAT(text, HasSubstr("(cycles)): 1000 cycles\n        conv:OpId_4 (cycles): 500 cycles\n"));
  EXPECT_THAT(text, HasSubstr("(cycles)): 2001 cycles\n        conv:OpId_4 (cycles): 1000 cycles\n"));
  EXPECT_THAT(text, HasSubstr("Graph 1 (other):\n"));
  EXPECT_THAT(text, HasSubstr("NetRun IPS (includes IO and misc. time): 3.0000 inf/sec"));
  EXPECT_THAT(text, HasSubstr("3 more records were left out"));
}

// Events that come and go, in changing orders: each is averaged over its own occurrences.
TEST(EventTallies, FindEventsWhereverTheyStand) {
  EventTallies tallies;
  tallies.add(execution("g", 0, 1,
                        {number_event(0, 1, 3, 10, "a"), number_event(1, 2, 3, 1, "x"),
                         number_event(0, 1, 3, 20, "b"), number_event(1, 2, 3, 2, "x")}));
  tallies.add(execution(
      "g", 0, 1,
      {number_event(0, 1, 3, 40, "b"), number_event(1, 2, 3, 4, "x"), number_event(0, 1, 3, 12, "a")}));
  const auto tree = tallies.tree(Statistic::kAverage);
  ASSERT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[0].identifier, "a");
  EXPECT_EQ(tree[0].value, 11U);
  EXPECT_EQ(tree[0].children[0].value, 1U);
  EXPECT_EQ(tree[1].value, 30U);
  EXPECT_EQ(tree[1].children[0].value, 3U);
}

TEST(EventTallies, SumsDoNotOverflow) {
  EventTallies tallies;
  for (int i = 0; i < 3; ++i) tallies.add(execution("g", 0, 1, {number_event(0, 1, 3, UINT64_MAX, "a")}));
  EXPECT_EQ(tallies.tree(Statistic::kAverage)[0].value, UINT64_MAX);
}

TEST(EventTree, LeavesOutWhatHasNoNumberAndWhatIsBelow) {
  LogRecord record = execution("g", 0, 1,
                               {number_event(0, 1, 3, 1, "a"), number_event(0, 1, 3, 2, "text"),
                                number_event(1, 1, 3, 3, "below"), number_event(0, 1, 3, 4, "b")});
  record.events[1].kind = LogValueKind::kText;
  const auto tree = event_tree(record);
  ASSERT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[1].identifier, "b");
  EXPECT_TRUE(tree[1].children.empty());
}

std::string csv_of(const LogRecord& record) {
  std::string text;
  LogCsv csv(
      [&](std::string_view piece) {
        text += piece;
        return Status();
      },
      "a,b.log", "1.0");
  EXPECT_TRUE(csv.on_session(0, {"qnn-net-run", "2.0", "v3", "0.1"}).ok());
  EXPECT_TRUE(csv.on_record(0, record).ok());
  return text;
}

// feature: D4 (report)
TEST(LogCsv, HasTheHeadAndOneRowPerEvent) {
  const std::string text = csv_of(of_method(2, "model", 100, 350,
                                            {number_event(0, 300, 1, 240, "QNN (finalize) time"),
                                             number_event(1, 1000, 1, 194, "Graph Optimizations")}));
  EXPECT_EQ(
      text,
      "input log file location, \"a,b.log\"\n"
      "qnn-profile-viewer version, 1.0\n"
      "qnn-net-run version, 2.0\n"
      "Backend version, v3 (openqnn 0.1; times of EXECUTE with an RPC time are simulated)\n"
      "Msg Timestamp, Message, Time, Unit of Measurement, Timing Source, Event Level, Event Identifier\n"
      "350,FINALIZE,250,US,NETRUN,ROOT,Graph 0: model\n"
      "350,FINALIZE,240,US,BACKEND,ROOT,QNN (finalize) time\n"
      "350,FINALIZE,194,US,BACKEND,SUB-EVENT,Graph Optimizations\n");
}

TEST(LogCsv, QuotesWhatWouldBreakARow) {
  EXPECT_THAT(csv_of(execution("g\"1\"", 0, 5, {number_event(0, 1, 3, 9, "a,b\nc")})),
              AllOf(HasSubstr("ROOT,\"Graph 0: g\"\"1\"\"\"\n"), HasSubstr("ROOT,\"a,b\nc\"\n")));
}

// feature: D4 (report)
TEST(LogJsonLines, CountSessionsThroughAllLogs) {
  std::string text;
  LogJsonLines lines([&](std::string_view piece) {
    text += piece;
    return Status();
  });
  for (int log = 0; log < 2; ++log) {
    ASSERT_TRUE(lines.on_session(0, {"app", "1", "v2", "0.1"}).ok());
    ASSERT_TRUE(lines.on_record(0, run_of("g", 0, 100)).ok());
  }
  const auto all = split(text, "\n");
  ASSERT_EQ(all.size(), 5U);  // the last is empty
  for (size_t i = 0; i < 4; ++i) {
    const auto line = json::parse(all[i], "line");
    ASSERT_TRUE(line.ok()) << all[i];
    EXPECT_EQ(line->find("session")->as_int64(), static_cast<int64_t>(i / 2));
  }
}

// feature: D4 (report)
TEST(LintingTrace, LaysTheMainThreadOutWithItsWaits) {
  const LogRecord record = linting_table("sub");
  const std::string text = linting_chrometrace("sub", event_tree(record));
  const auto parsed = json::parse(text, "trace");
  ASSERT_TRUE(parsed.ok());
  int64_t at = 0;
  for (const json::Value& event : parsed->find("traceEvents")->as_array()) {
    if (event.find("ph")->as_string() != "X" || event.find("tid")->as_int64() != 1) continue;
    EXPECT_EQ(event.find("ts")->as_int64(), at);
    at += *event.find("dur")->as_int64();
  }
  EXPECT_EQ(at, 4327259);  // cycles and waits of all ops
  EXPECT_THAT(text, HasSubstr(R"("resources": ["HVX", "HMX", "DMA"])"));
  EXPECT_THAT(linting_chrometrace("g", event_tree(run_of("g", 0, 100))), Not(HasSubstr("background")));
  EXPECT_EQ(linting_chrometrace("g", {}), "");
}

// feature: D5 (report)
TEST(HtpJson, HasEveryOpAndTensorUnderANameOfItsOwn) {
  Sample s = sample();
  s.program.ops[0].inputs = {0, 1, ir::kNoTensor};
  s.program.ops[0].outputs = {2};
  s.program.ops[1].name = "conv";  // as the other
  s.program.tensors[3].name = "middle";
  s.program.ops[1].inputs = {2};
  s.program.ops[1].outputs = {3};
  const RunView run{&s.program, &s.timeline};
  const auto parsed = json::parse(htp_json(std::span(&run, 1), {}), "htp");
  ASSERT_TRUE(parsed.ok());
  ASSERT_NE(parsed->find("model.cpp"), nullptr);
  const json::Value* const graph = parsed->find("graph");
  EXPECT_EQ(graph->find("tensors")->as_object().size(), 4U);
  const json::Value* const nodes = graph->find("nodes");
  ASSERT_EQ(nodes->as_object().size(), 2U);
  const json::Value* const second = nodes->find("conv#2");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->find("input_names")->as_array()[0].as_string(), "middle");
  EXPECT_EQ(second->find("output_names")->as_array()[0].as_string(), "middle#2");
  EXPECT_EQ(second->find("scalar_params")->find("cycles")->find("356")->as_int64(), 1200);
}

TEST(HtpJson, RunsOfNoDurationAreFine) {
  const Sample s = odd_sample();
  const RunView run{&s.program, &s.timeline};
  EXPECT_TRUE(json::parse(htp_json(std::span(&run, 1), {}), "htp").ok());
}

}  // namespace
}  // namespace openqnn::profile
