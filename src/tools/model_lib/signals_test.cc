// SPDX-License-Identifier: BSD-3-Clause
// A signal ends qnn-model-lib-generator and what it started, and leaves no folder behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(20);

class Signals : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "signals_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "model.cpp") << "int model;\n";
    // A compiler that is another program's parent, as real ones are, and takes a minute.
    std::ofstream(folder_ / "compiler")
        << "#!/bin/sh\necho $$ > " << (folder_ / "started").string() << ".new\nmv "
        << (folder_ / "started").string() << ".new " << (folder_ / "started").string() << "\nsleep 60\n";
    fs::permissions(folder_ / "compiler", fs::perms::owner_all);
  }
  void TearDown() override { fs::remove_all(folder_); }

  pid_t start() const {
    const pid_t process = ::fork();
    if (process != 0) return process;
    ::signal(GetParam(), SIG_DFL);  // whoever runs the tests may ignore it, as nohup does
    ::setenv("CXX", (folder_ / "compiler").c_str(), 1);
    const std::string source = (folder_ / "model.cpp").string();
    const std::string output = (folder_ / "out").string();
    ::execl(OPENQNN_MODEL_LIB_GENERATOR, "qnn-model-lib-generator", "-c", source.c_str(), "-o",
            output.c_str(), nullptr);
    ::_exit(127);
  }
  bool compiler_has_started() const {
    const Clock::time_point begun = Clock::now();
    while (Clock::now() - begun < kPatience) {
      if (fs::exists(folder_ / "started")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  fs::path folder_;
};

// feature: D1 (inside)
TEST_P(Signals, LeaveNothingBehind) {
  const pid_t process = start();
  ASSERT_GT(process, 0);
  ASSERT_TRUE(compiler_has_started());
  pid_t compiler = 0;
  std::ifstream(folder_ / "started") >> compiler;
  ASSERT_GT(compiler, 0);
  ASSERT_TRUE(fs::exists(folder_ / "out"));
  const Clock::time_point sent = Clock::now();
  ASSERT_EQ(::kill(process, GetParam()), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_LT(Clock::now() - sent, kPatience) << "it waited for the compiler's minute";
  EXPECT_TRUE(WIFSIGNALED(status)) << "the status says that a signal ended it";
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_EQ(::kill(compiler, 0), -1) << "the compiler goes on";
}

INSTANTIATE_TEST_SUITE_P(Ending, Signals, testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
