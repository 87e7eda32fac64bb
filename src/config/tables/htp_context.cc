// SPDX-License-Identifier: BSD-3-Clause
// HTP backend file: its top, "context", "memory" and "groupContext".
#include "config/tables/shared.h"
#include "config/without_effect.h"

namespace openqnn::config {
namespace {

constexpr OptionDef kContextOptions[] = {
    {.name = "weight_sharing_enabled",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .min_arch = 73,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED",
     .summary = "Stores weights that several graphs have in common only once.",
     .help =
         "For up to 64 graphs that are variants of one model (prompt and token graphs, several input sizes). "
         "Offline on x86-64 Linux, v73 and later, one VTCM size and one part for all graphs; not with DLBC. "
         "The shared part is loaded as a whole, so it does not pay when a single graph is used."},
    {.name = "max_spill_fill_buffer_for_group",
     .type = Type::kInteger,
     .min = 0,
     .unit = "bytes",
     .default_words = "not set; each graph has its own buffer",
     .python_default_json = "0",
     .tools = kLoadingTools,
     .stages = set_of(Stage::kOffline, Stage::kLoad),
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS",
     .summary = "Size of the spill-fill buffer that the contexts of a group share.",
     .help =
         "Saves RAM when several contexts run one after the other: give the largest spill-fill size of the "
         "group, and group_id 0 with it. Contexts of a group must not run at the same time; not with DLBC.",
     .readings = {{{kHtpPage, "read during offline preparation, by qnn-net-run and qnn-throughput-net-run"},
                   {kCApi, "only with QnnContext_createFromBinary"},
                   {kPythonReference, "default 0 instead of not set"}}},
     .applies = "it acts when those tools load a binary, since neither prepares offline; 0 is not set"},
    {.name = "group_id",
     .type = Type::kInteger,
     .default_words = "not set; the context belongs to no group",
     .python_default_json = "0",
     .tools = kLoadingTools,
     .stages = set_of(Stage::kOffline, Stage::kLoad),
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS",
     .summary = "The group of contexts that share a spill-fill buffer.",
     .help = "0 together with max_spill_fill_buffer_for_group starts a group.",
     .readings = {{{kHtpPage, "not set by default; read during offline preparation"},
                   {kPythonReference, "default 0"},
                   {kCApi, "groups are formed by QnnContext_createFromBinary"}}},
     .applies = "files: not set; Python objects: 0; it acts when a binary is loaded"},
    {.name = "file_read_memory_budget_in_mb",
     .type = Type::kInteger,
     .min = 0,
     .unit = "MB",
     .default_json = "0",
     .tools = kLoadingTools,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET",
     .summary = "Reads a binary in pieces of at most this size.",
     .help = "Lowers the peak of RAM while loading and may take longer. Only for binaries that are mapped "
             "(mmap). More than the file's size counts as its size; 0 reads everything at once."},
    {.name = "io_memory_estimation",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kLoadingTools,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION",
     .summary = "Counts inputs and outputs when choosing the process domain for a context.",
     .help = "Set it when registering I/O buffers of a large model fails although the model loaded. Raises "
             "the peak of RAM while loading. Matters only where several process domains are available."},
    {.name = "init_acceleration",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kLoadingTools,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION",
     .summary = "Loads a binary with all that the hardware gives.",
     .help = "Shortens loading of large graphs; small ones gain nothing."},
    {.name = "lora_weight_sharing",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED",
     .summary = "Lets the LoRA graphs of a context share the memory of their updatable weights.",
     .help = "The memory has room for one graph's adapter, so QnnContext_applyBinarySection must follow the "
             "loading and precede the first execution. Offline on x86-64 Linux; older binaries must be made "
             "again."},
    {.name = "lora_weight_sharing_ram_preload",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kLoadingTools,
     .stages = kLoading,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED",
     .summary = "Brings shared LoRA weights into RAM when the binary is loaded.",
     .help = "Goes with binaries made with lora_weight_sharing; costs RAM and spares the first switch of "
             "adapters (our reading)."},
    {.name = "extended_udma",
     .type = Type::kBool,
     .default_json = "false",
     .min_arch = 81,
     .without_effect = without_effect::kExtendedUdma,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA",
     .summary = "Uses the extended addressing of the user DMA engine.",
     .help = "v81 and later; the documents say little more. It belongs into context; files that have it "
             "under memory are not understood by the vendor's tools. Not with loading through a callback."},
    {.name = "reused_io_limit_mb",
     .type = Type::kInteger,
     .min = 0,
     .unit = "MB",
     .default_words = "not stated",
     .in_python = false,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT",
     .summary = "Limit of the I/O memory that is reused."},
    {.name = "concurrent_deserialization_patch",
     .type = Type::kPath,
     .default_words = "not set",
     .in_python = false,
     .tools = kLoadingTools,
     .stages = kLoading,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH",
     .summary = "A file that lets older binaries be loaded concurrently.",
     .help = "The first run only measures and writes the file; later ones use it."},
    {.name = "skip_validation_on_binary_section",
     .type = Type::kBool,
     .default_json = "false",
     .in_python = false,
     .tools = kLoadingTools,
     .stages = kLoading,
     .since = kAfterDocumented,
     .unconfirmed = true,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION",
     .summary = "Leaves out the checksum when LoRA adapters are applied.",
     .help = "Applies adapters faster. The C option is documented (off by default), the key was seen in one "
             "public file."},
    {.name = "detachable_buffers_enabled",
     .type = Type::kBool,
     .default_words = "not stated",
     .in_python = false,
     .since = kAfterDocumented,
     .unconfirmed = true,
     .summary = "Seen in one public file; what it does is not documented."},
};

constexpr Choice kContextMemoryTypes[] = {
    {"shared_buffer", "many tensors in one buffer that CPU and DSP share"},
};

constexpr OptionDef kMemoryOptions[] = {
    {.name = "mem_type",
     .type = Type::kString,
     .choices = kContextMemoryTypes,
     .default_words = "not set; each tensor has its own buffer",
     .python_default_json = "\"shared_buffer\"",
     .tools = kLoadingTools,
     .stages = kExecuting,
     .lowers_to = "QNN_HTP_MEM_SHARED_BUFFER",
     .summary = "Where inputs and outputs live.",
     .help = "Spares a copy per inference, and registers one buffer instead of many. Recommended with "
             "share_resources.",
     .readings = {{{kHtpPage, "default QNN_HTP_MEM_UNDEFINED"}, {kPythonReference, "default shared_buffer"}}},
     .applies = "files: not set; Python objects: shared_buffer"},
};

constexpr OptionDef kGroupContextOptions[] = {
    {.name = "share_resources",
     .type = Type::kBool,
     .default_json = "false",
     .tools = kLoadingTools,
     .stages = kLoading,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES",
     .summary = "Lets contexts that are created together share memory and address space.",
     .help =
         "For models split over several binaries that run one after the other. Takes effect when the "
         "contexts are created as a list; running them at the same time is then an error of the client. Not "
         "with graph switching, not with group registration, and address-space sharing only on some parts.",
     .readings = {{{kHtpPage, "read when contexts are created from a list of binaries"},
                   {kPythonReference, "acts during binary generation"}}},
     .applies =
         "it acts when a list of binaries is loaded; in a file for preparing it is kept and has no effect"},
    {.name = "reused_io_limit_mb",
     .type = Type::kInteger,
     .min = 0,
     .unit = "MB",
     .default_words = "not stated",
     .in_python = false,
     .tools = kLoadingTools,
     .stages = kLoading,
     .since = kAfterDocumented,
     .lowers_to = "QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT",
     .summary = "Limit of the I/O memory that the group's contexts reuse."},
};

constexpr OptionDef kHtpFileOptions[] = {
    {.name = "graphs",
     .type = Type::kOneOrMore,
     .section = &kGraphSection,
     .tools = kPreparingTools,
     .stages = kPreparing,
     .summary = "Options of graphs while they are prepared.",
     .help = "They have no effect when a finished binary is run.",
     .readings = {{{kHtpPage, "a list"},
                   {kPublicFiles, "an object in about a quarter of them, the older form"}}},
     .applies = "both forms are read; lists are written"},
    {.name = "devices",
     .type = Type::kSections,
     .section = &kDeviceSection,
     .default_words = "none; offline the target is then SM8350",
     .tools = kPreparingTools,
     .summary = "The part and its cores."},
    {.name = "context",
     .type = Type::kOneOrMore,
     .section = &kContextSection,
     .summary = "Options of contexts: weight sharing, loading, groups.",
     .readings = {{{kHtpPage, "an object"},
                   {"HTP backend extensions guide", "a list of objects"},
                   {kPublicFiles, "an object, except where Python wrote the file"}}},
     .applies = "both forms are read; an object stays an object, Python writes a list"},
    {.name = "memory",
     .type = Type::kSection,
     .section = &kMemorySection,
     .tools = kLoadingTools,
     .summary = "The memory of inputs and outputs."},
    {.name = "groupContext",
     .type = Type::kSection,
     .section = &kGroupContextSection,
     .tools = kLoadingTools,
     .stages = kLoading,
     .summary = "What contexts that are created together have in common."},
};

}  // namespace

constinit const SectionDef kContextSection = {
    .name = "context",
    .python_class = "HtpContextConfig",
    .summary = "How contexts are made and loaded: shared weights, groups, memory while loading.",
    .options = kContextOptions,
};

constinit const SectionDef kMemorySection = {
    .name = "memory",
    .python_class = "HtpMemoryConfig",
    .summary = "The memory of inputs and outputs.",
    .options = kMemoryOptions,
};

constinit const SectionDef kGroupContextSection = {
    .name = "groupContext",
    .python_class = "HtpGroupContextConfig",
    .summary = "Contexts that are created together.",
    .options = kGroupContextOptions,
};

constinit const SectionDef kHtpFile = {
    .name = "",
    .summary = "Options of the HTP backend, read by its extension library.",
    .options = kHtpFileOptions,
};

}  // namespace openqnn::config
