// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/report.h"

#include "api/cxx/impl.h"
#include "profile/report.h"

namespace openqnn {

std::string op_table(const Simulation& simulation) {
  return profile::op_table(simulation.impl().program, simulation.impl().timeline);
}

std::string chrometrace(const Simulation& simulation) {
  return profile::chrometrace(simulation.impl().program, simulation.impl().timeline);
}

Expected<void> write_chrometrace(const Simulation& simulation, const std::filesystem::path& path) {
  const Status status = write_file(path, chrometrace(simulation));
  if (!status) return to_error(status.error(), path.string());
  return {};
}

}  // namespace openqnn
