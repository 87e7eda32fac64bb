// SPDX-License-Identifier: BSD-3-Clause
// How rules know the part that a file is for, and hold it to what that part has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "config/rule.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Rules, APartIsKnownByNameNumberOrArchitecture) {
  const auto udma = [](std::string_view device, std::string_view flags) {
    return places(
        check_with(concat(R"({"context": {"extended_udma": true}, "devices": [)", device, "]}"), flags));
  };
  const std::string found = "extended-udma-arch context.extended_udma";
  EXPECT_THAT(udma("{}", ""), IsEmpty());
  EXPECT_THAT(udma("{}", "--soc SM8750"), ElementsAre(found));
  EXPECT_THAT(udma(R"({"dsp_arch": "v79"})", ""), ElementsAre(found));
  EXPECT_THAT(udma(R"({"soc_model": 69})", ""), ElementsAre(found));
  EXPECT_THAT(udma(R"({"soc_model": 87})", ""), IsEmpty());
}

// Two parts have SoC model 86, and only one of them computes floats.
TEST(Rules, PartsThatShareANumberAreNotConfused) {
  const std::string text = R"({"graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 1}]})";
  EXPECT_THAT(places(check_with(text, "--sdk 2.31 --soc SM7750")),
              Contains(StartsWith("float-without-half")));
  EXPECT_THAT(places(check_with(text, "--sdk 2.31 --soc QCS7790")), IsEmpty());
  EXPECT_THAT(check_with(R"({
    "graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 1}], "devices": [{"soc_model": 86}]
  })",
                         "--sdk 2.31"),
              IsEmpty());
}

TEST(Rules, ANumberOfSeveralPartsIsNotCalledByOneOfThem) {
  const auto findings = check_text(R"({"context": {"extended_udma": true}, "devices": [{"soc_model": 69}]})");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message, HasSubstr("SoC model 69 (v79, told by devices[0].soc_model)"));
}

TEST(Rules, ASocModelOfZeroIsNotSet) {
  const auto findings = check_text(R"({"devices": [{"soc_id": 57, "soc_model": 0}]})");
  ASSERT_THAT(places(findings), ElementsAre("soc-id-deprecated devices[0].soc_id"));
  EXPECT_THAT(findings[0].advice, HasSubstr("rename soc_id to soc_model"));
  EXPECT_FALSE(findings[0].fix.has_value());
}

TEST(Rules, APartOfAnotherBackendHasNoHtp) {
  const auto findings = check_text(R"({"devices": [{"soc_model": 63, "dsp_arch": "v79"}]})");
  ASSERT_THAT(places(findings), ElementsAre("part-without-htp devices[0].soc_model"));
  EXPECT_EQ(findings[0].message, "SoC model 63 is AIC100, which has no HTP; v79 cannot be right for it");
  EXPECT_THAT(places(check_text(R"({"devices": [{"soc_id": 59}]})")),
              ElementsAre("soc-id-deprecated devices[0].soc_id", "part-without-htp devices[0].soc_id"));
}

// Of many parts only the number is public; the architecture beside it is then taken as written.
TEST(Rules, AnUnstatedArchitectureIsAsWritten) {
  const auto findings = check_text(R"({
    "context": {"extended_udma": true}, "devices": [{"soc_model": 83, "dsp_arch": "v79"}]
  })");
  ASSERT_THAT(places(findings), ElementsAre("extended-udma-arch context.extended_udma",
                                            "soc-arch-unstated devices[0].dsp_arch"));
  EXPECT_THAT(findings[0].message, HasSubstr("(v79 as dsp_arch says, told by devices[0].soc_model)"));
  EXPECT_EQ(findings[1].severity, Severity::kNote);
  EXPECT_THAT(places(check_text(R"({"devices": [{"soc_model": 83}, {"device_id": 1, "soc_model": 67}]})")),
              IsEmpty());
}

TEST(Rules, EveryDevicesPartIsChecked) {
  const auto udma = check_text(R"({
    "context": {"extended_udma": true}, "devices": [{"dsp_arch": "v81"}, {"device_id": 1, "dsp_arch": "v79"}]
  })");
  ASSERT_THAT(places(udma), ElementsAre("extended-udma-arch context.extended_udma"));
  EXPECT_THAT(udma[0].message, HasSubstr("v79 (told by devices[1].dsp_arch)"));
  const auto vtcm = check_text(R"({
    "graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"soc_model": 43}, {"device_id": 1, "soc_model": 30}]
  })");
  ASSERT_THAT(places(vtcm), ElementsAre("vtcm-above-part graphs[0].vtcm_mb"));
  EXPECT_THAT(vtcm[0].message, HasSubstr("SoC model 30"));
  EXPECT_THAT(places(check_text(R"({
    "graphs": [{"graph_names": ["g"], "hvx_threads": 8}], "devices": [{"soc_model": 87}, {"device_id": 1, "soc_model": 57}]
  })")),
              ElementsAre("hvx-threads-above-part graphs[0].hvx_threads"));
  EXPECT_THAT(
      places(check_text(
          R"({"devices": [{"soc_model": 30}, {"device_id": 1, "soc_model": 21}, {"device_id": 2, "dsp_arch": "v66"}]})")),
      ElementsAre("part-without-htp devices[1].soc_model", "part-without-htp devices[2].dsp_arch"));
}

// Whichever device names it; a part of which no limit is known does not hide it.
TEST(Rules, TheLowestLimitOfAllPartsCounts) {
  for (const std::string_view devices : {R"({"soc_model": 30}, {"device_id": 1, "soc_model": 43})",
                                         R"({"soc_model": 43}, {"device_id": 1, "soc_model": 30})",
                                         R"({"soc_model": 30}, {"device_id": 1, "dsp_arch": "v73"})",
                                         R"({"dsp_arch": "v73"}, {"device_id": 1, "soc_model": 30})"}) {
    const auto vtcm = check_text(
        concat(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [)", devices, "]}"));
    ASSERT_THAT(places(vtcm), ElementsAre("vtcm-above-part graphs[0].vtcm_mb")) << devices;
    EXPECT_THAT(vtcm[0].message, HasSubstr("SoC model 30")) << devices;
  }
}

// What openqnn assumes of a part, its backend holds to; a limit that a source states has a rule of its own.
TEST(Rules, LimitsThatNoSourceStatesAreAssumed) {
  const auto found = [](std::string_view option, int64_t value, std::string_view device) {
    return places(check_text(concat(R"({"graphs": [{"graph_names": ["g"], ")", option, "\": ", value,
                                    R"(}], "devices": [{)", device, "}]}")));
  };
  const auto soc = [](int64_t model) { return concat("\"soc_model\": ", model); };
  EXPECT_THAT(found("hvx_threads", 6, soc(43)), ElementsAre("limit-assumed graphs[0].hvx_threads"));
  EXPECT_THAT(found("hvx_threads", 4, soc(43)), IsEmpty());
  EXPECT_THAT(found("hvx_threads", 6, soc(57)), ElementsAre("hvx-threads-above-part graphs[0].hvx_threads"));
  EXPECT_THAT(found("num_cores", 2, soc(57)), ElementsAre("limit-assumed graphs[0].num_cores"));
  EXPECT_THAT(found("num_cores", 1, soc(57)), IsEmpty());
  EXPECT_THAT(found("vtcm_size", 8388608, R"("dsp_arch": "v81")"),
              ElementsAre("limit-assumed graphs[0].vtcm_size"));
  EXPECT_THAT(found("vtcm_mb", 4, R"("dsp_arch": "v75")"), IsEmpty());
  EXPECT_THAT(places(check_text(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})")), IsEmpty());
}

// The default is a version like any other; variants of one design have the same engine.
TEST(Rules, AnUnsetLpaiVersionIsTheDefault) {
  const auto circumstances = parse_circumstances("--soc SM8750-AC");
  ASSERT_TRUE(circumstances.ok());
  const auto unset = check_text(R"({"lpai_backend": {"target_env": "adsp"}})", *circumstances);
  ASSERT_THAT(places(unset), ElementsAre("lpai-hardware lpai_backend"));
  EXPECT_THAT(unset[0].message, HasSubstr("LPAI v6, the default of enable_hw_ver; SM8750-AC has v5"));
  EXPECT_THAT(
      places(check_text(R"({"lpai_backend": {"target_env": "adsp"}})", *parse_circumstances("--soc SM8650"))),
      IsEmpty());
}

// A core's settings are for its own device.
TEST(Rules, ACoreIsCheckedWithItsDevice) {
  const auto profiles = [](std::string_view first, std::string_view second) {
    return places(check_text(concat(
        R"({"devices": [{"dsp_arch": ")", first, R"(", "cores": [{"perf_profile": "llm_decode_burst"}]},)",
        R"({"device_id": 1, "dsp_arch": ")", second, R"(", "cores": [{"perf_profile": "burst"}]}]})")));
  };
  EXPECT_THAT(profiles("v79", "v73"), IsEmpty());
  EXPECT_THAT(profiles("v73", "v79"), ElementsAre("llm-decode-arch devices[0].cores[0].perf_profile"));
}

TEST(Rules, AnArchitectureOfNoneIsNotSet) {
  EXPECT_THAT(places(check_text(R"({
    "context": {"extended_udma": true},
    "devices": [{"dsp_arch": "NONE"}, {"device_id": 1, "soc_model": 87, "dsp_arch": "NONE"}]
  })")),
              IsEmpty());
}

TEST(Rules, AnArchitectureWithoutHtpIsSaidOnce) {
  const auto findings = check_text(R"({"devices": [{"dsp_arch": "v66"}]})");
  ASSERT_THAT(places(findings), ElementsAre("part-without-htp devices[0].dsp_arch"));
  EXPECT_EQ(findings[0].severity, Severity::kError);
}

}  // namespace
}  // namespace openqnn::config
