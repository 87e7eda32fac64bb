// SPDX-License-Identifier: BSD-3-Clause
// libQnnHtpOptraceProfilingReader.so: an execution as a trace of every task, and its ops for Netron.
#include <filesystem>
#include <optional>
#include <span>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "profile/page/page.h"
#include "profile/qhas/model.h"
#include "profile/report.h"
#include "tools/profile_viewer/features.h"
#include "tools/profile_viewer/request.h"
#include "tools/profile_viewer/traced_runs.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using profile::TracedRun;

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
  OPENQNN_ASSIGN(TracedExecution execution, find_execution(request));
  std::vector<TracedRun>& runs = execution.runs;
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
