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
// Replaces `path` in one step: a reader sees the old file or the new one.
OPENQNN_API Expected<void> write_analysis_page(const Simulation& simulation,
                                               const std::filesystem::path& path,
                                               const std::string& model = {});

// The linting report in the vendor's layout: what each op adds to the critical path, what it waits for, and
// what runs beside it. All of its times and cycles are simulated, NetRun included.
OPENQNN_API std::string linting_text(const Simulation& simulation);

// Trace-event JSON for https://ui.perfetto.dev and chrome://tracing.
OPENQNN_API std::string chrometrace(const Simulation& simulation);

// In one step, too.
OPENQNN_API Expected<void> write_chrometrace(const Simulation& simulation, const std::filesystem::path& path);

}  // namespace openqnn
