// SPDX-License-Identifier: BSD-3-Clause
// VTCM: how much of it a graph asks for.
#include "base/units.h"
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

constexpr int64_t kVtcmStep = 65536;  // vtcm_size comes in steps of 64 KiB
constexpr int64_t kBytesPerMb = int64_t{kMiB};
constexpr int64_t kMostVtcmMb = 1024;  // far above any part; beyond it a number of MB must be one of bytes

void vtcm_above_part(const Subject& subject, std::span<const Record> graphs, Report& report) {
  const auto lowest = lowest_limit(subject, &soc::SocInfo::vtcm_mb);
  if (!lowest) return;
  const auto most = static_cast<int64_t>(lowest->limit);
  const std::string part = part_words(*lowest->part);
  const auto too_much = [&](const Record& graph, std::string_view option, std::string_view unit,
                            int64_t asked) {
    report.at(
        graph, option,
        concat(asked, " ", unit, " of VTCM are asked for; ", part, " has ", most,
               " MB; it prepares offline, and the binary fails to load with 5005 (0x138d)"),
        concat("write ", option == "vtcm_mb" ? most : most * kBytesPerMb, " or less; 0 takes all there is"));
  };
  for (const Record& graph : graphs) {
    const int64_t megabytes = graph.integer("vtcm_mb").or_else(0);
    const int64_t bytes = graph.integer("vtcm_size").or_else(0);
    if (megabytes > most && megabytes <= kMostVtcmMb) too_much(graph, "vtcm_mb", "MB", megabytes);
    if (bytes > most * kBytesPerMb) too_much(graph, "vtcm_size", "bytes", bytes);
  }
}

bool soc_is_known(const Subject& subject) {
  const auto names_soc = [](const Record& device) { return bool(soc_number(device)); };
  return subject.part.soc || std::ranges::any_of(subject.devices(), names_soc);
}

// Online the device answers by itself.
void vtcm_max_needs_soc(const Subject& subject, std::span<const Record> graphs, Report& report) {
  const auto stage = subject.circumstances.stage;
  if (soc_is_known(subject) || (stage && *stage != Stage::kOffline)) return;
  for (const Record& graph : graphs) {
    const auto megabytes = graph.integer("vtcm_mb");
    if (!megabytes || *megabytes != 0) continue;
    report.at(graph, "vtcm_mb", "0 takes the part's maximum, but neither the file nor --soc says which part",
              "add soc_model to the device");
  }
}

void vtcm_size_arch(const Subject& subject, Report& report) {
  needs_arch(subject, report, subject.graphs(), "vtcm_size", 81, "VTCM by the byte");
}

void vtcm_size_step(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const auto bytes = graph.integer("vtcm_size");
    if (bytes.or_else(0) < kVtcmStep || *bytes % kVtcmStep == 0) continue;
    const int64_t below = *bytes / kVtcmStep * kVtcmStep;
    const bool plausible = *bytes <= kMostVtcmMb * kBytesPerMb;
    report.at(graph, "vtcm_size",
              concat(*bytes, " is no multiple of ", kVtcmStep, " (64 KiB), which VTCM comes in"),
              plausible ? concat("write ", below, " or ", below + kVtcmStep)
                        : concat("write a multiple of ", kVtcmStep));
  }
}

void vtcm_size_in_megabytes(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const auto bytes = graph.integer("vtcm_size");
    if (bytes.or_else(0) <= 0 || *bytes >= kVtcmStep) continue;
    report.at(graph, "vtcm_size", concat(*bytes, " bytes of VTCM; vtcm_size is in bytes, not in MB"),
              *bytes <= kMostVtcmMb ? concat("write ", *bytes * kBytesPerMb, ", or vtcm_mb: ", *bytes)
                                    : concat("write a multiple of ", kVtcmStep));
  }
}

void vtcm_mb_in_bytes(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const auto megabytes = graph.integer("vtcm_mb");
    if (megabytes.or_else(0) <= kMostVtcmMb) continue;
    const int64_t meant = *megabytes / kBytesPerMb;
    report.at(graph, "vtcm_mb", concat(*megabytes, " MB of VTCM; vtcm_mb is in MB, not in bytes"),
              meant > 0 ? concat("write ", meant) : "write the number of megabytes");
  }
}

void vtcm_both(const Subject& /*subject*/, std::span<const Record> graphs, Report& report) {
  for (const Record& graph : graphs) {
    const auto megabytes = graph.integer("vtcm_mb");
    const auto bytes = graph.integer("vtcm_size");
    if (!megabytes || !bytes) continue;
    if (*bytes / kBytesPerMb == *megabytes && *bytes % kBytesPerMb == 0) continue;  // they agree
    const std::string_view last = megabytes.member < bytes.member ? "vtcm_size" : "vtcm_mb";
    report.at(graph, "vtcm_size",
              concat("vtcm_mb and vtcm_size ask for different amounts; the last one, ", last, ", applies"),
              "keep one of them");
  }
}

constexpr RuleDef kVtcmRules[] = {
    {
        .code = "vtcm-above-part",
        .about = {"vtcm_mb", "vtcm_size"},
        .severity = Severity::kError,
        .title = "A graph asks for more VTCM than the part has.",
        .why = "Offline prepare takes the number as it is, and only loading the binary on the device fails, "
               "with the bare code 5005 (0x138d).",
        .instead = "Ask for at most what the part has; 0 asks for all of it.",
        .source = "HTP backend page: at most the VTCM of the SoC. Users' reports: the second most frequent "
                  "complaint.",
        .bad = {.text =
                    R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"soc_model": 68}]})"},
        .good = {.text =
                     R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"soc_model": 43}]})"},
        .find_in_graphs = vtcm_above_part,
    },
    {
        .code = "vtcm-max-needs-soc",
        .about = {"vtcm_mb"},
        .title = "The part's maximum of VTCM is asked for, and no part is named.",
        .why = "Without a SoC, offline prepare does not know the maximum and falls back to a small default, "
               "which costs DDR traffic.",
        .instead = "Name the SoC in the device entry, or write the size.",
        .source =
            "HTP backend page: to use the maximum, set 0 and specify the SoC in the device configuration.",
        .bad =
            {.text =
                 R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 0}], "devices": [{"dsp_arch": "v75"}]})"},
        .good = {.text =
                     R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 0}], "devices": [{"soc_model": 57}]})"},
        .find_in_graphs = vtcm_max_needs_soc,
    },
    {
        .code = "vtcm-size-arch",
        .about = {"vtcm_size"},
        .severity = Severity::kError,
        .title = "VTCM is given in bytes for a part that takes megabytes only.",
        .why = "Sizes by the byte exist from v81 on; older parts know whole megabytes.",
        .instead = "Use vtcm_mb for parts before v81.",
        .source = "HTP backend page: byte granularity starts with v81.",
        .bad = {.text =
                    R"({
  "graphs": [{"graph_names": ["g"], "vtcm_size": 8323072}],
  "devices": [{"dsp_arch": "v79"}]
})"},
        .good = {.text =
                     R"({
  "graphs": [{"graph_names": ["g"], "vtcm_size": 8323072}],
  "devices": [{"dsp_arch": "v81"}]
})"},
        .find = vtcm_size_arch,
    },
    {
        .code = "vtcm-size-step",
        .about = {"vtcm_size"},
        .severity = Severity::kError,
        .title = "The VTCM size in bytes is no multiple of 64 KiB.",
        .why = "The hardware hands out VTCM in steps of 64 KiB; a request between two steps is refused.",
        .instead = "Round to a multiple of 65536.",
        .source = "HTP backend page: requests presently need to be a multiple of 64 KB.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_size": 8000000}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_size": 8323072}]})"},
        .find_in_graphs = vtcm_size_step,
    },
    {
        .code = "vtcm-size-in-megabytes",
        .about = {"vtcm_size"},
        .severity = Severity::kError,
        .title = "The VTCM size in bytes looks like one in megabytes.",
        .why = "vtcm_size counts bytes; a handful of them cannot be meant. The C option of a similar name "
               "counts megabytes, which misleads.",
        .instead = "Write the bytes, or use vtcm_mb.",
        .source = "HTP backend page: vtcm_size is in bytes, its sample says 8323072; the C option named "
                  "VTCM_SIZE is in MB.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_size": 8}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_size": 8388608}]})"},
        .find_in_graphs = vtcm_size_in_megabytes,
    },
    {
        .code = "vtcm-mb-in-bytes",
        .about = {"vtcm_mb"},
        .severity = Severity::kError,
        .title = "The VTCM size in megabytes looks like one in bytes.",
        .why = "No part has more than a few megabytes of VTCM, so the number cannot be one of megabytes.",
        .instead = "Write the number of megabytes, or use vtcm_size.",
        .source = "HTP backend page: vtcm_mb is in MB, vtcm_size in bytes.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8388608}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 16}]})"},
        .find_in_graphs = vtcm_mb_in_bytes,
    },
    {
        .code = "vtcm-both",
        .about = {"vtcm_size"},
        .severity = Severity::kNote,
        .title = "A graph gives its VTCM in megabytes and in bytes, and they differ.",
        .why =
            "Both are legal and neither has precedence: the last request applies, which is easy to overlook.",
        .instead = "Keep one of the two.",
        .source =
            "HTP backend page: both interfaces work at the same time, like several requests through one.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 4, "vtcm_size": 8323072}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8, "vtcm_size": 8388608}]})"},
        .find_in_graphs = vtcm_both,
    },
};

}  // namespace

std::span<const RuleDef> vtcm_rules() { return kVtcmRules; }

}  // namespace openqnn::config
