// SPDX-License-Identifier: BSD-3-Clause
// openqnn show: what a configuration amounts to, option by option, and where each value comes from.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "config/effective.h"
#include "config/render.h"
#include "json/json.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using config::EffectiveOption;
using config::EffectiveOptions;
using config::EffectiveRecord;

// A file and what it amounts to.
struct Shown {
  const config::Document* document;
  json::LineIndex lines;
  config::Effective meaning;

  uint32_t line_of(const EffectiveOption& option) const {
    const bool is_written = option.member != nullptr && !option.member->key_span.empty();
    return is_written ? lines.position(option.member->key_span.begin).line : 0;
  }
};

std::string origin_text(const Shown& file, const EffectiveOption& option) {
  switch (option.origin) {
    case EffectiveOption::Origin::kFile:
      return concat(shown(file.document->name), ":", file.line_of(option),
                    option.document.empty() ? "" : concat(" (", option.document, ")"));
    case EffectiveOption::Origin::kDefault:
      return option.document.empty() ? "default" : concat("default (", option.document, ")");
    case EffectiveOption::Origin::kOverride:
      return option.document;
  }
  return "";
}

// Wide enough for nearly all values; a longer one pushes its line to the right.
constexpr size_t kWidestValue = 28;

// Long words are cut at their first clause: "not set; vtcm_mb decides".
std::string value_text(const EffectiveOption& option) {
  const std::string text = option.text();
  return shown(option.words.empty() ? text : text.substr(0, text.find(';')));
}

// People need not see what they did not set and what their SDK may not have.
bool is_worth_a_line(const EffectiveOption& option) {
  const config::OptionDef& def = *option.option;
  const bool is_usual = !def.is_newer() && !def.unconfirmed && !def.is_deprecated();
  return is_usual || option.origin != EffectiveOption::Origin::kDefault;
}

// One line of a table.
struct Row {
  const EffectiveOption* option;
  std::string value;
  std::string origin;
};

std::string rows_text(const std::vector<Row>& rows) {
  size_t name_width = 0;
  size_t value_width = 0;
  size_t origin_width = 0;
  for (const Row& row : rows) {
    name_width = std::max(name_width, row.option->option->name.size());
    value_width = std::max(value_width, std::min(kWidestValue, row.value.size()));
    origin_width = std::max(origin_width, row.origin.size());
  }
  std::string out;
  for (const Row& row : rows) {
    const EffectiveOption& option = *row.option;
    const std::string line =
        concat(padded(std::string(option.option->name), name_width), "  ", padded(row.value, value_width),
               "  ", padded(row.origin, origin_width), "  ", option.option->lowers_to);
    const std::string trimmed = line.substr(0, line.find_last_not_of(' ') + 1);
    const bool is_set = option.origin != EffectiveOption::Origin::kDefault;
    out += concat("  ", is_set ? trimmed : dim(trimmed), "\n");
    if (!option.no_effect.empty()) out += concat("    ignored: ", shown(option.no_effect), "\n");
  }
  return out;
}

enum class Rows : uint8_t { kAll, kOwn };  // kOwn: what is not as the defaults say

std::string table_text(const Shown& file, const EffectiveOptions& options, Rows wanted) {
  std::vector<Row> rows;
  for (size_t i = 0; i < options.size(); ++i) {
    const bool is_wanted = wanted == Rows::kAll || !options.is_default(i);
    if (is_wanted && is_worth_a_line(options[i]))
      rows.push_back({&options[i], value_text(options[i]), origin_text(file, options[i])});
  }
  return rows_text(rows);
}

std::string record_text(const Shown& file, const EffectiveRecord& record, const std::string& titles,
                        Rows wanted) {
  const std::string written_at = record.path();
  const std::string path = written_at == titles ? "" : written_at;
  const std::string where = record.is_entry() ? path : "not in the file; defaults";
  std::string out = concat("\n", bold(shown(titles)), where.empty() ? "" : concat(" (", where, ")"), "\n");
  if (!record.note.empty()) out += concat("  note: ", record.note, "\n");
  out += table_text(file, file.meaning.options(record), wanted);
  for (const json::Member* member : record.unknown)
    out += concat("  unknown key: ", shown(member->key), "\n");
  return out;
}

// The graphs of one entry have the same options: one table for all of them.
bool stand_together(const EffectiveRecord& a, const EffectiveRecord& b) {
  const auto is_same = [](const config::Record& x, const config::Record& y) {
    return &x.object() == &y.object();
  };
  return a.section == b.section && b.is_entry() &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), is_same);
}

// Of a section with more records than this, the defaults are printed once.
constexpr size_t kFewRecords = 16;

class RecordsPrinter {
 public:
  explicit RecordsPrinter(const Shown& file) : file_(file), records_(file.meaning.records()) {}

  void run() {
    for (size_t i = 0; i < records_.size(); i = end_of_group(i)) ++groups_[records_[i].section];
    for (size_t i = 0; i < records_.size();) {
      const size_t end = end_of_group(i);
      print_group(i, end);
      i = end;
    }
  }

 private:
  size_t end_of_group(size_t begin) const {
    size_t end = begin + 1;
    while (end < records_.size() && stand_together(records_[begin], records_[end])) ++end;
    return end;
  }

  void print_group(size_t begin, size_t end) {
    const EffectiveRecord& record = records_[begin];
    const bool are_many = groups_[record.section] > kFewRecords;
    if (are_many && printed_.insert(record.section).second) {
      print(concat("\n", bold(record.section->name), " (what applies where nothing else is said below)\n"));
      print(table_text(file_, file_.meaning.defaults_of(*record.section), Rows::kAll));
    }
    std::string titles;
    for (size_t i = begin; i < end; ++i) titles += concat(i == begin ? "" : ", ", records_[i].title);
    print(record_text(file_, record, titles, are_many ? Rows::kOwn : Rows::kAll));
  }

  const Shown& file_;
  const std::vector<EffectiveRecord>& records_;
  std::map<const config::SectionDef*, size_t> groups_;
  std::set<const config::SectionDef*> printed_;  // whose defaults were
};

std::string part_text(const config::Part& part) {
  if (!part.arch) return "";
  const std::string name = part.soc ? concat(part.soc->chipset, ", v", *part.arch) : concat("v", *part.arch);
  return concat("; part: ", name, " (told by ", part.told_by, ")");
}

void print_text(const std::vector<Shown>& files, const config::Subject& subject) {
  bool is_first = true;
  for (const Shown& file : files) {
    print(concat(is_first ? "" : "\n", shown(file.document->name), ": ",
                 config::kind_def(file.document->config->kind).title, part_text(subject.part), "\n"));
    if (!file.meaning.note().empty()) print(concat("note: ", file.meaning.note(), "\n"));
    RecordsPrinter(file).run();
    is_first = false;
  }
}

void write_option(json::Writer& out, const Shown& file, const EffectiveOption& option) {
  out.begin_object().key("name").string(option.option->name).key("value").value(option.value);
  if (!option.words.empty()) out.key("words").string(option.words);
  out.key("origin").string(origin_name(option.origin));
  out.key("line").unsigned_integer(file.line_of(option));
  if (!option.document.empty()) out.key("from").string(option.document);
  if (!option.option->lowers_to.empty()) out.key("lowers_to").string(option.option->lowers_to);
  if (!option.no_effect.empty()) out.key("ignored").string(option.no_effect);
  out.end_object();
}

std::string record_json(const Shown& file, const EffectiveRecord& record) {
  json::Writer out;
  out.begin_object().key("name").string(record.title).key("path").string(record.path());
  out.key("in_file").boolean(record.is_entry());
  if (!record.note.empty()) out.key("note").string(record.note);
  out.key("options").begin_array();
  const EffectiveOptions options = file.meaning.options(record);
  for (size_t i = 0; i < options.size(); ++i) write_option(out, file, options[i]);
  out.end_array().end_object();
  return out.take();
}

// A piece of JSON in its place in a larger one; without the final newline.
std::string indented(std::string_view json, size_t spaces) {
  while (json.ends_with('\n')) json.remove_suffix(1);
  const std::string margin(spaces, ' ');
  std::string out = margin;
  for (const char c : json) {
    out += c;
    if (c == '\n') out += margin;
  }
  return out;
}

// Record by record, so that a large file does not become one large text.
void print_json_file(const Shown& file) {
  print(concat("    {\n      \"file\": ", json::quoted(file.document->name), ",\n      \"kind\": ",
               json::quoted(config::kind_def(file.document->config->kind).name), ",\n"));
  if (!file.meaning.note().empty())
    print(concat("      \"note\": ", json::quoted(file.meaning.note()), ",\n"));
  print("      \"records\": [");
  bool is_first = true;
  for (const EffectiveRecord& record : file.meaning.records()) {
    print(concat(is_first ? "\n" : ",\n", indented(record_json(file, record), 8)));
    is_first = false;
  }
  print(is_first ? "]\n    }" : "\n      ]\n    }");
}

void print_json(const std::vector<Shown>& files) {
  print("{\n  \"files\": [\n");
  for (const Shown& file : files) {
    if (&file != &files.front()) print(",\n");
    print_json_file(file);
  }
  print("\n  ]\n}\n");
}

// The given file and, of the files it names, the first that is a configuration of another kind.
std::vector<const config::Document*> shown_together(const config::Document& outer,
                                                    const config::Following& following) {
  std::vector<const config::Document*> documents = {&outer};
  for (const config::NamedFile& named : following.files) {
    const bool fits = named.document.config && named.document.config->kind != outer.config->kind;
    if (fits && documents.size() == 1) documents.push_back(&named.document);
  }
  return documents;
}

// Without those that decide what is wrong with a file, but none of its values.
std::vector<OptionSpec> show_options() {
  std::vector<OptionSpec> options = circumstance_options({{"--json", "", "print JSON for programs"}});
  std::erase_if(options, [](const OptionSpec& option) {
    return option.name == "--platform" || option.name == "--sdk" || option.name == "--strict";
  });
  return options;
}

int run_show(const Args& args) {
  const auto options = check_options(args);
  if (!options) return wrong_value(options.error());
  if (const Status fine = expect_configurations(args.positionals()); !fine)
    return fail("cannot show", fine.error());
  const config::Document outer = config::read_given_file(args.positional(0), *options);
  if (!outer.config || (options->kind && outer.config->kind != *options->kind)) {
    print_findings(outer, *options, args.has("--json"));
    return kFailed;
  }
  const config::Following following = config::follow(outer, options->folder);
  const auto documents = shown_together(outer, following);
  std::vector<const config::Config*> configs;
  for (const config::Document* document : documents) configs.push_back(&*document->config);
  const config::Subject subject(configs, options->circumstances);
  std::vector<Shown> files;
  for (const config::Document* document : documents)
    files.push_back({document, json::LineIndex(document->text), effective(subject, document->config->kind)});
  if (args.has("--json")) {
    print_json(files);
  } else {
    print_text(files, subject);
  }
  return kOk;
}

}  // namespace

Command show_command() {
  return {.spec = {.name = "show",
                   .summary = "Show the effective value of every option and where it comes from",
                   .details = R"(
Graph by graph, device by device: what is set and in which line, what is a default and, where
documents differ, whose; the option of the C API that it becomes. With --soc, --stage and
--tool, values that depend on them are filled in and what the tool ignores is named.
A tool file is followed to the backend file it names. Of a section with more than 16 entries
the defaults are printed once.)",
                   .positionals = {{"FILE", "a configuration file; - is the standard input"}},
                   .options = show_options(),
                   .examples = {"openqnn show htp.json",
                                "openqnn show htp.json --kind htp --tool qnn-net-run --stage online",
                                "openqnn show run.json --soc SM8750 --json"}},
          .run = run_show};
}

}  // namespace openqnn::tools
