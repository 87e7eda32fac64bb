// SPDX-License-Identifier: BSD-3-Clause
// openqnn fix: mends in a configuration file what can be mended safely.
#include "config/fix.h"

#include "base/files.h"
#include "base/text.h"
#include "config/render.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"
#include "tools/unified_diff.h"

namespace openqnn::tools {
namespace {

// A file before and after, and what is left to say about it.
struct Outcome {
  std::string before;
  config::Fixed fixed;
  std::vector<config::CheckedFile> left;

  bool changed() const { return fixed.text != before; }
};

Outcome mend(const std::string& path, const config::CheckOptions& options) {
  config::Document document = config::read_given_file(path, options);
  const std::string name = document.name;
  const auto check_text = [&](const std::string& text) {
    return config::check_document(config::read_given(name, text, options), options).front().findings;
  };
  Outcome outcome;
  if (document.text.empty()) {  // unreadable or empty: nothing to mend
    outcome.left = config::check_document(document, options);
    return outcome;
  }
  outcome.before = std::move(document.text);
  outcome.fixed = config::fix_all(outcome.before, check_text);
  outcome.left = config::check_document(config::read_given(name, outcome.fixed.text, options), options);
  return outcome;
}

std::string mended_text(const Outcome& outcome) {
  std::string out;
  for (const config::Finding& finding : outcome.fixed.mended) {
    out += concat(shown(outcome.left.front().name), ": mended: ", shown(finding.fix->title));
    if (!finding.path.empty()) {
      out += concat(" (", shown(finding.path), ")");
    } else if (!finding.span.empty()) {  // in the text as it was then; earlier mends hardly move a line
      out += concat(" (line ", json::LineIndex(outcome.before).position(finding.span.begin).line, ")");
    }
    out += concat(" [", finding.code, "]\n");
  }
  return out;
}

// What is left, in the words of `openqnn check`; nothing when nothing is.
std::string left_text(const Outcome& outcome) {
  const std::string counts = config::count_words(outcome.left);
  if (counts.empty()) return concat(shown(outcome.left.front().name), ": clean\n");
  return config::render_text(outcome.left, {.colour = wants_colour()});
}

// The mended text goes to stdout, and what there is to say to stderr.
void answer_stdin(const Outcome& outcome) {
  print(outcome.fixed.text);
  print_error(mended_text(outcome) + config::render_text(outcome.left, {.brief = true}));
}

void show_diff(const std::string& path, const Outcome& outcome) {
  print(unified_diff(path, outcome.before, outcome.fixed.text));
  print_error(config::render_text(outcome.left, {.brief = true}));
}

int save(const std::string& path, const Outcome& outcome) {
  if (outcome.changed()) {
    const auto written = write_file(path, outcome.fixed.text);
    if (!written) return fail("cannot mend the file", written.error());
  }
  print(mended_text(outcome) + left_text(outcome));
  return kOk;
}

int fix_one(const std::string& path, const config::CheckOptions& options, bool diff) {
  if (const Status fine = expect_configuration(path); !fine) return fail("cannot fix", fine.error());
  const Outcome outcome = mend(path, options);
  int code = kOk;
  if (diff) {
    show_diff(path, outcome);
  } else if (path == "-") {
    answer_stdin(outcome);
  } else {
    code = save(path, outcome);
  }
  return config::has_findings(outcome.left) ? kFailed : code;
}

int run_fix(const Args& args) {
  const auto options = check_options(args);
  if (!options) return wrong_value(options.error());
  int code = kOk;
  for (const std::string& path : args.positionals()) {
    if (fix_one(path, *options, args.has("--diff")) != kOk) code = kFailed;
  }
  return code;
}

}  // namespace

Command fix_command() {
  return {
      .spec = {.name = "fix",
               .summary = "Mend in configuration files what can be mended safely",
               .details = R"(
Makes the changes that openqnn check offers as "fix": typing errors in names and values, numbers
in quotes, keys that other programs use, a missing comma. Comments, order and layout stay. A file
is replaced in one step or not at all. What needs a decision is left, and told as check tells it.
Only the files that are given are changed, not those they name.

Exit status: 0 when nothing is left to mend, 1 when findings remain.)",
               .positionals = {{"FILE", "configuration files; - reads stdin and writes stdout", true, true}},
               .options = circumstance_options(
                   {{"--diff", "", "change nothing; print what would change as a unified diff"}}),
               .examples = {"openqnn fix htp.json", "openqnn fix --diff htp.json",
                            "openqnn fix htp.json --soc SM8750 --strict"}},
      .run = run_fix};
}

}  // namespace openqnn::tools
