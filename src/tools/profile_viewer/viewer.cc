// SPDX-License-Identifier: BSD-3-Clause
// qnn-profile-viewer: what profile logs hold, as text, tables and traces.
#include <filesystem>
#include <map>

#include "base/files.h"
#include "base/text.h"
#include "profile/events.h"
#include "profile/op_trace.h"
#include "profile/schematic.h"
#include "profile/viewer_reports.h"
#include "tools/console.h"
#include "tools/products.h"
#include "tools/profile_viewer/reader_library.h"
#include "tools/program_options.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHtpReader = "libQnnHtpProfilingReader.so";
constexpr std::string_view kChrometraceReader = "libQnnChrometraceProfilingReader.so";
constexpr std::string_view kOptraceReader = "libQnnHtpOptraceProfilingReader.so";

// Options that go to a reader.
constexpr std::string_view kReaderOptions[] = {"--output", "--gzip",       "--schematic", "--dlc",
                                               "--config", "--zoom_start", "--zoom_end"};

Result<ReaderRequest> request_of(const Args& args) {
  if (!args.has("--input_log"))
    return invalid("option-missing", "--input_log is required")
        .fix_by("name one or more logs, with commas between");
  ReaderRequest request;
  OPENQNN_ASSIGN(request.logs, list_of(args, "--input_log"));
  request.output = args.get("--output");
  if (args.has("--output")) OPENQNN_TRY(check_output_file(request.output));
  request.schematic = args.get("--schematic");
  request.dlc = args.get("--dlc");
  request.config = args.get("--config");
  request.zoom_start = args.get("--zoom_start");
  request.zoom_end = args.get("--zoom_end");
  request.gzip = args.has("--gzip");
  if (args.has("--zoom_start") != args.has("--zoom_end"))
    return invalid("option-missing", "--zoom_start and --zoom_end go together").fix_by("give both");
  if (request.gzip && request.output.empty())
    return invalid("option-conflict", "--gzip compresses a file, and --output names none")
        .fix_by("add --output");
  request.print = [](std::string_view text) {
    print(text);
    return Status();
  };
  request.tell = [](QnnLog_Level_t level, const std::string& line) { log_line(level, line); };
  return request;
}

// ---- Which reader

// What the first execution of a log holds.
class FirstExecution : public profile::LogVisitor {
 public:
  static constexpr const char* kSeen = "seen";  // the code of the end that is no failure
  Status on_record(size_t /*session*/, profile::LogRecord record) override {
    if (!profile::is_execution(record)) return {};
    for (const profile::LogEvent& event : record.events) {
      if (event.type == profile::event_type::kExecuteCriticalCycles) is_linted = true;
      if (event.type == profile::event_type::kTrace && event.kind == profile::LogValueKind::kObject)
        is_traced = true;
    }
    return invalid(kSeen, "");
  }

  bool is_linted = false;
  bool is_traced = false;
};

// A trace is asked for by the name of its file.
bool is_trace_name(const std::string& output) {
  return output.ends_with(".json") || output.ends_with(".json.gz");
}

// The library that fits what the logs hold and what is wanted; empty: none is needed.
Result<std::string_view> pick_reader(const Args& args, const ReaderRequest& request) {
  FirstExecution first;
  ReaderRequest silent = request;
  silent.tell = [](QnnLog_Level_t, const std::string&) {};
  for (const std::string& log : request.logs)
    if (const Status status = visit_log(log, silent, first); !status) {
      if (status.error().code == FirstExecution::kSeen) break;
      return status.error();
    }
  for (const std::string_view option : {"--schematic", "--dlc", "--config", "--zoom_start"})
    if (args.has(option)) return kOptraceReader;
  if (first.is_traced && is_trace_name(request.output)) return kOptraceReader;
  if (is_trace_name(request.output)) return kChrometraceReader;
  if (first.is_traced)
    request.info("the log has op traces: --schematic and --output chrometrace.json show them");
  return first.is_linted && request.output.empty() ? kHtpReader : std::string_view();
}

Status read_with(const std::string& library, const Args& args, const ReaderRequest& request) {
  OPENQNN_ASSIGN(const auto reader, ReaderLibrary::open(library));
  for (const std::string_view option : kReaderOptions)
    if (args.has(option) && !reader->takes(option))
      return invalid("option-reader", concat(option, " means nothing to ", library))
          .fix_by(concat("leave it out, or use ", kOptraceReader));
  return reader->read(request);
}

// ---- Without a reader

std::string head_text(const ReaderRequest& request, const profile::LogStatistics& statistics) {
  std::string out;
  for (const std::string& log : request.logs) out += concat("Input log file location: ", shown(log), "\n");
  out += concat("qnn-profile-viewer version: ", OPENQNN_VERSION, "\n");
  if (!statistics.heads().empty()) {
    const profile::LogHead& head = statistics.heads()[0];
    out += concat(head.application.empty() ? "application" : shown(head.application),
                  " version: ", shown(head.application_version), "\n",
                  "Backend version: ", shown(head.backend_version), "\n");
  }
  return out += concat(statistics.clocks().text(), "\n\n");
}

Status summarize(const ReaderRequest& request, const profile::Print& print) {
  profile::LogStatistics statistics;
  OPENQNN_TRY(visit_logs(request, statistics));
  OPENQNN_TRY(print(head_text(request, statistics)));
  return print(statistics.text());
}

std::string joined_logs(const ReaderRequest& request) {
  std::string all;
  for (const std::string& log : request.logs) all += concat(all.empty() ? "" : ";", log);
  return all;
}

// JSON lines, text or CSV, by the name of the file.
Status write_table(const ReaderRequest& request) {
  fs::path name = request.output;
  if (name.extension() == ".gz") name.replace_extension();
  return write_output(request, request.output, [&](const profile::Print& print) -> Status {
    if (name.extension() == ".txt") return summarize(request, print);
    if (name.extension() == ".jsonl") {
      profile::LogJsonLines lines(print);
      return visit_logs(request, lines);
    }
    profile::LogCsv csv(print, joined_logs(request), OPENQNN_VERSION);
    return visit_logs(request, csv);
  });
}

Status read_alone(const ReaderRequest& request) {
  OPENQNN_TRY(summarize(request, request.print));
  return request.output.empty() ? Status() : write_table(request);
}

// ---- --extract_opaque_objects

// Every object of the logs, in files of the names that it comes with. A name that comes again gets a number.
class ObjectFiles : public profile::LogVisitor {
 public:
  explicit ObjectFiles(const ReaderRequest& request) : request_(request) {}
  Status on_record(size_t /*session*/, profile::LogRecord record) override {
    for (const profile::LogEvent& event : record.events)
      if (event.kind == profile::LogValueKind::kObject) OPENQNN_TRY(write(event));
    return {};
  }
  uint64_t count() const { return count_; }

 private:
  Status write(const profile::LogEvent& event) {
    fs::path name = profile::object_file_name(event.text);
    const uint64_t again = times_[name.string()]++;
    if (again > 0) name = concat(name.stem().string(), "_", again, name.extension().string());
    OPENQNN_TRY(refuse_own_input(name, request_.logs));
    OPENQNN_TRY(keep_others(name));
    const std::string_view verb = written_verb(name);
    OPENQNN_TRY(write_file(name, event.object));
    request_.info(concat(verb, " ", shown(name.string())));
    ++count_;
    return {};
  }

  // The log chooses the name, so that it must not be one of the user's files.
  static Status keep_others(const fs::path& name) {
    std::error_code ignored;
    if (!fs::exists(name, ignored)) return {};
    OPENQNN_ASSIGN(const auto file, MappedFile::open(name));
    for (const profile::SealedKind* const kind : {&profile::kSchematicKind, &profile::kOpTraceKind})
      if (profile::begins_as(*kind, file->bytes())) return {};
    return invalid("object-file", "an object of the log has this name, and the file is no object of a log")
        .at(name.string())
        .fix_by("start the program in another folder");
  }

  const ReaderRequest& request_;
  std::map<std::string, uint64_t> times_;
  uint64_t count_ = 0;
};

Status extract(const ReaderRequest& request) {
  ObjectFiles files(request);
  OPENQNN_TRY(visit_logs(request, files));
  if (files.count() == 0) request.warn("the log has no objects; --profiling_option optrace writes some");
  return {};
}

Status run(const Args& args) {
  OPENQNN_ASSIGN(const ReaderRequest request, request_of(args));
  if (args.has("--extract_opaque_objects")) OPENQNN_TRY(extract(request));
  if (args.has("--reader")) return read_with(args.get("--reader"), args, request);
  OPENQNN_ASSIGN(const std::string_view picked, pick_reader(args, request));
  return picked.empty() ? read_alone(request) : read_with(std::string(picked), args, request);
}

}  // namespace

Program this_program() {
  return {
      .spec =
          {.name = "qnn-profile-viewer",
           .summary = "Show what profile logs hold, as text, tables and traces",
           .details = R"(Without --reader one is chosen by what the log holds (ours): linting is shown by
libQnnHtpProfilingReader.so, --output NAME.json asks for a trace, and else the steps of the log are summed
up. Times of executions are simulated, except where the client alone was profiled.)",
           .options =
               {{"--input_log", "FILE[,FILE]", "the logs, e.g. qnn-profiling-data_0.log (required)"},
                {"--output", "FILE",
                 "a file to write. With a reader, what the reader makes; without one CSV, or text for "
                 "NAME.txt and one JSON "
                 "object a line for NAME.jsonl (ours)"},
                {"--reader", "LIBRARY",
                 "libQnnHtpProfilingReader.so: every run as text; libQnnChrometraceProfilingReader.so: the "
                 "average, and a "
                 "trace of linting; libQnnHtpOptraceProfilingReader.so: a trace of every task. A path, or "
                 "a bare name for "
                 "the one beside this program"},
                {"--schematic", "FILE",
                 "GRAPH_schematic.bin, for op traces; not needed when the log has it (ours)"},
                {"--config", "FILE", "features of the op trace, JSON: {\"features\": {\"htp_json\": true}}"},
                {"--dlc", "FILE",
                 "the model, for names of its nodes in the file it came from, in place of the schematic's"},
                {"--zoom_start", "NODE",
                 "show the part of the graph from here on, by a node's name in the graph or the file"},
                {"--zoom_end", "NODE", "up to here; both or none"},
                {"--gzip", "",
                 "compress what is written; so does NAME.gz, and \"gzip\" in the file of --config"},
                {"--extract_opaque_objects", "",
                 "also write the objects of the logs as files, in the working folder"}},
           .examples =
               {"qnn-profile-viewer --input_log output/qnn-profiling-data_0.log",
                "qnn-profile-viewer --input_log output/qnn-profiling-data_0.log --output run.csv",
                "qnn-profile-viewer --reader libQnnHtpOptraceProfilingReader.so --input_log "
                "output/qnn-profiling-data.log --schematic model_schematic.bin --output chrometrace.json"},
           .usage =
               "qnn-profile-viewer --input_log FILE[,FILE] [--reader LIBRARY] [--output FILE] [OPTION]..."},
      .run = run};
}

}  // namespace openqnn::tools
