// SPDX-License-Identifier: BSD-3-Clause
#include "config/read.h"

#include <filesystem>
#include <fstream>

#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> codes(const Document& document) {
  std::vector<std::string> out;
  for (const Finding& finding : document.findings) out.emplace_back(finding.code);
  return out;
}

Kind kind_of(std::string text) {
  const Document document = read("f.json", std::move(text));
  EXPECT_TRUE(document.config.has_value()) << document.text;
  return document.config ? document.config->kind : Kind::kCompile;
}

// feature: A1 (inside)
TEST(Read, TellsTheKindsOfFilesApart) {
  EXPECT_EQ(kind_of(R"({"graphs": [{"graph_names": ["g"]}]})"), Kind::kHtp);
  EXPECT_EQ(kind_of(R"({"graphs": {"graph_names": ["g"]}})"), Kind::kHtp);
  EXPECT_EQ(kind_of(R"({"devices": [{"profiling_level": "linting"}]})"), Kind::kHtp);
  EXPECT_EQ(kind_of(R"({"vtcm_mb": 8, "dsp_arch": "v69"})"), Kind::kHtp);
  EXPECT_EQ(kind_of(R"({"backend_extensions": {"config_file_path": "a.json"}})"), Kind::kTool);
  EXPECT_EQ(kind_of(R"({"context_configs": {"is_persistent_binary": true}})"), Kind::kTool);
  EXPECT_EQ(kind_of(R"({"lpai_backend": {"target_env": "adsp"}})"), Kind::kLpai);
  EXPECT_EQ(kind_of(R"({"graphs": [{"graph_name": "g", "tensors": []}]})"), Kind::kDataFormat);
  EXPECT_EQ(kind_of(R"({"features": {"htp_json": true}})"), Kind::kOptrace);
  EXPECT_EQ(kind_of(R"({"htp_json": true, "qhas_json": true})"), Kind::kOptrace);
  EXPECT_EQ(kind_of(R"({"backends": [], "models": [], "contexts": [], "testCase": {}})"), Kind::kThroughput);
}

// feature: A6 (inside)
TEST(Read, NamesAFileOfAnotherKind) {
  const Document inner = read("htp.json", R"({"devices": [{}]})", Kind::kTool);
  ASSERT_THAT(codes(inner), ElementsAre("wrong-kind"));
  EXPECT_THAT(inner.findings[0].message, HasSubstr("HTP backend file"));
  EXPECT_THAT(inner.findings[0].message, HasSubstr("tool file"));
  EXPECT_TRUE(inner.config.has_value());
  EXPECT_THAT(codes(read("tool.json", R"({"backend_extensions": {}})", Kind::kHtp)),
              ElementsAre("wrong-kind"));
  EXPECT_THAT(codes(read("htp.json", R"({"devices": [{}]})", Kind::kHtp)), IsEmpty());
}

// feature: A9 (inside)
TEST(Read, GivesOneErrorForWhatIsNoConfiguration) {
  EXPECT_THAT(codes(read("f", "")), ElementsAre("empty-file"));
  EXPECT_THAT(codes(read("f", " \r\n\t")), ElementsAre("empty-file"));
  EXPECT_THAT(codes(read("f", "[1, 2]")), ElementsAre("not-an-object"));
  EXPECT_THAT(codes(read("f", "{\"graphs\": [")), ElementsAre("json-syntax"));
  EXPECT_THAT(codes(read("f", "{\"devices\": [{\"dsp_arch\": \"v\xff\"}]}")), ElementsAre("json-utf8"));
  EXPECT_THAT(codes(read("f", R"({"graphs": [], "graphs": []})")), ElementsAre("json-duplicate-key"));
  EXPECT_THAT(codes(read("f", std::string(100, '[') + std::string(100, ']'))), ElementsAre("json-depth"));
  EXPECT_THAT(codes(read("f", R"({"name": "resnet", "version": 2})")), ElementsAre("unknown-kind"));
  EXPECT_THAT(codes(read("f", R"({"type": "object", "properties": {"graphs": {"type": "array"}}})")),
              ElementsAre("pasted-schema"));
}

// feature: A9 (inside)
TEST(Read, RefusesAFileThatIsTooLargeBeforeItsContents) {
  constexpr size_t kMost = size_t{64} << 20;
  const std::string start = R"({"devices": [{}]})";
  const Document largest = read("f", start + std::string(kMost - start.size(), ' '));
  EXPECT_THAT(codes(largest), IsEmpty());
  EXPECT_TRUE(largest.config.has_value());
  const Document larger = read("f", start + std::string(kMost + 1 - start.size(), ' '));
  ASSERT_THAT(codes(larger), ElementsAre("json-size"));
  EXPECT_THAT(larger.findings[0].message, HasSubstr(std::to_string(kMost)));
  EXPECT_TRUE(larger.findings[0].span.empty()) << "no place in it is to blame";
  EXPECT_FALSE(larger.config.has_value());
}

// feature: A9 (inside)
TEST(Read, LeavesNothingOfAFileThatIsNoJson) {
  for (const std::string& text : {std::string("{\"devices\": [{}], \"graphs\": ["), std::string(100, '['),
                                  std::string("{\"devices\": [{\"dsp_arch\": \"v\xff\"}]}")}) {
    const Document document = read("f", text);
    ASSERT_EQ(document.findings.size(), 1u) << text;
    EXPECT_FALSE(document.findings[0].span.empty()) << text;
    EXPECT_FALSE(document.config.has_value()) << text;
  }
}

TEST(Read, PointsAtTheByteAfterCommentsAndWideText) {
  const Document document = read("f", "{ // é漢😀\n  \"graphs\": [],\n  \"é漢😀\": 1 \"devices\": []\n}");
  ASSERT_THAT(codes(document), ElementsAre("json-syntax"));
  const uint32_t at = document.findings[0].span.begin;
  EXPECT_EQ(document.text.substr(at - 1, 1), "1");  // the comma belongs right behind the value
  ASSERT_TRUE(document.findings[0].fix.has_value());
  EXPECT_EQ(document.findings[0].fix->changes[0].text, ",");
}

TEST(Read, FindsPlaceholdersThatBreakTheSyntax) {
  for (const char* text :
       {R"({"devices": [{"soc_model": {SOC_ID}}]})", R"({"devices": [{"soc_model": $SOC}]})",
        R"({"devices": [{"soc_model": <TODO>}]})", R"({"devices": [{"soc_model": ${SOC}}]})",
        "\xef\xbb\xbf{\"devices\": [{\"soc_model\": $SOC}]}"})
    EXPECT_THAT(codes(read("f", text)), ElementsAre("placeholder")) << text;
}

TEST(Read, TellsOtherEncodingsAndShowsWhereATextEnds) {
  EXPECT_THAT(codes(read("f", std::string("\xff\xfe{\0}\0", 6))), ElementsAre("json-utf8"));
  EXPECT_THAT(codes(read("f", "\xef\xbb\xbf\n")), ElementsAre("empty-file"));
  const Document cut = read("f", "{\"graphs\": [{\"O\":");
  ASSERT_THAT(codes(cut), ElementsAre("json-syntax"));
  EXPECT_FALSE(cut.findings[0].span.empty());
}

TEST(Read, JudgesMixedFilesByWhatDecides) {
  EXPECT_EQ(kind_of(R"({"graphs": [{"graph_name": ["g"], "O": 3}], "devices": [{}]})"), Kind::kHtp);
  EXPECT_EQ(kind_of(R"({"backend_extensions": {}, "graphs": [], "devices": []})"), Kind::kTool);
  const Document typo = read("f", R"({"device": [{"soc_model": 57}]})");
  ASSERT_THAT(codes(typo), ElementsAre("unknown-kind"));
  ASSERT_TRUE(typo.findings[0].fix.has_value());
  EXPECT_EQ(typo.findings[0].fix->title, "rename to devices");
}

TEST(Read, ListsLibertiesAsNotes) {
  const Document document = read("f", "\xef\xbb\xbf{/* a */ \"devices\": [{},], // b\n}");
  EXPECT_THAT(codes(document),
              ElementsAre("byte-order-mark", "comment", "trailing-comma", "trailing-comma", "comment"));
  for (const Finding& finding : document.findings) EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_THAT(check_documents({&document}, {}), IsEmpty());
  EXPECT_EQ(check_documents({&document}, {.strict = true}).size(), 5u);
}

TEST(ReadFile, SaysWhyItCannotBeRead) {
  const auto folder = std::filesystem::temp_directory_path();
  EXPECT_THAT(codes(read_file(folder / "openqnn-no-such-file.json")), ElementsAre("file-unreadable"));
  EXPECT_THAT(codes(read_file(folder)), ElementsAre("file-unreadable"));
}

// feature: A7 (inside)
TEST(Read, TakesTheLpaiExampleWithItsTrailingComma) {
  const Document document = read("lpai.json", R"({
"lpai_backend": {"target_env": "adsp", "enable_hw_ver": "v6"},
"lpai_graph": {"execute": {"fps": 1, "ftrt_ratio": 10, "client_type": "real_time", "affinity": "soft",}}
})");
  ASSERT_TRUE(document.config.has_value());
  EXPECT_THAT(places(check_documents({&document}, {})), IsEmpty());
}

TEST(Read, RefusesMoreGraphsThanAnybodyHas) {
  std::string text = R"({"graphs": [)";
  for (size_t i = 0; i <= kMostGraphs; ++i) text += i == 0 ? "{}" : ",{}";
  EXPECT_THAT(codes(read("f", text + "]}")), ElementsAre("too-many-graphs"));
}

}  // namespace
}  // namespace openqnn::config
