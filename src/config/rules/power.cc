// SPDX-License-Identifier: BSD-3-Clause
// Power and latency of cores: profiles, polling.
#include "config/rules/common.h"

namespace openqnn::config {
namespace {

// The profiles that poll when nothing else is said; all others wait for an interrupt.
bool polls_by_default(std::string_view profile) {
  return profile == "burst" || profile == "high_performance" || profile == "sustained_high_performance";
}

void adaptive_polling_off(const Subject& subject, Report& report) {
  for (const Record& core : with(subject.cores(), "adaptive_polling_time")) {
    const auto polling = core.integer("rpc_polling_time");
    const auto profile = core.text("perf_profile");
    const bool off = polling ? *polling == 0 : profile && !polls_by_default(*profile);
    if (!off) continue;
    report.at(core, "adaptive_polling_time",
              polling
                  ? "adaptive polling refines RPC polling, and rpc_polling_time is 0"
                  : concat("adaptive polling refines RPC polling, which is off by default with ", *profile),
              "set rpc_polling_time, or remove adaptive_polling_time");
  }
}

void rpc_options_on_qnx(const Subject& subject, Report& report) {
  if (subject.circumstances.platform != Platform::kQnx) return;
  for (const Record& core : subject.cores()) {
    for (const std::string_view option :
         {"rpc_polling_time", "rpc_control_latency", "adaptive_polling_time"}) {
      if (!core.on(option)) continue;
      report.at(core, option, concat(option, " is not supported on QNX"), "remove it for QNX");
    }
  }
}

void llm_decode_arch(const Subject& subject, Report& report) {
  if (subject.part_below(79) == nullptr) return;
  for (const auto& [core, part] : cores_of_parts(subject)) {
    if (part->arch.value_or(79) >= 79) continue;
    const auto profile = core.text("perf_profile");
    if (!profile.or_else("").starts_with("llm_decode_")) continue;
    const std::string_view plain = (*profile).substr(std::string_view("llm_decode_").size());
    report.at(core, "perf_profile",
              concat(*profile, " needs v79 or later; the part is ", part_words(*part), " and rejects it"),
              concat("use ", plain == "default" ? "balanced" : plain, " on this part"));
  }
}

void adaptive_polling_short(const Subject& subject, Report& report) {
  constexpr int64_t kShort = 1000;
  for (const Record& core : with(subject.cores(), "adaptive_polling_time")) {
    const auto threshold = core.integer("adaptive_polling_time");
    if (threshold.or_else(kShort) >= kShort) continue;
    report.at(core, "adaptive_polling_time",
              concat("adaptive polling from ", *threshold,
                     " µs on also catches inferences under 1 ms, where it harms"),
              concat("write ", kShort, " or more"));
  }
}

// Tools write the default of their own accord; only another value is somebody's wish.
void hmx_timeout_arch(const Subject& subject, Report& report) {
  constexpr int64_t kDefaultTimeout = 300000;
  if (subject.part_below(75) == nullptr) return;
  for (const auto& [core, part] : cores_of_parts(subject)) {
    if (part->arch.value_or(75) >= 75) continue;
    const auto timeout = core.integer("hmx_timeout_us");
    if (timeout.or_else(kDefaultTimeout) == kDefaultTimeout) continue;
    report.at(core, "hmx_timeout_us",
              concat("the matrix unit takes power settings from v75 on, and the part is ", part_words(*part)),
              "do not count on an effect, or measure it");
  }
}

constexpr RuleDef kPowerRules[] = {
    {
        .code = "adaptive-polling-off",
        .about = {"adaptive_polling_time"},
        .title = "Adaptive polling is set, but RPC polling is off.",
        .why =
            "Adaptive polling decides when to poll; without RPC polling there is nothing to decide, and the "
            "setting has no effect.",
        .instead = "Turn RPC polling on with rpc_polling_time, or choose a profile that polls: burst, "
                   "sustained_high_performance or high_performance.",
        .source =
            "HTP backend page: adaptive polling can only be activated when RPC polling is enabled; its table "
            "says which profiles poll.",
        .bad = {.text =
                    R"({
  "devices": [{"cores": [{"perf_profile": "balanced", "adaptive_polling_time": 1000}]}]
})"},
        .good =
            {.text =
                 R"({"devices": [{"cores": [{"perf_profile": "burst", "adaptive_polling_time": 1000}]}]})"},
        .find = adaptive_polling_off,
    },
    {
        .code = "adaptive-polling-short",
        .about = {"adaptive_polling_time"},
        .severity = Severity::kNote,
        .title = "Adaptive polling starts below one millisecond.",
        .why =
            "The threshold decides which inferences are polled for adaptively. For short ones, sleeping and "
            "waking in time costs more than plain polling.",
        .instead = "Use a threshold of 1000 µs or more.",
        .source = "HTP backend page: adaptive polling is not recommended for inferences under about 1 ms.",
        .bad = {.text =
                    R"({"devices": [{"cores": [{"perf_profile": "burst", "adaptive_polling_time": 100}]}]})"},
        .good = {.text =
                     R"({"devices": [{"cores": [{"perf_profile": "burst", "adaptive_polling_time": 0}]}]})"},
        .find = adaptive_polling_short,
    },
    {
        .code = "rpc-options-on-qnx",
        .about = {"adaptive_polling_time", "rpc_control_latency", "rpc_polling_time"},
        .title = "RPC latency or polling is set for QNX.",
        .why = "QNX has another transport between CPU and DSP, which does not know these votes.",
        .instead = "Remove them from the file for QNX.",
        .source = "HTP backend page: RPC latency and polling are not supported on QNX platforms.",
        .bad = {.text = R"({"devices": [{"cores": [{"rpc_polling_time": 9999}]}]})",
                .flags = "--platform aarch64-qnx"},
        .good = {.text = R"({"devices": [{"cores": [{"rpc_polling_time": 0}]}]})",
                 .flags = "--platform aarch64-qnx"},
        .find = rpc_options_on_qnx,
    },
    {
        .code = "hmx-timeout-arch",
        .about = {"hmx_timeout_us"},
        .severity = Severity::kNote,
        .title = "A time-out of the matrix unit is set for a part before v75.",
        .why = "Clients can set the power of the matrix unit from v75 on. No document says that the time-out "
               "works on older parts.",
        .instead = "Leave hmx_timeout_us out for such parts, or measure whether it does anything.",
        .source = "HTP backend page: power settings of the HMX are supported for v75 and later. That the "
                  "time-out is one of them is our reading.",
        .bad = {.text = R"({"devices": [{"dsp_arch": "v73", "cores": [{"hmx_timeout_us": 1000}]}]})"},
        .good = {.text = R"({"devices": [{"dsp_arch": "v73", "cores": [{"hmx_timeout_us": 300000}]}]})"},
        .find = hmx_timeout_arch,
    },
    {
        .code = "llm-decode-arch",
        .about = {"perf_profile"},
        .severity = Severity::kError,
        .title = "A profile for LLM decoding is used on a part before v79.",
        .why =
            "The decode profiles vote for the matrix unit and DDR apart from each other, which older parts "
            "cannot; they reject the profile.",
        .instead = "Use the profile of the same name without llm_decode_.",
        .source = "Newer HTP page: the decode profiles are for v79, v81, v85 and v89, from SDK 2.48 on.",
        .bad = {.text =
                    R"({"devices": [{"dsp_arch": "v75", "cores": [{"perf_profile": "llm_decode_burst"}]}]})"},
        .good =
            {.text =
                 R"({"devices": [{"dsp_arch": "v79", "cores": [{"perf_profile": "llm_decode_burst"}]}]})"},
        .find = llm_decode_arch,
    },
};

}  // namespace

std::span<const RuleDef> power_rules() { return kPowerRules; }

}  // namespace openqnn::config
