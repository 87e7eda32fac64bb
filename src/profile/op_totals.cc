// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "profile/report.h"

namespace openqnn::profile {
namespace {

using program::TaskKind;

// Cycles of one op on one kind of unit, and why they were spent.
struct Spent {
  uint64_t cycles = 0;
  uint64_t tasks = 0;
  std::array<uint64_t, sim::kBoundCount> by_bound{};

  void add(const sim::Event& event) {
    cycles += event.duration.value * event.instances;
    tasks += event.instances;
    by_bound[static_cast<size_t>(event.bound)] += event.duration.value;
  }
  // Duration when the tasks spread over `instances`.
  uint64_t side_by_side(uint64_t instances) const {
    const uint64_t used = std::min(instances, tasks);
    return used == 0 ? 0 : ceil_div(cycles, used);
  }
};

using SpentByUnit = std::array<Spent, soc::kUnitCount>;

uint32_t hmx_units(const sim::Timeline& timeline) {
  uint32_t units = 1;
  for (const sim::Event& event : timeline.events) {
    if (event.unit == soc::Unit::kHmx) units = std::max(units, event.instance + 1);
  }
  return units;
}

sim::Bound bound_of(const SpentByUnit& spent, const std::array<uint64_t, soc::kUnitCount>& instances) {
  size_t slowest = 0;
  uint64_t longest = 0;
  for (size_t unit = 0; unit < soc::kUnitCount; ++unit) {
    const uint64_t duration = spent[unit].side_by_side(instances[unit]);
    if (duration > longest) {
      longest = duration;
      slowest = unit;
    }
  }
  if (longest == 0) return sim::Bound::kOverhead;
  const auto& reasons = spent[slowest].by_bound;
  return static_cast<sim::Bound>(std::max_element(reasons.begin(), reasons.end()) - reasons.begin());
}

// A running task in order of importance: unit, then instance.
using Rank = std::pair<uint32_t, uint32_t>;

Rank rank_of(const sim::Event& event, TaskKind kind) {
  switch (event.unit) {
    case soc::Unit::kHmx:
      return {0, event.instance};
    case soc::Unit::kHvx:
      return {1, event.instance};
    case soc::Unit::kScalar:
      return {2, event.instance};
    case soc::Unit::kDma:
      return {kind == TaskKind::kStore ? 4 : 3, event.instance};
  }
  return {5, event.instance};
}

// Gives every cycle of the timeline to the op of the most important task running in it.
void divide_timeline(const program::Program& program, const sim::Timeline& timeline,
                     std::vector<OpTotals>& totals) {
  struct Edge {
    Cycles at;
    bool starts;
    Rank rank;
    uint32_t op;
  };
  std::vector<Edge> edges;
  edges.reserve(2 * timeline.events.size());
  for (const sim::Event& event : timeline.events) {
    if (event.duration.value == 0) continue;
    const program::Task& task = program.schedule.tasks[event.task];
    const Rank rank = rank_of(event, task.kind);
    edges.push_back({event.start, true, rank, task.op});
    edges.push_back({event.end(), false, rank, task.op});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.at, a.starts, a.rank) < std::tie(b.at, b.starts, b.rank);  // ends before starts
  });

  std::map<Rank, uint32_t> running;
  Cycles last;
  for (const Edge& edge : edges) {
    if (!running.empty()) totals[running.begin()->second].dominant += edge.at - last;
    last = edge.at;
    if (edge.starts) {
      running[edge.rank] = edge.op;
    } else {
      running.erase(edge.rank);
    }
  }
}

}  // namespace

std::vector<OpTotals> op_totals(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<OpTotals> totals(program.ops.size());
  std::vector<SpentByUnit> spent(program.ops.size());
  for (const sim::Event& event : timeline.events) {
    const program::Task& task = program.schedule.tasks[event.task];
    OpTotals& op = totals[task.op];
    spent[task.op][static_cast<size_t>(event.unit)].add(event);
    if (task.kind == TaskKind::kLoad) op.loaded += Bytes{task.bytes};
    if (task.kind == TaskKind::kStore) op.stored += Bytes{task.bytes};
    if (task.kind == TaskKind::kCompute && event.unit == task.unit) ++op.tiles;
    (event.unit == soc::Unit::kDma ? op.dma : op.busy) += event.duration;
    op.hmx |= event.unit == soc::Unit::kHmx;
    op.hvx |= event.unit == soc::Unit::kHvx;
    op.scalar |= event.unit == soc::Unit::kScalar;
  }
  const std::array<uint64_t, soc::kUnitCount> instances = {hmx_units(timeline), program.schedule.hvx_threads,
                                                           1, 1};
  for (size_t i = 0; i < totals.size(); ++i) {
    totals[i].op = static_cast<uint32_t>(i);
    totals[i].bound = bound_of(spent[i], instances);
  }
  divide_timeline(program, timeline, totals);
  return totals;
}

}  // namespace openqnn::profile
