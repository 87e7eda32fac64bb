// SPDX-License-Identifier: BSD-3-Clause
// What the steps of `openqnn run` work on, one after the other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "quant/compare.h"
#include "soc/target.h"
#include "tools/args.h"
#include "tools/candidate.h"
#include "tools/model_job.h"
#include "tools/qnn/tool_config.h"
#include "tools/session.h"

namespace openqnn::tools {

// Where none is named, of the commands that compile. The demo's part, too. Ours: it runs every precision,
// which QNN's own default does not.
inline constexpr std::string_view kDefaultPart = "SM8650";

struct RunPaths {
  std::filesystem::path folder;
  std::filesystem::path dlc;
  std::filesystem::path binary;
  std::filesystem::path trace;
  std::optional<std::filesystem::path> power;       // the history of the votes that a file casts
  std::optional<std::filesystem::path> input_list;  // of the inputs that are made, where none are given
  bool replaces = false;                            // some of them were there

  std::filesystem::path result(size_t sample) const { return folder / concat("Result_", sample); }
  std::filesystem::path made_inputs() const { return folder / "inputs"; }
  // Whether the paths in that list begin in the folder, not where the command runs: a blank would end them.
  bool list_begins_in_folder() const {
    return folder.string().find_first_of(" \t\r\n\v\f") != std::string::npos;
  }
};

// An output against float, over all samples.
struct OutputReport {
  std::string name;
  quant::Distance distance;
  quant::Decisions decisions;
};

// What --config says, read as the two programs read it that this command stands for.
struct RunConfigs {
  ToolConfig to_compile;  // as qnn-context-binary-generator
  ToolConfig to_run;      // as qnn-net-run, of the binary; not read where nothing is run
};

// What is taken where neither the command line nor a file says it: as the programs for devices have it, or as
// `openqnn simulate` does.
struct RunDefaults {
  Images images = Images::kAsInModel;
  bool assumes_ranges = false;  // nothing is run to find them
  bool whole_part = false;      // all of its VTCM and HVX threads
};

struct RunJob {
  const Args& args;
  std::string source;  // the model's file
  RunConfigs& configs;
  RunPaths paths;
  soc::Target target;
  Candidate candidate;
  RunDefaults defaults = {};
  // What the steps make, one after the other.
  FloatModel model = {};
  std::vector<Sample> samples = {};
  PreparedModel prepared = {};
  std::string computed_as = {};                                   // for people
  std::vector<std::vector<std::vector<std::byte>>> outputs = {};  // of each sample, in the graph's order
  std::vector<OutputReport> reports = {};                         // in the graph's order
};

// What the command line says of the job, before any model is read.
struct RunRequest {
  soc::Target target;
  Candidate candidate;
};

// The options that compiling reads, beside those of the model and of the candidate: --soc, --config and
// --precision; --backend and --verbose.
std::vector<OptionSpec> part_options();
std::vector<OptionSpec> session_options();

Status read_config_to_compile(const Args& args, ToolConfig& config);
Status read_config_to_run(const Args& args, ToolConfig& config);
Result<RunRequest> run_request_from(const Args& args, const RunConfigs& configs);

// ---- Whether a part can run a graph, found out for all of its nodes at once and before long work
// (part_check.cc) ----

// One error that lists every node that the part refuses.
Status check_runs_on(const soc::Target& part, const ir::Graph& graph);

// The same of a model that has not been quantized yet, from the types that its tensors are going to have.
Status check_will_run_on(const soc::Target& part, const FloatModel& model, const Precision& precision);

// The steps to the context binary, each told as it is done.
Status convert_model(RunJob& job);
Status quantize_model(RunJob& job);
Result<std::unique_ptr<Session>> open_session(const RunJob& job);
Status compile_model(RunJob& job, Session& session);  // leaves the .dlc and the binary

// From the binary's file, as a program on a device would: outputs go into files and into the job.
Status execute_samples(RunJob& job, Session& session);
// The outputs against single precision, told and kept.
Status compare_with_float(RunJob& job);
std::string text_of(const OutputReport& output);         // without differences
std::string decisions_text(const OutputReport& output);  // what follows it where rows are decisions

}  // namespace openqnn::tools
