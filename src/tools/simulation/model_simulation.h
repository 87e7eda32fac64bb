// SPDX-License-Identifier: BSD-3-Clause
// A model on the modelled NPU: brought to a precision, prepared for a part and timed, without data and
// without being run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cxx/simulation.h"
#include "base/result.h"
#include "openqnn/simulate.h"
#include "soc/target.h"
#include "tools/model_job.h"
#include "tools/simulation/graph_choices.h"

namespace openqnn::tools {

inline constexpr std::string_view kAsStored = "as stored";  // of a binary, and of a .dlc that is quantized
// "event" or "roofline"; empty: the first.
Result<SimulationLevel> simulation_level(std::string_view name);
inline constexpr std::string_view kSimulationLevels = "event roofline";
// One of kSimulatedPrecisions; "fp16" is told as "float".
Result<Precision> simulated_precision(std::string_view name);

// By chipset, or whatever else `openqnn soc` finds one part by.
Result<soc::Target> part_named(const std::string& name);
// Where none is named: that of the file, else the one that the command takes.
Result<soc::Target> part_or(const config::Part& of_file, Result<soc::Target> unsaid);
// Those that are named; else that of the file; else QNN's default.
Result<std::vector<soc::Target>> parts_for(const std::vector<std::string>& names, const GraphConfig* file);

inline constexpr uint32_t kNormalPriority = 100;  // QNN_PRIORITY_NORMAL

struct SimulatedResult {
  Simulation simulation;
  std::string precision;
  Choices set;     // options by the file, then those chosen
  Choices chosen;  // of these, what --sweep varies
  std::vector<std::string> notes;
  SharedDevice shared;  // by its clients, where there are several

  double latency_us() const { return simulation.times().client_us; }
  double low_us() const;
  double high_us() const;
  bool has_clients() const { return shared.clients.size() > 1; }
};

// Of the clients that call at the same time.
using Priorities = std::vector<uint32_t>;
// "2", so many of normal priority, or their priorities: "high,normal".
Result<Priorities> clients_from(std::string_view text);

// A binary, as it was prepared.
SimulatedResult result_of(Simulation simulation, const Priorities& clients);

struct ModelRequest {
  std::vector<soc::Target> parts;
  std::vector<Precision> precisions;  // empty: the model's own, which is quantized
  const GraphConfig* file = nullptr;
  std::vector<Choices> combinations = {{}};
  Conditions conditions;
  Priorities clients = {kNormalPriority};
  std::vector<std::string> notes;         // on all results
  std::function<void()> prepared_one;     // called after each
  prepare::Follower* follower = nullptr;  // of each preparation
};

// One of several that are compared, which could not be prepared or timed.
struct RefusedResult {
  std::string soc;
  std::string precision;
  Choices chosen;
  Diagnostic why;
  size_t place = 0;  // so many results stand before it

  std::string title() const;   // "SM8650, w8a8, vtcm_mb=64"
  std::string reason() const;  // the cause and the remedy
};

// By part, then by precision, then by combination.
struct SimulatedResults {
  std::vector<SimulatedResult> results;
  std::vector<RefusedResult> refused;

  size_t size() const { return results.size() + refused.size(); }
};
// Fails where one result is asked for that is refused, or where all of several are: then the failure is that
// of the first.
Result<SimulatedResults> simulate_model(const FloatModel& model, const ModelRequest& request);

// {model_card, results}, and {refused} where some were
std::string simulation_json(const SimulatedResults& results, bool explain);

}  // namespace openqnn::tools
