// SPDX-License-Identifier: BSD-3-Clause
#include "advise/what_if.h"

#include "ops/op.h"

namespace openqnn::advise {

Result<TimedProgram> timed(const ir::Graph& graph, const soc::Target& target, const prepare::Options& options,
                           const Logger& log) {
  TimedProgram made;
  OPENQNN_ASSIGN(made.set, prepare::prepare(graph, target, options, log));
  made.timeline = sim::simulate(made.program().schedule, target, sim::PowerState::of(target));
  return made;
}

Result<double> what_if(const Given& given, const ir::Graph& graph, const prepare::Options& options) {
  for (const ir::Node& node : graph.nodes()) OPENQNN_TRY(ops::validate(node.type, ops::call_of(graph, node)));
  OPENQNN_ASSIGN(const TimedProgram made, timed(graph, given.target, options, Logger()));
  return in_micros(made.timeline.accelerator);
}

}  // namespace openqnn::advise
