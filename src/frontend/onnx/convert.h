// SPDX-License-Identifier: BSD-3-Clause
// The door of the ONNX front end: a model becomes a graph of the backend's ops, in float.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/onnx/import.h"
#include "frontend/onnx/order.h"
#include "frontend/trace.h"
#include "ir/graph.h"

namespace openqnn::frontend::onnx {

struct ConvertOptions {
  ImportOptions import;
  std::string graph_name;  // empty: that of the file
  // The order in which the client passes an input or takes an output, by name; the model's own where none is
  // given.
  std::map<std::string, Order> input_orders;
  std::map<std::string, Order> output_orders;
  bool channel_last_images = false;       // of rank 4, where the two above name none
  std::set<std::string> without_fusions;  // by name (fuse/fusion.h)
  bool shapes_only = false;               // weights have no values, and files beside the model are not opened
};

struct Conversion {
  std::optional<ir::Graph> graph;  // none when a node was refused
  Trace trace;
  ir::TensorEncodings encodings;  // what a quantized model says, by tensor of the graph
  std::vector<Refusal> refusals;
  std::vector<Unjudged> unjudged;  // behind those
  std::vector<std::string> notes;
  std::vector<std::string> chosen_dims;  // by the client, not by the model: see Imported
  std::vector<std::string> fusions;      // that were made: "batch_norm: node"
};

// Fails where no model can be made out; what of it cannot be computed is in `refusals`.
Result<Conversion> convert(const Model& model, ExternalFiles& files, const std::string& graph_name,
                           const ConvertOptions& options);

// The same from a file; external data is beside it. The graph is named after the file where the options name
// none.
Result<Conversion> convert_file(const std::filesystem::path& path, const ConvertOptions& options);
// The same from memory, which may go afterwards. There is no external data, and a graph without a name is
// called "model".
Result<Conversion> convert_bytes(Bytes bytes, const ConvertOptions& options);

// Where diagnostics say that such bytes are.
inline constexpr std::string_view kBytesInMemory = "the model's bytes";

// One error that lists every refused node with its reason. Where dimensions that the client chose may be the
// reason, they are what it blames.
Diagnostic refused_nodes(const Conversion& conversion);

}  // namespace openqnn::frontend::onnx
