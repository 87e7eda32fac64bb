// SPDX-License-Identifier: BSD-3-Clause
// Reports on a simulation.
#pragma once

#include <filesystem>
#include <string>

#include "openqnn/error.h"
#include "openqnn/export.h"
#include "openqnn/simulate.h"

namespace openqnn {

// A table for people, one line per op, and the card of the timing model.
OPENQNN_API std::string op_table(const Simulation& simulation);

// Trace-event JSON for https://ui.perfetto.dev and chrome://tracing.
OPENQNN_API std::string chrometrace(const Simulation& simulation);

// Replaces `path` in one step: a reader sees the old file or the new one.
OPENQNN_API Expected<void> write_chrometrace(const Simulation& simulation, const std::filesystem::path& path);

}  // namespace openqnn
