// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profiled_run.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "api/cxx/impl.h"
#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "json/json.h"
#include "openqnn/version.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/interrupt.h"
#include "tools/part_check.h"
#include "tools/run_job.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

using profile::qhas::Model;
using Settings = std::vector<std::pair<std::string, std::string>>;

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

// ---- Options that belong to models alone ----

std::vector<OptionSpec> compiling_options() {
  std::vector<OptionSpec> all;
  for (const auto& more : {part_options(), backend_options(), model_options(), candidate_options()})
    for (const OptionSpec& option : more)
      if (option.name != "--soc") all.push_back(option);
  return all;
}

Settings given_settings(const Args& args) {
  Settings given;
  for (const OptionSpec& option : compiling_options()) {
    const bool says_nothing =
        option.name == "--verbose" || option.name == "--backend" || option.name == "--precision";
    if (!args.has(option.name) || says_nothing) continue;  // what the precision came to is told by itself
    given.emplace_back(option.name, option.value.empty() ? "given" : joined(args.all(option.name)));
  }
  return given;
}

Status refuse_compiling_options(const Args& args, const std::string& path) {
  for (const OptionSpec& option : compiling_options()) {
    if (!args.has(option.name)) continue;
    return invalid("option-value", concat("it is for models, and '", path, "' is compiled already"))
        .at(std::string(option.name))
        .fix_by("leave it out, or give the model");
  }
  return {};
}

// ---- From a model to a context binary ----

// A folder that goes with everything in it.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "openqnn-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr)
      return system_failure("scratch-folder", "no folder can be made for files that are needed for a moment")
          .at(name)
          .fix_by("set TMPDIR to a folder that can be written to");
    return ScratchFolder(name);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// A .dlc whose graph is quantized is compiled as it is. Nothing is asked of those that make a quantized
// graph.
Result<bool> take_quantized(RunJob& job) {
  if (kind_of_file(job.source) != FileKind::kDlc) return false;
  OPENQNN_ASSIGN(frontend::Dlc dlc, frontend::read_dlc(job.source));
  if (dlc.graphs.size() != 1) return false;  // converting says what is wrong
  const auto is_quantized = [](const ir::Tensor& tensor) { return ir::is_quantized(tensor.desc.type); };
  if (std::ranges::none_of(dlc.graphs[0].graph.tensors(), is_quantized)) return false;
  std::vector<OptionSpec> unused = model_options();
  for (const OptionSpec& option : candidate_options()) unused.push_back(option);
  unused.push_back({"--precision", "NAME", ""});
  for (const OptionSpec& option : unused) {
    if (!job.args.has(option.name)) continue;
    return invalid("option-value", "the model in this file is quantized already, and compiled as it is")
        .at(std::string(option.name))
        .fix_by("leave it out, or give the float model");
  }
  job.model.graph.trace = std::move(dlc.graphs[0].trace);
  job.prepared.graph = std::move(dlc.graphs[0].graph);
  job.prepared.activation_share = dlc.graphs[0].activation_share;
  OPENQNN_TRY(check_runs_on(job.target, job.prepared.graph));
  step("quantized", concat(shown(job.source), ", as it is"));
  return true;
}

struct Compiled {
  fs::path binary;
  fs::path dlc;
  std::string computed_as;
};

Result<Compiled> compile(const std::string& path, const Args& args, const fs::path& folder) {
  RunConfigs configs;
  OPENQNN_TRY(read_configs(args, configs));
  OPENQNN_ASSIGN(RunRequest request, run_request_from(args, configs));
  RunPaths paths;
  paths.folder = folder;
  const std::string stem = fs::path(path).stem().string();
  paths.dlc = folder / (stem + ".dlc");
  paths.binary = folder / (stem + ".bin");
  RunJob job{args,
             path,
             configs,
             paths,
             std::move(request.target),
             std::move(request.candidate),
             0,
             {},
             {},
             PreparedModel{},
             {},
             {},
             {}};
  OPENQNN_ASSIGN(const bool is_ready, take_quantized(job));
  if (!is_ready) {
    OPENQNN_TRY(convert_model(job));
    OPENQNN_TRY(quantize_model(job));
  }
  OPENQNN_ASSIGN(const auto session, open_session(job));
  OPENQNN_TRY(compile_model(job, *session));
  return Compiled{paths.binary, paths.dlc, is_ready ? "as quantized in the file" : job.computed_as};
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

struct Origin {
  std::string source;
  std::string stem;
  fs::path binary;
  fs::path dlc;
  Settings settings;
  std::string graph;
  std::string soc;
};

Result<ProfiledRun> simulated(const Origin& origin) {
  OPENQNN_TRY(expect_kind(origin.binary, {FileKind::kContextBinary}));
  const auto binary = ContextBinary::open(origin.binary);
  if (!binary) return diagnostic_of(binary.error());
  auto simulation = simulate(*binary, {.graph = origin.graph, .soc = origin.soc});
  if (!simulation) return diagnostic_of(simulation.error());
  OPENQNN_ASSIGN(const frontend::Trace trace, framework_names(origin.dlc, simulation->graph()));
  const Simulation::Impl& made = simulation->impl();
  Model model = profile::qhas::qhas_model_of(made.program, made.timeline,
                                             {origin.stem, made.prepared_for, made.assumptions, &trace});
  return ProfiledRun{origin.source,          origin.stem,     origin.settings, origin.binary, origin.dlc,
                     *std::move(simulation), std::move(model)};
}

// ---- A run as it was saved ----

Result<ProfiledRun> saved_run(const std::string& path, const Args& args) {
  for (const std::string_view option : {"--soc", "--graph", "--dlc"})
    if (args.has(option))
      return invalid("option-value",
                     "it is for what is simulated, and the numbers of this file stay as they are")
          .at(std::string(option))
          .fix_by("leave it out, or give the context binary");
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

Result<Origin> read_record(const fs::path& folder) {
  const fs::path path = folder / kRecordName;
  auto text = read_text_file(path);
  if (!text)
    return invalid("profile-folder", "this folder holds no report")
        .at(folder.string())
        .fix_by("`openqnn report MODEL --output_dir DIR` makes one");
  OPENQNN_ASSIGN(const json::Value record, json::parse(*text, path.string()));
  Origin origin;
  origin.source = folder.string();
  origin.stem = text_at(record, "stem");
  origin.graph = text_at(record, "graph");
  origin.soc = text_at(record, "soc");
  const std::string binary = text_at(record, "binary");
  if (binary.empty() || origin.stem.empty())
    return invalid("profile-record", "it does not name a context binary")
        .at(path.string())
        .fix_by("run `openqnn report` again");
  origin.binary = folder / binary;  // an absolute path stays what it is
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
  std::vector<OptionSpec> all = {
      {"--soc", "NAME", "the part (default: that of --config, of the binary, or SM8650)"},
      {"--graph", "NAME", "which graph, when a binary holds several"},
      {"--dlc", "FILE",
       "of a binary: the .dlc it was compiled from, for the framework's names in place of its own"}};
  for (const OptionSpec& option : compiling_options()) all.push_back(option);
  return all;
}

bool is_model(const fs::path& path) {
  const FileKind kind = kind_of_file(path);
  return kind == FileKind::kOnnx || kind == FileKind::kDlc;
}

Result<ProfiledRun> profiled_run(const std::string& path, const Args& args, const fs::path& folder) {
  Origin origin;
  std::optional<ScratchFolder> scratch;
  std::error_code error;
  if (is_model(path)) {
    for (const std::string_view option : {"--graph", "--dlc"})
      if (args.has(option))
        return invalid("option-value",
                       "it is for context binaries; a model is one graph and has its own names")
            .at(std::string(option))
            .fix_by("leave it out");
    OPENQNN_TRY(check_model_options(args));
    if (folder.empty()) {
      OPENQNN_ASSIGN(ScratchFolder made, ScratchFolder::make());
      scratch.emplace(std::move(made));
      set_quiet(true);
    }
    catch_interrupts();
    const auto compiled = compile(path, args, scratch ? scratch->path() : folder);
    if (scratch) set_quiet(false);
    if (!compiled) return compiled.error();
    origin = {path, fs::path(path).stem().string(), compiled->binary, compiled->dlc, given_settings(args), "",
              ""};
    origin.settings.emplace_back("computed as", compiled->computed_as);
    return simulated(origin);
  }
  OPENQNN_TRY(refuse_compiling_options(args, path));
  if (kind_of_file(path) == FileKind::kJson) return saved_run(path, args);
  if (fs::is_directory(path, error)) {
    OPENQNN_ASSIGN(origin, read_record(path));
  } else {
    OPENQNN_TRY(MappedFile::open(path));
    OPENQNN_TRY(
        expect_kind(path, {FileKind::kContextBinary, FileKind::kOnnx, FileKind::kDlc, FileKind::kJson}));
    origin = {path, fs::path(path).stem().string(), path, {}, {}, "", ""};
  }
  if (args.has("--graph")) origin.graph = args.get("--graph");
  if (args.has("--soc")) origin.soc = args.get("--soc");
  if (args.has("--dlc")) origin.dlc = args.get("--dlc");
  return simulated(origin);
}

int fail_run(std::string_view what, const Diagnostic& diagnostic) {
  const bool is_usage = diagnostic.code == "option-value" || diagnostic.code == "soc-unknown";
  return is_usage ? fail_usage(what, diagnostic) : fail(what, diagnostic);
}

Status write_record(const ProfiledRun& run, const fs::path& folder) {
  json::Writer out;
  out.begin_object();
  out.key("made_by").string(concat("openqnn ", version()));
  out.key("source").string(run.source).key("stem").string(run.stem);
  out.key("binary").string(place_of(run.binary, folder));
  if (!run.dlc.empty()) out.key("dlc").string(place_of(run.dlc, folder));
  out.key("graph").string(run.model.graph).key("soc").string(run.model.soc);
  out.key("settings").begin_object();
  for (const auto& [name, value] : run.settings) out.key(name).string(value);
  out.end_object().end_object();
  return write_file(folder / kRecordName, out.take());
}

}  // namespace openqnn::tools
