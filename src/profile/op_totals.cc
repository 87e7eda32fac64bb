// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "profile/paths.h"
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

}  // namespace

std::vector<OpTotals> op_totals(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<OpTotals> totals(program.ops.size());
  std::vector<SpentByUnit> spent(program.ops.size());
  for (const sim::Event& event : timeline.events) {
    const program::Task& task = program.schedule.tasks[event.task];
    OpTotals& op = totals[task.op];
    spent[task.op][static_cast<size_t>(event.unit)].add(event);
    if (task.kind == TaskKind::kLoad) op.loaded += Bytes{task.ddr_bytes()};
    if (task.kind == TaskKind::kStore) op.stored += Bytes{task.ddr_bytes()};
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
  for (const DominantSegment& segment : dominant_path(program, timeline))
    totals[program.schedule.tasks[segment.task].op].dominant += segment.cycles;
  return totals;
}

}  // namespace openqnn::profile
