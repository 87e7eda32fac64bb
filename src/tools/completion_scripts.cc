// SPDX-License-Identifier: BSD-3-Clause
#include "tools/completion_scripts.h"

#include "base/text.h"

namespace openqnn::tools {
namespace {

using Kind = Completable::Kind;

constexpr std::string_view kMadeBy =
    "# Completion for openqnn, made by `openqnn completions`. Do not edit: make it anew.\n";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += concat(out.empty() ? "" : " ", word);
  return out;
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
std::string bash_case(const CompletableCommand& command) {
  std::string out = concat("    ", command.name, ")\n      case $prev in\n");
  std::string options;
  for (const CompletableOption& option : command.options) {
    options += concat(options.empty() ? "" : " ", option.name);
    if (option.takes_value)
      out += concat("        ", option.name, ") ", bash_reply(option.value), "; return ;;\n");
  }
  out += "      esac\n";
  out += concat("      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ", posix_quoted(options),
                " -- \"$cur\")); return; fi\n");
  out += "      case $position in\n";
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const bool rest = command.last_repeats && i + 1 == command.positionals.size();
    out += concat("        ", rest ? "*" : concat(i), ") ", bash_reply(command.positionals[i]), " ;;\n");
  }
  return out + "      esac ;;\n";
}

// "--format " for each option with a value, so that the value is not counted as a positional.
std::string options_with_values(const std::vector<CompletableCommand>& commands) {
  std::string out = " ";
  for (const CompletableCommand& command : commands) {
    for (const CompletableOption& option : command.options) {
      const std::string word = concat(" ", option.name, " ");
      if (option.takes_value && out.find(word) == out.npos) out += concat(option.name, " ");
    }
  }
  return out;
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

std::string zsh_case(const CompletableCommand& command) {
  std::string out = concat("    ", command.name, ")\n      _arguments");
  for (const CompletableOption& option : command.options) {
    std::string spec = concat(option.repeatable ? "*" : "", option.name, option.takes_value ? "=" : "", "[",
                              escaped(option.help, "[]:\\"), "]");
    if (option.takes_value) spec += concat(":value:", zsh_action(option.value));
    out += concat(" \\\n        ", posix_quoted(spec));
  }
  for (size_t i = 0; i < command.positionals.size(); ++i) {
    const bool rest = command.last_repeats && i + 1 == command.positionals.size();
    out += concat(" \\\n        ", posix_quoted(concat(rest ? "*" : concat(i + 1),
                                                       ":argument:", zsh_action(command.positionals[i]))));
  }
  return out + " ;;\n";
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

std::string fish_lines(const CompletableCommand& command) {
  const std::string line = concat("complete -c openqnn -n '__fish_seen_subcommand_from ", command.name, "'");
  std::string out;
  for (const CompletableOption& option : command.options) {
    out += concat(line, " -l ", option.name.substr(2), option.takes_value ? fish_values(option.value) : "",
                  " -d ", fish_quoted(option.help), "\n");
  }
  // Fish does not count positionals; what fits one of them fits here.
  for (const Completable& positional : command.positionals) {
    if (positional.kind == Kind::kWords)
      out += concat(line, " -a ", fish_quoted(joined(positional.words)), "\n");
    if (positional.kind == Kind::kFiles) out += concat(line, " -F\n");
  }
  return out;
}

}  // namespace

std::string bash_script(const std::vector<CompletableCommand>& commands) {
  std::string out = concat(kMadeBy, R"sh(_openqnn() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} with_value=)sh",
                           posix_quoted(options_with_values(commands)), R"sh( position=0 i
  COMPREPLY=()
  # Bash takes --name=value for three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')sh",
                           command_names(commands), R"sh( --help --version' -- "$cur"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i]} == = ]] && continue
    [[ ${COMP_WORDS[i-1]} == = || $with_value == *" ${COMP_WORDS[i-1]} "* ]] && continue
    ((++position))
  done
  case ${COMP_WORDS[1]} in
)sh");
  for (const CompletableCommand& command : commands) out += bash_case(command);
  return out + "  esac\n}\ncomplete -F _openqnn openqnn\n";
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
  for (const CompletableCommand& command : commands) out += zsh_case(command);
  // From a folder of $fpath the file is the function's body; sourced, it must register the function.
  return out +
         "  esac\n}\nif [[ $funcstack[1] == _openqnn ]]; then\n  _openqnn \"$@\"\nelse\n  compdef _openqnn "
         "openqnn\nfi\n";
}

std::string fish_script(const std::vector<CompletableCommand>& commands) {
  std::string out = concat(kMadeBy, "complete -c openqnn -f\n");
  for (const CompletableCommand& command : commands)
    out += concat("complete -c openqnn -n __fish_use_subcommand -a ", command.name, " -d ",
                  fish_quoted(command.summary), "\n");
  out += "complete -c openqnn -n __fish_use_subcommand -l help -d 'show all commands'\n";
  out += "complete -c openqnn -n __fish_use_subcommand -l version -d 'show the version'\n";
  for (const CompletableCommand& command : commands) out += fish_lines(command);
  return out;
}

}  // namespace openqnn::tools
