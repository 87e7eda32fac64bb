// SPDX-License-Identifier: BSD-3-Clause
#include "tools/program_options.h"

#include <algorithm>

#include "base/text.h"
#include "tools/products.h"

namespace openqnn::tools {
namespace {

bool is_given(const RefusedOption& refused, std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  return name == refused.name || (!name.empty() && is_among(name, refused.aliases));
}

bool has_wrong_value(const OptionSpec& option, const Args& args) {
  if (option.choices.empty() || !args.has(option.name)) return false;
  const std::string value = args.get(option.name);
  if (value.empty() && option.least == 0) return false;  // it may be left out
  return !is_among(value, option.choices);
}

}  // namespace

const RefusedOption* refused_in(const std::vector<RefusedOption>& refused,
                                std::span<const char* const> arguments) {
  for (const char* const argument : arguments)
    for (const RefusedOption& option : refused)
      if (is_given(option, argument)) return &option;
  return nullptr;
}

Status exclude(const Args& args, std::string_view one, std::string_view other) {
  if (!args.has(one) || !args.has(other)) return {};
  return invalid("option-conflict", concat(one, " and ", other, " exclude each other")).fix_by("give one");
}

const OptionSpec* option_with_wrong_value(const CommandSpec& spec, const Args& args) {
  for (const OptionSpec& option : spec.options)
    if (has_wrong_value(option, args)) return &option;
  return nullptr;
}

Status make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  OPENQNN_TRY(check_output_folder(folder));  // says why, as before other work
  return system_failure("output-folder", concat("cannot make the folder: ", error.message()))
      .at(folder.string())
      .fix_by("choose another --output_dir");
}

Status refuse_own_input(const std::filesystem::path& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code ignored;  // what is not there is not the same
    if (input.empty() || !std::filesystem::equivalent(output, input, ignored)) continue;
    return invalid("output-is-input", "the product would take the place of what it is made from")
        .at(output.string())
        .fix_by("choose another name for it");
  }
  return {};
}

std::string_view written_verb(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? "replaced" : "wrote";
}

}  // namespace openqnn::tools
