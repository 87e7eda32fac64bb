// SPDX-License-Identifier: BSD-3-Clause
// The part: SoC model, architecture, cores, vector threads.
#include <unordered_map>
#include <unordered_set>

#include "config/rules/common.h"
#include "config/soc_details.h"
#include "soc/nearest.h"

namespace openqnn::config {
namespace {

void soc_arch_mismatch(const Subject& subject, Report& report) {
  const Parts parts;
  for (const Record& device : subject.devices()) {
    const auto model = soc_number(device);
    const auto written = soc::arch_number(device.text("dsp_arch").or_else(""));
    if (!model || !written) continue;
    const auto real = parts.arch(*model);
    if (!real || *real == *written) continue;
    report.at(device, "dsp_arch",
              concat("v", *written, " contradicts ", soc_key(device), " ", *model, " (", parts.names(*model),
                     "), which has v", *real, "; the SoC wins"),
              concat("write v", *real, ", or correct ", soc_key(device)));
  }
}

void soc_two_numbers(const Subject& subject, Report& report) {
  for (const Record& device : subject.devices()) {
    const auto model = device.integer("soc_model");
    const auto id = device.integer("soc_id");
    if (model.or_else(0) == 0 || id.or_else(0) == 0 || *model == *id) continue;
    report.at(device, "soc_id", concat("soc_id ", *id, " and soc_model ", *model, " name different parts"),
              "keep soc_model alone");
  }
}

void soc_id_deprecated(const Subject& subject, Report& report) {
  for (const Record& device : subject.devices()) {
    const auto id = device.integer("soc_id");
    if (id.or_else(0) == 0) continue;
    const auto model = device.integer("soc_model");
    const bool is_set = model.or_else(0) != 0;
    if (is_set && *model != *id) continue;  // soc-two-numbers says more
    Finding& finding =
        report.at(device, "soc_id", "soc_id is on its way out; soc_model takes the same number");
    if (is_set) {
      finding.advice = "remove soc_id";
      finding.fix = remove_key(device, "soc_id");
    } else if (model) {
      finding.advice = "remove soc_model, which is 0 and says nothing, and rename soc_id to soc_model";
    } else {
      finding.advice = "rename it to soc_model";
      finding.fix = rename_key(device, "soc_id", "soc_model");
    }
  }
}

void unknown_soc_model(const Subject& subject, Report& report) {
  const Parts parts;
  for (const Record& device : subject.devices()) {
    const auto model = soc_number(device);
    if (!model || *model < 0 || parts.has(*model) || parts.of_kernel_id(*model) != nullptr) continue;
    Finding& finding =
        report.at(device, soc_key(device), concat("no part is known that has SoC model ", *model),
                  "`openqnn soc` lists the numbers; a part newer than our table may be right all the same");
    for (const uint32_t near :
         soc::nearest_models(parts.all(), static_cast<uint32_t>(std::min<int64_t>(*model, UINT32_MAX)), 2))
      finding.notes.push_back(concat(near, " is ", parts.names(near)));
  }
}

void kernel_soc_id(const Subject& subject, Report& report) {
  const Parts parts;
  for (const Record& device : subject.devices()) {
    const auto number = soc_number(device);
    if (!number || parts.has(*number)) continue;
    const soc::SocInfo* soc = parts.of_kernel_id(*number);
    if (soc == nullptr || !soc->soc_model) continue;
    report.at(device, soc_key(device),
              concat(*number, " is the Linux kernel's id of ", soc->chipset, "; QNN numbers the part ",
                     *soc->soc_model),
              concat("write ", *soc->soc_model));
  }
}

// Nothing says that the number and the architecture belong together, or that they do not.
void soc_arch_unstated(const Subject& subject, Report& report) {
  const Parts parts;
  for (const Record& device : subject.devices()) {
    const auto model = soc_number(device);
    const auto written = soc::arch_number(device.text("dsp_arch").or_else(""));
    if (!model || !written || !parts.has(*model) || parts.any_arch(*model)) continue;
    if (lacks_htp(*parts.of_model(*model).front())) continue;  // part-without-htp
    report.at(device, "dsp_arch",
              concat("no source states the architecture of ", soc_key(device), " ", *model, " (",
                     parts.names(*model), "); it is checked as v", *written, ", as written"),
              concat("make sure that ", soc_key(device), " is the number of your part"));
  }
}

// A written architecture needs no table of parts to be too old.
void too_old_for_htp(const Subject& subject, const Part& part, Report& report) {
  const std::string message = concat("the part is ", part_words(part),
                                     ", which has no HTP; the HTP backend starts with v", soc::kFirstHtpArch);
  const std::string advice = "use the DSP backend and its extensions, or name the right part";
  if (!part.device) {
    report.at(Kind::kHtp, message, advice);
    return;
  }
  const Record& device = subject.devices()[*part.device];
  Finding& finding = report.at(device, part.soc ? soc_key(device) : "dsp_arch", message, advice);
  if (!part.soc) finding.severity = Severity::kError;
}

// A number in a file may be a slip; a part that the user names beside it is meant.
void other_backends_part(const Record& device, const Part& part, Report& report) {
  const std::string written = part.arch ? concat("; v", *part.arch, " cannot be right for it") : "";
  const int64_t model = soc_number(device).or_else(0);
  report.at(device, soc_key(device),
            concat("SoC model ", model, " is ", Parts().names(model), ", which has no HTP", written),
            "correct the number; `openqnn soc` lists them");
}

void part_without_htp(const Subject& subject, Report& report) {
  if (subject.of(Kind::kHtp) == nullptr || dsp_library(subject)) return;
  for (const Part& part : subject.parts) {
    if (part.soc && !part.soc->arch && lacks_htp(*part.soc)) {
      if (part.device) other_backends_part(subject.devices()[*part.device], part, report);
    } else if (part.arch && *part.arch < soc::kFirstHtpArch) {
      too_old_for_htp(subject, part, report);
    }
  }
}

// The file was made for one part, the user has another.
void other_part(const Subject& subject, Report& report) {
  if (!subject.circumstances.soc) return;
  const soc::SocInfo& target = *subject.circumstances.soc;
  const Parts parts;
  for (const Record& device : subject.devices()) {
    const auto model = soc_number(device);
    const auto arch = soc::arch_number(device.text("dsp_arch").or_else(""));
    if (model && target.soc_model && parts.has(*model) && *model != *target.soc_model) {
      report.at(device, soc_key(device),
                concat("the file is for SoC model ", *model, " (", parts.names(*model), "), not for ",
                       target.chipset, ", which has ", *target.soc_model),
                concat("write ", *target.soc_model, ", or keep one file for each part"));
    } else if (!model && arch && target.arch && *arch != *target.arch) {
      report.at(device, "dsp_arch",
                concat("the file is for v", *arch, ", but ", target.chipset, " has v", *target.arch),
                concat("write v", *target.arch, ", better still soc_model"));
    }
  }
}

void float_without_half(const Subject& subject, Report& report) {
  const auto without =
      std::ranges::find_if(subject.parts, [](const Part& part) { return !half_on_htp(part).value_or(true); });
  if (without == subject.parts.end()) return;
  const std::string part = part_words(*without);
  for (const Record& graph : with(subject.graphs(), "fp16_relaxed_precision")) {
    report.at(graph, "fp16_relaxed_precision",
              concat("this asks for floats, but the HTP of ", part, " computes no floats"),
              "quantize the model, or choose another part");
  }
}

void hvx_threads_above_part(const Subject& subject, std::span<const Record> graphs, Report& report) {
  const auto lowest = lowest_limit(subject, &soc::SocInfo::hvx_threads);
  if (!lowest) return;
  const uint32_t limit = lowest->limit;
  const std::string part = part_words(*lowest->part);
  for (const Record& graph : graphs) {
    const auto threads = graph.integer("hvx_threads");
    if (threads.or_else(0) <= limit) continue;
    report.at(graph, "hvx_threads", concat(*threads, " vector threads are asked for; ", part, " has ", limit),
              concat("write ", limit, " or less"));
  }
}

void num_cores_above_part(const Subject& subject, std::span<const Record> graphs, Report& report) {
  const auto lowest = lowest_limit(subject, &soc::SocInfo::npu_count);
  if (!lowest) return;
  const uint32_t limit = lowest->limit;
  const std::string part = part_words(*lowest->part);
  for (const Record& graph : graphs) {
    const auto cores = graph.integer("num_cores");
    if (cores.or_else(0) <= limit) continue;
    report.at(graph, "num_cores", concat(*cores, " cores are asked for; ", part, " has ", limit),
              concat("write ", limit, " or less"));
  }
}

void core_above_part(const Subject& subject, Report& report) {
  for (const auto& [core, part] : cores_of_parts(subject)) {
    const auto id = core.integer("core_id");
    if (id.or_else(0) <= 0) continue;
    const auto count = limit_of(*part, &soc::SocInfo::npu_count);
    if (!count || *id < *count) continue;
    report.at(core, "core_id",
              concat("there is no core ", *id, ": ", part_words(*part), " has ", *count, ", counted from 0"),
              concat("choose a core from 0 to ", *count - 1));
  }
}

// Two entries for one core: which one counts is not documented.
void core_twice(const Subject& subject, Report& report) {
  for (const Record& device : subject.devices()) {
    std::unordered_set<int64_t> seen;
    for (const Record& core : device.records("cores")) {
      const int64_t id = core.integer("core_id").or_else(0);
      if (seen.insert(id).second) continue;
      report.at(core, "core_id", concat("core ", id, " has two entries; no document says which one counts"),
                "merge them, or give each its core_id");
    }
  }
}

// Two entries for one device: programs differ in which one they take.
void device_twice(const Subject& subject, Report& report) {
  std::unordered_map<int64_t, const Record*> first;
  for (const Record& device : subject.devices()) {
    const int64_t id = device.integer("device_id").or_else(0);
    const auto [found, added] = first.emplace(id, &device);
    if (added || found->second->object().same_as(device.object())) continue;
    report.at(device, "device_id",
              concat("device ", id, " is also in ", found->second->path().to_string(),
                     ", with other options; no document says which one counts"),
              "merge them, or give each its device_id");
  }
}

constexpr RuleDef kPartRules[] = {
    {
        .code = "soc-arch-mismatch",
        .about = {"dsp_arch"},
        .title = "The SoC and the architecture of a device contradict each other.",
        .why = "The backend takes the SoC and drops dsp_arch without a word, so a wrong number prepares for "
               "another part than the one you had in mind.",
        .instead = "Give soc_model alone, or both as they belong together; `openqnn soc` lists the pairs.",
        .source =
            "HTP backend page: when both are given, the SoC counts and the architecture is ignored. Public "
            "files pair 57 with v73.",
        .bad = {.text = R"({"devices": [{"soc_model": 57, "dsp_arch": "v73"}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 57, "dsp_arch": "v75"}]})"},
        .find = soc_arch_mismatch,
    },
    {
        .code = "soc-arch-unstated",
        .about = {"dsp_arch"},
        .severity = Severity::kNote,
        .title = "The SoC of a device has no known architecture that dsp_arch could be checked against.",
        .why = "The backend takes the SoC and drops dsp_arch without a word; whether the two belong together "
               "cannot be told here, and a wrong number stays unnoticed.",
        .instead = "Look the number up with `openqnn soc`; if it is right, nothing is to be done.",
        .source = "The table of parts: several numbers are public without an architecture.",
        .bad = {.text = R"({"devices": [{"soc_model": 64, "dsp_arch": "v73"}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 67, "dsp_arch": "v75"}]})"},
        .find = soc_arch_unstated,
    },
    {
        .code = "soc-two-numbers",
        .about = {"soc_id"},
        .title = "A device has soc_id and soc_model, and they differ.",
        .why = "Both keys select the SoC; no document says which one counts when they differ.",
        .instead = "Keep soc_model and remove soc_id.",
        .source = "HTP backend page: soc_id gives way to soc_model, and both select the SoC.",
        .bad = {.text = R"({"devices": [{"soc_id": 43, "soc_model": 57}]})"},
        .good = {.text = R"({"devices": [{"soc_id": 0, "soc_model": 57}]})"},
        .find = soc_two_numbers,
    },
    {
        .code = "soc-id-deprecated",
        .about = {"soc_id"},
        .severity = Severity::kNote,
        .title = "The SoC is given by soc_id, which will go away.",
        .why = "The documents announce the end of soc_id; a file that keeps it will lose its SoC one day, "
               "and with it the right VTCM size.",
        .instead = "Write soc_model; the number is the same.",
        .source = "HTP backend page: soc_id will be deprecated, use soc_model.",
        .bad = {.text = R"({"devices": [{"soc_id": 43, "dsp_arch": "v73"}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 43, "dsp_arch": "v73"}]})"},
        .find = soc_id_deprecated,
    },
    {
        .code = "unknown-soc-model",
        .about = {"soc_model", "soc_id"},
        .title = "No known part has this SoC model.",
        .why = "A mistyped number selects another part or none; then VTCM and architecture are those of a "
               "default.",
        .instead = "Look the number up with `openqnn soc`.",
        .source = "Users' reports: which number a part has is one of the most frequent questions.",
        .bad = {.text = R"({"devices": [{"soc_model": 434343}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 43}]})"},
        .find = unknown_soc_model,
    },
    {
        .code = "kernel-soc-id",
        .about = {"soc_model", "soc_id"},
        .severity = Severity::kError,
        .title = "The Linux kernel's number of the part is used as SoC model.",
        .why = "The number in /sys/devices/soc0/soc_id is not the one that QNN uses; the backend finds no "
               "such SoC.",
        .instead = "Write QNN's number of the part; `openqnn soc` knows both.",
        .source = "Public files: 660, the kernel's number of SM8850, stands where 87 belongs.",
        .bad = {.text = R"({"devices": [{"soc_model": 660}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 87}]})"},
        .find = kernel_soc_id,
    },
    {
        .code = "part-without-htp",
        .title = "The part is too old for the HTP backend, or is for another one.",
        .why = "Parts before v68 have a DSP without a matrix unit, which another QNN backend serves; the HTP "
               "backend fails to start there. An accelerator such as AIC100 has a backend of its own, and "
               "some small parts have no NPU.",
        .instead = "Use the backend of this part, or correct the number of the part.",
        .source = "HTP backend page and the public tables of parts: the HTP starts with v68. Public files "
                  "pair 63, which is AIC100, with v79.",
        .bad = {.text = R"({"devices": [{"soc_model": 21}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 30}]})"},
        .find = part_without_htp,
    },
    {
        .code = "other-part",
        .about = {"soc_model", "soc_id", "dsp_arch"},
        .title = "The file is for another part than the one you named.",
        .why =
            "A binary for another part may fail to load, or run with the VTCM and threads of a smaller one.",
        .instead = "Keep one file per part, or change the device to the part you have.",
        .source =
            "Users' reports: SoC or architecture wrong, or silently overwritten, is a frequent complaint.",
        .bad = {.text = R"({"devices": [{"soc_model": 43}]})", .flags = "--soc SM8650"},
        .good = {.text = R"({"devices": [{"soc_model": 69}]})", .flags = "--soc SM8750-AC"},
        .find = other_part,
    },
    {
        .code = "float-without-half",
        .about = {"fp16_relaxed_precision"},
        .title = "Float computation is asked for on a part whose HTP has none.",
        .why = "On parts without half floats a float graph does not prepare, however the options are set.",
        .instead = "Quantize the model, or choose a part with float support.",
        .source =
            "HTP backend page: float graphs run in half precision, on select SoCs. The table of parts says "
            "which.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 1}]})",
                .flags = "--soc SM8735 --sdk 2.31"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "fp16_relaxed_precision": 0}]})",
                 .flags = "--soc SM8735 --sdk 2.31"},
        .find = float_without_half,
    },
    {
        .code = "hvx-threads-above-part",
        .about = {"hvx_threads"},
        .severity = Severity::kError,
        .title = "More vector threads are asked for than the part has.",
        .why = "The number is written into the binary, and the part cannot give what it does not have.",
        .instead = "Use at most the number of vector units of the part.",
        .source = "HTP backend page: the maximum is the number of HVX blocks of the SoC.",
        .bad =
            {.text =
                 R"({"graphs": [{"graph_names": ["g"], "hvx_threads": 8}], "devices": [{"soc_model": 57}]})"},
        .good =
            {.text =
                 R"({"graphs": [{"graph_names": ["g"], "hvx_threads": 8}], "devices": [{"soc_model": 87}]})"},
        .find_in_graphs = hvx_threads_above_part,
    },
    {
        .code = "num-cores-above-part",
        .about = {"num_cores"},
        .severity = Severity::kError,
        .title = "A graph is to run on more cores than the part has.",
        .why = "The binary is laid out for that many cores and does not load on fewer.",
        .instead = "Use at most the number of NPUs of the part; most parts have one.",
        .source =
            "HTP backend page: num_cores is the number of cores that the graph will use. The table of parts "
            "says how many there are.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "num_cores": 4}]})", .flags = "--soc QCS9075"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "num_cores": 2}]})", .flags = "--soc QCS9075"},
        .find_in_graphs = num_cores_above_part,
    },
    {
        .code = "core-above-part",
        .about = {"core_id"},
        .severity = Severity::kError,
        .title = "A core is configured that the part does not have.",
        .why = "Cores are counted from 0, and a number beyond the last one selects nothing.",
        .instead = "Choose a core that exists.",
        .source =
            "HTP backend page: core_id selects among the cores of a device. Users' reports ask how, on parts "
            "with several NPUs.",
        .bad = {.text = R"({"devices": [{"cores": [{"core_id": 2}]}]})", .flags = "--soc QCS9075"},
        .good = {.text = R"({"devices": [{"cores": [{"core_id": 1}]}]})", .flags = "--soc QCS9075"},
        .find = core_above_part,
    },
    {
        .code = "device-twice",
        .about = {"devices"},
        .title = "Two entries with different options are for the same device.",
        .why = "Only one of them can count, and no document says which: one program prepares for the part "
               "of the first entry, another for that of the last.",
        .instead = "Merge the entries, or give each its own device_id; an entry without one means device 0.",
        .source = "HTP backend page: device_id is 0 unless it is given.",
        .bad = {.text = R"({"devices": [{"soc_model": 57}, {"soc_model": 43}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 57}, {"device_id": 1, "soc_model": 43}]})"},
        .find = device_twice,
    },
    {
        .code = "core-twice",
        .about = {"cores"},
        .title = "Two entries configure the same core.",
        .why = "Only one of them can count, and no document says which.",
        .instead = "Merge the entries, or give each its own core_id; an entry without one means core 0.",
        .source = "HTP backend page: core_id is 0 unless it is given.",
        .bad = {.text =
                    R"({"devices": [{"cores": [{"perf_profile": "burst"}, {"perf_profile": "balanced"}]}]})"},
        .good =
            {.text =
                 R"({"devices": [{"cores": [{"core_id": 0, "perf_profile": "burst"}, {"core_id": 1}]}]})"},
        .find = core_twice,
    },
};

}  // namespace

std::span<const RuleDef> part_rules() { return kPartRules; }

}  // namespace openqnn::config
