// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "base/text.h"
#include "profile/paths.h"
#include "profile/report.h"
#include "profile/text_table.h"
#include "profile/tracks.h"
#include "soc/part_name.h"

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

sim::Bound bound_of(const SpentByUnit& spent, const UnitCounts& units) {
  size_t slowest = 0;
  uint64_t longest = 0;
  for (size_t unit = 0; unit < soc::kUnitCount; ++unit) {
    const uint64_t duration = spent[unit].side_by_side(units.of(static_cast<soc::Unit>(unit)));
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
  const UnitCounts units(program.schedule, timeline);
  for (size_t i = 0; i < totals.size(); ++i) {
    totals[i].op = static_cast<uint32_t>(i);
    totals[i].bound = bound_of(spent[i], units);
  }
  for (const DominantSegment& segment : dominant_path(program, timeline))
    totals[program.schedule.tasks[segment.task].op].dominant += segment.cycles;
  return totals;
}

std::string units_text(const OpTotals& op) {
  std::string text;
  const auto add = [&](bool used, soc::Unit unit) {
    if (used) text += concat(text.empty() ? "" : "+", soc::unit_name(unit));
  };
  add(op.hmx, soc::Unit::kHmx);
  add(op.hvx, soc::Unit::kHvx);
  add(op.scalar, soc::Unit::kScalar);
  return text.empty() ? "-" : text;
}

// ---- The table

namespace {

std::string count(uint64_t value) { return std::to_string(value); }

std::string ops_text(const program::Program& program, const sim::Timeline& timeline) {
  using Align = TextTable::Align;
  TextTable table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight, Align::kLeft});
  table.row({"Op", "Type", "Unit", "Tiles", "Busy cycles", "Share", "DMA in", "DMA out", "Bound by"});
  table.rule();

  const uint64_t whole = timeline.total.value;
  OpTotals sum;
  for (const OpTotals& op : op_totals(program, timeline)) {
    const program::Op& source = program.ops[op.op];
    table.row({one_line(source.name), one_line(source.type), units_text(op), count(op.tiles),
               count(op.busy.value), percent_text(op.dominant.value, whole), count(op.loaded.value),
               count(op.stored.value), std::string(sim::bound_name(op.bound))});
    sum.tiles += op.tiles;
    sum.busy += op.busy;
    sum.dominant += op.dominant;
    sum.loaded += op.loaded;
    sum.stored += op.stored;
  }
  const Cycles idle = timeline.total - sum.dominant;
  if (idle.value != 0) table.row({"(idle)", "", "", "", "", percent_text(idle.value, whole), "", "", ""});
  table.rule();
  table.row({"Total", "", "", count(sum.tiles), count(sum.busy.value), percent_text(whole, whole),
             count(sum.loaded.value), count(sum.stored.value), ""});
  return table.text();
}

std::string card_text(const program::Program& program, const sim::Timeline& timeline) {
  using Align = TextTable::Align;
  TextTable card({Align::kLeft, Align::kLeft});
  card.row({"  Timing", one_line(timeline.model)});
  card.row({"  Error band", error_band_text(timeline.error_band)});
  card.row({"  SoC", one_line(soc::part_and_arch(program.soc, program.arch))});
  card.row({"  Clock", concat(std::llround(timeline.power.clock_hz / 1e6), " MHz")});
  card.row({"  VTCM", memory_text(program.schedule.vtcm_bytes)});
  card.row({"  HVX threads", count(program.schedule.hvx_threads)});
  return "Model\n" + card.text();
}

}  // namespace

std::string op_table(const program::Program& program, const sim::Timeline& timeline) {
  std::string out = "SIMULATED: these numbers come from a model of the NPU, not from a device.\n\n";
  out += concat("Graph '", one_line(program.graph), "': ", timeline.total.value, " cycles; accelerator ",
                micros_text(timeline.accelerator), " us, RPC ", micros_text(timeline.rpc),
                " us, QNN execute ", micros_text(timeline.client), " us (simulated)\n\n");
  out += ops_text(program, timeline);
  out +=
      "Busy cycles add up over units that run side by side. Share divides the timeline: each cycle belongs "
      "to\n"
      "one running op, HMX before HVX before DMA. DMA is in bytes, in to VTCM and out to DDR.\n\n";
  out += card_text(program, timeline);
  return out;
}

}  // namespace openqnn::profile
