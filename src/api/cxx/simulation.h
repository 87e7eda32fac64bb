// SPDX-License-Identifier: BSD-3-Clause
// From a Program to the Simulation that clients see. A library of its own: the tools simulate Programs that
// no file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "openqnn/simulate.h"
#include "program/program.h"
#include "soc/target.h"

namespace openqnn {

struct Conditions {
  std::string perf_profile;  // whose votes it runs under; empty: the part's default clock
  SimulationLevel level = SimulationLevel::kEvent;
};

// Runs a Program of a set on `target`. `binary_bytes`: of the context binary that holds the set.
Result<Simulation> simulation_of(const program::ProgramSet& set, size_t index, const soc::Target& target,
                                 uint64_t binary_bytes, const Conditions& conditions = {});

}  // namespace openqnn
