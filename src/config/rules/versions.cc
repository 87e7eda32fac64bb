// SPDX-License-Identifier: BSD-3-Clause
// What depends on the version of the SDK or of the architecture: deprecated, reserved and newer options.
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

void extended_udma_arch(const Subject& subject, Report& report) {
  needs_arch(subject, report, subject.contexts(), "extended_udma", 81, "extended UDMA");
}

// 0 is the default and changes nothing, in any version.
void fp16_deprecated(const Subject& subject, Report& report) {
  if (subject.sdk_before({2, 35})) return;
  for (const Record& graph : with(subject.graphs(), "fp16_relaxed_precision")) {
    Finding& finding =
        report.at(graph, "fp16_relaxed_precision",
                  "fp16_relaxed_precision has no effect since SDK 2.35: the part decides about floats",
                  "remove it, unless an older SDK reads the file too");
    if (subject.sdk_from({2, 35})) finding.fix = remove_key(graph, "fp16_relaxed_precision");
  }
}

void o1_reserved(const Subject& subject, std::span<const Record> graphs, Report& report) {
  if (!subject.sdk_from(kAfterDocumented)) return;
  for (const Record& graph : graphs) {
    const auto level = graph.number("O");
    if (!level || *level != 1) continue;
    report.at(graph, "O",
              concat("O 1 is reserved in SDKs after ", kDocumentedSdk.to_string(), "; 2 and 3 are valid"),
              "write 2");
  }
}

// Every part with an HTP is v68 or later, so that no part need be named.
void client_context_arch(const Subject& subject, Report& report) {
  if (dsp_library(subject)) return;
  for (size_t i = 0; i < subject.devices().size(); ++i) {
    const Record& device = subject.devices()[i];
    const Part& part = subject.part_of_device(i);
    if (!device.has("use_client_context") || part.arch.value_or(soc::kFirstHtpArch) < soc::kFirstHtpArch)
      continue;
    report.at(device, "use_client_context",
              concat("use_client_context is not supported from v68 on; ",
                     part.arch ? concat("the part is ", part_words(part)) : "every part with an HTP is"),
              "remove it");
  }
}

constexpr RuleDef kVersionRules[] = {
    {
        .code = "extended-udma-arch",
        .about = {"extended_udma"},
        .severity = Severity::kError,
        .title = "Extended UDMA is asked for on a part before v81.",
        .why = "Older parts have no extended addressing in their DMA engine.",
        .instead = "Remove extended_udma for such parts.",
        .source = "Python reference: only supported on HTP v81 and above. The guide's own listing sets it "
                  "for SM8750.",
        .bad = {.text = R"({"context": {"extended_udma": true}, "devices": [{"soc_model": 69}]})"},
        .good = {.text = R"({"context": {"extended_udma": true}, "devices": [{"soc_model": 87}]})"},
        .find = extended_udma_arch,
    },
    {
        .code = "fp16-deprecated",
        .about = {"fp16_relaxed_precision"},
        .severity = Severity::kNote,
        .title = "Relaxed float precision is set, which newer SDKs ignore.",
        .why = "From SDK 2.35 on float graphs run in half precision wherever the part can; the key does "
               "nothing.",
        .instead = "Remove it, unless an SDK before 2.35 reads the file as well.",
        .source = "HTP backend page: fp16_relaxed_precision is deprecated from 2.35 on.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 1}]})",
                .flags = "--sdk 2.36"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 1}]})",
                 .flags = "--sdk 2.31"},
        .find = fp16_deprecated,
    },
    {
        .code = "o1-reserved",
        .about = {"O"},
        .title = "Optimization level 1 is used with an SDK that reserves it.",
        .why = "Newer SDKs know levels 2 and 3; 1 is for internal use and may change or be refused.",
        .instead = "Use 2 for fast preparation.",
        .source = "Newer HTP page: O is 2 or 3, 1 is internal. The documents up to 2.39 say 1 to 3.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 1}]})", .flags = "--sdk 2.45"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 1}]})", .flags = "--sdk 2.39"},
        .find_in_graphs = o1_reserved,
    },
    {
        .code = "client-context-arch",
        .about = {"use_client_context"},
        .title = "use_client_context is set for a part with an HTP.",
        .why = "The option chose how older DSPs vote for power; from v68 on, which is every part with an "
               "HTP, it is not supported.",
        .instead = "Remove it.",
        .source = "HTP backend page: use_client_context is not supported from v68 on.",
        .bad = {.text = R"({"devices": [{"dsp_arch": "v73", "use_client_context": true}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 21, "use_client_context": true}]})"},
        .find = client_context_arch,
    },
};

}  // namespace

std::span<const RuleDef> version_rules() { return kVersionRules; }

}  // namespace openqnn::config
