// SPDX-License-Identifier: BSD-3-Clause
// The outer file, which --config_file of the tools takes: generic QNN options, and where the backend's own
// file is.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

// The C names in lower case; the documents spell only the first four in files.
constexpr Choice kPriorities[] = {
    {"low", ""},
    {"normal", "the default of the C API"},
    {"normal_high", "restricted: ordinary developers may be refused"},
    {"high", "restricted: ordinary developers may be refused"},
    {"normal_low", "spelt like the C name; no document shows it in a file", kAfterDocumented},
    {"high_plus", "spelt like the C name; no document shows it in a file", kAfterDocumented},
    {"critical", "spelt like the C name; no document shows it in a file", kAfterDocumented},
    {"critical_plus", "spelt like the C name; no document shows it in a file", kAfterDocumented},
};

constexpr Choice kCompatibilities[] = {
    {"permissive", "a binary made for a smaller part runs"},
    {"strict",
     "a binary that is not the best for the part is refused; an error where the backend cannot tell"},
};

constexpr OptionDef kExtensionOptions[] = {
    {.name = "shared_library_path",
     .type = Type::kPath,
     .default_words = "not set; then the backend's own file is not read",
     .tools = kPreparingTools,
     .summary = "The extension library of the backend.",
     .help = "libQnnHtpNetRunExtensions.so for HTP, libQnnLpaiNetRunExtensions.so for LPAI; on Windows "
             "without lib and with .dll. Neither the backend library nor a stub. Prefer an absolute path: no "
             "document says where a relative one starts."},
    {.name = "config_file_path",
     .type = Type::kPath,
     .default_words = "not set; the backend uses its defaults",
     .tools = kPreparingTools,
     .summary = "The backend's own configuration file.",
     .help = "An HTP or LPAI file, matching the library. Prefer an absolute path: no document says where a "
             "relative one starts."},
};

constexpr OptionDef kContextConfigOptions[] = {
    {.name = "context_priority",
     .type = Type::kString,
     .choices = kPriorities,
     .default_words = "normal",
     .tools = kPreparingTools,
     .lowers_to = "QNN_CONTEXT_CONFIG_OPTION_PRIORITY",
     .summary = "The priority of all graphs of a context.",
     .help = "A graph of higher priority pre-empts one of lower priority; equal ones wait for each other."},
    {.name = "async_execute_queue_depth",
     .type = Type::kInteger,
     .min = 0,
     .default_json = "10",
     .tools = kPreparingTools,
     .stages = kExecuting,
     .lowers_to = "QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH",
     .summary = "How many asynchronous executions may wait in a context."},
    {.name = "enable_graphs",
     .type = Type::kStrings,
     .default_words = "all graphs",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_CONTEXT_CONFIG_ENABLE_GRAPHS",
     .summary = "The graphs of a binary that may be used.",
     .help = "A name that is not in the binary is an error; an empty list means all. With graph switching "
             "the first one is loaded, the others when they are executed, so put the one that is needed "
             "first at the front."},
    {.name = "memory_limit_hint",
     .type = Type::kInteger,
     .min = 0,
     .unit = "MB",
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT",
     .summary = "Any value above 0 asks for low memory use: graphs are switched.",
     .help = "The amount itself does not count. Needs is_persistent_binary. Only one graph (or those in "
             "graph_retention_order) stays loaded; the first execution after a switch is slow, and switching "
             "graphs cannot run at the same time. Not with share_resources."},
    {.name = "is_persistent_binary",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_CONTEXT_CONFIG_PERSISTENT_BINARY",
     .summary = "Promises that the binary's bytes stay in place as long as the context.",
     .help = "Graph switching needs it, to load graphs again later; so does direct mode on LPAI. Map the "
             "file (mmap) instead of reading it, else the whole binary stays in RAM."},
    {.name = "graph_retention_order",
     .misspelt = "graphs_retention_order",
     .type = Type::kStrings,
     .default_words = "none; graphs are switched one at a time",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER",
     .summary = "Graphs to keep loaded while others are switched, the most important first.",
     .help = "All of them must fit into the address space of one process domain together. Takes effect only "
             "with is_persistent_binary and a memory_limit_hint above 0, and for graphs that are enabled. "
             "When memory is short, those at the end go first.",
     .readings = {{{kHtpPage, "graph_retention_order in the example, graphs_retention_order in the text"}}},
     .applies = "graph_retention_order; the plural is read with a warning"},
    {.name = "spill_fill_buffer",
     .type = Type::kInteger,
     .min = -1,
     .unit = "bytes",
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER",
     .summary = "Has the client provide the spill-fill buffer.",
     .help = "0 is off, -1 takes the size that QNN asks for, a larger value is the size. The client makes "
             "and frees the buffer; graphs that share it must not run at the same time."},
    {.name = "weights_buffer",
     .type = Type::kInteger,
     .min = -1,
     .unit = "bytes",
     .default_json = "0",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_MEM_WEIGHTS_BUFFER",
     .summary = "Has the client provide the buffer for weights.",
     .help = "0 is off, -1 takes the size that QNN asks for, a larger value is the size. The client makes "
             "and frees the buffer."},
    {.name = "cache_compatibility_mode",
     .type = Type::kString,
     .choices = kCompatibilities,
     .default_json = "\"permissive\"",
     .tools = kNetRunOnly,
     .stages = kLoading,
     .lowers_to = "QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY",
     .summary = "Whether a binary that was not made for this part may run."},
};

constexpr OptionDef kGraphConfigOptions[] = {
    {.name = "graph_name",
     .type = Type::kString,
     .required = true,
     .tools = kPreparingTools,
     .summary = "The graph that the entry is for."},
    {.name = "graph_priority",
     .type = Type::kString,
     .choices = kPriorities,
     .default_words = "that of the context",
     .tools = kPreparingTools,
     .lowers_to = "QNN_GRAPH_CONFIG_OPTION_PRIORITY",
     .summary = "The priority of this graph.",
     .help = "One release was seen to refuse the key and go on; context_priority is the safer place when all "
             "graphs have the same."},
    {.name = "graph_profiling_start_delay",
     .type = Type::kInteger,
     .min = 0,
     .unit = "s",
     .default_words = "no delay",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE",
     .summary = "How long to wait before this graph is profiled.",
     .help = "Only for backends with a profile handle per graph."},
    {.name = "graph_profiling_num_executions",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "all",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .lowers_to = "QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS",
     .summary = "How many executions of this graph are profiled.",
     .help = "Only for backends with a profile handle per graph."},
};

constexpr OptionDef kProfileOptions[] = {
    {.name = "num_max_events",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "the backend's limit",
     .tools = kPreparingTools,
     .lowers_to = "QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS",
     .summary = "How many profile events are kept."},
};

constexpr OptionDef kAsyncOptions[] = {
    {.name = "input_tensors_creation_tasks_limit",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "the queue depth, else 10",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "How many inputs are made ready ahead of their execution."},
    {.name = "execute_enqueue_tasks_limit",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "the queue depth, else 10",
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "How many executions the tool hands to the backend at once."},
};

constinit const SectionDef kExtensions = {
    .name = "backend_extensions",
    .summary = "The backend's extension library and its file.",
    .options = kExtensionOptions,
};
constinit const SectionDef kContextConfigs = {
    .name = "context_configs",
    .summary = "Options of contexts that every backend knows.",
    .options = kContextConfigOptions,
};
constinit const SectionDef kGraphConfigs = {
    .name = "graph_configs",
    .summary = "Options of graphs that every backend knows.",
    .options = kGraphConfigOptions,
};
constinit const SectionDef kProfileConfigs = {
    .name = "profile_configs",
    .summary = "Options of profiles.",
    .options = kProfileOptions,
};
constinit const SectionDef kAsyncConfig = {
    .name = "async_graph_execution_config",
    .summary = "How qnn-net-run feeds asynchronous execution.",
    .options = kAsyncOptions,
};

constexpr OptionDef kToolFileOptions[] = {
    {.name = "backend_extensions",
     .type = Type::kSection,
     .section = &kExtensions,
     .tools = kPreparingTools,
     .summary = "Names the backend's extension library and its configuration file.",
     .readings = {{{kHtpPage,
                    "for qnn-net-run and qnn-context-binary-generator only; the comments of its schema also "
                    "name qnn-throughput-net-run"},
                   {"tools page", "qnn-throughput-net-run names library and file in a file of its own"}}},
     .applies = "this file is for the first two; qnn-throughput-net-run reads the same HTP file through "
                "backendConfig"},
    {.name = "context_configs",
     .type = Type::kSection,
     .section = &kContextConfigs,
     .tools = kPreparingTools,
     .summary = "Options of contexts, graph switching among them."},
    {.name = "graph_configs",
     .type = Type::kSections,
     .section = &kGraphConfigs,
     .tools = kPreparingTools,
     .summary = "Options of graphs by name."},
    {.name = "profile_configs",
     .type = Type::kSection,
     .section = &kProfileConfigs,
     .tools = kPreparingTools,
     .summary = "Options of profiles."},
    {.name = "async_graph_execution_config",
     .type = Type::kSection,
     .section = &kAsyncConfig,
     .tools = kNetRunOnly,
     .stages = kExecuting,
     .summary = "Limits of asynchronous execution in the tool."},
};

}  // namespace

constinit const SectionDef kToolFile = {
    .name = "",
    .summary = "What --config_file takes: options every backend knows, and where the backend's own file is.",
    .options = kToolFileOptions,
};

}  // namespace openqnn::config
