// SPDX-License-Identifier: BSD-3-Clause
// The graphs of a context binary on a part.
#include "api/cxx/impl.h"
#include "api/cxx/simulation.h"
#include "base/text.h"
#include "profile/text_table.h"
#include "program/part.h"

namespace openqnn {
namespace {

std::string graph_names(const std::vector<GraphInfo>& graphs) {
  std::string names;
  for (const GraphInfo& graph : graphs) names += concat(names.empty() ? "'" : ", '", graph.name, "'");
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

// A Schedule is cut for one part. A newer one with as much VTCM runs it as it is, others do not.
Status check_runs_on(const program::Program& program, const soc::Target& target) {
  const std::string part = soc::part_name(target);
  const std::string origin = program::part_name(program);
  if (target.arch < program.arch)
    return unsupported("simulate-older-part", concat("graph '", program.graph, "' was prepared for ",
                                                     soc::part_and_arch(program.soc, program.arch),
                                                     ", which ", part_and_arch(target), " cannot run"))
        .fix_by("prepare the model for that part");
  if (target.vtcm.value < program.schedule.vtcm_bytes)
    return unsupported("simulate-vtcm",
                       concat("graph '", program.graph, "' was prepared for ", origin, " with ",
                              profile::memory_text(program.schedule.vtcm_bytes), " of VTCM; ", part, " has ",
                              profile::memory_text(target.vtcm.value)))
        .fix_by("prepare the model for that part");
  return {};
}

Result<Simulation> run(const ContextBinary::Impl& binary, const std::string& graph, const std::string& soc,
                       const Conditions& conditions) {
  OPENQNN_ASSIGN(const size_t index, choose_graph(binary, graph));
  const program::Program& program = *binary.set.programs[index];
  OPENQNN_ASSIGN(const soc::Target target,
                 soc.empty() ? program::part_of(program) : soc::target_by_chipset(soc));
  if (!soc.empty()) OPENQNN_TRY(check_runs_on(program, target));
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
