// SPDX-License-Identifier: BSD-3-Clause
#include "tools/busiest_ops.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "profile/text_table.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

std::vector<const OpRow*> busiest_first(const Simulation& simulation) {
  std::vector<const OpRow*> sorted;
  for (const OpRow& row : simulation.rows()) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OpRow* a, const OpRow* b) { return a->share_cycles > b->share_cycles; });
  return sorted;
}

}  // namespace

std::string busiest_ops_table(const Simulation& simulation, size_t most) {
  using Align = profile::TextTable::Align;
  profile::TextTable table(
      {Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.row({"Op", "Type", "Unit", "Busy cycles", "Share", "Bound by"});
  table.rule();
  const uint64_t whole = simulation.times().cycles;
  const std::vector<const OpRow*> ops = busiest_first(simulation);
  uint64_t idle = whole;
  uint64_t busy_rest = 0;
  uint64_t share_rest = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    const OpRow& op = *ops[i];
    idle -= std::min(idle, op.share_cycles);
    if (i >= most) {
      busy_rest += op.busy_cycles;
      share_rest += op.share_cycles;
      continue;
    }
    table.row({one_line(op.name), one_line(op.type), op.units, concat(op.busy_cycles),
               profile::percent_text(op.share_cycles, whole), op.bound});
  }
  if (ops.size() > most)
    table.row({concat("(", ops.size() - most, " more)"), "", "", concat(busy_rest),
               profile::percent_text(share_rest, whole), ""});
  if (idle != 0) table.row({"(idle)", "", "", "", profile::percent_text(idle, whole), ""});
  return table.text();
}

std::string busiest_ops(const Simulation& simulation, size_t most) {
  const SimulatedTimes& times = simulation.times();
  return concat("SIMULATED: these numbers come from a model of the NPU, not from a device.\n", times.cycles,
                " cycles; accelerator ", fixed(times.accelerator_us, 1), " us, QNN execute ",
                fixed(times.client_us, 1), " us, ", profile::error_band_text(simulation.error_band()), "\n\n",
                busiest_ops_table(simulation, most));
}

}  // namespace openqnn::tools
