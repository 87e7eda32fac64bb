// SPDX-License-Identifier: BSD-3-Clause
// "Did you mean …": what somebody who mistyped a part may have meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soc/target.h"

namespace openqnn::soc {

// ASCII upper case; chipset names are compared in it.
std::string upper(std::string_view text);

// The chipsets closest to `name` by edit distance, at most `count`, closest first.
std::vector<std::string> nearest_chipsets(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count);

// The SoC models closest to `model` by value, each once.
std::vector<uint32_t> nearest_models(const std::vector<SocInfo>& socs, uint32_t model, size_t count);

}  // namespace openqnn::soc
