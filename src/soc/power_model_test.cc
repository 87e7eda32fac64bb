// SPDX-License-Identifier: BSD-3-Clause
#include "soc/power_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "soc/power_profiles.h"

namespace openqnn::soc {
namespace {

using ::testing::HasSubstr;

PowerModel model() {
  auto read = power_model();
  EXPECT_TRUE(read.ok()) << read.error().to_string();
  return read.ok() ? *std::move(read) : PowerModel();
}

TEST(PowerModel, CornersAreFoundByNameAndByBothNumbers) {
  const PowerModel read = model();
  EXPECT_EQ(read.by_name("TURBO"), read.by_coarse(128));
  EXPECT_EQ(read.by_name("TURBO"), read.by_fine(0x280));
  EXPECT_EQ(read.by_fine(0x281), read.by_fine(0x280)) << "between two corners: the lower one";
  EXPECT_EQ(read.by_fine(0x7FFFFFFF), read.top());
  EXPECT_EQ(read.by_coarse(16), 0U);
  EXPECT_FALSE(read.by_coarse(17));
  EXPECT_FALSE(read.by_name("turbo"));
}

// The documents order the profiles, and give no clock.
TEST(PowerModel, ProfilesAreOrderedFromBurstDown) {
  const PowerModel read = model();
  const auto profiles = power_profiles();
  ASSERT_TRUE(profiles.ok());
  uint64_t core = 1000, bus = 1000;
  size_t seen = 0;
  for (const PowerProfile& profile : *profiles) {
    if (profile.kind != ProfileKind::kBase) continue;
    const auto at = read.by_name(profile.core->target);
    ASSERT_TRUE(at) << profile.name;
    EXPECT_LE(read.corners[*at].core_permille.value, core) << profile.name;
    EXPECT_LE(read.corners[*read.by_name(profile.bus->target)].bus_permille.value, bus) << profile.name;
    core = read.corners[*at].core_permille.value;
    bus = read.corners[*read.by_name(profile.bus->target)].bus_permille.value;
    ++seen;
  }
  EXPECT_EQ(seen, 9U);
  EXPECT_LT(core, 500U) << "the last one is much slower than the first";
}

TEST(PowerModel, EveryCornerOfAProfileIsKnown) {
  const PowerModel read = model();
  const auto profiles = power_profiles();
  ASSERT_TRUE(profiles.ok());
  for (const PowerProfile& profile : *profiles) {
    std::vector<std::string> corners;
    for (const auto& vote : {profile.bus, profile.core})
      if (vote) corners.insert(corners.end(), {vote->min, vote->target, vote->max});
    for (const auto& vote : {profile.hmx, profile.ceng})
      if (vote) corners.push_back(vote->corner);
    for (const std::string& corner : corners)
      EXPECT_TRUE(read.by_name(corner)) << profile.name << " " << corner;
  }
}

TEST(PowerModel, BadFactsPointAtThePlace) {
  const auto message = [](std::string_view text) { return read_power_model(text, "p").error().to_string(); };
  EXPECT_THAT(message("{}"), HasSubstr("p:1:1: error: 'corners' must be a list"));
  EXPECT_THAT(message(R"({"corners": [{"name": "A"}, {}]})"), HasSubstr("a number, 'coarse' or 'fine'"));
  const char* const falling = R"({"corners": [
    {"name": "A", "coarse": 1, "core": [500, 1, 1000], "bus": [500, 1, 1000]},
    {"name": "B", "coarse": 2, "core": [400, 1, 1000], "bus": [500, 1, 1000]}]})";
  EXPECT_THAT(message(falling), HasSubstr("p:3:5: error: corner 'B' must not be slower"));
  const char* const outside = R"({"corners": [
    {"name": "A", "coarse": 1, "core": [500, 600, 1000], "bus": [500, 1, 1000]},
    {"name": "B", "coarse": 2, "core": [400, 1, 1000], "bus": [500, 1, 1000]}]})";
  EXPECT_THAT(message(outside), HasSubstr("lowest <= value <= highest"));
  const char* const slow = R"({"corners": [
    {"name": "A", "coarse": 1, "core": [500, 1, 1000], "bus": [500, 1, 1000]},
    {"name": "B", "coarse": 2, "core": [900, 1, 1000], "bus": [1000, 1, 1000]}]})";
  EXPECT_THAT(message(slow), HasSubstr("the burst clock: 1000"));
  const char* const bare = R"({"corners": [
    {"name": "A", "coarse": 1, "core": [500, 1, 1000], "bus": [500, 1, 1000]},
    {"name": "B", "coarse": 2, "core": [1000, 1, 1000], "bus": [1000, 1, 1000]}], "latencies": {}})";
  EXPECT_THAT(message(bare), HasSubstr("'power_up_us' must be [value, lowest, highest]"));
}

}  // namespace
}  // namespace openqnn::soc
