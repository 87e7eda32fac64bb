// SPDX-License-Identifier: BSD-3-Clause
// Advice on a model and its configuration: what the documents recommend for or against, with the op or figure
// it is seen by, and what the change would bring, simulated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/follow.h"
#include "ir/graph.h"
#include "prepare/prepare.h"
#include "profile/zoom.h"
#include "program/program.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace openqnn::advise {

enum class Level : uint8_t { kInfo, kNote, kWarning, kError };  // errors are those of a configuration alone
inline constexpr std::string_view kLevelNames = "info note warning error";
std::string_view level_name(Level level);  // "warning"
std::optional<Level> level_from(std::string_view name);

// ---- What advice is given on ----

// A graph that was prepared, and one execution of it.
struct TimedProgram {
  program::ProgramSet set;
  size_t index = 0;  // in the set
  sim::Timeline timeline;

  const program::Program& program() const { return *set.programs[index]; }
};

// All that is known. What is not known, nobody is advised on.
struct Given {
  TimedProgram timed;
  soc::Target target;
  uint64_t binary_bytes = 0;  // of the context binary that holds the set

  // Of a model; a context binary has been decided on.
  const ir::Graph* graph = nullptr;  // as it was prepared
  prepare::Options options;          // the same
  bool assumed_ranges = false;       // the encodings of activations are not the model's own
  // The model before it was quantized, and its tensors that it has encodings for itself (QDQ).
  const ir::Graph* float_graph = nullptr;
  std::set<std::string> encoded;
  // The same model in another precision ("w8a8"); null where there is no float to start from.
  std::function<Result<ir::Graph>(std::string_view precision)> in_precision;
  profile::Traceback traceback;  // names in the model's file

  // Of its use.
  const config::Subject* config = nullptr;  // what the configuration says; null without one
  bool vtcm_is_set = true;                  // else those who compile take a default
  bool threads_are_set = true;
  bool maps_binaries = false;  // the program that loads binaries maps them
};

// A graph prepared and timed, under burst, as after a warm call.
Result<TimedProgram> timed(const ir::Graph& graph, const soc::Target& target, const prepare::Options& options,
                           const Logger& log);
// A model with a change, timed as the given one: microseconds of the accelerator, simulated.
Result<double> what_if(const Given& given, const ir::Graph& graph, const prepare::Options& options);

// ---- Findings ----

struct OpEvidence {
  std::string op;  // of the prepared graph
  std::string type;
  std::vector<std::string> nodes;  // of the model's file, or of the graph where nothing tells these
  double share = 0;                // of the accelerator's cycles, simulated
};

// What a change would bring: accelerator times, simulated.
struct Effect {
  std::string change;
  double before_us = 0;
  double after_us = 0;

  double percent() const { return before_us > 0 ? 100 * (after_us / before_us - 1) : 0; }
};

struct Finding {
  std::string id;  // "ADV-DIV"; of a configuration's, the code of the rule of `openqnn check`
  Level level = Level::kNote;
  std::string graph;              // empty: about the whole context, or the configuration
  std::string where;              // "htp.json:4:7"; empty: the model
  std::string message;            // what was seen, with its figure
  std::string advice;             // the change that helps
  std::string source;             // the document, or that it is ours
  std::vector<OpEvidence> ops;    // the heaviest first, at most kMostOps
  size_t op_count = 0;            // all of them
  std::vector<Effect> effects;    // of `advice`
  std::string why_not_simulated;  // of an effect that could not be had
};
inline constexpr size_t kMostOps = 5;

// What the rules find, in their order. The first of several Programs of a context is asked about the context
// as well.
std::vector<Finding> advise(const Given& given);

// What `openqnn check` finds, as findings of this kind.
std::vector<Finding> findings_of(const std::vector<config::CheckedFile>& files);

bool has_findings(const std::vector<Finding>& findings, Level least);

}  // namespace openqnn::advise
