// SPDX-License-Identifier: BSD-3-Clause
// Every rule is run on its own examples; documents' own samples and realistic files show that nothing else is
// said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "config/fix.h"
#include "config/rule.h"
#include "config/rule_pages.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

std::vector<Finding> findings_of(const RuleDef& rule, const Example& example) {
  std::vector<Finding> all;
  for (const CheckedFile& file : check_example(rule, example))
    all.insert(all.end(), file.findings.begin(), file.findings.end());
  return all;
}

std::string words(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings)
    out += concat("\n  [", finding.code, "] at '", finding.path, "': ", finding.message);
  return out;
}

// What takes a file system or more than a short text; read_test.cc and follow_test.cc show them.
bool needs_files(const RuleDef& rule) {
  const std::set<std::string_view> codes = {"json-size",           "file-unreadable",    "too-many-graphs",
                                            "input-list",          "input-file-missing", "inner-file-missing",
                                            "inner-file-elsewhere"};
  return codes.contains(rule.code);
}

class EachRule : public testing::TestWithParam<const RuleDef*> {
 protected:
  const RuleDef& rule() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Rules, EachRule, testing::ValuesIn(rules().begin(), rules().end()),
                         [](const testing::TestParamInfo<const RuleDef*>& each) {
                           std::string name(each.param->code);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// feature: A10 (inside)
TEST_P(EachRule, FindsItsExample) {
  if (needs_files(rule())) return;
  const auto findings = findings_of(rule(), rule().bad);
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& finding) { return finding.code == rule().code; });
  ASSERT_NE(found, findings.end()) << rule().bad.text << words(findings);
  EXPECT_EQ(found->severity, rule().severity);
  EXPECT_FALSE(found->message.empty());
  EXPECT_THAT(found->message, Not(EndsWith(".")));
  EXPECT_THAT(found->message, Not(HasSubstr("\n")));
  const bool ours = rule().judges();  // the field checks quote the tables, whose texts are sentences
  EXPECT_FALSE(ours && found->advice.ends_with(".")) << found->advice;
}

TEST_P(EachRule, IsSilentOnTheNearMiss) {
  if (rule().good.text.empty()) GTEST_SKIP() << "input lists are no JSON";
  const auto findings = findings_of(rule(), rule().good);
  for (const Finding& finding : findings) {
    EXPECT_NE(finding.code, rule().code) << rule().good.text;
    EXPECT_NE(finding.severity, Severity::kError) << rule().good.text << words(findings);
  }
}

// A rule that is found for another reason than its own is badly explained.
TEST_P(EachRule, ItsExampleShowsNothingWorse) {
  if (needs_files(rule())) return;
  for (const Finding& finding : findings_of(rule(), rule().bad)) {
    if (finding.code == rule().code) continue;
    EXPECT_NE(finding.severity, Severity::kError) << finding.code << ": " << finding.message;
  }
}

TEST_P(EachRule, IsExplained) {
  EXPECT_THAT(std::string(rule().code), testing::MatchesRegex("[a-z][a-z0-9]*(-[a-z0-9]+)*"));
  for (const std::string_view text : {rule().title, rule().why, rule().instead, rule().source}) {
    EXPECT_FALSE(text.empty());
    EXPECT_THAT(std::string(text), EndsWith("."));
  }
  const std::string page = rule_page(rule());
  EXPECT_THAT(page, StartsWith(concat("# ", rule().code, "\n")));
  for (const std::string_view heading : {"## What it does", "## Why it matters", "## Example",
                                         "## Do this instead", "## Where it comes from", "## Fix"})
    EXPECT_THAT(page, HasSubstr(std::string(heading)));
  EXPECT_THAT(rules_index(), HasSubstr(concat("](", rule().code, ".md)")));
}

TEST_P(EachRule, ItsFixMendsIt) {
  if (needs_files(rule()) || !rule().bad.inner.empty()) return;
  const auto circumstances = parse_circumstances(rule().bad.flags);
  ASSERT_TRUE(circumstances.ok());
  const auto check = [&](const std::string& text) { return check_text(text, *circumstances); };
  const std::string before(rule().bad.text);
  const auto had_fix = [&](const Finding& finding) {
    return finding.code == rule().code && finding.fix.has_value();
  };
  const auto findings = check(before);
  if (std::none_of(findings.begin(), findings.end(), had_fix)) return;
  const Fixed fixed = fix_all(before, check);
  for (const Finding& finding : check(fixed.text)) EXPECT_NE(finding.code, rule().code) << fixed.text;
  EXPECT_EQ(fix_all(fixed.text, check).text, fixed.text);
}

TEST(Rules, CodesAreUnique) {
  std::set<std::string_view> codes;
  for (const RuleDef* rule : rules()) EXPECT_TRUE(codes.insert(rule->code).second) << rule->code;
}

TEST(Rules, ThereAreMany) {
  const auto all = rules();
  EXPECT_GE(std::count_if(all.begin(), all.end(), [](const RuleDef* rule) { return rule->judges(); }), 60);
}

TEST(Rules, AreFoundByCode) {
  ASSERT_NE(find_rule("dlbc-weight-sharing"), nullptr);
  EXPECT_EQ(find_rule("dlbc-weight-sharing")->severity, Severity::kError);
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

// Where the examples' findings are reported.
TEST(Rules, PointAtTheRightKey) {
  const std::map<std::string_view, std::string_view> expected = {
      {"soc-arch-mismatch", "devices[0].dsp_arch"},
      {"soc-arch-unstated", "devices[0].dsp_arch"},
      {"soc-two-numbers", "devices[0].soc_id"},
      {"soc-id-deprecated", "devices[0].soc_id"},
      {"unknown-soc-model", "devices[0].soc_model"},
      {"kernel-soc-id", "devices[0].soc_model"},
      {"part-without-htp", "devices[0].soc_model"},
      {"other-part", "devices[0].soc_model"},
      {"float-without-half", "graphs[0].fp16_relaxed_precision"},
      {"hvx-threads-above-part", "graphs[0].hvx_threads"},
      {"num-cores-above-part", "graphs[0].num_cores"},
      {"core-above-part", "devices[0].cores[0].core_id"},
      {"device-twice", "devices[1]"},
      {"limit-assumed", "graphs[0].vtcm_mb"},
      {"arch-without-parts", "devices[0].dsp_arch"},
      {"core-twice", "devices[0].cores[1]"},
      {"vtcm-above-part", "graphs[0].vtcm_mb"},
      {"vtcm-max-needs-soc", "graphs[0].vtcm_mb"},
      {"vtcm-size-arch", "graphs[0].vtcm_size"},
      {"vtcm-size-step", "graphs[0].vtcm_size"},
      {"vtcm-size-in-megabytes", "graphs[0].vtcm_size"},
      {"vtcm-mb-in-bytes", "graphs[0].vtcm_mb"},
      {"vtcm-both", "graphs[0].vtcm_size"},
      {"dlbc-weight-sharing", "graphs[1].dlbc"},
      {"dlbc-online", "graphs[0].dlbc"},
      {"dlbc-spill-fill", "graphs[0].dlbc_weights"},
      {"dlbc-graph-count", "graphs[0].dlbc"},
      {"compression-fraction", "graphs[0].dlbc_weights"},
      {"sparse-weights-part", "graphs[0].sparse_weights_compression"},
      {"retention-needs-switching", "context_configs.graph_retention_order"},
      {"retention-not-enabled", "context_configs.graph_retention_order"},
      {"switching-not-persistent", "context_configs.memory_limit_hint"},
      {"share-resources-switching", "groupContext.share_resources"},
      {"spill-fill-twice", "context_configs.spill_fill_buffer"},
      {"weight-sharing-arch", "context.weight_sharing_enabled"},
      {"weight-sharing-host", "context.weight_sharing_enabled"},
      {"lora-sharing-host", "context.lora_weight_sharing"},
      {"weight-sharing-graph-count", "context.weight_sharing_enabled"},
      {"weight-sharing-one-graph", "context.weight_sharing_enabled"},
      {"weight-sharing-vtcm", "graphs[1].vtcm_mb"},
      {"weight-sharing-parts", "devices[1].soc_model"},
      {"lora-same-quant", "graphs[1]"},
      {"spill-fill-group-id", "context.max_spill_fill_buffer_for_group"},
      {"share-resources-group", "context.max_spill_fill_buffer_for_group"},
      {"multicore-excludes", "graphs[0].num_cores"},
      {"adaptive-polling-off", "devices[0].cores[0].adaptive_polling_time"},
      {"adaptive-polling-short", "devices[0].cores[0].adaptive_polling_time"},
      {"rpc-options-on-qnx", "devices[0].cores[0].rpc_polling_time"},
      {"hmx-timeout-arch", "devices[0].cores[0].hmx_timeout_us"},
      {"llm-decode-arch", "devices[0].cores[0].perf_profile"},
      {"file-of-another-tool", ""},
      {"ignored-by-tool", "devices[0].cores"},
      {"ignored-at-stage", "context.init_acceleration"},
      {"graph-options-binary", "graphs"},
      {"graph-names-missing", "graphs[0]"},
      {"graph-names-unmatched", "graphs[0].graph_names"},
      {"graph-not-named", ""},
      {"graph-named-twice", "graphs[1].graph_names"},
      {"p-point-without-o3", "graphs[0].finalize_config"},
      {"p-point-unknown", "graphs[0].finalize_config"},
      {"finalize-setting-unknown", "graphs[0].finalize_config"},
      {"library-not-extensions", "backend_extensions.shared_library_path"},
      {"extensions-incomplete", "backend_extensions.config_file_path"},
      {"library-platform", "backend_extensions.shared_library_path"},
      {"library-other-backend", "backend_extensions.shared_library_path"},
      {"priority-on-windows", "context_configs.context_priority"},
      {"queue-too-deep", "context_configs.async_execute_queue_depth"},
      {"outer-graph-unknown", "context_configs.enable_graphs"},
      {"graph-configured-twice", "graph_configs[1].graph_name"},
      {"thread-reference", "testCase.threads[0].backend"},
      {"init-in-loop-binary", "testCase.threads[0].initModelInLoop"},
      {"binary-flag", "models[0].modelPath"},
      {"throughput-extensions", "backends[0].perfProfile"},
      {"throughput-profiles", "backends[0].perfProfile"},
      {"queue-without-async", "contexts[0].executeAsyncQueueDepth"},
      {"native-kv-arch", "graphs[0].tensors[0].dataFormat"},
      {"native-kv-partial", "graphs[0].tensors[0].tensor_name"},
      {"native-layout-not-kv", "graphs[0].tensors[0].dataFormat"},
      {"format-graph-unknown", "graphs[0].graph_name"},
      {"lpai-core-mask", "lpai_graph.execute.core_selection"},
      {"lpai-core-number", "lpai_graph.execute.core_selection"},
      {"lpai-hard-affinity", "lpai_graph.execute.affinity"},
      {"lpai-slow-clock", "lpai_graph.execute.ftrt_ratio"},
      {"lpai-hardware", "lpai_backend.enable_hw_ver"},
      {"lpai-environment", "lpai_backend.target_env"},
      {"extended-udma-arch", "context.extended_udma"},
      {"fp16-deprecated", "graphs[0].fp16_relaxed_precision"},
      {"o1-reserved", "graphs[0].O"},
      {"client-context-arch", "devices[0].use_client_context"},
      {"soc-details-ignored", "soc_details"},
      {"soc-details-mismatch", "soc_details"},
      {"soc-details-unknown", "soc_details"},
      {"soc-details-sharing", "soc_details"},
      {"compile-backend", "backend"},
      {"aic-options-ignored", "compiler_custom_configs"},
  };
  for (const RuleDef* rule : rules()) {
    if (!rule->judges()) continue;
    ASSERT_TRUE(expected.contains(rule->code)) << rule->code;
    EXPECT_THAT(places(findings_of(*rule, rule->bad)),
                Contains(concat(rule->code, " ", expected.at(rule->code))));
  }
}

// ---- What depends on more than the examples show ----

TEST(Rules, DlbcWithWeightSharingWasOnlyIneffectiveOnce) {
  const std::string text(find_rule("dlbc-weight-sharing")->bad.text);
  const auto before = check_with(text, "--sdk 2.35");
  ASSERT_THAT(places(before), ElementsAre("dlbc-weight-sharing graphs[1].dlbc"));
  EXPECT_EQ(before[0].severity, Severity::kWarning);
  EXPECT_THAT(before[0].message, HasSubstr("loads with DLBC of weights off"));
  EXPECT_THAT(before[0].notes, Contains(HasSubstr("newer")));
  EXPECT_EQ(check_with(text, "--sdk 2.36")[0].severity, Severity::kError);
}

// feature: A11 (inside)
TEST(Rules, WhatAToolIgnoresIsSaid) {
  const std::string file = R"({
    "graphs": [{"graph_names": ["g"], "O": 3, "num_cores": 1}],
    "devices": [{"soc_model": 77, "cores": [{"perf_profile": "burst"}]}],
    "context": {"weight_sharing_enabled": false, "init_acceleration": true},
    "memory": {"mem_type": "shared_buffer"}, "groupContext": {"share_resources": false}
  })";
  const auto with_kind = [&](std::string_view flags) {
    const Document document = read("htp.json", file, Kind::kHtp);
    return places(check_documents({&document}, *parse_circumstances(flags)));
  };
  EXPECT_THAT(with_kind(""), IsEmpty());
  EXPECT_THAT(with_kind("--tool qnn-context-binary-generator"),
              ElementsAre("ignored-by-tool devices[0].cores", "ignored-by-tool context.init_acceleration",
                          "ignored-by-tool memory", "ignored-by-tool groupContext"));
  EXPECT_THAT(with_kind("--tool qnn-net-run"), ElementsAre("ignored-by-tool graphs[0].num_cores",
                                                           "ignored-by-tool context.weight_sharing_enabled"));
  EXPECT_THAT(with_kind("--tool qnn-net-run --stage online"),
              IsSupersetOf({"ignored-at-stage context.init_acceleration", "ignored-at-stage groupContext"}));
  EXPECT_THAT(with_kind("--tool qnn-net-run --stage binary"),
              ElementsAre("graph-options-binary graphs", "ignored-by-tool context.weight_sharing_enabled"));
}

// Only the documents' own names tell keys from values.
TEST(Rules, OtherNamesOfKvTensorsAreLeftAlone) {
  for (const std::string_view name :
       {"past_key_values.0.key", "past_key_values_0_in", "past_key_", "kv_cache"}) {
    const std::string text = concat(R"({"graphs": [{"graph_name": "g", "tensors": [{"tensor_name": ")", name,
                                    R"(", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}]}]})");
    EXPECT_THAT(places(check_text(text)), IsEmpty()) << text;
  }
}

// Numbers at the edge of what fits must not overflow on the way to a message.
TEST(Rules, ExtremeNumbersAreHarmless) {
  const std::string text = R"({
    "context": {"weight_sharing_enabled": true, "max_spill_fill_buffer_for_group": 9223372036854775807},
    "graphs": [{"graph_names": ["a"], "vtcm_mb": 9223372036854775807, "vtcm_size": -9223372036854775808},
               {"graph_names": ["b"], "vtcm_size": 9223372036854775807, "hvx_threads": -9223372036854775808}],
    "devices": [{"soc_model": 9223372036854775807, "soc_id": -9223372036854775808,
                 "cores": [{"core_id": 9223372036854775807, "adaptive_polling_time": 9223372036854775807}]}]
  })";
  EXPECT_FALSE(check_with(text, "--soc SA8255P").empty());
}

TEST(Rules, AFlatFileIsCheckedToo) {
  EXPECT_THAT(places(check_text(R"({"vtcm_mb": 16, "dsp_arch": "v73", "soc_model": 68})")),
              IsSupersetOf({"vtcm-above-part vtcm_mb"}));
  const Document document = read("flat.json", R"({"vtcm_mb": 8, "perf_profile": "burst"})", Kind::kHtp);
  EXPECT_THAT(
      places(check_documents({&document}, *parse_circumstances("--tool qnn-context-binary-generator"))),
      ElementsAre("legacy-flat-file ", "ignored-by-tool perf_profile"));
}

TEST(Rules, AnLpaiBinaryForADeviceDoesNotRunOnAnyHost) {
  const auto advice = [](std::string_view platform) {
    for (const Finding& finding : check_with(R"({"lpai_backend": {"target_env": "adsp"}})",
                                             concat("--stage binary --platform ", platform)))
      if (finding.code == "lpai-environment") return finding.advice;
    return std::string("none");
  };
  for (const std::string_view host : {"x86_64-linux", "x86_64-windows"})
    EXPECT_EQ(advice(host), "make a binary with target_env x86 for the simulator") << host;
  EXPECT_EQ(advice("aarch64-android"), "none");
}

TEST(Rules, ASocModelIsAdvisedOnlyWhereTheDeviceNamesNone) {
  const auto advice = [](std::string_view device) {
    const Example example = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8750"})",
                             .inner = device};
    for (const Finding& finding : findings_of(*find_rule("soc-details-ignored"), example))
      if (finding.code == "soc-details-ignored") return finding.advice;
    return std::string("none");
  };
  EXPECT_EQ(advice(R"({"devices": [{"pd_session": "unsigned"}]})"),
            "set soc_model=69 in the HtpDeviceConfig");
  EXPECT_EQ(advice(R"({"devices": [{"soc_model": 57}]})"), "keep one of the two");
  EXPECT_EQ(advice(R"({"devices": [{"soc_model": 69}]})"), "none");
}

TEST(Rules, SwitchesWrittenAsTextCount) {
  EXPECT_THAT(places(check_text(R"({
    "context": {"weight_sharing_enabled": "true"}, "devices": [{"dsp_arch": "v69"}]
  })")),
              Contains("weight-sharing-arch context.weight_sharing_enabled"));
  EXPECT_THAT(places(check_text(R"({
    "context": {"weight_sharing_enabled": "false"}, "devices": [{"dsp_arch": "v69"}]
  })")),
              ElementsAre("wrong-type context.weight_sharing_enabled"));
  EXPECT_THAT(places(check_text(R"({
    "context_configs": {"memory_limit_hint": 1, "is_persistent_binary": "true"}
  })")),
              ElementsAre("wrong-type context_configs.is_persistent_binary"));
}

std::string native_tensors(const std::vector<std::string>& names) {
  std::string tensors;
  for (const std::string& name : names)
    tensors += concat(tensors.empty() ? "" : ",", R"({"tensor_name": ")", name,
                      R"(", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"})");
  return concat(R"({"graphs": [{"graph_name": "g", "tensors": [)", tensors, "]}]}");
}

TEST(Rules, ALayerMissingBetweenOthersIsFound) {
  const auto findings =
      check_text(native_tensors({"past_key_0_in", "past_value_0_in", "past_key_2_in", "past_value_2_in"}));
  ASSERT_THAT(places(findings), ElementsAre("native-kv-partial graphs[0].tensors[2].tensor_name"));
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message, HasSubstr("nothing of layer 1 is"));
  // The second half of a model, and inputs beside outputs.
  EXPECT_THAT(places(check_text(native_tensors({"past_value_17_in", "past_key_16_in", "past_value_16_in",
                                                "past_key_17_in", "past_key_0_out", "past_value_0_out"}))),
              IsEmpty());
}

TEST(Rules, CompressedGraphsAreCountedOnce) {
  std::string names;
  for (int i = 0; i < 10; ++i) names += concat(i == 0 ? "" : ",", "\"g", i, "\"");
  const std::string entry = concat(R"({"graph_names": [)", names, R"(], "dlbc": 1, "dlbc_weights": 1})");
  EXPECT_THAT(places(check_text(concat(R"({"graphs": [)", entry, ",", entry, "]}"))), IsEmpty());
}

// Lists are looked up by hash: in the square of their length this would take a quarter of a minute.
TEST(Rules, LongListsOfNamesAreQuick) {
  std::string names;
  for (int i = 0; i < 100000; ++i) names += concat(i == 0 ? "" : ",", "\"graph", i, "\"");
  const std::string text = concat(
      R"({"context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1, "enable_graphs": [)",
      names, R"(], "graph_retention_order": [)", names, "]}}");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(places(check_text(text)), IsEmpty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Rules, AMistypedExtensionLibraryIsFound) {
  const auto library = [](std::string_view name) {
    return check_text(concat(R"({"backend_extensions": {"shared_library_path": ")", name,
                             R"(", "config_file_path": "htp.json"}})"));
  };
  for (const std::string_view name : {"libQnnHtpNetRunExtension.so", "./libQnnHtpNetrunExtensions.so",
                                      "libQnnHptNetRunExtensions.so", "QnnLpaiNetRunExtension.dll"}) {
    const auto findings = library(name);
    ASSERT_THAT(places(findings),
                ElementsAre("library-not-extensions backend_extensions.shared_library_path"))
        << name;
    EXPECT_EQ(findings[0].severity, Severity::kWarning);
    EXPECT_THAT(findings[0].advice, HasSubstr("NetRunExtensions.so"));
  }
  for (const std::string_view name : {"libQnnHtpNetRunExtensions.so", "qnnhtpnetrunextensions.dll",
                                      "libQnnDspNetRunExtensions.so", "libMyNetRunExtensions.so"})
    EXPECT_THAT(places(library(name)), IsEmpty()) << name;
}

TEST(Rules, ExtensionsNeedALibraryAndAFile) {
  const auto library =
      check_text(R"({"backend_extensions": {"shared_library_path": "libQnnHtpNetRunExtensions.so"}})");
  ASSERT_THAT(places(library), ElementsAre("extensions-incomplete backend_extensions.shared_library_path"));
  EXPECT_EQ(library[0].severity, Severity::kNote);
  const auto neither = check_text(R"({"backend_extensions": {}})");
  ASSERT_THAT(places(neither), ElementsAre("extensions-incomplete backend_extensions"));
  EXPECT_EQ(neither[0].severity, Severity::kWarning);
}

TEST(Rules, UseClientContextNeverWorksOnAnHtp) {
  EXPECT_THAT(places(check_text(R"({"devices": [{"use_client_context": true}]})")),
              ElementsAre("client-context-arch devices[0].use_client_context"));
}

TEST(Rules, EveryDataFormatOfTheApiIsKnown) {
  for (const std::string_view format : {"DENSE", "FLAT_BUFFER", "SPARSE", "CODEBOOK", "MX", "UBWC_NV12",
                                        "UBWC_NV124R_Y", "UBWC_BAYER16_16BPS_4X4", "BATCH_ALIGNED_256"}) {
    const std::string text =
        concat(R"({"graphs": [{"graph_name": "g", "tensors": [{"tensor_name": "t", "dataFormat": )",
               "\"QNN_TENSOR_DATA_FORMAT_", format, "\"}]}]}");
    EXPECT_THAT(places(check_text(text)), IsEmpty()) << format;
    EXPECT_EQ(check_with(text, "--sdk 2.39").empty(), format.find("NV124R") == std::string_view::npos &&
                                                          !format.ends_with("4X4") &&
                                                          !format.starts_with("BATCH"))
        << format;
  }
}

// ---- Flags ----

TEST(Flags, AreCircumstances) {
  const auto known = parse_circumstances(
      "--tool qnn-net-run --stage=binary --soc SM8550 --platform android "
      "--sdk 2.36.1 --graphs a,b --strict");
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->tool, Tool::kNetRun);
  EXPECT_EQ(known->stage, Stage::kLoad);
  EXPECT_EQ(known->soc->chipset, "SM8550");
  EXPECT_EQ(known->platform, Platform::kAndroid);
  EXPECT_EQ(known->sdk, (Sdk{2, 36}));
  EXPECT_EQ(known->graphs, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(known->strict);
}

TEST(Flags, ThatAreWrongSaySo) {
  for (const std::string_view flags : {"--soc", "--colour red", "--stage=never", "--soc SM0000", "SM8550 x"})
    EXPECT_FALSE(parse_circumstances(flags).ok()) << flags;
  EXPECT_TRUE(parse_circumstances("").ok());
}

}  // namespace
}  // namespace openqnn::config
