// SPDX-License-Identifier: BSD-3-Clause
#include "tools/console.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "base/text.h"
#include "base/units.h"

namespace openqnn::tools {
namespace {

std::string_view program = "openqnn";
bool quiet = false;
int output_error = 0;  // the system's first reason why stdout could not be written

bool has_value(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Files and pipes get UTF-8; a terminal gets what its locale says.
bool is_utf8() {
  static const bool utf8 = [] {
    if (isatty(STDOUT_FILENO) == 0) return true;
    for (const char* const variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
      const char* const setting = std::getenv(variable);
      if (!setting || !*setting) continue;
      const std::string_view value = setting;
      return value.find("UTF-8") != value.npos || value.find("utf8") != value.npos ||
             value.find("UTF8") != value.npos || value.find("utf-8") != value.npos;
    }
    return false;
  }();
  return utf8;
}

std::string coloured(std::string_view code, std::string_view text) {
  return wants_colour() ? concat("\033[", code, "m", text, "\033[0m") : std::string(text);
}

// A later call may fail no more, or for another reason.
void keep_first_error(bool written) {
  if (!written && output_error == 0) output_error = errno;
}

void flush_output() { keep_first_error(std::fflush(stdout) == 0); }

int report(std::string_view what, std::string_view where, std::string_view why, std::string_view fix) {
  flush_output();
  std::string line = concat(program, ": error: ", what);
  if (!where.empty()) line += concat(" (", shown(where), ")");
  line += concat(": ", shown(why));
  if (!fix.empty()) line += concat("; ", shown(fix));
  std::fprintf(stderr, "%s\n", line.c_str());
  return kFailed;
}

void print_note(std::string_view note) { print_error(concat(program, ": note: ", shown(note), "\n")); }

}  // namespace

void set_program_name(std::string_view name) { program = name; }
std::string_view program_name() { return program; }

void warn(std::string_view text) { print_error(concat(program, ": warning: ", shown(text), "\n")); }

int fail(std::string_view what, const Error& error) {
  report(what, error.where, error.message, error.fix);
  for (const std::string& note : error.notes) print_note(note);
  return kFailed;
}

bool is_wrong_usage(const Diagnostic& diagnostic) {
  constexpr std::array<std::string_view, 6> kOfWords = {"usage",    "soc-unknown",      "ambiguous-soc",
                                                        "soc-arch", "soc-arch-unknown", "soc-no-htp"};
  return diagnostic.code.starts_with("option-") || diagnostic.where.object.starts_with("--") ||
         std::ranges::find(kOfWords, diagnostic.code) != kOfWords.end();
}

int fail(std::string_view what, const Diagnostic& diagnostic) {
  report(what, diagnostic.where.to_string(), diagnostic.message, diagnostic.fix);
  for (const std::string& note : diagnostic.notes) print_note(note);
  return is_wrong_usage(diagnostic) ? kUsage : kFailed;
}

int guarded(const std::function<int()>& run) {
  const auto tell = [](const char* what) {  // and take no memory for it
    std::fprintf(stderr, "%.*s: error: %s\n", static_cast<int>(program.size()), program.data(), what);
  };
  try {
    return run();
  } catch (const std::bad_alloc&) {
    tell(
        "there is not enough memory for this; use smaller dimensions, fewer inputs or another "
        "machine");
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return kFailed;
}

void set_quiet(bool on) { quiet = on; }

void print(std::string_view text) {
  if (!quiet) keep_first_error(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void print_error(std::string_view text) {
  flush_output();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool stdout_is_sound() {
  flush_output();
  return output_error == 0 && std::ferror(stdout) == 0;
}

int code_after_output(int code) {
  if (stdout_is_sound()) return code;
  print_error(concat(program, ": error: cannot write to the standard output",
                     output_error == 0 ? "" : concat(": ", std::strerror(output_error)), "\n"));
  return kFailed;
}

Progress::Progress(std::string_view what, uint64_t total, uint64_t done)
    : what_(what), total_(total), done_(done), is_seen_(!quiet && isatty(STDERR_FILENO) != 0) {
  show();
}

Progress::~Progress() {
  if (is_seen_) print_error("\r\033[K");
}

void Progress::step() {
  constexpr auto kOften = std::chrono::milliseconds(100);
  ++done_;
  if (is_seen_ && std::chrono::steady_clock::now() - shown_ >= kOften) show();
}

void Progress::show() {
  if (!is_seen_) return;
  shown_ = std::chrono::steady_clock::now();
  print_error(concat("\r\033[K", what_, ": ", done_, total_ == 0 ? "" : concat(" of ", total_)));
}

bool wants_colour() {
  static const bool wants = [] {
    const char* const terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && !has_value("NO_COLOR") && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
  }();
  return wants;
}

std::string bold(std::string_view text) { return coloured("1", text); }
std::string dim(std::string_view text) { return coloured("2", text); }
std::string done_mark() { return coloured("32", is_utf8() ? "✓" : "ok"); }
std::string failed_mark() { return coloured("31", is_utf8() ? "✗" : "FAILED"); }

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.setf(std::ios::fixed);
  out.precision(digits);
  out << value;
  return std::move(out).str();
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < kKiB) return concat(bytes, " bytes");
  const auto value = static_cast<double>(bytes);
  if (bytes < kMiB) return fixed(value / kKiB, 1) + " KiB";
  return fixed(value / kMiB, 1) + " MiB";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += concat(text.empty() ? "" : " ", word);
  return text;
}

std::string shown(std::string_view name) { return one_line(name); }

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace openqnn::tools
