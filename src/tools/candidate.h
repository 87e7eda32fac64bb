// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn run` and `openqnn compare` measure against float: a precision by its name, what
// qairt-quantizer would make with the options given, or a .dlc that it has made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/convert/quantization.h"
#include "tools/model_job.h"

namespace openqnn::tools {

// --quantized, --quantization_overrides, and the quantizer's own.
std::vector<OptionSpec> candidate_options();

struct Candidate {
  Precision precision;                                     // its name is the candidate's
  std::optional<convert::QuantizationSettings> quantizer;  // as qairt-quantizer works
  std::filesystem::path file;                              // a .dlc, taken as it is
  std::string told_by;          // what a user would look at: an option, or the file
  bool against_itself = false;  // the float model is the file's own graph, without its rounding
};

// Those that --precision lists, then --quantized. Options of the quantizer alone ask for what it makes;
// `fallback` is for a command line that asks for nothing.
Result<std::vector<Candidate>> candidates_from(const Args& args, std::string_view fallback);

// Whether the file that a candidate names is a quantized .dlc, asked before anything is done.
Status check_candidate_file(const Candidate& candidate);

// As load_model(), with the encodings of --quantization_overrides.
Result<FloatModel> load_judged_model(const std::filesystem::path& path, const Args& args,
                                     Images images = Images::kAsInModel);

struct Judged {
  ir::Graph reference{""};  // float: the model's own graph, or what the quantizer made of it first
  PreparedModel prepared;
  std::string computed_as;  // for people
};
Result<Judged> judged(const Candidate& candidate, const FloatModel& model,
                      const std::vector<Sample>& samples);
// The same of a precision by its name, where nothing is run: the ranges of tensors are assumed.
Result<Judged> judged_unrun(const Candidate& candidate, const FloatModel& model);

// A quantized .dlc, to be measured as it is.
Candidate candidate_of(const std::filesystem::path& dlc, std::string told_by);

// The graph of a .dlc that is quantized; nothing of any other file: loading that as a float model says what
// is wrong with it.
Result<std::optional<frontend::DlcGraph>> quantized_graph(const std::string& path);
// The quantizer's options that were given, each with its value.
std::vector<std::pair<std::string, std::string>> given_quantizer_options(const Args& args);

}  // namespace openqnn::tools
