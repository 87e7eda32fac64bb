// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/traced_runs.h"

#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "profile/op_trace.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

using profile::LogRecord;
using profile::OpTrace;
using profile::Schematic;

// Takes the schematics and the first traced execution out of logs.
class TraceSearch : public profile::LogVisitor {
 public:
  // `graph`: the one whose execution is wanted; empty: the first.
  explicit TraceSearch(std::string graph) : graph_(std::move(graph)) {}

  Status on_record(size_t /*session*/, LogRecord record) override {
    const bool is_execution = profile::is_execution(record);
    const bool is_wanted = is_execution && (graph_.empty() || record.graph == graph_);
    if (is_execution) other_graph_ = record.graph;
    for (const profile::LogEvent& event : record.events) {
      if (event.kind != profile::LogValueKind::kObject) continue;
      if (!is_execution && profile::begins_as(profile::kSchematicKind, event.object)) {
        OPENQNN_ASSIGN(schematics_.emplace_back(), profile::read_schematic(event.object));
      }
      if (is_wanted && executions_ == 0 && profile::begins_as(profile::kOpTraceKind, event.object)) {
        OPENQNN_ASSIGN(traces_.emplace_back(), profile::read_op_trace(event.object));
      }
    }
    if (!is_wanted || traces_.empty()) return {};
    if (executions_ == 0) power_up_ = power_up_in(record);
    traced_graph_ = executions_ == 0 ? record.graph : traced_graph_;
    if (record.graph == traced_graph_) ++executions_;
    return {};
  }

  std::vector<OpTrace>& traces() { return traces_; }  // of one execution, a Program each
  std::vector<Schematic>& schematics() { return schematics_; }
  const std::string& traced_graph() const { return traced_graph_; }
  const std::string& other_graph() const { return other_graph_; }
  uint64_t executions() const { return executions_; }
  Nanos power_up() const { return power_up_; }

 private:
  static Nanos power_up_in(const LogRecord& record) {
    for (const profile::LogEvent& event : record.events)
      if (event.type == profile::event_type::kExecutePowerUp) return micros(whole_number(event).value_or(0));
    return {};  // nobody voted
  }

  std::string graph_;
  std::string traced_graph_;
  std::string other_graph_;
  std::vector<OpTrace> traces_;
  std::vector<Schematic> schematics_;
  uint64_t executions_ = 0;
  Nanos power_up_;  // of the first
};

Result<Schematic> schematic_in(const std::string& path) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kSchematic}));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  auto read = profile::read_schematic(file->bytes());
  if (read) return read;
  Diagnostic failure = std::move(read).error();
  failure.where = {path};
  return failure;
}

// That of the log, when preparing and executing went into the same one; else one that `find` knows.
Result<Schematic> schematic_of(TraceSearch& search, const FindSchematic& find) {
  const std::string& graph = search.traced_graph();
  for (Schematic& each : search.schematics())
    if (each.graph == graph) return std::move(each);
  if (const std::string path = find ? find(graph) : ""; !path.empty()) return schematic_in(path);
  return invalid("option-missing", concat("the log has no schematic of graph '", graph, "'"))
      .fix_by(concat("pass --schematic ", profile::schematic_file_name(graph),
                     ", which qnn-context-binary-generator writes where it is started, and only with "
                     "--profiling_level detailed --profiling_option optrace"));
}

Diagnostic no_trace(const ReaderRequest& request, const TraceSearch& search, const std::string& wanted) {
  const std::string& other = search.other_graph();
  if (!wanted.empty() && !other.empty() && other != wanted) {
    const bool by_schematic = !request.schematic.empty();
    return invalid("reader-level", concat("the log executes graph '", other, "', but ",
                                          by_schematic ? "the schematic is of" : "what is asked for is",
                                          " graph '", wanted, "'"))
        .at(request.logs[0])
        .fix_by(by_schematic ? "pass the schematic of the graph that was executed"
                             : "name the graph that was executed");
  }
  return invalid("reader-level", "the log has no op trace of an execution")
      .at(request.logs[0])
      .fix_by("run with --profiling_level detailed --profiling_option optrace");
}

}  // namespace

Result<TracedExecution> find_execution(const ReaderRequest& request, const WantedExecution& wanted) {
  std::optional<Schematic> schematic;
  if (!request.schematic.empty()) {
    OPENQNN_ASSIGN(schematic, schematic_in(request.schematic));
  }
  TraceSearch search(schematic ? schematic->graph : wanted.graph);
  OPENQNN_TRY(visit_logs(request, search));
  if (search.traces().empty()) return no_trace(request, search, schematic ? schematic->graph : wanted.graph);
  if (!schematic) {
    OPENQNN_ASSIGN(schematic, schematic_of(search, wanted.find_schematic));
  }
  TracedExecution found;
  for (OpTrace& trace : search.traces()) {
    if (trace.program >= schematic->programs.size())
      return corrupt("op-trace-damaged", concat("the trace is of Program ", trace.program, " of ",
                                                schematic->programs.size(), " in the schematic"));
    OPENQNN_TRY(check_belongs(trace, schematic->programs[trace.program]));
    found.runs.push_back({schematic->programs[trace.program], std::move(trace.timeline)});
  }
  found.schematic = *std::move(schematic);
  found.power_up = search.power_up();
  if (search.executions() > 1)
    request.info(concat("the trace is of the first of ", search.executions(), " executions of graph '",
                        search.traced_graph(), "'"));
  return found;
}

}  // namespace openqnn::tools
