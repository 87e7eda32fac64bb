// SPDX-License-Identifier: BSD-3-Clause
#include "config/render.h"

#include "config/fix.h"
#include "config/testing.h"
#include "json/edit.h"

namespace openqnn::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<CheckedFile> checked(std::string name, std::string text) {
  return check_document(read(std::move(name), std::move(text)), {});
}

// A value on the way into a JSON document, or null: chains stay readable.
const json::Value& at(const json::Value& value, std::string_view key) {
  static const json::Value kNone;
  const json::Value* found = value.find(key);
  return found != nullptr ? *found : kNone;
}
const json::Value& at(const json::Value& value, size_t index) {
  static const json::Value kNone;
  return index < value.as_array().size() ? value.as_array()[index] : kNone;
}

json::Value parsed(const std::string& text) {
  auto value = json::parse(text, "rendered");
  EXPECT_TRUE(value.ok()) << text;
  return value ? std::move(*value) : json::Value();
}

// After a comment and text of several bytes a character, lines and columns are still those of an editor.
constexpr std::string_view kMistake =
    "{\n  // größer – 日本\n  \"graphs\": [{\"graph_names\": [\"日本\"], \"vtcm_mbb\": 8}]\n}\n";

TEST(RenderText, PointsAtThePlace) {
  const std::string text = render_text(checked("a.json", std::string(kMistake)));
  EXPECT_THAT(text, StartsWith("a.json:3:38: warning: "));
  EXPECT_THAT(text, HasSubstr("[unknown-key]\n"));
  EXPECT_THAT(text, HasSubstr("^~~~~~~~~~\n"));
  EXPECT_THAT(text, HasSubstr("  fix: rename to vtcm_mb (openqnn fix)\n"));
  EXPECT_THAT(text, HasSubstr("1 warning in 1 file; `openqnn explain CODE` tells more\n"));
}

TEST(RenderText, SaysWhatWasClean) {
  EXPECT_EQ(render_text(checked("a.json", R"({"graphs": [{"graph_names": ["g"]}]})")),
            "clean: 1 file (HTP backend file)\n");
}

// No finding, and yet not silence.
TEST(Render, SaysWhichPathsWereNotChecked) {
  const auto files =
      checked("run.json", R"({"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so",
        "config_file_path": "/nowhere/data/htp.json"}})");
  EXPECT_FALSE(has_findings(files));
  EXPECT_EQ(render_text(files),
            "not checked: '/nowhere/data/htp.json', which run.json names and which is not on this machine\n"
            "clean: 1 file (tool file)\n");
  EXPECT_THAT(render_github(files), StartsWith("::notice file=run.json::not checked: "));
  EXPECT_EQ(at(at(at(at(parsed(render_json(files)), "files"), 0), "not_checked"), 0).as_string(),
            "/nowhere/data/htp.json");
}

TEST(RenderText, BriefIsOneLineAFinding) {
  const std::string text = render_text(checked("a.json", std::string(kMistake)), {.brief = true});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(render_text(checked("a.json", "{}"), {.brief = true}), "");
}

TEST(RenderText, ColoursOnlyWhenAsked) {
  const auto files = checked("a.json", std::string(kMistake));
  EXPECT_THAT(render_text(files), Not(HasSubstr("\033")));
  EXPECT_THAT(render_text(files, {.colour = true}), HasSubstr("\033[1;33mwarning\033[0m"));
}

TEST(RenderText, LetsNoControlCharacterThrough) {
  const std::string text = render_text(checked("a\033[2J.json", R"({"graphs": [{"\u001b[2J": 1}]})"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(RenderJson, HasTheDocumentedShape) {
  const json::Value root = parsed(render_json(checked("a.json", std::string(kMistake))));
  const json::Value& file = at(at(root, "files"), 0);
  EXPECT_EQ(at(file, "file").as_string(), "a.json");
  EXPECT_EQ(at(file, "kind").as_string(), "htp");
  const json::Value& finding = at(at(file, "findings"), 0);
  EXPECT_EQ(at(finding, "code").as_string(), "unknown-key");
  EXPECT_EQ(at(finding, "severity").as_string(), "warning");
  EXPECT_EQ(at(finding, "line").as_int64(), 3);
  EXPECT_EQ(at(finding, "column").as_int64(), 38);
  EXPECT_EQ(at(finding, "path").as_string(), "graphs[0].vtcm_mbb");
  EXPECT_EQ(at(finding, "fix").as_string(), "rename to vtcm_mb");
}

TEST(RenderJson, AFindingAboutTheWholeFileHasNoLine) {
  const json::Value root = parsed(render_json(checked("a.json", "")));
  const json::Value& file = at(at(root, "files"), 0);
  EXPECT_TRUE(at(file, "kind").is_null());
  const json::Value& finding = at(at(file, "findings"), 0);
  EXPECT_EQ(at(finding, "line").as_int64(), 0);
  EXPECT_EQ(at(finding, "column").as_int64(), 0);
  EXPECT_EQ(finding.find("fix"), nullptr);
}

TEST(RenderGithub, EscapesWhatSeparates) {
  const std::string text =
      render_github(checked("a,b:c%.json", R"({"graphs": [{"graph_names": ["g"], "a\nb%": 1}]})"));
  EXPECT_THAT(text, StartsWith("::warning file=a%2Cb%3Ac%25.json,line=1,col=36,title=unknown-key::"));
  EXPECT_THAT(text, HasSubstr("a%0Ab%25"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(RenderSarif, HasRulesResultsAndRegions) {
  const json::Value root = parsed(render_sarif(checked("my dir/a.json", std::string(kMistake)), "1.2.3"));
  EXPECT_EQ(at(root, "version").as_string(), "2.1.0");
  const json::Value& run = at(at(root, "runs"), 0);
  EXPECT_EQ(at(run, "columnKind").as_string(), "unicodeCodePoints");
  const json::Value& driver = at(at(run, "tool"), "driver");
  EXPECT_EQ(at(driver, "version").as_string(), "1.2.3");
  const json::Value& rule = at(at(driver, "rules"), 0);
  EXPECT_EQ(at(rule, "id").as_string(), "unknown-key");
  EXPECT_FALSE(at(at(rule, "help"), "text").as_string().empty());
  const json::Value& result = at(at(run, "results"), 0);
  EXPECT_EQ(at(result, "ruleIndex").as_int64(), 0);
  EXPECT_EQ(at(result, "level").as_string(), "warning");
  const json::Value& place = at(at(at(result, "locations"), 0), "physicalLocation");
  EXPECT_EQ(at(at(place, "artifactLocation"), "uri").as_string(), "my%20dir/a.json");
  EXPECT_EQ(at(at(place, "region"), "startLine").as_int64(), 3);
  EXPECT_EQ(at(at(place, "region"), "startColumn").as_int64(), 38);
  EXPECT_EQ(at(at(place, "region"), "endColumn").as_int64(), 48);
}

// What SARIF says must be what `fix` does.
TEST(RenderSarif, FixesReplaceWhatTheyName) {
  const auto files = checked("a.json", std::string(kMistake));
  const json::Value root = parsed(render_sarif(files, "1"));
  const json::Value& result = at(at(at(at(root, "runs"), 0), "results"), 0);
  const json::Value& change = at(at(at(at(result, "fixes"), 0), "artifactChanges"), 0);
  const json::Value& replacement = at(at(change, "replacements"), 0);
  EXPECT_EQ(at(at(replacement, "insertedContent"), "text").as_string(), "\"vtcm_mb\"");
  EXPECT_EQ(at(at(replacement, "deletedRegion"), "startColumn").as_int64(), 38);
}

TEST(RenderSarif, LeavesOutAFixThatHasNoRegion) {
  CheckOptions options;
  options.circumstances.strict = true;
  const auto files = check_document(read("a.json", "\xEF\xBB\xBF{}"), options);
  ASSERT_TRUE(files[0].findings[0].fix.has_value());
  EXPECT_THAT(render_sarif(files, "1"), Not(HasSubstr("\"fixes\"")));
}

TEST(Render, FindingsCountFromTheSeverityAskedFor) {
  std::vector<CheckedFile> files(1);
  EXPECT_FALSE(has_findings(files));
  files[0].findings.emplace_back().severity = Severity::kNote;
  EXPECT_TRUE(has_findings(files));
  EXPECT_FALSE(has_findings(files, Severity::kWarning));
  files[0].findings.emplace_back().severity = Severity::kWarning;
  EXPECT_TRUE(has_findings(files, Severity::kWarning));
  EXPECT_FALSE(has_findings(files, Severity::kError));
  EXPECT_EQ(count_words(files), "1 warning, 1 note");
}

}  // namespace
}  // namespace openqnn::config
