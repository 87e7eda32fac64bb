// SPDX-License-Identifier: BSD-3-Clause
// openqnn diff: do two configuration files mean the same?
#include <algorithm>
#include <deque>

#include "base/text.h"
#include "config/compare.h"
#include "config/follow.h"
#include "config/render.h"
#include "json/json.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"
#include "tools/model_job.h"

namespace openqnn::tools {
namespace {

using config::Difference;

// Two files and how they differ.
struct Pair {
  Pair(const config::Document& left_file, const config::Document& right_file)
      : left(left_file),
        right(right_file),
        left_lines(left.text),
        right_lines(right.text),
        differences(config::compare(*left.config, *right.config)) {}

  const config::Document& left;
  const config::Document& right;
  json::LineIndex left_lines;
  json::LineIndex right_lines;
  std::vector<Difference> differences;
};

// "8 (a.json:4)", "4 (default)".
std::string side_text(const config::Document& document, const json::LineIndex& lines,
                      const std::string& value, const json::Member* member) {
  if (value.empty()) return "nothing";
  if (member == nullptr || member->key_span.empty()) return concat(shown(value), " (default)");
  const uint32_t line = lines.position(member->key_span.begin).line;
  return concat(shown(value), " (", shown(document.name), ":", line, ")");
}

std::string difference_text(const Pair& pair, const Difference& difference) {
  if (difference.where.empty())
    return concat("the files are of different kinds: ", difference.left, " | ", difference.right, "\n");
  if (difference.option.empty()) {
    const bool is_left = difference.left == "present";
    return concat(shown(difference.where), ": only in ", shown(is_left ? pair.left.name : pair.right.name),
                  "\n");
  }
  return concat(shown(difference.where), ": ", shown(difference.option), ": ",
                side_text(pair.left, pair.left_lines, difference.left, difference.left_member), " | ",
                side_text(pair.right, pair.right_lines, difference.right, difference.right_member), "\n");
}

// The files that two files name, pair by pair.
struct Named {
  explicit Named(const config::Document& left, const config::Document& right)
      : left_files(config::follow(left, {})), right_files(config::follow(right, {})) {
    if (left.config->kind != right.config->kind) return;
    if (!all_read(left_files) || !all_read(right_files)) {
      not_compared = "the files that they name, because not all of them can be read here";
    } else if (left_files.files.size() != right_files.files.size()) {
      not_compared = "the files that they name, because one names more of them than the other";
    } else {
      for (size_t i = 0; i < left_files.files.size(); ++i)
        pairs.emplace_back(left_files.files[i].document, right_files.files[i].document);
    }
  }
  Named(const Named&) = delete;  // the pairs refer to the files
  Named& operator=(const Named&) = delete;

  static bool all_read(const config::Following& following) {
    const bool are_here =
        std::none_of(following.findings.begin(), following.findings.end(),
                     [](const auto& finding) { return finding.severity == Severity::kError; });
    return are_here && following.elsewhere.empty() &&
           std::all_of(following.files.begin(), following.files.end(),
                       [](const config::NamedFile& named) { return named.document.config.has_value(); });
  }

  config::Following left_files;
  config::Following right_files;
  std::deque<Pair> pairs;
  std::string_view not_compared;  // why; empty when all were
};

void write_differences(json::Writer& out, const Pair& pair, bool is_named) {
  for (const Difference& difference : pair.differences) {
    out.begin_object();
    if (is_named) out.key("files").begin_array().string(pair.left.name).string(pair.right.name).end_array();
    out.key("where").string(difference.where).key("option").string(difference.option);
    out.key("left").string(difference.left).key("right").string(difference.right).end_object();
  }
}

void print_json(const Pair& given, const Named& named, bool same) {
  json::Writer out;
  out.begin_object().key("same").boolean(same).key("differences").begin_array();
  write_differences(out, given, false);
  for (const Pair& pair : named.pairs) write_differences(out, pair, true);
  out.end_array();
  if (!named.not_compared.empty()) out.key("not_compared").string(named.not_compared);
  out.end_object();
  print(out.take());
}

void print_text(const Pair& given, const Named& named, bool same) {
  for (const Difference& difference : given.differences) print(difference_text(given, difference));
  for (const Pair& pair : named.pairs) {
    if (pair.differences.empty()) continue;
    print(concat("In ", shown(pair.left.name), " and ", shown(pair.right.name), ", which they name:\n"));
    for (const Difference& difference : pair.differences) print(difference_text(pair, difference));
  }
  if (!named.not_compared.empty()) print(concat("not compared: ", named.not_compared, "\n"));
  if (same) print("the files mean the same\n");
}

int run_diff(const Args& args) {
  const config::CheckOptions any;
  if (const Status fine = expect_configurations(args.positionals()); !fine) {
    fail("cannot compare", fine.error());
    return kUsage;
  }
  const config::Document left = config::read_given_file(args.positional(0), any);
  const config::Document right = config::read_given_file(args.positional(1), any);
  for (const config::Document* document : {&left, &right}) {
    if (document->config) continue;
    print_findings(*document, any, args.has("--json"));
    return kUsage;
  }
  const Pair given(left, right);
  const Named named(left, right);
  const bool same =
      given.differences.empty() && std::all_of(named.pairs.begin(), named.pairs.end(),
                                               [](const Pair& pair) { return pair.differences.empty(); });
  if (args.has("--json")) {
    print_json(given, named, same);
  } else {
    print_text(given, named, same);
  }
  return same ? kOk : kFailed;
}

}  // namespace

Command diff_command() {
  return {.spec = {.name = "diff",
                   .summary = "Compare two configuration files by what they mean",
                   .details = R"(
Order, layout, comments and spellings do not count, nor 3 against 3.0, an object against a list
of one, how graphs are grouped, or a default that is written out. Graphs are matched by name,
devices and cores by their number. A device that only one file has is a difference. Two tool files
are compared with the backend files they name.

Exit status: 0 when both mean the same, 1 when they differ, 2 when one cannot be read.)",
                   .positionals = {{"A", "a configuration file"}, {"B", "another one"}},
                   .options = {{"--json", "", "print JSON for programs"}},
                   .examples = {"openqnn diff htp.json htp_new.json"}},
          .run = run_diff};
}

}  // namespace openqnn::tools
