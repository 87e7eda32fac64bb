// SPDX-License-Identifier: BSD-3-Clause
// openqnn: one program, a subcommand per job.
#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <variant>

#include "base/text.h"
#include "openqnn/version.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/interrupt.h"

namespace openqnn::tools {

std::span<const Command> commands() {
  static const auto all = std::to_array<Command>(
      {demo_command(),     run_command(),     report_command(), profile_command(),    compare_command(),
       check_command(),    fix_command(),     fmt_command(),    show_command(),       diff_command(),
       new_command(),      explain_command(), schema_command(), inspect_command(),    validate_command(),
       simulate_command(), advise_command(),  soc_command(),    ops_command(),        profiles_command(),
       power_command(),    errors_command(),  lsp_command(),    completions_command()});
  return all;
}

namespace {

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, [](const Command& one) { return one.spec.name; });
  return found == commands().end() ? nullptr : &*found;
}

std::string overview() {
  std::string out =
      "Usage: openqnn COMMAND [ARGUMENT...]\n\n"
      "An open, host-native implementation of the QNN HTP backend: compile, run and time models\n"
      "without a Snapdragon device. All device times are simulated.\n\nCommands:\n";
  for (const Command& command : commands())
    out += concat("  ", padded(std::string(command.spec.name), 13), command.spec.summary, "\n");
  out +=
      "  help         Show how a command is used: openqnn help COMMAND\n\n"
      "Options:\n"
      "  --version  show the version\n"
      "  --help     show this text\n\n"
      "Exit status: 0 when the job was done, 1 when it failed, 2 when the command line is wrong.\n";
  return out;
}

int usage_error(std::string_view message, std::string_view remedy) {
  std::fprintf(stderr, "openqnn: error: %s; %s\n", shown(message).c_str(), std::string(remedy).c_str());
  return kUsage;
}

int unknown_command(std::string_view name) {
  std::vector<std::string_view> known = {"help"};
  for (const Command& command : commands()) known.push_back(command.spec.name);
  const std::string_view meant = closest(name, known);
  return usage_error(concat("there is no command '", name, "'"),
                     meant.empty() ? "openqnn --help lists them" : concat("did you mean ", meant, "?"));
}

int help(std::span<const char* const> arguments) {
  if (arguments.empty()) {
    print(overview());
    return kOk;
  }
  if (arguments.size() > 1)
    return usage_error(concat("unexpected argument '", arguments[1], "'"), "usage: openqnn help [COMMAND]");
  const Command* const command = find_command(arguments[0]);
  if (command == nullptr) return unknown_command(arguments[0]);
  print(help_text(command->spec));
  return kOk;
}

int run_command(const Command& command, std::span<const char* const> arguments) {
  const auto parsed = parse(command.spec, arguments);
  if (const auto* const problem = std::get_if<std::string>(&parsed))
    return usage_error(*problem, concat("usage: ", usage_line(command.spec)));
  const Args& args = std::get<Args>(parsed);
  if (args.has("--help")) {
    print(help_text(command.spec));
    return kOk;
  }
  return command.run(args);
}

int dispatch(std::span<const char* const> arguments) {
  if (arguments.empty()) {
    std::fputs(overview().c_str(), stderr);
    return kUsage;
  }
  const std::string_view first = arguments[0];
  if (first == "--version") {
    print(concat("openqnn ", version(), "\n"));
    return kOk;
  }
  if (first == "--help" || first == "-h") return help({});
  if (first == "help") return help(arguments.subspan(1));
  const Command* const command = find_command(first);
  if (command == nullptr) return unknown_command(first);
  return run_command(*command, arguments.subspan(1));
}

}  // namespace
}  // namespace openqnn::tools

int main(int argc, char** argv) {
  using namespace openqnn::tools;
  return guarded([&]() -> int {
    const int code = dispatch({argv + (argc > 0 ? 1 : 0), static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
    if (code != kOk && interrupted_exit_code() != 0) return interrupted_exit_code();
    return code_after_output(code);
  });
}
