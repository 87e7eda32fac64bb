// SPDX-License-Identifier: BSD-3-Clause
// What the converters share as programs: the command line, options that are known but not offered, the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/program_options.h"

namespace openqnn::tools::convert {

using tools::exclude;
using tools::RefusedOption;

// A value of the vendor's program that an option cannot have here, and why.
struct RefusedValue {
  std::string_view option;
  std::string_view value;
  std::string_view why;  // goes on after a colon
};

struct Program {
  CommandSpec spec;
  std::vector<RefusedOption> refused;
  std::vector<RefusedValue> refused_values = {};
  Result<int> (*run)(const Args& args);
};

// What a program is; each has one. `main` is the same for all (main.cc).
Program this_program();
// Answers the exit status: that of the run, 1 when it failed, 2 when the command line was wrong.
int run_program(Program program, int argc, const char* const* argv);

// The call as it was made, for the file that comes of it.
std::string command_line();

// ---- Values of options ----

// A whole number that must be one of `allowed`; `fallback` where the option is not given.
Result<uint32_t> number_among(const Args& args, std::string_view option, const std::vector<uint32_t>& allowed,
                              uint32_t fallback);
// A short text file that goes into the product, without line ends at its end.
Result<std::string> text_of(const std::string& path, size_t most_bytes);

// Options with two words, a name and a value.
OptionSpec named(std::string_view name, std::string_view value, std::string_view help,
                 std::string_view aliases = {});
OptionSpec one(std::string_view name, std::string_view value, std::string_view help,
               std::string_view aliases = {}, std::string_view choices = {});
OptionSpec flag(std::string_view name, std::string_view help, std::string_view aliases = {});

// ---- Options that would change nothing here, each with the reason (refused.cc) ----

std::vector<RefusedOption> refused_by_qnn_onnx_converter();
std::vector<RefusedOption> refused_by_qairt_converter();
std::vector<RefusedOption> refused_by_qairt_quantizer();

}  // namespace openqnn::tools::convert
