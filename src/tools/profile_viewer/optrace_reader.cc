// SPDX-License-Identifier: BSD-3-Clause
// libQnnHtpOptraceProfilingReader.so: an execution as a trace of every task, and its ops for Netron.
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "config/check.h"
#include "config/config.h"
#include "config/read.h"
#include "frontend/dlc/dlc.h"
#include "profile/page/page.h"
#include "profile/qhas/model.h"
#include "profile/report.h"
#include "tools/extensions/findings.h"
#include "tools/file_kind.h"
#include "tools/profile_viewer/request.h"
#include "tools/profile_viewer/traced_runs.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using profile::TracedRun;

// ---- The file of --config

// Read through its table of options (config/tables/optrace.cc), which also has the defaults.
class Features {
 public:
  // Without a file all is as the table has it. What the check of the file finds is told.
  static Result<Features> read(const ReaderRequest& request);
  bool on(std::string_view name) const;

 private:
  std::unique_ptr<config::Document> document_;  // null: no file
};

Result<Features> Features::read(const ReaderRequest& request) {
  Features features;
  if (request.config.empty()) return features;
  OPENQNN_TRY(expect_kind(request.config, {FileKind::kJson}));
  features.document_ =
      std::make_unique<config::Document>(config::read_file(request.config, config::Kind::kOptrace));
  const config::Document& document = *features.document_;
  config::Circumstances circumstances;
  circumstances.tool = config::Tool::kProfileViewer;
  circumstances.stage = config::Stage::kReport;
  const auto tell = [&](Severity severity, const std::string& line) {
    request.tell(severity == Severity::kNote ? QNN_LOG_LEVEL_INFO : QNN_LOG_LEVEL_WARN, line);
  };
  OPENQNN_TRY(tell_findings(request.config, document.text,
                            config::check_documents({&document}, circumstances), tell));
  if (!document.config || document.config->kind != config::Kind::kOptrace)
    return invalid("config-file", "this is no file of the optrace reader")
        .at(request.config)
        .fix_by("`openqnn new --kind optrace` writes one to start from");
  return features;
}

bool Features::on(std::string_view name) const {
  if (document_)
    for (const config::Record& record : document_->config->root().records("features"))
      if (const auto value = record.boolean(name)) return *value;
  const config::OptionDef* const section = config::find_option(config::kOptraceFile, "features");
  const config::OptionDef* const option = config::find_option(*section->section, name);
  return option != nullptr && option->default_json == "true";
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

// What else is asked for, beside the trace and never compressed.
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

Reader this_reader() {
  return {"every task of an execution as a chrometrace, and its ops for Netron",
          "--output --gzip --schematic --dlc --config --zoom_start --zoom_end", read};
}

}  // namespace openqnn::tools
