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

// The analysis summary: sections of op types, ops, HTP ops, dominant path, system services, memory. As JSON
// (analysis_schema() describes it), and as one self-contained HTML page. `model` is what they call the model;
// the graph's name where it is empty.
OPENQNN_API std::string analysis_json(const Simulation& simulation, const std::string& model = {});
OPENQNN_API std::string analysis_page(const Simulation& simulation, const std::string& model = {});
OPENQNN_API std::string analysis_schema();

// Trace-event JSON for https://ui.perfetto.dev and chrome://tracing.
OPENQNN_API std::string chrometrace(const Simulation& simulation);

// Replaces `path` in one step: a reader sees the old file or the new one.
OPENQNN_API Expected<void> write_chrometrace(const Simulation& simulation, const std::filesystem::path& path);

}  // namespace openqnn
