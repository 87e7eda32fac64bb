// SPDX-License-Identifier: BSD-3-Clause
#include "profile/power_record.h"

#include <algorithm>

namespace openqnn::profile {
namespace {

using Kind = sim::PowerEvent::Kind;

// What a profile itself votes: polling and latencies of calls are often set beside it.
bool have_same_clocks(const sim::PowerVote& a, const sim::PowerVote& b) {
  return a.core == b.core && a.bus == b.bus && a.hmx == b.hmx && a.ceng == b.ceng && a.dcvs == b.dcvs &&
         a.sleep_latency_us == b.sleep_latency_us;
}

bool votes_like(const soc::PowerProfile& profile, const sim::PowerVote& vote, const soc::PowerModel& model) {
  if (profile.kind == soc::ProfileKind::kInternal || profile.kind == soc::ProfileKind::kNoVote) return false;
  const auto own = sim::vote_of(profile, model);
  return own && have_same_clocks(*own, vote);
}

bool is_vote(const sim::PowerEvent& event) { return event.kind == Kind::kVote; }

// The history has votes and no names: the profile is the one that votes so. Of two that do, one is held by a
// timer, and the other falls as soon as the execute ends.
std::string profile_of(const sim::PowerHistory& history, const soc::PowerModel& model,
                       const std::string& graph) {
  const auto& events = history.events;
  const auto executes = [&](const sim::PowerEvent& event) {
    return event.kind == Kind::kExecute && event.label == graph;
  };
  const auto execute = std::ranges::find_if(events, executes);
  const auto behind_vote = std::find_if(std::make_reverse_iterator(execute), events.rend(), is_vote);
  const auto profiles = soc::power_profiles();
  if (execute == events.end() || behind_vote == events.rend() || !profiles) return "";
  const bool falls = std::next(execute) != events.end() && is_vote(*std::next(execute));
  std::string fitting;
  for (const soc::PowerProfile& profile : *profiles) {
    if (!votes_like(profile, behind_vote->vote, model)) continue;
    if (profile.held_by_timer != falls) return profile.name;
    if (fitting.empty()) fitting = profile.name;
  }
  return fitting;
}

}  // namespace

PowerRecord power_record(const sim::PowerHistory& history, const soc::PowerModel& model,
                         const std::string& graph) {
  PowerRecord record;
  if (std::ranges::none_of(history.events, is_vote)) return record;  // nothing that votes did
  record.perf_profile = profile_of(history, model, graph);
  record.rows = power_rows(history, sim::power_timeline(model, history), model);
  if (record.rows.size() > kMostRecordRows) {
    record.rows_left_out = record.rows.size() - kMostRecordRows;
    record.rows.resize(kMostRecordRows);
  }
  return record;
}

}  // namespace openqnn::profile
