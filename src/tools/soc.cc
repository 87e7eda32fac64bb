// SPDX-License-Identifier: BSD-3-Clause
// openqnn soc: which part is that, what does it have, and who says so.
#include <algorithm>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"
#include "profile/text_table.h"
#include "soc/lookup.h"
#include "soc/target.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using json::Writer;
using soc::SocInfo;
using soc::Target;

constexpr std::string_view kNotStated = "not stated";

template <class T>
std::string or_else(const std::optional<T>& value, std::string_view none) {
  return value ? concat(*value) : std::string(none);
}

std::string numbers_text(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (const uint32_t number : numbers) append_item(text, number);
  return text;
}

// What a key of a source stands for; a source may also be named in words.
std::string source_text(const std::vector<soc::Source>& sources, std::string_view key) {
  const auto found = std::ranges::find(sources, key, &soc::Source::key);
  return found == sources.end() ? std::string(key) : found->text;
}

// ---- text

void fact_line(std::string& out, std::string_view name, std::string_view value) {
  out += concat("  ", padded(concat(name, " "), 18), value, "\n");
}

std::string list_text(const std::vector<SocInfo>& socs) {
  using Align = profile::TextTable::Align;
  profile::TextTable table(std::vector<Align>(7, Align::kLeft));
  table.row({"Chipset", "Model", "Arch", "VTCM MB", "HVX", "HMX", "Name"});
  for (const SocInfo& soc : socs) {
    table.row({soc.chipset, or_else(soc.soc_model, "-"), soc.arch ? concat("v", *soc.arch) : "-",
               or_else(soc.vtcm_mb, "-"), or_else(soc.hvx_threads, "-"), or_else(soc.hmx_units, "-"),
               soc.marketing_name});
  }
  std::string out = table.text();
  out += concat("\n- : no public source states it. Model: QNN's soc_model. HTP: v", soc::kFirstHtpArch,
                " and later.\n`openqnn soc CHIPSET` shows one part with its sources and timing model.\n");
  if (const auto folder = facts_override())
    out += concat("Facts come from ", shown(*folder), " (OPENQNN_DATA_DIR).\n");
  return out;
}

std::string facts_text(const SocInfo& soc) {
  std::string out = bold(soc.chipset);
  if (!soc.marketing_name.empty()) out += concat(" (", soc.marketing_name, ")");
  out += "\n";
  fact_line(out, "QNN SoC model", or_else(soc.soc_model, kNotStated));
  if (!soc.kernel_ids.empty())
    fact_line(out, "Kernel's soc id",
              numbers_text(soc.kernel_ids) + " (/sys/devices/soc0/soc_id; QNN does not take it)");
  fact_line(out, "Hexagon", soc.arch ? concat("v", *soc.arch) : std::string(kNotStated));
  fact_line(out, "VTCM", soc.vtcm_mb ? concat(*soc.vtcm_mb, " MB") : std::string(kNotStated));
  fact_line(out, "HVX threads", or_else(soc.hvx_threads, kNotStated));
  fact_line(out, "HMX units", or_else(soc.hmx_units, kNotStated));
  fact_line(out, "Half on HTP", soc.half_on_htp ? (*soc.half_on_htp ? "yes" : "no") : kNotStated);
  fact_line(out, "NPUs", or_else(soc.npu_count, kNotStated));
  fact_line(out, "LPAI", or_else(soc.lpai_version, kNotStated));
  for (const std::string& conflict : soc.conflicts) fact_line(out, "Conflict", conflict);
  return out;
}

std::string timing_text(const Target& target) {
  const soc::Timing& timing = target.timing;
  std::string out = concat("\nModelled as: ", bytes_text(target.vtcm.value), " VTCM, ", target.hvx_contexts,
                           " HVX threads, ", target.hmx_units, " HMX\n");
  for (const std::string& assumption : target.assumptions) fact_line(out, "Assumed", assumption);
  fact_line(out, "Clock", concat(fixed(timing.clock_hz / 1e6, 0), " MHz"));
  fact_line(out, "HMX rate",
            concat(timing.hmx_macs_per_cycle_8, " 8-bit, ", timing.hmx_macs_per_cycle_16,
                   " half multiply-accumulates a cycle"));
  fact_line(out, "HVX rate",
            concat(timing.vector_cycles[static_cast<size_t>(soc::VectorKind::kElementwise)],
                   " cycles of a thread for a 16-bit vector of an element-wise op"));
  fact_line(out, "DMA",
            concat(fixed(timing.dma_bytes_per_second / 1e9, 1), " GB/s, ", timing.dma_setup_cycles,
                   " cycles to set up"));
  fact_line(out, "Op overhead", concat(timing.op_cycles, " cycles"));
  fact_line(out, "Call overhead", concat(timing.rpc_us, " us RPC, ", timing.client_us, " us client"));
  fact_line(out, "Error band", concat("±", fixed(100 * timing.error_band, 0), " %"));
  fact_line(out, "Timing from", timing.source);
  return out;
}

std::string sources_text(const SocInfo& soc, const std::vector<soc::Source>& sources) {
  std::string out = "\nSources\n";
  std::vector<std::string_view> used;
  for (const soc::FieldSources& field : soc.sources) {
    std::string keys;
    for (const std::string& key : field.keys) {
      append_item(keys, key);
      used.push_back(key);
    }
    fact_line(out, field.field, keys);
  }
  out += "\n";
  for (const soc::Source& source : sources) {
    if (std::ranges::find(used, source.key) != used.end())
      out += concat("  ", source.key, ": ", source.text, "\n");
  }
  return out;
}

// What the query was taken for, where that is worth a word.
std::string match_text(const soc::SocMatches& matches, std::string_view query) {
  const size_t count = matches.socs.size();
  switch (matches.by) {
    case soc::MatchedBy::kKernelId:
      return concat(shown(query), " is the kernel's soc id, not a QNN SoC model; write ",
                    or_else(matches.socs.front().soc_model, kNotStated), " as soc_model.\n\n");
    case soc::MatchedBy::kSocModel:
      return count > 1 ? concat("SoC model ", shown(query), " is shared by ", count, " parts.\n\n") : "";
    case soc::MatchedBy::kPartOfName:
    case soc::MatchedBy::kMarketingName:
      return count > 1 ? concat("'", shown(query), "' fits ", count, " parts.\n\n") : "";
    case soc::MatchedBy::kChipset:
    case soc::MatchedBy::kArch:
      return "";
  }
  return "";
}

std::string one_text(const SocInfo& soc, const std::vector<soc::Source>& sources) {
  std::string out = facts_text(soc);
  const auto target = soc::target_by_chipset(soc.chipset);
  out += target ? timing_text(*target) : concat("\nNot modelled: ", target.error().message, "\n");
  return out + sources_text(soc, sources);
}

// ---- JSON

template <class T>
void optional_number(Writer& out, std::string_view key, const std::optional<T>& value) {
  out.key(key);
  if (value)
    out.unsigned_integer(*value);
  else
    out.null();
}

void write_facts(Writer& out, const SocInfo& soc) {
  out.key("chipset").string(soc.chipset).key("name").string(soc.marketing_name);
  optional_number(out, "soc_model", soc.soc_model);
  out.key("kernel_soc_ids").begin_array(Writer::Style::kInline);
  for (const uint32_t id : soc.kernel_ids) out.unsigned_integer(id);
  out.end_array();
  optional_number(out, "arch", soc.arch);
  optional_number(out, "vtcm_mb", soc.vtcm_mb);
  optional_number(out, "hvx_threads", soc.hvx_threads);
  optional_number(out, "hmx_units", soc.hmx_units);
  optional_number(out, "npu_count", soc.npu_count);
  out.key("half_on_htp");
  if (soc.half_on_htp)
    out.boolean(*soc.half_on_htp);
  else
    out.null();
  out.key("lpai_version");
  if (soc.lpai_version)
    out.string(*soc.lpai_version);
  else
    out.null();
}

void write_target(Writer& out, const Target& target) {
  const soc::Timing& timing = target.timing;
  out.begin_object().key("vtcm_bytes").unsigned_integer(target.vtcm.value);
  out.key("hvx_threads").unsigned_integer(target.hvx_contexts);
  out.key("hmx_units").unsigned_integer(target.hmx_units);
  out.key("assumptions").begin_array();
  for (const std::string& assumption : target.assumptions) out.string(assumption);
  out.end_array().key("timing").begin_object();
  out.key("source").string(timing.source).key("error_band").number(timing.error_band);
  out.key("clock_hz").number(timing.clock_hz);
  out.key("hmx_macs_per_cycle_8").number(timing.hmx_macs_per_cycle_8);
  out.key("hmx_macs_per_cycle_16").number(timing.hmx_macs_per_cycle_16);
  for (size_t i = 0; i < soc::kVectorKinds; ++i)
    out.key(concat(soc::vector_kind_name(static_cast<soc::VectorKind>(i)), "_cycles"))
        .number(timing.vector_cycles[i]);
  out.key("dma_bytes_per_second").number(timing.dma_bytes_per_second);
  out.key("dma_setup_cycles").unsigned_integer(timing.dma_setup_cycles);
  out.key("op_cycles").number(timing.op_cycles);
  out.key("rpc_us").number(timing.rpc_us).key("client_us").number(timing.client_us);
  out.end_object().end_object();
}

void write_one(Writer& out, const SocInfo& soc, const std::vector<soc::Source>& sources) {
  out.begin_object();
  write_facts(out, soc);
  out.key("conflicts").begin_array();
  for (const std::string& conflict : soc.conflicts) out.string(conflict);
  out.end_array().key("sources").begin_object();
  for (const soc::FieldSources& field : soc.sources) {
    out.key(field.field).begin_array();
    for (const std::string& key : field.keys) out.string(source_text(sources, key));
    out.end_array();
  }
  out.end_object().key("modelled");
  if (const auto target = soc::target_by_chipset(soc.chipset))
    write_target(out, *target);
  else
    out.null();
  out.end_object();
}

std::string list_json(const std::vector<SocInfo>& socs) {
  Writer out;
  out.begin_object().key("socs").begin_array();
  for (const SocInfo& soc : socs) {
    out.begin_object(Writer::Style::kInline);
    write_facts(out, soc);
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

std::string matches_json(const soc::SocMatches& matches, std::string_view query,
                         const std::vector<soc::Source>& sources) {
  Writer out;
  out.begin_object().key("query").string(query);
  out.key("matched_by").string(soc::matched_by_name(matches.by)).key("socs").begin_array();
  for (const SocInfo& soc : matches.socs) write_one(out, soc, sources);
  out.end_array().end_object();
  return out.take();
}

int run_soc(const Args& args) {
  const std::string query = joined(args.positionals());
  if (query.empty()) {
    const auto socs = soc::all_socs();
    if (!socs) return fail("cannot list the parts", socs.error());
    print(args.has("--json") ? list_json(*socs) : list_text(*socs));
    return kOk;
  }
  const auto matches = soc::search_socs(query);
  if (!matches) {
    fail("cannot show the part", matches.error());
    return kFailed;  // looked for and not found, which is no wrong command line
  }
  const auto sources = soc::soc_sources();
  if (!sources) return fail("cannot show the part", sources.error());
  if (args.has("--json")) {
    print(matches_json(*matches, query, *sources));
    return kOk;
  }
  print(match_text(*matches, query));
  print(matches->socs.size() == 1 ? one_text(matches->socs.front(), *sources) : list_text(matches->socs));
  return kOk;
}

}  // namespace

Command soc_command() {
  return {
      .spec = {.name = "soc",
               .summary = "Show what a part has and which number it is, or list all parts",
               .details = R"(
QUERY is a chipset, QNN's SoC model, the kernel's soc id (which QNN does not take),
an architecture or a marketing name; case and punctuation do not count. One part is
shown with its timing model, what is assumed, where sources disagree, and the sources;
several are listed.)",
               .positionals = {{"QUERY", "a part, e.g. SM8650, 57, v75 or 8 gen 3", false, true}},
               .options = {{"--json", "", "print JSON for programs"}},
               .examples = {"openqnn soc                 all parts", "openqnn soc SM8650          one part",
                            "openqnn soc 57              which part is soc_model 57?",
                            "openqnn soc 8 gen 3         the number of a Snapdragon 8 Gen 3",
                            "openqnn soc v75             all parts with Hexagon v75",
                            "openqnn soc $(cat /sys/devices/soc0/soc_id)   on a device: what is this?"}},
      .run = run_soc};
}

}  // namespace openqnn::tools
