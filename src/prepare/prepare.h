// SPDX-License-Identifier: BSD-3-Clause
// From a client's graph to a Program: legalise, fuse, lay out | tile, place in VTCM, sequence.
#pragma once

#include <cstdint>

#include "base/log.h"
#include "base/result.h"
#include "ir/graph.h"
#include "program/program.h"
#include "soc/target.h"

namespace openqnn::prepare {

struct Options {
  uint32_t optimization = 2;  // O: 1 leaves every op as the client gave it, 2 and 3 fuse
  uint64_t vtcm_bytes = 0;    // 0: the target's
  uint32_t hvx_threads = 0;   // 0: the target's
  bool fold_relu = true;      // into the convolution before it
};

// The set holds one Program and owns its constants.
Result<program::ProgramSet> prepare(const ir::Graph& graph, const soc::Target& target, const Options& options,
                                    const Logger& log);

}  // namespace openqnn::prepare
