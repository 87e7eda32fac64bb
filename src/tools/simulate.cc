// SPDX-License-Identifier: BSD-3-Clause
// openqnn simulate: where the time of a prepared graph goes on the modelled device.
#include "openqnn/simulate.h"

#include "base/text.h"
#include "json/json.h"
#include "openqnn/report.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/qnn/power.h"

namespace openqnn::tools {
namespace {

using json::Writer;

std::string json_of(const Simulation& simulation) {
  Writer out;
  out.begin_object();
  out.key("clock").string("simulated").key("model").string(simulation.model());
  out.key("error_band").number(simulation.error_band());
  out.key("graph").string(simulation.graph()).key("soc").string(simulation.soc());
  out.key("arch").unsigned_integer(simulation.arch());
  out.key("prepared_for").string(simulation.prepared_for());
  out.key("assumptions").begin_array();
  for (const std::string& assumption : simulation.assumptions()) out.string(assumption);
  out.end_array();
  out.key("clock_hz").number(simulation.clock_hz());
  const SimulatedTimes& times = simulation.times();
  out.key("cycles").unsigned_integer(times.cycles).key("accelerator_us").number(times.accelerator_us);
  out.key("rpc_us").number(times.rpc_us).key("client_us").number(times.client_us);
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
  out.end_array().end_object();
  return out.take();
}

std::string text_of(const Simulation& simulation) {
  std::string out = op_table(simulation);
  if (simulation.prepared_for() != simulation.soc() && !simulation.soc().empty())
    out += concat("  Prepared for ", shown(simulation.prepared_for()), ", simulated as it is on ",
                  shown(simulation.soc()), "\n");
  for (const std::string& assumption : simulation.assumptions())
    out += concat("  Assumed: ", shown(assumption), "\n");
  return out;
}

int run(const Args& args) {
  constexpr std::string_view kWhat = "cannot simulate";
  const auto binary = ContextBinary::open(args.positional(0));
  if (!binary) return fail(kWhat, binary.error());
  const auto simulation = simulate(
      *binary,
      {.graph = args.get("--graph"), .soc = args.get("--soc"), .perf_profile = args.get("--perf_profile")});
  if (!simulation) return fail(kWhat, simulation.error());
  if (args.has("--trace")) {
    const auto status = write_chrometrace(*simulation, args.get("--trace"));
    if (!status) return fail("cannot write the trace", status.error());
  }
  print(args.has("--json") ? json_of(*simulation) : text_of(*simulation));
  if (args.has("--trace") && !args.has("--json"))
    print(concat("\nTrace: ", shown(args.get("--trace")),
                 "; open it in https://ui.perfetto.dev or chrome://tracing\n"));
  return kOk;
}

}  // namespace

const Command& simulate_command() {
  static const Command command = {
      .spec = {.name = "simulate",
               .summary = "Time a graph of a context binary on the modelled NPU, op by op",
               .details = "All times are simulated: they come from a model of the NPU, whose name and error "
                          "band are printed\n"
                          "below the table. The same file gives the same numbers on every machine.",
               .positionals = {{"FILE", "a context binary of openqnn"}},
               .options = {{"--graph", "NAME", "which graph, when the binary holds several"},
                           {"--soc", "NAME",
                            "another part than the one it was prepared for (openqnn soc);\n"
                            "it must be as new and have as much VTCM"},
                           {"--perf_profile", "NAME",
                            "a warm call under the votes of this profile; else burst, with polling\n"
                            "(the clocks of other profiles are ours: docs/power.md)",
                            false, kPerfProfileNames.substr(std::string_view("default ").size())},
                           {"--trace", "OUT.json", "write the timeline as a chrometrace too"},
                           {"--json", "", "print JSON for programs"}},
               .examples = {"openqnn simulate model.bin --trace model_chrometrace.json",
                            "openqnn simulate model.bin --graph encoder --soc SM8750 --json"}},
      .run = run};
  return command;
}

}  // namespace openqnn::tools
