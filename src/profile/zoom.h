// SPDX-License-Identifier: BSD-3-Clause
// A part of a run as if it were all of it, so that every report can be of a part.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// What the nodes of a graph were called in the model's file, by their names in the graph.
using Traceback = std::map<std::string, std::vector<std::string>, std::less<>>;
// As a Program tells it; empty where it was prepared without.
Traceback traceback_of(const program::Program& program);

struct TracedRun {
  program::Program program;
  sim::Timeline timeline;
};

// Leaves the events that `stays` takes, from the first of them on, and what lies between them. There is the
// accelerator's time alone: those of a call are of the whole graph.
void keep_part(sim::Timeline& timeline, const std::function<bool(const sim::Event&)>& stays);

// The ops between two nodes, and both: those that lead from the first to the last, by the names of nodes or,
// when there is a traceback, by those of the model's file. The timeline begins with the first of their tasks.
Result<TracedRun> zoom(TracedRun run, std::string_view first, std::string_view last,
                       const Traceback& traceback);

}  // namespace openqnn::profile
