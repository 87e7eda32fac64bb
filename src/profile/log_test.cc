// SPDX-License-Identifier: BSD-3-Clause
#include "profile/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "json/json.h"
#include "profile/log_file.h"
#include "profile/log_format.h"
#include "profile/schematic.h"

namespace openqnn::profile {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::vector<std::byte> object_bytes() { return {std::byte{1}, std::byte{0}, std::byte{255}}; }

LogEvent number(uint32_t depth, std::string identifier, uint64_t value, uint32_t unit = 1) {
  LogEvent event;
  event.depth = depth;
  event.type = 400;
  event.unit = unit;
  event.bits = value;
  event.identifier = std::move(identifier);
  return event;
}

LogEvent scalar(uint32_t data_type, uint64_t bits) {
  LogEvent event = number(0, "scalar", bits, 4);
  event.kind = LogValueKind::kScalar;
  event.data_type = data_type;
  event.timestamp = 77;
  return event;
}

// One event of each kind, three levels deep.
LogRecord sample_record(std::string graph = "main") {
  LogRecord record{.start_time = 1000,
                   .stop_time = 1800,
                   .start_memory = 5,
                   .stop_memory = 6,
                   .method = 1,
                   .visibility = 0,
                   .graph = std::move(graph),
                   .events = {}};
  record.events = {number(0, "RPC (execute) time", 800), number(0, "Accelerator time", 4000, 3),
                   number(1, "conv:OpId_0", 3000, 3), number(2, "tile", 1500, 3),
                   number(1, "relu:OpId_1", 1000, 3)};
  record.events.push_back(scalar(0x0032, 0xFFFFFFFE));  // int32
  LogEvent text = number(0, "note", 0, 6);
  text.kind = LogValueKind::kText;
  text.text = "hello";
  record.events.push_back(text);
  LogEvent object = number(0, "trace", 0, 5);
  object.kind = LogValueKind::kObject;
  object.text = "trace.bin";
  object.object = object_bytes();
  record.events.push_back(object);
  return record;
}

LogHead sample_head() { return {"app", "1.2", "v2.48", ""}; }

class ProfileLogTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "openqnn-log-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "run_qnn.log";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::byte> bytes() const {
    const auto file = MappedFile::open(path_);
    return {(*file)->bytes().begin(), (*file)->bytes().end()};
  }
  ProfileLog read() const {
    auto log = read_profile_log(bytes());
    EXPECT_TRUE(log.ok()) << (log ? "" : log.error().to_string());
    return log ? *log : ProfileLog{};
  }
  LogWriter begin() const {
    auto writer = LogWriter::begin(path_, sample_head());
    EXPECT_TRUE(writer.ok()) << (writer ? "" : writer.error().to_string());
    return *std::move(writer);
  }
  // The file with two records in one session.
  std::vector<std::byte> sample_bytes() const {
    const LogWriter writer = begin();
    EXPECT_TRUE(writer.add({sample_record(), sample_record("other")}).ok());
    return bytes();
  }

  fs::path folder_, path_;
};

// feature: D3 (report)
TEST_F(ProfileLogTest, GivesBackWhatWasWritten) {
  const LogWriter writer = begin();
  ASSERT_TRUE(writer.add({sample_record()}).ok());
  ASSERT_TRUE(writer.add({sample_record("second"), sample_record("third")}).ok());
  ASSERT_TRUE(writer.add_left_out(4).ok());
  const ProfileLog log = read();
  EXPECT_EQ(log.extent.format_major, kLogMajor);
  ASSERT_EQ(log.sessions.size(), 1U);
  const LogSession& session = log.sessions[0];
  EXPECT_EQ(session.head.application, "app");
  EXPECT_EQ(session.head.application_version, "1.2");
  EXPECT_EQ(session.head.backend_version, "v2.48");
  EXPECT_FALSE(session.head.producer.empty());
  EXPECT_EQ(session.left_out, 4U);
  EXPECT_EQ(session.records, (std::vector{sample_record(), sample_record("second"), sample_record("third")}));
}

TEST_F(ProfileLogTest, ASecondWriterContinues) {
  ASSERT_TRUE(begin().add({sample_record("first run")}).ok());
  const LogWriter second = begin();
  const LogWriter third = begin();  // both open at once: records find their own session
  ASSERT_TRUE(third.add({sample_record("third run")}).ok());
  ASSERT_TRUE(second.add({sample_record("second run")}).ok());
  const ProfileLog log = read();
  ASSERT_EQ(log.sessions.size(), 3U);
  EXPECT_EQ(log.sessions[0].records[0].graph, "first run");
  EXPECT_EQ(log.sessions[1].records[0].graph, "second run");
  EXPECT_EQ(log.sessions[2].records[0].graph, "third run");
}

TEST_F(ProfileLogTest, AnEmptyFileBecomesALog) {
  std::ofstream(path_).close();
  ASSERT_TRUE(begin().add({sample_record()}).ok());
  EXPECT_EQ(read().sessions.size(), 1U);
}

TEST_F(ProfileLogTest, ForeignFilesAreLeftAlone) {
  for (const std::string& content :
       {std::string("CSV,of,somebody\n"), std::string("x"), std::string("OQNNPRF\n")}) {
    ASSERT_TRUE(write_file(path_, content).ok());
    const auto writer = LogWriter::begin(path_, sample_head());
    ASSERT_FALSE(writer.ok());
    EXPECT_THAT(writer.error().to_string(), HasSubstr("run_qnn.log"));
    EXPECT_EQ(read_text_file(path_).value(), content);
  }
}

TEST_F(ProfileLogTest, AFileThatWasReplacedIsNotWrittenTo) {
  const LogWriter writer = begin();
  fs::resize_file(path_, 0);
  const auto emptied = writer.add({sample_record()});
  ASSERT_FALSE(emptied.ok());
  EXPECT_EQ(emptied.error().code, "profile-log-replaced");
  EXPECT_EQ(fs::file_size(path_), 0U);

  // Another log of the same length is another log.
  auto other = LogWriter::begin(path_, {"ppa", "2.1", "v2.47", ""});
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(writer.add({sample_record()}).ok());
  fs::remove(path_);
  EXPECT_FALSE(writer.add({sample_record()}).ok());
  EXPECT_FALSE(fs::exists(path_));
}

// What another writer has put into the new file stays, also where both began with the same session.
TEST_F(ProfileLogTest, AFileThatWasReplacedByAnotherOfTheSameClientIsNotCut) {
  const LogWriter writer = begin();
  ASSERT_TRUE(writer.add({sample_record()}).ok());
  fs::remove(path_);
  const LogWriter other = begin();
  ASSERT_TRUE(other.add(std::vector<LogRecord>(3, sample_record("another"))).ok());
  const std::string whole = read_text_file(path_).value();

  const auto added = writer.add({sample_record()});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, "profile-log-replaced");
  EXPECT_EQ(read_text_file(path_).value(), whole);
}

TEST_F(ProfileLogTest, NoFolderNoLog) {
  const auto writer = LogWriter::begin(folder_ / "missing" / "a.log", sample_head());
  ASSERT_FALSE(writer.ok());
  EXPECT_THAT(writer.error().to_string(), HasSubstr("create the folder first"));
  EXPECT_FALSE(LogWriter::begin(folder_, sample_head()).ok());
  EXPECT_FALSE(LogWriter::begin("/dev/null", sample_head()).ok());
}

TEST_F(ProfileLogTest, ManyThreadsWriteWholeBlocks) {
  const LogWriter shared = begin();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const LogWriter own = begin();
      for (int k = 0; k < 25; ++k) {
        EXPECT_TRUE(shared.add({sample_record("shared")}).ok());
        EXPECT_TRUE(own.add({sample_record(std::to_string(i) + "/" + std::to_string(k))}).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  const ProfileLog log = read();
  ASSERT_EQ(log.sessions.size(), 5U);
  EXPECT_EQ(log.sessions[0].records.size(), 100U);
  for (size_t i = 1; i < 5; ++i) {
    ASSERT_EQ(log.sessions[i].records.size(), 25U);
    EXPECT_TRUE(log.sessions[i].records[24].graph.ends_with("/24"));
  }
}

TEST(ObjectFileName, StaysInTheFolderAndIsABin) {
  EXPECT_EQ(object_file_name("net_schematic.bin"), "net_schematic.bin");
  EXPECT_EQ(object_file_name("/etc/../../.bashrc"), "_.bashrc.bin");
  EXPECT_EQ(object_file_name("Makefile"), "Makefile.bin");
  EXPECT_EQ(object_file_name("a\\b c\n.bin"), "a_b_c_.bin");
  for (const char* const none : {"", ".", "..", "folder/"}) EXPECT_EQ(object_file_name(none), "object.bin");
}

// At every length the records of whole blocks are there, and it is said where the rest is missing.
// feature: D3 (report)
TEST_F(ProfileLogTest, ACutFileIsReadUpToTheCut) {
  const LogWriter writer = begin();
  std::vector<size_t> ends = {kLogHeadBytes, bytes().size()};
  for (const char* graph : {"first", "second"}) {
    ASSERT_TRUE(writer.add({sample_record(graph)}).ok());
    ends.push_back(bytes().size());
  }
  const std::vector<std::byte> whole = bytes();
  for (size_t length = kLogHeadBytes; length <= whole.size(); ++length) {
    const auto log = read_profile_log(std::span(whole).first(length));
    ASSERT_TRUE(log.ok()) << length;
    const auto last = std::prev(std::ranges::upper_bound(ends, length));
    EXPECT_EQ(log->extent.cut_at, *last == length ? std::nullopt : std::optional<uint64_t>(*last)) << length;
    const size_t records = log->sessions.empty() ? 0 : log->sessions[0].records.size();
    EXPECT_EQ(records, static_cast<size_t>(std::max<ptrdiff_t>(last - ends.begin() - 1, 0))) << length;
  }
  for (size_t length = 0; length < kLogHeadBytes; ++length)
    EXPECT_FALSE(read_profile_log(std::span(whole).first(length)).ok());
  const auto cut = read_profile_log(std::span(whole).first(whole.size() - 1));
  EXPECT_THAT(log_text(*cut, "x"), HasSubstr("note: the file ends inside the block at offset"));
  EXPECT_THAT(log_json(*cut, "x"), HasSubstr("\"cut_at\":"));
}

// A log whose writer was killed inside a block is continued behind the block before.
TEST_F(ProfileLogTest, ACutFileIsContinued) {
  const LogWriter writer = begin();
  ASSERT_TRUE(writer.add({sample_record("first")}).ok());
  const size_t first = bytes().size();
  ASSERT_TRUE(writer.add({sample_record("second")}).ok());
  const std::vector<std::byte> whole = bytes();
  for (const size_t length : {first, first + 1, first + kBlockHeadBytes + kChecksumBytes, whole.size() - 1}) {
    ASSERT_TRUE(write_file(path_, std::span(whole).first(length)).ok());
    ASSERT_TRUE(begin().add({sample_record("third")}).ok());
    const ProfileLog log = read();
    EXPECT_FALSE(log.extent.cut_at) << length;
    ASSERT_EQ(log.sessions.size(), 2U) << length;
    EXPECT_EQ(log.sessions[0].records, std::vector{sample_record("first")});
    EXPECT_EQ(log.sessions[1].records, std::vector{sample_record("third")});
  }
}

// Another writer may have been killed since this one began.
TEST_F(ProfileLogTest, AWriterDropsWhatAnotherLeftTorn) {
  const LogWriter killed = begin();
  const LogWriter writer = begin();
  ASSERT_TRUE(writer.add({sample_record("first")}).ok());
  ASSERT_TRUE(killed.add({sample_record("torn")}).ok());
  fs::resize_file(path_, fs::file_size(path_) - 1);
  ASSERT_TRUE(writer.add({sample_record("second")}).ok());
  const ProfileLog log = read();
  EXPECT_FALSE(log.extent.cut_at);
  ASSERT_EQ(log.sessions.size(), 2U);
  EXPECT_TRUE(log.sessions[0].records.empty());
  EXPECT_EQ(log.sessions[1].records, (std::vector{sample_record("first"), sample_record("second")}));
}

// What follows a block whose size was changed may be whole sessions: nothing of it is cut off, whether the
// file ends with a whole block or with a torn one.
TEST_F(ProfileLogTest, ADamagedFileIsNotContinued) {
  const LogWriter writer = begin();
  ASSERT_TRUE(writer.add({sample_record("first"), sample_record("second")}).ok());
  ASSERT_TRUE(writer.add({sample_record("third")}).ok());
  std::vector<std::byte> damaged = bytes();
  damaged[kLogHeadBytes + kBlockHeadBytes - 1] = std::byte{1};  // the largest byte of a size
  for (const size_t whole = damaged.size(); damaged.size() > whole - 2; damaged.pop_back()) {
    ASSERT_TRUE(write_file(path_, damaged).ok());
    const auto other = LogWriter::begin(path_, {});
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().to_string(), HasSubstr("the block at offset 16 does not end inside"));
    EXPECT_EQ(bytes(), damaged);
  }
}

TEST_F(ProfileLogTest, EveryFlippedBitIsNoticed) {
  std::vector<std::byte> changed = sample_bytes();
  for (size_t at = 0; at < changed.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      if (at >= 12 && at < 16) continue;  // a newer minor version is read
      changed[at] ^= std::byte{1} << bit;
      const auto log = read_profile_log(changed);
      EXPECT_TRUE(!log.ok() || log->extent.cut_at) << "byte " << at << ", bit " << bit;
      changed[at] ^= std::byte{1} << bit;
    }
}

// Behind right checksums: sizes, counts, depths and kinds that lie.
TEST_F(ProfileLogTest, ContentsAreNotBelieved) {
  const std::vector<std::byte> whole = sample_bytes();
  for (size_t at = kLogHeadBytes; at < whole.size(); ++at)
    for (const uint8_t value : {0x00, 0x01, 0x7F, 0xFF}) {
      std::vector<std::byte> changed = whole;
      changed[at] = std::byte{value};
      seal_log(changed);
      if (const auto log = read_profile_log(changed)) {
        EXPECT_THAT(log_text(*log, "x"), testing::StartsWith("x: profile log"));
      }
    }
}

std::vector<std::byte> log_of(const std::vector<std::vector<std::byte>>& blocks) {
  std::vector<std::byte> log = log_head();
  for (const auto& block : blocks) log.insert(log.end(), block.begin(), block.end());
  return log;
}

template <class... Fields>
std::vector<std::byte> block_of(BlockKind kind, const Fields&... fields) {
  program::ByteWriter writer;
  writer(fields...);
  return make_block(kind, writer.bytes());
}

std::vector<std::byte> session_and(const std::vector<std::byte>& block) {
  return log_of({block_of(BlockKind::kSession, sample_head()), block});
}

constexpr uint64_t kSessionAt = kLogHeadBytes;

TEST_F(ProfileLogTest, WrongContentsAreNamed) {
  const auto refusal = [](const std::vector<std::byte>& bytes) {
    const auto log = read_profile_log(bytes);
    return log ? std::string("was read") : log.error().to_string();
  };
  LogRecord record = sample_record();
  record.events[2].depth = 3;
  EXPECT_THAT(refusal(session_and(block_of(BlockKind::kRecords, kSessionAt, std::vector{record}))),
              HasSubstr("an event of depth 3 where 1 is the most"));
  record = sample_record();
  record.events[0].depth = 1;
  EXPECT_THAT(refusal(session_and(block_of(BlockKind::kRecords, kSessionAt, std::vector{record}))),
              HasSubstr("an event of depth 1 where 0 is the most"));
  EXPECT_THAT(refusal(session_and(block_of(BlockKind::kRecords, uint64_t{17}, std::vector<LogRecord>{}))),
              HasSubstr("session at offset 17, where there is none"));
  EXPECT_THAT(refusal(session_and(block_of(BlockKind::kLeftOut, kSessionAt, uint64_t{1}, uint8_t{0}))),
              HasSubstr("1 bytes are left after the last field"));
  EXPECT_THAT(refusal(session_and(block_of(BlockKind{9}))), HasSubstr("unknown kind 9"));
  EXPECT_THAT(refusal({}), HasSubstr("not a profile log of openqnn"));
}

// A newer minor version may add kinds of blocks that old readers can do without.
TEST_F(ProfileLogTest, UnknownBlocksThatAreNotRequiredArePassedOver) {
  std::vector<std::byte> optional = block_of(BlockKind{9}, uint64_t{5});
  optional[4] = std::byte{0};  // flags
  std::vector<std::byte> bytes = session_and(optional);
  bytes[12] = std::byte{3};  // minor version
  seal_log(bytes);
  const auto log = read_profile_log(bytes);
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log->extent.format_minor, 3U);
  EXPECT_EQ(log->sessions.size(), 1U);
  bytes[8] = std::byte{2};  // major version
  EXPECT_THAT(read_profile_log(bytes).error().to_string(), HasSubstr("format 2.3"));
}

ProfileLog one_record(LogRecord record) {
  return {{1, 0, {}}, {{{"app", "1.2", "v2.48", "0.1"}, {std::move(record)}, 2}}};
}

TEST(ProfileLogReport, Text) {
  EXPECT_EQ(log_text(one_record(sample_record()), "run_qnn.log"),
            "run_qnn.log: profile log of openqnn, format 1.0, 1 session\n"
            "\n"
            "Session of app 1.2, backend v2.48, written by openqnn 0.1\n"
            "  execute of graph 'main', 1000 to 1800\n"
            "    RPC (execute) time: 800 us\n"
            "    Accelerator time: 4000 cycles\n"
            "      conv:OpId_0: 3000 cycles\n"
            "        tile: 1500 cycles\n"
            "      relu:OpId_1: 1000 cycles\n"
            "    scalar: -2 count  at 77\n"
            "    note: hello\n"
            "    trace: 3 bytes for file 'trace.bin'\n"
            "  2 more records were left out, as the target's maxNumMessages says\n");
}

TEST(ProfileLogReport, NumbersOfEveryType) {
  const auto shown = [](uint32_t data_type, uint64_t bits) {
    LogRecord record;
    record.events = {scalar(data_type, bits)};
    return log_text(one_record(record), "x");
  };
  EXPECT_THAT(shown(0x0008, 0x80), HasSubstr("scalar: -128 count"));
  EXPECT_THAT(shown(0x0108, 0x80), HasSubstr("scalar: 128 count"));
  EXPECT_THAT(shown(0x0064, ~uint64_t{0}), HasSubstr("scalar: -1 count"));
  EXPECT_THAT(shown(0x0164, ~uint64_t{0}), HasSubstr("scalar: 18446744073709551615 count"));
  EXPECT_THAT(shown(0x0216, 0x3E00), HasSubstr("scalar: 1.5 count"));
  EXPECT_THAT(shown(0x0232, 0x3FC00000), HasSubstr("scalar: 1.5 count"));
  EXPECT_THAT(shown(0x0264, 0x3FF8000000000000), HasSubstr("scalar: 1.5 count"));
}

TEST(ProfileLogReport, JsonNestsEventsAsTheyWere) {
  const std::string text = log_json(one_record(sample_record()), "run_qnn.log");
  const auto parsed = json::parse(text, "log");
  ASSERT_TRUE(parsed.ok()) << text;
  EXPECT_THAT(text, AllOf(HasSubstr("\"application\": \"app\""), HasSubstr("\"left_out\": 2"),
                          HasSubstr("\"value\": -2"), HasSubstr("{\"bytes\": 3, \"file\": \"trace.bin\"}")));
  // tile lies in conv's list, which lies in the accelerator's.
  const size_t accelerator = text.find("Accelerator time");
  const size_t conv = text.find("conv:OpId_0");
  const size_t tile = text.find("\"tile\"");
  const size_t relu = text.find("relu:OpId_1");
  const auto lists = [&](size_t from, size_t to) {
    size_t opened = 0;
    for (size_t at = text.find("\"events\"", from); at < to; at = text.find("\"events\"", at + 1)) ++opened;
    return opened;
  };
  EXPECT_EQ(lists(accelerator, conv), 1U);
  EXPECT_EQ(lists(conv, tile), 1U);
  EXPECT_EQ(lists(tile, relu), 0U);
}

TEST(ProfileLogReport, MethodsHaveNames) {
  EXPECT_EQ(method_name(2), "finalize");
  EXPECT_EQ(method_name(17), "update binary section");
  EXPECT_EQ(method_name(18), "method 18");
}

}  // namespace
}  // namespace openqnn::profile
