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

// A configuration and what it amounts to; the records point into the configuration.
class Effective {
 public:
  explicit Effective(std::string text, Circumstances circumstances = {})
      : document_(read("test.json", std::move(text))),
        records_(effective(Subject({&*document_.config}, std::move(circumstances)), document_.config->kind)) {
  }

  std::vector<std::string> titles() const {
    std::vector<std::string> out;
    for (const EffectiveRecord& record : records_) out.push_back(record.title);
    return out;
  }

  EffectiveOption option(std::string_view title, std::string_view name) const {
    for (const EffectiveRecord& record : records_) {
      if (record.title != title) continue;
      for (const EffectiveOption& option : record.options) {
        if (option.option->name == name) return option;
      }
    }
    ADD_FAILURE() << "no " << name << " in " << title;
    return {};
  }
  std::string value(std::string_view title, std::string_view name) const {
    return option(title, name).text();
  }

 private:
  Document document_;
  std::vector<EffectiveRecord> records_;
};

Circumstances with_soc(std::string_view name) {
  Circumstances circumstances;
  const auto socs = soc::find_socs(name);
  if (socs) circumstances.soc = socs->socs.front();
  return circumstances;
}

TEST(Effective, GoesGraphByGraphAndDeviceByDevice) {
  const Effective config(R"({"graphs": [{"graph_names": ["a", "b"], "vtcm_mb": 8}, {"name": "c"}],
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
  const Effective config(R"({"devices": [{"cores": [{}]}]})");
  EXPECT_EQ(config.value("device 0, core 0", "perf_profile"), "\"high_performance\"");
  EXPECT_EQ(config.option("device 0, core 0", "perf_profile").document, "HTP backend page");
}

TEST(Effective, SettlesWhatDependsOnOtherValues) {
  Circumstances circumstances = with_soc("SM8650");
  circumstances.stage = Stage::kOffline;
  const Effective config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 0}],
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
  EXPECT_EQ(Effective(R"({"devices": [{"cores": [{"perf_profile": "burst"}]}]})")
                .value("device 0, core 0", "rpc_polling_time"),
            "9999");
  EXPECT_EQ(Effective(R"({"devices": [{"cores": [{"perf_profile": "burst", "rpc_polling_time": 5}]}]})")
                .value("device 0, core 0", "rpc_polling_time"),
            "5");
}

TEST(Effective, ReadsEverySpellingOfAValue) {
  const Effective config(R"({"graphs": {"graph_names": "g", "O": 3.0, "vtcm_size_in_mb": "8",
    "weights_packing": 1, "dlbc_weights": 2}})");
  EXPECT_EQ(config.value("graph 'g'", "O"), "3");
  EXPECT_EQ(config.value("graph 'g'", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("graph 'g'", "weights_packing"), "true");
  EXPECT_EQ(config.value("graph 'g'", "dlbc_weights"), "1");
}

TEST(Effective, GraphsOfTheModelWithoutAnEntryHaveDefaults) {
  Circumstances circumstances;
  circumstances.graphs = {"g", "forgotten"};
  const Effective config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})", circumstances);
  EXPECT_EQ(config.value("graph 'forgotten'", "vtcm_mb"), "4");
}

TEST(Effective, SaysWhatTheToolIgnores) {
  Circumstances circumstances;
  circumstances.tool = Tool::kContextBinaryGenerator;
  const Effective config(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}],
    "devices": [{"cores": [{"perf_profile": "burst"}]}]})",
                         circumstances);
  EXPECT_THAT(config.option("device 0, core 0", "perf_profile").no_effect,
              HasSubstr("qnn-context-binary-generator does not read"));
  EXPECT_THAT(config.option("graph 'g'", "vtcm_mb").no_effect, IsEmpty());
}

TEST(Effective, ReadsTheFlatForm) {
  const Effective config(R"({"vtcm_mb": 8, "dsp_arch": "v69", "perf_profile": "burst"})");
  EXPECT_EQ(config.value("graph without a name", "vtcm_mb"), "8");
  EXPECT_EQ(config.value("device 0", "dsp_arch"), "\"v69\"");
  EXPECT_EQ(config.value("device 0, core 0", "perf_profile"), "\"burst\"");
}

TEST(Effective, EntriesThatMustNameThemselvesHaveNoDefaults) {
  const Effective config(
      R"({"backends": [{"backendName": "b", "backendPath": "x"}], "testCase": {"iteration": 1}})");
  EXPECT_THAT(config.titles(), ElementsAre("backend 'b'", "testCase"));
}

}  // namespace
}  // namespace openqnn::config
