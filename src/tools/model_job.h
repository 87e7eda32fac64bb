// SPDX-License-Identifier: BSD-3-Clause
// What the commands that start from a model share: its options, its graph, the samples it is run on, and the
// precisions it can be brought to.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/dlc/dlc.h"
#include "frontend/onnx/convert.h"
#include "quant/plan.h"
#include "quant/reference_run.h"
#include "tools/args.h"

namespace openqnn::tools {

// Which model it is in particular, and what it is run on.
std::vector<OptionSpec> model_options();
// The first half of that alone: what shapes an ONNX model.
std::vector<OptionSpec> shape_options();
// "x=1,3,224,224" of such an option, at the last '=', since names may have one; no name where there is none.
std::pair<std::string, std::string> name_and_value(const std::string& text);

// A whole number of 0 or more.
Result<int64_t> integer_from(std::string_view text, std::string_view option);
// A whole number of 1 or more, for a dimension.
Result<int64_t> dimension_from(std::string_view text, std::string_view option);
Result<double> real_from(const std::string& text, std::string_view option);

// Whether the options of a model can be read at all, before anything else is looked at.
Status check_model_options(const Args& args);

// Whether what --input_list names is a list, asked before anything is done. A pipe is read once, by who needs
// what it says.
Status check_listed_inputs(const Args& args);

// "w8a8", "w8a16", "w16a16", "w4a16": bits of weights and of activations; "fp16", also called "float": float
// tensors, computed in half; "quantizer", whose options are those of qairt-quantizer.
struct Precision {
  std::string name;
  bool floating = false;
  quant::Options options;  // of the others
};
Result<Precision> precision_from(std::string_view name);
inline constexpr std::string_view kPrecisions = "float fp16 w8a8 w8a16 w16a16 w4a16 quantizer";
inline constexpr std::string_view kAsQuantizer = "quantizer";
// Those that need no data, of commands that do not run the model.
inline constexpr std::string_view kSimulatedPrecisions = kPrecisions.substr(0, kPrecisions.rfind(' '));
inline constexpr std::string_view kDefaultPrecision = "w8a8";  // of a float model
// A 16-bit product has no more (004): the largest weight step is 0x7F7F.
inline constexpr quant::Steps kWeightSteps16 = {-0x8000, 0x7F7F};

// How inputs and outputs lie that do not lie as in the model, for people; by tensor of the graph.
using IoLayouts = std::map<std::string, std::string>;

// A model as a float graph: an ONNX file converted, or the graph of a `.dlc`.
struct FloatModel {
  frontend::DlcGraph graph;
  std::vector<std::string> notes;
  std::vector<std::string> fusions;  // that were made: "batch_norm: node"
  IoLayouts layouts;
};
// "batch_norm 3, gelu 12"
std::string fusions_text(const std::vector<std::string>& fusions);
// Whether there is a file of a kind that load_model() takes.
Status check_model_file(const std::filesystem::path& path);
// How images of an ONNX model lie: as in its file, or as on devices; --image_layout chooses, of a model that
// is not run, and is for the channels to come last where it is not given.
enum class Images : uint8_t { kAsInModel, kChannelLast };
OptionSpec image_layout_option();
Result<Images> images_from(const Args& args);
Result<FloatModel> load_model(const std::filesystem::path& path, const Args& args,
                              Images images = Images::kAsInModel);
// The same of a model that is not run: a .dlc may be quantized already. Weights of an ONNX model that are not
// read have shapes alone.
enum class Weights : uint8_t { kRead, kUnread };
Result<FloatModel> load_unrun_model(const std::filesystem::path& path, const Args& args, Images images,
                                    Weights weights = Weights::kRead);
bool is_quantized(const ir::Graph& graph);
uint64_t weight_bytes(const ir::Graph& graph);
// A model whose client passes and reads integers, with Dequantize behind and Quantize before them, becomes
// the float model that it is, with encodings of its inputs and outputs. Loading does it.
void take_edges_in(frontend::DlcGraph& model);
// An ONNX file alone, or its bytes in memory. Nodes that cannot be computed are one error that lists them.
Result<FloatModel> convert_onnx(const std::filesystem::path& path,
                                const frontend::onnx::ConvertOptions& options);
Result<FloatModel> convert_onnx(std::span<const std::byte> bytes,
                                const frontend::onnx::ConvertOptions& options);

// The values of every input, in the tensors' own types.
struct Sample {
  std::string name;  // for reports: "0", "1", ...
  std::map<ir::TensorIndex, std::vector<std::byte>> values;
  quant::Inputs inputs() const { return {values.begin(), values.end()}; }
};
// What the files of an input list hold.
enum class InputFiles : uint8_t {
  kNative,  // elements of the tensors' own types
  kFloat,   // float32, whatever the tensor's type
};
// From the input list, which may name inputs as the model's file does or as the graph does; without one,
// `--samples` random ones, always the same.
Result<std::vector<Sample>> load_samples(const frontend::DlcGraph& model, const Args& args,
                                         InputFiles files = InputFiles::kNative);

// "4 random inputs", "1 input"
std::string samples_text(size_t count, bool random);

// What a model that is quantized already says of its tensors goes before a precision: "the model's own 88
// encodings (sfixed8 44, ufixed16 44), w8a8 for what has none"; the precision's name where it says nothing.
std::string precision_text(const Precision& precision, const FloatModel& model);
// Warns of a precision that was asked for and that such encodings keep from being what is computed.
void warn_of_own_encodings(const Precision& precision, const FloatModel& model);

// ---- Nodes that stay in float although the model is quantized, for people (float_nodes.cc) ----

struct FloatNode {
  std::string name;
  std::string type;
  std::string why;

  std::string text() const;  // "name (type): reason"
};

enum class FloatNodeList : bool { kGrouped, kAll };

// A line for each, or one for all nodes of a type that have the same reason but for the names in it: the
// first of them with its reason, and how many more there are.
std::vector<std::string> lines_of(const std::vector<FloatNode>& nodes, FloatNodeList list);

// The lines as they stand below "... ops left in float"; where some were grouped, how to see all.
void print_float_nodes(const std::vector<FloatNode>& nodes, FloatNodeList list, std::string_view indent,
                       std::string_view option_for_all);

// The graph in another precision, calibrated on `samples`.
struct PreparedModel {
  ir::Graph graph{""};
  std::vector<FloatNode> float_nodes;           // although asked not to
  std::optional<double> activation_share = {};  // as in DlcGraph
};
Result<PreparedModel> bring_to(const Precision& precision, const FloatModel& model,
                               const std::vector<Sample>& samples);
// The same where somebody else runs the samples: `seen` is what a Calibrator of the graph saw.
Result<PreparedModel> quantized_as_seen(const quant::Options& options, const frontend::DlcGraph& model,
                                        const quant::Observations& seen);

}  // namespace openqnn::tools
