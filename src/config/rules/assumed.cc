// SPDX-License-Identifier: BSD-3-Clause
// Where no source states what a part has, openqnn's backend assumes it, and refuses what goes beyond: files
// that may be right for the part, and do not run here.
#include <array>

#include "base/units.h"
#include "config/rules/common.h"
#include "soc/nearest.h"

namespace openqnn::config {
namespace {

// An option of graphs whose limit a part has, stated or assumed.
struct LimitedOption {
  std::string_view name;
  std::string_view what;  // "HVX threads"
  std::optional<uint32_t> soc::SocInfo::*stated;
  int64_t (*assumed)(const soc::Target& target);
  int64_t unit = 1;  // of the limit, in those of the option
};

constexpr std::array<LimitedOption, 4> kLimitedOptions = {{
    {"vtcm_mb", "MB of VTCM", &soc::SocInfo::vtcm_mb,
     [](const soc::Target& target) { return static_cast<int64_t>(target.vtcm.value / kMiB); }},
    {"vtcm_size", "bytes of VTCM", &soc::SocInfo::vtcm_mb,
     [](const soc::Target& target) { return static_cast<int64_t>(target.vtcm.value); }, int64_t{kMiB}},
    {"hvx_threads", "vector threads", &soc::SocInfo::hvx_threads,
     [](const soc::Target& target) { return int64_t{target.hvx_contexts}; }},
    {"num_cores", "cores", &soc::SocInfo::npu_count,
     [](const soc::Target& target) { return int64_t{target.cores}; }},
}};

Result<soc::Target> target_of(const Part& part) {
  if (part.soc && part.soc->soc_model && part.told_by != "--soc")
    return soc::target_by_model(*part.soc->soc_model);
  if (part.soc) return soc::target_by_chipset(part.soc->chipset);
  return soc::target_by_arch(part.arch.value_or(0));
}

struct AssumedLimit {
  int64_t most;
  const Part* part;
};

// The lowest one of the parts that need one; nothing where a source states it for all.
std::optional<AssumedLimit> assumed_limit(const Subject& subject, const LimitedOption& option) {
  std::optional<AssumedLimit> lowest;
  for (const Part& part : subject.parts) {
    if (limit_of(part, option.stated)) continue;
    const auto target = target_of(part);
    if (!target) continue;
    const int64_t most = option.assumed(*target);
    if (!lowest || most < lowest->most) lowest = {most, &part};
  }
  return lowest;
}

void check_assumed(const Subject& subject, const LimitedOption& option, Report& report) {
  const auto sets = [&](const Record& graph) { return graph.has(option.name); };
  if (std::ranges::none_of(subject.graphs(), sets)) return;
  const auto assumed = assumed_limit(subject, option);
  if (!assumed) return;
  const auto stated = lowest_limit(subject, option.stated);
  const std::string part = part_words(*assumed->part);
  for (const Record& graph : subject.graphs()) {
    const int64_t asked = graph.integer(option.name).or_else(0);
    if (asked <= assumed->most || (stated && asked > stated->limit * option.unit)) continue;
    report.at(graph, option.name,
              concat(asked, " ", option.what, " are asked for; no source states what ", part, " has; ",
                     assumed->most, " is assumed, and openqnn's backend refuses more"),
              assumed->part->soc ? concat("write ", assumed->most, " or less to run it here")
                                 : "name the part in soc_model, whose limits may be known");
  }
}

void limit_assumed(const Subject& subject, Report& report) {
  for (const LimitedOption& option : kLimitedOptions) check_assumed(subject, option, report);
}

// A number of a SoC whose architecture is known wins over dsp_arch.
bool is_told_by_soc(const Record& device) {
  const auto model = soc_number(device);
  return model && Parts().arch(*model).has_value();
}

void arch_without_parts(const Subject& subject, Report& report) {
  const auto known = soc::archs_of(Parts().all(), soc::kFirstHtpArch);
  std::string names;
  for (const uint32_t arch : known) append_item(names, "v", arch);
  for (const Record& device : subject.devices()) {
    const auto written = soc::arch_number(device.text("dsp_arch").or_else(""));
    if (!written || *written < soc::kFirstHtpArch || known.contains(*written) || is_told_by_soc(device))
      continue;
    report.at(device, "dsp_arch",
              concat("no known part has v", *written, "; openqnn's backend cannot model it, and refuses it"),
              concat("choose one of ", names));
  }
}

constexpr RuleDef kAssumedRules[] = {
    {
        .code = "limit-assumed",
        .about = {"graphs"},
        .title = "More is asked for than openqnn assumes the part to have.",
        .why = "No source states how much VTCM, or how many vector threads or cores the part has. openqnn "
               "assumes the documented defaults and one core, and its backend refuses a graph that asks for "
               "more. On the part itself the file may be right.",
        .instead = "Name the part by soc_model where only dsp_arch is given; else ask for less.",
        .source = "The table of parts, which has no limit for this one, and the defaults of the HTP backend "
                  "page: 4 MB of VTCM, 4 threads.",
        .bad =
            {.text =
                 R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"dsp_arch": "v75"}]})"},
        .good = {.text =
                     R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"soc_model": 57}]})"},
        .find = limit_assumed,
    },
    {
        .code = "arch-without-parts",
        .about = {"dsp_arch"},
        .title = "No known part has this architecture.",
        .why =
            "The name is one of the headers, but nothing is public of a part that has it; openqnn's backend "
            "has nothing to model and refuses it.",
        .instead = "Choose an architecture that `openqnn soc` lists.",
        .source = "The table of parts.",
        .bad = {.text = R"({"devices": [{"dsp_arch": "v89"}]})"},
        .good = {.text = R"({"devices": [{"dsp_arch": "v81"}]})"},
        .find = arch_without_parts,
    },
};

}  // namespace

std::span<const RuleDef> assumed_rules() { return kAssumedRules; }

}  // namespace openqnn::config
