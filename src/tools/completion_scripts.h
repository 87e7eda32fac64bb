// SPDX-License-Identifier: BSD-3-Clause
// Completion for shells, written from the table of commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace openqnn::tools {

// What can stand at a place of a command line.
struct Completable {
  enum class Kind : uint8_t { kNothing, kWords, kFiles, kFolders };
  Kind kind = Kind::kNothing;
  std::vector<std::string> words = {};
};

struct CompletableOption {
  std::string name;  // "--soc"
  std::string help;  // the first line
  bool takes_value = false;
  bool repeatable = false;
  Completable value = {};
};

struct CompletableCommand {
  std::string name;
  std::string summary;
  std::vector<CompletableOption> options = {};  // --help included
  std::vector<Completable> positionals = {};
  bool last_repeats = false;  // the last positional takes all arguments that are left
};

// All commands with what they take; `help` is the last of them.
std::vector<CompletableCommand> completable_commands();

std::string bash_script(const std::vector<CompletableCommand>& commands);
std::string zsh_script(const std::vector<CompletableCommand>& commands);
std::string fish_script(const std::vector<CompletableCommand>& commands);

}  // namespace openqnn::tools
