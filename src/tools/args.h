// SPDX-License-Identifier: BSD-3-Clause
// Command lines: each command declares what it takes, and gets it parsed and its --help written.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace openqnn::tools {

struct OptionSpec {
  std::string_view name;   // "--soc"
  std::string_view value;  // "NAME"; empty for a switch
  std::string_view help;
  bool repeatable = false;        // may be given several times: Args::all()
  std::string_view choices = {};  // all that a value can be, with spaces between; shells complete them
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
  std::string_view details;  // paragraphs for --help
  std::vector<PositionalSpec> positionals = {};
  std::vector<OptionSpec> options = {};  // --help is added to all
  std::vector<std::string_view> examples = {};
};

class Args {
 public:
  bool has(std::string_view option) const { return options_.contains(option); }
  std::string get(std::string_view option, std::string_view fallback = {}) const;
  std::vector<std::string> all(std::string_view option) const;  // of a repeatable option, in the order given
  // Positional number `index`, or "" when it was left out.
  std::string positional(size_t index) const;
  const std::vector<std::string>& positionals() const { return positionals_; }

 private:
  friend std::variant<Args, std::string> parse(const CommandSpec&, std::span<const char* const>);
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> positionals_;
};

// The arguments, or what is wrong with them. Options are "--name value" or "--name=value", in any place; "--"
// ends them.
// "--help" stops the parsing: then has("--help").
std::variant<Args, std::string> parse(const CommandSpec& spec, std::span<const char* const> arguments);

std::string usage_line(const CommandSpec& spec);
std::string help_text(const CommandSpec& spec);

// A name that was probably meant, or "".
std::string_view closest(std::string_view name, std::span<const std::string_view> known);

}  // namespace openqnn::tools
