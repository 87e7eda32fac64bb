// SPDX-License-Identifier: BSD-3-Clause
// A converted model as Python holds it: the graphs of a .dlc, float or quantized. It never changes;
// quantizing it makes another one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/dlc/dlc.h"
#include "frontend/onnx/convert.h"
#include "quant/calibrate.h"
#include "tools/model_job.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::python {

struct ConversionSettings {
  frontend::onnx::ConvertOptions options;
  std::filesystem::path encodings_file;  // JSON; empty: none
  bool half = false;                     // float tensors become half floats
};

class Network {
 public:
  explicit Network(frontend::Dlc dlc) : dlc_(std::move(dlc)) {}
  static Result<std::shared_ptr<const Network>> convert(const std::filesystem::path& path,
                                                        const ConversionSettings& settings);
  // From an ONNX model in memory, which may go afterwards.
  static Result<std::shared_ptr<const Network>> convert(std::span<const std::byte> bytes,
                                                        const ConversionSettings& settings);
  static Result<std::shared_ptr<const Network>> read(const std::filesystem::path& path);
  Status save(const std::filesystem::path& path) const;

  const std::vector<frontend::DlcGraph>& graphs() const { return dlc_.graphs; }
  // A graph whose weights are the caller's alone. Whoever works on a graph gives memory of weights back as
  // soon as he has used them, which nobody else may look at then; Python's threads share networks.
  Result<frontend::DlcGraph> own_graph(size_t index) const;
  // Their inputs and outputs; no backend has seen them, so there are no handles and ids.
  std::vector<tools::RunnableGraph> descriptions() const;
  bool is_quantized() const;
  bool has_encodings() const;  // of float tensors, from the model or a file

  // What happened on the way here, for people.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& fusions() const { return fusions_; }
  // "name (type): reason" of nodes that stayed in float when the network was quantized.
  const std::vector<std::string>& float_ops() const { return float_ops_; }

 private:
  friend class Quantizer;
  static Result<std::shared_ptr<const Network>> made_of(tools::FloatModel model,
                                                        const ConversionSettings& settings);
  Status add_encodings(const std::filesystem::path& path);

  frontend::Dlc dlc_;
  std::vector<std::string> notes_;
  std::vector<std::string> fusions_;
  std::vector<std::string> float_ops_;
};

// Runs a float network on one sample after the other, then makes the quantized one.
class Quantizer {
 public:
  static Result<std::unique_ptr<Quantizer>> start(std::shared_ptr<const Network> network);

  // The values of every input, in order, in the tensors' own types.
  Status add(std::span<const std::span<const std::byte>> inputs);
  Result<std::shared_ptr<const Network>> finish(const quant::Options& options) const;

 private:
  Quantizer(std::shared_ptr<const Network> network, frontend::DlcGraph graph);

  const std::shared_ptr<const Network> network_;
  const frontend::DlcGraph graph_;
  std::vector<ir::TensorIndex> inputs_;
  quant::Calibrator calibrator_;
  tools::Sample first_;  // on which activations are measured (DLBC)
};

}  // namespace openqnn::python
