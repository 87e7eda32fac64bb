// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/program.h"

#include <set>

#include "base/files.h"
#include "base/text.h"
#include "openqnn/version.h"
#include "tools/completion_scripts.h"
#include "tools/console.h"

namespace openqnn::tools::convert {
namespace {

std::string called_as;  // set once, before anything runs

int wrong_usage(std::string_view what) {
  print_error(concat(program_name(), ": error: ", shown(what), "\n", program_name(), ": note: `",
                     program_name(), " --help` lists the options\n"));
  return kUsage;
}

std::string help_of(const Program& program) {
  std::string text = help_text(program.spec);
  if (program.refused.empty()) return text;
  text += "\nKnown, but without effect here (given, they are an error that says why):\n ";
  for (const RefusedOption& refused : program.refused) text += concat(" ", refused.name);
  return text + "\n";
}

std::string why_refused(const Program& program, const OptionSpec& option, const Args& args) {
  for (const RefusedValue& refused : program.refused_values)
    if (refused.option == option.name && refused.value == args.get(option.name))
      return concat(": ", refused.why);
  return "";
}

// Of options with a name and a value: the first that says two things of one name; empty where none does.
std::string named_twice(const CommandSpec& spec, const Args& args) {
  for (const OptionSpec& option : spec.options) {
    if (option.least < 2) continue;
    std::set<std::string> names;
    for (const std::vector<std::string>& words : args.uses(option.name))
      if (!names.insert(words[0]).second)
        return concat("option ", option.name, " is given twice for '", words[0], "'");
  }
  return "";
}

}  // namespace

int run_program(Program program, int argc, const char* const* argv) {
  set_program_name(program.spec.name);
  program.spec.is_program = true;
  program.spec.options.push_back(flag("--quiet", "print warnings and errors only (openqnn's own)"));
  program.spec.options.push_back(flag("--version", "show the version"));
  called_as = program.spec.name;
  for (int i = 1; i < argc; ++i) called_as += concat(" ", shown(argv[i]));
  const std::span<const char* const> arguments(argv + 1, argc > 0 ? static_cast<size_t>(argc - 1) : 0);
  if (const std::optional<int> code = answer_completions(program.spec, arguments)) return *code;
  if (const RefusedOption* const refused = refused_in(program.refused, arguments))
    return wrong_usage(concat("option ", refused->name, " has no effect here: ", refused->why));
  const auto parsed = parse(program.spec, arguments);
  if (const std::string* const wrong = std::get_if<std::string>(&parsed)) return wrong_usage(*wrong);
  const Args& args = std::get<Args>(parsed);
  if (args.has("--help") || args.has("--version")) {
    print(args.has("--help") ? help_of(program) : concat(program.spec.name, " of openqnn ", version(), "\n"));
    return code_after_output(kOk);
  }
  if (const OptionSpec* const wrong = option_with_wrong_value(program.spec, args))
    return wrong_usage(concat("option ", wrong->name, " cannot be '", args.get(wrong->name), "'",
                              why_refused(program, *wrong, args), "; one of ", wrong->choices));
  if (const std::string twice = named_twice(program.spec, args); !twice.empty()) return wrong_usage(twice);
  if (args.has("--quiet")) set_quiet();
  const Result<int> code = program.run(args);
  if (!code) return fail("cannot go on", code.error());
  return code_after_output(*code);
}

std::string command_line() { return called_as; }

Result<uint32_t> number_among(const Args& args, std::string_view option, const std::vector<uint32_t>& allowed,
                              uint32_t fallback) {
  if (!args.has(option)) return fallback;
  std::string words;
  for (const uint32_t number : allowed) {
    if (args.get(option) == std::to_string(number)) return number;
    words += concat(words.empty() ? "" : " or ", number);
  }
  return wrong_option(option, concat("it cannot be '", args.get(option), "'")).fix_by(words);
}

Result<std::string> text_of(const std::string& path, size_t most_bytes) {
  OPENQNN_ASSIGN(std::string text, read_text_file(path));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.size() <= most_bytes) return text;
  return invalid("option-text", concat("the text has ", text.size(), " bytes; ", most_bytes, " are the most"))
      .at(path);
}

OptionSpec named(std::string_view name, std::string_view value, std::string_view help,
                 std::string_view aliases) {
  return {.name = name,
          .value = value,
          .help = help,
          .repeatable = true,
          .aliases = aliases,
          .least = 2,
          .most = 2};
}

OptionSpec one(std::string_view name, std::string_view value, std::string_view help, std::string_view aliases,
               std::string_view choices) {
  return {.name = name, .value = value, .help = help, .choices = choices, .aliases = aliases};
}

OptionSpec flag(std::string_view name, std::string_view help, std::string_view aliases) {
  return {.name = name, .value = "", .help = help, .aliases = aliases};
}

}  // namespace openqnn::tools::convert
