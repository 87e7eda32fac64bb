// SPDX-License-Identifier: BSD-3-Clause
#include "config/follow.h"

#include <unistd.h>

#include <fstream>

#include "base/text.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kHtp = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 4}]})";

std::string outer_naming(std::string_view path) {
  return concat(R"({"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so", )",
                R"("config_file_path": ")", path, R"("}})");
}

// A folder of its own, in which the tools are taken to run.
class FollowTest : public ::testing::Test {
 protected:
  FollowTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() / concat("openqnn_follow_", getpid(), "_", test->name());
    std::filesystem::create_directories(root_ / "sub");
    options_.folder = root_;
  }
  ~FollowTest() override { std::filesystem::remove_all(root_); }

  std::string write(std::string_view name, std::string_view text) {
    const std::filesystem::path path = root_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  std::vector<CheckedFile> check_path(const std::string& path) { return check_file(path, options_); }

  std::filesystem::path root_;
  CheckOptions options_;
};

std::vector<std::string> codes(const CheckedFile& file) {
  std::vector<std::string> out;
  for (const Finding& finding : file.findings) out.emplace_back(finding.code);
  return out;
}

TEST_F(FollowTest, FindsTheInnerFileFromTheWorkingDirectory) {
  write("htp.json", kHtp);
  const auto files = check_path(write("sub/outer.json", outer_naming("htp.json")));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(files[0].findings, IsEmpty());
  EXPECT_EQ(files[0].kind, Kind::kTool);
  EXPECT_EQ(files[1].kind, Kind::kHtp);
  EXPECT_THAT(files[1].named_by, HasSubstr("relative to the working directory"));
}

TEST_F(FollowTest, FollowsAnAbsolutePath) {
  const std::string inner = write("sub/htp.json", kHtp);
  const auto files = check_path(write("outer.json", outer_naming(inner)));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].name, inner);
  EXPECT_THAT(files[1].named_by, Not(HasSubstr("working directory")));
}

TEST_F(FollowTest, WarnsWhenTheFileIsOnlyBesideTheOuterOne) {
  write("sub/htp.json", kHtp);
  const auto files = check_path(write("sub/outer.json", outer_naming("htp.json")));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(codes(files[0]), ElementsAre("inner-file-elsewhere"));
  EXPECT_EQ(files[0].findings[0].severity, Severity::kWarning);
  EXPECT_EQ(files[0].findings[0].path, "backend_extensions.config_file_path");
}

// A tool file for a device is checked on another machine, where the path means nothing.
TEST_F(FollowTest, APathOfAnotherMachineIsTakenFromBesideTheFile) {
  write("sub/htp.json", kHtp);
  for (const char* path : {"/nowhere/vendor/etc/htp.json", R"(C:\\qnn\\htp.json)", "C:/qnn/htp.json",
                           R"(\\\\server\\qnn\\htp.json)"}) {
    const auto files = check_path(write("sub/outer.json", outer_naming(path)));
    ASSERT_EQ(files.size(), 2u) << path;
    EXPECT_THAT(files[0].findings, IsEmpty());
    EXPECT_THAT(files[0].not_checked, IsEmpty());
    EXPECT_EQ(files[1].kind, Kind::kHtp);
    EXPECT_THAT(files[1].named_by, HasSubstr("found beside it"));
  }
}

TEST_F(FollowTest, APathOfAnotherMachineIsNoFindingButNotChecked) {
  for (const char* path : {"/nowhere/data/htp.json", R"(D:\\htp.json)", "/nowhere/data/"}) {
    const auto files = check_path(write("outer.json", outer_naming(path)));
    ASSERT_EQ(files.size(), 1u) << path;
    EXPECT_THAT(files[0].findings, IsEmpty());
    EXPECT_EQ(files[0].not_checked.size(), 1u);
  }
  EXPECT_THAT(codes(check_path(write("outer.json", outer_naming("D:htp.json")))[0]),
              ElementsAre("inner-file-missing"));
}

TEST_F(FollowTest, ReportsAMissingFile) {
  const auto files = check_path(write("outer.json", outer_naming("nowhere.json")));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(codes(files[0]), ElementsAre("inner-file-missing"));
}

TEST_F(FollowTest, AFileThatNamesItselfIsNotFollowedTwice) {
  const auto files = check_path(write("outer.json", outer_naming("outer.json")));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(files[0].findings, IsEmpty());
  EXPECT_THAT(codes(files[1]), ElementsAre("wrong-kind"));
  EXPECT_EQ(files[1].kind, Kind::kTool);
  EXPECT_EQ(check_files({(root_ / "outer.json").string()}, options_).size(), 2u);
}

TEST_F(FollowTest, AnInnerFileThatIsAFolderIsOneFinding) {
  const auto files = check_path(write("outer.json", outer_naming("sub")));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(codes(files[1]), ElementsAre("file-unreadable"));
}

// The two files are checked as one subject: the outer file is the only place that tells of graph switching.
TEST_F(FollowTest, FindsWhatOnlyBothFilesTogetherShow) {
  write("htp.json", R"({"groupContext": {"share_resources": true}})");
  const auto files =
      check_path(write("outer.json", R"({"backend_extensions": {"config_file_path": "htp.json"},
        "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1}})"));
  ASSERT_EQ(files.size(), 2u);
  std::vector<std::string> all = codes(files[0]);
  for (const std::string& code : codes(files[1])) all.push_back(code);
  EXPECT_THAT(all, ::testing::Contains("share-resources-switching"));
}

TEST_F(FollowTest, FollowsEveryThreadOfAThroughputFile) {
  write("a.json", kHtp);
  write("b.json", R"({"graphs": [{"graph_names": ["g"], "vtcm_mbb": 4}]})");
  const auto thread = [](std::string_view name, std::string_view config) {
    return concat(R"({"threadName": ")", name,
                  R"(", "backend": "b", "context": "c", "model": "m", "backendConfig": ")", config, R"("})");
  };
  const auto files = check_path(
      write("test.json",
            concat(R"({"backends": [{"backendName": "b", "backendPath": "libQnnHtp.so",
          "backendExtensions": "libQnnHtpNetRunExtensions.so"}],
        "models": [{"modelName": "m", "modelPath": "m.bin", "loadFromCachedBinary": true}],
        "contexts": [{"contextName": "c"}], "testCase": {"iteration": 1, "threads": [)",
                   thread("1", "a.json"), ", ", thread("2", "b.json"), ", ", thread("3", "a.json"), "]}}")));
  ASSERT_EQ(files.size(), 3u);
  EXPECT_THAT(files[0].findings, IsEmpty());
  EXPECT_THAT(files[1].findings, IsEmpty());
  EXPECT_THAT(codes(files[2]), ElementsAre("unknown-key"));
}

TEST_F(FollowTest, AFileNamedByAnotherGivenOneIsCheckedOnce) {
  const std::string inner = write("htp.json", kHtp);
  const std::string outer = write("outer.json", outer_naming("htp.json"));
  EXPECT_EQ(check_files({inner, outer}, options_).size(), 2u);
  EXPECT_EQ(check_files({outer, inner}, options_).size(), 2u);
}

TEST_F(FollowTest, WithAToolTheBackendFileIsNotWhatItTakes) {
  const std::string inner = write("htp.json", kHtp);
  EXPECT_THAT(codes(check_path(inner)[0]), IsEmpty());
  options_.circumstances.tool = Tool::kNetRun;
  const auto wrong = check_path(inner)[0];
  EXPECT_THAT(codes(wrong), ElementsAre("wrong-kind"));
  options_.kind = Kind::kHtp;
  EXPECT_THAT(codes(check_path(inner)[0]), IsEmpty());
}

TEST_F(FollowTest, SaysOnceWhatTwoOuterFilesShow) {
  write("htp.json", R"({"graphs": [{"graph_names": ["g"], "vtcm_mbb": 4}]})");
  const std::string outer = write("outer.json", outer_naming("htp.json"));
  const std::string other = write("other.json", outer_naming("htp.json"));
  const auto files = check_files({outer, other, outer}, options_);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_THAT(codes(files[1]), ElementsAre("unknown-key"));
  EXPECT_EQ(files[2].name, other);
}

TEST(Follow, KnowsWhatEachToolTakes) {
  EXPECT_EQ(kind_for_tool(Tool::kNetRun), Kind::kTool);
  EXPECT_EQ(kind_for_tool(Tool::kContextBinaryGenerator), Kind::kTool);
  EXPECT_EQ(kind_for_tool(Tool::kThroughputNetRun), Kind::kThroughput);
  EXPECT_EQ(kind_for_tool(Tool::kProfileViewer), Kind::kOptrace);
}

}  // namespace
}  // namespace openqnn::config
