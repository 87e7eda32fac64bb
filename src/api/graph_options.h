// SPDX-License-Identifier: BSD-3-Clause
// Graph options (QnnGraph.h, HTP/QnnHtpGraph.h) to what runtime and prepare understand.
#pragma once

#include <cstdint>
#include <span>

#include "QnnGraph.h"
#include "base/log.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/outcome.h"

namespace openqnn::api {

struct GraphChange {
  runtime::GraphOptions options;
  bool prepares = false;          // something in it acts at finalize
  bool sets_hvx_threads = false;  // which may change until the first execute
  bool sets_slc = false;          // which may be forced off and restored at any time
  bool chooses_preset = false;    // of the compiler
};

// What a new graph is told when its client says nothing.
runtime::Outcome<runtime::GraphOptions> default_graph_options(runtime::Context& context);

// Applies a null-terminated list of options to those that are set, for a graph on `part`. An option without
// an effect here is named in the log, with the reason.
runtime::Outcome<GraphChange> apply_graph_configs(const QnnGraph_Config_t** configs, const Logger& log,
                                                  const soc::Target& part,
                                                  const runtime::GraphOptions& options);

// Whether a graph may be prepared so here: some of it is for offline preparation.
runtime::Outcome<> check_offline(const prepare::Options& options);

// ---- Shared with context options

// An option that a client may set and that changes nothing here.
struct NoEffect {
  uint32_t option;
  const char* name;
  const char* why;
};

// Says in the log that an option of `what` ("context", "graph") has no effect, and why; false when the table
// does not have it.
bool said_without_effect(const char* what, std::span<const NoEffect> table, uint32_t option,
                         const Logger& log);

// A flag that a client wrote: any byte, where loading another than 0 and 1 as bool is undefined.
bool flag_of(const bool& flag);

// Why a priority cannot change now.
runtime::ApiError frozen_priority(Qnn_ErrorHandle_t code, std::string where);

// One of QNN_PRIORITY_*; `code` is answered for other numbers.
runtime::Outcome<uint32_t> checked_priority(const Qnn_Priority_t& priority, Qnn_ErrorHandle_t code);

}  // namespace openqnn::api
