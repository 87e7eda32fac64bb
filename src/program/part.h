// SPDX-License-Identifier: BSD-3-Clause
// The part that a Program was prepared for. Where the client named an architecture alone, it has no chipset.
#pragma once

#include <string>

#include "base/result.h"
#include "program/program.h"
#include "soc/part_name.h"

namespace openqnn::program {

// As it is known today.
inline Result<soc::Target> part_of(const Program& program) {
  if (!program.soc.empty()) return soc::target_by_chipset(program.soc);
  if (program.soc_model != 0) return soc::target_by_model(program.soc_model);
  return soc::target_by_arch(program.arch);
}
inline std::string part_name(const Program& program) { return soc::part_name(program.soc, program.arch); }

}  // namespace openqnn::program
