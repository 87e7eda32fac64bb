// SPDX-License-Identifier: BSD-3-Clause
// What the tool prints: results on stdout, errors on stderr, colour only for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "openqnn/error.h"

namespace openqnn::tools {

enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2 };

// What errors begin with: "openqnn" unless a program of another name says so, at its start.
void set_program_name(std::string_view name);
std::string_view program_name();

// Whose reason is in the command line, not in a file or in what the backend does.
bool is_wrong_usage(const Diagnostic& diagnostic);

// "openqnn: error: what (where): why; fix" on stderr. Answers kFailed, or kUsage for a wrong command line.
int fail(std::string_view what, const Error& error);
int fail(std::string_view what, const Diagnostic& diagnostic);

// What a main does: answers what `run` answers. What it throws, above all for want of memory, is told in a
// line, and the answer is kFailed.
int guarded(const std::function<int()>& run);

// "openqnn: warning: text" on stderr.
void warn(std::string_view text);

// --quiet: nothing goes to stdout, and no progress is told. Warnings and errors stay.
void set_quiet(bool on = true);

void print(std::string_view text);
void print_error(std::string_view text);  // on stderr, after what was printed on stdout

// Whether everything printed so far has reached stdout; a full disk must not look like success.
bool stdout_is_sound();
// What a main answers in place of `code`, after all that it prints: kFailed, told with the system's reason,
// where not all of it has reached stdout.
int code_after_output(int code);

// Colours, when stdout is a terminal that wants them (https://no-color.org).
bool wants_colour();
std::string bold(std::string_view text);
std::string dim(std::string_view text);
// A tick and a cross; plain words where the terminal's character set is not UTF-8.
std::string done_mark();
std::string failed_mark();

// "calibrate: 12 of 64" on a terminal, in one place, while long work goes on; nothing elsewhere. Gone at its
// end. A total of 0 is one that nobody knows: "calibrate: 12".
class Progress {
 public:
  Progress(std::string_view what, uint64_t total, uint64_t done = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void step();  // one more is done

 private:
  void show();

  std::string what_;
  uint64_t total_;
  uint64_t done_ = 0;
  bool is_seen_;
  std::chrono::steady_clock::time_point shown_;
};

std::string fixed(double value, int digits);                // no locale
std::string bytes_text(uint64_t bytes);                     // "27.5 KiB"
std::string joined(const std::vector<std::string>& words);  // with a space between
std::string padded(std::string text, size_t width);         // with blanks behind it, for a column
// A name from a file, made harmless: control characters become '?'.
std::string shown(std::string_view name);
// A word of a command that is shown to be copied into a shell: as it is, or in quotes.
std::string shell_word(std::string_view text);

}  // namespace openqnn::tools
