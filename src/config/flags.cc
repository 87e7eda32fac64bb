// SPDX-License-Identifier: BSD-3-Clause
#include "config/flags.h"

#include <string>
#include <vector>

#include "base/text.h"

namespace openqnn::config {
namespace {

std::vector<std::string> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// Puts a value where it belongs; false when no option has that name.
bool set(CircumstanceNames& names, std::string_view option, const std::string& value) {
  constexpr struct {
    std::string_view option;
    std::string CircumstanceNames::*field;
  } kFields[] = {{"--tool", &CircumstanceNames::tool},
                 {"--stage", &CircumstanceNames::stage},
                 {"--soc", &CircumstanceNames::soc},
                 {"--platform", &CircumstanceNames::platform},
                 {"--sdk", &CircumstanceNames::sdk}};
  for (const auto& row : kFields) {
    if (row.option != option) continue;
    names.*row.field = value;
    return true;
  }
  if (option != "--graphs") return false;
  names.graphs = pieces(value, ",");
  return true;
}

}  // namespace

Result<Circumstances> parse_circumstances(std::string_view flags) {
  CircumstanceNames names;
  const std::vector<std::string> words = pieces(flags, " \t\n");
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--strict") {
      names.strict = true;
      continue;
    }
    const size_t equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    const bool inline_value = equals != std::string::npos;
    if (!inline_value && i + 1 == words.size())
      return invalid("flag-value", concat("'", option, "' has no value")).fix_by("write it after the option");
    const std::string value = inline_value ? words[i].substr(equals + 1) : words[++i];
    if (!set(names, option, value))
      return invalid("flag-unknown", concat("there is no option '", option, "' for circumstances"))
          .fix_by("known are --tool, --stage, --soc, --platform, --sdk, --graphs and --strict");
  }
  return circumstances_of(names);
}

}  // namespace openqnn::config
