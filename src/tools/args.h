// SPDX-License-Identifier: BSD-3-Clause
// Command lines: each command declares what it takes, and gets it parsed and its --help written.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace openqnn::tools {

struct OptionSpec {
  std::string_view name;   // "--soc"
  std::string_view value;  // "NAME"; empty for a switch
  std::string_view help;
  bool repeatable = false;        // may be given several times: Args::all()
  std::string_view choices = {};  // all that a value can be, with spaces between; shells complete them
  std::string_view aliases = {};  // other names, with spaces between: "-i --input"
  // How many words follow the name: "--input_dim NAME 1,3,224,224" has 2. Those beyond `least` are taken as
  // long as they do not begin with '-'. An option with `value` has at least one unless this says otherwise.
  uint32_t least = 1;
  uint32_t most = 1;
};

struct PositionalSpec {
  std::string_view name;  // "FILE"
  std::string_view help;
  bool required = true;
  bool many = false;  // of the last one: takes all arguments that are left
  std::string_view choices = {};
};

struct CommandSpec {
  std::string_view name;
  std::string_view summary;  // one line, no full stop
  std::string_view details;  // paragraphs for --help; a line break before them does not count
  std::vector<PositionalSpec> positionals = {};
  std::vector<OptionSpec> options = {};  // --help is added to all
  std::vector<std::string_view> examples = {};
  bool is_program = false;      // of its own, not a subcommand of openqnn
  std::string_view usage = {};  // the usage line, where listing all options would hide what matters
};

class Args {
 public:
  bool has(std::string_view option) const { return options_.contains(option); }
  std::string get(std::string_view option, std::string_view fallback = {}) const;
  std::vector<std::string> all(std::string_view option) const;  // of a repeatable option, in the order given
  // The words of each time that an option was given.
  std::vector<std::vector<std::string>> uses(std::string_view option) const;
  // Positional number `index`, or "" when it was left out.
  std::string positional(size_t index) const;
  const std::vector<std::string>& positionals() const { return positionals_; }
  // Everything that was given but what follows these options.
  std::vector<std::string> words_without(std::span<const std::string_view> options) const;

 private:
  friend std::variant<Args, std::string> parse(const CommandSpec&, std::span<const char* const>);
  std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> options_;
  std::vector<std::string> positionals_;
};

// The arguments, or what is wrong with them. Options are "--name value" or "--name=value", in any place; "--"
// ends them. They are kept by name, whichever alias was used.
// "--help" stops the parsing: then has("--help").
std::variant<Args, std::string> parse(const CommandSpec& spec, std::span<const char* const> arguments);

// The options of all lists, in this order.
std::vector<OptionSpec> joined_options(std::initializer_list<std::vector<OptionSpec>> lists);

std::vector<std::string_view> names_of(const std::vector<OptionSpec>& options);

// Whether a word is one of `words`, which have spaces between.
bool is_among(std::string_view word, std::string_view words);

// What is wrong with an option that was given, told at the option.
DiagnosticBuilder wrong_option(std::string_view option, std::string why);
// Refuses the first of the options that is given.
Status refuse_options(const Args& args, const std::vector<std::string_view>& options, const std::string& why,
                      const std::string& fix);

std::string usage_line(const CommandSpec& spec);
std::string help_text(const CommandSpec& spec);

// A name that was probably meant, or "".
std::string_view closest(std::string_view name, std::span<const std::string_view> known);

}  // namespace openqnn::tools
