// SPDX-License-Identifier: BSD-3-Clause
// The LPAI backend file.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr Choice kEnvironments[] = {
    {"adsp", "the audio DSP beside the eNPU"},
    {"arm", "the CPU, over FastRPC"},
    {"x86", "the simulator on the host"},
    {"tensilica", "named in newer headers only", kAfterDocumented},
};

constexpr Choice kHardwareVersions[] = {
    {"v5", "SM8750 among others"},
    {"v5_1", "no public source names a part"},
    {kDefaultLpai, "SM8850, SAR2230P"},
    {"v7", "named in newer headers only", kAfterDocumented},
};

constexpr Choice kClientTypes[] = {
    {"real_time", "finalizing fails when the rate cannot be met"},
    {"non_real_time", "as fast as it goes; finalizing does not fail for it"},
};

constexpr Choice kAffinities[] = {
    {"soft", "prefers the selected core, takes another when it is busy"},
    {"hard", "only the selected core"},
};

constexpr Choice kProfileLevels[] = {
    {"basic", ""},
    {"detailed", ""},
};

constexpr OptionDef kLpaiBackendOptions[] = {
    {.name = "target_env",
     .type = Type::kString,
     .choices = kEnvironments,
     .default_json = "\"adsp\"",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "Where the binary will run.",
     .help = "A binary for the simulator (x86) does not run on a device, and the reverse."},
    {.name = "enable_hw_ver",
     .type = Type::kString,
     .choices = kHardwareVersions,
     .default_json = kDefaultLpaiJson,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "The version of the LPAI hardware (eNPU).",
     .help = "Must be that of the part; `openqnn soc` shows it where a public source states it."},
};

constexpr OptionDef kPrepareOptions[] = {
    {.name = "enable_batchnorm_fold",
     .type = Type::kBool,
     .default_words = "not stated",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .since = kAfterDocumented,
     .summary = "Folds batch normalisation into the op before it.",
     .help = "Named in a newer LPAI tutorial, without a default."},
    {.name = "exclude_io",
     .type = Type::kBool,
     .default_words = "not stated",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .since = kAfterDocumented,
     .summary = "Leaves inputs and outputs out of the planned memory.",
     .help =
         "Named in a newer LPAI tutorial, without a description; the meaning is our reading of the name."},
};

constexpr OptionDef kExecuteOptions[] = {
    {.name = "fps",
     .type = Type::kInteger,
     .min = 1,
     .unit = "frames per second",
     .default_json = "1",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "How many inferences per second must be finished.",
     .help = "Sets the time budget of a frame (1000 ms / fps), pre- and post-processing included, and with "
             "it the clock. Higher costs power."},
    {.name = "ftrt_ratio",
     .type = Type::kInteger,
     .min = 1,
     .unit = "tenths",
     .default_json = "10",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "By how much the clock is raised over what fps needs: 10 is 1.0, 50 is 5.0.",
     .help = "When pre- and post-processing take most of a frame, inference must fit into the rest: with 20 "
             "ms of 100 left, set 50.",
     .readings = {{{"LPAI configuration page",
                    "called frame-to-real-time ratio in one place and factor to real time in another"}}},
     .applies = "a factor in tenths on the base clock"},
    {.name = "client_type",
     .type = Type::kString,
     .choices = kClientTypes,
     .default_json = "\"real_time\"",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "Whether fps is a promise or a wish."},
    {.name = "affinity",
     .type = Type::kString,
     .choices = kAffinities,
     .default_json = "\"soft\"",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "How strictly core_selection is followed."},
    {.name = "core_selection",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "A mask of the cores that may be used: 1 is core 0, 2 is core 1, 0 is any.",
     .help = "Only one bit may be set; 3 is not supported yet. Core 0 is usually the small one (audio, low "
             "power), core 1 the big one (camera, large networks). On parts with one core use 0 or 1.",
     .readings = {{{"LPAI configuration page",
                    "the number of a core in the schema, a bit mask in the text"}}},
     .applies = "the mask: 1 selects core 0, so 1 is noted as a possible mix-up"},
};

constexpr OptionDef kLpaiProfileOptions[] = {
    {.name = "level",
     .type = Type::kString,
     .choices = kProfileLevels,
     .default_json = "\"basic\"",
     .tools = kPreparingTools,
     .summary = "How much is profiled."},
};

constexpr OptionDef kDebugOptions[] = {
    {.name = "force_nhwc",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kPreparingTools,
     .summary = "Keeps tensors in NHWC layout where possible.",
     .help = "Avoids transposes around convolutions at the borders of the graph, which can dominate the time "
             "and hide the op itself in profiles. Convert the model with NHWC inputs and outputs, too. A "
             "single op at the border may still be transposed: the hardware has a layout of its own."},
};

constinit const SectionDef kBackend = {
    .name = "lpai_backend",
    .summary = "The hardware and the environment a binary is made for.",
    .options = kLpaiBackendOptions,
};
constinit const SectionDef kPrepare = {
    .name = "prepare",
    .summary = "How the graph is prepared.",
    .options = kPrepareOptions,
};
constinit const SectionDef kExecute = {
    .name = "execute",
    .summary = "Rate, clock and cores while the graph is executed.",
    .options = kExecuteOptions,
};
constinit const SectionDef kProfile = {
    .name = "lpai_profile",
    .summary = "Profiling.",
    .options = kLpaiProfileOptions,
};
constinit const SectionDef kDebug = {
    .name = "lpai_debug",
    .summary = "Switches for debugging and measuring.",
    .options = kDebugOptions,
};

constexpr OptionDef kLpaiGraphOptions[] = {
    {.name = "prepare",
     .type = Type::kSection,
     .section = &kPrepare,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .since = kAfterDocumented,
     .summary = "Options of preparing."},
    {.name = "execute",
     .type = Type::kSection,
     .section = &kExecute,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "Options of executing."},
};

constinit const SectionDef kGraph = {
    .name = "lpai_graph",
    .summary = "How graphs are prepared and executed.",
    .options = kLpaiGraphOptions,
};

constexpr OptionDef kLpaiFileOptions[] = {
    {.name = "lpai_backend",
     .type = Type::kSection,
     .section = &kBackend,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "The hardware and the environment a binary is made for."},
    {.name = "lpai_graph",
     .type = Type::kSection,
     .section = &kGraph,
     .tools = kPreparingTools,
     .summary = "How graphs are prepared and executed."},
    {.name = "lpai_profile",
     .type = Type::kSection,
     .section = &kProfile,
     .tools = kPreparingTools,
     .summary = "Profiling."},
    {.name = "lpai_debug",
     .type = Type::kSection,
     .section = &kDebug,
     .tools = kPreparingTools,
     .summary = "Switches for debugging and measuring."},
};

}  // namespace

constinit const SectionDef kLpaiFile = {
    .name = "",
    .summary = "Options of the LPAI backend, read by its extension library.",
    .options = kLpaiFileOptions,
};

}  // namespace openqnn::config
