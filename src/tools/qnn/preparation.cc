// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/preparation.h"

#include "base/text.h"
#include "tools/interrupt.h"
#include "tools/program_options.h"

namespace openqnn::tools {

Result<ComposeWishes> output_wishes(const Args& args, std::string_view all_outputs) {
  OPENQNN_TRY(exclude(args, all_outputs, kOutputTensorsOption.name));
  ComposeWishes wishes;
  wishes.all_outputs = args.has(all_outputs);
  if (!args.has(kOutputTensorsOption.name)) return wishes;
  OPENQNN_ASSIGN(wishes.extra_outputs,
                 parse_names_by_graph(args.get(kOutputTensorsOption.name), kOutputTensorsOption.name));
  return wishes;
}

Result<std::vector<RunnableGraph>> compose_models(const Client& client, Models& models,
                                                  const ComposeWishes& wishes, GraphConfigs& configs) {
  ComposeWatch watch(client.api(), wishes);
  const Status composed =
      models.compose(watch, client.backend(), client.context(), configs, wishes.all_outputs);
  return watch.finish(composed);
}

Result<std::vector<RunnableGraph>> compose_models(const Client& client, Models& models,
                                                  const ComposeWishes& wishes, ToolConfig& config,
                                                  Profiling& profiling) {
  const uint64_t begun = host_microseconds();
  OPENQNN_ASSIGN(std::vector<RunnableGraph> graphs,
                 compose_models(client, models, wishes, config.graph_configs()));
  OPENQNN_TRY(config.check_graphs(names_of(graphs)));
  OPENQNN_TRY(profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_COMPOSE_GRAPHS, "", begun));
  return graphs;
}

Status finalize_graph(const Client& client, const RunnableGraph& graph, Profiling& profiling) {
  const uint64_t begun = host_microseconds();
  OPENQNN_ASSIGN(const Qnn_ProfileHandle_t profile, profiling.handle());
  let_signals_stop(client.api(), graph.handle);
  OPENQNN_TRY(or_interrupted(client.check(client.api().graphFinalize(graph.handle, profile, nullptr),
                                          concat("QnnGraph_finalize for '", graph.name, "'"))));
  return profiling.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE, graph.name, begun);
}

}  // namespace openqnn::tools
