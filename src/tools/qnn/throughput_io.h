// SPDX-License-Identifier: BSD-3-Clause
// Inputs and outputs of a loop that is measured: values kept in memory or made up, results compared and kept.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "tools/qnn/input_files.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/throughput_plan.h"

namespace openqnn::tools {

// The same values in every run: from 0 to 1 where the tensor holds real numbers, else 0.
class RandomInputs : public InputSource {
 public:
  explicit RandomInputs(const RunnableGraph& graph) : graph_(graph) {}
  size_t executions() const override { return 1; }
  Status fill(size_t tensor, size_t index, std::span<std::byte> buffer) const override;

 private:
  const RunnableGraph& graph_;
};

// Everything of another source, read once.
class KeptInputs : public InputSource {
 public:
  static Result<std::unique_ptr<KeptInputs>> read(const RunnableGraph& graph, const InputSource& source);
  size_t executions() const override { return values_.size(); }
  Status fill(size_t tensor, size_t index, std::span<std::byte> buffer) const override;

 private:
  std::vector<std::vector<std::vector<std::byte>>> values_;  // by execution and tensor
};

// What the outputs of a graph differ from the first result of the same input.
struct Judgement {
  uint64_t compared = 0;                                               // outputs
  double worst = 0;                                                    // mean square of one of them
  std::map<std::pair<size_t, size_t>, std::vector<float>> references;  // by input and output
};

// Compares every result with the first one of the same input, and saves those that are to be.
class JudgedOutputs : public OutputSink {
 public:
  // `judgement` is null without a post-processor, `files` when nothing is saved.
  static Result<std::unique_ptr<JudgedOutputs>> open(const RunnableGraph& graph, size_t inputs,
                                                     PostProcessor post_processor, Judgement* judgement,
                                                     SaveOutput save, std::unique_ptr<OutputFiles> files);
  Status take(size_t execution, size_t tensor, std::span<const std::byte> values) override;
  // Writes the last result, when that one is to be saved.
  Status finish() const;

 private:
  explicit JudgedOutputs(const RunnableGraph& graph) : graph_(graph) {}
  void compare(size_t input, size_t tensor, std::span<const std::byte> values);
  std::vector<float> numbers_of(size_t tensor, std::span<const std::byte> values) const;

  const RunnableGraph& graph_;
  size_t inputs_ = 1;
  PostProcessor post_processor_ = PostProcessor::kNone;
  Judgement* judgement_ = nullptr;
  SaveOutput save_ = SaveOutput::kNone;
  std::unique_ptr<OutputFiles> files_;
  std::map<size_t, std::vector<std::byte>> last_;  // by tensor
  size_t last_execution_ = 0;
};

}  // namespace openqnn::tools
