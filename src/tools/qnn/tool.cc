// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/tool.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "base/deterministic.h"
#include "base/text.h"
#include "tools/completion_scripts.h"
#include "tools/console.h"
#include "tools/interrupt.h"
#include "tools/number_in.h"

namespace openqnn::tools {
namespace {

QnnLog_Level_t shown_level = QNN_LOG_LEVEL_INFO;

struct LevelName {
  std::string_view option;  // as --log_level takes it
  QnnLog_Level_t level;
  const char* label;
};
constexpr std::array kLevels = {
    LevelName{"error", QNN_LOG_LEVEL_ERROR, " ERROR "}, LevelName{"warn", QNN_LOG_LEVEL_WARN, "WARNING"},
    LevelName{"info", QNN_LOG_LEVEL_INFO, "  INFO "}, LevelName{"debug", QNN_LOG_LEVEL_DEBUG, " DEBUG "},
    LevelName{"verbose", QNN_LOG_LEVEL_VERBOSE, "VERBOSE"}};

// Since the first call; always 0 where output must not change from run to run.
double milliseconds() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  return is_deterministic() ? 0.0 : std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Documents spell some options with hyphens: "--perf-profile".
std::string with_underscores(const CommandSpec& spec, std::string_view argument) {
  if (!argument.starts_with("--")) return std::string(argument);
  const size_t end = std::min(argument.find('='), argument.size());
  std::string name(argument.substr(0, end));
  std::replace(name.begin() + 2, name.end(), '-', '_');
  const bool known = std::ranges::find(spec.options, name, &OptionSpec::name) != spec.options.end();
  return known ? name + std::string(argument.substr(end)) : std::string(argument);
}

Result<Args> parse_command_line(const Program& program, int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) words.push_back(with_underscores(program.spec, argv[i]));
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  if (const RefusedOption* const refused = refused_in(program.refused, pointers))
    return unsupported("option-refused", concat(refused->name, " is not offered: ", refused->why))
        .fix_by("leave it out");
  auto parsed = parse(program.spec, pointers);
  if (const std::string* const wrong = std::get_if<std::string>(&parsed))
    return invalid("usage", *wrong).fix_by(concat("`", program.spec.name, " --help` lists the options"));
  return std::get<Args>(std::move(parsed));
}

Status check_options(const Program& program, const Args& args) {
  if (const OptionSpec* const option = option_with_wrong_value(program.spec, args)) {
    const std::string value = args.get(option->name);
    const std::string_view meant = closest(value, split(option->choices, " "));
    return wrong_option(option->name, concat("there is no '", value, "'",
                                             meant.empty() ? "" : concat(" (did you mean ", meant, "?)")))
        .fix_by(concat("one of: ", option->choices));
  }
  OPENQNN_TRY(exclude(args, "--quiet", "--log_level"));
  OPENQNN_TRY(exclude(args, "--quiet", "--verbose"));
  OPENQNN_ASSIGN(const auto level, log_level_of(args));
  if (level) set_log_level(*level);
  if (args.has("--quiet")) set_quiet();
  return {};
}

// ---- --help ----

constexpr size_t kHelpColumns = 118;

// With line ends instead of blanks where a line would be longer than `columns`.
std::string wrapped(std::string_view text, size_t columns) {
  std::string out;
  size_t used = 0;
  for (const std::string_view line : split(text, "\n")) {
    if (!out.empty()) out += '\n';
    used = 0;
    for (const std::string_view word : split(line, " ")) {
      if (used > 0 && used + 1 + word.size() > columns) {
        out += '\n';
        used = 0;
      } else if (used > 0) {
        out += ' ';
        ++used;
      }
      out += word;
      used += word.size();
    }
  }
  return out;
}

// Every option's help with the values that it takes, in lines that a terminal shows whole.
void finish_help(CommandSpec& spec) {
  static std::deque<std::string> texts;  // a spec holds views
  size_t left = 0;
  for (const OptionSpec& option : spec.options)
    left = std::max(left, option.name.size() + 1 + option.value.size());
  for (OptionSpec& option : spec.options) {
    std::string help(option.help);
    std::ranges::replace(help, '\n', ' ');
    if (!option.choices.empty()) help += concat("\none of: ", option.choices);
    option.help = texts.emplace_back(wrapped(help, kHelpColumns - std::min(left + 4, kHelpColumns / 2)));
  }
}

void add_own_options(CommandSpec& spec) {
  spec.is_program = true;
  spec.options.push_back({"--quiet", "", "tell warnings and errors alone (openqnn's own)"});
  spec.options.push_back({"--log_level", "LEVEL",
                          "how much is told (default: this program's info, the backend's warn)", false,
                          "error warn info debug verbose"});
  spec.options.push_back({"--version", "", "print the version and stop"});
}

void complete(CommandSpec& spec, const std::vector<RefusedOption>& refused) {
  static std::deque<std::string> texts;  // a spec holds views
  for (const RefusedOption& option : refused)
    spec.options.push_back({.name = option.name,
                            .value = "",
                            .help = texts.emplace_back(concat("not offered: ", option.why)),
                            .aliases = option.aliases});
  finish_help(spec);
}

int failed(const Diagnostic& diagnostic) {
  log_line(QNN_LOG_LEVEL_ERROR, diagnostic.sentence());
  for (const std::string& note : diagnostic.notes) log_line(QNN_LOG_LEVEL_ERROR, note);
  return is_wrong_usage(diagnostic) ? kUsage : kFailed;
}

}  // namespace

int run_program(Program program, int argc, const char* const* argv) {
  milliseconds();
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // who follows a file or a pipe sees each line at once
  set_program_name(program.spec.name);
  add_own_options(program.spec);
  const std::span<const char* const> arguments(argv + 1, argc > 0 ? static_cast<size_t>(argc - 1) : 0);
  if (const std::optional<int> code = answer_completions(program.spec, arguments)) return *code;
  complete(program.spec, program.refused);
  const Result<Args> args = parse_command_line(program, argc, argv);
  if (!args) return failed(args.error());
  if (args->has("--help")) {
    print(help_text(program.spec));
    return code_after_output(kOk);
  }
  if (args->has("--version")) {
    print(concat(program.spec.name, ", openqnn ", OPENQNN_VERSION, "\n"));
    return code_after_output(kOk);
  }
  if (const Status status = check_options(program, *args); !status) return failed(status.error());
  if (const Status status = program.run(*args); !status) {
    const int code = failed(status.error());
    return interrupted_exit_code() != 0 ? interrupted_exit_code() : code;
  }
  if (interrupted() && !program.ends_by_signal) return interrupted_exit_code();
  return code_after_output(kOk);
}

void set_log_level(QnnLog_Level_t level) { shown_level = level; }

void log_line(QnnLog_Level_t level, std::string_view text) {
  if (level > shown_level && level != QNN_LOG_LEVEL_ERROR) return;
  const auto* const found = std::ranges::find(kLevels, level, &LevelName::level);
  const char* const label = found == kLevels.end() ? "   ?   " : found->label;
  std::array<char, 64> prefix = {};
  std::snprintf(prefix.data(), prefix.size(), "%8.1fms [%s] ", milliseconds(), label);
  const std::string line = concat(prefix.data(), shown(text), "\n");
  if (level <= QNN_LOG_LEVEL_WARN)
    print_error(line);
  else
    print(line);
}

std::string counted(uint64_t count, std::string_view noun) {
  return concat(count, " ", noun, count == 1 ? "" : "s");
}

void log_finding(Severity severity, const std::string& line) {
  log_line(severity == Severity::kNote ? QNN_LOG_LEVEL_INFO : QNN_LOG_LEVEL_WARN, line);
}

std::optional<QnnLog_Level_t> level_named(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::ranges::find(kLevels, lower, &LevelName::option);
  if (found == kLevels.end()) return std::nullopt;
  return found->level;
}

Result<std::optional<QnnLog_Level_t>> log_level_of(const Args& args) {
  if (args.has("--verbose")) return std::optional(QNN_LOG_LEVEL_VERBOSE);
  if (!args.has("--log_level")) return std::optional<QnnLog_Level_t>();
  if (const auto level = level_named(args.get("--log_level"))) return level;
  return wrong_option("--log_level", concat("there is no level '", args.get("--log_level"), "'"))
      .fix_by("error, warn, info, debug or verbose");
}

Result<uint64_t> count_of(const Args& args, std::string_view option, uint64_t fallback) {
  if (!args.has(option)) return fallback;
  const std::string text = args.get(option);
  const auto value = number_in<uint64_t>(text);
  if (value && *value > 0) return *value;
  return wrong_option(option, concat("'", text, "' is no whole number of 1 or more"))
      .fix_by("give a whole number");
}

Result<double> seconds_of(const Args& args, std::string_view option) {
  const std::string text = args.get(option);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end == '\0' && std::isfinite(value) && value > 0) return value;
  return wrong_option(option, concat("'", text, "' is no number above 0")).fix_by("give a number");
}

Result<std::vector<std::string>> list_of(const Args& args, std::string_view option) {
  std::vector<std::string> parts;
  if (!args.has(option)) return parts;
  const std::string text = args.get(option);
  for (const std::string_view part : split(text, ",")) {
    if (part.empty())
      return wrong_option(option, concat("'", text, "' has an empty part"))
          .fix_by("write the parts with one comma between");
    parts.emplace_back(part);
  }
  return parts;
}

}  // namespace openqnn::tools
