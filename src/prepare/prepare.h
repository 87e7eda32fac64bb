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
  uint32_t optimization = 2;    // O: from 2 on, ops are also merged where that changes no result
  uint64_t vtcm_bytes = 0;      // 0: the target's
  uint32_t hvx_threads = 0;     // 0: the target's
  bool fold_relu = true;        // and clamps, into the convolution before them
  bool advanced_fusion = true;  // of sigmoid, tanh and gelu, into the half convolution before them
  bool short_depth_on_hmx = true;
  bool high_precision_sigmoid = false;  // in half
};

// The set holds one Program and owns its constants.
Result<program::ProgramSet> prepare(const ir::Graph& graph, const soc::Target& target, const Options& options,
                                    const Logger& log);

}  // namespace openqnn::prepare
