// SPDX-License-Identifier: BSD-3-Clause
// What can be completed of a command or program, from its table, and how a program is asked for it.
#include <algorithm>

#include "base/text.h"
#include "tools/completion_scripts.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  for (const std::string_view word : split(text, " "))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

// "FILE[,FILE]" is a file, too.
bool names_file(std::string_view placeholder) {
  constexpr std::string_view kFiles[] = {"FILE",    "PATH", "OUT.json", "OUT.html", "MODEL",
                                         "LIBRARY", "RUN",  "RUN_B",    "A",        "B"};
  const std::string_view first = placeholder.substr(0, placeholder.find_first_of("[: "));
  return std::find(std::begin(kFiles), std::end(kFiles), first) != std::end(kFiles);
}

Completable completable(Words words, std::string_view placeholder) {
  if (!words.empty()) return {Completable::Kind::kWords, std::move(words)};
  if (placeholder == "DIR") return {Completable::Kind::kFolders};
  return {names_file(placeholder) ? Completable::Kind::kFiles : Completable::Kind::kNothing};
}

CompletableOption completable(const OptionSpec& option, const NamesFor& names) {
  CompletableOption out{.name = std::string(option.name),
                        .help = std::string(option.help),
                        .takes_value = !option.value.empty(),
                        .repeatable = option.repeatable,
                        .value_is_optional = option.least == 0,
                        .aliases = words_of(option.aliases)};
  std::ranges::replace(out.help, '\n', ' ');
  if (!out.takes_value) return out;
  Words words = words_of(option.choices);
  if (words.empty()) words = names(option.name);
  out.value = completable(std::move(words), option.value);
  return out;
}

}  // namespace

CompletableCommand completable(const CommandSpec& spec, const NamesFor& names) {
  CompletableCommand out{.name = std::string(spec.name), .summary = std::string(spec.summary)};
  for (const OptionSpec& option : spec.options) out.options.push_back(completable(option, names));
  out.options.push_back({.name = "--help", .help = "show how the command is used"});
  for (const PositionalSpec& positional : spec.positionals) {
    Words words = words_of(positional.choices);
    if (words.empty()) words = names(positional.name);
    out.positionals.push_back(completable(std::move(words), positional.name));
    out.last_repeats = positional.many;
  }
  return out;
}

std::optional<int> answer_completions(const CommandSpec& program, std::span<const char* const> arguments) {
  if (arguments.size() != 2 || std::string_view(arguments[0]) != "--completions") return std::nullopt;
  const CompletableCommand table = completable(program, [](std::string_view) { return Words(); });
  return code_after_output(print_completions(arguments[1], table));
}

}  // namespace openqnn::tools
