// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profiled_run.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/cxx/impl.h"
#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "json/json.h"
#include "openqnn/version.h"
#include "profile/schematic.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/interrupt.h"
#include "tools/model_job.h"
#include "tools/qnn/power.h"
#include "tools/qnn/profiling.h"
#include "tools/scratch_folder.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

using profile::qhas::Model;

// The C++ API's failure as the rooms have it.
Diagnostic diagnostic_of(const Error& error) {
  Diagnostic made;
  made.code = error.code;
  made.failure = static_cast<Failure>(error.kind);
  made.message = error.message;
  made.where.object = error.where;
  made.fix = error.fix;
  made.notes = error.notes;
  return made;
}

Result<ScratchFolder> folder_for_a_moment() {
  std::error_code error;
  const fs::path pattern = fs::temp_directory_path(error) / "openqnn-XXXXXX";
  if (auto made = error ? std::nullopt : ScratchFolder::make(pattern)) return *std::move(made);
  return system_failure("scratch-folder", "no folder can be made for files that are needed for a moment")
      .at(pattern.string())
      .fix_by("set TMPDIR to a folder that can be written to");
}

// ---- From a context binary to a run ----

Result<frontend::Trace> framework_names(const fs::path& dlc, const std::string& graph) {
  if (dlc.empty()) return frontend::Trace();
  OPENQNN_TRY(expect_kind(dlc, {FileKind::kDlc}));
  OPENQNN_ASSIGN(frontend::Dlc file, frontend::read_dlc(dlc));
  for (frontend::DlcGraph& one : file.graphs)
    if (one.graph.name() == graph) return std::move(one.trace);
  if (file.graphs.size() == 1) return std::move(file.graphs[0].trace);
  return invalid("profile-dlc", concat("it holds no graph '", graph, "', whose names are wanted"))
      .at(dlc.string())
      .fix_by("give the .dlc that the binary was compiled from");
}

struct Origin : RunOrigin {
  std::string graph;
  std::string soc;
  fs::path schematic = {};  // of a run that was logged, where it was named
};

void add_votes(const Conditions& conditions, Settings& settings) {
  const auto add = [&](std::string_view name, const std::string& value) {
    std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });  // of an earlier run
    settings.emplace_back(name, value);
  };
  if (!conditions.perf_profile.empty()) add("perf_profile", conditions.perf_profile);
  if (conditions.rpc_polling_us) add("rpc_polling_time", concat(*conditions.rpc_polling_us));
  if (conditions.rpc_control_latency_us)
    add("rpc_control_latency", concat(*conditions.rpc_control_latency_us));
  if (conditions.adaptive_polling_us) add("adaptive_polling_time", concat(*conditions.adaptive_polling_us));
}

ProfiledRun run_of(const RunOrigin& origin, Simulation simulation, const frontend::Trace& trace) {
  const Simulation::Impl& made = Inside::of(simulation);
  std::vector<std::string> assumptions = made.assumptions;
  assumptions.insert(assumptions.end(), origin.assumed.begin(), origin.assumed.end());
  ProfiledRun run{origin};
  for (const frontend::Trace::Node& node : trace.nodes) run.traceback[node.name] = node.sources;
  run.model = profile::qhas::qhas_model_of(
      made.program, made.timeline, {origin.stem, made.prepared_for, assumptions, &trace, &made.power});
  run.simulation = std::move(simulation);
  add_votes(origin.conditions, run.settings);
  return run;
}

Result<ProfiledRun> simulated(const Origin& origin) {
  OPENQNN_TRY(expect_kind(origin.binary, {FileKind::kContextBinary}));
  const auto binary = ContextBinary::open(origin.binary);
  if (!binary) return diagnostic_of(binary.error());
  OPENQNN_ASSIGN(Simulation simulation,
                 simulation_of(Inside::of(*binary), origin.graph, origin.soc, origin.conditions));
  OPENQNN_ASSIGN(const frontend::Trace trace, framework_names(origin.dlc, simulation.graph()));
  return run_of(origin, std::move(simulation), trace);
}

// ---- A run that was logged ----

Result<ProfiledRun> logged(const Origin& origin) {
  OPENQNN_ASSIGN(LoggedRun found, logged_run({origin.log, origin.schematic, origin.graph}));
  OPENQNN_ASSIGN(const frontend::Trace trace, framework_names(origin.dlc, found.simulation.graph()));
  std::vector<const program::Program*> programs;
  for (const program::Program& program : found.schematic.programs) programs.push_back(&program);
  RunOrigin voted = origin;
  const std::string& profile = Inside::of(found.simulation).power.perf_profile;
  if (!profile.empty()) voted.conditions = {.perf_profile = profile};
  ProfiledRun run = run_of(voted, std::move(found.simulation), trace);
  run.power_history = std::move(found.power_history);
  run.schematic = profile::write_schematic(found.schematic.graph, programs);
  return run;
}

// ---- A run as it was saved ----

Status refuse_recorded(const Args& args, const std::vector<std::string_view>& options) {
  return refuse_options(args, options,
                        "it is for what is simulated, and the numbers of this file stay as they are",
                        "leave it out, or give the context binary");
}

Result<ProfiledRun> saved_run(const std::string& path, const Args& args) {
  OPENQNN_TRY(refuse_recorded(args, {"--soc", "--graph", "--dlc", "--perf_profile", "--schematic"}));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  const auto bytes = file->bytes();
  OPENQNN_ASSIGN(Model model,
                 profile::qhas::read_qhas({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path));
  ProfiledRun run;
  run.source = path;
  run.stem = model.model_id;
  run.model = std::move(model);
  return run;
}

// ---- The record of an earlier report ----

std::string text_at(const json::Value& record, std::string_view key) {
  const json::Value* const value = record.find(key);
  return value == nullptr ? "" : std::string(value->as_string());
}

// The votes of a record, which are members of their own.
constexpr std::array<std::pair<std::string_view, std::optional<uint32_t> Conditions::*>, 3> kVotes = {
    {{"rpc_polling_us", &Conditions::rpc_polling_us},
     {"rpc_control_latency_us", &Conditions::rpc_control_latency_us},
     {"adaptive_polling_us", &Conditions::adaptive_polling_us}}};

Conditions votes_in(const json::Value& record) {
  Conditions votes;
  votes.perf_profile = text_at(record, "perf_profile");
  for (const auto& [key, member] : kVotes)
    if (const json::Value* const value = record.find(key); value != nullptr)
      if (const auto number = value->as_int64(); number && *number >= 0 && *number <= UINT32_MAX)
        votes.*member = static_cast<uint32_t>(*number);
  return votes;
}

Result<Origin> read_record(const fs::path& folder) {
  const fs::path path = folder / kRecordName;
  auto text = read_text_file(path);
  if (!text)
    return invalid("profile-folder", "this folder holds neither a report nor the profile log of a run")
        .at(folder.string())
        .fix_by(concat("`openqnn report MODEL --output_dir DIR` makes the one, `", kHowToLog, "` the other"));
  OPENQNN_ASSIGN(const json::Value record, json::parse(*text, path.string()));
  Origin origin;
  origin.source = folder.string();
  origin.stem = text_at(record, "stem");
  origin.graph = text_at(record, "graph");
  origin.soc = text_at(record, "soc");
  const std::string binary = text_at(record, "binary");
  const std::string log = text_at(record, "log");
  if ((binary.empty() && log.empty()) || origin.stem.empty())
    return invalid("profile-record", "it does not name a context binary")
        .at(path.string())
        .fix_by("run `openqnn report` again");
  if (!binary.empty()) origin.binary = folder / binary;  // an absolute path stays what it is
  if (!log.empty()) origin.log = folder / log;
  if (const std::string schematic = text_at(record, "schematic"); !schematic.empty())
    origin.schematic = folder / schematic;
  origin.conditions = votes_in(record);
  if (const json::Value* const texts = record.find("assumptions"); texts != nullptr)
    for (const json::Value& text_of_it : texts->as_array())
      origin.assumed.emplace_back(text_of_it.as_string());
  if (const std::string dlc = text_at(record, "dlc"); !dlc.empty()) origin.dlc = folder / dlc;
  if (const json::Value* const settings = record.find("settings"); settings != nullptr)
    for (const json::Member& member : settings->as_object())
      origin.settings.emplace_back(std::string(member.key), std::string(member.value.as_string()));
  return origin;
}

// Beside the record, where it is there; else where it really is.
std::string place_of(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path near = folder / file.filename();
  if (fs::equivalent(near, file, error) && !error) return file.filename().string();
  return fs::absolute(file, error).string();
}

}  // namespace

std::vector<OptionSpec> run_options() {
  return joined_options(
      {{{"--soc", "NAME", "the part (default: that of --config, of the binary, or SM8650)"},
        {"--graph", "NAME", "which graph, when a binary holds several"},
        {"--dlc", "FILE",
         "of a binary or a log: the .dlc it was compiled from, for the framework's names in place of\n"
         "its own"},
        {"--schematic", "FILE",
         "of a log: GRAPH_schematic.bin, where it is neither in the log nor near it (ours)"},
        {"--perf_profile", "NAME",
         "a warm call under the votes of this profile (default: those of --config, else burst with\n"
         "polling)",
         false, kPerfProfileNames}},
       compiling_options()});
}

fs::path named_place(const fs::path& path) {
  std::error_code ignored;
  const fs::path place = fs::absolute(path, ignored).lexically_normal();
  return place.has_filename() ? place : place.parent_path();
}

bool is_model(const fs::path& path) {
  const FileKind kind = kind_of_file(path);
  return kind == FileKind::kOnnx || kind == FileKind::kDlc;
}

namespace {

// Nothing is told of the steps while this lives.
class Silence {
 public:
  explicit Silence(bool wanted) : wanted_(wanted) {
    if (wanted_) set_quiet(true);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (wanted_) set_quiet(false);
  }

 private:
  const bool wanted_;
};

Result<ProfiledRun> run_of_model(const std::string& path, const Args& args, const fs::path& folder) {
  OPENQNN_TRY(refuse_options(args, {"--graph", "--dlc", "--schematic"},
                             "it is for context binaries; a model is one graph and has its own names",
                             "leave it out"));
  OPENQNN_TRY(check_model_options(args));
  std::optional<ScratchFolder> scratch;
  if (folder.empty()) {
    OPENQNN_ASSIGN(ScratchFolder made, folder_for_a_moment());
    scratch.emplace(std::move(made));
  }
  catch_interrupts();
  const auto compiled = [&] {
    const Silence silence(folder.empty());
    return compile(path, args, scratch ? scratch->path() : folder);
  }();
  if (!compiled) return compiled.error();
  return simulated({*compiled});
}

// What a folder, a binary or a log stands for.
Result<Origin> origin_of(const std::string& path) {
  std::error_code error;
  Origin origin;
  origin.source = path;
  if (fs::is_directory(path, error)) {
    if (fs::exists(fs::path(path) / kRecordName, error)) return read_record(path);
    origin.log = profile_log_in(path);
    if (origin.log.empty()) return read_record(path);  // says what there is not
    origin.stem = named_place(path).filename().string();
    return origin;
  }
  OPENQNN_TRY(expect_known_kind(path, {FileKind::kContextBinary, FileKind::kOnnx, FileKind::kDlc,
                                       FileKind::kJson, FileKind::kProfileLog}));
  origin.stem = fs::path(path).stem().string();
  (kind_of_file(path) == FileKind::kProfileLog ? origin.log : origin.binary) = path;
  return origin;
}

}  // namespace

Result<ProfiledRun> profiled_run(const std::string& path, const Args& args, const fs::path& folder) {
  OPENQNN_ASSIGN(const std::string perf_profile, perf_profile_from(args));  // before anything is compiled
  if (is_model(path)) return run_of_model(path, args, folder);
  if (kind_of_file(path) == FileKind::kJson) {
    OPENQNN_TRY(refuse_compiling_options(args, path));
    return saved_run(path, args);
  }
  OPENQNN_ASSIGN(Origin origin, origin_of(path));
  OPENQNN_TRY(refuse_compiling_options(args, path));
  if (args.has("--graph")) origin.graph = args.get("--graph");
  if (args.has("--dlc")) origin.dlc = args.get("--dlc");
  if (!origin.log.empty()) {
    OPENQNN_TRY(refuse_recorded(args, {"--soc", "--perf_profile"}));
    if (args.has("--schematic")) origin.schematic = args.get("--schematic");
    const Silence silence(folder.empty());
    return logged(origin);
  }
  if (args.has("--schematic"))
    return wrong_option("--schematic", "it is for profile logs; a context binary has its own schedule")
        .fix_by("leave it out");
  if (args.has("--soc")) {
    OPENQNN_ASSIGN(const soc::Target part, part_named(args.get("--soc")));
    origin.soc = part.soc;
  }
  if (args.has("--perf_profile")) origin.conditions = {.perf_profile = perf_profile};
  return simulated(origin);
}

Result<std::string> perf_profile_from(const Args& args) {
  const std::string name = chosen_profile(args.get("--perf_profile"));
  if (name.empty()) return name;
  auto known = soc::find_profile(name);
  if (known && known->kind == soc::ProfileKind::kInternal)
    return wrong_option("--perf_profile",
                        concat("'", name, "' is a state that votes fall to, and cannot be chosen"))
        .fix_by("`openqnn profiles` lists those that can");
  if (known) return name;
  Diagnostic failure = std::move(known).error();
  failure.code = "option-value";
  failure.where = {"--perf_profile"};
  return failure;
}

Status write_record(const ProfiledRun& run, const fs::path& folder, const std::string& schematic) {
  json::Writer out;
  out.begin_object();
  out.key("made_by").string(concat("openqnn ", version()));
  out.key("source").string(run.source).key("stem").string(run.stem);
  if (!run.binary.empty()) out.key("binary").string(place_of(run.binary, folder));
  if (!run.log.empty()) out.key("log").string(kProfileLogName).key("schematic").string(schematic);
  if (!run.dlc.empty()) out.key("dlc").string(place_of(run.dlc, folder));
  out.key("graph").string(run.model.graph).key("soc").string(run.model.soc);
  if (!run.conditions.perf_profile.empty()) out.key("perf_profile").string(run.conditions.perf_profile);
  for (const auto& [key, member] : kVotes)
    if (const auto& vote = run.conditions.*member) out.key(key).unsigned_integer(*vote);
  out.key("assumptions").begin_array();
  for (const std::string& text : run.assumed) out.string(text);
  out.end_array();
  out.key("settings").begin_object();
  for (const auto& [name, value] : run.settings) out.key(name).string(value);
  out.end_object().end_object();
  return write_file(folder / kRecordName, out.take());
}

}  // namespace openqnn::tools
