// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/simulate.h"

#include <algorithm>
#include <utility>

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

Result<const program::Program*> choose_graph(const ContextBinary::Impl& binary, const std::string& name) {
  if (name.empty()) {
    if (binary.set.programs.size() == 1) return binary.set.programs[0].get();
    if (binary.set.programs.empty())
      return invalid("simulate-no-graph", "the context binary holds no graph").at(binary.path);
    return invalid("simulate-which-graph",
                   concat("the context binary holds ", binary.graphs.size(), " graphs and none was named"))
        .at(binary.path)
        .fix_by(concat("name one of ", graph_names(binary.graphs)));
  }
  for (const auto& program : binary.set.programs)
    if (program->graph == name) return program.get();
  return invalid("simulate-no-such-graph", concat("there is no graph '", name, "'"))
      .at(binary.path)
      .fix_by(concat("it holds ", graph_names(binary.graphs)));
}

// A Schedule is cut for one part. A newer one with as much VTCM runs it as it is, others do not.
Status check_runs_on(const program::Program& program, const soc::Target& target) {
  const std::string part = soc::part_name(target);
  const std::string origin = program::part_name(program);
  if (target.arch < program.arch)
    return unsupported("simulate-older-part",
                       concat("graph '", program.graph, "' was prepared for ", origin, " (v", program.arch,
                              "), which ", part, " (v", target.arch, ") cannot run"))
        .fix_by("prepare the model for that part");
  if (target.vtcm.value < program.schedule.vtcm_bytes)
    return unsupported("simulate-vtcm",
                       concat("graph '", program.graph, "' was prepared for ", origin, " with ",
                              profile::memory_text(program.schedule.vtcm_bytes), " of VTCM; ", part, " has ",
                              profile::memory_text(target.vtcm.value)))
        .fix_by("prepare the model for that part");
  return {};
}

Result<Simulation> run(const ContextBinary::Impl& binary, const SimulateOptions& options) {
  OPENQNN_ASSIGN(const program::Program* const program, choose_graph(binary, options.graph));
  OPENQNN_ASSIGN(const soc::Target target,
                 options.soc.empty() ? program::part_of(*program) : soc::target_by_chipset(options.soc));
  if (!options.soc.empty()) OPENQNN_TRY(check_runs_on(*program, target));

  const auto index = static_cast<size_t>(
      std::ranges::find(binary.set.programs, program, &std::shared_ptr<const program::Program>::get) -
      binary.set.programs.begin());
  return simulation_of(binary.set, index, target, binary.file->bytes().size(),
                       {options.perf_profile, options.level, options.rpc_polling_us,
                        options.rpc_control_latency_us, options.adaptive_polling_us});
}

}  // namespace

const std::string& Simulation::graph() const { return impl_->program.graph; }
const std::string& Simulation::soc() const { return impl_->program.soc; }
uint32_t Simulation::arch() const { return impl_->program.arch; }
const std::string& Simulation::prepared_for() const { return impl_->prepared_for; }
uint32_t Simulation::soc_model() const { return impl_->program.soc_model; }
const Preparation& Simulation::preparation() const { return impl_->preparation; }
const BoundShares& Simulation::bound() const { return impl_->bound; }
const SimulatedMemory& Simulation::memory() const { return impl_->memory; }
const std::string& Simulation::source() const { return impl_->source; }
double Simulation::clock_hz() const { return impl_->timeline.power.clock_hz; }
const SimulatedTimes& Simulation::times() const { return impl_->times; }
const std::vector<OpRow>& Simulation::rows() const { return impl_->rows; }
const std::string& Simulation::model() const { return impl_->timeline.model; }
double Simulation::error_band() const { return impl_->timeline.error_band; }
const std::vector<std::string>& Simulation::assumptions() const { return impl_->assumptions; }

Expected<Simulation> simulate(const ContextBinary& binary, const SimulateOptions& options) {
  auto simulation = run(*binary.impl(), options);
  if (!simulation) return to_error(simulation.error(), binary.path());
  return *std::move(simulation);
}

}  // namespace openqnn
