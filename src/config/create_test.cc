// SPDX-License-Identifier: BSD-3-Clause
#include "config/create.h"

#include <set>

#include "config/render.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::optional<soc::SocInfo>> all_parts() {
  std::vector<std::optional<soc::SocInfo>> parts = {std::nullopt};
  const auto socs = soc::all_socs();
  for (const soc::SocInfo& soc : *socs) parts.emplace_back(soc);
  return parts;
}

// What a check under the same circumstances says.
std::string complaints(const CreateOptions& options, const std::string& text) {
  Circumstances circumstances;
  circumstances.strict = !options.comments;
  circumstances.soc = options.soc;
  circumstances.sdk = options.sdk;
  if (!options.graphs.empty()) circumstances.graphs = options.graphs;
  const Document document = read("new.json", text);
  CheckedFile file;
  file.name = document.name;
  file.text = text;
  std::string out;
  for (const Finding& finding : check_documents({&document}, circumstances))
    out += render_finding(file, finding);
  if (!document.config || document.config->kind != options.kind) out += "another kind of file";
  return out;
}

// Two ways to ask: for an old SDK and strict JSON, for a new SDK with comments.
void expect_clean(Kind kind, Purpose purpose, const std::optional<soc::SocInfo>& part) {
  const CreateOptions old_sdk{kind, purpose, part, Sdk{2, 28}, {}, false};
  const CreateOptions new_sdk{kind, purpose, part, Sdk{2, 48}, {}, true};
  for (const CreateOptions& options : {old_sdk, new_sdk}) {
    const auto text = create(options);
    if (!text) {
      EXPECT_EQ(text.error().failure,
                Failure::kUnsupported);  // a part without an HTP, or without a native KV cache
      continue;
    }
    EXPECT_EQ(complaints(options, *text), "") << (part ? part->chipset : "no part") << "\n" << *text;
  }
}

TEST(Create, EveryCombinationIsClean) {
  std::set<std::optional<uint32_t>> seen;
  for (const auto& part : all_parts()) {
    const bool new_arch = seen.insert(part ? part->arch : 0).second;
    for (const KindDef& kind : kinds()) {
      // Only the backends' own files have values of the part.
      const bool depends_on_part = kind.kind == Kind::kHtp || kind.kind == Kind::kLpai;
      if (kind.kind == Kind::kCompile || (!depends_on_part && !new_arch)) continue;
      for (size_t i = 0; i < kPurposeCount; ++i) expect_clean(kind.kind, static_cast<Purpose>(i), part);
    }
  }
}

TEST(Create, TakesTheNamesOfTheGraphs) {
  for (const KindDef& kind : kinds()) {
    if (kind.kind == Kind::kCompile) continue;
    for (size_t purpose = 0; purpose < kPurposeCount; ++purpose) {
      CreateOptions options{
          kind.kind, static_cast<Purpose>(purpose), std::nullopt, std::nullopt, {"encoder", "decoder"}};
      const auto text = create(options);
      ASSERT_TRUE(text.ok());
      EXPECT_EQ(complaints(options, *text), "");
    }
  }
  CreateOptions options;
  options.graphs = {"a \"quoted\" name"};
  EXPECT_THAT(*create(options), HasSubstr(R"("graph_names": ["a \"quoted\" name"])"));
}

TEST(Create, WithoutCommentsIsStrictJson) {
  CreateOptions options;
  options.comments = false;
  const auto text = create(options);
  EXPECT_TRUE(json::parse(*text, "new").ok());
  EXPECT_THAT(*text, Not(HasSubstr("//")));
}

TEST(Create, UsesWhatTheSdkKnows) {
  CreateOptions options;
  options.purpose = Purpose::kLlm;
  options.soc = soc::SocInfo{};
  options.soc->chipset = "X";
  options.soc->arch = 79;
  EXPECT_THAT(*create(options), HasSubstr(R"("perf_profile": "burst")"));
  options.sdk = Sdk{2, 48};
  EXPECT_THAT(*create(options), HasSubstr(R"("perf_profile": "llm_decode_burst")"));
}

TEST(Create, RefusesAPartWithoutAnHtp) {
  CreateOptions options;
  options.soc = soc::SocInfo{};
  options.soc->chipset = "SM8150";
  options.soc->arch = 66;
  EXPECT_FALSE(create(options).ok());
  options.soc->chipset = "AIC100";
  options.soc->arch.reset();
  const auto unknown = create(options);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message, HasSubstr("AIC100"));
  EXPECT_THAT(unknown.error().fix, HasSubstr("leave --soc out"));
  options.kind = Kind::kLpai;
  EXPECT_TRUE(create(options).ok());
}

TEST(Create, FindsPurposesByName) {
  for (size_t i = 0; i < kPurposeCount; ++i)
    EXPECT_EQ(find_purpose(purpose_name(static_cast<Purpose>(i))), static_cast<Purpose>(i));
  EXPECT_FALSE(find_purpose("speed").has_value());
}

}  // namespace
}  // namespace openqnn::config
