// SPDX-License-Identifier: BSD-3-Clause
#include "config/explain.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "config/keys.h"

namespace openqnn::config {
namespace {

// "a, b and c".
std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i)
    out += concat(i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i]);
  return out;
}

template <class E>
std::vector<std::string_view> names_in(Set<E> set, size_t count, std::string_view (*name)(E)) {
  std::vector<std::string_view> out;
  for (size_t i = 0; i < count; ++i)
    if (set.has(static_cast<E>(i))) out.push_back(name(static_cast<E>(i)));
  return out;
}

std::string readers_text(const OptionDef& option) {
  std::string tools = joined(names_in(option.tools, kToolCount, tool_name));
  const std::string stages = joined(names_in(option.stages, kStageCount, stage_name));
  if (tools.empty() && stages.empty()) return "";
  if (tools.empty()) tools = "whoever reads the file";
  return stages.empty() ? tools : concat(tools, ", for ", stages);
}

std::string arch_text(const OptionDef& option) {
  if (option.min_arch != 0) return concat("v", option.min_arch, " and later");
  if (option.until_arch != 0) return concat("before v", option.until_arch);
  return "";
}

std::string python_text(const SectionDef& section, const OptionDef& option) {
  if (section.python_class.empty()) return "";
  if (!option.in_python) return "no field of its own";
  return concat(section.python_class, ".", option.python_name());
}

std::string python_default(const OptionDef& option) {
  return option.python_default_json == "null" ? "None" : std::string(option.python_default_json);
}

std::string deprecation_text(const OptionDef& option) {
  if (!option.is_deprecated()) return "";
  std::string out = "deprecated";
  if (option.deprecated_since.known()) out += concat(" from SDK ", option.deprecated_since.to_string());
  if (!option.deprecated_for.empty()) out += concat("; instead: ", option.deprecated_for);
  return out;
}

std::string sdk_text(const OptionDef& option) {
  std::string out = option.is_newer() ? since_text(option.since) : "";
  if (option.unconfirmed) out += concat(out.empty() ? "" : "; ", "in public files, in no document");
  return out;
}

}  // namespace

std::string since_text(Sdk since) {
  return since == kAfterDocumented ? concat("newer than SDK ", kDocumentedSdk.to_string())
                                   : concat("from SDK ", since.to_string());
}

std::string choice_help(const Choice& choice) {
  std::string out(choice.help);
  if (choice.since > kDocumentedSdk) out += concat(out.empty() ? "" : "; ", since_text(choice.since));
  return out;
}

std::string default_text(const OptionDef& option) {
  if (option.required) return "none: it must be given";
  std::string out(option.default_json.empty() ? option.default_words : option.default_json);
  if (out.empty()) out = "not set";
  const bool says_none =
      option.default_words.starts_with("None");  // a field of CompileConfig: no file has it
  if (!option.python_default_json.empty() && !says_none)
    out += concat("; in Python ", python_default(option));
  if (option.python_required) out += "; in Python it must be given";
  return out;
}

std::vector<Fact> facts_of(const SectionDef& section, const OptionDef& option) {
  std::vector<Fact> out;
  const auto add = [&out](std::string_view label, std::string text) {
    if (!text.empty()) out.push_back({label, std::move(text)});
  };
  add("type", option.choices.empty() ? type_text(option) : "one of the values below");
  add("default", default_text(option));
  add("Python", python_text(section, option));
  add("also read as", std::string(option.misspelt));
  add("read by", readers_text(option));
  add("parts", arch_text(option));
  add("SDK", sdk_text(option));
  add("status", deprecation_text(option));
  add("C API", std::string(option.lowers_to));
  if (!option.without_effect.empty()) add("modelled", concat("no effect: ", option.without_effect));
  return out;
}

std::string description(const OptionDef& option) {
  std::string out(option.summary);
  if (!option.help.empty()) out += concat(" ", option.help);
  if (option.default_json.empty() && !option.required && !option.default_words.empty())
    out += concat(" Default: ", option.default_words, ".");
  if (!option.unit.empty()) out += concat(" In ", option.unit, ".");
  for (const std::string& limit : {arch_text(option), sdk_text(option), deprecation_text(option)})
    if (!limit.empty()) out += concat(" (", limit, ")");
  return out;
}

std::string option_path(const PlacedSection& section, const OptionDef& option) {
  return section.path.empty() ? std::string(option.name) : concat(section.path, ".", option.name);
}

// ---- For a terminal ----

namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLabelWidth = 14;

// Breaks a text into lines of at most kWidth; `indent` before the second and later ones.
std::string wrapped(std::string_view first, std::string_view text, size_t indent) {
  std::string out(first);
  size_t column = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const size_t length = end - begin;
    const bool at_start = column == indent;
    if (!at_start && column + 1 + length > kWidth) {
      out.append(1, '\n').append(indent, ' ');
      column = indent;
    } else if (!at_start) {
      out += ' ';
      ++column;
    }
    out += text.substr(begin, length);
    column += length;
    begin = end + 1;
  }
  return out + "\n";
}

std::string row(size_t indent, std::string_view label, std::string_view text, size_t width) {
  std::string first(indent, ' ');
  first += label;
  if (first.size() + 1 > indent + width)
    return first + "\n" + wrapped(std::string(indent + width, ' '), text, indent + width);
  first.resize(indent + width, ' ');
  return wrapped(first, text, indent + width);
}

std::string paragraph(std::string_view text) { return wrapped("  ", text, 2); }

std::string choices_lines(const OptionDef& option) {
  size_t width = 0;
  for (const Choice& choice : option.choices) width = std::max(width, choice.value.size() + 2);
  std::string out;
  for (const Choice& choice : option.choices) {
    const std::string help = choice_help(choice);
    out += help.empty() ? concat("    ", choice.value, "\n") : row(4, choice.value, help, width);
  }
  return out;
}

std::string members_lines(const SectionDef& section) {
  size_t width = 0;
  for (const OptionDef& option : section.options) width = std::max(width, option.name.size() + 2);
  std::string out;
  for (const OptionDef& option : section.options) out += row(4, option.name, option.summary, width);
  return out;
}

// A file as it stands, moved to the right.
std::string indented(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  for (const std::string_view line : split(text, "\n")) out += concat("    ", line, "\n");
  return out;
}

std::string example_lines(std::string_view title, const Example& example) {
  if (example.text.empty()) return "";
  std::string out = concat("\n  ", title, example.flags.empty() ? "" : " with ", example.flags, ":\n");
  out += indented(example.text);
  if (!example.inner.empty()) out += concat("  the file it names:\n", indented(example.inner));
  return out;
}

std::string readings_lines(const OptionDef& option) {
  size_t width = 0;
  for (const Reading& reading : option.readings) width = std::max(width, reading.who.size() + 2);
  std::string out;
  for (const Reading& reading : option.readings)
    if (!reading.who.empty()) out += row(4, reading.who, reading.says, width);
  return out;
}

}  // namespace

std::string explain_option(const KindDef& kind, const PlacedSection& section, const OptionDef& option) {
  std::string out = concat(option_path(section, option), "  (", kind.title, ")\n");
  out += paragraph(option.summary) + "\n";
  for (const Fact& fact : facts_of(*section.section, option))
    out += row(2, fact.label, fact.text, kLabelWidth);
  if (!option.help.empty()) out += "\n" + paragraph(option.help);
  if (!option.choices.empty()) out += "\n  Values:\n" + choices_lines(option);
  if (option.is_container()) out += "\n  Holds:\n" + members_lines(*option.section);
  if (!option.applies.empty())
    out += "\n  The documents disagree:\n" + readings_lines(option) +
           row(2, "Here:", concat(option.applies, "."), 6);
  return out;
}

std::string explain_rule(const RuleDef& rule) {
  std::string out = concat(rule.code, "  (rule of `openqnn check`, ", severity_name(rule.severity), ")\n");
  out += paragraph(rule.title) + "\n";
  if (!rule.why.empty()) out += row(2, "why", rule.why, kLabelWidth);
  if (!rule.instead.empty()) out += row(2, "instead", rule.instead, kLabelWidth);
  if (!rule.source.empty()) out += row(2, "source", rule.source, kLabelWidth);
  out += example_lines("Found", rule.bad) + example_lines("Not found", rule.good);
  return out;
}

// ---- Finding ----

namespace {

std::string without_indices(std::string_view path) {
  std::string out;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

// Whether `query` is the end of `path`, at a border between names.
bool ends_path(std::string_view path, std::string_view query) {
  if (!path.ends_with(query)) return false;
  return path.size() == query.size() || path[path.size() - query.size() - 1] == '.';
}

template <class Visit>
void for_each_spelling(const Visit& visit) {
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      for (const OptionDef& option : section.section->options)
        for (const std::string_view spelling : option.spellings())
          visit(Explained{&kind, &section, &option}, spelling);
}

// CompileConfig holds the sections of HTP files, too: one explanation of an option is enough.
void add_once(std::vector<Explained>& found, const Explained& explained) {
  if (std::ranges::find(found, explained.option, &Explained::option) == found.end())
    found.push_back(explained);
}

// For comparing names: small letters, with _ between words.
std::string plain(std::string_view name) {
  std::string out = lower(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

constexpr size_t kShortestPart = 2;

bool has_part(std::string_view name, std::string_view part) {
  return part.size() >= kShortestPart && plain(name).find(part) != std::string::npos;
}

void find_by_place(std::string_view wanted, std::vector<Explained>& found) {
  for_each_spelling([&](const Explained& explained, std::string_view spelling) {
    const std::string section = without_indices(explained.section->path);
    const std::string path = concat(explained.kind->name, ".", section, section.empty() ? "" : ".", spelling);
    if (ends_path(path, wanted)) add_once(found, explained);
  });
}

void find_by_c_name(std::string_view wanted, std::vector<Explained>& found) {
  for_each_spelling([&](const Explained& explained, std::string_view) {
    const std::string_view c_name = explained.option->lowers_to;
    if (!c_name.empty() && lower(c_name) == lower(wanted)) add_once(found, explained);
  });
}

void find_by_part(std::string_view part, std::vector<Explained>& found) {
  for (const bool at_start : {true, false}) {
    for_each_spelling([&](const Explained& explained, std::string_view spelling) {
      if (has_part(spelling, part) && plain(spelling).starts_with(part) == at_start)
        add_once(found, explained);
    });
  }
}

void find_by_slip(std::string_view name, std::vector<Explained>& found) {
  size_t nearest = name.size() / 3 + 1;  // further away it is another word
  for_each_spelling([&](const Explained& explained, std::string_view spelling) {
    const size_t distance = edit_distance(name, lower(spelling));
    if (distance < nearest) found.clear();
    if (distance <= nearest) add_once(found, explained);
    nearest = std::min(nearest, distance);
  });
}

}  // namespace

OptionSearch find_options(std::string_view query) {
  const std::string wanted = without_indices(query);
  OptionSearch search;
  if (wanted.empty()) return search;
  find_by_place(wanted, search.found);
  if (search.found.empty()) find_by_c_name(wanted, search.found);
  if (!search.found.empty()) return search;
  const std::string name = plain(std::string_view(wanted).substr(wanted.rfind('.') + 1));
  search.likeness = Likeness::kPart;
  find_by_part(name, search.found);
  if (!search.found.empty()) return search;
  search.likeness = Likeness::kSlip;
  find_by_slip(name, search.found);
  return search;
}

std::vector<std::string_view> names_with(std::string_view query, const std::vector<std::string_view>& names) {
  const std::string part = plain(query);
  std::vector<std::string_view> found;
  std::ranges::copy_if(names, std::back_inserter(found),
                       [&](std::string_view name) { return has_part(name, part); });
  std::stable_partition(found.begin(), found.end(),
                        [&](std::string_view name) { return plain(name).starts_with(part); });
  return found;
}

}  // namespace openqnn::config
