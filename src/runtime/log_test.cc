// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/log.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>

namespace openqnn::runtime {
namespace {

std::string g_lines;  // a callback has no argument of its own

void collect(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  char line[256];
  std::vsnprintf(line, sizeof line, format, arguments);
  g_lines += std::to_string(static_cast<int>(level)) + " " + line + ";";
}

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override { g_lines.clear(); }
};

TEST_F(LogTest, LinesReachTheCallbackUpToTheLevel) {
  Log log(collect, LogLevel::kWarning);
  log.log().error("100 % wrong");
  log.log().info("hidden");
  log.set_level(LogLevel::kInfo);
  log.log().info("shown");
  EXPECT_EQ(g_lines, "1 100 % wrong;3 shown;");
}

TEST_F(LogTest, AFreedLogCallsNobody) {
  auto log = std::make_unique<Log>(collect, LogLevel::kInfo);
  const Logger kept = log->log();
  log.reset();
  kept.error("too late");
  log_error_everywhere("too late as well");
  EXPECT_EQ(g_lines, "");
}

TEST_F(LogTest, ErrorsWithoutAnOwnerReachEveryLiveLog) {
  const Log first(collect, LogLevel::kError);
  const Log second(collect, LogLevel::kError);
  log_error_everywhere("x");
  EXPECT_EQ(g_lines, "1 x;1 x;");
}

}  // namespace
}  // namespace openqnn::runtime
