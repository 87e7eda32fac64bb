// SPDX-License-Identifier: BSD-3-Clause
// What the tables say of an option, label by label; the terminal and the reference page lay it out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/option.h"

namespace openqnn::config {

struct Fact {
  std::string_view label;  // "default"
  std::string text;
};

// In the order to show them; labels without a text are left out.
std::vector<Fact> facts_of(const SectionDef& section, const OptionDef& option);

std::string default_text(const OptionDef& option);  // "4; in Python 0"

}  // namespace openqnn::config
