// SPDX-License-Identifier: BSD-3-Clause
// docs/options.md from the option tables.
#include "base/text.h"
#include "config/explain.h"

namespace openqnn::config {
namespace {

// Text in a cell or a paragraph: a bar would end the cell, an angle bracket begin a tag.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) { return concat("`", text, "`"); }

// Where a section stands for the first time; CompileConfig has those of HTP files, too.
struct PageHome {
  const KindDef* kind;
  const PlacedSection* section;
};
PageHome home_of(const SectionDef& section) {
  for (const KindDef& kind : kinds())
    for (const PlacedSection& placed : sections_of(kind.kind))
      if (placed.section == &section) return {&kind, &placed};
  return {};
}

// "htp-devices-cores-core_id": stable, since people link to it.
std::string anchor(const KindDef& kind, std::string_view path) {
  std::string out = concat(kind.name, path.empty() ? "" : "-");
  for (const char c : path)
    if (c != '[' && c != ']') out += c == '.' ? '-' : c;
  return out;
}

std::string link_target(const KindDef& kind, const PlacedSection& section, const OptionDef& option) {
  if (!option.is_container()) return anchor(kind, option_path(section, option));
  const PageHome home = home_of(*option.section);
  return anchor(*home.kind, home.section->path);
}

std::string capitalized(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string marks(const OptionDef& option) {
  std::string out;
  if (option.is_deprecated()) out += " *Deprecated.*";
  if (option.is_newer()) out += concat(" *", capitalized(since_text(option.since)), ".*");
  return out;
}

std::string table(const KindDef& kind, const PlacedSection& section) {
  std::string out = "| option | type | default | |\n|---|---|---|---|\n";
  for (const OptionDef& option : section.section->options) {
    const std::string type = option.choices.size() > 4 ? "one of several values" : type_text(option);
    out += concat("| [", code(option.name), "](#", link_target(kind, section, option), ") | ", plain(type),
                  " | ", plain(default_text(option)), " | ", plain(option.summary), marks(option), " |\n");
  }
  return out;
}

std::string choices_table(const OptionDef& option) {
  std::string out = "\n| value | |\n|---|---|\n";
  for (const Choice& choice : option.choices)
    out += concat("| ", code(choice.value), " | ", plain(choice_help(choice)), " |\n");
  return out;
}

std::string readings_text(const OptionDef& option) {
  std::string out = "\nThe documents disagree:\n\n";
  for (const Reading& reading : option.readings)
    if (!reading.who.empty()) out += concat("- ", reading.who, ": ", plain(reading.says), "\n");
  return concat(out, "\nHere: ", plain(option.applies), ".\n");
}

bool is_code(std::string_view label) {
  return label == "Python" || label == "C API" || label == "also read as";
}

std::string entry(const KindDef& kind, const PlacedSection& section, const OptionDef& option) {
  std::string out = concat("\n<a id=\"", anchor(kind, option_path(section, option)), "\"></a>\n\n#### ",
                           code(option_path(section, option)), "\n\n", plain(option.summary), "\n");
  if (!option.help.empty()) out += concat("\n", plain(option.help), "\n");
  out += "\n";
  for (const Fact& fact : facts_of(*section.section, option))
    out += concat("- ", fact.label, ": ", is_code(fact.label) ? code(fact.text) : plain(fact.text), "\n");
  if (!option.choices.empty()) out += choices_table(option);
  if (!option.applies.empty()) out += readings_text(option);
  return out;
}

// The top of a file has been introduced with its kind.
std::string heading(const KindDef& kind, const PlacedSection& section) {
  if (section.path.empty()) return "";
  std::string out = concat("\n<a id=\"", anchor(kind, section.path), "\"></a>\n\n### ", code(section.path),
                           "\n\n", plain(section.section->summary));
  if (!section.section->python_class.empty())
    out += concat(" In Python: ", code(section.section->python_class), ".");
  return out + "\n";
}

std::string section_text(const KindDef& kind, const PlacedSection& section) {
  std::string out = heading(kind, section) + "\n" + table(kind, section);
  for (const OptionDef& option : section.section->options) {
    if (!option.is_container()) {
      out += entry(kind, section, option);
    } else if (!option.applies.empty()) {
      out += concat("\n", code(option.name), ": ", readings_text(option).substr(1));
    }
  }
  return out;
}

std::string kind_text(const KindDef& kind) {
  std::string out = concat("\n<a id=\"", kind.name, "\"></a>\n\n## ", capitalized(kind.title), "\n\n",
                           plain(kind.root->summary), " Goes to ", plain(kind.goes_to), ".\n");
  for (const PlacedSection& section : sections_of(kind.kind))
    if (home_of(*section.section).section == &section) out += section_text(kind, section);
  return out;
}

}  // namespace

std::string options_page() {
  std::string out =
      "<!-- Generated by scripts/config_pages from the tables in src/config/tables. Do not edit. -->\n\n"
      "# Options\n\n"
      "Every option of every configuration file of QNN's tools. `openqnn explain NAME` shows one of them in "
      "a\n"
      "terminal, `openqnn schema KIND` gives the JSON Schema of a kind of file, and `openqnn check` looks at "
      "files.\n\n"
      "| kind | | goes to |\n|---|---|---|\n";
  for (const KindDef& kind : kinds())
    out += concat("| [", kind.name, "](#", kind.name, ") | ", kind.title, " | ", plain(kind.goes_to), " |\n");
  for (const KindDef& kind : kinds()) out += kind_text(kind);
  return out;
}

}  // namespace openqnn::config
