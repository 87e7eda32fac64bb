// SPDX-License-Identifier: BSD-3-Clause
#include "soc/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "soc/nearest.h"

namespace openqnn::soc {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> chipsets(const SocMatches& matches) {
  std::vector<std::string> names;
  for (const SocInfo& soc : matches.socs) names.push_back(soc.chipset);
  return names;
}

void expect_found(std::string_view query, MatchedBy by, const std::vector<std::string>& expected) {
  const auto matches = search_socs(query);
  ASSERT_TRUE(matches.ok()) << query << ": " << matches.error().to_string();
  EXPECT_EQ(matches->by, by) << query;
  EXPECT_EQ(chipsets(*matches), expected) << query;
}

TEST(Lookup, AllWaysToNameOnePart) {
  expect_found("SM8650", MatchedBy::kChipset, {"SM8650"});
  expect_found("sm-8650", MatchedBy::kChipset, {"SM8650"});
  expect_found("sm8750ac", MatchedBy::kChipset, {"SM8750-AC"});
  expect_found("57", MatchedBy::kSocModel, {"SM8650"});
  expect_found("557", MatchedBy::kKernelId, {"SM8650"});
  expect_found("660", MatchedBy::kKernelId, {"SM8850"});
  expect_found("480", MatchedBy::kKernelId, {"SM8450"});  // the second of three ids
  expect_found("Snapdragon 8 Gen 3", MatchedBy::kMarketingName, {"SM8650"});
  expect_found("8 gen 3", MatchedBy::kMarketingName, {"SM8650"});
  expect_found("SNAPDRAGON® 8-GEN-3", MatchedBy::kMarketingName, {"SM8650"});
}

TEST(Lookup, PlusIsAWord) {
  expect_found("8+ gen 1", MatchedBy::kMarketingName, {"SM8475"});
  expect_found("8 Plus Gen1", MatchedBy::kMarketingName, {"SM8475"});
  expect_found("8 gen 1", MatchedBy::kMarketingName, {"SM8450"});
  expect_found("888+", MatchedBy::kMarketingName, {"SM8350P"});
}

TEST(Lookup, AmbiguousQueriesAnswerAll) {
  expect_found("69", MatchedBy::kSocModel, {"QCS8750", "SM8750", "SM8750-AC"});
  expect_found("8 Elite", MatchedBy::kMarketingName, {"SM8750", "SM8750-AC"});
  expect_found("8650", MatchedBy::kPartOfName, {"SM8650", "SA8650P", "SA8650"});
  const auto gen3 = search_socs("gen 3");
  ASSERT_TRUE(gen3.ok());
  EXPECT_EQ(gen3->by, MatchedBy::kPartOfName);
  EXPECT_THAT(chipsets(*gen3), Contains("SM8635"));
  EXPECT_THAT(chipsets(*gen3), Contains("SM8650"));
}

// A part is chosen by a name in full; by a piece of one it is only found.
TEST(Lookup, PiecesOfNamesChooseNothing) {
  EXPECT_EQ(find_socs("8 gen 3")->socs.front().chipset, "SM8650");
  EXPECT_EQ(find_socs("888+")->by, MatchedBy::kMarketingName);
  EXPECT_EQ(find_socs("SM855").error().code, "soc-unknown");
  EXPECT_EQ(find_socs("SM855").error().fix, "did you mean SM8550 (Snapdragon 8 Gen 2)?");
  EXPECT_EQ(find_socs("x").error().code, "soc-unknown");
  EXPECT_THAT(find_socs("x").error().fix, HasSubstr("SC8380XP (Snapdragon X Elite)"));
  EXPECT_EQ(find_socs("8650").error().fix,
            "did you mean SM8650 (Snapdragon 8 Gen 3), SA8650P (Qualcomm SA8650P), SA8650?");
  EXPECT_EQ(search_socs("SM855")->by, MatchedBy::kPartOfName);
  EXPECT_EQ(search_socs("v74").error().code, "soc-arch");
}

TEST(Lookup, ArchitecturesListTheirParts) {
  const auto v75 = find_socs("v75");
  ASSERT_TRUE(v75.ok());
  EXPECT_EQ(v75->by, MatchedBy::kArch);
  EXPECT_THAT(chipsets(*v75), ElementsAre("QCS8275", "QCS8300", "SA7255P", "SM8650"));
  EXPECT_THAT(find_socs("v74").error().fix, HasSubstr("v73, v75, v79, v81"));
}

TEST(Lookup, UnknownOnesNameTheNearest) {
  EXPECT_THAT(find_socs("SM8651").error().fix, StartsWith("did you mean SM8650 (Snapdragon 8 Gen 3), "));
  EXPECT_THAT(find_socs("snapdragn 8 gen3").error().fix,
              StartsWith("did you mean SM8650 (Snapdragon 8 Gen 3), "));
  EXPECT_THAT(find_socs("98").error().message, HasSubstr("SoC model 98"));
  EXPECT_THAT(find_socs("98").error().fix, HasSubstr("97"));
  EXPECT_EQ(find_socs("99999999999999999999").error().code, "soc-unknown");
  EXPECT_EQ(find_socs("").error().code, "soc-unknown");
  EXPECT_EQ(find_socs("Snapdragon").error().code, "soc-unknown");
  EXPECT_EQ(find_socs("v").error().code, "soc-unknown");
  EXPECT_EQ(find_socs(std::string(100000, 'x')).error().code, "soc-unknown");
}

// Else a number would have two meanings.
TEST(Lookup, KernelIdsAreNoSocModels) {
  std::set<uint32_t> models, kernel_ids;
  const auto socs = all_socs();
  ASSERT_TRUE(socs.ok());
  for (const SocInfo& soc : *socs) {
    if (soc.soc_model) models.insert(*soc.soc_model);
    for (uint32_t id : soc.kernel_ids)
      EXPECT_TRUE(kernel_ids.insert(id).second) << id << " stands for two parts";
  }
  EXPECT_GT(kernel_ids.size(), 50u);
  for (uint32_t id : kernel_ids) EXPECT_FALSE(models.contains(id)) << id;
}

TEST(Lookup, EveryValueTellsItsSources) {
  const auto socs = all_socs();
  const auto sources = soc_sources();
  ASSERT_TRUE(socs.ok() && sources.ok());
  const auto has_source = [](const SocInfo& soc, std::string_view field) {
    return std::any_of(soc.sources.begin(), soc.sources.end(), [&](const FieldSources& entry) {
      return entry.field == field && !entry.keys.empty();
    });
  };
  for (const SocInfo& soc : *socs) {
    EXPECT_EQ(has_source(soc, "qnn_soc_model"), soc.soc_model.has_value()) << soc.chipset;
    EXPECT_EQ(has_source(soc, "dsp_arch"), soc.arch.has_value()) << soc.chipset;
    EXPECT_EQ(has_source(soc, "vtcm_mb"), soc.vtcm_mb.has_value()) << soc.chipset;
    EXPECT_EQ(has_source(soc, "kernel_soc_ids"), !soc.kernel_ids.empty()) << soc.chipset;
    for (const FieldSources& field : soc.sources) {
      for (const std::string& key : field.keys) {
        const bool in_words = key.find(' ') != std::string::npos;
        EXPECT_TRUE(in_words || std::any_of(sources->begin(), sources->end(),
                                            [&](const Source& source) {
                                              return source.key == key && !source.text.empty();
                                            }))
            << soc.chipset << " names the source " << key;
      }
    }
  }
}

TEST(Lookup, ConflictsAreKept) {
  const auto matches = find_socs("SM8635");
  ASSERT_TRUE(matches.ok());
  EXPECT_THAT(matches->socs.front().conflicts, SizeIs(1));
  EXPECT_THAT(matches->socs.front().conflicts.front(), HasSubstr("device log says 4 MB"));
}

}  // namespace
}  // namespace openqnn::soc
