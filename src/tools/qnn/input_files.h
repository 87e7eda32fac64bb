// SPDX-License-Identifier: BSD-3-Clause
// The inputs of a run: one input list per graph, and their files as values of tensors.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  std::string_view option = "--use_native_input_files";      // how a user says that all are, for messages
};
Result<NativeInputs> native_inputs_of(const Args& args);
std::vector<OptionSpec> input_options();

// The list of every graph, in order; none for one that is skipped with "__". `given_by` is for messages:
// "--input_list".
Result<std::vector<std::optional<config::InputList>>> read_input_lists(const std::vector<std::string>& paths,
                                                                       const std::vector<std::string>& graphs,
                                                                       std::string_view given_by);

// Where the values of a graph's inputs come from.
class InputSource {
 public:
  InputSource() = default;
  InputSource(const InputSource&) = default;
  InputSource(InputSource&&) = default;
  InputSource& operator=(const InputSource&) = delete;
  InputSource& operator=(InputSource&&) = delete;
  virtual ~InputSource() = default;

  // How many executions have values of their own; further ones begin again.
  virtual size_t executions() const = 0;
  // Fills the buffer of input `tensor` for execution number `index`.
  virtual Status fill(size_t tensor, size_t index, std::span<std::byte> buffer) const = 0;
};

// Files, by an input list.
class ListedInputs : public InputSource {
 public:
  // `batches` of every tensor make one execution. The sizes of the files of the first line tell how many
  // lines are joined into one execution: files may hold all elements, or a part of the batch. All files are
  // looked at, so that nothing is executed when one is missing or has another size.
  static Result<ListedInputs> open(const RunnableGraph& graph, config::InputList list, std::string path,
                                   uint32_t batches, const NativeInputs& native);

  size_t executions() const override { return (list_.inferences.size() + lines_ - 1) / lines_; }
  // What the last lines do not fill is 0.
  Status fill(size_t tensor, size_t index, std::span<std::byte> buffer) const override;

 private:
  ListedInputs(const RunnableGraph& graph, config::InputList list, std::string path)
      : graph_(&graph), list_(std::move(list)), path_(std::move(path)) {}
  Status match(config::Inference& inference) const;
  Status choose_native(const NativeInputs& native);
  Status find_lines(uint32_t batches);
  Status check_sizes() const;
  Status check_integers() const;
  void tell_incomplete_batch() const;
  Diagnostic wrong_size(size_t tensor, const config::Inference& inference, uint64_t has) const;
  // What would make the file of a user fit.
  std::string size_remedy(size_t tensor, uint64_t has, uint32_t batches) const;
  Where place(const config::Inference& inference) const { return {path_, inference.line, 0}; }
  uint64_t file_bytes(size_t tensor, uint32_t batches) const;  // of one execution

  const RunnableGraph* graph_;
  config::InputList list_;
  std::string path_;
  std::string_view native_option_;
  std::vector<bool> native_;          // whether an input's files hold the tensor's own type
  size_t lines_ = 1;                  // that make one execution
  std::vector<uint64_t> line_bytes_;  // of an input's file in every line
};

}  // namespace openqnn::tools
