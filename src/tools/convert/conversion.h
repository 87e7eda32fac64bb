// SPDX-License-Identifier: BSD-3-Clause
// From an ONNX file to a float graph, as the two converters do it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "frontend/onnx/convert.h"
#include "frontend/onnx/model.h"
#include "tools/args.h"
#include "tools/model_job.h"

namespace openqnn::tools::convert {

// How a tensor lies in the model, and how the client wants it; empty where nothing is said.
struct TensorLayout {
  std::string model;
  std::string wanted;
};

// What a file says the type of a tensor in the product is, and where.
struct StatedType {
  std::string type;
  Where place;
};

struct ConversionSettings {
  std::filesystem::path input;
  std::filesystem::path output;
  std::string graph_name;  // that of the output
  frontend::onnx::ImportOptions import;
  std::map<std::string, TensorLayout> input_layouts;
  std::map<std::string, TensorLayout> output_layouts;
  std::map<std::string, TensorLayout> io_layouts;  // of either, whichever has the name
  std::map<std::string, StatedType> io_types;      // of either; must be the product's
  // The classic converter gives inputs and outputs with channels last, but for these.
  bool channels_last_io = false;
  std::set<std::string> kept_layouts;
  std::map<std::string, std::string> input_types;  // as stated; must be the model's
  std::set<std::string> without_fusions;
  std::string overrides_file;
  bool keep_encodings = true;
  bool half = false;
  bool keep_io_types = false;
  bool debug = false;
  std::string model_version;
  std::string copyright;
};

// ---- Options that both converters have ----

std::vector<OptionSpec> common_options();
// Those, and the output's name.
Result<ConversionSettings> common_settings(const Args& args);
Status read_dims(const Args& args, std::string_view option, ConversionSettings& settings);
Status read_symbols(const Args& args, std::string_view option, ConversionSettings& settings);
Status read_batch(const Args& args, std::string_view option, ConversionSettings& settings);
// Layouts by tensor: the member of TensorLayout that the option gives.
Status read_layouts(const Args& args, std::string_view option, std::string TensorLayout::*member,
                    std::map<std::string, TensorLayout>& layouts);
std::set<std::string> every_fusion();

// ---- The ONNX file that a converter was given ----

// The file, and its model, which are views into it.
struct OnnxSource {
  std::shared_ptr<const MappedFile> file;
  frontend::onnx::Model model;
};

Result<OnnxSource> open_source(const std::filesystem::path& path);

// With what is beside the file.
Result<frontend::onnx::Conversion> convert_source(const OnnxSource& source,
                                                  const ConversionSettings& settings,
                                                  const frontend::onnx::ConvertOptions& options);

// What the client passes: inputs of the graph that are no initializers.
std::vector<const frontend::onnx::ValueInfo*> client_inputs(const frontend::onnx::Graph& graph);

// ---- The work ----

// With the model's encodings and those of the overrides file; names of that file that match nothing are a
// warning.
Result<FloatModel> convert_model(ConversionSettings settings);

// What a file of encodings says of tensors of the model; names that match nothing are a warning.
Status add_overrides(const std::string& path, FloatModel& model);

// Float as it is wanted, in a file; tells what was made.
Status write_model(const ConversionSettings& settings, FloatModel model);

// What --dry_run tells: which of a model's ops can be computed, by type; exit status 1 when something cannot.
// `with_nodes` adds the ops that the model becomes.
Result<int> print_support_report(const ConversionSettings& settings, bool with_nodes);

}  // namespace openqnn::tools::convert
