// SPDX-License-Identifier: BSD-3-Clause
#include "config/keys.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Finding> fields(std::string text, const Circumstances& circumstances = {}) {
  const Document document = read("test.json", std::move(text));
  if (!document.config) return document.findings;
  return check_fields(*document.config, circumstances);
}

std::vector<std::string> found(std::string text) { return places(fields(std::move(text))); }

std::string fix_title(std::string text) {
  const auto findings = fields(std::move(text));
  return findings.size() == 1 && findings[0].fix ? findings[0].fix->title : "";
}

// feature: A11 (inside)
TEST(Fields, SuggestsWhatATypoMeant) {
  EXPECT_THAT(found(R"({"context_configs": {"momory_limit_hint": 1}})"),
              ElementsAre("unknown-key context_configs.momory_limit_hint"));
  EXPECT_EQ(fix_title(R"({"context_configs": {"momory_limit_hint": 1}})"), "rename to memory_limit_hint");
  EXPECT_EQ(fix_title(R"({"devices": [{"pd_session": "unisgned"}]})"), "write \"unsigned\"");
  EXPECT_EQ(fix_title(R"({"device": [{"dsp_arch": "v73"}], "graphs": []})"), "rename to devices");
  EXPECT_EQ(fix_title(R"({"graphs": [{"graph_names": ["g"], "VTCM_MB": 8}]})"), "rename to vtcm_mb");
}

// A fix must leave a file that can be read, and that means what it meant.
TEST(Fields, RenamesOnlyWhatIsASlip) {
  const auto fix_of = [](const std::string& text) {
    for (const Finding& finding : fields(text)) {
      if (finding.fix) return finding.fix->title;
    }
    return std::string();
  };
  EXPECT_EQ(fix_of(R"({"graphs": [{"graph_names": ["g"], "vtcm_mbb": 8, "vtcm_mb": 4}]})"), "");
  EXPECT_EQ(fix_of(R"({"graphs": [{"graph_names": ["g"], "vtcm_mbb": 8, "vtcm_size_in_mb": 4}]})"), "");
  EXPECT_EQ(fix_of(R"({"graphs": [{"graph_names": ["g"], "vtcm_mbb": 8, "vtcmm_mb": 4}]})"), "");
  EXPECT_EQ(fix_of(R"({"context": {"weight_sharing_enable": true}})"), "rename to weight_sharing_enabled");
  EXPECT_EQ(fix_of(R"({"context": {"weight_sharing_disabled": true}})"), "");
  EXPECT_EQ(fix_of(R"({"graphs": [{"graph_names": ["g"], "fold_relu_activation_into_conv_on": true}]})"), "");
  EXPECT_EQ(fix_of(R"({"graphs": [{"graph_names": ["g"], "vtcm_kb": 8192}]})"), "");
  EXPECT_EQ(fix_of(R"({"devices": [{"cores": [{"rpc_polling_time_ms": 9}]}]})"), "");
  EXPECT_EQ(fix_of(R"({"devices": [{"dsp_arch": "v99"}]})"), "");
  EXPECT_EQ(fix_of(R"({"devices": [{"dsp_arch": "73"}]})"), "write \"v73\"");
  EXPECT_EQ(fix_of(R"({"devices": [{"cores": [{"perf_profile": "brust"}]}]})"), "write \"burst\"");
  for (const char* number : {"08", "3.", ".5", "+3", "2.5", "99999999999999999999999", "0x3"})
    EXPECT_EQ(fix_of(std::string(R"({"graphs": [{"graph_names": ["g"], "O": ")") + number + "\"}]}"), "")
        << number;
}

TEST(Fields, SaysWhereAMisplacedKeyBelongs) {
  const auto findings = fields(R"({"memory": {"extended_udma": true}})");
  ASSERT_THAT(places(findings), ElementsAre("misplaced-key memory.extended_udma"));
  EXPECT_THAT(findings[0].advice, HasSubstr("'context"));
  const auto outer = fields(R"({"graphs": [{"graph_names": ["g"], "memory_limit_hint": 1}]})");
  ASSERT_THAT(places(outer), ElementsAre("misplaced-key graphs[0].memory_limit_hint"));
  EXPECT_THAT(outer[0].advice, HasSubstr("tool file"));
}

TEST(Fields, RecognisesOtherRuntimesNames) {
  const auto findings = fields(R"({"devices": [{"htp_arch": 73}]})");
  ASSERT_THAT(places(findings), ElementsAre("foreign-key devices[0].htp_arch"));
  EXPECT_THAT(findings[0].advice, HasSubstr("dsp_arch"));
}

TEST(Fields, ReportsInventedSections) {
  EXPECT_THAT(found(R"({"devices": [], "graph_configs_extra": {}})"),
              ElementsAre("unknown-section graph_configs_extra"));
}

TEST(Fields, KeepsQuietAboutCommentsInKeys) {
  EXPECT_THAT(found(R"({"_comment": "x", "$schema": "y", "devices": [{"_note": 1}]})"), IsEmpty());
}

TEST(Fields, ChecksTypesAndRanges) {
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": "many"}]})"),
              ElementsAre("wrong-type graphs[0].vtcm_mb"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 1.5}]})"),
              ElementsAre("wrong-type graphs[0].vtcm_mb"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "O": 4}]})"),
              ElementsAre("out-of-range graphs[0].O"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 1e400}]})"),
              ElementsAre("huge-number graphs[0].vtcm_mb"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 99999999999999999999}]})"),
              ElementsAre("huge-number graphs[0].vtcm_mb"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": [1]}]})"),
              ElementsAre("wrong-type graphs[0].graph_names"));
  EXPECT_THAT(found(R"({"graphs": 3, "devices": []})"), ElementsAre("wrong-type graphs"));
  EXPECT_THAT(found(R"({"devices": [{"core_type": 2}]})"),
              ElementsAre("unknown-choice devices[0].core_type"));
  EXPECT_THAT(found(R"({"devices": [{"core_type": 1}]})"), IsEmpty());
}

// The shapes that public files have.
// feature: A1 (inside)
TEST(Fields, UnderstandsTheShapesThatOccur) {
  EXPECT_THAT(
      found(R"({"graphs": {"graph_names": ["g"], "O": 3.0, "dlbc": 1.0, "fp16_relaxed_precision": true}})"),
      IsEmpty());
  EXPECT_THAT(found(R"({"context": [{"weight_sharing_enabled": true}], "graphs": []})"), IsEmpty());
  EXPECT_THAT(found(R"({"devices": [{"device_id": 0, "core_id": [0], "cores": [{"core_id": 0}]}]})"),
              IsEmpty());
  EXPECT_THAT(found(R"({"graphs": [{"name": "g", "optimization_type": 3, "vtcm_size_in_mb": 8}]})"),
              IsEmpty());
  EXPECT_THAT(found(R"({"graphs": [{"graph_name": "g", "tensors": [{"tensor_name": "t",
      "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}]}]})"),
              IsEmpty());
}

TEST(Fields, TakesNumbersInStringsWithAFix) {
  EXPECT_THAT(found(R"({"devices": [{"soc_model": "60"}]})"),
              ElementsAre("number-as-string devices[0].soc_model"));
  EXPECT_EQ(fix_title(R"({"devices": [{"soc_model": "60"}]})"), "write 60 without quotes");
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "O": "7"}]})"),
              Contains("out-of-range graphs[0].O"));
}

TEST(Fields, FindsPlaceholders) {
  for (const char* text : {"$dsp_arch", "${ARCH}", "{SOC_ID}", "<TODO>", "%ARCH%", "{{ arch }}"})
    EXPECT_TRUE(looks_like_placeholder(text)) << text;
  for (const char* text : {"v73", "", "$", "<", "a<b>", "placeholder", "model {v2} final", "a$b"})
    EXPECT_FALSE(looks_like_placeholder(text)) << text;
  EXPECT_THAT(found(R"({"devices": [{"dsp_arch": "$dsp_arch"}]})"),
              ElementsAre("placeholder devices[0].dsp_arch"));
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["<GRAPH_NAME>"]}]})"),
              ElementsAre("placeholder graphs[0].graph_names"));
}

// feature: A9 (inside)
TEST(Fields, RecognisesAPastedSchema) {
  EXPECT_THAT(found(R"({"lpai_graph": {"execute": {"fps": {"type": "integer"}}}})"),
              ElementsAre("pasted-schema lpai_graph.execute.fps"));
}

TEST(Fields, FindsOneOptionInTwoSpellings) {
  EXPECT_THAT(found(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8, "vtcm_size_in_mb": 4}]})"),
              ElementsAre("repeated-option graphs[0].vtcm_size_in_mb"));
}

// feature: A6 (inside)
TEST(Fields, ReadsTheMisspeltRetentionOrderWithAWarning) {
  EXPECT_THAT(found(R"({"context_configs": {"graphs_retention_order": ["a"]}})"),
              ElementsAre("misspelt-in-documents context_configs.graphs_retention_order"));
}

TEST(Fields, SaysThatFlatFilesAreOld) {
  EXPECT_THAT(found(R"({"vtcm_mb": 8, "dsp_arch": "v69"})"), ElementsAre("legacy-flat-file "));
  EXPECT_THAT(found(R"({"vtcm_mb": 8, "dsp_arch": "v690"})"), Contains("unknown-choice dsp_arch"));
}

TEST(Fields, SaysWhatIsNewerThanTheSdk) {
  const std::string text = R"({"devices": [{"cores": [{"perf_profile": "llm_decode_burst"}]}]})";
  EXPECT_THAT(places(fields(text)), IsEmpty());
  EXPECT_THAT(places(fields(text, {.sdk = Sdk{2, 39}})),
              ElementsAre("newer-name devices[0].cores[0].perf_profile"));
  EXPECT_THAT(places(fields(text, {.sdk = Sdk{2, 48}})), IsEmpty());
}

TEST(Fields, AKeyIsKnownFromTheSdkThatBroughtItOn) {
  const std::string text = R"({"context": {"lora_weight_sharing_ram_preload": true}})";
  EXPECT_THAT(places(fields(text, {.sdk = Sdk{2, 39}})),
              ElementsAre("newer-name context.lora_weight_sharing_ram_preload"));
  EXPECT_THAT(places(fields(text, {.sdk = Sdk{2, 40}})), IsEmpty());
}

TEST(Fields, StrictRefusesWhatIsOnlyUnderstood) {
  const auto findings = fields(R"({"devices": [{"soc_model": "60"}]})", {.strict = true});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kError);
}

}  // namespace
}  // namespace openqnn::config
