// SPDX-License-Identifier: BSD-3-Clause
// What the opaque classes of include/openqnn hold.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "openqnn/context_binary.h"
#include "openqnn/simulate.h"
#include "profile/power_report.h"
#include "program/context_binary.h"
#include "sim/sim.h"

namespace openqnn {

struct ContextBinary::Impl {
  std::string path;
  std::shared_ptr<const MappedFile> file;
  program::ProgramSet set;
  FormatVersion format;
  std::string producer;
  std::vector<openqnn::SectionInfo> sections;
  std::vector<GraphInfo> graphs;  // beside set.programs
};

struct Simulation::Impl {
  program::Program program;  // as prepared, with the simulated part's name
  sim::Timeline timeline;
  soc::Target part;  // under the votes that it ran under
  std::string prepared_for;
  std::string source;
  Preparation preparation;
  SimulatedTimes times;
  BoundShares bound;
  SimulatedMemory memory;
  std::vector<OpRow> rows;
  std::vector<std::string> assumptions;
  profile::PowerRecord power;  // of a run that was logged
};

struct Inside {
  static const ContextBinary::Impl& of(const ContextBinary& binary) { return *binary.impl_; }
  static const Simulation::Impl& of(const Simulation& simulation) { return *simulation.impl_; }
  static Simulation simulation(std::shared_ptr<const Simulation::Impl> impl) {
    return Simulation(std::move(impl));
  }
};

// The room's failure in the API's words. `where` stands in when the failure names no place.
Error to_error(const Diagnostic& diagnostic, const std::string& where = {});

}  // namespace openqnn
