// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/config.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace openqnn {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The guide's minimal backend file.
constexpr const char* kGuideSample = R"({
  "context": [{"weight_sharing_enabled": true, "lora_weight_sharing": true}],
  "graphs": [
    {"graph_names": ["graphA", "graphB"], "O": 3, "vtcm_mb": 8},
    {"graph_names": ["graphC"], "dlbc": 1}
  ],
  "devices": [{"device_id": 0, "soc_model": 43, "dsp_arch": "v73",
               "cores": [{"core_id": 0, "perf_profile": "burst"}]}],
  "memory": {"mem_type": "shared_buffer"},
  "groupContext": {"share_resources": true}
})";

ConfigFile parsed(const char* text) {
  auto file = ConfigFile::parse(text, "htp.json");
  EXPECT_TRUE(file.ok()) << file.error().to_string();
  return *std::move(file);
}

std::vector<std::string> codes(const std::vector<ConfigFinding>& findings) {
  std::vector<std::string> out;
  for (const ConfigFinding& finding : findings) out.push_back(finding.code);
  return out;
}

// feature: A12 (C++ API)
TEST(ConfigFile, FindsExactlyOneThingInTheGuidesSample) {
  const ConfigFile file = parsed(kGuideSample);
  EXPECT_EQ(file.kind(), ConfigKind::kHtp);
  const auto findings = file.check();
  ASSERT_THAT(codes(findings), ElementsAre("dlbc-weight-sharing"));
  EXPECT_EQ(findings[0].path, "graphs[1].dlbc");
  EXPECT_EQ(findings[0].line, 5u);
  EXPECT_THAT(findings[0].to_string(), HasSubstr("\"dlbc\": 1"));
}

// feature: A1 (C++ API)
TEST(ConfigFile, AnswersSettingsUnderBothNames) {
  const ConfigFile file = parsed(kGuideSample);
  EXPECT_EQ(file.get("graphs[0].vtcm_mb"), Setting(int64_t{8}));
  EXPECT_EQ(file.get("graphs[0].vtcm_size_in_mb"), Setting(int64_t{8}));
  EXPECT_EQ(file.get("graphs[0].graph_names"), Setting(std::vector<std::string>{"graphA", "graphB"}));
  EXPECT_EQ(file.get("devices[0].cores[0].perf_profile"), Setting(std::string("burst")));
  EXPECT_EQ(file.get("context.weight_sharing_enabled"), Setting(true));
  EXPECT_EQ(file.get("graphs[0].hvx_threads"), std::nullopt);
  EXPECT_EQ(file.get("graphs[7].O"), std::nullopt);
  EXPECT_EQ(file.get("..."), std::nullopt);
  EXPECT_EQ(file.origin("graphs[0].vtcm_mb"), "htp.json:4:62");
  EXPECT_EQ(file.origin("graphs[0].dlbc"), "");
  EXPECT_THAT(file.paths(), Contains("devices[0].cores[0].core_id"));
}

// feature: A3 (C++ API)
TEST(ConfigFile, ChangesOneKeyAndNothingElse) {
  ConfigFile file = parsed(kGuideSample);
  EXPECT_EQ(file.to_json(), kGuideSample);
  ASSERT_TRUE(file.set("context[0].extended_udma", true).ok());
  std::string expected = kGuideSample;
  const std::string before = "\"lora_weight_sharing\": true";
  expected.replace(expected.find(before), before.size(), before + ", \"extended_udma\": true");
  EXPECT_EQ(file.to_json(), expected);
  EXPECT_EQ(file.origin("context[0].extended_udma"), "set");
  EXPECT_TRUE(file.erase("context[0].extended_udma"));
  EXPECT_EQ(file.to_json(), kGuideSample);
  EXPECT_FALSE(file.erase("context[0].extended_udma"));
}

TEST(ConfigFile, MakesWhatIsMissingOnTheWay) {
  ConfigFile file = parsed("{}\n");
  ASSERT_TRUE(file.set("devices[0].cores[0].perf_profile", std::string("burst")).ok());
  ASSERT_TRUE(file.set("graphs[0].graph_names", std::vector<std::string>{"g"}).ok());
  ASSERT_TRUE(file.set("graphs[1].graph_names", std::vector<std::string>{"h"}).ok());
  ASSERT_TRUE(file.set("graphs[1].O", 3.0).ok());
  EXPECT_EQ(file.get("graphs[1].O"), Setting(int64_t{3}));
  EXPECT_EQ(file.get("devices[0].cores[0].perf_profile"), Setting(std::string("burst")));
  EXPECT_THAT(file.check(), IsEmpty());
}

// feature: A10 (C++ API)
TEST(ConfigFile, RefusesWhatAnOptionDoesNotTakeAndStaysAsItWas) {
  ConfigFile file = parsed(kGuideSample);
  EXPECT_EQ(file.set("graphs[0].O", int64_t{9}).error().code, "out-of-range");
  EXPECT_EQ(file.set("graphs[0].vtcm_mb", std::string("big")).error().code, "wrong-type");
  EXPECT_EQ(file.set("devices[0].pd_session", std::string("unisgned")).error().code, "unknown-choice");
  EXPECT_EQ(file.set("graphs[0].vtcm", int64_t{8}).error().code, "unknown-key");
  EXPECT_EQ(file.set("graphs[5].O", int64_t{2}).error().code, "config-path");
  EXPECT_EQ(file.set("", int64_t{2}).error().code, "config-path");
  EXPECT_EQ(file.to_json(), kGuideSample);
}

// feature: A9 (C++ API)
TEST(ConfigFile, SaysWhyATextIsNoConfiguration) {
  const auto broken = ConfigFile::parse("{\"graphs\": [}", "a.json");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, "json-syntax");
  EXPECT_THAT(broken.error().where, HasSubstr("a.json:1:13"));
  EXPECT_FALSE(ConfigFile::parse("[]").ok());
  EXPECT_FALSE(ConfigFile::parse("{\"what\": 1}").ok());
  EXPECT_EQ(ConfigFile::open("no-such-file.json").error().code, "file-unreadable");
}

// feature: A11 (C++ API)
TEST(ConfigFile, ReportsWhatAToolIgnores) {
  const ConfigFile file = parsed(R"({"graphs": [{"graph_names": ["g"], "O": 2}],
    "devices": [{"cores": [{"perf_profile": "burst"}]}]})");
  EXPECT_THAT(file.check(), IsEmpty());
  EXPECT_THAT(codes(file.check({.tool = "qnn-context-binary-generator"})), Not(IsEmpty()));
  EXPECT_THAT(codes(file.check({.tool = "qnn-net-run", .stage = "binary"})), Not(IsEmpty()));
  EXPECT_EQ(file.check({.tool = "qnn-net-walk"})[0].code, "unknown-tool");
}

TEST(ConfigFile, LeadsIntoLists) {
  ConfigFile file = parsed(kGuideSample);
  EXPECT_EQ(file.get("graphs[0].graph_names[1]"), Setting(std::string("graphB")));
  EXPECT_EQ(file.get("graphs[0].graph_names[9]"), std::nullopt);
  ASSERT_TRUE(file.set("graphs[0].graph_names[1]", std::string("other")).ok());
  ASSERT_TRUE(file.set("graphs[0].graph_names[2]", std::string("third")).ok());
  EXPECT_EQ(file.get("graphs[0].graph_names"), Setting(std::vector<std::string>{"graphA", "other", "third"}));
  EXPECT_FALSE(file.erase("graphs[7]"));
  EXPECT_TRUE(file.erase("graphs[0]"));
  EXPECT_EQ(file.get("graphs[0].dlbc"), Setting(int64_t{1}));
  EXPECT_TRUE(file.erase("graphs[0].graph_names[0]"));
  EXPECT_EQ(file.get("graphs[0].graph_names"), Setting(std::vector<std::string>{}));
}

TEST(ConfigFile, FillsNullsAndKeepsCommentsOfEmptyLists) {
  ConfigFile file = parsed("{\"graphs\": null, \"devices\": [\n  // first: the phone\n]}");
  ASSERT_TRUE(file.set("graphs[0].O", int64_t{3}).ok());
  ASSERT_TRUE(file.set("devices[0].soc_model", int64_t{57}).ok());
  EXPECT_EQ(file.get("graphs[0].optimization_type"), Setting(int64_t{3}));
  EXPECT_THAT(file.to_json(), HasSubstr("// first: the phone"));
  EXPECT_EQ(file.origin("devices.soc_model"), "set");
  EXPECT_EQ(file.origin("graphs[0].optimization_type"), "set");
  EXPECT_EQ(file.set("graphs[0].O", std::numeric_limits<double>::quiet_NaN()).error().code, "not-finite");
  EXPECT_EQ(file.set("graphs[0].graph_names", std::vector<std::string>{"\xff"}).error().code, "json-utf8");
}

TEST(ConfigFile, IsAValue) {
  ConfigFile a = parsed(kGuideSample);
  ConfigFile b = a;
  ASSERT_TRUE(b.set("graphs[0].vtcm_mb", int64_t{4}).ok());
  EXPECT_EQ(a.get("graphs[0].vtcm_mb"), Setting(int64_t{8}));
  a = b;
  EXPECT_EQ(a.get("graphs[0].vtcm_mb"), Setting(int64_t{4}));
  const ConfigFile moved = std::move(a);
  EXPECT_EQ(a.get("graphs[0].vtcm_mb"), moved.get("graphs[0].vtcm_mb"));  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(config_options(static_cast<ConfigKind>(77)).empty());
}

TEST(ConfigFile, SavesInOneStep) {
  const auto path = std::filesystem::temp_directory_path() / "openqnn-cxx-config-test.json";
  ASSERT_TRUE(parsed(kGuideSample).save(path).ok());
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), kGuideSample);
  EXPECT_TRUE(ConfigFile::open(path).ok());
  std::filesystem::remove(path);
  EXPECT_FALSE(parsed(kGuideSample).save("no/such/folder/file.json").ok());
}

TEST(ConfigText, IsMendedAndFormatted) {
  const auto fixed = fix_config("{\"devices\": [{\"soc_model\": \"57\" \"dsp_arch\": \"v75\"}]} // mine\n");
  ASSERT_TRUE(fixed.ok());
  EXPECT_EQ(fixed->text, "{\"devices\": [{\"soc_model\": 57, \"dsp_arch\": \"v75\"}]} // mine\n");
  EXPECT_THAT(fixed->mended, ElementsAre("json-syntax", "number-as-string"));
  const auto formatted = format_config("{\"devices\":[ ]}");
  ASSERT_TRUE(formatted.ok());
  EXPECT_EQ(*formatted, "{\n  \"devices\": []\n}\n");
  EXPECT_FALSE(format_config("{").ok());
}

// feature: A2 (C++ API)
TEST(ConfigOptions, ComeFromTheTable) {
  for (const ConfigKind kind : {ConfigKind::kHtp, ConfigKind::kTool, ConfigKind::kLpai,
                                ConfigKind::kDataFormat, ConfigKind::kOptrace, ConfigKind::kThroughput}) {
    const auto options = config_options(kind);
    EXPECT_FALSE(options.empty());
    for (const ConfigOption& option : options) EXPECT_FALSE(option.summary.empty()) << option.path;
    EXPECT_THAT(config_schema(kind), HasSubstr("2020-12"));
  }
}

}  // namespace
}  // namespace openqnn
