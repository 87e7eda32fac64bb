// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "openqnn/version.h"
#include "quant/overrides.h"
#include "tools/convert/half.h"
#include "tools/convert/quantization.h"

namespace openqnn::python {
namespace {

namespace fs = std::filesystem;

tools::IoTensor described(const ir::Tensor& tensor, const frontend::Trace& trace) {
  tools::IoTensor made;
  made.tensor = tensor;
  made.source = frontend::source_of(trace, tensor.name);
  made.native_only = ir::is_quantized(tensor.desc.type) && tensor.desc.quantization.encodings.size() != 1;
  return made;
}

// Calibration runs one graph in single precision.
Status check_quantizable(const Network& network) {
  if (network.graphs().size() != 1) {
    return unsupported("quantize-graphs", concat("the model has ", network.graphs().size(), " graphs"))
        .fix_by("quantize a model of one graph");
  }
  if (network.is_quantized()) return tools::convert::already_quantized();  // at its edges alone, too
  return tools::convert::check_quantizable(network.graphs()[0].graph, "convert without float_precision=16");
}

}  // namespace

Result<std::shared_ptr<const Network>> Network::convert(const fs::path& path,
                                                        const ConversionSettings& settings) {
  OPENQNN_ASSIGN(tools::FloatModel model, tools::convert_onnx(path, settings.options));
  return made_of(std::move(model), settings);
}

Result<std::shared_ptr<const Network>> Network::convert(std::span<const std::byte> bytes,
                                                        const ConversionSettings& settings) {
  OPENQNN_ASSIGN(tools::FloatModel model, tools::convert_onnx(bytes, settings.options));
  return made_of(std::move(model), settings);
}

Result<std::shared_ptr<const Network>> Network::made_of(tools::FloatModel model,
                                                        const ConversionSettings& settings) {
  if (settings.half) {
    OPENQNN_ASSIGN(model.graph.graph, tools::convert::in_half(model.graph.graph, /*keep_io=*/false));
  }
  frontend::Dlc dlc;
  dlc.graphs.push_back(std::move(model.graph));
  auto network = std::make_shared<Network>(std::move(dlc));
  network->notes_ = std::move(model.notes);
  network->fusions_ = std::move(model.fusions);
  if (!settings.encodings_file.empty()) OPENQNN_TRY(network->add_encodings(settings.encodings_file));
  return std::shared_ptr<const Network>(std::move(network));
}

Result<std::shared_ptr<const Network>> Network::read(const fs::path& path) {
  OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(path));
  return std::shared_ptr<const Network>(std::make_shared<Network>(std::move(dlc)));
}

Status Network::add_encodings(const fs::path& path) {
  frontend::DlcGraph& graph = dlc_.graphs[0];
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_ASSIGN(const quant::EncodingsFile file, quant::read_encodings(text, path.string()));
  OPENQNN_ASSIGN(quant::MatchedEncodings matched, quant::match_encodings(file, graph.graph, graph.trace));
  for (auto& [name, override] : matched.overrides)
    graph.encodings[name] = {override.type, std::move(override.quantization)};
  for (const std::string& name : matched.unmatched)
    notes_.push_back(concat(path.string(), " names '", name, "', which is no tensor of the model"));
  return {};
}

Result<frontend::DlcGraph> Network::own_graph(size_t index) const {
  const frontend::DlcGraph& from = dlc_.graphs.at(index);
  frontend::DlcGraph made{ir::Graph(from.graph.name()), from.trace, from.encodings, from.activation_share};
  for (ir::Tensor tensor : from.graph.tensors()) {
    if (tensor.data)
      tensor.data = Blob::made_by(tensor.data.size(), [shared = tensor.data] {
        const auto bytes = shared.bytes();
        return std::vector<std::byte>(bytes.begin(), bytes.end());
      });
    OPENQNN_TRY(made.graph.add_tensor(std::move(tensor)));
  }
  for (const ir::Node& node : from.graph.nodes()) OPENQNN_TRY(made.graph.add_node(node));
  return made;
}

Status Network::save(const fs::path& path) const {
  frontend::Dlc dlc = dlc_;
  for (size_t i = 0; i < dlc.graphs.size(); ++i) {
    OPENQNN_ASSIGN(dlc.graphs[i], own_graph(i));
  }
  dlc.made_by = concat("openqnn ", version());
  return frontend::write_dlc(path, dlc);
}

std::vector<tools::RunnableGraph> Network::descriptions() const {
  std::vector<tools::RunnableGraph> all;
  for (const frontend::DlcGraph& graph : dlc_.graphs) {
    tools::RunnableGraph& made = all.emplace_back();
    made.name = graph.graph.name();
    for (const ir::Tensor& tensor : graph.graph.tensors()) {
      if (tensor.role == ir::TensorRole::kInput) made.inputs.push_back(described(tensor, graph.trace));
      if (tensor.role == ir::TensorRole::kOutput) made.outputs.push_back(described(tensor, graph.trace));
    }
  }
  return all;
}

bool Network::is_quantized() const {
  return std::any_of(dlc_.graphs.begin(), dlc_.graphs.end(),
                     [](const frontend::DlcGraph& graph) { return tools::is_quantized(graph.graph); });
}

bool Network::has_encodings() const {
  return std::any_of(dlc_.graphs.begin(), dlc_.graphs.end(),
                     [](const frontend::DlcGraph& graph) { return !graph.encodings.empty(); });
}

// ---- Quantizing ----

Result<std::unique_ptr<Quantizer>> Quantizer::start(std::shared_ptr<const Network> network) {
  OPENQNN_TRY(check_quantizable(*network));
  OPENQNN_ASSIGN(frontend::DlcGraph graph, network->own_graph(0));
  return std::unique_ptr<Quantizer>(new Quantizer(std::move(network), std::move(graph)));
}

Quantizer::Quantizer(std::shared_ptr<const Network> network, frontend::DlcGraph graph)
    : network_(std::move(network)), graph_(std::move(graph)), calibrator_(graph_.graph) {
  const std::vector<ir::Tensor>& tensors = graph_.graph.tensors();
  for (ir::TensorIndex i = 0; i < tensors.size(); ++i)
    if (tensors[i].role == ir::TensorRole::kInput) inputs_.push_back(i);
}

Status Quantizer::add(std::span<const std::span<const std::byte>> inputs) {
  if (inputs.size() != inputs_.size())
    return internal("calibration-inputs", "a sample has another number of inputs than the model");
  quant::Inputs values;
  for (size_t i = 0; i < inputs.size(); ++i) values[inputs_[i]] = inputs[i];
  if (first_.values.empty())
    for (const auto& [tensor, bytes] : values) first_.values[tensor].assign(bytes.begin(), bytes.end());
  return calibrator_.add(values);
}

Result<std::shared_ptr<const Network>> Quantizer::finish(const quant::Options& options) const {
  const frontend::DlcGraph& graph = network_->graphs()[0];
  OPENQNN_ASSIGN(tools::PreparedModel prepared, tools::quantized_as_seen(options, graph, calibrator_.seen()));
  std::optional<double> share;
  if (!first_.values.empty()) {
    OPENQNN_ASSIGN(share, tools::convert::activation_share(prepared.graph, graph.graph, first_));
  }
  frontend::Dlc dlc;
  dlc.graphs.push_back({std::move(prepared.graph), graph.trace, {}, share});
  auto made = std::make_shared<Network>(std::move(dlc));
  made->notes_ = network_->notes_;
  for (const std::string& name : calibrator_.not_finite())
    made->notes_.push_back(
        concat("'", name, "' was infinite or no number in some sample; such values do not count"));
  made->fusions_ = network_->fusions_;
  made->float_ops_ = tools::lines_of(prepared.float_nodes, tools::FloatNodeList::kAll);
  return std::shared_ptr<const Network>(std::move(made));
}

}  // namespace openqnn::python
