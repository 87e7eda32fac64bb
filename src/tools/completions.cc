// SPDX-License-Identifier: BSD-3-Clause
// openqnn completions: what a shell needs to complete commands, options and their values.
#include "tools/commands.h"
#include "tools/completion_scripts.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

int run(const Args& args) {
  const std::string shell = args.positional(0);
  if (shell == "bash") {
    print(bash_script(completable_commands()));
  } else if (shell == "zsh") {
    print(zsh_script(completable_commands()));
  } else if (shell == "fish") {
    print(fish_script(completable_commands()));
  } else {
    return unknown_shell(shell);
  }
  return kOk;
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
          .run = run};
}

}  // namespace openqnn::tools
