// SPDX-License-Identifier: BSD-3-Clause
#include "tools/report_folder.h"

#include <array>
#include <span>

#include "api/cxx/impl.h"
#include "base/files.h"
#include "base/text.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "profile/log_file.h"
#include "profile/page/page.h"
#include "profile/report.h"
#include "profile/schematic.h"
#include "tools/profile_views.h"
#include "tools/profiled_run.h"
#include "tools/program_options.h"
#include "tools/qnn/power.h"
#include "tools/qnn/profiling.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchemaName = "qhas_schema.json";

std::string_view bytes_as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

}  // namespace

fs::path ReportFolder::log() const { return folder_ / kProfileLogName; }
fs::path ReportFolder::votes() const { return folder_ / kPowerHistoryFile; }

std::vector<fs::path> ReportFolder::names(const fs::path& source) const {
  std::vector<fs::path> all = {page(),
                               named("_qnn_htp_analysis_summary.json"),
                               folder_ / kSchemaName,
                               named("_chrometrace.json"),
                               named("_ops.txt"),
                               named("_linting.txt"),
                               named("_htp.json"),
                               named("_ops.csv"),
                               named("_htp_ops.csv"),
                               named("_run.jsonl"),
                               named("_schematic.bin"),
                               folder_ / kRecordName,
                               advice_text(),
                               advice_json()};
  std::error_code error;
  const fs::path own_log = fs::is_directory(source, error) ? profile_log_in(source) : source;
  if (!is_same_file(own_log, log())) all.push_back(log());  // that of the run stays where it is
  const fs::path own_votes = own_log.parent_path() / kPowerHistoryFile;
  if (fs::exists(own_votes, error) && !is_same_file(own_votes, votes())) all.push_back(votes());
  if (is_model(source)) all.insert(all.end(), {named(".dlc"), named(".bin")});
  return all;
}

Status ReportFolder::add(const fs::path& path, std::string_view text, std::string_view what) {
  OPENQNN_TRY(write_file(path, text));
  files_.push_back({path, std::string(what)});
  return {};
}

Status ReportFolder::write(const ProfiledRun& run) {
  OPENQNN_TRY(make_folder(folder_));
  OPENQNN_TRY(write_views(run));
  OPENQNN_TRY(write_log(run));
  return write_trail(run);
}

Status ReportFolder::write_views(const ProfiledRun& run) {
  const Simulation& simulation = *run.simulation;
  const profile::RunView view = {&Inside::of(simulation).program, &Inside::of(simulation).timeline};
  OPENQNN_TRY(add(page(), profile::qhas_page(run.model, concat("openqnn ", version())),
                  "the page: open it in a browser"));
  OPENQNN_TRY(
      add(named("_qnn_htp_analysis_summary.json"), profile::qhas::qhas_json(run.model), "the same as JSON"));
  OPENQNN_TRY(add(folder_ / kSchemaName, profile::qhas::qhas_schema(), "the JSON's schema"));
  OPENQNN_TRY(
      add(named("_chrometrace.json"), chrometrace(simulation), "the timeline, for https://ui.perfetto.dev"));
  OPENQNN_TRY(add(named("_ops.txt"), op_table(simulation), "the table of ops, as text"));
  OPENQNN_TRY(add(named("_linting.txt"), linting_text(simulation),
                  "the critical path, in the layout of the vendor's linting report (simulated)"));
  OPENQNN_TRY(add(named("_htp.json"), profile::htp_json(std::span(&view, 1), run.traceback),
                  "the ops and their cycles, for Netron"));
  OPENQNN_TRY(add(named("_ops.csv"), ops_csv(run.model), "the ops, for spreadsheets (simulated)"));
  OPENQNN_TRY(add(named("_htp_ops.csv"), htp_ops_csv(run.model), "the HTP ops, likewise"));
  return add(named("_run.jsonl"), all_lines(run.model), "everything, one JSON object a line");
}

// A run that was logged keeps its log; of any other there is one as qnn-net-run would have left it.
Status ReportFolder::write_log(const ProfiledRun& run) {
  const Simulation::Impl& made = Inside::of(*run.simulation);
  if (run.log.empty()) {
    const profile::LogHead head = {"openqnn report", std::string(version()), concat("openqnn ", version()),
                                   ""};
    const std::vector<std::byte> bytes = profile::execution_log(made.program, made.timeline, head);
    OPENQNN_TRY(add(log(), bytes_as_text(bytes), "the profile log, for qnn-profile-viewer"));
    const std::array<const program::Program*, 1> programs = {&made.program};
    const std::vector<std::byte> schematic = profile::write_schematic(made.program.graph, programs);
    return add(named("_schematic.bin"), bytes_as_text(schematic), "the schematic that the log refers to");
  }
  if (!is_same_file(run.log, log())) {
    OPENQNN_ASSIGN(const auto file, MappedFile::open(run.log));
    OPENQNN_TRY(add(log(), bytes_as_text(file->bytes()), "the profile log of the run, as it was"));
  }
  if (!run.power_history.empty() && !is_same_file(run.power_history, votes())) {
    OPENQNN_ASSIGN(const std::string text, read_text_file(run.power_history));
    OPENQNN_TRY(add(votes(), text, "the votes of the run, for `openqnn power`"));
  }
  return add(named("_schematic.bin"), bytes_as_text(run.schematic), "the schematic that the log refers to");
}

Status ReportFolder::write_trail(const ProfiledRun& run) {
  OPENQNN_TRY(write_record(run, folder_, named("_schematic.bin").filename().string()));
  files_.push_back({folder_ / kRecordName, "what was run, for `openqnn profile`"});
  if (!is_model(run.source)) return {};
  const bool has_assumed_ranges = run.has_assumed_ranges;
  files_.push_back({run.dlc, has_assumed_ranges
                                 ? "the model as it was simulated; its ranges are assumed: not for running"
                                 : "the model, ready to compile"});
  files_.push_back(
      {run.binary, has_assumed_ranges ? "the context binary of it, likewise" : "the context binary"});
  return {};
}

}  // namespace openqnn::tools
