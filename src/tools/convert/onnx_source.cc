// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/onnx_source.h"

#include <algorithm>

namespace openqnn::tools::convert {

namespace onnx = frontend::onnx;

Result<OnnxSource> open_source(const std::filesystem::path& path) {
  OnnxSource source;
  OPENQNN_ASSIGN(source.file, MappedFile::open(path));
  OPENQNN_ASSIGN(source.model, onnx::read_model(source.file->bytes(), path.string()));
  if (!source.model.graph) return invalid("onnx-graph", "the model has no graph").at(path.string());
  return source;
}

Result<onnx::Conversion> convert_source(const OnnxSource& source, const ConversionSettings& settings,
                                        const onnx::ConvertOptions& options) {
  onnx::ExternalFiles files(settings.input.parent_path(), source.file);
  return onnx::convert(source.model, files, settings.graph_name, options);
}

std::vector<const onnx::ValueInfo*> client_inputs(const onnx::Graph& graph) {
  std::vector<const onnx::ValueInfo*> inputs;
  for (const onnx::ValueInfo& input : graph.inputs) {
    const bool has_value =
        std::ranges::find(graph.initializers, input.name, &onnx::Tensor::name) != graph.initializers.end();
    if (!has_value) inputs.push_back(&input);
  }
  return inputs;
}

}  // namespace openqnn::tools::convert
