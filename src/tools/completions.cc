// SPDX-License-Identifier: BSD-3-Clause
// openqnn completions: what a shell needs to complete commands, options and their values, from the table of
// commands, and names from the tables of parts, profiles, options and rules.
#include <set>

#include "config/option.h"
#include "config/rule.h"
#include "soc/power_profiles.h"
#include "soc/target.h"
#include "tools/commands.h"
#include "tools/completion_scripts.h"

namespace openqnn::tools {
namespace {

using Words = std::vector<std::string>;

Words chipsets() {
  Words words;
  const auto socs = soc::all_socs();
  if (!socs) return words;
  for (const soc::SocInfo& soc : *socs) {
    if (soc.arch.value_or(0) >= soc::kFirstHtpArch) words.push_back(soc.chipset);
  }
  return words;
}

Words profile_names() {
  Words words;
  const auto profiles = soc::power_profiles();
  if (!profiles) return words;
  for (const soc::PowerProfile& profile : *profiles) words.push_back(profile.name);
  return words;
}

Words option_and_rule_names() {
  std::set<std::string> names;  // an option may be in several files
  for (const config::KindDef& kind : config::kinds()) {
    for (const config::PlacedSection& place : config::sections_of(kind.kind)) {
      for (const config::OptionDef& option : place.section->options) names.emplace(option.name);
    }
  }
  for (const config::RuleDef* rule : config::rules()) names.emplace(rule->code);
  return {names.begin(), names.end()};
}

// Names that come from the facts and tables instead of the table of commands.
Words known_names(std::string_view command, std::string_view place) {
  if (place == "--soc") return chipsets();
  if (place.starts_with("-")) return {};
  if (command == "soc") return chipsets();
  if (command == "profiles") return profile_names();
  if (command == "explain") return option_and_rule_names();
  return {};
}

// All commands with what they take; `help` is the last of them.
std::vector<CompletableCommand> completable_commands() {
  std::vector<CompletableCommand> out;
  Words names;
  for (const Command& command : commands()) {
    const auto known = [&](std::string_view place) { return known_names(command.spec.name, place); };
    out.push_back(completable(command.spec, known));
    names.emplace_back(command.spec.name);
  }
  out.push_back({.name = "help",
                 .summary = "Show how a command is used",
                 .positionals = {{Completable::Kind::kWords, std::move(names)}}});
  return out;
}

int run_completions(const Args& args) {
  return print_completions(args.positional(0), completable_commands());
}

}  // namespace

Command completions_command() {
  return {.spec = {.name = "completions",
                   .summary = "Write a script with which bash, zsh or fish complete this command",
                   .details = R"(
Completes commands, options, their fixed values, names of parts, options and rules, and files.
For one session:

  bash, zsh   source <(openqnn completions bash)
  fish        openqnn completions fish | source

For good, redirect it to where the shell looks for completions:

  bash        ~/.local/share/bash-completion/completions/openqnn
  zsh         _openqnn in a folder of $fpath
  fish        ~/.config/fish/completions/openqnn.fish

An installed openqnn has put them there already, for all users, and those of the
programs beside it, which write their own: qnn-net-run --completions bash.)",
                   .positionals = {{"SHELL", "bash, zsh or fish", true, false, "bash zsh fish"}},
                   .examples = {"source <(openqnn completions bash)",
                                "openqnn completions fish > ~/.config/fish/completions/openqnn.fish"}},
          .run = run_completions};
}

}  // namespace openqnn::tools
