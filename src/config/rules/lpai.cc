// SPDX-License-Identifier: BSD-3-Clause
// The LPAI backend file.
#include <bit>

#include "config/rules/common.h"
#include "config/soc_details.h"
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

std::vector<Record> execute_sections(const Subject& subject) {
  const auto graph = section_of(subject, Kind::kLpai, "lpai_graph");
  return graph ? graph->records("execute") : std::vector<Record>();
}

void lpai_core_mask(const Subject& subject, Report& report) {
  for (const Record& execute : execute_sections(subject)) {
    const auto cores = execute.integer("core_selection");
    if (cores.or_else(0) <= 0 || std::has_single_bit(static_cast<uint64_t>(*cores))) continue;
    report.at(
        execute, "core_selection",
        concat("core_selection is a mask, and ", *cores, " selects several cores, which is not supported"),
        "write 1 for core 0, 2 for core 1, or 0 for any");
  }
}

void lpai_core_number(const Subject& subject, Report& report) {
  for (const Record& execute : execute_sections(subject)) {
    if (execute.integer("core_selection").or_else(0) != 1) continue;
    report.at(execute, "core_selection", "core_selection is a mask: 1 selects core 0, not core 1",
              "write 2 if core 1 is meant");
  }
}

void lpai_hard_affinity(const Subject& subject, Report& report) {
  for (const Record& execute : execute_sections(subject)) {
    const bool hard = execute.text("affinity").or_else("soft") == "hard";
    if (!hard || execute.integer("core_selection").or_else(0) != 0) continue;
    report.at(execute, "affinity", "hard affinity holds ops on the selected core, and no core is selected",
              "set core_selection to 1 (core 0) or 2 (core 1)");
  }
}

void lpai_slow_clock(const Subject& subject, Report& report) {
  constexpr int64_t kOne = 10;
  for (const Record& execute : execute_sections(subject)) {
    const auto ratio = execute.integer("ftrt_ratio");
    if (ratio.or_else(kOne) >= kOne || *ratio <= 0) continue;
    report.at(execute, "ftrt_ratio",
              concat("ftrt_ratio counts tenths: ", *ratio, " runs the eNPU at 0.", *ratio,
                     " of the clock that fps needs"),
              concat("write ", *ratio * kOne, " for a factor of ", *ratio, ", 10 for none"));
  }
}

// Of v5_1 no public table says which parts have it, so it passes for v5.
bool same_hardware(std::string_view written, std::string_view real) {
  return written == real || (written == "v5_1" && real == "v5");
}

void lpai_hardware(const Subject& subject, Report& report) {
  const auto backend = section_of(subject, Kind::kLpai, "lpai_backend");
  if (!backend || !subject.part.soc) return;
  const auto real = lpai_version_of(*subject.part.soc);
  const auto written = backend->text("enable_hw_ver");
  if (!real || same_hardware(written.or_else(kDefaultLpai), *real)) return;
  report.at(*backend, "enable_hw_ver",
            concat("the binary is for LPAI ", written.or_else(kDefaultLpai),
                   written ? "" : ", the default of enable_hw_ver", "; ", subject.part.soc->chipset, " has ",
                   *real),
            concat("write ", *real));
}

// The environment is where the binary will run; x86 is the simulator.
void lpai_environment(const Subject& subject, Report& report) {
  const auto backend = section_of(subject, Kind::kLpai, "lpai_backend");
  const Circumstances& known = subject.circumstances;
  const bool runs = known.stage == Stage::kLoad || known.stage == Stage::kExecute ||
                    known.stage == Stage::kOnline || known.tool == Tool::kNetRun;
  if (!backend || !known.platform || !runs) return;
  const auto written = backend->text("target_env");
  const bool host = *known.platform == Platform::kLinuxX86 || *known.platform == Platform::kWindowsX86;
  const bool simulated = written.or_else("adsp") == "x86";
  if (!written || host == simulated) return;
  report.at(
      *backend, "target_env",
      concat("a binary made with target_env ", *written, " does not run on ", platform_name(*known.platform)),
      host ? "make a binary with target_env x86 for the simulator" : "make the binary with target_env adsp");
}

constexpr RuleDef kLpaiRules[] = {
    {
        .code = "lpai-core-mask",
        .about = {"core_selection"},
        .severity = Severity::kError,
        .title = "Several LPAI cores are selected at once.",
        .why = "The number is a mask with one bit per core, and a mix of cores is not supported.",
        .instead = "Select one core, or 0 for any.",
        .source = "LPAI configuration page: mixed core selection, such as 0x03, is not yet supported.",
        .bad = {.text = R"({"lpai_graph": {"execute": {"core_selection": 3}}})"},
        .good = {.text = R"({"lpai_graph": {"execute": {"core_selection": 2}}})"},
        .find = lpai_core_mask,
    },
    {
        .code = "lpai-core-number",
        .about = {"core_selection"},
        .severity = Severity::kNote,
        .title = "Core selection 1 means core 0.",
        .why = "The table of options calls the value a core number, the text below it a mask. The mask "
               "applies, so 1 is the small core and 2 the big one.",
        .instead = "Write 1 for core 0 and 2 for core 1.",
        .source = "LPAI configuration page: 0x01 selects core 0, 0x02 selects core 1, 0x00 any.",
        .bad = {.text = R"({"lpai_graph": {"execute": {"core_selection": 1}}})"},
        .good = {.text = R"({"lpai_graph": {"execute": {"core_selection": 0}}})"},
        .find = lpai_core_number,
    },
    {
        .code = "lpai-hard-affinity",
        .about = {"affinity"},
        .title = "Hard affinity is asked for without a core.",
        .why = "Hard affinity keeps ops on the selected core; without a selection it holds nothing.",
        .instead = "Select a core, or use soft affinity.",
        .source =
            "LPAI configuration page: hard affinity forces ops to the selected core; 0 is no preference.",
        .bad = {.text = R"({"lpai_graph": {"execute": {"affinity": "hard"}}})"},
        .good = {.text = R"({"lpai_graph": {"execute": {"affinity": "hard", "core_selection": 2}}})"},
        .find = lpai_hard_affinity,
    },
    {
        .code = "lpai-slow-clock",
        .about = {"ftrt_ratio"},
        .title = "The clock factor is below 1.",
        .why = "ftrt_ratio counts tenths: 50 is a factor of 5.0. Below 10 the clock is lower than fps needs, "
               "and a real-time client fails to finalize.",
        .instead = "Multiply the factor you mean by ten.",
        .source = "LPAI configuration page: 50 is a factor of 5.0, the default is 10.",
        .bad = {.text = R"({"lpai_graph": {"execute": {"fps": 10, "ftrt_ratio": 5}}})"},
        .good = {.text = R"({"lpai_graph": {"execute": {"fps": 10, "ftrt_ratio": 50}}})"},
        .find = lpai_slow_clock,
    },
    {
        .code = "lpai-hardware",
        .about = {"lpai_backend"},
        .severity = Severity::kError,
        .title = "The LPAI hardware version is not that of the part.",
        .why = "A binary for another version of the engine does not load.",
        .instead = "Write the version of the part.",
        .source = "LPAI configuration page: enable_hw_ver is the version of the target. The table of parts "
                  "knows some.",
        .bad = {.text = R"({"lpai_backend": {"enable_hw_ver": "v6"}})", .flags = "--soc SM8750"},
        .good = {.text = R"({"lpai_backend": {"enable_hw_ver": "v6"}})", .flags = "--soc SM8850"},
        .find = lpai_hardware,
    },
    {
        .code = "lpai-environment",
        .about = {"target_env"},
        .title = "The LPAI binary is for another environment than the one it runs in.",
        .why = "x86 makes binaries for the simulator on the host, adsp and arm such for a device.",
        .instead = "Set target_env to where the binary will run, and make it again.",
        .source = "LPAI configuration page: target_env selects simulator or target.",
        .bad = {.text = R"({"lpai_backend": {"target_env": "x86"}})",
                .flags = "--stage binary --platform aarch64-android"},
        .good = {.text = R"({"lpai_backend": {"target_env": "adsp"}})",
                 .flags = "--stage offline --platform x86_64-linux"},
        .find = lpai_environment,
    },
};

}  // namespace

std::span<const RuleDef> lpai_rules() { return kLpaiRules; }

}  // namespace openqnn::config
