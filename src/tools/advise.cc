// SPDX-License-Identifier: BSD-3-Clause
// openqnn advise: what the documents recommend for or against, seen on a model and its configuration.
#include "advise/advise.h"

#include "advise/render.h"
#include "advise/rule.h"
#include "base/text.h"
#include "profile/text_table.h"
#include "tools/advise/model_advice.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/model_job.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kCannotAdvise = "cannot advise";
constexpr std::string_view kAdviceFormats = "text json markdown";

Status check_word(const Args& args, std::string_view option, std::string_view words) {
  if (!args.has(option) || is_among(args.get(option), words)) return {};
  return wrong_option(option, concat("there is no '", args.get(option), "'"))
      .fix_by(concat("one of ", words));
}

// Options that ask about the rules, and not about a model.
bool asks_about_rules(const Args& args) {
  return args.has("--rules") || args.has("--explain") || args.has("--schema");
}

Status check_args(const Args& args) {
  OPENQNN_TRY(check_word(args, "--format", kAdviceFormats));
  OPENQNN_TRY(images_from(args));
  OPENQNN_TRY(check_word(args, "--fail_on", advise::kLevelNames));
  if (args.has("--format") && args.get("--format") == "markdown" && !args.has("--rules"))
    return wrong_option("--format", "this is the page of the rules").fix_by("add --rules");
  if (asks_about_rules(args) && !args.positional(0).empty())
    return invalid("option-value", concat("unexpected argument '", args.positional(0),
                                          "': --rules, --explain and --schema are about no model"))
        .fix_by("leave it out");
  if (!asks_about_rules(args) && args.positional(0).empty())
    return invalid("option-value", "no model is named").fix_by("openqnn advise MODEL");
  return check_model_options(args);
}

std::string rules_table() {
  using Align = profile::TextTable::Align;
  profile::TextTable table({Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({"Id", "Severity", "What it finds"});
  table.rule();
  for (const advise::RuleDef* rule : advise::rules())
    table.row(
        {std::string(rule->id), std::string(advise::level_name(rule->level)), std::string(rule->title)});
  return table.text();
}

int tell_rules(const Args& args) {
  if (args.has("--schema")) {
    print(advise::advice_schema());
    return kOk;
  }
  if (args.has("--rules")) {
    print(args.get("--format") == "markdown" ? advise::rules_page() : rules_table());
    return kOk;
  }
  const advise::RuleDef* rule = advise::find_rule(args.get("--explain"));
  if (rule == nullptr)
    return fail(kCannotAdvise,
                wrong_option("--explain", concat("there is no rule '", args.get("--explain"), "'"))
                    .fix_by("`openqnn advise --rules` lists them; those of configurations are "
                            "told by `openqnn explain CODE`"));
  print(advise::rule_text(*rule));
  return kOk;
}

int run_advise(const Args& args) {
  if (const Status fine = check_args(args); !fine) return fail(kCannotAdvise, fine.error());
  if (asks_about_rules(args)) return tell_rules(args);
  AdviceRequest request{.model = args.positional(0),
                        .soc = args.get("--soc"),
                        .precision = args.get("--precision"),
                        .config = args.get("--config"),
                        .graph = args.get("--graph"),
                        .maps_binaries = args.has("--use_mmap"),
                        .shapes = args};
  if (args.get("--image_layout") == "model") request.images = Images::kAsInModel;
  const auto advice = advice_on(request);
  if (!advice) return fail(kCannotAdvise, advice.error());
  const bool json = args.has("--json") || args.get("--format") == "json";
  print(json ? advise::advice_json(*advice) : advise::advice_text(*advice));
  if (!args.has("--fail_on")) return kOk;
  return advise::has_findings(advice->findings, *advise::level_from(args.get("--fail_on"))) ? kFailed : kOk;
}

}  // namespace

Command advise_command() {
  return {
      .spec =
          {.name = "advise",
           .summary = "Name what the documents advise against in a model, and simulate what helps",
           .details = R"(
Prepares a model for a part, simulates it, and names what the vendor's documents recommend for or
against, each with the ops it is seen by, the change that helps and, where that can be done, what it
would bring. --config is checked as by `openqnn check`, in the same list. A context binary is looked at
as it was prepared. Nothing is run and no data is needed; all times are simulated.

Exit status: 0, or 1 when something as severe as --fail_on was found. docs/advise.md tells each rule.)",
           .positionals = {{"MODEL", "an ONNX model, a .dlc, or a context binary of openqnn", false}},
           .options = joined_options(
               {{{"--soc", "NAME",
                  "the part (openqnn soc); default: that of --config, else SM8350, QNN's own"},
                 {"--precision", "NAME",
                  "of a float model: float (or fp16), w8a8 (default), w8a16, w16a16, w4a16", false,
                  kSimulatedPrecisions},
                 {"--config", "FILE", "an HTP backend file, or the outer file that names it"},
                 {"--graph", "NAME", "of a binary with several graphs: this one alone"},
                 {"--use_mmap", "", "the client maps binaries, as qnn-net-run does with this option"},
                 image_layout_option(),
                 {"--format", "NAME", "text (default) or json; of --rules, markdown", false, kAdviceFormats},
                 {"--json", "", "the same as --format json"},
                 {"--fail_on", "SEVERITY", "the least that makes the exit status 1 (default: nothing does)",
                  false, advise::kLevelNames},
                 {"--rules", "", "list the rules"},
                 {"--explain", "ID", "tell one rule: what it finds, why, what to do instead"},
                 {"--schema", "", "print the schema of the JSON"}},
                shape_options()}),
           .examples = {"openqnn advise model.onnx --soc SM8550",
                        "openqnn advise model.onnx --config htp.json --format json --fail_on warning",
                        "openqnn advise --explain ADV-DIV"},
           .usage =
               "openqnn advise MODEL [--soc NAME] [--precision NAME] [--config FILE] [--format text|json] "
               "[--fail_on SEVERITY] [OPTION]..."},
      .run = run_advise};
}

}  // namespace openqnn::tools
