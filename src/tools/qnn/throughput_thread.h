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
#include "tools/qnn/models.h"
#include "tools/qnn/power.h"
#include "tools/qnn/throughput_io.h"
#include "tools/qnn/throughput_plan.h"

namespace openqnn::tools {

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
  Status add_graph(RunnableGraph graph, size_t index, size_t count,
                   std::vector<std::optional<config::InputList>>& lists);
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
