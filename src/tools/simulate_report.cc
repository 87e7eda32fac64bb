// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulate_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "openqnn/report.h"
#include "profile/text_table.h"
#include "soc/part_name.h"
#include "tools/api_names.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kLabel =
    "SIMULATED: these numbers come from a model of the NPU, not from a device.\n";
constexpr size_t kTopOps = 5;
constexpr int kBarLength = 30;
constexpr double kBytesPerMegabyte = 1e6;

struct Share {
  std::string_view name;
  double of_time = 0;
};

std::array<Share, 5> shares_of(const BoundShares& bound) {
  return {Share{"HMX", bound.hmx}, Share{"HVX", bound.hvx}, Share{"DMA", bound.dma}, Share{"DDR", bound.ddr},
          Share{"overhead", bound.overhead}};
}

// "HMX 71 %"
std::string largest_share(const BoundShares& bound) {
  const auto shares = shares_of(bound);
  const Share& most = *std::ranges::max_element(shares, {}, &Share::of_time);
  return concat(most.name, " ", fixed(100 * most.of_time, 0), " %");
}

std::string part_text(const Simulation& simulation) {
  return soc::part_and_arch(simulation.soc(), simulation.arch());
}

std::string band_text(const SimulatedResult& result) {
  return concat(fixed(result.low_us(), 0), " to ", fixed(result.high_us(), 0));
}

std::string megabytes(uint64_t bytes) { return fixed(static_cast<double>(bytes) / kBytesPerMegabyte, 2); }

std::string line(std::string_view name, std::string_view text) {
  constexpr size_t kWidth = 12;
  return concat("  ", name, std::string(kWidth - std::min(kWidth, name.size()), ' '), " ", text, "\n");
}

std::string bars(const BoundShares& bound) {
  std::string text;
  for (const Share& share : shares_of(bound)) {
    const auto length = static_cast<size_t>(std::lround(share.of_time * kBarLength));
    constexpr size_t kNameWidth = 9;
    text +=
        line(text.empty() ? "Bound by" : "",
             concat(share.name, std::string(kNameWidth - share.name.size(), ' '), std::string(length, '#'),
                    std::string(kBarLength - length, '.'), " ", fixed(100 * share.of_time, 1), " %"));
  }
  return text;
}

std::string options_text(const SimulatedResult& result) {
  const Preparation& made = result.simulation.preparation();
  std::string text =
      concat("O ", made.optimization, ", ", profile::memory_text(made.vtcm_bytes), " of VTCM, ",
             made.hvx_threads, made.hvx_threads == 1 ? " HVX thread" : " HVX threads");
  return result.set.empty() ? text : concat(text, "; set: ", shown(text_of(result.set)));
}

std::string throughput_text(const SimulatedResult& result) {
  return concat(fixed(result.shared.per_s, 1), " executes a second by ", result.shared.clients.size(),
                " clients");
}

std::string clients_table(const SharedDevice& shared) {
  using Align = profile::TextTable::Align;
  profile::TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                            Align::kRight, Align::kRight});
  table.row({"Priority", "Per second", "Latency us", "Worst us", "Waited us", "Yielded us", "Yields"});
  table.rule();
  for (const ClientFigures& client : shared.clients)
    table.row({priority_name(client.priority), fixed(client.per_s, 1), fixed(client.latency_us, 1),
               fixed(client.worst_us, 1), fixed(client.waited_us, 1), fixed(client.yielded_us, 1),
               concat(client.yields, " in ", client.executes)});
  return table.text();
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += line("Note", shown(note));
  return text;
}

std::string card_text(const Simulation& simulation) {
  return line("Timing model", concat(shown(simulation.model()), "; error band ",
                                     profile::error_band_text(simulation.error_band())));
}

bool says(const SimulatedResult& result, const std::string& note) {
  return std::ranges::find(result.notes, note) != result.notes.end();
}

// Whose note it is: nobody's in particular, a part's, or one result's.
std::string whose(const std::string& note, const SimulatedResult& first,
                  const std::vector<SimulatedResult>& results) {
  const auto all = [&](auto&& counts) {
    return std::ranges::all_of(
        results, [&](const SimulatedResult& other) { return !counts(other) || says(other, note); });
  };
  const std::string part = part_text(first.simulation);
  if (all([](const SimulatedResult&) { return true; })) return "";
  if (all([&](const SimulatedResult& other) { return part_text(other.simulation) == part; }))
    return concat(part, ": ");
  return concat(part, ", ", first.precision, first.chosen.empty() ? "" : concat(", ", text_of(first.chosen)),
                ": ");
}

std::string notes_of_all(const std::vector<SimulatedResult>& results) {
  std::string text;
  std::vector<std::string> told;
  for (const SimulatedResult& result : results) {
    for (const std::string& note : result.notes) {
      std::string line_of_it = concat(whose(note, result, results), shown(note));
      if (std::ranges::find(told, line_of_it) != told.end()) continue;
      text += line("Note", line_of_it);
      told.push_back(std::move(line_of_it));
    }
  }
  return text;
}

std::string change_text(const SimulatedResult& result, const SimulatedResult& first) {
  const double change = 100 * (result.latency_us() / first.latency_us() - 1);
  const std::string text = fixed(change, 1);
  if (text == "-0.0" || text == "0.0") return "0.0 %";
  return concat(change > 0 ? "+" : "", text, " %");
}

std::vector<const OpRow*> busiest_first(const Simulation& simulation) {
  std::vector<const OpRow*> sorted;
  for (const OpRow& row : simulation.rows()) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OpRow* a, const OpRow* b) { return a->share_cycles > b->share_cycles; });
  return sorted;
}

// The ops alone, without what goes before them.
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

}  // namespace

std::string busiest_ops(const Simulation& simulation, size_t most) {
  const SimulatedTimes& times = simulation.times();
  return concat(kLabel, times.cycles, " cycles; accelerator ", fixed(times.accelerator_us, 1),
                " us, QNN execute ", fixed(times.client_us, 1), " us, ",
                profile::error_band_text(simulation.error_band()), "\n\n",
                busiest_ops_table(simulation, most));
}

std::string latency_text(const SimulatedResult& result) {
  return concat(fixed(result.latency_us(), 1), " us (", band_text(result), " us, ",
                profile::error_band_text(result.simulation.error_band()), "), RPC included");
}

std::string explained_text(const SimulatedResult& result) {
  const Simulation& simulation = result.simulation;
  std::string out = op_table(simulation);
  if (simulation.prepared_for() != simulation.soc() && !simulation.soc().empty())
    out += concat("  Prepared for ", shown(simulation.prepared_for()), ", simulated as it is on ",
                  shown(simulation.soc()), "\n");
  for (const std::string& assumption : simulation.assumptions())
    out += concat("  Assumed: ", shown(assumption), "\n");
  for (const std::string& note : result.notes)
    if (std::ranges::find(simulation.assumptions(), note) == simulation.assumptions().end() &&
        !note.starts_with("prepared for "))
      out += concat("  Note: ", shown(note), "\n");
  if (result.has_clients())
    out +=
        concat("  Throughput: ", throughput_text(result), " (simulated)\n\n", clients_table(result.shared));
  return out;
}

std::string summary_text(const std::string& model, const SimulatedResult& result) {
  const Simulation& simulation = result.simulation;
  const SimulatedTimes& times = simulation.times();
  const SimulatedMemory& memory = simulation.memory();
  std::string out =
      concat(kLabel, "\n", bold(shown(model)), ", ", result.precision, " on ", part_text(simulation), "\n");
  out += line("Latency", latency_text(result));
  out += line("Accelerator", concat(fixed(times.accelerator_us, 1), " us, ", times.cycles, " cycles"));
  out += line("Call", concat(fixed(times.client_us - times.accelerator_us, 1), " us more for the call"));
  if (result.has_clients()) out += line("Throughput", throughput_text(result));
  out += bars(simulation.bound());
  out += line("Memory", concat(megabytes(memory.peak_memory_bytes), " MB while it runs; context binary ",
                               megabytes(memory.binary_bytes), " MB"));
  out += line("Traffic", concat(megabytes(memory.ddr_bytes), " MB between DDR and VTCM; VTCM peak ",
                                bytes_text(memory.vtcm_peak_bytes)));
  out += line("Options", options_text(result));
  if (result.has_clients()) out += concat("\n", clients_table(result.shared));
  out += concat("\n", busiest_ops_table(simulation, kTopOps), "\n");
  out += notes_text(result.notes);
  return out + card_text(simulation);
}

std::string comparison_text(const std::string& model, const SimulatedResults& all) {
  const std::vector<SimulatedResult>& results = all.results;
  using Align = profile::TextTable::Align;
  std::vector<Align> columns = {Align::kLeft, Align::kLeft};
  std::vector<std::string> heads = {"Part", "Precision"};
  for (const Choice& choice : results.front().chosen) {
    columns.push_back(Align::kRight);
    heads.push_back(choice.option);
  }
  for (const std::string_view head : {"Latency us", "Band us", "Change", "Bound by", "DDR MB", "VTCM peak"}) {
    columns.push_back(head == "Bound by" ? Align::kLeft : Align::kRight);
    heads.emplace_back(head);
  }
  const bool several_clients = results.front().has_clients();
  if (several_clients) {
    columns.push_back(Align::kRight);
    heads.emplace_back("Per second");
  }
  profile::TextTable table(columns);
  table.row(heads);
  table.rule();
  auto refused = all.refused.begin();
  const auto add_refused = [&](size_t place) {
    for (; refused != all.refused.end() && refused->place <= place; ++refused) {
      std::vector<std::string> cells = {refused->soc, refused->precision};
      for (const Choice& choice : refused->chosen) cells.push_back(shown(choice.value_text()));
      cells.emplace_back("refused");
      cells.resize(heads.size());
      table.row(std::move(cells));
    }
  };
  for (size_t place = 0; place < results.size(); ++place) {
    add_refused(place);
    const SimulatedResult& result = results[place];
    const Simulation& simulation = result.simulation;
    std::vector<std::string> cells = {soc::part_name(simulation.soc(), simulation.arch()), result.precision};
    for (const Choice& choice : result.chosen) cells.push_back(shown(choice.value_text()));
    for (std::string cell :
         {fixed(result.latency_us(), 1), band_text(result), change_text(result, results.front()),
          largest_share(simulation.bound()), megabytes(simulation.memory().ddr_bytes),
          bytes_text(simulation.memory().vtcm_peak_bytes)})
      cells.push_back(std::move(cell));
    if (several_clients) cells.push_back(fixed(result.shared.per_s, 1));
    table.row(std::move(cells));
  }
  add_refused(results.size());
  std::string out =
      concat(kLabel, "\n", bold(shown(model)), ": simulated latency, RPC included\n\n", table.text(), "\n");
  for (const RefusedResult& one : all.refused)
    out += line("Refused", concat(shown(one.title()), ": ", shown(one.reason())));
  out += notes_of_all(results);
  std::vector<std::string> cards;
  for (const SimulatedResult& result : results) {
    const std::string card = card_text(result.simulation);
    if (std::ranges::find(cards, card) != cards.end()) continue;
    cards.push_back(card);
    out += card;
  }
  return out;
}

}  // namespace openqnn::tools
