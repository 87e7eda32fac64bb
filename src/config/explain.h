// SPDX-License-Identifier: BSD-3-Clause
// The option tables in words: for a terminal, for editors, and as the reference page docs/options.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/option.h"
#include "config/rule.h"

namespace openqnn::config {

// An option and the place it was found at. The same option may stand at several.
struct Explained {
  const KindDef* kind;
  const PlacedSection* section;
  const OptionDef* option;
};

// What a query and the names that it found have in common.
enum class Likeness : uint8_t { kName, kPart, kSlip };

struct OptionSearch {
  std::vector<Explained> found;
  Likeness likeness = Likeness::kName;  // otherwise nothing has that name, and these come nearest
};

// Options by name ("vtcm_mb", also in Python's spelling), by name and place ("cores.core_id",
// "graphs[0].vtcm_mb"), with the kind of file before it ("lpai.execute.fps"), or by the option of the C API
// behind them. Parts of names and typing errors find the nearest, whatever their case.
OptionSearch find_options(std::string_view query);

// Of `names`, those that `query` is a part of, whatever the case and whether - or _ is between words; those
// that begin with it first.
std::vector<std::string_view> names_with(std::string_view query, const std::vector<std::string_view>& names);

// "devices[].cores[].core_id".
std::string option_path(const PlacedSection& section, const OptionDef& option);

// What the tables say of an option, label by label, in the order to show them; the terminal and the reference
// page lay it out. Labels without a text are left out.
struct Fact {
  std::string_view label;  // "default"
  std::string text;
};
std::vector<Fact> facts_of(const SectionDef& section, const OptionDef& option);
std::string default_text(const OptionDef& option);  // "4; in Python 0"

// Everything that is known of an option or a rule, in lines for a terminal.
std::string explain_option(const KindDef& kind, const PlacedSection& section, const OptionDef& option);
std::string explain_rule(const RuleDef& rule);

// Summary, help and limits in one paragraph.
std::string description(const OptionDef& option);
std::string since_text(Sdk since);              // "from SDK 2.48", "newer than SDK 2.39"
std::string choice_help(const Choice& choice);  // with the SDK where it is newer than the documents

// The reference of all options of all kinds of files, in Markdown.
std::string options_page();

}  // namespace openqnn::config
