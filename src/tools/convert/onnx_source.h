// SPDX-License-Identifier: BSD-3-Clause
// The ONNX file that a converter was given.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "frontend/onnx/convert.h"
#include "frontend/onnx/model.h"
#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {

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

}  // namespace openqnn::tools::convert
