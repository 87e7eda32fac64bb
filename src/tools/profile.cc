// SPDX-License-Identifier: BSD-3-Clause
// openqnn profile: one simulated run looked at from several sides, or two runs compared.
#include <array>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "profile/diff/diff.h"
#include "profile/page/page.h"
#include "profile/text_table.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/model_job.h"
#include "tools/products.h"
#include "tools/profile_views.h"
#include "tools/profiled_run.h"

namespace openqnn::tools {
namespace {

constexpr size_t kDefaultTop = 10;
constexpr std::string_view kVerbs = "summary explain memory power diff export";
constexpr std::string_view kReportFormats = "qhas schema html chrometrace linting csv htp-csv jsonl";

// An option and the only verbs that it has an effect on.
struct VerbOption {
  std::string_view option;
  std::string_view verbs;
};
constexpr std::array<VerbOption, 5> kVerbOptions = {{{"--top", "summary explain memory diff"},
                                                     {"--json", "summary explain memory power diff"},
                                                     {"--html", "diff"},
                                                     {"--format", "export"},
                                                     {"--output", "export"}}};

Status check_verb(const Args& args) {
  const std::string verb = args.positional(0);
  if (!is_among(verb, kVerbs))
    return invalid("option-value", concat("there is no view '", verb, "'"))
        .fix_by("openqnn profile summary, explain, memory, power, diff or export");
  for (const VerbOption& one : kVerbOptions)
    if (args.has(one.option) && !is_among(verb, one.verbs))
      return wrong_option(one.option, concat("it has no effect on ", verb)).fix_by("leave it out");
  const bool two = verb == "diff";
  if (two && args.positional(2).empty())
    return invalid("option-value", "two runs are compared, and one is named")
        .fix_by("openqnn profile diff A B");
  if (!two && !args.positional(2).empty())
    return invalid("option-value", concat("unexpected argument '", args.positional(2), "'"))
        .fix_by(concat("openqnn profile ", verb, " RUN"));
  return {};
}

Result<size_t> top_of(const Args& args) {
  if (!args.has("--top")) return kDefaultTop;
  OPENQNN_ASSIGN(const int64_t top, integer_from(args.get("--top"), "--top"));
  return static_cast<size_t>(top);
}

Status show_diff(const Args& args, size_t top) {
  if (args.has("--html")) OPENQNN_TRY(check_output_file(args.get("--html")));
  OPENQNN_TRY(check_products(args, products_of(args, {"--html"})));
  OPENQNN_ASSIGN(const ProfiledRun a, profiled_run(args.positional(1), args));
  OPENQNN_ASSIGN(const ProfiledRun b, profiled_run(args.positional(2), args));
  const profile::Diff diff =
      profile::diff_of({a.source, &a.model, a.settings}, {b.source, &b.model, b.settings});
  if (args.has("--html"))
    OPENQNN_TRY(write_file(std::filesystem::path(args.get("--html")), profile::diff_page(diff)));
  print(args.has("--json") ? profile::diff_json_lines(diff) : profile::diff_text(diff, top));
  if (args.has("--html") && !args.has("--json")) print(concat("\nPage: ", shown(args.get("--html")), "\n"));
  return {};
}

Result<std::string> exported(const ProfiledRun& run, std::string_view format) {
  if (format == "qhas") return profile::qhas::qhas_json(run.model);
  if (format == "schema") return std::string(profile::qhas::qhas_schema());
  if (format == "html") return profile::qhas_page(run.model, concat("openqnn ", version()));
  const bool needs_timeline = format == "chrometrace" || format == "linting";
  if (needs_timeline && !run.simulation)
    return invalid("profile-saved",
                   concat("the format ", format,
                          " is made from what can be simulated, and this is a run that was saved"))
        .at(run.source)
        .fix_by("give the context binary, the model or the report's folder");
  if (format == "chrometrace") return chrometrace(*run.simulation);
  if (format == "linting") return linting_text(*run.simulation);
  if (format == "csv") return ops_csv(run.model);
  if (format == "htp-csv") return htp_ops_csv(run.model);
  if (format == "jsonl") return all_lines(run.model);
  return wrong_option("--format", concat("there is no format '", format, "'"))
      .fix_by(concat("one of ", kReportFormats));
}

// Formats whose layout is not ours to change, and tables without a place for it, do not say whose numbers
// they are.
void tell_simulated(const ProfiledRun& run, std::string_view format) {
  if (!is_among(format, "linting csv htp-csv")) return;
  print_error(concat("openqnn: note: the times and cycles are simulated (", shown(run.model.timing),
                     ", error band ", profile::error_band_text(run.model.error_band), ")\n"));
}

Status export_run(const Args& args) {
  const std::string format = args.get("--format", "jsonl");
  if (!is_among(format, kReportFormats))
    return wrong_option("--format", concat("there is no format '", format, "'"))
        .fix_by(concat("one of ", kReportFormats));
  const Products products = products_of(args, {"--output"});
  for (const auto& file : products.files) OPENQNN_TRY(check_output_file(file));
  OPENQNN_TRY(check_products(args, products));
  OPENQNN_ASSIGN(const ProfiledRun run, profiled_run(args.positional(1), args));
  OPENQNN_ASSIGN(const std::string text, exported(run, format));
  tell_simulated(run, format);
  if (!products.files.empty()) return write_file(products.files.front(), text);
  print(text);
  return {};
}

Status show(const Args& args) {
  const std::string verb = args.positional(0);
  OPENQNN_TRY(check_verb(args));
  OPENQNN_ASSIGN(const size_t top, top_of(args));
  if (verb == "diff") return show_diff(args, top);
  if (verb == "export") return export_run(args);
  OPENQNN_ASSIGN(const ProfiledRun run, profiled_run(args.positional(1), args));
  const bool json = args.has("--json");
  if (verb == "summary") print(json ? summary_lines(run.model) : summary_text(run.model, top));
  if (verb == "explain") print(json ? explain_lines(run.model, top) : explain_text(run.model, top));
  if (verb == "power") print(json ? power_lines(run.model) : power_text(run.model));
  if (verb == "memory") print(json ? memory_lines(run.model) : memory_text_of(run.model, top));
  if (!json) print(assumed_text(run.model));
  return {};
}

int run_profile(const Args& args) {
  const Status done = show(args);
  return done ? kOk : fail("cannot profile", done.error());
}

}  // namespace

Command profile_command() {
  return {
      .spec =
          {.name = "profile",
           .summary = "Look at a simulated run: summary, explain, memory, power, diff of two, export",
           .details = R"(
RUN is a context binary, a model (ONNX or .dlc, compiled for the moment with the options below, as
`openqnn report` does it), the folder that `openqnn report` left, or the JSON in it, whose numbers are
taken as they are, as those of a folder that qnn-net-run --profiling_level detailed
--profiling_option optrace left, or of its log.

  summary  units, op types, what is unavailable and why
  explain  the ops that take longest, why, and what would help
  memory   VTCM and DDR: peaks, and the tensors that move most
  power    the clock, how long units run, and what is not known
  diff     two runs aligned op by op: what changed, and why; --html writes a page
  export   the whole run: qhas, schema, html, chrometrace, linting, csv, htp-csv or jsonl

All times and cycles are simulated.)",
           .positionals = {{"VIEW", "summary, explain, memory, power, diff or export", true, false, kVerbs},
                           {"RUN", "a context binary, a model, a run's or report's folder, a log or a JSON"},
                           {"RUN_B", "of diff: the other one", false}},
           .options =
               joined_options({{{"--top", "N", "of ops, types or tensors, show so many (default 10)"},
                                {"--json", "", "print JSON, one object a line"},
                                {"--html", "FILE", "of diff: write a page, too"},
                                {"--format", "NAME", "of export (default jsonl)", false, kReportFormats},
                                {"--output",
                                 "FILE",
                                 "of export: where it goes (default: standard output)",
                                 false,
                                 {},
                                 "-o"}},
                               run_options()}),
           .examples = {"openqnn profile explain model.onnx --soc SM8650",
                        "openqnn profile memory model.bin --top 20",
                        "openqnn profile diff before after --html diff.html",
                        "openqnn profile export model.bin --format csv -o ops.csv"},
           .usage = "openqnn profile VIEW RUN [RUN_B] [--top N] [--json] [--html FILE] [--format NAME] [-o "
                    "FILE] [OPTION]..."},
      .run = run_profile};
}

}  // namespace openqnn::tools
