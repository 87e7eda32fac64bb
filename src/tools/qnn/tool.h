// SPDX-License-Identifier: BSD-3-Clause
// What the programs with the vendor's names share: the command line, the lines they print, how they end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "QnnLog.h"
#include "base/result.h"
#include "tools/args.h"
#include "tools/program_options.h"

namespace openqnn::tools {

struct Program {
  CommandSpec spec;
  std::vector<RefusedOption> refused = {};
  Status (*run)(const Args& args) = nullptr;
  bool ends_by_signal = false;  // a signal is the usual end of a job, not one before its time
};

// What a program is; each has one. `main` is the same for all (main.cc).
Program this_program();
// The exit status: 0, 1 when the job failed, 2 when the command line was wrong, 130 or 143 when a signal that
// the program catches (interrupt.h) cut its job short.
int run_program(Program program, int argc, const char* const* argv);

// ---- Lines: "     1.2ms [ ERROR ] text" ----

void set_log_level(QnnLog_Level_t level);
// Errors and warnings on stderr, the rest on stdout; nothing beyond the level.
void log_line(QnnLog_Level_t level, std::string_view text);
inline void log_info(std::string_view text) { log_line(QNN_LOG_LEVEL_INFO, text); }
inline void log_warning(std::string_view text) { log_line(QNN_LOG_LEVEL_WARN, text); }
// "1 result", "2 results".
std::string counted(uint64_t count, std::string_view noun);
// What a check says of a file: warnings and notes as lines.
void log_finding(Severity severity, const std::string& line);

// ---- Values of options ----

// "info", in any case; nothing for other words.
std::optional<QnnLog_Level_t> level_named(std::string_view word);
// The level of --log_level, or of --verbose where there is such an option; nothing when neither is given.
Result<std::optional<QnnLog_Level_t>> log_level_of(const Args& args);
Result<uint64_t> count_of(const Args& args, std::string_view option, uint64_t fallback);
Result<double> seconds_of(const Args& args, std::string_view option);
// "a,b,c"; an empty part is refused.
Result<std::vector<std::string>> list_of(const Args& args, std::string_view option);

}  // namespace openqnn::tools
