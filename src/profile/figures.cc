// SPDX-License-Identifier: BSD-3-Clause
#include "profile/figures.h"

#include <algorithm>
#include <map>

namespace openqnn::profile {
namespace {

// What an event is critical as, the most important first. Those after kStart are transfers.
enum Rank : uint8_t { kMatrix, kVector, kStart, kBytes, kSetUp, kRanks };
constexpr std::array<sim::Bound, kRanks> kBounds = {sim::Bound::kHmx, sim::Bound::kHvx, sim::Bound::kOverhead,
                                                    sim::Bound::kDdr, sim::Bound::kDma};

Rank rank_of(const sim::Event& event) {
  if (event.unit == soc::Unit::kDma) return event.bound == sim::Bound::kDdr ? kBytes : kSetUp;
  if (event.unit == soc::Unit::kScalar || event.bound == sim::Bound::kOverhead) return kStart;
  return event.unit == soc::Unit::kHmx ? kMatrix : kVector;
}

struct Change {
  uint64_t at = 0;
  int64_t by = 0;
  size_t of = 0;
};

std::vector<Change> sorted(std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.at != b.at ? a.at < b.at : a.by < b.by;  // what ends goes before what begins
  });
  return changes;
}

}  // namespace

BoundCycles bound_cycles(const sim::Timeline& timeline) {
  std::vector<Change> changes;
  changes.reserve(2 * timeline.events.size());
  for (const sim::Event& event : timeline.events) {
    changes.push_back({event.start.value, 1, rank_of(event)});
    changes.push_back({event.end().value, -1, rank_of(event)});
  }
  BoundCycles spent = {};
  std::array<int64_t, kRanks> running = {};
  uint64_t last = 0;
  uint64_t counted = 0;
  for (const Change& change : sorted(std::move(changes))) {
    const auto* const first = std::find_if(running.begin(), running.end(), [](int64_t n) { return n > 0; });
    if (first != running.end()) {
      const sim::Bound bound = kBounds[static_cast<size_t>(first - running.begin())];
      spent[static_cast<size_t>(bound)] += Cycles{change.at - last};
      counted += change.at - last;
    }
    last = change.at;
    running[change.of] += change.by;
  }
  spent[static_cast<size_t>(sim::Bound::kOverhead)] += Cycles{timeline.total.value - counted};
  return spent;
}

Bytes ddr_traffic(const program::Schedule& schedule) {
  Bytes moved;
  for (const program::Task& task : schedule.tasks)
    if (task.kind != program::TaskKind::kCompute) moved += Bytes{task.ddr_bytes()};
  return moved;
}

std::vector<VtcmUse> vtcm_use(const program::Schedule& schedule, const sim::Timeline& timeline) {
  struct Span {
    Cycles from{UINT64_MAX};
    Cycles until;
  };
  // A task may be two events.
  std::vector<Span> tasks(schedule.tasks.size());
  for (const sim::Event& event : timeline.events) {
    Span& span = tasks[event.task];
    span.from = std::min(span.from, event.start);
    span.until = std::max(span.until, event.end());
  }
  std::map<Cycles, uint64_t> changes;  // a decrease is what wraps around to it, whatever a file says
  for (const program::VtcmBlock& block : schedule.blocks) {
    Span span;
    for (const uint32_t user : block.users) {
      span.from = std::min(span.from, tasks[user].from);
      span.until = std::max(span.until, tasks[user].until);
    }
    if (span.from >= span.until) continue;
    changes[span.from] += block.bytes;
    changes[span.until] -= block.bytes;
  }
  std::vector<VtcmUse> uses;
  uint64_t in_use = 0;
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    in_use += change;
    uses.push_back({at, in_use});
  }
  return uses;
}

Bytes vtcm_peak(const program::Schedule& schedule, const sim::Timeline& timeline) {
  Bytes most;
  for (const VtcmUse& use : vtcm_use(schedule, timeline)) most = std::max(most, Bytes{use.bytes});
  return most;
}

}  // namespace openqnn::profile
