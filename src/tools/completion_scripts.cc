// SPDX-License-Identifier: BSD-3-Clause
#include "tools/completion_scripts.h"

#include <algorithm>

#include "base/text.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using Kind = Completable::Kind;

constexpr std::string_view kMadeBy =
    "# Completion for openqnn, made by `openqnn completions`. Do not edit: make it anew.\n";

std::string made_by(const CompletableCommand& program) {
  return concat("# Completion for ", program.name, ", made by `", program.name,
                " --completions`. Do not edit: make it anew.\n");
}

// The name of a shell's function: "_qnn_net_run".
std::string function_name(const CompletableCommand& program) {
  std::string name = concat("_", program.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string command_names(const std::vector<CompletableCommand>& commands) {
  std::string out;
  for (const CompletableCommand& command : commands) out += concat(out.empty() ? "" : " ", command.name);
  return out;
}

// Inside of single quotes, with `special` characters escaped by a backslash first.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

// Bash and zsh end the quotes around a quote; fish escapes it.
std::string posix_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string fish_quoted(std::string_view text) { return concat("'", escaped(text, "\\'"), "'"); }

// ---- bash ----

std::string bash_reply(const Completable& what) {
  switch (what.kind) {
    case Kind::kWords:
      return concat("COMPREPLY=($(compgen -W ", posix_quoted(joined(what.words)), " -- \"$cur\"))");
    case Kind::kFiles:
      return "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    case Kind::kFolders:
      return "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case Kind::kNothing:
      return ":";
  }
  return ":";
}

// What the words of a command are completed with: values after options, options after a dash, else
// positionals.
std::string bash_body(const CompletableCommand& command) {
  std::string out = "      case $prev in\n";
  std::string options;
  for (const CompletableOption& option : command.options) {
    options += concat(options.empty() ? "" : " ", option.name);
    if (!option.takes_value) continue;
    out += concat("        ", option.name);
    for (const std::string& alias : option.aliases) out += concat("|", alias);
    const std::string reply = bash_reply(option.value);
    out += option.value_is_optional ? concat(") if [[ $cur != -* ]]; then ", reply, "; return; fi ;;\n")
                                    : concat(") ", reply, "; return ;;\n");
  }
  out += "      esac\n";
  out += concat("      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ", posix_quoted(options),
                " -- \"$cur\")); return; fi\n");
  out += "      case $position in\n";
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const bool rest = command.last_repeats && i + 1 == command.positionals.size();
    out += concat("        ", rest ? "*" : concat(i), ") ", bash_reply(command.positionals[i]), " ;;\n");
  }
  return out + "      esac";
}

std::string bash_case(const CompletableCommand& command) {
  return concat("    ", command.name, ")\n", bash_body(command), " ;;\n");
}

// "--format " for each option with a value, so that the value is not counted as a positional.
std::string options_with_values(const std::vector<CompletableCommand>& commands) {
  std::string out = " ";
  const auto add_once = [&](const std::string& option) {
    if (out.find(concat(" ", option, " ")) == out.npos) out += concat(option, " ");
  };
  for (const CompletableCommand& command : commands) {
    for (const CompletableOption& option : command.options) {
      if (!option.takes_value) continue;
      add_once(option.name);
      for (const std::string& alias : option.aliases) add_once(alias);
    }
  }
  return out;
}

// The words so far: what is completed, what is before it, and how many positionals there were from `first`
// on.
std::string bash_start(const std::vector<CompletableCommand>& commands) {
  return concat(R"sh(  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} with_value=)sh",
                posix_quoted(options_with_values(commands)), R"sh( position=0 i
  COMPREPLY=()
  # Bash takes --name=value for three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
)sh");
}

std::string bash_count(int first) {
  return concat("  for ((i = ", first, R"sh(; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i]} == = ]] && continue
    [[ ${COMP_WORDS[i-1]} == = || $with_value == *" ${COMP_WORDS[i-1]} "* ]] && continue
    ((++position))
  done
)sh");
}

// ---- zsh ----

std::string zsh_action(const Completable& what) {
  switch (what.kind) {
    case Kind::kWords:
      return concat("(", joined(what.words), ")");
    case Kind::kFiles:
      return "_files";
    case Kind::kFolders:
      return "_files -/";
    case Kind::kNothing:
      return " ";  // a value that nothing is known of
  }
  return " ";
}

std::string zsh_body(const CompletableCommand& command) {
  std::string out = "      _arguments";
  for (const CompletableOption& option : command.options) {
    std::string spec = concat(option.repeatable ? "*" : "", option.name, option.takes_value ? "=" : "", "[",
                              escaped(option.help, "[]:\\"), "]");
    if (option.takes_value)
      spec += concat(option.value_is_optional ? "::value:" : ":value:", zsh_action(option.value));
    out += concat(" \\\n        ", posix_quoted(spec));
  }
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const bool rest = command.last_repeats && i + 1 == command.positionals.size();
    out += concat(" \\\n        ", posix_quoted(concat(rest ? "*" : concat(i + 1),
                                                       ":argument:", zsh_action(command.positionals[i]))));
  }
  return out;
}

// From a folder of $fpath the file is the function's body; sourced, it must register the function.
std::string zsh_end(const std::string& function, const std::string& program) {
  return concat("}\nif [[ $funcstack[1] == ", function, " ]]; then\n  ", function,
                " \"$@\"\nelse\n  compdef ", function, " ", program, "\nfi\n");
}

// ---- fish ----

std::string fish_values(const Completable& what) {
  switch (what.kind) {
    case Kind::kWords:
      return concat(" -x -a ", fish_quoted(joined(what.words)));
    case Kind::kFiles:
      return " -r -F";
    case Kind::kFolders:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::kNothing:
      return " -x";
  }
  return "";
}

// " -l soc" of --soc, " -s i" of -i, " -o opl" of -opl.
std::string fish_flag(const std::string& name) {
  if (name.starts_with("--")) return concat(" -l ", name.substr(2));
  return concat(name.size() == 2 ? " -s " : " -o ", name.substr(1));
}

// Fish has no values that may be left out: it is asked for none then.
std::string fish_values(const CompletableOption& option) {
  return option.takes_value && !option.value_is_optional ? fish_values(option.value) : "";
}

// `line` begins each.
std::string fish_lines(const std::string& line, const CompletableCommand& command) {
  std::string out;
  for (const CompletableOption& option : command.options) {
    out += concat(line, fish_flag(option.name));
    for (const std::string& alias : option.aliases) out += fish_flag(alias);
    out += concat(fish_values(option), " -d ", fish_quoted(option.help), "\n");
  }
  // Fish does not count positionals; what fits one of them fits here.
  for (const Completable& positional : command.positionals) {
    if (positional.kind == Kind::kWords)
      out += concat(line, " -a ", fish_quoted(joined(positional.words)), "\n");
    if (positional.kind == Kind::kFiles) out += concat(line, " -F\n");
  }
  return out;
}

// ---- Whole scripts: of openqnn with its commands, and of a program without ----

std::string bash_script(const std::vector<CompletableCommand>& commands) {
  std::string out =
      concat(kMadeBy, "_openqnn() {\n", bash_start(commands), R"sh(  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')sh",
             command_names(commands), R"sh( --help --version' -- "$cur"))
    return
  fi
)sh",
             bash_count(2), "  case ${COMP_WORDS[1]} in\n");
  for (const CompletableCommand& command : commands) out += bash_case(command);
  return out + "  esac\n}\ncomplete -F _openqnn openqnn\n";
}

std::string bash_script(const CompletableCommand& program) {
  const std::string function = function_name(program);
  return concat(made_by(program), function, "() {\n", bash_start({program}), bash_count(1),
                bash_body(program), "\n}\ncomplete -F ", function, " ", program.name, "\n");
}

std::string zsh_script(const std::vector<CompletableCommand>& commands) {
  std::string out = concat("#compdef openqnn\n", kMadeBy, R"sh(_openqnn() {
  local -a commands
  commands=(
)sh");
  for (const CompletableCommand& command : commands)
    out += concat("    ", posix_quoted(concat(command.name, ":", escaped(command.summary, ":\\"))), "\n");
  out += R"sh(  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments '--help[show all commands]' '--version[show the version]'
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
)sh";
  for (const CompletableCommand& command : commands)
    out += concat("    ", command.name, ")\n", zsh_body(command), " ;;\n");
  return concat(out, "  esac\n", zsh_end("_openqnn", "openqnn"));
}

std::string zsh_script(const CompletableCommand& program) {
  const std::string function = function_name(program);
  return concat("#compdef ", program.name, "\n", made_by(program), function, "() {\n", zsh_body(program),
                "\n", zsh_end(function, program.name));
}

std::string fish_script(const std::vector<CompletableCommand>& commands) {
  std::string out = concat(kMadeBy, "complete -c openqnn -f\n");
  for (const CompletableCommand& command : commands)
    out += concat("complete -c openqnn -n __fish_use_subcommand -a ", command.name, " -d ",
                  fish_quoted(command.summary), "\n");
  out += "complete -c openqnn -n __fish_use_subcommand -l help -d 'show all commands'\n";
  out += "complete -c openqnn -n __fish_use_subcommand -l version -d 'show the version'\n";
  for (const CompletableCommand& command : commands)
    out += fish_lines(concat("complete -c openqnn -n '__fish_seen_subcommand_from ", command.name, "'"),
                      command);
  return out;
}

std::string fish_script(const CompletableCommand& program) {
  const std::string line = concat("complete -c ", program.name);
  return concat(made_by(program), line, " -f\n", fish_lines(line, program));
}

template <class Completed>
int print_script(const std::string& shell, const Completed& what) {
  if (shell == "bash") {
    print(bash_script(what));
  } else if (shell == "zsh") {
    print(zsh_script(what));
  } else if (shell == "fish") {
    print(fish_script(what));
  } else {
    return fail("cannot write completions", invalid("option-value", concat("there is no shell '", shell, "'"))
                                                .fix_by("bash, zsh and fish are known"));
  }
  return kOk;
}

}  // namespace

int print_completions(const std::string& shell, const std::vector<CompletableCommand>& commands) {
  return print_script(shell, commands);
}

int print_completions(const std::string& shell, const CompletableCommand& program) {
  return print_script(shell, program);
}

}  // namespace openqnn::tools
