// SPDX-License-Identifier: BSD-3-Clause
// What programs do with their options before they begin, above all those with the vendor's names: options
// that are known but not offered, that exclude each other, values that are none of the choices, and products.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"

namespace openqnn::tools {

// An option of the vendor's program that cannot act here: giving it is an error that says why.
struct RefusedOption {
  std::string_view name;
  std::string_view aliases;  // with spaces between
  std::string_view why;      // goes on after a colon
};

// The first one that is given; null when none is. Looked for before the rest is read, because it is not known
// how many words follow such an option.
const RefusedOption* refused_in(const std::vector<RefusedOption>& refused,
                                std::span<const char* const> arguments);

// Refuses two options that exclude each other.
Status exclude(const Args& args, std::string_view one, std::string_view other);

// The first option with a value that is none of its choices; null when there is none.
const OptionSpec* option_with_wrong_value(const CommandSpec& spec, const Args& args);

// What --output_dir names, with the folders above it; one that is there is fine.
Status make_folder(const std::filesystem::path& folder);

// Refuses a product that would take the place of what it is made from. Empty names are of no file.
Status refuse_own_input(const std::filesystem::path& output, const std::vector<std::string>& inputs);

// What a program says of a file it writes: "replaced" where one of that name is there already, else "wrote".
// Asked before it is written, told when it is.
std::string_view written_verb(const std::filesystem::path& file);

}  // namespace openqnn::tools
