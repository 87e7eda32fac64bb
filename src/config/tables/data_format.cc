// SPDX-License-Identifier: BSD-3-Clause
// The data-format file: which tensors of which graphs are not plain arrays.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

constexpr Choice kFormats[] = {
    {"QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT",
     "a KV cache as the matrix unit reads it (native KV cache): 8-bit unsigned, symmetric; all KV tensors or "
     "none; not on "
     "v68"},
    {"QNN_TENSOR_DATA_FORMAT_MX", "blocks of numbers with a shared exponent"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y", "compressed image, luma plane; select automotive parts"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV", "compressed image, chroma plane; select automotive parts"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888", "compressed image of four channels; select automotive parts"},
};

constexpr OptionDef kTensorOptions[] = {
    {.name = "tensor_name",
     .type = Type::kString,
     .required = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "An input or output of the graph."},
    {.name = "dataFormat",
     .type = Type::kString,
     .choices = kFormats,
     .required = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .lowers_to = "Qnn_TensorDataFormat_t",
     .summary = "The layout in which the client gives or gets the tensor.",
     .help =
         "The client must then write and read that layout itself. Compressed images need shared buffers."},
};

constinit const SectionDef kTensors = {
    .name = "tensors",
    .summary = "Tensors and their layouts.",
    .options = kTensorOptions,
};

constexpr OptionDef kGraphOptions[] = {
    {.name = "graph_name",
     .type = Type::kStrings,
     .one_or_many = true,
     .required = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "The graphs that the tensors belong to.",
     .readings = {{{kHtpPage, "a list"}, {kPublicFiles, "one string"}}},
     .applies = "both are read"},
    {.name = "tensors",
     .type = Type::kSections,
     .section = &kTensors,
     .required = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "The tensors with a layout of their own; the others stay plain arrays."},
};

constinit const SectionDef kGraphs = {
    .name = "graphs",
    .summary = "Graphs whose tensors have layouts of their own.",
    .options = kGraphOptions,
};

constexpr OptionDef kFileOptions[] = {
    {.name = "graphs",
     .type = Type::kSections,
     .section = &kGraphs,
     .required = true,
     .tools = kGeneratorOnly,
     .stages = kOfflineOnly,
     .summary = "Graphs and the tensors that are not plain arrays."},
};

}  // namespace

constinit const SectionDef kDataFormatFile = {
    .name = "",
    .summary = "Layouts of inputs and outputs, for native KV caches and compressed images.",
    .options = kFileOptions,
};

}  // namespace openqnn::config
