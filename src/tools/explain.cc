// SPDX-License-Identifier: BSD-3-Clause
// openqnn explain: what an option, a rule of `check` or a power profile means.
#include "config/explain.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "config/rule_pages.h"
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

bool is_profile(std::string_view name) {
  const auto profiles = soc::power_profiles();
  return profiles && std::any_of(profiles->begin(), profiles->end(),
                                 [&](const soc::PowerProfile& profile) { return profile.name == name; });
}

// What may have been meant by a name that nothing has.
std::string nearest_names(std::string_view name, const config::OptionSearch& search) {
  std::vector<std::string_view> others;
  for (const config::RuleDef* rule : config::rules()) others.push_back(rule->code);
  std::string out(closest(name, others));
  for (const config::Explained& near : search.found)
    append_item(out, config::option_path(*near.section, *near.option));
  return out;
}

int explain(const Args& args, const std::string& name) {
  const config::OptionSearch search = config::find_options(name);
  if (search.exact && !search.found.empty()) return show_options(search.found);
  if (const config::RuleDef* rule = config::find_rule(name)) {
    print(config::explain_rule(*rule));
    return kOk;
  }
  if (is_profile(name)) return profiles_command().run(args);
  const bool is_error = name.starts_with("QNN_") || number_in<uint64_t>(name);
  if (is_error)
    return fail("cannot explain this",
                Diagnostic(invalid("unknown-name", concat("no option is called '", name, "'"))
                               .fix_by(concat("openqnn errors ", shell_word(name)))));
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
