// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "config/option.h"
#include "json/json.h"
#include "tools/api_names.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

using json::Writer;

// Each text once, in the order of the results.
template <class Text>
std::string joined_once(const std::vector<SimulatedResult>& results, Text&& text) {
  std::vector<std::string> found;
  std::string all;
  for (const SimulatedResult& result : results) {
    const std::string one = text(result.simulation);
    if (std::ranges::find(found, one) != found.end()) continue;
    found.push_back(one);
    all += concat(all.empty() ? "" : "; ", one);
  }
  return all;
}

void write_card(Writer& out, const std::vector<SimulatedResult>& results) {
  double band = 0;
  for (const SimulatedResult& result : results) band = std::max(band, result.simulation.error_band());
  out.key("model_card").begin_object();
  out.key("name").string(joined_once(results, [](const Simulation& simulation) {
    return simulation.model().substr(0, simulation.model().find(':'));
  }));
  out.key("source").string(joined_once(results, [](const Simulation& made) { return made.source(); }));
  out.key("coefficients").string("data/timing").key("error_band").number(band);
  out.end_object();
}

// How the graph was prepared, in the names of the configuration files; what was granted goes before what was
// asked for.
void write_options(Writer& out, const SimulatedResult& result) {
  const Preparation& made = result.simulation.preparation();
  out.key("options").begin_object();
  out.key("O").unsigned_integer(made.optimization);
  if (made.vtcm_bytes % kMiB == 0) {
    out.key("vtcm_mb").unsigned_integer(made.vtcm_bytes / kMiB);
  } else {
    out.key("vtcm_size").unsigned_integer(made.vtcm_bytes);
  }
  out.key("hvx_threads").unsigned_integer(made.hvx_threads);
  for (const Choice& choice : result.set) {
    const bool is_granted = choice.option == "O" || choice.option == "vtcm_mb" ||
                            choice.option == "vtcm_size" || choice.option == "hvx_threads";
    if (!is_granted) out.key(choice.option).value(choice.value);
  }
  out.end_object();
}

void write_ops(Writer& out, const Simulation& simulation) {
  out.key("ops").begin_array();
  for (const OpRow& row : simulation.rows()) {
    out.begin_object().key("name").string(row.name).key("type").string(row.type);
    out.key("units").string(row.units).key("tiles").unsigned_integer(row.tiles);
    out.key("busy_cycles").unsigned_integer(row.busy_cycles);
    out.key("dma_cycles").unsigned_integer(row.dma_cycles);
    out.key("share_cycles").unsigned_integer(row.share_cycles);
    out.key("loaded_bytes").unsigned_integer(row.loaded_bytes);
    out.key("stored_bytes").unsigned_integer(row.stored_bytes);
    out.key("bound").string(row.bound).end_object();
  }
  out.end_array();
}

void write_clients(Writer& out, const SharedDevice& shared) {
  out.key("throughput_per_s").number(shared.per_s);
  out.key("clients").begin_array();
  for (const ClientFigures& client : shared.clients) {
    out.begin_object().key("priority").string(priority_name(client.priority));
    out.key("throughput_per_s").number(client.per_s);
    out.key("latency_us").number(client.latency_us).key("worst_us").number(client.worst_us);
    out.key("waited_us").number(client.waited_us).key("yielded_us").number(client.yielded_us);
    out.key("executes").unsigned_integer(client.executes);
    out.key("yields").unsigned_integer(client.yields).end_object();
  }
  out.end_array();
}

void write_result(Writer& out, const SimulatedResult& result, bool explain) {
  const Simulation& simulation = result.simulation;
  const SimulatedTimes& times = simulation.times();
  const BoundShares& bound = simulation.bound();
  const SimulatedMemory& memory = simulation.memory();
  out.begin_object();
  out.key("soc").string(simulation.soc()).key("soc_model").unsigned_integer(simulation.soc_model());
  out.key("precision").string(result.precision);
  write_options(out, result);
  out.key("latency_us").number(result.latency_us());
  out.key("band_us").begin_array(Writer::Style::kInline);
  out.number(result.low_us()).number(result.high_us()).end_array();
  out.key("accelerator_us").number(times.accelerator_us).key("rpc_us").number(times.rpc_us);
  out.key("cycles").unsigned_integer(times.cycles);
  out.key("bound").begin_object();
  out.key("hmx").number(bound.hmx).key("hvx").number(bound.hvx).key("dma").number(bound.dma);
  out.key("ddr").number(bound.ddr).key("overhead").number(bound.overhead).end_object();
  out.key("ddr_bytes").unsigned_integer(memory.ddr_bytes);
  out.key("vtcm_peak_bytes").unsigned_integer(memory.vtcm_peak_bytes);
  out.key("peak_memory_bytes").unsigned_integer(memory.peak_memory_bytes);
  out.key("binary_bytes").unsigned_integer(memory.binary_bytes);
  if (result.has_clients()) write_clients(out, result.shared);
  out.key("notes").begin_array();
  for (const std::string& note : result.notes) out.string(note);
  out.end_array();
  if (explain) write_ops(out, simulation);
  out.end_object();
}

void write_refused(Writer& out, const std::vector<RefusedResult>& list) {
  out.key("refused").begin_array();
  for (const RefusedResult& refused : list) {
    out.begin_object().key("soc").string(refused.soc).key("precision").string(refused.precision);
    out.key("options").begin_object();
    for (const Choice& choice : refused.chosen) out.key(choice.option).value(choice.value);
    out.end_object().key("why").string(refused.reason()).end_object();
  }
  out.end_array();
}

}  // namespace

std::string simulation_json(const SimulatedResults& all, bool explain) {
  Writer out;
  out.begin_object();
  write_card(out, all.results);
  out.key("results").begin_array();
  for (const SimulatedResult& result : all.results) write_result(out, result, explain);
  out.end_array();
  if (!all.refused.empty()) write_refused(out, all.refused);
  out.end_object();
  return out.take();
}

}  // namespace openqnn::tools
