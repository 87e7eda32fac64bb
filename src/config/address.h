// SPDX-License-Identifier: BSD-3-Clause
// "devices[0].cores[1].perf_profile": finding the place in a configuration that a user names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"

namespace openqnn::config {

struct AddressStep {
  std::string name;
  std::optional<size_t> index;
};
Result<std::vector<AddressStep>> parse_address(std::string_view text);

// As far as an address leads into a configuration.
struct Place {
  Record record;                         // the innermost object that exists
  size_t steps = 0;                      // how many of the address's steps it took to get there
  const json::Member* member = nullptr;  // of the step that was not taken, or of the last one; perhaps null
  const json::Value* value = nullptr;    // what the whole address leads to: a value, or an element of a list
};
Place find_place(const Config& config, const std::vector<AddressStep>& steps);

}  // namespace openqnn::config
