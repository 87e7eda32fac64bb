// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/files.h"
#include "tools/qnn/output_files.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ResultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::path(testing::TempDir()) / "openqnn-results-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "Result_0" / "y.raw"; }
  static Status write(const fs::path& path, std::string_view text) {
    return write_result(path, std::as_bytes(std::span(text.data(), text.size())));
  }
  static ino_t inode_of(const fs::path& path) {
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
  }

  fs::path folder_;
};

TEST_F(ResultFile, MakesItsFolder) {
  ASSERT_TRUE(write(file(), "values").ok());
  EXPECT_EQ(*read_text_file(file()), "values");
}

TEST_F(ResultFile, TakesThePlaceOfAnEarlierOne) {
  ASSERT_TRUE(write(file(), "values of before").ok());
  const ino_t before = inode_of(file());
  for (const char* const text : {"short", "", "longer than the values of before"}) {
    ASSERT_TRUE(write(file(), text).ok());
    EXPECT_EQ(*read_text_file(file()), text);
    EXPECT_EQ(inode_of(file()), before) << "a new file goes to the disk at once";
  }
}

TEST_F(ResultFile, SaysWhyItCannotBeWritten) {
  fs::create_directories(file());
  const Status is_folder = write(file(), "values");
  ASSERT_FALSE(is_folder.ok());
  EXPECT_THAT(is_folder.error().to_string(), HasSubstr("the file cannot be written: Is a directory"));
  const Status under_a_file = write("/dev/null/y.raw", "values");
  ASSERT_FALSE(under_a_file.ok());
  EXPECT_THAT(under_a_file.error().to_string(), HasSubstr("Not a directory"));
}

TEST_F(ResultFile, TellsOfADiskThatIsFull) {
  const Status full = write("/dev/full", "values");
  ASSERT_FALSE(full.ok());
  EXPECT_THAT(full.error().to_string(), HasSubstr("No space left on device"));
}

TEST(ResultFolders, AreNotShared) {
  EXPECT_TRUE(check_folders_of({"a", "a.b", "a_b"}).ok());
  const Status shared = check_folders_of({"a b", "c", "a_b"});
  ASSERT_FALSE(shared.ok());
  EXPECT_THAT(shared.error().to_string(), HasSubstr("graph 'a_b'"));
}

}  // namespace
}  // namespace openqnn::tools
