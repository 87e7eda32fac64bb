// SPDX-License-Identifier: BSD-3-Clause
// The file of qnn-throughput-net-run: backends, models and contexts by name, and the threads that combine
// them.
#include "config/tables/perf_profiles.h"
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr Choice kThroughputProfilingLevels[] = {{"OFF", ""}, {"BASIC", ""}, {"DETAILED", ""}};
constexpr Choice kInputTypes[] = {{"NATIVE", "files hold the tensor's own type"},
                                  {"FLOAT", "files hold float32, which the tool quantizes"}};
constexpr Choice kOutputTypes[] = {{"NATIVE_ONLY", ""}, {"FLOAT_ONLY", ""}, {"FLOAT_AND_NATIVE", ""}};
constexpr Choice kSavings[] = {
    {"NONE", ""}, {"NATIVE_LAST", "of the last execution"}, {"NATIVE_ALL", "of every execution"}};
constexpr Choice kThroughputPriorities[] = {{"DEFAULT", ""}, {"LOW", ""}, {"NORMAL", ""}, {"HIGH", ""}};
constexpr Choice kThroughputCompatibilities[] = {
    {"permissive", "a binary made for a smaller part runs"},
    {"strict", "a binary that is not the best for the part is refused"}};
constexpr Choice kLoopUnits[] = {{"count", ""}, {"second", ""}};

constexpr OptionDef kThroughputBackendOptions[] = {
    {.name = "backendName",
     .type = Type::kString,
     .required = true,
     .summary = "The name that threads use for it."},
    {.name = "backendPath", .type = Type::kPath, .required = true, .summary = "The backend library."},
    {.name = "profilingLevel",
     .type = Type::kString,
     .choices = kThroughputProfilingLevels,
     .default_json = "\"OFF\"",
     .summary = "How much is profiled."},
    {.name = "backendExtensions",
     .type = Type::kPath,
     .default_words = "not set; then no performance profile and no backend file",
     .summary = "The extension library of the backend.",
     .help = "Needed for perfProfile and for backendConfig of a thread.",
     .readings = {{{kHtpPage, "extensions are for qnn-net-run and qnn-context-binary-generator only"},
                   {"tools page", "qnn-throughput-net-run loads them, too"}}},
     .applies = "they are loaded; the HTP page's own schema names this tool as well"},
    {.name = "perfProfile",
     .type = Type::kString,
     .choices = kPerfProfilesOfTools,
     .default_json = "\"default\"",
     .summary = "The performance profile.",
     .help = "Needs backendExtensions."},
    {.name = "opPackagePath",
     .type = Type::kString,
     .default_words = "not set",
     .summary = "Op packages: path:provider, several separated by commas."},
    {.name = "platformOption",
     .type = Type::kString,
     .default_words = "not set",
     .summary = "One option of the platform, key:value."},
};

constexpr OptionDef kModelOptions[] = {
    {.name = "modelName",
     .type = Type::kString,
     .required = true,
     .summary = "The name that threads use for it."},
    {.name = "modelPath",
     .type = Type::kPath,
     .required = true,
     .summary = "A model library (.so) or a context binary (.bin)."},
    {.name = "loadFromCachedBinary",
     .type = Type::kBool,
     .default_json = "false",
     .summary = "Whether modelPath is a context binary."},
    {.name = "inputPath",
     .type = Type::kString,
     .default_words = "not set; inputs are random",
     .summary = "Input lists, one per graph, separated by commas."},
    {.name = "inputDataType",
     .type = Type::kString,
     .choices = kInputTypes,
     .default_json = "\"NATIVE\"",
     .summary = "What the input files hold."},
    {.name = "postProcessor",
     .type = Type::kString,
     .default_json = "\"NONE\"",
     .summary = "How outputs are compared: NONE, MSE, MSE_FLOAT32, MSE_INT8 or MSE_INT16, one per graph.",
     .help = "Several graphs take a list separated by commas. Without groundTruthPath the first result is "
             "the reference."},
    {.name = "outputPath",
     .type = Type::kPath,
     .default_words = "not set",
     .summary = "Where outputs are written."},
    {.name = "outputDataType",
     .type = Type::kString,
     .choices = kOutputTypes,
     .default_json = "\"NATIVE_ONLY\"",
     .summary = "In which types outputs are written."},
    {.name = "saveOutput",
     .type = Type::kString,
     .choices = kSavings,
     .default_json = "\"NONE\"",
     .summary = "Which outputs are written."},
    {.name = "groundTruthPath",
     .type = Type::kPath,
     .default_words = "not set; the first result is the reference",
     .summary = "The outputs to compare with."},
};

constexpr OptionDef kThroughputContextOptions[] = {
    {.name = "contextName",
     .type = Type::kString,
     .required = true,
     .summary = "The name that threads use for it."},
    {.name = "priority",
     .type = Type::kString,
     .choices = kThroughputPriorities,
     .default_json = "\"DEFAULT\"",
     .lowers_to = "QNN_CONTEXT_CONFIG_OPTION_PRIORITY",
     .summary = "The priority of the context's graphs."},
    {.name = "executeAsyncQueueDepth",
     .type = Type::kInteger,
     .min = 0,
     .default_words = "the backend's",
     .lowers_to = "QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH",
     .summary = "How many asynchronous executions may wait."},
    {.name = "cacheCompatibilityMode",
     .type = Type::kString,
     .choices = kThroughputCompatibilities,
     .default_json = "\"permissive\"",
     .lowers_to = "QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY",
     .summary = "Whether a binary that was not made for this part may run."},
};

constexpr OptionDef kThreadOptions[] = {
    {.name = "threadName",
     .type = Type::kString,
     .required = true,
     .summary = "The name of the thread in the results."},
    {.name = "backend", .type = Type::kString, .required = true, .summary = "A backendName of backends."},
    {.name = "context", .type = Type::kString, .required = true, .summary = "A contextName of contexts."},
    {.name = "model", .type = Type::kString, .required = true, .summary = "A modelName of models."},
    {.name = "initModelInLoop",
     .type = Type::kBool,
     .default_json = "false",
     .summary = "Makes the model anew in every round.",
     .help = "Not with a context binary."},
    {.name = "loadInputDataInLoop",
     .type = Type::kBool,
     .default_json = "false",
     .summary = "Reads the inputs anew in every round."},
    {.name = "useRandomData", .type = Type::kBool, .default_json = "false", .summary = "Uses random inputs."},
    {.name = "interval",
     .type = Type::kInteger,
     .min = 0,
     .unit = "µs",
     .default_json = "0",
     .summary = "The pause between executions."},
    {.name = "loopUnit",
     .type = Type::kString,
     .choices = kLoopUnits,
     .default_json = "\"count\"",
     .summary = "Whether loop counts executions or seconds."},
    {.name = "loop",
     .type = Type::kInteger,
     .default_json = "1",
     .summary = "How often or how long the thread executes."},
    {.name = "executeAsynchronous",
     .type = Type::kBool,
     .default_json = "false",
     .summary = "Executes asynchronously; an error where the backend cannot."},
    {.name = "backendConfig",
     .type = Type::kPath,
     .default_words = "not set; the backend uses its defaults",
     .summary = "The backend's own file, for instance an HTP backend file.",
     .help = "Read by the library that backendExtensions of the backend names."},
};

constinit const SectionDef kBackends = {
    .name = "backends", .summary = "Backend libraries by name.", .options = kThroughputBackendOptions};
constinit const SectionDef kModels = {
    .name = "models", .summary = "Models, their inputs and outputs, by name.", .options = kModelOptions};
constinit const SectionDef kContexts = {
    .name = "contexts", .summary = "Contexts by name.", .options = kThroughputContextOptions};
constinit const SectionDef kThreads = {
    .name = "threads", .summary = "What one thread runs, and how often.", .options = kThreadOptions};

constexpr OptionDef kTestCaseOptions[] = {
    {.name = "iteration",
     .type = Type::kInteger,
     .required = true,
     .summary = "How often the whole test is run; negative: until it is interrupted."},
    {.name = "logLevel",
     .type = Type::kString,
     .default_words = "not stated",
     .summary = "How much the tool logs."},
    {.name = "threads",
     .type = Type::kSections,
     .section = &kThreads,
     .required = true,
     .summary = "Threads that run at the same time."},
};

constinit const SectionDef kTestCase = {
    .name = "testCase", .summary = "What is run.", .options = kTestCaseOptions};

constexpr OptionDef kThroughputFileOptions[] = {
    {.name = "backends",
     .type = Type::kSections,
     .section = &kBackends,
     .required = true,
     .summary = "Backend libraries by name."},
    {.name = "models",
     .type = Type::kSections,
     .section = &kModels,
     .required = true,
     .summary = "Models, their inputs and outputs, by name."},
    {.name = "contexts",
     .type = Type::kSections,
     .section = &kContexts,
     .required = true,
     .summary = "Contexts by name."},
    {.name = "testCase",
     .type = Type::kSection,
     .section = &kTestCase,
     .required = true,
     .summary = "The threads to run, and how often."},
};

}  // namespace

constinit const SectionDef kThroughputFile = {
    .name = "",
    .summary = "What qnn-throughput-net-run runs: several models at the same time.",
    .options = kThroughputFileOptions,
};

}  // namespace openqnn::config
