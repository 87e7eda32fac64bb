// SPDX-License-Identifier: BSD-3-Clause
// Which extension library a configuration opens.
#include "tools/qnn/tool_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/text.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// A folder with a configuration and with another library under the name of ours, first of all that the loader
// looks at.
class OtherLibraryFirst : public testing::Test {
 protected:
  OtherLibraryFirst() {
    fs::create_directories(folder_);
    write("libQnnHtpNetRunExtensions.so", "another's");
    if (const char* before = std::getenv("LD_LIBRARY_PATH")) before_ = before;
    ::setenv("LD_LIBRARY_PATH", folder_.c_str(), 1);
  }
  ~OtherLibraryFirst() override {
    before_ ? ::setenv("LD_LIBRARY_PATH", before_->c_str(), 1) : ::unsetenv("LD_LIBRARY_PATH");
    fs::remove_all(folder_);
  }

  void write(const char* name, std::string_view text) const { std::ofstream(folder_ / name) << text; }

  Status read(const char* name) const {
    ConfigRequest request;
    request.path = folder_ / name;
    request.kind.reset();
    request.tell = [](Severity, const std::string&) {};
    return ToolConfig().read(std::move(request));
  }

  std::optional<std::string> before_;  // what the caller has set
  const fs::path folder_ = fs::temp_directory_path() / concat("tool_config_test_", getpid());
};

TEST_F(OtherLibraryFirst, TheBackendsOwnFileTakesTheOneBesideThisProgram) {
  write("htp.json", R"({"devices": [{"soc_model": 57}]})");
  const Status status = read("htp.json");
  EXPECT_TRUE(status) << status.error().to_string();
}

TEST_F(OtherLibraryFirst, AnOuterFileTakesTheOneThatTheLoaderWouldFind) {
  write("outer.json", R"({"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so"}})");
  const Status status = read("outer.json");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where.object, folder_ / "libQnnHtpNetRunExtensions.so");
}

}  // namespace
}  // namespace openqnn::tools
