// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves: Result_<i>/<tensor>.raw, and execution_metadata.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::tools {

// --use_native_output_files and --output_data_type: float32 as <tensor>.raw, the tensor's own type as
// <tensor>_native.raw, or both.
struct OutputForms {
  bool floats = true;
  bool native = false;
};
Result<OutputForms> output_forms_of(const Args& args);
std::vector<OptionSpec> output_options();

// Letters, digits, '_', '-' and '.' of a tensor's name; '_' for all else, so that it names a file.
std::string file_name_of(const std::string& tensor);

// Where the results of executions go.
class OutputSink {
 public:
  OutputSink() = default;
  OutputSink(const OutputSink&) = default;
  OutputSink(OutputSink&&) = default;
  OutputSink& operator=(const OutputSink&) = delete;
  OutputSink& operator=(OutputSink&&) = delete;
  virtual ~OutputSink() = default;

  virtual Status take(size_t execution, size_t tensor, std::span<const std::byte> values) = 0;
};

class OutputFiles : public OutputSink {
 public:
  // Refuses outputs that cannot be written as float32, and names that fall together as files.
  static Result<OutputFiles> open(const RunnableGraph& graph, std::filesystem::path folder,
                                  OutputForms forms);

  Status take(size_t execution, size_t tensor, std::span<const std::byte> values) override {
    return write(execution, tensor, values);
  }
  Status write(size_t execution, size_t tensor, std::span<const std::byte> values) const;

 private:
  OutputFiles(const RunnableGraph& graph, std::filesystem::path folder, OutputForms forms)
      : graph_(&graph), folder_(std::move(folder)), forms_(forms) {}

  const RunnableGraph* graph_;
  std::filesystem::path folder_;
  OutputForms forms_;
};

// Results that an earlier run left in a folder. Ours: those with the same number are replaced, all others are
// left, because they are a user's; both are said, so that nobody takes them for this run's.
class OlderResults {
 public:
  explicit OlderResults(std::filesystem::path folder);  // looked for before the run
  void tell(uint64_t written) const;                    // how many results this run wrote, from 0 on

 private:
  std::filesystem::path folder_;
  std::vector<uint64_t> numbers_;  // ascending
};

struct GraphRun {
  const RunnableGraph* graph = nullptr;
  uint64_t inferences = 0;
};
Status write_metadata(const std::filesystem::path& folder, const std::vector<GraphRun>& runs);

}  // namespace openqnn::tools
