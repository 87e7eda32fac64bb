// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves: Result_<i>/<tensor>.raw, and execution_metadata.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
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
// Refuses graphs of one run whose folders would be one.
Status check_folders_of(const std::vector<std::string>& graphs);

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
  // Of all files of one execution.
  std::vector<std::string> file_names() const;

 private:
  OutputFiles(const RunnableGraph& graph, std::filesystem::path folder, OutputForms forms)
      : graph_(&graph), folder_(std::move(folder)), forms_(forms) {}

  const RunnableGraph* graph_;
  std::filesystem::path folder_;
  OutputForms forms_;
};

// Which executions' results a run wrote.
struct WrittenResults {
  uint64_t first = 0;
  uint64_t count = 0;
};

// Results that an earlier run left in a folder. Ours: those with the same number are replaced, all others are
// left, because they are a user's; both are said, so that nobody takes them for this run's.
class OlderResults {
 public:
  // Looked for before the run, which writes files of these names into a result's folder.
  OlderResults(std::filesystem::path folder, std::vector<std::string> file_names);
  // `folder_given_by` is how a user chooses another folder: "--output_dir".
  void tell(const WrittenResults& written, std::string_view folder_given_by) const;

 private:
  struct Result {
    uint64_t number = 0;
    std::string foreign;  // a file that this run does not write; empty: none
  };
  void tell_left(const WrittenResults& written, std::string_view folder_given_by) const;
  void tell_foreign(const WrittenResults& written) const;

  std::filesystem::path folder_;
  std::vector<std::string> file_names_;
  std::vector<Result> results_;  // by number
};

struct GraphRun {
  const RunnableGraph* graph = nullptr;
  uint64_t inferences = 0;
};
Status write_metadata(const std::filesystem::path& folder, const std::vector<GraphRun>& runs);

// Of the files that runs write by the thousand: writes one, and makes its folder where there is none. Unlike
// write_file without a sync and a rename: repeating a run is easy, and a sync may take half a second on a
// busy disk. What an earlier run left is overwritten in its place and cut afterwards: a file that is emptied
// or replaced goes to the disk as soon as it is closed (ext4), for which small inferences would wait. Where
// writing fails, the file is left empty; only a run that is killed in the middle of a write (SIGKILL) leaves
// older values behind newer ones.
Status write_result(const std::filesystem::path& path, std::span<const std::byte> values);

}  // namespace openqnn::tools
