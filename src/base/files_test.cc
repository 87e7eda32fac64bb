// SPDX-License-Identifier: BSD-3-Clause
#include "base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/facts.h"

namespace openqnn {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "openqnn-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_;
};

TEST_F(Files, WritesAndReadsBack) {
  const fs::path path = folder_ / "a.txt";
  for (const std::string& text : {std::string("hello\0there", 11), std::string(), std::string(100000, 'x')}) {
    ASSERT_TRUE(write_file(path, text).ok());
    EXPECT_EQ(read_text_file(path).value(), text);
    const auto mapped = MappedFile::open(path);
    ASSERT_TRUE(mapped.ok());
    const auto bytes = (*mapped)->bytes();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), text);
    EXPECT_EQ(entries(), 1u);
  }
}

TEST_F(Files, MappingOutlivesTheName) {
  const fs::path path = folder_ / "a";
  ASSERT_TRUE(write_file(path, std::string_view("old")).ok());
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(write_file(path, std::string_view("new and longer")).ok());
  fs::remove(path);
  EXPECT_EQ(std::memcmp((*mapped)->bytes().data(), "old", 3), 0);
}

TEST_F(Files, SaysWhatIsWrong) {
  const auto missing = MappedFile::open(folder_ / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "file-missing");
  EXPECT_THAT(missing.error().to_string(), HasSubstr("none: error: there is no such file"));
  EXPECT_FALSE(missing.error().fix.empty());
  EXPECT_EQ(read_text_file(folder_ / "none").error().code, "file-missing");

  EXPECT_EQ(MappedFile::open(folder_).error().code, "file-is-directory");
  EXPECT_EQ(read_text_file(folder_).error().code, "file-is-directory");
  EXPECT_EQ(write_file(folder_, std::string_view("x")).error().code, "file-is-directory");

  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(folder_ / "pipe").error().code, "file-not-regular");
  EXPECT_EQ(MappedFile::open("/dev/zero").error().code, "file-not-regular");

  const auto no_folder = write_file(folder_ / "none" / "a", std::string_view("x"));
  ASSERT_FALSE(no_folder.ok());
  EXPECT_EQ(no_folder.error().fix, "create the folder first");
}

TEST_F(Files, ReadsWithoutAPermissionOnlyAsRoot) {
  const fs::path path = folder_ / "secret";
  ASSERT_TRUE(write_file(path, std::string_view("x")).ok());
  ::chmod(path.c_str(), 0);
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  EXPECT_EQ(MappedFile::open(path).error().code, "file-unreadable");
}

TEST_F(Files, FailedWriteKeepsTheOldFile) {
  const fs::path path = folder_ / "a";
  ASSERT_TRUE(write_file(path, std::string_view("old")).ok());
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_file(path, std::string(100000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "file-unwritable");
  EXPECT_EQ(read_text_file(path).value(), "old");
  EXPECT_EQ(entries(), 1u);  // no temporary file left
}

TEST_F(Files, WhatMayNotBeWrittenBlamesItsFolder) {
  const Status status = write_file("/sys/openqnn", std::string_view("x"));  // where not even root may
  ASSERT_FALSE(status.ok());
  if (!fs::exists("/sys/kernel")) GTEST_SKIP() << "there is no /sys here";
  EXPECT_EQ(status.error().fix, "allow writing into its folder, or choose another one");
}

TEST_F(Files, AKilledProcessLeavesNothingBehind) {
  const int nameless = ::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(nameless);
  ASSERT_TRUE(write_file(folder_ / "old", "old"));
  for (const char* const name : {"new", "old"}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const Status unreached = write_file(folder_ / name, [](const WritePiece& write) -> Status {
        OPENQNN_TRY(write(std::as_bytes(std::span("half", 4))));
        ::raise(SIGKILL);
        return {};
      });
      ::_exit(unreached ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(entries(), 1u) << name;
  }
  EXPECT_EQ(*read_text_file(folder_ / "old"), "old");
}

TEST_F(Files, KeepsModeLinksAndDevices) {
  const fs::path path = folder_ / "a";
  const fs::path link = folder_ / "link";
  ASSERT_TRUE(write_file(path, std::string_view("old")).ok());
  ::chmod(path.c_str(), 0640);
  fs::create_symlink("a", link);
  ASSERT_TRUE(write_file(link, std::string_view("new")).ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_text_file(path).value(), "new");
  EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));

  ASSERT_TRUE(write_file("/dev/null", std::string_view("x")).ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, WhatReplacesAProgramDoesNotRunAsItsOwner) {
  const auto path = folder_ / "file";
  ASSERT_TRUE(write_file(path, std::string_view("old")).ok());
  ASSERT_EQ(::chmod(path.c_str(), 06755), 0);
  ASSERT_TRUE(write_file(path, std::string_view("new")).ok());
  struct stat info = {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755U);
}

TEST_F(Files, WhatIsRedirectedIsContinuedNotReplaced) {
  const auto path = folder_ / "log";
  const int log = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(log, 0);
  EXPECT_EQ(::write(log, "before ", 7), 7);
  for (const char* const folder : {"/dev/fd/", "/proc/self/fd/"})
    EXPECT_TRUE(write_file(folder + std::to_string(log), std::string_view("json ")));
  EXPECT_EQ(::write(log, "after", 5), 5);
  ::close(log);
  EXPECT_EQ(*read_text_file(path), "before json json after");
}

TEST_F(Files, ReadersNeverSeeHalfAFile) {
  const fs::path path = folder_ / "a";
  const std::string a(50000, 'a'), b(80000, 'b');
  ASSERT_TRUE(write_file(path, a).ok());
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 2; ++writer) {
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_file(path, (i % 2) != 0 ? a : b).ok());
    });
  }
  for (int i = 0; i < 100; ++i) {
    const auto text = read_text_file(path);
    ASSERT_TRUE(text.ok());
    ASSERT_TRUE(*text == a || *text == b);
  }
  for (auto& writer : writers) writer.join();
}

TEST_F(Files, FactsComeFromTheBuildOrTheFolder) {
  ::unsetenv("OPENQNN_DATA_DIR");
  EXPECT_FALSE(facts_override());
  const auto embedded = facts("socs.json");
  ASSERT_TRUE(embedded.ok());
  EXPECT_EQ(*embedded, read_text_file(fs::path(OPENQNN_SOURCE_DATA_DIR) / "socs.json").value());
  EXPECT_EQ(facts("nothing.json").error().code, "facts-missing");
  EXPECT_FALSE(facts("").ok());

  ::setenv("OPENQNN_DATA_DIR", folder_.c_str(), 1);
  EXPECT_EQ(facts_override(), folder_.string());
  EXPECT_EQ(facts("socs.json").error().code, "facts-missing");
  ASSERT_TRUE(write_file(folder_ / "socs.json", std::string_view("mine")).ok());
  EXPECT_EQ(facts("socs.json").value(), "mine");
  ::unsetenv("OPENQNN_DATA_DIR");
}

TEST_F(Files, AppendsAtTheEnd) {
  const fs::path path = folder_ / "grows";
  EXPECT_FALSE(AppendableFile::open(path, AppendableFile::IfMissing::kFail).ok());
  EXPECT_EQ(entries(), 0U);
  const auto append = [&](std::string_view text) {
    auto file = AppendableFile::open(path, AppendableFile::IfMissing::kCreate);
    ASSERT_TRUE(file.ok());
    const uint64_t before = file->size();
    ASSERT_TRUE(file->append(std::as_bytes(std::span(text))).ok());
    EXPECT_EQ(file->size(), before + text.size());
    std::string last(text.size(), ' ');
    ASSERT_TRUE(file->read(before, std::as_writable_bytes(std::span(last))).ok());
    EXPECT_EQ(last, text);
  };
  append("one ");
  append("two");
  EXPECT_EQ(read_text_file(path).value(), "one two");
  auto file = AppendableFile::open(path, AppendableFile::IfMissing::kFail);
  std::byte beyond{};
  EXPECT_FALSE(file->read(7, {&beyond, 1}).ok());
  ASSERT_TRUE(file->cut(3).ok());
  EXPECT_EQ(file->size(), 3U);
  ASSERT_TRUE(file->append(std::as_bytes(std::span("s", 1))).ok());
  EXPECT_EQ(read_text_file(path).value(), "ones");
}

TEST_F(Files, AppendingTakesTurns) {
  const fs::path path = folder_ / "shared";
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        auto file = AppendableFile::open(path, AppendableFile::IfMissing::kCreate);
        const std::string size = std::to_string(file->size()) + ";";  // nobody appends in between
        EXPECT_TRUE(file->append(std::as_bytes(std::span(size))).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  const std::string text = read_text_file(path).value();
  size_t at = 0;
  for (size_t end = text.find(';'); end != std::string::npos; end = text.find(';', at)) {
    ASSERT_EQ(text.substr(at, end - at), std::to_string(at));
    at = end + 1;
  }
}

TEST_F(Files, AFailedAppendIsTakenBack) {
  const fs::path path = folder_ / "full";
  ASSERT_TRUE(write_file(path, std::string_view("before")).ok());
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {10, before.rlim_max};
  auto file = AppendableFile::open(path, AppendableFile::IfMissing::kFail);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string text(100, 'x');
  const Status status = file->append(std::as_bytes(std::span(text)));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(read_text_file(path).value(), "before");
}

TEST_F(Files, FoldersAndDevicesAreNotAppendedTo) {
  const auto folder = AppendableFile::open(folder_, AppendableFile::IfMissing::kFail);
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, "file-is-directory");
  const auto device = AppendableFile::open("/dev/null", AppendableFile::IfMissing::kCreate);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, "file-not-regular");
}

}  // namespace
}  // namespace openqnn
