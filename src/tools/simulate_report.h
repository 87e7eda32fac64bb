// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn simulate` prints for people, and other commands of a simulated inference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "openqnn/simulate.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {

// "131.6 us (101 to 162 us, ±23 %), RPC included"
std::string latency_text(const SimulatedResult& result);

// Every op, and what there is to say about the whole.
std::string explained_text(const SimulatedResult& result);

// One result in short.
std::string summary_text(const std::string& model, const SimulatedResult& result);

// One line for each result, compared with the first.
std::string comparison_text(const std::string& model, const SimulatedResults& all);

// ---- A short table of where the time goes ----

// The `most` ops with the largest part of the timeline, the largest first, and one line for all others.
std::string busiest_ops(const Simulation& simulation, size_t most);

}  // namespace openqnn::tools
