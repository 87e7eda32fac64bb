// SPDX-License-Identifier: BSD-3-Clause
// The data-format file: which tensors of which graphs are not plain arrays.
#include "config/tables/shared.h"

namespace openqnn::config {
namespace {

// The names of QnnTypes.h, in its order, the layout that files really use first.
constexpr Choice kFormats[] = {
    {"QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT",
     "a KV cache as the matrix unit reads it (native KV cache): 8-bit unsigned, symmetric; all KV tensors or "
     "none; not on v68"},
    {"QNN_TENSOR_DATA_FORMAT_DENSE", "a plain array, as without an entry"},
    {"QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER", "older name of DENSE"},
    {"QNN_TENSOR_DATA_FORMAT_SPARSE", "indices and values"},
    {"QNN_TENSOR_DATA_FORMAT_CODEBOOK", "indices into a table of values"},
    {"QNN_TENSOR_DATA_FORMAT_MX", "blocks of numbers with a shared exponent"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888", "compressed image of four channels; select automotive parts"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV12", "compressed image, both planes"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y", "compressed image, luma plane; select automotive parts"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV", "compressed image, chroma plane; select automotive parts"},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV124R", "compressed image, both planes", {2, 40}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y", "compressed image, luma plane", {2, 40}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV", "compressed image, chroma plane", {2, 40}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P010", "compressed image, both planes", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P010_Y", "compressed image, luma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P010_UV", "compressed image, chroma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P016", "compressed image, both planes", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P016_Y", "compressed image, luma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_P016_UV", "compressed image, chroma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TP10", "compressed image, both planes", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TP10_Y", "compressed image, luma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TP10_UV", "compressed image, chroma plane", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_1X1", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_2X2", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_3X3", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_4X4", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_1X1", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_2X2", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_4X4", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_1X1", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_2X2", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_4X4", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_1X1", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_2X2", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_4X4", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_1X1", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_2X2", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_4X4", "compressed raw image of a sensor", {2, 48}},
    {"QNN_TENSOR_DATA_FORMAT_BATCH_ALIGNED_256", "", {2, 48}},
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

constexpr OptionDef kDataFormatFileOptions[] = {
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
    .options = kDataFormatFileOptions,
};

}  // namespace openqnn::config
