// SPDX-License-Identifier: BSD-3-Clause
#include "config/compare.h"

#include "base/text.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "graph 'g' vtcm_mb 8 4".
std::vector<std::string> differences(std::string left, std::string right) {
  const Document a = read("a.json", std::move(left));
  const Document b = read("b.json", std::move(right));
  std::vector<std::string> out;
  for (const Difference& difference : compare(*a.config, *b.config))
    out.push_back(
        concat(difference.where, " ", difference.option, " ", difference.left, " ", difference.right));
  return out;
}

TEST(Compare, SpellingOrderCommentsAndShapesDoNotCount) {
  EXPECT_THAT(
      differences(
          R"({"graphs": {"graph_names": ["a", "b"], "O": 3.0, "vtcm_mb": 8}, "context": {"extended_udma": true}})",
          R"({"context": [{"extended_udma": true}], // the same
                             "graphs": [{"name": "b", "vtcm_size_in_mb": 8, "optimization_type": 3},
                                        {"vtcm_mb": "8", "O": 3, "graph_names": ["a"]}]})"),
      IsEmpty());
}

TEST(Compare, ADefaultWrittenOutIsTheSame) {
  EXPECT_THAT(differences(R"({"graphs": [{"graph_names": ["g"]}]})",
                          R"({"graphs": [{"graph_names": ["g"], "O": 2, "vtcm_mb": 4, "hvx_threads": 0}]})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"devices": [{"device_id": 0}]})", R"({"devices": [{}], "context": {}})"),
              IsEmpty());
}

TEST(Compare, OneMeaningUnderTwoNamesIsTheSame) {
  EXPECT_THAT(differences(R"({"devices": [{"soc_id": 57}]})", R"({"devices": [{"soc_model": 57}]})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"devices": [{"soc_id": 57}]})", R"({"devices": [{"soc_model": 69}]})"),
              ElementsAre("device 0 soc_model 57 69"));
  EXPECT_THAT(
      differences(R"({"devices": [{"soc_model": 57, "soc_id": 69}]})", R"({"devices": [{"soc_model": 57}]})"),
      ElementsAre("device 0 soc_id 69 0"));
  EXPECT_THAT(differences(R"({"devices": [{"soc_model": 57, "dsp_arch": "v75"}]})",
                          R"({"devices": [{"soc_model": 57}]})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})",
                          R"({"graphs": [{"graph_names": ["g"], "vtcm_size": 8388608}]})"),
              IsEmpty());
  EXPECT_THAT(differences(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})",
                          R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8, "vtcm_size": 65536}]})"),
              ElementsAre("graph 'g' vtcm_mb 8 65536 bytes"));
}

TEST(Compare, ADeviceThatOnlyOneFileHasIsADifference) {
  EXPECT_THAT(differences(R"({"devices": [{"device_id": 0}]})", R"({"graphs": []})"),
              ElementsAre("device 0  present absent"));
  EXPECT_THAT(differences(R"({"devices": [{}]})", R"({"devices": [{}, {"device_id": 1}]})"),
              ElementsAre("device 1  absent present"));
}

TEST(Compare, OfTwoEntriesForOneGraphTheLaterValueCounts) {
  EXPECT_THAT(differences(R"({"graphs": [{"graph_names": ["g"], "O": 1, "vtcm_mb": 8},
                                         {"graph_names": ["g"], "O": 3}]})",
                          R"({"graphs": [{"graph_names": ["g"], "O": 3, "vtcm_mb": 8}]})"),
              IsEmpty());
}

TEST(Compare, FindsValuesByNameAndNumber) {
  EXPECT_THAT(
      differences(R"({"graphs": [{"graph_names": ["a", "b"], "vtcm_mb": 8}],
                             "devices": [{"device_id": 0, "cores": [{"core_id": 1, "perf_profile": "burst"}]}]})",
                  R"({"graphs": [{"graph_names": ["b"], "vtcm_mb": 2}, {"graph_names": ["a"], "vtcm_mb": 8}],
                             "devices": [{"device_id": 0, "cores": [{"core_id": 1}]}]})"),
      ElementsAre("graph 'b' vtcm_mb 8 2", "device 0, core 1 perf_profile \"burst\" \"high_performance\""));
}

TEST(Compare, AGraphWithoutEntryHasDefaults) {
  EXPECT_THAT(differences(R"({"graphs": [{"graph_names": ["g"], "O": 3}]})", R"({"graphs": []})"),
              ElementsAre("graph 'g' O 3 2"));
  EXPECT_THAT(differences(R"({"graphs": []})", R"({"graphs": [{"graph_names": ["g"], "O": 3}]})"),
              ElementsAre("graph 'g' O 2 3"));
}

TEST(Compare, UnknownKeysCountAndCommentKeysDoNot) {
  EXPECT_THAT(
      differences(R"({"graphs": [{"graph_names": ["g"], "mine": {"a": 1}, "_comment": "x"}], "extra": 1})",
                  R"({"graphs": [{"graph_names": ["g"], "mine": {"a": 2}}]})"),
      ElementsAre("graph 'g' mine {\"a\": 1} {\"a\": 2}", "the file extra 1 "));
}

TEST(Compare, EntriesThatNameThemselvesArePresentOrNot) {
  EXPECT_THAT(
      differences(
          R"({"contexts": [{"contextName": "c"}], "models": [{"modelName": "m", "modelPath": "m.so"}]})",
          R"({"contexts": [{"contextName": "c", "priority": "DEFAULT"}], "models": []})"),
      ElementsAre("model 'm'  present absent"));
}

TEST(Compare, KindsDiffer) {
  EXPECT_THAT(differences(R"({"graphs": []})", R"({"features": {}})"),
              ElementsAre("  HTP backend file optrace reader file"));
}

// Its values are the same; that current tools ignore them is the difference.
TEST(Compare, TheFlatFormIsNotTheSameAsSections) {
  EXPECT_THAT(differences(R"({"dsp_arch": "v69", "perf_profile": "burst"})",
                          R"({"devices": [{"dsp_arch": "v69", "cores": [{"perf_profile": "burst"}]}]})"),
              ElementsAre("  HTP backend file without sections, so that current tools ignore its values "
                          "HTP backend file with sections"));
  EXPECT_THAT(differences(R"({"dsp_arch": "v69"})", R"({"dsp_arch": "v69"})"), IsEmpty());
}

}  // namespace
}  // namespace openqnn::config
