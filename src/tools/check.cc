// SPDX-License-Identifier: BSD-3-Clause
// openqnn check: what is wrong with a configuration file, before a tool drops it silently.
#include "base/text.h"
#include "config/input_list.h"
#include "config/render.h"
#include "openqnn/version.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

Result<std::string> rendered(const std::vector<config::CheckedFile>& files, const Args& args) {
  const std::string format = args.get("--format", "text");
  if (format == "text")
    return config::render_text(files, {.colour = wants_colour(), .brief = args.has("--quiet")});
  if (format == "json") return config::render_json(files);
  if (format == "sarif") return config::render_sarif(files, version());
  if (format == "github") return config::render_github(files);
  return invalid("option-value", concat("there is no format '", format, "'"))
      .fix_by("--format takes text, json, sarif or github");
}

// What is known of a run says nothing about an input list.
Status no_circumstances(const Args& args) {
  for (const std::string_view option :
       {"--tool", "--stage", "--soc", "--platform", "--sdk", "--graphs", "--strict"}) {
    if (args.has(option))
      return invalid("option-value", concat(option, " has no effect on input lists")).fix_by("leave it out");
  }
  return {};
}

std::vector<config::CheckedFile> checked_input_lists(const Args& args) {
  std::vector<config::CheckedFile> files;
  for (const std::string& path : args.positionals()) files.push_back(config::check_input_list(path, {}));
  return files;
}

Result<Severity> least_failure(const Args& args) {
  const std::string name = args.get("--fail-on", "note");
  for (const Severity severity : {Severity::kNote, Severity::kWarning, Severity::kError}) {
    if (severity_name(severity) == name) return severity;
  }
  return invalid("option-value", concat("there is no severity '", name, "'"))
      .fix_by("--fail-on takes note, warning or error");
}

// A model or a binary among them is a finding, so that the others are told of in every format.
std::vector<config::CheckedFile> checked_configurations(const std::vector<std::string>& paths,
                                                        const config::CheckOptions& options) {
  std::vector<std::string> configurations;
  std::vector<config::CheckedFile> others;
  for (const std::string& path : paths) {
    const Status fine = expect_configuration(path);
    if (fine)
      configurations.push_back(path);
    else
      others.push_back({.name = path, .findings = config::unreadable(path, fine.error()).findings});
  }
  std::vector<config::CheckedFile> files = config::check_files(configurations, options);
  std::ranges::move(others, std::back_inserter(files));
  return files;
}

int run_check(const Args& args) {
  const bool input_lists = args.get("--kind") == config::kInputListName;
  if (const Status status = input_lists ? no_circumstances(args) : Status(); !status)
    return wrong_value(status.error());
  const auto options =
      input_lists ? Result<config::CheckOptions>(config::CheckOptions()) : check_options(args);
  if (!options) return wrong_value(options.error());
  const auto least = least_failure(args);
  if (!least) return wrong_value(least.error());
  const auto files =
      input_lists ? checked_input_lists(args) : checked_configurations(args.positionals(), *options);
  const auto text = rendered(files, args);
  if (!text) return wrong_value(text.error());
  print(*text);
  return config::has_findings(files, *least) ? kFailed : kOk;
}

}  // namespace

Command check_command() {
  return {
      .spec = {.name = "check",
               .summary = "Find mistakes in configuration files of QNN tools",
               .details = R"(
Tells the kind of each file (HTP backend file, tool file, LPAI file, …) from its keys, and checks
syntax, names, types, ranges, and the rules across options, part, platform, tool and SDK. A tool
file is followed to the backend file it names. The more is said about the circumstances, the
more is checked; what is not known is not guessed. Files are never changed: see openqnn fix.

With --tool a file must be the one that this tool takes (--config_file, --config): a backend file
handed over in its place is an error, because the real tools ignore it. Add --kind htp to check a
backend file by itself.

--kind input-list checks input lists instead: their form, and that the files they name are
there.

Exit status: 0 when nothing was found, 1 when something was (see --fail-on).)",
               .positionals = {{"FILE", "configuration files; - is the standard input", true, true}},
               .options = circumstance_options(
                   {{"--format", "NAME",
                     "text (default), json, sarif (2.1.0) or github (annotations of a workflow)", false,
                     "text json sarif github"},
                    {"--fail-on", "SEVERITY",
                     "the least that makes the exit status 1: note (default), warning or error", false,
                     "note warning error"},
                    {"--quiet", "", "one line a finding, and nothing when there is none"}},
                   kCheckedKinds),
               .examples = {"openqnn check htp.json",
                            "openqnn check run.json --tool qnn-net-run --soc \"Snapdragon 8 Gen 3\"",
                            "openqnn check htp.json --kind htp --tool qnn-context-binary-generator --graphs "
                            "encoder,decoder",
                            "openqnn check --format github configs/*.json"}},
      .run = run_check};
}

}  // namespace openqnn::tools
