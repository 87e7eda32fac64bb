// SPDX-License-Identifier: BSD-3-Clause
// What can be completed: the table of commands, and names from the tables of parts, profiles, options and
// rules.
#include <algorithm>
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

Words split(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

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
  if (place == "--soc" || command == "soc") return chipsets();
  if (command == "profiles") return profile_names();
  if (command == "explain") return option_and_rule_names();
  return {};
}

bool names_file(std::string_view placeholder) {
  constexpr std::string_view kFiles[] = {"FILE", "PATH", "OUT.json", "A", "B"};
  return std::find(std::begin(kFiles), std::end(kFiles), placeholder) != std::end(kFiles);
}

Completable completable(Words words, std::string_view placeholder) {
  if (!words.empty()) return {Completable::Kind::kWords, std::move(words)};
  if (placeholder == "DIR") return {Completable::Kind::kFolders};
  return {names_file(placeholder) ? Completable::Kind::kFiles : Completable::Kind::kNothing};
}

CompletableOption completable(std::string_view command, const OptionSpec& option) {
  CompletableOption out{.name = std::string(option.name),
                        .help = std::string(option.help.substr(0, option.help.find('\n'))),
                        .takes_value = !option.value.empty(),
                        .repeatable = option.repeatable};
  if (!out.takes_value) return out;
  Words words = split(option.choices);
  if (words.empty() && option.name == "--soc") words = known_names(command, option.name);
  out.value = completable(std::move(words), option.value);
  return out;
}

CompletableCommand completable(const CommandSpec& spec) {
  CompletableCommand out{.name = std::string(spec.name), .summary = std::string(spec.summary)};
  for (const OptionSpec& option : spec.options) out.options.push_back(completable(spec.name, option));
  out.options.push_back({.name = "--help", .help = "show how the command is used"});
  for (const PositionalSpec& positional : spec.positionals) {
    Words words = split(positional.choices);
    if (words.empty()) words = known_names(spec.name, positional.name);
    out.positionals.push_back(completable(std::move(words), positional.name));
    out.last_repeats = positional.many;
  }
  return out;
}

}  // namespace

std::vector<CompletableCommand> completable_commands() {
  std::vector<CompletableCommand> out;
  Words names;
  for (const Command* command : commands()) {
    out.push_back(completable(command->spec));
    names.emplace_back(command->spec.name);
  }
  out.push_back({.name = "help",
                 .summary = "Show how a command is used",
                 .positionals = {{Completable::Kind::kWords, std::move(names)}}});
  return out;
}

}  // namespace openqnn::tools
