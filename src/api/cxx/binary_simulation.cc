// SPDX-License-Identifier: BSD-3-Clause
// The graphs of a context binary on a part.
#include "api/cxx/impl.h"
#include "api/cxx/simulation.h"
#include "base/text.h"
#include "program/part.h"

namespace openqnn {
namespace {

std::string graph_names(const std::vector<GraphInfo>& graphs) {
  std::string names;
  for (const GraphInfo& graph : graphs) append_item(names, "'", graph.name, "'");
  return names;
}

// Its place in the set.
Result<size_t> choose_graph(const ContextBinary::Impl& binary, const std::string& name) {
  if (name.empty()) {
    if (binary.set.programs.size() == 1) return size_t{0};
    if (binary.set.programs.empty())
      return invalid("simulate-no-graph", "the context binary holds no graph").at(binary.path);
    return invalid("simulate-which-graph",
                   concat("the context binary holds ", binary.graphs.size(), " graphs and none was named"))
        .at(binary.path)
        .fix_by(concat("name one of ", graph_names(binary.graphs)));
  }
  for (size_t i = 0; i < binary.set.programs.size(); ++i)
    if (binary.set.programs[i]->graph == name) return i;
  return invalid("simulate-no-such-graph", concat("there is no graph '", name, "'"))
      .at(binary.path)
      .fix_by(concat("it holds ", graph_names(binary.graphs)));
}

Result<Simulation> run(const ContextBinary::Impl& binary, const std::string& graph, const std::string& soc,
                       const Conditions& conditions) {
  OPENQNN_ASSIGN(const size_t index, choose_graph(binary, graph));
  const program::Program& program = *binary.set.programs[index];
  OPENQNN_ASSIGN(const soc::Target target,
                 soc.empty() ? program::part_of(program) : soc::target_by_chipset(soc));
  if (!soc.empty()) OPENQNN_TRY(program::check_runs_on(program, target));
  return simulation_of(binary.set, index, target, binary.file->bytes().size(), conditions);
}

}  // namespace

Result<Simulation> simulation_of(const ContextBinary::Impl& binary, const std::string& graph,
                                 const std::string& soc, const Conditions& conditions) {
  auto simulation = run(binary, graph, soc, conditions);
  if (simulation || !simulation.error().where.empty()) return simulation;
  Diagnostic failure = std::move(simulation).error();
  failure.where = {binary.path};
  return failure;
}

}  // namespace openqnn
