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

// All commands of openqnn with what they take; `help` is the last of them.
std::vector<CompletableCommand> completable_commands();

// Of openqnn with its commands.
std::string bash_script(const std::vector<CompletableCommand>& commands);
std::string zsh_script(const std::vector<CompletableCommand>& commands);
std::string fish_script(const std::vector<CompletableCommand>& commands);

// Of a program without commands.
std::string bash_script(const CompletableCommand& program);
std::string zsh_script(const CompletableCommand& program);
std::string fish_script(const CompletableCommand& program);

// Every program answers "--completions SHELL" with its script: the exit status, or nothing when it is asked
// for something else.
std::optional<int> answer_completions(const CommandSpec& program, std::span<const char* const> arguments);
// Tells that there are three shells; answers the exit status.
int unknown_shell(const std::string& shell);

}  // namespace openqnn::tools
