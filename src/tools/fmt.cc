// SPDX-License-Identifier: BSD-3-Clause
// openqnn fmt: one layout for configuration files.

#include "base/files.h"
#include "base/text.h"
#include "config/follow.h"
#include "json/edit.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"
#include "tools/number_in.h"

namespace openqnn::tools {
namespace {

Result<uint32_t> indent_argument(const Args& args) {
  constexpr uint32_t kMost = 16;
  const std::string text = args.get("--indent", "2");
  if (const auto indent = number_in<uint32_t>(text); indent && *indent <= kMost) return *indent;
  return invalid("option-value", concat("'", text, "' is no indentation"))
      .fix_by(concat("--indent takes a number of spaces, 0 to ", kMost));
}

int format_one(const std::string& path, uint32_t indent, bool only_check) {
  if (const Status fine = expect_configuration(path); !fine) return fail("cannot format", fine.error());
  const bool from_stdin = path == "-";
  const std::string name = from_stdin ? std::string(config::kStandardInput) : path;
  const auto before = read_text_file(from_stdin ? "/dev/stdin" : path);
  if (!before) return fail("cannot read the file", before.error());
  const auto after = json::format(*before, name, indent);
  if (!after) return fail("cannot format the file", after.error());
  if (only_check) {
    if (*before == *after) return kOk;
    print(concat(shown(name), ": would change\n"));
    return kFailed;
  }
  if (from_stdin) {
    print(*after);
    return kOk;
  }
  if (*before == *after) return kOk;
  const auto written = write_file(path, *after);
  if (!written) return fail("cannot format", written.error());
  print(concat(shown(name), ": formatted\n"));
  return kOk;
}

int run_fmt(const Args& args) {
  const auto indent = indent_argument(args);
  if (!indent) return wrong_value(indent.error());
  int code = kOk;
  for (const std::string& path : args.positionals()) {
    if (format_one(path, *indent, args.has("--check")) != kOk) code = kFailed;
  }
  return code;
}

}  // namespace

Command fmt_command() {
  return {
      .spec =
          {.name = "fmt",
           .summary = "Lay out JSON configuration files anew, comments and order kept",
           .details =
               R"(One member a line, short lists on one line, one space after a colon, a final newline; trailing
commas and a byte order mark go, line ends stay what they are. The meaning never changes. A file that
is laid out already is not written; one that is no JSON is left alone (openqnn fix may mend it).)",
           .positionals = {{"FILE", "JSON files; - reads stdin and writes stdout", true, true}},
           .options = {{"--check", "", "change nothing; name the files that would change, and exit with 1"},
                       {"--indent", "N", "spaces a level; default 2"}},
           .examples = {"openqnn fmt htp.json", "openqnn fmt --check configs/*.json"}},
      .run = run_fmt};
}

}  // namespace openqnn::tools
