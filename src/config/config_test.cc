// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.h"

#include "config/address.h"
#include "config/fix.h"
#include "config/soc_details.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Config config_of(std::string text) {
  Document document = read("test.json", std::move(text));
  EXPECT_TRUE(document.config.has_value());
  return document.config.value_or(Config());
}

// feature: A1 (inside)
TEST(Record, ReadsAnOptionUnderEveryName) {
  const Config config = config_of(R"({"graphs": [{"graph_names": ["a"], "vtcm_mb": 8, "O": 3.0},
    {"name": "b", "vtcm_size_in_mb": 4, "optimization_type": 2}],
    "devices": [{"device_id": 1, "core_id": [0, 1]}, {"id": 2, "core_ids": [1]}]})");
  const auto graphs = config.records(kGraphSection);
  ASSERT_EQ(graphs.size(), 2u);
  EXPECT_EQ(*graphs[0].integer("vtcm_mb"), 8);
  EXPECT_EQ(*graphs[1].integer("vtcm_mb"), 4);
  EXPECT_EQ(*graphs[0].number("O"), 3.0);
  EXPECT_EQ(*graphs[1].number("O"), 2.0);
  EXPECT_THAT(*graphs[0].texts("graph_names"), ElementsAre("a"));
  EXPECT_THAT(*graphs[1].texts("graph_names"), ElementsAre("b"));
  const auto devices = config.records(kDeviceSection);
  EXPECT_EQ(*devices[0].integer("device_id"), 1);
  EXPECT_EQ(*devices[1].integer("device_id"), 2);
}

TEST(Record, KnowsUnsetFromSet) {
  const Config config = config_of(R"({"graphs": [{"graph_names": ["a"], "vtcm_mb": null, "dlbc": 1}]})");
  const Record graph = config.records(kGraphSection).front();
  EXPECT_FALSE(graph.integer("vtcm_mb"));
  EXPECT_FALSE(graph.integer("hvx_threads"));
  EXPECT_TRUE(graph.on("dlbc"));
  EXPECT_FALSE(graph.on("dlbc_weights"));
  EXPECT_EQ(graph.path().to_string("dlbc"), "graphs[0].dlbc");
}

TEST(Record, TakesObjectsAndListsAlike) {
  for (const char* text : {R"({"context": {"group_id": 7}})", R"({"context": [{"group_id": 7}]})"}) {
    const Config config = config_of(text);
    const auto contexts = config.records(kContextSection);
    ASSERT_EQ(contexts.size(), 1u);
    EXPECT_EQ(*contexts[0].integer("group_id"), 7);
  }
}

TEST(Config, SeesThroughFlatFiles) {
  const Config config = config_of(R"({"vtcm_mb": 8, "dsp_arch": "v69"})");
  EXPECT_TRUE(config.flat);
  EXPECT_EQ(*config.records(kGraphSection).front().integer("vtcm_mb"), 8);
  EXPECT_EQ(*config.records(kDeviceSection).front().text("dsp_arch"), "v69");
}

TEST(Subject, FindsThePartWhereverItIsTold) {
  const Config by_model = config_of(R"({"devices": [{"soc_model": 57, "dsp_arch": "v68"}]})");
  EXPECT_EQ(Subject({&by_model}, {}).part.arch, 75u);
  const Config by_arch = config_of(R"({"devices": [{"dsp_arch": "v73"}]})");
  EXPECT_EQ(Subject({&by_arch}, {}).part.arch, 73u);
  EXPECT_EQ(Subject({&by_arch}, {}).part.told_by, "devices[0].dsp_arch");
  const Config by_string = config_of(R"({"devices": [{"soc_model": "57"}]})");
  EXPECT_EQ(Subject({&by_string}, {}).part.arch, 75u);
  const auto circumstances = circumstances_of({.soc = "SM8750"});
  ASSERT_TRUE(circumstances.ok());
  EXPECT_EQ(Subject({&by_arch}, *circumstances).part.arch, 79u);
}

TEST(Circumstances, NameWhatTheyDoNotKnow) {
  EXPECT_FALSE(circumstances_of({.tool = "qnn-net-walk"}).ok());
  EXPECT_FALSE(circumstances_of({.platform = "amiga"}).ok());
  EXPECT_FALSE(circumstances_of({.sdk = "two"}).ok());
  EXPECT_FALSE(circumstances_of({.soc = "SM9999"}).ok());
  EXPECT_EQ(circumstances_of({.sdk = "v2.36.1.250627"})->sdk, (Sdk{2, 36}));
  EXPECT_EQ(circumstances_of({.tool = "net-run"})->tool, Tool::kNetRun);
}

// feature: A4 (inside)
TEST(SocDetails, ReadsTheSpecString) {
  const auto parts = parse_soc_details("chipset:SM8750;cores:2|dsp_arch:v75;soc_model:57");
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_EQ((*parts)[0].cores, 2);
  EXPECT_EQ((*parts)[0].resolve()->arch, 79u);
  EXPECT_EQ((*parts)[1].resolve()->chipset, "SM8650");
  for (const char* bad : {"", "SM8750", "chipset:", "colour:red", "soc_model:x", "dsp_arch:79", "cores:-1",
                          "chipset:A;chipset:B"})
    EXPECT_FALSE(parse_soc_details(bad).ok()) << bad;
}

TEST(Address, FindsPlacesAndTheirLimits) {
  const Config config = config_of(R"({"devices": [{"cores": [{"perf_profile": "burst"}]}]})");
  const auto steps = parse_address("devices[0].cores[0].perf_profile");
  ASSERT_TRUE(steps.ok());
  const Place place = find_place(config, *steps);
  ASSERT_NE(place.member, nullptr);
  EXPECT_EQ(place.member->value.as_string(), "burst");
  EXPECT_EQ(find_place(config, *parse_address("devices[1].soc_model")).value, nullptr);
  for (const char* bad : {"", ".", "a.", "a[", "a[x]", "a[1", "[0]", "a[99999999999999999999999]"})
    EXPECT_FALSE(parse_address(bad).ok()) << bad;
}

TEST(Address, CountsInListsAndTakesALoneValueForTheFirst) {
  const Config config = config_of(R"({"graphs": {"graph_names": ["a", "b"], "vtcm_mb": 8}})");
  const auto at = [&](const char* address) { return find_place(config, *parse_address(address)).value; };
  ASSERT_NE(at("graphs[0].graph_names[1]"), nullptr);
  EXPECT_EQ(at("graphs[0].graph_names[0]")->as_string(), "a");
  EXPECT_EQ(at("graphs[0].graph_names[1]")->as_string(), "b");
  EXPECT_EQ(at("graphs[0].graph_names[2]"), nullptr);
  ASSERT_NE(at("graphs.vtcm_mb[0]"), nullptr);
  EXPECT_EQ(at("graphs.vtcm_mb[0]")->as_int64(), 8);
  EXPECT_EQ(at("graphs.vtcm_mb[1]"), nullptr);
}

// feature: A9 (inside)
TEST(Fix, MendsUntilNothingIsLeftAndKeepsComments) {
  const std::string text = R"({ // mine
  "devices": [{"soc_model": "57" "pd_session": "unisgned"}],  // here, too
})";
  const auto check = [](const std::string& now) { return check_text(now); };
  const Fixed fixed = fix_all(text, check);
  EXPECT_EQ(fixed.text, R"({ // mine
  "devices": [{"soc_model": 57, "pd_session": "unsigned"}],  // here, too
})");
  EXPECT_THAT(places(check_text(fixed.text)), IsEmpty());
  EXPECT_EQ(fix_all(fixed.text, check).text, fixed.text);
}

TEST(Fix, MendsVeryManyMissingCommas) {
  std::string text = R"({"graphs": [)";
  for (int i = 0; i < 300; ++i) text += R"({"graph_names": ["g"]} )";
  const auto check = [](const std::string& now) { return check_text(now); };
  const Fixed fixed = fix_all(text + "]}", check);
  EXPECT_TRUE(read("f", fixed.text).config.has_value());
  EXPECT_EQ(fix_all(fixed.text, check).text, fixed.text);
}

}  // namespace
}  // namespace openqnn::config
