// SPDX-License-Identifier: BSD-3-Clause
// An execution that a profile log holds as op traces, with the schematic that the traces refer to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/schematic.h"
#include "profile/zoom.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {

struct TracedExecution {
  profile::Schematic schematic;
  std::vector<profile::TracedRun> runs;  // a Program each
  Nanos power_up;                        // what waking up and powering units up added
};

// Where a schematic lies that is neither in the log nor named by the request: a path, by the name of the
// graph; empty where there is none.
using FindSchematic = std::function<std::string(const std::string& graph)>;

struct WantedExecution {
  std::string
      graph;  // empty: that of the schematic which the request names, else the first that was executed
  FindSchematic find_schematic;
};

// The first execution in the request's logs.
Result<TracedExecution> find_execution(const ReaderRequest& request, const WantedExecution& wanted = {});

}  // namespace openqnn::tools
