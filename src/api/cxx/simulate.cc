// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/simulate.h"

#include <utility>

#include "api/cxx/impl.h"
#include "base/text.h"
#include "profile/report.h"
#include "profile/text_table.h"
#include "sim/power_history.h"

namespace openqnn {
namespace {

constexpr double kNanosPerMicro = 1000.0;

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

// The part a Program was prepared for, as it is known today.
Result<soc::Target> own_target(const program::Program& program) {
  if (!program.soc.empty()) return soc::target_by_chipset(program.soc);
  if (program.soc_model != 0) return soc::target_by_model(program.soc_model);
  return soc::target_by_arch(program.arch);
}

// A Schedule is cut for one part. A newer one with as much VTCM runs it as it is, others do not.
Status check_runs_on(const program::Program& program, const soc::Target& target) {
  const std::string part = part_name(target.soc, target.arch);
  const std::string origin = part_name(program.soc, program.arch);
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

std::string units_text(const profile::OpTotals& op) {
  std::string text;
  const auto add = [&](bool used, const char* name) {
    if (used) text += concat(text.empty() ? "" : "+", name);
  };
  add(op.hmx, "HMX");
  add(op.hvx, "HVX");
  add(op.scalar, "scalar");
  return text.empty() ? "-" : text;
}

std::vector<OpRow> rows_of(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<OpRow> rows;
  for (const profile::OpTotals& op : profile::op_totals(program, timeline)) {
    rows.push_back({.name = program.ops[op.op].name,
                    .type = program.ops[op.op].type,
                    .units = units_text(op),
                    .tiles = op.tiles,
                    .busy_cycles = op.busy.value,
                    .dma_cycles = op.dma.value,
                    .share_cycles = op.dominant.value,
                    .loaded_bytes = op.loaded.value,
                    .stored_bytes = op.stored.value,
                    .bound = std::string(sim::bound_name(op.bound))});
  }
  return rows;
}

// A part under the votes of a power profile; without one it is as after a warm call under burst.
struct VotedPart {
  soc::Target target;
  std::string profile;  // empty: nobody votes
  sim::PowerVote vote;
  soc::PowerModel model;
};

Result<VotedPart> under_profile(soc::Target target, const std::string& name) {
  VotedPart part{std::move(target), name, {}, {}};
  if (name.empty()) return part;
  OPENQNN_ASSIGN(const soc::PowerProfile profile, soc::find_profile(name));
  if (profile.kind == soc::ProfileKind::kInternal)
    return invalid("simulate-profile",
                   concat("'", name, "' is a state that votes fall to, and cannot be chosen"))
        .fix_by("`openqnn profiles` lists those that can");
  OPENQNN_ASSIGN(part.model, soc::power_model());
  OPENQNN_ASSIGN(part.vote, sim::vote_of(profile, part.model));
  const sim::AggregatedVote vote = sim::aggregate({&part.vote, 1});
  part.target = sim::target_under(part.target, sim::clocks_of(part.model, vote, sim::Load::kBusy));
  return part;
}

// What the votes add to a warm call: one that follows another at once.
void add_waiting(const VotedPart& part, sim::Timeline& timeline) {
  if (part.profile.empty()) return;
  sim::PowerDevice device(part.model);
  device.cast(0, part.vote);
  const sim::ExecuteTimes times{timeline.accelerator, timeline.client - timeline.accelerator};
  device.execute(times);
  const Nanos added = device.execute(times).added();
  timeline.rpc += added;
  timeline.client += added;
  timeline.model += concat(", under the votes of ", part.profile);
}

Result<Simulation> run(const ContextBinary::Impl& binary, const SimulateOptions& options) {
  OPENQNN_ASSIGN(const program::Program* const program, choose_graph(binary, options.graph));
  OPENQNN_ASSIGN(const soc::Target target,
                 options.soc.empty() ? own_target(*program) : soc::target_by_chipset(options.soc));
  if (!options.soc.empty()) OPENQNN_TRY(check_runs_on(*program, target));

  auto impl = std::make_shared<Simulation::Impl>();
  impl->program = *program;
  impl->prepared_for = part_name(program->soc, program->arch);
  impl->program.soc = target.soc;
  impl->program.soc_model = target.soc_model;
  impl->program.arch = target.arch;
  impl->assumptions = target.assumptions;
  OPENQNN_ASSIGN(const VotedPart part, under_profile(target, options.perf_profile));
  impl->timeline = sim::simulate(program->schedule, part.target, sim::PowerState::of(part.target));
  add_waiting(part, impl->timeline);
  const sim::Timeline& timeline = impl->timeline;
  impl->times = {.cycles = timeline.total.value,
                 .accelerator_us = static_cast<double>(timeline.accelerator.value) / kNanosPerMicro,
                 .rpc_us = static_cast<double>(timeline.rpc.value) / kNanosPerMicro,
                 .client_us = static_cast<double>(timeline.client.value) / kNanosPerMicro};
  impl->rows = rows_of(impl->program, timeline);
  return Simulation(std::move(impl));
}

}  // namespace

std::string part_name(const std::string& soc, uint32_t arch) { return soc.empty() ? concat("v", arch) : soc; }

const std::string& Simulation::graph() const { return impl_->program.graph; }
const std::string& Simulation::soc() const { return impl_->program.soc; }
uint32_t Simulation::arch() const { return impl_->program.arch; }
const std::string& Simulation::prepared_for() const { return impl_->prepared_for; }
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
