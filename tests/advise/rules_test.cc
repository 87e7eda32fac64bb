// SPDX-License-Identifier: BSD-3-Clause
// The table of rules, and what is made of findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "advise/models.h"
#include "advise/render.h"
#include "advise/rule.h"
#include "json/json.h"

namespace openqnn::advise {
namespace {

using testing::HasSubstr;

TEST(AdviceRules, AreCompleteAndHaveIdsOfTheirOwn) {
  std::set<std::string_view> seen;
  for (const RuleDef* rule : rules()) {
    EXPECT_TRUE(rule->id.starts_with("ADV-")) << rule->id;
    EXPECT_TRUE(seen.insert(rule->id).second) << rule->id;
    EXPECT_TRUE(rule->title.ends_with('.')) << rule->id;
    EXPECT_TRUE(rule->why.ends_with('.')) << rule->id;
    EXPECT_FALSE(rule->when.empty() || rule->when.ends_with('.')) << rule->id;
    EXPECT_FALSE(rule->instead.empty() || rule->instead.ends_with('.')) << rule->id;
    EXPECT_FALSE(rule->source.empty() || rule->bad.empty() || rule->good.empty()) << rule->id;
    EXPECT_NE(rule->find, nullptr) << rule->id;
    EXPECT_EQ(find_rule(rule->id), rule);
    EXPECT_THAT(rules_page(), HasSubstr("### " + std::string(rule->id)));
  }
  EXPECT_EQ(find_rule("ADV-NONE"), nullptr);
}

TEST(AdviceRules, LevelsHaveNames) {
  for (const Level level : {Level::kInfo, Level::kNote, Level::kWarning, Level::kError})
    EXPECT_EQ(level_from(level_name(level)), level);
  EXPECT_EQ(level_from("fatal"), std::nullopt);
}

// What a finding says of a change from one graph to another.
Finding tried(const ir::Graph& from, const ir::Graph& to) {
  const Given given = given_of(from);
  const Subject subject(given);
  std::vector<Finding> found;
  Report report(*find_rule("ADV-INT4"), subject, found);
  report.try_graph(report.add("message"), "change", to);
  return found.front();
}

TEST(AdviceRules, AChangeThatCostsTimeIsNoHelp) {
  ModelBuilder model;
  model.output(model.relu(model.input({1, 16, 16, 32})));
  const ir::Graph small = quantized(model.build());
  const std::string instead(find_rule("ADV-INT4")->instead);
  const Finding loss = tried(small, clean_convnet());
  ASSERT_EQ(loss.effects.size(), 1U) << loss.why_not_simulated;
  EXPECT_GT(loss.effects[0].percent(), 0);
  EXPECT_EQ(loss.advice, "would cost time here (simulated): " + instead);
  EXPECT_EQ(tried(clean_convnet(), small).advice, instead);
  EXPECT_EQ(tried(small, small).advice, instead) << "no effect is no loss";
}

Advice sample() {
  Advice advice;
  advice.model = "m\n.onnx";
  advice.soc = "SM8550";
  advice.precision = "w8a8";
  advice.graphs.push_back({"g", 100, 200});
  Finding finding{.id = "ADV-DIV", .level = Level::kWarning, .message = "a", .advice = "b", .source = "c"};
  finding.ops.push_back({"op\x1b[31m", "Type", {"node"}, 0.425});
  finding.op_count = 7;
  finding.effects.push_back({"change", 100, 86});
  finding.effects.push_back({"worse", 100, 101.26});
  advice.findings.push_back(finding);
  return advice;
}

TEST(AdviceText, ShowsEvidenceAndEffect) {
  const std::string text = advice_text(sample());
  EXPECT_THAT(text, HasSubstr("warning: a [ADV-DIV]"));
  EXPECT_THAT(text, HasSubstr("op?[31m (Type, from 'node')  42.5 %"));
  EXPECT_THAT(text, HasSubstr("and 6 more"));
  EXPECT_THAT(text, HasSubstr("-14.0 % simulated, 100.0 -> 86.0 us"));
  EXPECT_THAT(text, HasSubstr("+1.3 % simulated"));
  EXPECT_THAT(text, HasSubstr("1 warning"));
  EXPECT_THAT(advice_text(Advice()), HasSubstr("Nothing to advise."));
}

TEST(AdviceText, JsonCanBeRead) {
  const auto tree = json::parse(advice_json(sample()), "advice");
  ASSERT_TRUE(tree.ok());
  EXPECT_TRUE(json::parse(advice_schema(), "schema").ok());
}

TEST(AdviceText, FindingsOfACheckStandBesideTheOthers) {
  config::CheckedFile file{.name = "htp.json", .text = "{\n  \"a\": 1\n}"};
  file.findings.push_back(
      {.code = "unknown-key", .severity = Severity::kError, .message = "m", .span = {4, 7}});
  const auto found = findings_of({file});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where, "htp.json:2:3");
  EXPECT_EQ(found[0].level, Level::kError);
  EXPECT_TRUE(has_findings(found, Level::kWarning));
  EXPECT_FALSE(has_findings({}, Level::kInfo));
}

}  // namespace
}  // namespace openqnn::advise
