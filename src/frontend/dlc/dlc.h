// SPDX-License-Identifier: BSD-3-Clause
// A `.dlc`: graphs with their weights, encodings and origin in one file, between the converter and the
// compiler. It is a zip archive of stored parts, documented in docs/dlc.md; the vendor's files of the same
// name are another format, recognised and refused.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/trace.h"
#include "ir/graph.h"
#include "ir/tensor_encoding.h"

namespace openqnn::frontend {

struct DlcGraph {
  ir::Graph graph{""};
  Trace trace;
  ir::TensorEncodings encodings;  // of a float graph: how its tensors are to be quantized
  // Of a quantized graph: what bandwidth compression leaves of its activations' bytes, as samples showed.
  std::optional<double> activation_share = {};
};

struct Dlc {
  std::vector<DlcGraph> graphs;
  std::string model_version;
  std::string copyright;
  std::string converter_command;  // with its arguments, as it was called
  std::string quantizer_command;
  std::string made_by;  // tool and version
};

Status write_dlc(const std::filesystem::path& path, const Dlc& dlc);
Result<Dlc> read_dlc(const std::filesystem::path& path);
// From bytes that `source` names in diagnostics.
Result<Dlc> read_dlc(std::span<const std::byte> bytes, std::string_view source);

// Whether bytes are a zip archive, as every `.dlc` is.
bool looks_like_dlc(std::span<const std::byte> bytes);

}  // namespace openqnn::frontend
