// SPDX-License-Identifier: BSD-3-Clause
// From a Program to the Simulation that clients see. A library of its own: the tools simulate Programs that
// no file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "openqnn/simulate.h"
#include "profile/power_report.h"
#include "program/program.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace openqnn {

// The fields of SimulateOptions that say how, and not what.
struct Conditions {
  std::string perf_profile;  // whose votes it runs under; empty: the part's default clock
  SimulationLevel level = SimulationLevel::kEvent;
  std::optional<uint32_t> rpc_polling_us = {};
  std::optional<uint32_t> rpc_control_latency_us = {};
  std::optional<uint32_t> adaptive_polling_us = {};

  // Whether somebody votes.
  bool votes() const {
    return !perf_profile.empty() || rpc_polling_us || rpc_control_latency_us || adaptive_polling_us;
  }
};

// Runs a Program of a set on `target`. `binary_bytes`: of the context binary that holds the set.
Result<Simulation> simulation_of(const program::ProgramSet& set, size_t index, const soc::Target& target,
                                 uint64_t binary_bytes, const Conditions& conditions = {});

// Runs the graph of a binary; its name may be empty where there is one. `soc` names a part in place of the
// one that it was prepared for.
Result<Simulation> simulation_of(const ContextBinary::Impl& binary, const std::string& graph,
                                 const std::string& soc, const Conditions& conditions);

// A Program that ran already, as a log has it: nothing is simulated anew. What only the constants tell, the
// memory that it needs and the size of its binary, is 0.
// `power`: what the run left about its votes.
Simulation recorded_simulation(program::Program program, sim::Timeline timeline,
                               profile::PowerRecord power = {});

}  // namespace openqnn
