// SPDX-License-Identifier: BSD-3-Clause
// One thread of qnn-throughput-net-run: a backend, a context and a model of its own, executed in a loop.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/qnn/client.h"
#include "tools/qnn/executions.h"
#include "tools/qnn/input_files.h"
#include "tools/qnn/models.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/power.h"
#include "tools/qnn/throughput_plan.h"

namespace openqnn::tools {

// ---- Inputs and outputs of a loop that is measured: values kept in memory or made up, results compared and
// kept (throughput_io.cc) ----

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

// ---- The thread ----

struct ThreadResults {
  ExecutionTimes executions;
  uint64_t models_made = 0;
  std::map<std::string, Judgement> judgements;  // of graphs with a post-processor, by name
};

class ThroughputThread {
 public:
  // Opens everything, so that the loop finds it ready. `log_level` is that of the backend.
  static Result<std::unique_ptr<ThroughputThread>> open(const PlannedThread& plan,
                                                        std::optional<QnnLog_Level_t> log_level,
                                                        const TellFinding& tell);
  ~ThroughputThread();
  ThroughputThread(const ThroughputThread&) = delete;
  ThroughputThread& operator=(const ThroughputThread&) = delete;

  const PlannedThread& plan() const { return plan_; }
  // One iteration of the test, on the calling thread; ends early when `stop` becomes true.
  Status run(const std::atomic<bool>& stop);
  // When all is done: writes outputs that were kept for the end.
  Result<ThreadResults> finish();

 private:
  struct RunningGraph;  // a graph with its inputs, outputs and executions

  explicit ThroughputThread(const PlannedThread& plan);
  Status prepare(std::optional<QnnLog_Level_t> log_level, const TellFinding& tell);
  Status open_extension(const TellFinding& tell);
  std::vector<const QnnContext_Config_t*> context_configs();
  Status make_graphs();
  Result<std::vector<RunnableGraph>> load_graphs();
  Result<std::vector<RunnableGraph>> compose_graphs();
  Status check_places(const std::vector<RunnableGraph>& graphs,
                      const std::vector<std::optional<config::InputList>>& lists) const;
  Result<std::unique_ptr<InputSource>> inputs_for(const RunnableGraph& graph, size_t index,
                                                  std::optional<config::InputList> list) const;
  Result<std::unique_ptr<OutputFiles>> files_for(const RunnableGraph& graph, bool is_only);
  Status add_graph(RunnableGraph graph, size_t index, size_t count, std::optional<config::InputList> list);
  Status drop_graphs();
  Status run_round();
  void tell_older_results() const;

  const PlannedThread& plan_;
  std::unique_ptr<Extension> extension_;
  std::shared_ptr<const MappedFile> binary_;
  Models models_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<PowerVotes> votes_;
  QnnContext_Config_t own_options_[3];
  ExecutionOptions execution_;
  std::vector<std::unique_ptr<RunningGraph>> graphs_;
  std::map<std::string, OlderResults> older_;  // by graph, of those whose results are saved
  uint64_t rounds_ = 0;
  ThreadResults results_;
};

}  // namespace openqnn::tools
