// SPDX-License-Identifier: BSD-3-Clause
// HTP backend file: the entries of "devices" and their "cores".
#include "config/tables/perf_profiles.h"
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr Choice kArchitectures[] = {
    {"v68", "the first with an HTP"},
    {"v69", ""},
    {"v73", "weight sharing from here on"},
    {"v75", "votes for the matrix unit from here on"},
    {"v79", "LLM decode profiles from here on"},
    {"v81", "extended UDMA and vtcm_size from here on"},
    {"v85", "", kAfterDocumented},
    {"v89", "", kAfterDocumented},
    {"v66", "a DSP without an HTP: only with the DSP backend"},
    {"v65", "a DSP without an HTP: only with the DSP backend"},
    {"NONE", "not set; soc_model decides"},
};

constexpr Choice kCoreTypes[] = {
    {"0", "NSP, the main NPU"},
    {"1", "HPASS, beside the audio DSP: may have fewer HVX and HMX threads, less VTCM and no half floats"},
};

constexpr Choice kProcessDomains[] = {
    {"unsigned", "any application may open it"},
    {"signed", "needs signed libraries and the right to use them"},
};

constexpr Choice kProfilingLevels[] = {
    {"linting", "cycles, waits and overlaps of each op, with --profiling_level backend"},
};

constexpr OptionDef kDeviceOptions[] = {
    {.name = "device_id",
     .python = "id",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "0",
     .tools = kNetRunOnly,
     .summary = "Which device of the platform the entry is for.",
     .help = "0 on every part with one NPU device. The --device_options flag of qnn-net-run wins over it."},
    {.name = "core_id",
     .python = "core_ids",
     .type = Type::kIntegers,
     .min = 0,
     .default_json = "[0]",
     .python_default_json = "null",
     .python_optional = true,
     .tools = kNetRunOnly,
     .summary = "Which cores of the device may be used.",
     .help = "A list, for parts with several cores. The core_id inside an entry of cores is something else: "
             "a single number that says which core the entry's performance settings are for.",
     .readings = {{{kHtpPage, "a list on the device, default 0"},
                   {kPythonReference, "core_ids on the device (None) and id in a core (0)"},
                   {"HTP backend extensions guide", "core_id as a number inside a core"}}},
     .applies = "both places are read: the list selects cores, the number names one"},
    {.name = "core_type",
     .type = Type::kInteger,
     .choices = kCoreTypes,
     .default_json = "0",
     .tools = kNetRunOnly,
     .summary = "Which kind of NPU core is used.",
     .help = "Leave it at 0 unless the part has an HPASS core and the model is small enough for it."},
    {.name = "soc_id",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "0",
     .tools = kPreparingTools,
     .deprecated_for = "soc_model",
     .lowers_to = "QNN_HTP_DEVICE_CONFIG_OPTION_SOC",
     .summary = "Older name of soc_model.",
     .help =
         "Takes the same numbers. Not the soc_id that the Linux kernel shows: that is another numbering."},
    {.name = "soc_model",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "0",
     .tools = kPreparingTools,
     .lowers_to = "QNN_HTP_DEVICE_CONFIG_OPTION_SOC",
     .summary = "The part, by QNN's number for it.",
     .help = "Always set it when preparing offline: it decides VTCM, threads and what O 3 may use; with 0 "
             "the target is SM8350. It wins over dsp_arch, and the two must agree. `openqnn soc` lists the "
             "numbers, for instance 43 SM8550, 57 SM8650, 69 SM8750. The kernel's soc_id (such as 557) is "
             "another numbering."},
    {.name = "dsp_arch",
     .type = Type::kString,
     .choices = kArchitectures,
     .default_words = "not set; soc_model decides",
     .python_default_json = "null",
     .python_optional = true,
     .tools = kPreparingTools,
     .lowers_to = "QNN_HTP_DEVICE_CONFIG_OPTION_ARCH",
     .summary = "The Hexagon architecture of the part.",
     .help = "Enough to produce a binary that runs, not the best one: VTCM and threads of the part stay "
             "unknown. When soc_model is set too, soc_model wins and this is ignored, so a contradiction is "
             "an error in the file."},
    {.name = "pd_session",
     .type = Type::kString,
     .choices = kProcessDomains,
     .default_json = "\"unsigned\"",
     .tools = kPreparingTools,
     .lowers_to = "QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD",
     .summary = "The kind of DSP process domain the backend opens.",
     .help = "Applications use unsigned. Signed is for system software, and needed to pass VTCM pointers to "
             "a graph."},
    {.name = "profiling_level",
     .type = Type::kString,
     .choices = kProfilingLevels,
     .default_words = "not set",
     .python_default_json = "\"linting\"",
     .python_optional = true,
     .tools = kPreparingTools,
     .summary = "Asks the backend for the linting profile.",
     .help =
         "The vendor's qnn-net-run and qnn-context-binary-generator use it with --profiling_level backend; "
         "without that flag it does nothing. Not on several cores at once. So do openqnn's; "
         "qnn-profile-viewer with libQnnHtpProfilingReader.so shows the result.",
     .readings = {{{kHtpPage, "not set by default"}, {kPythonReference, "default linting"}}},
     .applies = "files: not set; Python objects show linting and write it only when it was set"},
    {.name = "use_client_context",
     .type = Type::kBool,
     .default_words = "not stated",
     .in_python = false,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .until_arch = 68,
     .summary = "Votes power under an id of the client's own instead of the null context.",
     .help = "Only for DSPs before v68, which have no HTP; remove it."},
    {.name = "cores",
     .type = Type::kSections,
     .section = &kCoreSection,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "Performance settings, one entry per core."},
};

constexpr OptionDef kCoreOptions[] = {
    {.name = "core_id",
     .python = "id",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "The core that the entry is for.",
     .help = "A number; the list of the same name on the device selects cores.",
     .readings = {{{kHtpPage, "no core_id in a core"},
                   {kPythonReference, "id, default 0"},
                   {kPublicFiles, "core_id inside a core in almost half of them"}}},
     .applies = "read in both places: here a number, on the device a list"},
    {.name = "perf_profile",
     .type = Type::kString,
     .choices = kPerfProfiles,
     .default_json = "\"high_performance\"",
     .python_default_json = "\"burst\"",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3",
     .summary = "A named set of votes for clocks, voltage corners and sleep.",
     .help = "burst for benchmarks and short work: it holds the highest votes until a timer ends, so a "
             "device left in it stays warm. high_performance relaxes between inferences. The savers trade "
             "latency for energy. The votes are made before loading, executing and freeing. --perf_profile "
             "on the command line wins. `openqnn profiles burst` shows the votes of a profile.",
     .readings = {{{kHtpPage, "default high_performance"}, {kPythonReference, "default burst"}}},
     .applies = "files: high_performance; Python objects: burst"},
    {.name = "rpc_control_latency",
     .type = Type::kInteger,
     .min = 0,
     .unit = "µs",
     .default_json = "100",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY",
     .summary = "How long the CPU may take to wake up for an answer of the DSP.",
     .help = "Keeps the CPU out of deep sleep while the DSP works. Up to 200 for latency-critical work, more "
             "where latency matters less; 0 is no vote. Not on QNX.",
     .readings = {{{kHtpPage, "default 100 in files"},
                   {kPythonReference, "default 100"},
                   {kCApi, "0, no vote, unless a client makes one"}}},
     .applies = "files and Python: 100; a client of the C API that votes nothing: 0"},
    {.name = "rpc_polling_time",
     .type = Type::kInteger,
     .min = 0,
     .max = 9999,
     .unit = "µs",
     .default_words = "9999 for burst, high_performance and sustained_high_performance, else 0",
     .python_default_json = "9999",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME",
     .summary = "How long the CPU polls for the DSP's answer instead of sleeping.",
     .help = "Polling removes the wake-up from every inference and costs CPU power. Long inferences outlast "
             "it: then use adaptive_polling_time as well. Not on QNX.",
     .readings = {{{kHtpPage, "9999 for the three fastest profiles, else 0; 0 to 9999"},
                   {kPythonReference, "default 9999"},
                   {kCApi, "0 to 10000 is recommended"}}},
     .applies = "files: by profile, at most 9999; Python objects: 9999"},
    {.name = "hmx_timeout_us",
     .type = Type::kInteger,
     .min = 0,
     .unit = "µs",
     .default_json = "300000",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US",
     .summary = "How long the matrix unit (HMX) stays powered after its last use.",
     .help = "Shorter saves power between inferences; longer spares the next one the power-up. The documents "
             "only name it; this is our reading."},
    {.name = "adaptive_polling_time",
     .type = Type::kInteger,
     .min = 0,
     .unit = "µs",
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME",
     .summary = "Inferences longer than this are polled for only near their expected end.",
     .help =
         "Saves the CPU power of polling through a long inference. Works only while RPC polling is on; not "
         "worth it for inferences under a millisecond. 0 is off."},
    {.name = "custom",
     .type = Type::kAnyObject,
     .one_or_many = true,
     .default_words = "not set",
     .in_python = false,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .since = kAfterDocumented,
     .unconfirmed = true,
     .summary = "Corner settings of the profile named custom.",
     .help = "Seen in one public file, as a list of objects; no document describes it."},
    {.name = "ddr_perf_mode",
     .type = Type::kInteger,
     .min = 0,
     .also_bool = true,
     .default_words = "not set",
     .in_python = false,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .since = kAfterDocumented,
     .unconfirmed = true,
     .lowers_to = "QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE",
     .summary = "Asks for the performance mode of DDR.",
     .help = "Seen in one public file; the C option of this name needs all bus corners at their maximum. The "
             "type is our guess."},
};

}  // namespace

constinit const SectionDef kDeviceSection = {
    .name = "devices",
    .python_class = "HtpDeviceConfig",
    .summary = "The part, its process domain and its cores.",
    .options = kDeviceOptions,
};

constinit const SectionDef kCoreSection = {
    .name = "cores",
    .python_class = "HtpDeviceCoreConfig",
    .summary = "Power and latency of one core while it executes.",
    .options = kCoreOptions,
};

}  // namespace openqnn::config
