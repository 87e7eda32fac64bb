// SPDX-License-Identifier: BSD-3-Clause
// The fields of Python's CompileConfig. Not a file: its HTP fields become one.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr Choice kMemoryTypes[] = {
    {"raw", "plain client buffers, copied at each execution"},
    {"memhandle", "registered buffers only; the backend reserves none of its own"},
};

// A field that the client need not set.
consteval OptionDef none_by_default(OptionDef field) {
  if (field.default_words.empty()) field.default_words = "None";
  field.python_default_json = "null";
  field.python_optional = true;
  return field;
}

constexpr OptionDef kFields[] = {
    {.name = "backend",
     .type = Type::kString,
     .required = true,
     .python_required = true,
     .summary = "The backend to compile for.",
     .help = "HTP here. The documents also name AIC and HTP_MCP, whose settings are kept but whose backends "
             "are not part of this project."},
    none_by_default(
        {.name = "soc_details",
         .type = Type::kString,
         .summary = "The part, as text: chipset:SM8750;dsp_arch:v79;soc_model:69;cores:1.",
         .help = "Any of the keys may be left out; several parts are separated by |. Ignored as soon as "
                 "device_custom_configs is set, so put the part there then."}),
    none_by_default({.name = "graph_custom_configs",
                     .type = Type::kSections,
                     .section = &kGraphSection,
                     .summary = "One HtpGraphConfig per graph."}),
    none_by_default({.name = "device_custom_configs",
                     .type = Type::kSections,
                     .section = &kDeviceSection,
                     .summary = "The part and its cores; takes the place of soc_details."}),
    none_by_default({.name = "context_custom_configs",
                     .type = Type::kSections,
                     .section = &kContextSection,
                     .summary = "Options of contexts."}),
    none_by_default({.name = "memory_custom_config",
                     .type = Type::kSection,
                     .section = &kMemorySection,
                     .summary = "The memory of inputs and outputs."}),
    none_by_default({.name = "group_context_config",
                     .type = Type::kSection,
                     .section = &kGroupContextSection,
                     .summary = "What contexts that are created together have in common."}),
    none_by_default({.name = "compiler_custom_configs",
                     .type = Type::kAnyObject,
                     .summary = "Settings of the AIC compiler; not for HTP."}),
    none_by_default({.name = "backend_binary_path",
                     .type = Type::kPath,
                     .default_words = "None: no such file is written",
                     .summary = "A second, backend-specific binary to write.",
                     .help = "The name gets the suffix _backend and the extension .bin when it lacks them; "
                             "an absolute path is used as it is."}),
    none_by_default({.name = "data_format_config",
                     .type = Type::kPath,
                     .summary = "A data-format file: layouts of certain tensors."}),
    {.name = "io_tensor_mem_type",
     .type = Type::kString,
     .choices = kMemoryTypes,
     .default_json = "\"raw\"",
     .python_optional = true,
     .summary = "The memory type of inputs and outputs.",
     .help = "memhandle spares the backend's own buffers; run such a binary with registered buffers, else "
             "they are allocated at the first inference."},
    none_by_default({.name = "enable_intermediate_outputs",
                     .type = Type::kBool,
                     .summary = "Makes every tensor between nodes an output.",
                     .help = "For debugging. Excludes set_output_tensors."}),
    none_by_default(
        {.name = "set_output_tensors",
         .type = Type::kStrings,
         .one_or_many = true,
         .summary = "Tensors to have as outputs beside those of the graph.",
         .help =
             "A list, or one string graph0:t0,t1;graph1:t0; with one graph the tensors are enough. Excludes "
             "enable_intermediate_outputs."}),
    none_by_default({.name = "op_packages",
                     .type = Type::kAnyObject,
                     .one_or_many = true,
                     .summary = "Packages of custom ops."}),
    {.name = "log_level",
     .type = Type::kString,
     .default_json = "\"error\"",
     .python_optional = true,
     .summary = "How much the compiler logs: error, warn, info, debug or verbose."},
    {.name = "debug", .type = Type::kBool, .default_json = "false", .summary = "Switches debugging on."},
};

}  // namespace

constinit const SectionDef kCompileConfig = {
    .name = "",
    .python_class = "CompileConfig",
    .summary =
        "Settings of a compilation from Python; to_backend_extension_json writes its HTP fields as a file.",
    .options = kFields,
};

}  // namespace openqnn::config
