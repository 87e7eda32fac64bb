// SPDX-License-Identifier: BSD-3-Clause
// openqnn show: what a configuration amounts to, option by option, and where each value comes from.
#include <algorithm>

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
using config::EffectiveRecord;

// A file and what it amounts to.
struct Shown {
  const config::Document* document;
  json::LineIndex lines;
  std::vector<EffectiveRecord> records;

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

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
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

std::string record_text(const Shown& file, EffectiveRecord record) {
  std::erase_if(record.options, [](const EffectiveOption& option) { return !is_worth_a_line(option); });
  size_t name_width = 0;
  size_t value_width = 0;
  size_t origin_width = 0;
  for (const EffectiveOption& option : record.options) {
    name_width = std::max(name_width, option.option->name.size());
    value_width = std::max(value_width, std::min(kWidestValue, value_text(option).size()));
    origin_width = std::max(origin_width, origin_text(file, option).size());
  }
  const std::string path = record.path == record.title ? "" : record.path;
  const std::string where = record.is_entry ? path : "not in the file; defaults";
  std::string out =
      concat("\n", bold(shown(record.title)), where.empty() ? "" : concat(" (", where, ")"), "\n");
  for (const EffectiveOption& option : record.options) {
    const std::string line = concat(
        padded(std::string(option.option->name), name_width), "  ", padded(value_text(option), value_width),
        "  ", padded(origin_text(file, option), origin_width), "  ", option.option->lowers_to);
    const std::string trimmed = line.substr(0, line.find_last_not_of(' ') + 1);
    const bool is_set = option.origin != EffectiveOption::Origin::kDefault;
    out += concat("  ", is_set ? trimmed : dim(trimmed), "\n");
    if (!option.no_effect.empty()) out += concat("    ignored: ", shown(option.no_effect), "\n");
  }
  for (const json::Member* member : record.unknown)
    out += concat("  unknown key: ", shown(member->key), "\n");
  return out;
}

// The graphs of one entry have the same options: one table for all of them.
std::string records_text(const Shown& file) {
  std::string out;
  for (size_t i = 0; i < file.records.size();) {
    EffectiveRecord together = file.records[i];
    for (++i; i < file.records.size(); ++i) {
      const EffectiveRecord& next = file.records[i];
      if (!next.is_entry || next.section != together.section || next.path != together.path) break;
      together.title += concat(", ", next.title);
    }
    out += record_text(file, std::move(together));
  }
  return out;
}

std::string part_text(const config::Part& part) {
  if (!part.arch) return "";
  const std::string name = part.soc ? concat(part.soc->chipset, ", v", *part.arch) : concat("v", *part.arch);
  return concat("; part: ", name, " (told by ", part.told_by, ")");
}

std::string text_of(const std::vector<Shown>& files, const config::Subject& subject) {
  std::string out;
  for (const Shown& file : files) {
    out += concat(out.empty() ? "" : "\n", shown(file.document->name), ": ",
                  config::kind_def(file.document->config->kind).title, part_text(subject.part), "\n");
    out += records_text(file);
  }
  return out;
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

std::string json_of(const std::vector<Shown>& files) {
  json::Writer out;
  out.begin_object().key("files").begin_array();
  for (const Shown& file : files) {
    out.begin_object().key("file").string(file.document->name);
    out.key("kind").string(config::kind_def(file.document->config->kind).name).key("records").begin_array();
    for (const EffectiveRecord& record : file.records) {
      out.begin_object().key("name").string(record.title).key("path").string(record.path);
      out.key("in_file").boolean(record.is_entry).key("options").begin_array();
      for (const EffectiveOption& option : record.options) write_option(out, file, option);
      out.end_array().end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return out.take();
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

int run(const Args& args) {
  const auto options = check_options(args);
  if (!options) return wrong_value(options.error());
  const config::Document outer = config::read_given_file(args.positional(0), *options);
  if (!outer.config) {
    print(config::render_text(config::check_document(outer, *options), {.colour = wants_colour()}));
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
  print(args.has("--json") ? json_of(files) : text_of(files, subject));
  return kOk;
}

}  // namespace

const Command& show_command() {
  static const Command command = {
      .spec =
          {.name = "show",
           .summary = "Show the effective value of every option and where it comes from",
           .details =
               "Graph by graph, device by device: what is set and in which line, what is a default and, "
               "where\n"
               "documents differ, whose; the option of the C API that it becomes. With --soc, --stage and\n"
               "--tool, values that depend on them are filled in and what the tool ignores is named.\n"
               "A tool file is followed to the backend file it names.",
           .positionals = {{"FILE", "a configuration file; - is the standard input"}},
           .options = circumstance_options({{"--json", "", "print JSON for programs"}}),
           .examples = {"openqnn show htp.json",
                        "openqnn show htp.json --kind htp --tool qnn-net-run --stage online",
                        "openqnn show run.json --soc SM8750 --json"}},
      .run = run};
  return command;
}

}  // namespace openqnn::tools
