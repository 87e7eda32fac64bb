// SPDX-License-Identifier: BSD-3-Clause
#include "api/cxx/simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "api/cxx/impl.h"
#include "base/text.h"
#include "prepare/dlbc.h"
#include "profile/figures.h"
#include "profile/report.h"
#include "program/memory_needs.h"
#include "program/part.h"
#include "sim/power_history.h"

namespace openqnn {
namespace {

std::vector<OpRow> rows_of(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<OpRow> rows;
  for (const profile::OpTotals& op : profile::op_totals(program, timeline)) {
    rows.push_back({.name = program.ops[op.op].name,
                    .type = program.ops[op.op].type,
                    .units = profile::units_text(op),
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

SimulatedTimes times_of(const sim::Timeline& timeline) {
  return {.cycles = timeline.total.value,
          .accelerator_us = in_micros(timeline.accelerator),
          .rpc_us = in_micros(timeline.rpc),
          .client_us = in_micros(timeline.client)};
}

BoundShares shares_of(const sim::Timeline& timeline) {
  if (timeline.total == Cycles{}) return {.overhead = 1};
  const profile::BoundCycles cycles = profile::bound_cycles(timeline);
  const auto share = [&](sim::Bound bound) {
    return static_cast<double>(cycles[static_cast<size_t>(bound)].value) /
           static_cast<double>(timeline.total.value);
  };
  return {.hmx = share(sim::Bound::kHmx),
          .hvx = share(sim::Bound::kHvx),
          .dma = share(sim::Bound::kDma),
          .ddr = share(sim::Bound::kDdr),
          .overhead = share(sim::Bound::kOverhead)};
}

// What Program and Timeline tell.
void sum_up(Simulation::Impl& impl) {
  const program::Schedule& schedule = impl.program.schedule;
  impl.preparation = {.optimization = impl.program.optimization,
                      .vtcm_bytes = schedule.vtcm_bytes,
                      .hvx_threads = schedule.hvx_threads};
  impl.times = times_of(impl.timeline);
  impl.rows = rows_of(impl.program, impl.timeline);
  impl.bound = shares_of(impl.timeline);
  impl.memory.ddr_bytes = profile::ddr_traffic(schedule).value;
  impl.memory.vtcm_peak_bytes = profile::vtcm_peak(schedule, impl.timeline).value;
}

sim::ModelLevel level_of(SimulationLevel level) {
  return level == SimulationLevel::kRoofline ? sim::ModelLevel::kRoofline : sim::ModelLevel::kEvent;
}

constexpr std::string_view kWarmProfile = "burst";

// A part under the votes of a power profile; without one it is as after a warm call under burst.
struct VotedPart {
  soc::Target target;
  std::string votes;  // for people: "balanced, rpc_polling_time 0"; empty: nobody votes
  sim::PowerVote vote;
  soc::PowerModel model;
};

// "balanced, rpc_polling_time 0": options by the names of the configuration files.
std::string votes_text(const std::string& profile, const Conditions& conditions) {
  std::string text = profile;
  const auto add = [&](std::string_view option, const std::optional<uint32_t>& value) {
    if (value) text += concat(", ", option, " ", *value);
  };
  add("rpc_polling_time", conditions.rpc_polling_us);
  add("rpc_control_latency", conditions.rpc_control_latency_us);
  add("adaptive_polling_time", conditions.adaptive_polling_us);
  return text;
}

void take_over(const std::optional<uint32_t>& vote, std::optional<uint32_t>& of_profile) {
  if (vote) of_profile = vote;
}

Result<VotedPart> under_votes(soc::Target target, const Conditions& conditions) {
  VotedPart part{std::move(target), "", {}, {}};
  if (!conditions.votes()) return part;
  const std::string name =
      conditions.perf_profile.empty() ? std::string(kWarmProfile) : conditions.perf_profile;
  part.votes = votes_text(name, conditions);
  OPENQNN_ASSIGN(const soc::PowerProfile profile, soc::find_profile(name));
  if (profile.kind == soc::ProfileKind::kInternal)
    return invalid("simulate-profile",
                   concat("'", name, "' is a state that votes fall to, and cannot be chosen"))
        .fix_by("`openqnn profiles` lists those that can");
  OPENQNN_ASSIGN(part.model, soc::power_model());
  OPENQNN_ASSIGN(part.vote, sim::vote_of(profile, part.model));
  take_over(conditions.rpc_polling_us, part.vote.rpc_polling_us);
  take_over(conditions.rpc_control_latency_us, part.vote.rpc_control_latency_us);
  take_over(conditions.adaptive_polling_us, part.vote.adaptive_polling_us);
  const sim::AggregatedVote vote = sim::aggregate({&part.vote, 1});
  part.target = sim::target_under(part.target, sim::clocks_of(part.model, vote, sim::Load::kBusy));
  return part;
}

// What the votes add to a warm call: one that follows another at once.
void add_waiting(const VotedPart& part, sim::Timeline& timeline) {
  if (part.votes.empty()) return;
  sim::PowerDevice device(part.model);
  device.cast(0, part.vote);
  const sim::ExecuteTimes times{timeline.accelerator, timeline.client - timeline.accelerator};
  device.execute(times);
  const Nanos added = device.execute(times).added();
  timeline.rpc += added;
  timeline.client += added;
  timeline.model += concat(", under the votes of ", part.votes);
}

// ---- Bands of what was never compared with a device ----

double relative_difference(Nanos other, Nanos own) {
  if (own.value == 0) return 0;
  return std::abs(static_cast<double>(other.value) / static_cast<double>(own.value) - 1);
}

std::string percent_text(double share) { return concat(std::llround(share * 100), " %"); }

void widen(double by, sim::Timeline& timeline) { timeline.error_band += by; }

void widen_to_events(const sim::Timeline& events, Simulation::Impl& impl) {
  const double difference = relative_difference(events.client, impl.timeline.client);
  widen(difference, impl.timeline);
  impl.assumptions.push_back(
      concat("roofline was compared with no device: its band is that of the event model, widened by the ",
             percent_text(difference), " between the two"));
}

void note_votes(const std::string& votes, Simulation::Impl& impl) {
  impl.assumptions.push_back(
      concat("the band is that of burst, which devices were measured under: the votes of ", votes,
             " are compared with no device"));
}

program::Schedule with_activation_share(const program::Program& program, double share) {
  program::Schedule schedule = program.schedule;
  for (program::Task& task : schedule.tasks)
    if (task.kind != program::TaskKind::kCompute &&
        program.tensors[task.tensor].storage != program::Storage::kConstant)
      task.saved_bytes = prepare::saved_bytes(task.bytes, share);
  return schedule;
}

// The share that compression leaves of activations was not measured: the band takes in what its own would
// make.
void widen_by_compression(const program::Program& program, const soc::Target& target, sim::ModelLevel level,
                          Simulation::Impl& impl) {
  if (!program.bandwidth.compressed_activations) return;
  if (program.bandwidth.measured_activations) {
    impl.assumptions.emplace_back("DLBC leaves of activations what it left of a sample's");
    return;
  }
  const soc::Ratio& share = target.timing.dlbc_activations;
  double most = 0;
  for (const double left : {share.low, share.high}) {
    const program::Schedule other = with_activation_share(program, left);
    most = std::max(
        most, relative_difference(sim::simulate(other, target, sim::PowerState::of(target), level).client,
                                  impl.timeline.client));
  }
  widen(most, impl.timeline);
  impl.assumptions.push_back(
      concat("the share that DLBC leaves of activations is assumed: the band is widened by ",
             percent_text(most), ", what ", share.low, " to ", share.high, " in its place would make"));
}

}  // namespace

Result<Simulation> simulation_of(const program::ProgramSet& set, size_t index, const soc::Target& target,
                                 uint64_t binary_bytes, const Conditions& conditions) {
  OPENQNN_ASSIGN(const VotedPart part, under_votes(target, conditions));
  const program::Program& program = *set.programs[index];
  auto impl = std::make_shared<Simulation::Impl>();
  impl->program = program;
  impl->prepared_for = part_name(program);
  impl->program.soc = target.soc;
  impl->program.soc_model = target.soc_model;
  impl->program.arch = target.arch;
  impl->assumptions = target.assumptions;
  impl->source = target.timing.source;
  impl->part = part.target;
  const auto play = [&](sim::ModelLevel level) {
    return sim::simulate(program.schedule, part.target, sim::PowerState::of(part.target), level);
  };
  impl->timeline = play(level_of(conditions.level));
  const std::optional<sim::Timeline> events = conditions.level == SimulationLevel::kEvent
                                                  ? std::nullopt
                                                  : std::optional(play(sim::ModelLevel::kEvent));
  if (events) widen_to_events(*events, *impl);
  if (!part.votes.empty() && part.votes != kWarmProfile) note_votes(part.votes, *impl);
  widen_by_compression(program, part.target, level_of(conditions.level), *impl);
  add_waiting(part, impl->timeline);
  sum_up(*impl);
  // Without waiting, blocks lie side by side that on a device follow one another.
  if (events) impl->memory.vtcm_peak_bytes = profile::vtcm_peak(program.schedule, *events).value;
  impl->memory.peak_memory_bytes = program::peak_memory_bytes(program::memory_needs(set)[index]);
  impl->memory.binary_bytes = binary_bytes;
  return Inside::simulation(std::move(impl));
}

Simulation recorded_simulation(program::Program program, sim::Timeline timeline, profile::PowerRecord power) {
  auto impl = std::make_shared<Simulation::Impl>();
  impl->power = std::move(power);
  impl->program = std::move(program);
  impl->timeline = std::move(timeline);
  const program::Program& ran = impl->program;
  impl->prepared_for = part_name(ran);
  if (auto part = part_of(ran)) {
    impl->part = *std::move(part);
    impl->assumptions = impl->part.assumptions;
    impl->source = impl->part.timing.source;
  }
  sum_up(*impl);
  return Inside::simulation(std::move(impl));
}

}  // namespace openqnn
