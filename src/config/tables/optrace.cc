// SPDX-License-Identifier: BSD-3-Clause
// The optrace reader's file.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr auto kViewerOnly = set_of(Tool::kProfileViewer);
constexpr auto kReporting = set_of(Stage::kReport);

constexpr OptionDef kFeatureOptions[] = {
    {.name = "enable_input_output_flow_events",
     .type = Type::kBool,
     .default_words = "not stated; off here",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Draws arrows from each op to those that use its outputs.",
     .help = "The trace grows; the arrows show only in chrome://tracing (Perfetto's legacy view)."},
    {.name = "enable_sequencer_flow_events",
     .type = Type::kBool,
     .default_words = "not stated; off here",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Draws arrows for the order that the sequencer imposed.",
     .help = "The trace grows; the arrows show only in chrome://tracing (Perfetto's legacy view)."},
    {.name = "htp_json",
     .type = Type::kBool,
     .default_json = "true",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Writes the prepared graph, op by op, as NAME_htp.json.",
     .help = "The file opens in Netron."},
    {.name = "runtrace",
     .type = Type::kBool,
     .default_json = "true",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Adds whole inferences and pre-emptions below each core."},
    {.name = "memory_info",
     .type = Type::kBool,
     .default_json = "true",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Adds graphs of memory bandwidth and VTCM use below each core."},
    {.name = "traceback",
     .type = Type::kBool,
     .default_json = "true",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Names the op of the source framework beside each op."},
    {.name = "qhas_schema",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Writes qhas_schema.json, the schema of the analysis summary."},
    {.name = "qhas_json",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Writes the analysis summary as JSON beside the HTML report."},
    {.name = "gzip",
     .type = Type::kBool,
     .default_words = "not stated; off here",
     .tools = kViewerOnly,
     .stages = kReporting,
     .since = kAfterDocumented,
     .summary = "Compresses the trace.",
     .help = "The same as an output name ending in .gz; a trace shrinks to about a twentieth."},
};

constinit const SectionDef kFeatures = {
    .name = "features",
    .summary = "What the reader writes and adds to the trace.",
    .options = kFeatureOptions,
};

constexpr OptionDef kOptraceOptions[] = {
    {.name = "features",
     .type = Type::kSection,
     .section = &kFeatures,
     .default_words = "all at their defaults",
     .tools = kViewerOnly,
     .stages = kReporting,
     .summary = "Switches of the optrace reader.",
     .help = "The wrapper is needed: switches at the top of the file are not read."},
};

}  // namespace

constinit const SectionDef kOptraceFile = {
    .name = "",
    .summary = "Switches of the optrace reader of qnn-profile-viewer.",
    .options = kOptraceOptions,
};

}  // namespace openqnn::config
