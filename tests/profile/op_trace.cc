// SPDX-License-Identifier: BSD-3-Clause
#include "profile/op_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "profile/log_file.h"
#include "profile/schematic.h"
#include "profile/viewer_reports.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

using testing::HasSubstr;

std::vector<std::byte> sample_schematic() {
  const Sample s = sample();
  const program::Program* const programs[] = {&s.program};
  return write_schematic("net", programs);
}

std::vector<std::byte> sample_trace() {
  const Sample s = sample();
  return write_op_trace({0, fingerprint_of(s.program), s.timeline});
}

// feature: D3 (report)
TEST(Schematic, GivesBackTheProgram) {
  const Sample s = sample();
  const auto read = read_schematic(sample_schematic());
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read->graph, "net");
  ASSERT_EQ(read->programs.size(), 1U);
  EXPECT_EQ(read->programs[0].ops[1].name, "tanh");
  EXPECT_EQ(fingerprint_of(read->programs[0]), fingerprint_of(s.program));
  EXPECT_EQ(sample_schematic(), sample_schematic());
}

// feature: D3 (report)
TEST(OpTrace, GivesBackTheTimeline) {
  const Sample s = sample();
  const auto read = read_op_trace(sample_trace());
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const sim::Timeline& timeline = read->timeline;
  ASSERT_EQ(timeline.events.size(), s.timeline.events.size());
  for (size_t i = 0; i < timeline.events.size(); ++i) {
    EXPECT_EQ(timeline.events[i].task, s.timeline.events[i].task);
    EXPECT_EQ(timeline.events[i].unit, s.timeline.events[i].unit);
    EXPECT_EQ(timeline.events[i].instance, s.timeline.events[i].instance);
    EXPECT_EQ(timeline.events[i].start, s.timeline.events[i].start);
    EXPECT_EQ(timeline.events[i].duration, s.timeline.events[i].duration);
    EXPECT_EQ(timeline.events[i].bound, s.timeline.events[i].bound);
  }
  EXPECT_EQ(timeline.total, s.timeline.total);
  EXPECT_EQ(timeline.power.clock_hz, s.timeline.power.clock_hz);
  EXPECT_EQ(timeline.client, s.timeline.client);
  EXPECT_EQ(timeline.model, s.timeline.model);
  EXPECT_TRUE(check_belongs(*read, s.program).ok());
}

// feature: D1, D3 (report)
TEST(ExecutionLog, HoldsTheScheduleTheTraceAndTheEvents) {
  const Sample s = sample();
  const std::vector<std::byte> bytes = execution_log(s.program, s.timeline, {"tester", "1", "2", ""});
  EXPECT_EQ(bytes, execution_log(s.program, s.timeline, {"tester", "1", "2", ""}));
  const auto log = read_profile_log(bytes);
  ASSERT_TRUE(log.ok()) << log.error().to_string();
  ASSERT_FALSE(log->extent.cut_at.has_value());
  ASSERT_EQ(log->sessions.size(), 1U);
  EXPECT_EQ(log->sessions[0].head.application, "tester");
  ASSERT_EQ(log->sessions[0].records.size(), 2U);

  const LogRecord& prepared = log->sessions[0].records[0];
  ASSERT_EQ(prepared.events.size(), 1U);
  EXPECT_EQ(prepared.events[0].text, schematic_file_name(s.program.graph));
  const auto schematic = read_schematic(prepared.events[0].object);
  ASSERT_TRUE(schematic.ok()) << schematic.error().to_string();

  const LogRecord& executed = log->sessions[0].records[1];
  EXPECT_TRUE(is_execution(executed));
  EXPECT_EQ(executed.graph, s.program.graph);
  const auto trace = read_op_trace(executed.events.back().object);
  ASSERT_TRUE(trace.ok()) << trace.error().to_string();
  EXPECT_TRUE(check_belongs(*trace, schematic->programs[0]).ok());
  EXPECT_EQ(trace->timeline.total, s.timeline.total);
  const auto is_of_op = [](const LogEvent& event) { return event.identifier.starts_with("tanh:OpId_"); };
  const auto of_op = std::ranges::find_if(executed.events, is_of_op);
  ASSERT_NE(of_op, executed.events.end());
  EXPECT_EQ(of_op->depth, 1U);
  EXPECT_GT(of_op->bits, 0U);
}

// feature: B8 (report)
TEST(OpTrace, GivesBackYields) {
  Sample s = sample();
  s.timeline.acquire = {77};
  s.timeline.yields = {{.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  const auto read = read_op_trace(write_op_trace({0, fingerprint_of(s.program), s.timeline}));
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read->timeline.acquire.value, 77U);
  ASSERT_EQ(read->timeline.yields.size(), 1U);
  EXPECT_EQ(read->timeline.yields[0].end().value, 430U);
  EXPECT_EQ(read->timeline.yields[0].bytes.value, 4096U);
  s.timeline.yields[0].wait = s.timeline.total;
  EXPECT_FALSE(read_op_trace(write_op_trace({0, fingerprint_of(s.program), s.timeline})).ok());
}

// Field by field as docs/profile_log.md has it.
TEST(OpTrace, IsAsItIsDocumented) {
  OpTrace trace{3, 4, {}};
  sim::Timeline& timeline = trace.timeline;
  timeline.total = {500};
  timeline.power.clock_hz = 1e9;
  timeline.accelerator = {500};
  timeline.rpc = {600};
  timeline.client = {700};
  timeline.model = "m";
  timeline.error_band = 0.5;
  timeline.acquire = {77};
  timeline.yields = {{.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  timeline.events = {{.task = 2,
                      .unit = soc::Unit::kHvx,
                      .instance = 1,
                      .instances = 4,
                      .start = {5},
                      .duration = {130},
                      .bound = sim::Bound::kDdr}};
  std::string wanted = "OQNNTRC\n";
  const auto put = [&](auto value) { wanted.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto put_list = [&](std::string_view bytes) {
    put(static_cast<uint32_t>(bytes.size()));
    wanted += bytes;
  };
  put(uint32_t{2});
  put(uint32_t{0});
  put(uint32_t{3});
  for (const uint64_t number : {4, 500}) put(number);
  put(1e9);
  for (const uint64_t number : {500, 600, 700}) put(number);
  put_list("m");
  put(0.5);
  put(uint64_t{77});
  put_list("\x64\x14\xAC\x02\x0A\x80\x20");
  put(uint64_t{1});
  put_list("\x04\x13\x01\x04\x05\x82\x01");
  const std::vector<std::byte> bytes = write_op_trace(trace);
  ASSERT_EQ(bytes.size(), wanted.size() + sizeof(uint64_t));  // the checksum
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), wanted.size()), wanted);
}

TEST(OpTrace, OfAnotherProgramIsRefused) {
  Sample s = sample();
  s.program.schedule.tasks[3].bytes += 1;
  const auto status = check_belongs(*read_op_trace(sample_trace()), s.program);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().to_string(), HasSubstr("of another preparation of graph 'net'"));
}

// Reports have a row for each unit that an event is spread over.
TEST(OpTrace, MoreUnitsThanThereAreAreRefused) {
  for (const soc::Unit unit : {soc::Unit::kHvx, soc::Unit::kHmx}) {
    Sample s = sample();
    const auto event = std::ranges::find(s.timeline.events, unit, &sim::Event::unit);
    event->instance = 0;
    event->instances = s.program.schedule.hvx_threads + 1;  // raised after it was prepared
    EXPECT_EQ(check_belongs({0, fingerprint_of(s.program), s.timeline}, s.program).ok(),
              unit == soc::Unit::kHvx);
    event->instances = UINT16_MAX;
    const auto status = check_belongs({0, fingerprint_of(s.program), s.timeline}, s.program);
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().to_string(),
                HasSubstr(unit == soc::Unit::kHvx ? "65534 more; there are at most 256"
                                                  : "over 65535 of HMX; only vector work is spread"));
  }
}

template <class Read>
void damage(const std::vector<std::byte>& whole, Read&& read) {
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read(std::span(whole).first(length)).ok()) << length;
  for (size_t at = 0; at < whole.size(); ++at) {
    if (at >= 12 && at < 16) continue;  // a newer minor version is read
    std::vector<std::byte> changed = whole;
    changed[at] ^= std::byte{0x10};
    EXPECT_FALSE(read(changed).ok()) << at;
    for (const uint8_t value : {0x00, 0x7F, 0xFF}) {  // behind a right checksum: no crash
      changed[at] = std::byte{value};
      reseal(changed);
      (void)read(changed);
    }
  }
}

TEST(OpTrace, DamageIsNoticed) { damage(sample_trace(), read_op_trace); }
TEST(Schematic, DamageIsNoticed) { damage(sample_schematic(), read_schematic); }

TEST(Schematic, ForeignFilesAreNamed) {
  const std::vector<std::byte> foreign(100);
  EXPECT_THAT(read_schematic(foreign).error().to_string(), HasSubstr("this is no schematic of openqnn"));
}

TEST(Schematic, FileNamesAreHarmless) {
  EXPECT_EQ(schematic_file_name("net"), "net_schematic.bin");
  EXPECT_EQ(schematic_file_name("../../etc/pass wd"), "_.._.._etc_pass_wd_schematic.bin");
  EXPECT_EQ(schematic_file_name(""), "__schematic.bin");
}

}  // namespace
}  // namespace openqnn::profile
