// SPDX-License-Identifier: BSD-3-Clause
// openqnn explain: what an option, a rule of `check` or a power profile means.
#include "config/explain.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "advise/rule.h"
#include "base/files.h"
#include "base/text.h"
#include "config/keys.h"
#include "config/rule_pages.h"
#include "ops/schema.h"
#include "soc/nearest.h"
#include "soc/power_profiles.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/number_in.h"

namespace openqnn::tools {
namespace {

int show_options(const std::vector<config::Explained>& found) {
  std::string out;
  for (const config::Explained& one : found)
    out += concat(out.empty() ? "" : "\n", config::explain_option(*one.kind, *one.section, *one.option));
  print(out);
  return kOk;
}

std::vector<std::string_view> profile_names() {
  static const auto profiles = soc::power_profiles();
  std::vector<std::string_view> names;
  if (profiles)
    for (const soc::PowerProfile& profile : *profiles) names.push_back(profile.name);
  return names;
}

bool is_profile(std::string_view name) {
  const auto names = profile_names();
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const config::RuleDef* rule : config::rules()) names.push_back(rule->code);
  return names;
}

constexpr size_t kMostOfAKind = 4;

void append_options(std::string& list, const config::OptionSearch& search) {
  for (const config::Explained& near :
       std::span(search.found).first(std::min(search.found.size(), kMostOfAKind)))
    append_item(list, config::option_path(*near.section, *near.option));
}

void append_names(std::string& list, const std::vector<std::string_view>& names) {
  for (const std::string_view name : std::span(names).first(std::min(names.size(), kMostOfAKind)))
    append_item(list, name);
}

// What may have been meant by a name that nothing has: what it is a part of, else what a slip away from it.
std::string nearest_names(const std::string& name, const config::OptionSearch& search) {
  std::string out;
  if (search.likeness == config::Likeness::kPart) append_options(out, search);
  append_names(out, config::names_with(name, rule_names()));
  append_names(out, config::names_with(name, profile_names()));
  if (!out.empty()) return out;
  out = closest(config::lower(name), rule_names());
  if (const std::string_view profile = closest(config::lower(name), profile_names()); !profile.empty())
    append_item(out, profile);
  append_options(out, search);
  return out;
}

bool is_chipset(const std::string& capitals) {
  const auto socs = soc::shared_socs();
  return socs && std::ranges::any_of(
                     **socs, [&](const soc::SocInfo& soc) { return soc::upper(soc.chipset) == capitals; });
}

// The command that explains what is none of ours; empty when none does.
std::string explained_by(const std::string& name) {
  const std::string capitals = soc::upper(name);
  if (name.starts_with("QNN_") || number_in<uint64_t>(name))
    return concat("openqnn errors ", shell_word(name));
  if (advise::find_rule(capitals) != nullptr) return concat("openqnn advise --explain ", capitals);
  if (is_chipset(capitals)) return concat("openqnn soc ", capitals);
  const auto same = [&](const ops::Schema& schema) { return soc::upper(schema.type) == capitals; };
  const auto op = std::ranges::find_if(ops::all_schemas(), same);
  return op == ops::all_schemas().end() ? "" : concat("openqnn ops ", op->type);
}

int explain(const Args& args, const std::string& name) {
  const config::OptionSearch search = config::find_options(name);
  if (search.likeness == config::Likeness::kName && !search.found.empty()) return show_options(search.found);
  if (const config::RuleDef* rule = config::find_rule(name)) {
    print(config::explain_rule(*rule));
    return kOk;
  }
  if (is_profile(name)) return profiles_command().run(args);
  if (const std::string command = explained_by(name); !command.empty())
    return fail(
        "cannot explain this",
        Diagnostic(invalid("unknown-name", concat("no option is called '", name, "'")).fix_by(command)));
  const std::string meant = nearest_names(name, search);
  return fail(
      "cannot explain this",
      Diagnostic(invalid("unknown-name", concat("no option, rule or power profile is called '", name, "'"))
                     .fix_by(meant.empty() ? std::string("docs/options.md lists the options")
                                           : concat("did you mean ", meant, "?"))));
}

// docs/options.md and docs/rules are made by this.
int write_pages(const std::filesystem::path& folder) {
  const auto write = [&](const std::filesystem::path& name, const std::string& text) {
    std::error_code problem;  // write_file says it better
    std::filesystem::create_directories((folder / name).parent_path(), problem);
    return write_file(folder / name, text);
  };
  Status status = write("options.md", config::options_page());
  if (status) status = write("rules/README.md", config::rules_index());
  for (const config::RuleDef* rule : config::rules()) {
    if (!status) break;
    status = write(concat("rules/", rule->code, ".md"), config::rule_page(*rule));
  }
  return status ? kOk : fail("cannot write the pages", status.error());
}

int run_explain(const Args& args) {
  const std::string name = args.positional(0);
  if (args.has("--pages")) return write_pages(args.get("--pages"));
  if (name.empty())
    return fail("nothing to explain", invalid("option-missing", "NAME is missing")
                                          .fix_by(concat("usage: ", usage_line(explain_command().spec))));
  return explain(args, name);
}

}  // namespace

Command explain_command() {
  return {
      .spec =
          {.name = "explain",
           .summary = "Explain an option of a configuration file, a rule of check, or a power profile",
           .details = R"(
Options by name in either spelling, with as much of their place as is needed: vtcm_mb,
cores.core_id, lpai.execute.fps. Shows type, defaults in files and in Python, who reads it
and when, limits, the option of the C API behind it, and where the documents disagree.)",
           .positionals = {{"NAME", "an option, the code of a finding, or a value of perf_profile", false}},
           .options = {{"--pages", "DIR",
                        "write the whole reference in Markdown: options.md, and rules/ with a page a rule"}},
           .examples = {"openqnn explain vtcm_mb", "openqnn explain graphs",
                        "openqnn explain dlbc-weight-sharing", "openqnn explain burst"}},
      .run = run_explain};
}

}  // namespace openqnn::tools
