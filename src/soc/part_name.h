// SPDX-License-Identifier: BSD-3-Clause
// Parts for messages: "SM8650" or "SM8650 (v75)", and "v75" where no more is known than the architecture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "soc/target.h"

namespace openqnn::soc {

inline std::string part_name(std::string_view chipset, uint32_t arch) {
  return chipset.empty() ? concat("v", arch) : std::string(chipset);
}
inline std::string part_name(const Target& target) { return part_name(target.soc, target.arch); }

inline std::string part_and_arch(std::string_view chipset, uint32_t arch) {
  return chipset.empty() ? concat("v", arch) : concat(chipset, " (v", arch, ")");
}
inline std::string part_and_arch(const Target& target) { return part_and_arch(target.soc, target.arch); }

}  // namespace openqnn::soc
