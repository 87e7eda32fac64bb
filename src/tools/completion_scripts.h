// SPDX-License-Identifier: BSD-3-Clause
// Completion for shells, written from the tables of commands and programs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/args.h"

namespace openqnn::tools {

// What can stand at a place of a command line.
struct Completable {
  enum class Kind : uint8_t { kNothing, kWords, kFiles, kFolders };
  Kind kind = Kind::kNothing;
  std::vector<std::string> words = {};
};

struct CompletableOption {
  std::string name;  // "--soc"
  std::string help;  // in one line
  bool takes_value = false;
  bool repeatable = false;
  Completable value = {};
  bool value_is_optional = false;
  std::vector<std::string> aliases = {};  // understood, but not offered
};

struct CompletableCommand {
  std::string name;
  std::string summary;
  std::vector<CompletableOption> options = {};  // --help included
  std::vector<Completable> positionals = {};
  bool last_repeats = false;  // the last positional takes all arguments that are left
};

// Words for a place that has no choices in the table: an option's or a positional's name.
using NamesFor = std::function<std::vector<std::string>(std::string_view place)>;
CompletableCommand completable(const CommandSpec& spec, const NamesFor& names);

// Prints the script of a shell, of openqnn with its commands or of a program without, or tells that there are
// three shells; answers the exit status.
int print_completions(const std::string& shell, const std::vector<CompletableCommand>& commands);
int print_completions(const std::string& shell, const CompletableCommand& program);

// Every program answers "--completions SHELL" with its script: the exit status, or nothing when it is asked
// for something else.
std::optional<int> answer_completions(const CommandSpec& program, std::span<const char* const> arguments);
}  // namespace openqnn::tools
