// SPDX-License-Identifier: BSD-3-Clause
// Mending a text: the fixes of findings become edits; comments and order stay.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/finding.h"
#include "json/edit.h"

namespace openqnn::config {

std::vector<json::Edit> edits_of(std::string_view text, const Fix& fix);

struct Fixed {
  std::string text;
  std::vector<Finding> mended;
};

// Applies every safe fix, checks anew, and goes on until none is left: fixing twice changes nothing.
// `check_text` answers the findings of a text.
Fixed fix_all(std::string text, const std::function<std::vector<Finding>(const std::string&)>& check_text);

}  // namespace openqnn::config
