// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>
#include <vector>

#include "api/cxx/simulation.h"
#include "base/files.h"
#include "base/text.h"
#include "sim/power_history.h"
#include "tools/console.h"
#include "tools/profile_viewer/traced_runs.h"
#include "tools/profiled_run.h"
#include "tools/qnn/power.h"
#include "tools/qnn/profiling.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// Logs of several runs are numbered: "qnn-profiling-data_0.log".
constexpr std::string_view kLogEnding = ".log";
constexpr std::string_view kLogStem = kProfileLogName.substr(0, kProfileLogName.size() - kLogEnding.size());

// Programs that prepare write schematics into the folder in which they were started.
std::string schematic_near(const fs::path& log, const std::string& graph) {
  const fs::path folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
  const std::string name = profile::schematic_file_name(graph);
  std::error_code error;
  for (const fs::path& place : {folder / name, folder / ".." / name, fs::path(name)})
    if (fs::is_regular_file(place, error)) return place.lexically_normal().string();
  return "";
}

// What the run left beside its log about the votes of an execute of this graph.
Result<profile::PowerRecord> votes_in(const fs::path& path, const std::string& graph) {
  OPENQNN_ASSIGN(const soc::PowerModel model, soc::power_model());
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_ASSIGN(const sim::PowerHistory history, sim::read_power_history(text, path.string(), model));
  const auto is_its_execute = [&](const sim::PowerEvent& event) {
    return event.kind == sim::PowerEvent::Kind::kExecute && event.label == graph;
  };
  if (std::ranges::none_of(history.events, is_its_execute))
    return invalid("power-other", concat("it has no execute of graph '", graph, "'"))
        .at(path.string())
        .fix_by("keep it in the folder of the run that it is of");
  return profile::power_record(history, model, graph);
}

}  // namespace

fs::path profile_log_in(const fs::path& folder) {
  std::vector<fs::path> logs;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name == kProfileLogName) return at->path();
    if (name.starts_with(kLogStem) && name.ends_with(kLogEnding)) logs.push_back(at->path());
  }
  return logs.empty() ? fs::path() : *std::ranges::min_element(logs);
}

Result<LoggedRun> logged_run(const LogRequest& request) {
  ReaderRequest reading;
  reading.logs = {request.log.string()};
  reading.schematic = request.schematic.string();
  reading.tell = [](QnnLog_Level_t level, const std::string& line) {
    if (level == QNN_LOG_LEVEL_WARN) return warn(line);
    step("log", shown(line));
  };
  const auto find = [&](const std::string& graph) { return schematic_near(request.log, graph); };
  auto found = find_execution(reading, {request.graph, find});
  if (!found) {
    Diagnostic failure = std::move(found).error();
    if (failure.where.empty()) failure.where = {request.log.string()};
    return failure;
  }
  if (found->runs.size() > 1)
    warn(concat("graph '", found->schematic.graph, "' was executed in ", found->runs.size(),
                " parts, and this is about the first; qnn-profile-viewer shows them all"));
  profile::TracedRun& run = found->runs.front();
  profile::PowerRecord power;
  std::error_code error;
  fs::path history = request.log.parent_path() / kPowerHistoryFile;
  if (!fs::is_regular_file(history, error)) history.clear();
  if (!history.empty()) {
    if (auto votes = votes_in(history, run.program.graph)) {
      power = *std::move(votes);
    } else {
      warn(concat("the votes of the run are left out: ", votes.error().to_string()));
      history.clear();
    }
  }
  power.power_up = found->power_up;
  return LoggedRun{recorded_simulation(std::move(run.program), std::move(run.timeline), std::move(power)),
                   std::move(found->schematic), std::move(history)};
}

}  // namespace openqnn::tools
