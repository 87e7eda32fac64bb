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

const Command& completions_command() {
  static const Command command = {
      .spec = {.name = "completions",
               .summary = "Write a script with which bash, zsh or fish complete this command",
               .details = "Completes commands, options, their fixed values, names of parts, options and "
                          "rules, and files.\n"
                          "For one session:\n\n"
                          "  bash, zsh   source <(openqnn completions bash)\n"
                          "  fish        openqnn completions fish | source\n\n"
                          "For good, redirect it to where the shell looks for completions:\n\n"
                          "  bash        ~/.local/share/bash-completion/completions/openqnn\n"
                          "  zsh         _openqnn in a folder of $fpath\n"
                          "  fish        ~/.config/fish/completions/openqnn.fish\n\n"
                          "An installed openqnn has put them there already, for all users, and those of the\n"
                          "programs beside it, which write their own: qnn-net-run --completions bash.",
               .positionals = {{"SHELL", "bash, zsh or fish", true, false, "bash zsh fish"}},
               .examples = {"source <(openqnn completions bash)",
                            "openqnn completions fish > ~/.config/fish/completions/openqnn.fish"}},
      .run = run};
  return command;
}

}  // namespace openqnn::tools
