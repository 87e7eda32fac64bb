// SPDX-License-Identifier: BSD-3-Clause
#include "config/effective.h"

#include <algorithm>

#include "config/testing.h"
#include "soc/lookup.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Origin = EffectiveOption::Origin;

// A configuration and what it amounts to.
class Shown {
 public:
  explicit Shown(std::string text, Circumstances circumstances = {})
      : document_(read("test.json", std::move(text))),
        subject_({&*document_.config}, std::move(circumstances)),
        meaning_(subject_, document_.config->kind) {}

  std::vector<std::string> titles() const {
    std::vector<std::string> out;
    for (const EffectiveRecord& record : meaning_.records()) out.push_back(record.title);
    return out;
  }
  const Effective& meaning() const { return meaning_; }

  EffectiveOption option(const std::string& title, std::string_view name) const {
    const EffectiveRecord* record = meaning_.find(title);
    if (record != nullptr) {
      const EffectiveOptions options = meaning_.options(*record);
      for (size_t i = 0; i < options.size(); ++i) {
        if (options[i].option->name == name) return options[i];
      }
    }
    ADD_FAILURE() << "no " << name << " in " << title;
    return {};
  }
  std::string value(const std::string& title, std::string_view name) const {
    return option(title, name).text();
  }

 private:
  Document document_;
  Subject subject_;
  Effective meaning_;
};

Circumstances with_soc(std::string_view name) {
  Circumstances circumstances;
  const auto socs = soc::find_socs(name);
  if (socs) circumstances.soc = socs->socs.front();
  return circumstances;
}

TEST(Effective, GoesGraphByGraphAndDeviceByDevice) {
  const Shown config(R"({"graphs": [{"graph_names": ["a", "b"], "vtcm_mb": 8}, {"name": "c"}],
    "devices": [{"device_id": 1, "cores": [{"core_id": 0}, {"id": 2}]}]})");
  EXPECT_THAT(config.titles(),
              ElementsAre("graph 'a'", "graph 'b'", "graph 'c'", "device 1", "device 1, core 0",
                          "device 1, core 2", "context", "memory", "groupContext"));
  EXPECT_EQ(config.value("graph 'b'", "vtcm_mb"), "8");
  EXPECT_EQ(config.option("graph 'b'", "vtcm_mb").origin, Origin::kFile);
  EXPECT_EQ(config.value("graph 'c'", "vtcm_mb"), "4");
  EXPECT_EQ(config.option("graph 'c'", "vtcm_mb").origin, Origin::kDefault);
}

TEST(Effective, NamesTheDocumentWhereTheyDiffer) {
  const Shown config(R"({"devices": [{"cores": [{}]}]})");
  EXPECT_EQ(config.value("device 0, core 0", "perf_profile"), "\"high_performance\"");
  EXPECT_EQ(config.option("device 0, core 0", "perf_profile").document, "HTP backend page");
}

TEST(Effective, SettlesWhatDependsOnOtherValues) {
  Circumstances circumstances = with_soc("SM8650");
  circumstances.stage = Stage::kOffline;
  const Shown config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 0}],
    "devices": [{"cores": [{"perf_profile": "power_saver"}]}]})",
                     circumstances);
  EXPECT_EQ(config.value("graph 'g'", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("graph 'g'", "hvx_threads"), "4");
  EXPECT_EQ(config.value("device 0, core 0", "rpc_polling_time"), "0");
  EXPECT_EQ(config.value("device 0", "soc_model"), "57");
  EXPECT_EQ(config.option("device 0", "soc_model").origin, Origin::kOverride);
  EXPECT_EQ(config.option("device 0", "soc_model").document, "--soc");
}

TEST(Effective, PollingFollowsTheProfileUnlessItIsSet) {
  EXPECT_EQ(Shown(R"({"devices": [{"cores": [{"perf_profile": "burst"}]}]})")
                .value("device 0, core 0", "rpc_polling_time"),
            "9999");
  EXPECT_EQ(Shown(R"({"devices": [{"cores": [{"perf_profile": "burst", "rpc_polling_time": 5}]}]})")
                .value("device 0, core 0", "rpc_polling_time"),
            "5");
}

TEST(Effective, ReadsEverySpellingOfAValue) {
  const Shown config(R"({"graphs": {"graph_names": "g", "O": 3.0, "vtcm_size_in_mb": "8",
    "weights_packing": 1, "dlbc_weights": 2}})");
  EXPECT_EQ(config.value("graph 'g'", "O"), "3");
  EXPECT_EQ(config.value("graph 'g'", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("graph 'g'", "weights_packing"), "true");
  EXPECT_EQ(config.value("graph 'g'", "dlbc_weights"), "1");
  const Shown infinite(R"({"graphs": {"graph_names": "g", "weights_packing": "inf"}})");
  EXPECT_EQ(infinite.value("graph 'g'", "weights_packing"), "\"inf\"");  // no number of JSON
}

TEST(Effective, GraphsOfTheModelWithoutAnEntryHaveDefaults) {
  Circumstances circumstances;
  circumstances.graphs = {"g", "forgotten"};
  const Shown config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})", circumstances);
  EXPECT_EQ(config.value("graph 'forgotten'", "vtcm_mb"), "4");
}

TEST(Effective, SaysWhatTheToolIgnores) {
  Circumstances circumstances;
  circumstances.tool = Tool::kContextBinaryGenerator;
  const Shown config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}],
    "devices": [{"cores": [{"perf_profile": "burst"}]}]})",
                     circumstances);
  EXPECT_THAT(config.option("device 0, core 0", "perf_profile").no_effect,
              HasSubstr("qnn-context-binary-generator does not read"));
  EXPECT_THAT(config.option("graph 'g'", "vtcm_mb").no_effect, IsEmpty());
}

TEST(Effective, ReadsTheFlatForm) {
  const Shown config(R"({"vtcm_mb": 8, "dsp_arch": "v69", "perf_profile": "burst"})");
  EXPECT_EQ(config.value("graph without a name", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("device 0", "dsp_arch"), "\"v69\"");
  EXPECT_EQ(config.value("device 0, core 0", "perf_profile"), "\"burst\"");
}

TEST(Effective, TheSocWinsOverTheArchitecture) {
  const Shown config(R"({"devices": [{"soc_model": 57, "dsp_arch": "v73"}, {"device_id": 1, "soc_id": 69},
    {"device_id": 2, "dsp_arch": "v73"}]})");
  EXPECT_EQ(config.value("device 0", "dsp_arch"), "\"v75\"");
  EXPECT_EQ(config.option("device 0", "dsp_arch").document, "SoC wins over dsp_arch v73");
  EXPECT_EQ(config.value("device 1", "soc_model"), "69");
  EXPECT_EQ(config.option("device 1", "soc_model").document, "by soc_id");
  EXPECT_EQ(config.value("device 1", "dsp_arch"), "\"v79\"");
  EXPECT_EQ(config.value("device 2", "dsp_arch"), "\"v73\"");
  EXPECT_THAT(config.option("device 2", "dsp_arch").document, IsEmpty());
}

TEST(Effective, TheLaterOfTheTwoVtcmRequestsCounts) {
  const Shown config(R"({"graphs": [{"graph_names": ["alone"], "vtcm_size": 8388608},
    {"graph_names": ["size"], "vtcm_mb": 4, "vtcm_size": 65536},
    {"graph_names": ["mb"], "vtcm_size": 65536, "vtcm_mb": 2}]})");
  EXPECT_EQ(config.value("graph 'alone'", "vtcm_mb"), "8");
  EXPECT_EQ(config.option("graph 'alone'", "vtcm_mb").document, "by vtcm_size");
  EXPECT_EQ(config.value("graph 'size'", "vtcm_mb"), "65536 bytes");
  EXPECT_THAT(config.option("graph 'size'", "vtcm_mb").document, HasSubstr("vtcm_mb 4 does not apply"));
  EXPECT_EQ(config.value("graph 'mb'", "vtcm_mb"), "2");
  EXPECT_EQ(config.value("graph 'mb'", "vtcm_size"), "2097152");
  EXPECT_THAT(config.option("graph 'mb'", "vtcm_size").document, HasSubstr("vtcm_size 65536 does not apply"));
}

TEST(Effective, AGraphOfTwoEntriesIsOneRecord) {
  const Shown config(R"({"graphs": [{"graph_names": ["g", "h"], "O": 1, "vtcm_mb": 8}, {"name": "g", "O": 3}],
    "devices": [{}]})");
  EXPECT_THAT(config.titles(), ElementsAre("graph 'g'", "graph 'h'", "device 0", "device 0, core 0",
                                           "context", "memory", "groupContext"));
  EXPECT_EQ(config.value("graph 'g'", "O"), "3");
  EXPECT_EQ(config.value("graph 'g'", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("graph 'h'", "O"), "1");
  EXPECT_EQ(config.meaning().find("graph 'g'")->path(), "graphs[0], graphs[1]");
}

TEST(Effective, SaysWhatReachesNothing) {
  const Shown nameless(R"({"graphs": [{"vtcm_mb": 8}, {"graph_names": ["g"]}]})");
  EXPECT_THAT(nameless.meaning().find("graph without a name")->note, HasSubstr("reach none"));
  EXPECT_THAT(nameless.meaning().find("graph 'g'")->note, IsEmpty());
  EXPECT_THAT(nameless.meaning().note(), IsEmpty());
  EXPECT_THAT(Shown(R"({"vtcm_mb": 8})").meaning().note(), HasSubstr("current tools ignore"));
  EXPECT_THAT(Shown(R"({"devices": []})").meaning().find("graph without a name")->note, IsEmpty());
}

TEST(Effective, EntriesThatMustNameThemselvesHaveNoDefaults) {
  const Shown config(
      R"({"backends": [{"backendName": "b", "backendPath": "x"}], "testCase": {"iteration": 1}})");
  EXPECT_THAT(config.titles(), ElementsAre("backend 'b'", "testCase"));
}

}  // namespace
}  // namespace openqnn::config
