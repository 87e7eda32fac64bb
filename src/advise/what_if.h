// SPDX-License-Identifier: BSD-3-Clause
// A model with a change, timed as the one that advice is given on.
#pragma once

#include "advise/advise.h"

namespace openqnn::advise {

// Microseconds of the accelerator, simulated.
Result<double> what_if(const Given& given, const ir::Graph& graph, const prepare::Options& options);

// A graph prepared and timed, under burst, as after a warm call.
Result<TimedProgram> timed(const ir::Graph& graph, const soc::Target& target, const prepare::Options& options,
                           const Logger& log);

}  // namespace openqnn::advise
