// SPDX-License-Identifier: BSD-3-Clause
#include "program/part.h"

namespace openqnn::program {

Result<soc::Target> part_of(const Program& program) {
  if (!program.soc.empty()) return soc::target_by_chipset(program.soc);
  if (program.soc_model != 0) return soc::target_by_model(program.soc_model);
  return soc::target_by_arch(program.arch);
}

}  // namespace openqnn::program
