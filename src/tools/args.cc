// SPDX-License-Identifier: BSD-3-Clause
#include "tools/args.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::tools {
namespace {

constexpr OptionSpec kHelp = {"--help", "", "show this text"};

const OptionSpec* find_option(const CommandSpec& spec, std::string_view name) {
  if (name == "-h" || name == kHelp.name) return &kHelp;
  const auto is_meant = [&](const OptionSpec& option) {
    return option.name == name || (!option.aliases.empty() && is_among(name, option.aliases));
  };
  const auto found = std::ranges::find_if(spec.options, is_meant);
  return found == spec.options.end() ? nullptr : &*found;
}

std::string unknown_option(const CommandSpec& spec, std::string_view name) {
  const std::string_view meant = closest(name, names_of(spec.options));
  return concat("unknown option '", name, "'", meant.empty() ? "" : concat("; did you mean ", meant, "?"));
}

void append_row(std::string& out, std::string left, size_t width, std::string_view right) {
  left.resize(std::max(width, left.size()), ' ');
  out += "  " + left + "  ";
  // Further lines of a help text stand below the first.
  const std::string indent(width + 4, ' ');
  for (const char c : right) {
    out += c;
    if (c == '\n') out += indent;
  }
  out += '\n';
}

std::string option_text(const OptionSpec& option) {
  return option.value.empty() ? std::string(option.name) : concat(option.name, " ", option.value);
}

// With its aliases: "-i, --input_network FILE".
std::string option_row(const OptionSpec& option) {
  std::string names;
  if (!option.aliases.empty())
    for (const std::string_view alias : split(option.aliases, " ")) names += concat(alias, ", ");
  return names + option_text(option);
}

// The words behind an option at `at`, which moves to the last of them; what is wrong when they are too few.
std::variant<std::vector<std::string>, std::string> words_of(const CommandSpec& spec,
                                                             const OptionSpec& option,
                                                             std::span<const char* const> arguments,
                                                             size_t& at) {
  const std::string_view argument = arguments[at];
  const size_t equals = argument.find('=');
  std::vector<std::string> words;
  if (equals != std::string_view::npos) words.emplace_back(argument.substr(equals + 1));
  while (at + 1 < arguments.size() && words.size() < option.most) {
    const std::string_view next = arguments[at + 1];
    if (words.size() >= option.least && (equals != std::string_view::npos || next.starts_with('-'))) break;
    if (find_option(spec, next) != nullptr)
      return concat("option ", option.name, " needs ", option.value, ", but ", next, " follows");
    words.emplace_back(next);
    ++at;
  }
  const bool some_empty = std::ranges::any_of(words, &std::string::empty);
  if (words.size() < option.least || some_empty)
    return concat("option ", option.name, " needs a value, ", option.value);
  return words;
}

std::string positional_text(const PositionalSpec& positional) {
  const std::string name = concat(positional.name, positional.many ? "..." : "");
  return positional.required ? name : concat("[", name, "]");
}

bool takes_more(const CommandSpec& spec, size_t given) {
  return given < spec.positionals.size() || (!spec.positionals.empty() && spec.positionals.back().many);
}

}  // namespace

std::string_view closest(std::string_view name, std::span<const std::string_view> known) {
  constexpr size_t kMostEdits = 3;
  std::string_view best;
  size_t best_distance = std::min(kMostEdits, name.size() / 2) + 1;
  for (const std::string_view candidate : known) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string Args::get(std::string_view option, std::string_view fallback) const {
  const auto found = options_.find(option);
  const bool has_value = found != options_.end() && !found->second.empty() && !found->second.front().empty();
  return has_value ? found->second.front().front() : std::string(fallback);
}

std::vector<std::vector<std::string>> Args::uses(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::vector<std::string>>() : found->second;
}

std::vector<std::string> Args::all(std::string_view option) const {
  std::vector<std::string> words;
  for (const std::vector<std::string>& use : uses(option)) words.insert(words.end(), use.begin(), use.end());
  return words;
}

std::string Args::positional(size_t index) const {
  return index < positionals_.size() ? positionals_[index] : std::string();
}

std::vector<std::string> Args::words_without(std::span<const std::string_view> options) const {
  std::vector<std::string> words = positionals_;
  for (const auto& [name, uses] : options_) {
    if (std::find(options.begin(), options.end(), name) != options.end()) continue;
    for (const std::vector<std::string>& use : uses) words.insert(words.end(), use.begin(), use.end());
  }
  return words;
}

std::variant<Args, std::string> parse(const CommandSpec& spec, std::span<const char* const> arguments) {
  Args args;
  bool options_ended = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (options_ended || argument.size() < 2 || argument[0] != '-') {
      if (!takes_more(spec, args.positionals_.size())) return concat("unexpected argument '", argument, "'");
      args.positionals_.emplace_back(argument);
      continue;
    }
    if (argument == "--") {
      options_ended = true;
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const OptionSpec* const option = find_option(spec, name);
    if (option == nullptr) return unknown_option(spec, name);
    if (args.has(option->name) && !option->repeatable)
      return concat("option ", option->name, " is given twice");
    if (option->value.empty()) {
      if (equals != std::string_view::npos) return concat("option ", option->name, " takes no value");
      args.options_[std::string(option->name)];
      if (option == &kHelp) return args;
      continue;
    }
    auto words = words_of(spec, *option, arguments, i);
    if (std::string* const wrong = std::get_if<std::string>(&words)) return std::move(*wrong);
    args.options_[std::string(option->name)].push_back(std::get<0>(std::move(words)));
  }
  for (size_t i = args.positionals_.size(); i < spec.positionals.size(); ++i)
    if (spec.positionals[i].required) return concat("missing argument ", spec.positionals[i].name);
  return args;
}

std::vector<OptionSpec> joined_options(std::initializer_list<std::vector<OptionSpec>> lists) {
  std::vector<OptionSpec> all;
  for (const std::vector<OptionSpec>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<std::string_view> names_of(const std::vector<OptionSpec>& options) {
  std::vector<std::string_view> names;
  for (const OptionSpec& option : options) names.push_back(option.name);
  return names;
}

bool is_among(std::string_view word, std::string_view words) {
  const std::vector<std::string_view> all = split(words, " ");
  return std::ranges::find(all, word) != all.end();
}

DiagnosticBuilder wrong_option(std::string_view option, std::string why) {
  return invalid("option-value", std::move(why)).at(std::string(option));
}

Status refuse_options(const Args& args, const std::vector<std::string_view>& options, const std::string& why,
                      const std::string& fix) {
  for (const std::string_view option : options)
    if (args.has(option)) return wrong_option(option, why).fix_by(fix);
  return {};
}

std::string usage_line(const CommandSpec& spec) {
  if (!spec.usage.empty()) return std::string(spec.usage);
  std::string line = concat(spec.is_program ? "" : "openqnn ", spec.name);
  for (const PositionalSpec& positional : spec.positionals) line += concat(" ", positional_text(positional));
  for (const OptionSpec& option : spec.options)
    line += concat(" [", option_text(option), option.repeatable ? "]..." : "]");
  return line;
}

std::string help_text(const CommandSpec& spec) {
  std::string out = concat("Usage: ", usage_line(spec), "\n\n", spec.summary, ".\n");
  const std::string_view details = spec.details.substr(spec.details.starts_with('\n') ? 1 : 0);
  if (!details.empty()) out += concat("\n", details, "\n");
  size_t width = kHelp.name.size();
  for (const PositionalSpec& positional : spec.positionals) width = std::max(width, positional.name.size());
  for (const OptionSpec& option : spec.options) width = std::max(width, option_row(option).size());
  if (!spec.positionals.empty()) out += "\nArguments:\n";
  for (const PositionalSpec& positional : spec.positionals)
    append_row(out, std::string(positional.name), width, positional.help);
  out += "\nOptions:\n";
  for (const OptionSpec& option : spec.options) append_row(out, option_row(option), width, option.help);
  append_row(out, option_text(kHelp), width, kHelp.help);
  if (!spec.examples.empty()) out += "\nExamples:\n";
  for (const std::string_view example : spec.examples) out += concat("  ", example, "\n");
  return out;
}

}  // namespace openqnn::tools
