// SPDX-License-Identifier: BSD-3-Clause
// Two runs side by side: every op is aligned once, and every difference has a reason.
#include "profile/diff/diff.h"

#include <gmock/gmock.h>

#include "json/json.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

using qhas::Model;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = OpChange::Kind;

Model plain_model_of(const Sample& sample) {
  return qhas::qhas_model_of(sample.program, sample.timeline, {});
}

TEST(ProfileDiff, ARunIsTheSameAsItself) {
  const Model model = plain_model_of(sample());
  const Diff diff = diff_of({"a", &model, {{"--batch", "1"}}}, {"b", &model, {{"--batch", "1"}}});
  EXPECT_THAT(diff.settings, IsEmpty());
  EXPECT_THAT(diff.largest_first(), IsEmpty());
  EXPECT_EQ(diff.ops.size(), model.ops.size());
}

TEST(ProfileDiff, SaysWhatTheRunsWereMadeWith) {
  Sample other = sample();
  other.program.soc = "SM8750";
  other.program.arch = 79;
  other.program.schedule.hvx_threads = 6;
  const Model a = plain_model_of(sample());
  const Model b = plain_model_of(other);
  const Diff diff = diff_of({"a", &a, {}}, {"b", &b, {{"--config", "htp.json"}}});
  std::vector<std::string> what;
  for (const SettingChange& change : diff.settings) what.push_back(change.what);
  EXPECT_THAT(what, ElementsAre("part", "prepared for", "HVX threads", "--config"));
  EXPECT_EQ(diff.settings.back().a, "-");
}

// feature: D6 (report)
TEST(ProfileDiff, NamesWhatChangesTransfersAndCores) {
  Sample other = sample();
  other.program.bandwidth = {.compressed_activations = true, .compressed_weights = true, .slc = true};
  other.program.schedule.cores = 2;
  other.program.schedule.tasks[0].saved_bytes = 1024;
  const Model a = plain_model_of(sample());
  const Model b = plain_model_of(other);
  const Diff diff = diff_of({"a", &a, {}}, {"b", &b, {{"dlbc", "1"}}});
  std::vector<std::string> what;
  for (const SettingChange& change : diff.settings) what.push_back(change.what);
  EXPECT_THAT(what, ElementsAre("cores", "transfers", "dlbc"));
  EXPECT_EQ(diff.settings[1].b, "dlbc of activations, dlbc of weights, system-level cache");
  EXPECT_THAT(diff.ops[0].why, Contains(HasSubstr("loads from DDR")));
  EXPECT_THAT(diff.ops[0].why, Contains("dlbc of activations is on in B alone"));
  EXPECT_THAT(diff.ops[1].why, Not(Contains(HasSubstr("dlbc"))));
  const auto kept = qhas::read_qhas(qhas::qhas_json(b), "b.json");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->cores, 2U);
  EXPECT_EQ(kept->transfers, b.transfers);
}

TEST(ProfileDiff, NamesTheMeasuredShareOfActivations) {
  Sample assumed = sample();
  assumed.program.bandwidth.compressed_activations = true;
  Sample measured = assumed;
  measured.program.bandwidth.measured_activations = true;
  measured.program.schedule.tasks[0].saved_bytes = 1024;
  const Model a = plain_model_of(assumed);
  const Model b = plain_model_of(measured);
  const Diff diff = diff_of({"a", &a, {}}, {"b", &b, {}});
  EXPECT_THAT(diff.ops[0].why, Contains("dlbc by a measured share is on in B alone"));
}

// feature: D6 (report)
TEST(ProfileDiff, EveryKindOfChangeHasItsReason) {
  Sample other = sample();
  other.program.schedule.tasks[3].box.end = {1, 4, 8, 32};  // a tile of the convolution is smaller
  other.program.schedule.tasks[4].box.end = {1, 4, 8, 32};
  other.program.schedule.tasks[0].bytes = 4096;
  const Model a = plain_model_of(sample());
  const Model b = plain_model_of(other);
  const Diff tiled = diff_of({"a", &a, {}}, {"b", &b, {}});
  EXPECT_EQ(tiled.ops[0].kind, Kind::kChanged);
  EXPECT_THAT(tiled.ops[0].why, Contains(HasSubstr("tiling 2 tiles")));
  EXPECT_THAT(tiled.ops[0].why, Contains(HasSubstr("loads from DDR 6 KiB → 8 KiB")));
  other.program.schedule.tasks[0].bytes = 4100;
  const Model uneven = plain_model_of(other);
  const Diff odd = diff_of({"a", &a, {}}, {"b", &uneven, {}});
  EXPECT_THAT(odd.ops[0].why, Contains(HasSubstr("loads from DDR 6144 bytes → 8196 bytes"))) << "one unit";
  EXPECT_EQ(tiled.ops[1].kind, Kind::kSame);

  Sample faster = sample();
  for (sim::Event& event : faster.timeline.events)
    if (event.unit == soc::Unit::kHvx) event.duration = {300};
  const Model c = plain_model_of(faster);
  const Diff timed = diff_of({"a", &a, {}}, {"c", &c, {}});
  EXPECT_THAT(timed.ops[1].why, Contains(HasSubstr("rates or clock differ")));
  EXPECT_LT(timed.ops[1].delta(), 0);
}

TEST(ProfileDiff, AnOpThatWasFusedIsFoundInAnother) {
  Sample fused = sample();
  fused.program.source_nodes = {"conv", "tanh"};
  fused.program.ops[0].source_nodes = {0, 1};
  fused.program.ops[1].name = "something else";
  const Model a = plain_model_of(sample());
  const Model b = plain_model_of(fused);
  const Diff diff = diff_of({"a", &a, {}}, {"b", &b, {}});
  ASSERT_EQ(diff.ops.size(), 3U);
  EXPECT_EQ(diff.ops[1].kind, Kind::kOnlyA);
  EXPECT_THAT(diff.ops[1].why, ElementsAre("in B it is part of 'conv'"));
  EXPECT_EQ(diff.ops[2].kind, Kind::kOnlyB);
  EXPECT_THAT(diff.ops[2].why, ElementsAre("there is no node of this name in A"));
}

TEST(ProfileDiff, ReportsAreWholeAndHarmless) {
  Sample other = sample();
  other.program.ops[0].name = "</td><script>x</script>";
  const Model a = plain_model_of(sample());
  const Model b = plain_model_of(other);
  const Diff diff = diff_of({"a", &a, {}}, {"b\n", &b, {}});
  EXPECT_THAT(diff_page(diff), Not(HasSubstr("<script>x")));
  EXPECT_THAT(diff_page(diff), Not(HasSubstr("<!--")));
  EXPECT_THAT(diff_text(diff, 0), HasSubstr("and 2 more"));
  std::istringstream lines(diff_json_lines(diff));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(json::parse(line, "line").ok()) << line;
  EXPECT_EQ(count, 2 + diff.settings.size() + diff.ops.size());
}

}  // namespace
}  // namespace openqnn::profile
