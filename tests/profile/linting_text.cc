// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text.h"
#include "profile/events.h"
#include "profile/viewer_reports.h"
#include "tables.h"

namespace openqnn::profile {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kModels = {"sub", "sub_as_conv", "div", "div_as_mul", "prelu"};
constexpr const char* kAverage = "Execute Stats (Average):";

std::string text_of(const LogRecord& record) {
  return execution_text(kAverage, netrun_microseconds(record), event_tree(record));
}

// feature: D4 (report)
TEST(LintingText, IsByteForByteThePrintedReport) {
  for (const std::string& model : kModels) EXPECT_EQ(text_of(linting_table(model)), linting_report(model));
}

// All lists in another order, but for the names of background ops, whose order is what the report shows.
void shuffle(std::vector<EventNode>& events, std::mt19937& random) {
  const auto is_name = [](const EventNode& event) {
    return event.type == event_type::kNodeBackgroundOp || event.type == event_type::kNodeWaitBackgroundOp;
  };
  if (events.empty() || is_name(events[0])) return;
  std::ranges::shuffle(events, random);
  for (EventNode& event : events) shuffle(event.children, random);
}

// feature: D4 (report)
TEST(LintingText, DoesNotShowTheOrderOfEvents) {
  std::mt19937 random(1);
  for (const std::string& model : kModels) {
    const LogRecord record = linting_table(model);
    for (int i = 0; i < 20; ++i) {
      std::vector<EventNode> events = event_tree(record);
      shuffle(events, random);
      ASSERT_EQ(execution_text(kAverage, netrun_microseconds(record), events), linting_report(model));
    }
  }
}

std::vector<size_t> lines_that_differ(const std::string& a, const std::string& b) {
  const auto lines_a = split(a, "\n");
  const auto lines_b = split(b, "\n");
  EXPECT_EQ(lines_a.size(), lines_b.size());
  std::vector<size_t> lines;
  for (size_t i = 0; i < std::min(lines_a.size(), lines_b.size()); ++i)
    if (lines_a[i] != lines_b[i]) lines.push_back(i);
  return lines;
}

// Each number of the table stands in one line of the report, and its own.
TEST(LintingText, ShowsEveryFigureOnce) {
  for (const std::string& model : kModels) {
    const LogRecord record = linting_table(model);
    size_t line = 4;  // of NetRun
    for (size_t i = 0; i < record.events.size(); ++i) {
      ++line;
      LogRecord changed = record;
      const bool is_name = record.events[i].depth == 3;
      const bool is_mask = record.events[i].type == event_type::kNodeResources;
      if (is_name)
        changed.events[i].identifier += "x";
      else
        changed.events[i].bits += is_mask ? (record.events[i].bits == 7 ? -1 : 7 - record.events[i].bits) : 1;
      EXPECT_EQ(lines_that_differ(text_of(changed), linting_report(model)), std::vector{line})
          << model << " " << record.events[i].identifier;
    }
    LogRecord slower = record;
    ++slower.stop_time;
    EXPECT_EQ(lines_that_differ(text_of(slower), linting_report(model)), std::vector<size_t>{4});
  }
}

LogRecord with_names(const std::string& op, size_t names) {
  LogRecord record = execution("g", 0, 9, {});
  record.events = {number_event(0, 6001, 3, 100, "Accelerator (critical path execute) time (cycles)"),
                   number_event(1, 404, 3, 90, op + " (cycles)"),
                   number_event(2, 5001, 3, 10, "Wait (Scheduler) time"),
                   number_event(2, 5002, 3, 5, "Overlap time")};
  for (size_t i = 0; i < names; ++i)
    record.events.push_back(number_event(3, 5005, 6, i, concat("op", i, ";")));
  return record;
}

// feature: D4 (inside)
TEST(LintingText, NamesAtMostTenBackgroundOps) {
  const std::string text = text_of(with_names("conv:OpId_9", 12));
  EXPECT_THAT(text, HasSubstr("op9;\n"));
  EXPECT_THAT(text, Not(HasSubstr("op10;")));
}

// feature: D4 (inside)
TEST(LintingText, NamesNoneUnderOpId0AndOutput) {
  EXPECT_THAT(text_of(with_names("OpId_0", 2)), Not(HasSubstr("op0;")));
  EXPECT_THAT(text_of(with_names("Output OpId_3", 2)), Not(HasSubstr("op0;")));
  EXPECT_THAT(text_of(with_names("Output:OpId_5", 2)), HasSubstr("op0;"));  // a client's op of that name
}

TEST(LintingText, ControlCharactersStayOnTheirLine) {
  EXPECT_THAT(text_of(with_names("a\nb:OpId_7", 0)), HasSubstr("      a?b:OpId_7 (cycles): 90  cycles\n"));
}

// feature: D4 (report)
TEST(HtpText, PrintsEveryRunAndThenTheAverage) {
  std::string text;
  HtpText htp(
      [&](std::string_view piece) {
        text += piece;
        return Status();
      },
      HtpText::Runs::kEach);
  LogRecord record = linting_table("sub");
  ASSERT_TRUE(htp.on_record(0, record).ok());
  for (LogEvent& event : record.events)
    if (event.unit == 1 || event.unit == 3) event.bits += 3;  // the average of 0 and 3 is 1
  record.stop_time += 3;
  ASSERT_TRUE(htp.on_record(0, record).ok());
  LogRecord other;
  other.method = 2;
  ASSERT_TRUE(htp.on_record(0, other).ok());
  ASSERT_TRUE(htp.finish().ok());
  EXPECT_THAT(text, testing::StartsWith("Execute Stats (Run 0 of graph 'sub'):\n-----"));
  EXPECT_THAT(text, HasSubstr("\nExecute Stats (Run 1 of graph 'sub'):\n"));
  EXPECT_THAT(text, Not(HasSubstr("Run 2")));
  EXPECT_THAT(text, HasSubstr("\nExecute Stats (Average):\n------------------------\nTotal Inference Time:\n"
                              "---------------------\n   NetRun:  16793 us\n"
                              "   Backend (RPC (execute) time): 16243  us\n"));
  EXPECT_THAT(text, testing::EndsWith("            Resources: HVX\n"));
}

TEST(HtpText, AnAverageOfOneIsTheRun) {
  std::string text;
  HtpText htp(
      [&](std::string_view piece) {
        text += piece;
        return Status();
      },
      HtpText::Runs::kAverageAlone);
  ASSERT_TRUE(htp.on_record(0, linting_table("prelu")).ok());
  ASSERT_TRUE(htp.finish().ok());
  EXPECT_EQ(text, linting_report("prelu"));
}

}  // namespace
}  // namespace openqnn::profile
