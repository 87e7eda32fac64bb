// SPDX-License-Identifier: BSD-3-Clause
#include "soc/power_profiles.h"

#include <algorithm>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"
#include "soc/fields.h"
#include "soc/nearest.h"

namespace openqnn::soc {
namespace {

using json::Value;

constexpr size_t kSuggestedProfiles = 3;

std::optional<ProfileKind> kind_of(std::string_view name) {
  if (name == "base") return ProfileKind::kBase;
  if (name == "no_vote") return ProfileKind::kNoVote;
  if (name == "llm_decode") return ProfileKind::kLlmDecode;
  if (name == "internal") return ProfileKind::kInternal;
  return std::nullopt;
}

// What all profiles of a kind share, and what one may state itself.
Status read_common(const Value& object, const FactsFile& file, PowerProfile& profile) {
  Fields fields(object, file);
  std::vector<uint32_t> archs;
  fields.text("since_sdk", profile.since);
  fields.archs("archs", archs);
  fields.text("advice", profile.advice);
  fields.text("source", profile.source);
  if (!archs.empty()) profile.archs = std::move(archs);
  return std::move(fields).status();
}

Status read_votes(const Value& row, const FactsFile& file, PowerProfile& profile) {
  Fields fields(row, file);
  std::vector<std::string> bus, core, hmx, ceng;
  std::optional<uint32_t> polling;
  std::optional<bool> held, ours;
  fields.count("sleep_latency_us", profile.sleep_latency_us);
  fields.boolean("dcvs", profile.dcvs);
  fields.texts("bus", bus);
  fields.texts("core", core);
  fields.texts("hmx", hmx);
  fields.texts("ceng", ceng);
  fields.boolean("ddr_perf", profile.ddr_perf);
  fields.count("rpc_polling_us", polling);
  fields.boolean("held_by_timer", held);
  fields.text("falls_to", profile.falls_to);
  fields.boolean("falls_to_is_ours", ours);
  OPENQNN_TRY(std::move(fields).status());
  for (const auto* corners : {&bus, &core}) {
    if (!corners->empty() && corners->size() != 3)
      return bad_fact(file, row.span(), "'bus' and 'core' must be [min, target, max]");
  }
  for (const auto* unit : {&hmx, &ceng}) {
    if (!unit->empty() && unit->size() != 2)
      return bad_fact(file, row.span(), "'hmx' and 'ceng' must be [corner, mode]");
  }
  if (!bus.empty()) profile.bus = CornerVote{bus[0], bus[1], bus[2]};
  if (!core.empty()) profile.core = CornerVote{core[0], core[1], core[2]};
  if (!hmx.empty()) profile.hmx = UnitVote{hmx[0], hmx[1]};
  if (!ceng.empty()) profile.ceng = UnitVote{ceng[0], ceng[1]};
  profile.rpc_polling_us = polling.value_or(0);
  profile.held_by_timer = held.value_or(false);
  profile.falls_to_is_ours = ours.value_or(false);
  return {};
}

const PowerProfile* find(const std::vector<PowerProfile>& profiles, std::string_view name) {
  const auto found = std::ranges::find_if(
      profiles, [&](const PowerProfile& profile) { return upper(profile.name) == upper(name); });
  return found == profiles.end() ? nullptr : &*found;
}

Result<PowerProfile> read_profile(const Value& row, const Value* kinds, const FactsFile& file,
                                  const std::vector<PowerProfile>& before) {
  std::string name, kind_name, same_as;
  Fields fields(row, file);
  fields.text("name", name);
  fields.text("kind", kind_name);
  fields.text("same_as", same_as);
  OPENQNN_TRY(std::move(fields).status());
  const auto kind = kind_of(kind_name);
  if (name.empty() || !kind) {
    return bad_fact(file, row.span(),
                    "a profile needs a 'name' and a 'kind': base, no_vote, llm_decode or internal");
  }
  PowerProfile profile;
  if (!same_as.empty()) {
    const PowerProfile* const other = find(before, same_as);
    if (other == nullptr)
      return bad_fact(file, row.span(),
                      concat("'same_as' must name a profile before it, not '", same_as, "'"));
    profile = *other;
  }
  profile.name = std::move(name);
  profile.kind = *kind;
  profile.same_as = std::move(same_as);
  if (!profile.same_as.empty()) return profile;
  if (const Value* shared = kinds != nullptr ? kinds->find(kind_name) : nullptr)
    OPENQNN_TRY(read_common(*shared, file, profile));
  OPENQNN_TRY(read_common(row, file, profile));
  OPENQNN_TRY(read_votes(row, file, profile));
  return profile;
}

}  // namespace

Result<std::vector<PowerProfile>> read_power_profiles(std::string_view text, std::string_view source) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* rows = root.find("profiles");
  if (rows == nullptr || rows->as_array().empty())
    return bad_fact(file, root.span(), "'profiles' must be a list of profiles");
  std::vector<PowerProfile> profiles;
  for (const Value& row : rows->as_array()) {
    OPENQNN_ASSIGN(PowerProfile profile, read_profile(row, root.find("kinds"), file, profiles));
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

Result<std::vector<PowerProfile>> power_profiles() {
  OPENQNN_ASSIGN(const std::string text, facts("power_profiles.json"));
  return read_power_profiles(text, facts_source("power_profiles.json"));
}

Result<PowerProfile> find_profile(std::string_view name) {
  OPENQNN_ASSIGN(const auto profiles, power_profiles());
  return find_profile(profiles, name);
}

Result<PowerProfile> find_profile(const std::vector<PowerProfile>& profiles, std::string_view name) {
  if (const PowerProfile* const profile = find(profiles, name)) return *profile;
  std::vector<std::string> names;
  for (const PowerProfile& profile : profiles) {
    if (profile.kind != ProfileKind::kInternal) names.push_back(profile.name);
  }
  return invalid("power-profile", concat("there is no power profile '", name, "'"))
      .fix_by(concat("did you mean ", join(nearest_names(std::move(names), name, kSuggestedProfiles)), "?"));
}

}  // namespace openqnn::soc
