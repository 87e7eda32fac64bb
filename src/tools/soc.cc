// SPDX-License-Identifier: BSD-3-Clause
// openqnn targets: the parts this version knows.
#include <algorithm>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"
#include "soc/target.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using json::Writer;
using soc::SocInfo;

template <class T>
std::string or_dash(const std::optional<T>& value) {
  return value ? concat(*value) : "-";
}

bool has_htp(const SocInfo& soc) { return soc.arch.value_or(0) >= soc::kFirstHtpArch; }

void append_row(std::string& out, const std::vector<std::string>& cells) {
  constexpr size_t kWidths[] = {12, 6, 6, 8, 5, 5};
  for (size_t i = 0; i < std::size(kWidths); ++i) {
    std::string cell = cells[i];
    cell.resize(std::max(kWidths[i] + 1, cell.size() + 1), ' ');
    out += cell;
  }
  out += cells.back();
  out.erase(out.find_last_not_of(' ') + 1);
  out += "\n";
}

std::string table(const std::vector<SocInfo>& socs) {
  std::string out;
  append_row(out, {"Chipset", "Model", "Arch", "VTCM MB", "HVX", "HMX", "Name"});
  for (const SocInfo& soc : socs)
    append_row(out,
               {soc.chipset, or_dash(soc.soc_model), soc.arch ? concat("v", *soc.arch) : "-",
                or_dash(soc.vtcm_mb), or_dash(soc.hvx_threads), or_dash(soc.hmx_units), soc.marketing_name});
  out +=
      "\n- : no public source states it. `openqnn targets NAME` shows what is then assumed, and the timing "
      "model.\n";
  if (const auto folder = facts_override())
    out += concat("Facts come from ", shown(*folder), " (OPENQNN_DATA_DIR).\n");
  return out;
}

template <class T>
void optional_number(Writer& out, std::string_view key, const std::optional<T>& value) {
  out.key(key);
  if (value)
    out.unsigned_integer(*value);
  else
    out.null();
}

void write_soc(Writer& out, const SocInfo& soc) {
  out.begin_object(Writer::Style::kInline);
  out.key("chipset").string(soc.chipset).key("name").string(soc.marketing_name);
  optional_number(out, "soc_model", soc.soc_model);
  optional_number(out, "arch", soc.arch);
  optional_number(out, "vtcm_mb", soc.vtcm_mb);
  optional_number(out, "hvx_threads", soc.hvx_threads);
  optional_number(out, "hmx_units", soc.hmx_units);
  out.end_object();
}

std::string rate(double value, std::string_view unit) { return concat(value, " ", unit); }

std::string target_text(const soc::Target& target) {
  const soc::Timing& timing = target.timing;
  std::string out =
      concat(bold(target.soc), ": Hexagon v", target.arch, ", QNN SoC model ", target.soc_model, "\n");
  const auto line = [&](std::string_view name, std::string_view value) {
    std::string padded(name);
    padded.resize(18, ' ');
    out += concat("  ", padded, value, "\n");
  };
  line("VTCM", bytes_text(target.vtcm.value));
  line("HVX threads", concat(target.hvx_contexts));
  line("HMX units", concat(target.hmx_units));
  line("Clock", concat(fixed(timing.clock_hz / 1e6, 0), " MHz"));
  line("HMX rate", rate(timing.hmx_macs_per_cycle_8, "8-bit, ") +
                       rate(timing.hmx_macs_per_cycle_16, "half multiply-accumulates a cycle"));
  line("HVX rate", rate(timing.hvx_bytes_per_cycle, "bytes a cycle and thread"));
  line("DMA", concat(fixed(timing.dma_bytes_per_second / 1e9, 1), " GB/s, ", timing.dma_setup_cycles,
                     " cycles to set up"));
  line("Task overhead", concat(timing.op_overhead_cycles, " cycles"));
  line("Call overhead", concat(timing.rpc_us, " us RPC, ", timing.client_us, " us client"));
  line("Error band", concat("±", fixed(100 * timing.error_band, 0), " %"));
  line("Source", timing.source);
  for (const std::string& assumption : target.assumptions) line("Assumed", assumption);
  return out;
}

std::string target_json(const soc::Target& target) {
  const soc::Timing& timing = target.timing;
  Writer out;
  out.begin_object().key("chipset").string(target.soc);
  out.key("soc_model").unsigned_integer(target.soc_model).key("arch").unsigned_integer(target.arch);
  out.key("vtcm_bytes").unsigned_integer(target.vtcm.value);
  out.key("hvx_threads").unsigned_integer(target.hvx_contexts);
  out.key("hmx_units").unsigned_integer(target.hmx_units);
  out.key("assumptions").begin_array();
  for (const std::string& assumption : target.assumptions) out.string(assumption);
  out.end_array().key("timing").begin_object();
  out.key("source").string(timing.source).key("error_band").number(timing.error_band);
  out.key("clock_hz").number(timing.clock_hz);
  out.key("hmx_macs_per_cycle_8").number(timing.hmx_macs_per_cycle_8);
  out.key("hmx_macs_per_cycle_16").number(timing.hmx_macs_per_cycle_16);
  out.key("hvx_bytes_per_cycle").number(timing.hvx_bytes_per_cycle);
  out.key("vtcm_bytes_per_cycle").number(timing.vtcm_bytes_per_cycle);
  out.key("dma_bytes_per_second").number(timing.dma_bytes_per_second);
  out.key("dma_setup_cycles").unsigned_integer(timing.dma_setup_cycles);
  out.key("op_overhead_cycles").unsigned_integer(timing.op_overhead_cycles);
  out.key("rpc_us").number(timing.rpc_us).key("client_us").number(timing.client_us);
  out.end_object().end_object();
  return out.take();
}

std::string all_json(const std::vector<SocInfo>& socs) {
  Writer out;
  out.begin_object().key("targets").begin_array();
  for (const SocInfo& soc : socs) write_soc(out, soc);
  out.end_array().end_object();
  return out.take();
}

int run(const Args& args) {
  const std::string name = args.positional(0);
  if (!name.empty()) {
    const auto target = soc::target_by_chipset(name);
    if (!target) return fail("cannot show the part", target.error());
    print(args.has("--json") ? target_json(*target) : target_text(*target));
    return kOk;
  }
  auto socs = soc::all_socs();
  if (!socs) return fail("cannot list the parts", socs.error());
  std::erase_if(*socs, [](const SocInfo& soc) { return !has_htp(soc); });
  print(args.has("--json") ? all_json(*socs) : table(*socs));
  return kOk;
}

}  // namespace

const Command& targets_command() {
  static const Command command = {.spec = {.name = "targets",
                                           .summary = "List the parts that models can be prepared for",
                                           .details = "Without NAME: every part with an HTP of v68 or later. "
                                                      "With NAME: what is known of it, what is assumed,\n"
                                                      "and the numbers of the timing model.",
                                           .positionals = {{"NAME", "a chipset, e.g. SM8650", false}},
                                           .options = {{"--json", "", "print JSON for programs"}},
                                           .examples = {"openqnn targets", "openqnn targets SM8650"}},
                                  .run = run};
  return command;
}

}  // namespace openqnn::tools
