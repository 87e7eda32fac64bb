// SPDX-License-Identifier: BSD-3-Clause
// Which options occur in a set of files. With it a check asks only the rules that may have something to say.
#pragma once

#include <bitset>
#include <span>
#include <string_view>

#include "config/config.h"

namespace openqnn::config {

// Option names of all tables as bits; one name in two sections is one bit.
inline constexpr size_t kMostOptionNames = 512;
using NameSet = std::bitset<kMostOptionNames>;

// Names that no table has are left out; the tests see to it that rules have none.
NameSet name_set(std::span<const std::string_view> names);

// The names of all options that are set in a configuration.
NameSet names_in(const Config& config);

}  // namespace openqnn::config
