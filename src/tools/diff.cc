// SPDX-License-Identifier: BSD-3-Clause
// openqnn diff: do two configuration files mean the same?
#include "base/text.h"
#include "config/compare.h"
#include "config/render.h"
#include "json/json.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using config::Difference;

// "8 (a.json:4)", "4 (default)".
std::string side_text(const config::Document& document, const std::string& value,
                      const json::Member* member) {
  if (value.empty()) return "nothing";
  if (member == nullptr || member->key_span.empty()) return concat(shown(value), " (default)");
  const uint32_t line = json::LineIndex(document.text).position(member->key_span.begin).line;
  return concat(shown(value), " (", shown(document.name), ":", line, ")");
}

std::string difference_text(const config::Document& left, const config::Document& right,
                            const Difference& difference) {
  if (difference.where.empty())
    return concat("the files are of different kinds: ", difference.left, ", ", difference.right, "\n");
  if (difference.option.empty()) {
    const bool is_left = difference.left == "present";
    return concat(shown(difference.where), ": only in ", shown(is_left ? left.name : right.name), "\n");
  }
  return concat(shown(difference.where), ": ", shown(difference.option), ": ",
                side_text(left, difference.left, difference.left_member), " | ",
                side_text(right, difference.right, difference.right_member), "\n");
}

std::string json_of(const std::vector<Difference>& differences) {
  json::Writer out;
  out.begin_object().key("same").boolean(differences.empty()).key("differences").begin_array();
  for (const Difference& difference : differences) {
    out.begin_object().key("where").string(difference.where).key("option").string(difference.option);
    out.key("left").string(difference.left).key("right").string(difference.right).end_object();
  }
  out.end_array().end_object();
  return out.take();
}

int run(const Args& args) {
  const config::CheckOptions any;
  const config::Document left = config::read_given_file(args.positional(0), any);
  const config::Document right = config::read_given_file(args.positional(1), any);
  for (const config::Document* document : {&left, &right}) {
    if (document->config) continue;
    print(config::render_text(config::check_document(*document, any), {.colour = wants_colour()}));
    return kUsage;
  }
  const std::vector<Difference> differences = config::compare(*left.config, *right.config);
  if (args.has("--json")) {
    print(json_of(differences));
  } else {
    for (const Difference& difference : differences) print(difference_text(left, right, difference));
    if (differences.empty()) print("the files mean the same\n");
  }
  return differences.empty() ? kOk : kFailed;
}

}  // namespace

const Command& diff_command() {
  static const Command command = {
      .spec = {.name = "diff",
               .summary = "Compare two configuration files by what they mean",
               .details =
                   "Order, layout, comments and spellings do not count, nor 3 against 3.0, an object against "
                   "a list\n"
                   "of one, how graphs are grouped, or a default that is written out. Graphs are matched by "
                   "name,\n"
                   "devices and cores by their number.\n\n"
                   "Exit status: 0 when both mean the same, 1 when they differ, 2 when one cannot be read.",
               .positionals = {{"A", "a configuration file"}, {"B", "another one"}},
               .options = {{"--json", "", "print JSON for programs"}},
               .examples = {"openqnn diff htp.json htp_new.json"}},
      .run = run};
  return command;
}

}  // namespace openqnn::tools
