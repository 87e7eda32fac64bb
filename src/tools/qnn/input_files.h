// SPDX-License-Identifier: BSD-3-Clause
// The inputs of a run: one input list per graph, and their files as values of tensors.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/input_list.h"
#include "tools/args.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::tools {

// Which files hold values in the tensor's own type instead of float32.
struct NativeInputs {
  bool all = false;
  std::map<std::string, std::vector<std::string>> by_graph;  // "" stands for the only graph
};
Result<NativeInputs> native_inputs_of(const Args& args);
std::vector<OptionSpec> input_options();

// The list of every graph, in order; none for one that is skipped with "__".
Result<std::vector<std::optional<config::InputList>>> read_input_lists(
    const Args& args, const std::vector<std::string>& graphs);

// What one graph is run on.
class InputFiles {
 public:
  // `batches` of every tensor make one execution. Looks at the sizes of the files of the first line, which
  // tell how many lines are joined into one execution: files may hold all elements, or a part of the batch.
  static Result<InputFiles> open(const RunnableGraph& graph, config::InputList list, std::string path,
                                 uint32_t batches, const NativeInputs& native);

  size_t executions() const { return (list_.inferences.size() + lines_ - 1) / lines_; }
  // Fills the buffer of input `tensor` for execution number `index`; what the last lines do not fill is 0.
  Status fill(size_t tensor, size_t index, std::span<std::byte> buffer) const;

 private:
  InputFiles(const RunnableGraph& graph, config::InputList list, std::string path)
      : graph_(&graph), list_(std::move(list)), path_(std::move(path)) {}
  Status match(const config::Inference& inference);
  Status find_lines(uint32_t batches);
  Where place(const config::Inference& inference) const { return {path_, inference.line, 0}; }
  uint64_t file_bytes(size_t tensor, uint32_t batches) const;  // of one execution

  const RunnableGraph* graph_;
  config::InputList list_;
  std::string path_;
  std::vector<size_t> file_of_input_;  // which file of a line belongs to an input
  std::vector<bool> native_;           // whether it holds the tensor's own type
  size_t lines_ = 1;                   // that make one execution
};

}  // namespace openqnn::tools
