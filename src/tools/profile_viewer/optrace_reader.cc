// SPDX-License-Identifier: BSD-3-Clause
// libQnnHtpOptraceProfilingReader.so: an execution as a trace of every task, and its ops for Netron.
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "profile/htp_json.h"
#include "profile/op_trace.h"
#include "profile/page/page.h"
#include "profile/qhas/model.h"
#include "profile/schematic.h"
#include "tools/file_kind.h"
#include "tools/profile_viewer/features.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using profile::LogRecord;
using profile::OpTrace;
using profile::Schematic;
using profile::TracedRun;

// Takes the schematics and the first traced execution out of logs.
class TraceSearch : public profile::LogVisitor {
 public:
  // `graph`: the one whose execution is wanted; empty: the first.
  explicit TraceSearch(std::string graph) : graph_(std::move(graph)) {}

  Status on_session(size_t /*session*/, const profile::LogHead& /*head*/) override { return {}; }
  Status on_left_out(size_t /*session*/, uint64_t /*count*/) override { return {}; }
  Status on_record(size_t /*session*/, LogRecord record) override {
    const bool is_execution = profile::is_execution(record);
    const bool is_wanted = is_execution && (graph_.empty() || record.graph == graph_);
    if (is_execution) other_graph_ = record.graph;
    for (const profile::LogEvent& event : record.events) {
      if (event.kind != profile::LogValueKind::kObject) continue;
      if (!is_execution && profile::begins_as(profile::kSchematicKind, event.object)) {
        OPENQNN_ASSIGN(Schematic found, profile::read_schematic(event.object));
        schematics_.push_back(std::move(found));
      }
      if (is_wanted && executions_ == 0 && profile::begins_as(profile::kOpTraceKind, event.object)) {
        OPENQNN_ASSIGN(OpTrace found, profile::read_op_trace(event.object));
        traces_.push_back(std::move(found));
      }
    }
    if (!is_wanted || traces_.empty()) return {};
    traced_graph_ = executions_ == 0 ? record.graph : traced_graph_;
    if (record.graph == traced_graph_) ++executions_;
    return {};
  }

  std::vector<OpTrace>& traces() { return traces_; }  // of one execution, a Program each
  std::vector<Schematic>& schematics() { return schematics_; }
  const std::string& traced_graph() const { return traced_graph_; }
  const std::string& other_graph() const { return other_graph_; }
  uint64_t executions() const { return executions_; }

 private:
  std::string graph_;
  std::string traced_graph_;
  std::string other_graph_;
  std::vector<OpTrace> traces_;
  std::vector<Schematic> schematics_;
  uint64_t executions_ = 0;
};

Result<std::optional<Schematic>> given_schematic(const ReaderRequest& request) {
  if (request.schematic.empty()) return std::optional<Schematic>();
  OPENQNN_TRY(expect_kind(request.schematic, {FileKind::kSchematic}));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(request.schematic));
  auto read = profile::read_schematic(file->bytes());
  if (read) return std::optional(*std::move(read));
  Diagnostic failure = std::move(read).error();
  failure.where = {request.schematic};
  return failure;
}

// The schematic of the trace, when preparing and executing went into the same log.
Result<Schematic> logged_schematic(TraceSearch& search) {
  for (Schematic& each : search.schematics())
    if (each.graph == search.traced_graph()) return std::move(each);
  return invalid("option-missing", concat("the log has no schematic of graph '", search.traced_graph(), "'"))
      .fix_by("pass --schematic GRAPH_schematic.bin, which qnn-context-binary-generator wrote");
}

Diagnostic no_trace(const ReaderRequest& request, const TraceSearch& search,
                    const std::optional<Schematic>& schematic) {
  if (schematic && !search.other_graph().empty() && search.other_graph() != schematic->graph)
    return invalid("reader-level", concat("the log executes graph '", search.other_graph(),
                                          "', but the schematic is of graph '", schematic->graph, "'"))
        .at(request.logs[0])
        .fix_by("pass the schematic of the graph that was executed");
  return invalid("reader-level", "the log has no op trace of an execution")
      .at(request.logs[0])
      .fix_by("run with --profiling_level detailed --profiling_option optrace");
}

Result<std::vector<TracedRun>> find_runs(const ReaderRequest& request) {
  OPENQNN_ASSIGN(std::optional<Schematic> schematic, given_schematic(request));
  TraceSearch search(schematic ? schematic->graph : "");
  OPENQNN_TRY(visit_logs(request, search));
  if (search.traces().empty()) return no_trace(request, search, schematic);
  if (!schematic) {
    OPENQNN_ASSIGN(schematic, logged_schematic(search));
  }
  std::vector<TracedRun> runs;
  for (OpTrace& trace : search.traces()) {
    if (trace.program >= schematic->programs.size())
      return corrupt("op-trace-damaged", concat("the trace is of Program ", trace.program, " of ",
                                                schematic->programs.size(), " in the schematic"));
    OPENQNN_TRY(check_belongs(trace, schematic->programs[trace.program]));
    runs.push_back({schematic->programs[trace.program], std::move(trace.timeline)});
  }
  if (search.executions() > 1)
    request.info(concat("the trace is of the first of ", search.executions(), " executions of graph '",
                        search.traced_graph(), "'"));
  return runs;
}

// ---- Names of the model's file

// As the .dlc that is given tells them, else as the schematic does.
Result<profile::Traceback> traceback_of(const ReaderRequest& request, const std::vector<TracedRun>& runs) {
  profile::Traceback traceback;
  if (request.dlc.empty()) {
    for (const TracedRun& run : runs) traceback.merge(profile::traceback_of(run.program));
    return traceback;
  }
  OPENQNN_ASSIGN(const frontend::Dlc dlc, frontend::read_dlc(fs::path(request.dlc)));
  for (const frontend::DlcGraph& graph : dlc.graphs)
    for (const frontend::Trace::Node& node : graph.trace.nodes) traceback[node.name] = node.sources;
  if (traceback.empty())
    request.warn(concat(request.dlc, " does not tell the names of the model's file; convert with ",
                        "--enable_framework_trace"));
  return traceback;
}

Status zoom_all(const ReaderRequest& request, const profile::Traceback& traceback,
                std::vector<TracedRun>& runs) {
  if (request.zoom_start.empty()) return {};
  std::vector<TracedRun> zoomed;
  std::optional<Diagnostic> first_failure;
  for (TracedRun& run : runs) {  // the nodes lie in one of a graph's Programs
    auto part = profile::zoom(std::move(run), request.zoom_start, request.zoom_end, traceback);
    if (part)
      zoomed.push_back(*std::move(part));
    else if (!first_failure)
      first_failure = std::move(part).error();
  }
  if (zoomed.empty()) return *first_failure;
  runs = std::move(zoomed);
  return {};
}

// "chrometrace" of "out/chrometrace.json.gz", with its folder.
std::string stem_of(const std::string& output) {
  fs::path path = output;
  if (path.extension() == ".gz") path.replace_extension();
  return (path.parent_path() / path.stem()).string();
}

Status check_options(const ReaderRequest& request) {
  if (request.output.empty())
    return invalid("option-missing", "an op trace goes to a file, and --output names none")
        .fix_by("add --output chrometrace.json");
  if (request.zoom_start.empty() != request.zoom_end.empty())
    return invalid("option-missing", "--zoom_start and --zoom_end go together").fix_by("give both");
  return {};
}

Status write_trace(const ReaderRequest& request, const Features& features,
                   std::span<const profile::RunView> runs, const profile::Traceback& traceback) {
  profile::TraceOptions options;
  options.data_flows = features.on("enable_input_output_flow_events");
  options.sequence_flows = features.on("enable_sequencer_flow_events");
  options.runtrace = features.on("runtrace");
  options.memory = features.on("memory_info");
  options.traceback = features.on("traceback") ? &traceback : nullptr;
  return write_output(request, request.output, profile::chrometrace(runs, options));
}

// What else is asked for, beside the trace and never compressed.
// The analysis summary: of each graph a page, and the tables of it where asked for.
Status write_analysis(const ReaderRequest& request, const Features& features,
                      std::span<const profile::RunView> runs) {
  const std::string stem = stem_of(request.output);
  for (const profile::RunView& run : runs) {
    const std::string name = runs.size() == 1 ? stem : concat(stem, "_", run.program->graph);
    const profile::qhas::Model model = profile::qhas::qhas_model_of(*run.program, *run.timeline, {});
    OPENQNN_TRY(write_output(request, name + "_qnn_htp_analysis_summary.html",
                             profile::qhas_page(model, "openqnn " OPENQNN_VERSION)));
    if (features.on("qhas_json"))
      OPENQNN_TRY(
          write_output(request, name + "_qnn_htp_analysis_summary.json", profile::qhas::qhas_json(model)));
  }
  if (!features.on("qhas_schema")) return {};
  return write_output(request,
                      (std::filesystem::path(request.output).parent_path() / "qhas_schema.json").string(),
                      std::string(profile::qhas::qhas_schema()));
}

Status write_companions(ReaderRequest request, const Features& features,
                        std::span<const profile::RunView> runs, const profile::Traceback& traceback) {
  request.gzip = false;
  OPENQNN_TRY(write_analysis(request, features, runs));
  if (!features.on("htp_json")) return {};
  return write_output(request, stem_of(request.output) + "_htp.json", profile::htp_json(runs, traceback));
}

Status read(const ReaderRequest& given) {
  OPENQNN_TRY(check_options(given));
  OPENQNN_ASSIGN(const Features features, Features::read(given));
  ReaderRequest request = given;
  request.gzip = request.gzip || features.on("gzip");
  OPENQNN_ASSIGN(std::vector<TracedRun> runs, find_runs(request));
  OPENQNN_ASSIGN(const profile::Traceback traceback, traceback_of(request, runs));
  OPENQNN_TRY(zoom_all(request, traceback, runs));
  std::vector<profile::RunView> views;
  for (const TracedRun& run : runs) views.push_back({&run.program, &run.timeline});
  OPENQNN_TRY(write_trace(request, features, views, traceback));
  return write_companions(request, features, views, traceback);
}

}  // namespace

const Reader& this_reader() {
  static const Reader reader = {"every task of an execution as a chrometrace, and its ops for Netron",
                                "--output --gzip --schematic --dlc --config --zoom_start --zoom_end", read};
  return reader;
}

}  // namespace openqnn::tools
