// SPDX-License-Identifier: BSD-3-Clause
// A context binary in a context: a model that was compiled here or read from a file, ready to run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/blob.h"
#include "base/result.h"
#include "config/op_packages.h"
#include "network/backend.h"
#include "network/network.h"
#include "tools/compose.h"
#include "tools/qnn/compose_watch.h"
#include "tools/session.h"

namespace openqnn::python {

struct CompileSettings {
  tools::DeviceChoice device;               // where the extensions file has no devices
  std::filesystem::path extensions_file;    // options of the backend; empty: its defaults
  std::filesystem::path data_formats_file;  // layouts of inputs and outputs; empty: as the models have them
  std::vector<config::OpPackage> op_packages;
  tools::ComposeWishes wishes;
  uint32_t log_level = 0;  // QNN_LOG_LEVEL_*; 0: no log
};

// What was said about the options that a model was compiled with, and by the backend's log.
struct Told {
  std::vector<std::string> warnings;
  std::vector<std::string> notes;
};

class CompiledNetwork {
 public:
  // All graphs of all networks into one context.
  static Result<std::shared_ptr<const CompiledNetwork>> compile(
      const std::vector<std::shared_ptr<const Network>>& networks, const CompileSettings& settings);
  static Result<std::shared_ptr<const CompiledNetwork>> load(const std::filesystem::path& path);
  Status save(const std::filesystem::path& path) const;

  const std::vector<tools::RunnableGraph>& graphs() const { return graphs_; }
  std::span<const std::byte> binary() const { return binary_.bytes(); }
  const Told& told() const { return told_; }

  // Values in the tensors' own types, one after the other in the graph's order. Threads may execute at the
  // same time.
  Status execute(size_t graph, std::span<const std::span<const std::byte>> inputs,
                 std::span<const std::span<std::byte>> outputs) const;

 private:
  CompiledNetwork() = default;
  Status start(Blob binary);  // into the session's context
  Status describe_graphs();

  Blob binary_;                              // outlives the context, which uses it in place
  std::unique_ptr<BackendOptions> options_;  // outlives the session; null: the backend's defaults
  Told told_;
  std::unique_ptr<tools::Session> session_;
  std::vector<tools::RunnableGraph> graphs_;
  // Of each graph, as execute takes them but for the memory.
  struct Tensors {
    std::vector<tools::DescribedTensor> inputs;
    std::vector<tools::DescribedTensor> outputs;
  };
  std::vector<Tensors> tensors_;
};

}  // namespace openqnn::python
