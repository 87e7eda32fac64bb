// SPDX-License-Identifier: BSD-3-Clause
#include "soc/power_profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace openqnn::soc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PowerProfile profile(std::string_view name) {
  const auto found = find_profile(name);
  EXPECT_TRUE(found.ok()) << found.error().to_string();
  return found.ok() ? *found : PowerProfile();
}

// The table of the HTP backend page, written down a second time.
// feature: B7 (inside)
TEST(PowerProfiles, BaseTable) {
  struct Row {
    const char* name;
    uint32_t sleep_us;
    bool dcvs;
    uint32_t polling_us;
    const char* min;
    const char* target_and_max;
  };
  const Row rows[] = {
      {"burst", 40, false, 9999, "MAX_VOLTAGE_CORNER", "MAX_VOLTAGE_CORNER"},
      {"sustained_high_performance", 100, false, 9999, "TURBO", "TURBO"},
      {"high_performance", 100, false, 9999, "TURBO", "TURBO"},
      {"balanced", 1000, false, 0, "NOM_PLUS", "NOM_PLUS"},
      {"low_balanced", 1000, false, 0, "NOM", "NOM"},
      {"high_power_saver", 1000, false, 0, "SVS_PLUS", "SVS_PLUS"},
      {"power_saver", 1000, false, 0, "SVS", "SVS"},
      {"low_power_saver", 1000, false, 0, "SVS2", "SVS2"},
      {"extreme_power_saver", 1000, false, 0, "DISABLE", "DISABLE"},
      {"relaxed", 2000, true, 0, "SVS2", "SVS"},
      {"released", 65535, true, 0, "MIN_VOLTAGE_CORNER", "MIN_VOLTAGE_CORNER"},
  };
  for (const Row& row : rows) {
    const PowerProfile found = profile(row.name);
    EXPECT_EQ(found.sleep_latency_us, row.sleep_us) << row.name;
    EXPECT_EQ(found.dcvs, row.dcvs) << row.name;
    EXPECT_EQ(found.rpc_polling_us, row.polling_us) << row.name;
    ASSERT_TRUE(found.bus && found.core) << row.name;
    for (const CornerVote& vote : {*found.bus, *found.core}) {
      EXPECT_EQ(vote.min, row.min) << row.name;
      EXPECT_EQ(vote.target, row.target_and_max) << row.name;
      EXPECT_EQ(vote.max, row.target_and_max) << row.name;
    }
    EXPECT_FALSE(found.hmx || found.ceng || found.ddr_perf || found.since) << row.name;
    EXPECT_THAT(found.archs, IsEmpty());
  }
}

// feature: B7 (inside)
TEST(PowerProfiles, BetweenInferences) {
  for (const char* name : {"burst", "sustained_high_performance"})
    EXPECT_TRUE(profile(name).held_by_timer) << name;
  EXPECT_FALSE(profile("high_performance").held_by_timer);
  EXPECT_EQ(profile("high_performance").falls_to, "relaxed");
  EXPECT_FALSE(profile("high_performance").falls_to_is_ours);
  for (const char* name : {"high_power_saver", "power_saver", "low_power_saver"}) {
    EXPECT_EQ(profile(name).falls_to, "released") << name;
    EXPECT_FALSE(profile(name).falls_to_is_ours) << name;
  }
  for (const char* name : {"balanced", "low_balanced", "extreme_power_saver"})
    EXPECT_TRUE(profile(name).falls_to_is_ours) << name;
}

TEST(PowerProfiles, LlmDecode) {
  const PowerProfile burst = profile("llm_decode_burst");
  EXPECT_EQ(burst.kind, ProfileKind::kLlmDecode);
  EXPECT_EQ(burst.sleep_latency_us, 40u);
  EXPECT_EQ(burst.bus->target, "MAX_VOLTAGE_CORNER");
  EXPECT_EQ(burst.hmx->corner, "SVS_L1");
  EXPECT_EQ(burst.ceng->corner, "TURBO_PLUS");
  EXPECT_EQ(burst.ceng->mode, "HIGH");
  EXPECT_EQ(burst.ddr_perf, true);
  EXPECT_EQ(burst.since, "2.48");
  EXPECT_THAT(burst.archs, ElementsAre(79, 81, 85, 89));

  const PowerProfile sustained = profile("llm_decode_sustained_high_performance");
  EXPECT_EQ(sustained.bus->target, "TURBO_PLUS");
  EXPECT_EQ(sustained.core->target, "NOM");
  EXPECT_EQ(sustained.hmx->corner, "LOW_SVS_D1");
  EXPECT_EQ(sustained.hmx->mode, "LOW");
  EXPECT_EQ(sustained.ddr_perf, false);

  const PowerProfile by_default = profile("llm_decode_default");
  EXPECT_EQ(by_default.same_as, "llm_decode_balanced");
  EXPECT_EQ(by_default.name, "llm_decode_default");
  EXPECT_EQ(by_default.core->target, profile("llm_decode_balanced").core->target);
  EXPECT_EQ(by_default.since, "2.48");
}

TEST(PowerProfiles, AllAreThereAndExplained) {
  const auto profiles = power_profiles();
  ASSERT_TRUE(profiles.ok()) << profiles.error().to_string();
  std::set<std::string> names;
  for (const PowerProfile& found : *profiles) {
    EXPECT_TRUE(names.insert(found.name).second) << found.name;
    EXPECT_FALSE(found.advice.empty()) << found.name;
    EXPECT_FALSE(found.source.empty()) << found.name;
  }
  EXPECT_EQ(names.size(), 22u);  // nine, system_settings, two internal states, ten for language models
  EXPECT_EQ(profile("system_settings").kind, ProfileKind::kNoVote);
  EXPECT_FALSE(profile("system_settings").bus);
  EXPECT_EQ(profile("released").kind, ProfileKind::kInternal);
}

TEST(PowerProfiles, NamesAreFoundWhateverTheirCase) {
  EXPECT_EQ(profile("BURST").name, "burst");
  const auto typo = find_profile("brust");
  ASSERT_FALSE(typo.ok());
  EXPECT_THAT(typo.error().fix, HasSubstr("did you mean burst,"));
  EXPECT_THAT(find_profile("relxed").error().fix,
              ::testing::Not(HasSubstr("relaxed")));  // nobody can choose it
}

TEST(PowerProfiles, BadFactsPointAtThePlace) {
  const auto message = [](std::string_view text) {
    return read_power_profiles(text, "p").error().to_string();
  };
  EXPECT_THAT(message("{}"), HasSubstr("p:1:1: error: 'profiles' must be a list"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x"}]})"), HasSubstr("p:1:15: error: a profile needs"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "fast"}]})"),
              HasSubstr("llm_decode or internal"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "base", "bus": ["NOM"]}]})"),
              HasSubstr("[min, target, max]"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "base", "bus": "NOM"}]})"),
              HasSubstr("'bus' must be a list"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "base", "hmx": ["NOM"]}]})"),
              HasSubstr("[corner, mode]"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "base", "sleep_latency_us": -1}]})"),
              HasSubstr("'sleep_latency_us' must be an integer"));
  EXPECT_THAT(message(R"({"profiles": [{"name": "x", "kind": "base", "same_as": "y"}]})"),
              HasSubstr("must name a profile before it"));
}

}  // namespace
}  // namespace openqnn::soc
