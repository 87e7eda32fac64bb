// SPDX-License-Identifier: BSD-3-Clause
// The part that a Program was prepared for. Where the client named an architecture alone, it has no chipset.
#pragma once

#include <string>

#include "base/result.h"
#include "base/text.h"
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

// A Schedule is cut for one part. A newer one with as much VTCM and as many NPUs runs it as it is, others do
// not.
inline Status check_runs_on(const Program& program, const soc::Target& target) {
  const auto refuse = [&](const char* code, const std::string& why, const std::string& instead = "") {
    return unsupported(code, concat("graph '", program.graph, "' was prepared for ", why))
        .fix_by(concat("prepare the model for ", soc::part_name(target), instead));
  };
  const auto lacks = [&](const auto& needed, const char* what, const auto& has) {
    return concat(part_name(program), " with ", needed, what, "; ", soc::part_name(target), " has ", has);
  };
  const Schedule& schedule = program.schedule;
  if (program.arch > target.arch)
    return refuse("binary-arch", concat(soc::part_and_arch(program.soc, program.arch), ", which ",
                                        part_and_arch(target), " cannot run"));
  if (schedule.vtcm_bytes > target.vtcm.value)
    return refuse("binary-vtcm", lacks(schedule.vtcm_bytes, " bytes of VTCM", target.vtcm.value),
                  ", or with a smaller VTCM size");
  if (schedule.cores > target.cores)
    return refuse("binary-cores", lacks(schedule.cores, " NPUs", target.cores), ", or with fewer cores");
  return {};
}

}  // namespace openqnn::program
