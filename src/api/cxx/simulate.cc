// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/simulate.h"

#include <utility>

#include "api/cxx/impl.h"
#include "api/cxx/simulation.h"

namespace openqnn {
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
  auto simulation = simulation_of(Inside::of(binary), options.graph, options.soc,
                                  {options.perf_profile, options.level, options.rpc_polling_us,
                                   options.rpc_control_latency_us, options.adaptive_polling_us});
  if (!simulation) return to_error(simulation.error());
  return *std::move(simulation);
}

}  // namespace openqnn
