// SPDX-License-Identifier: BSD-3-Clause
// From a client's graph to a Program: legalise, fuse, lay out | tile, place in VTCM, sequence.
#pragma once

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "base/result.h"
#include "base/units.h"
#include "ir/graph.h"
#include "program/program.h"
#include "soc/target.h"

namespace openqnn::prepare {

// What the documents give a graph that asks for nothing; a part with less gives all it has.
inline constexpr uint64_t kDefaultVtcmBytes = 4 * kMiB;
inline constexpr uint32_t kDefaultHvxThreads = 4;  // in offline preparation; online, all of the part's

struct Options {
  uint32_t optimization = 2;            // O: from 2 on, ops are also merged where that changes no result
  std::optional<uint64_t> vtcm_bytes;   // 0: all the part has; nothing: the default
  std::optional<uint32_t> hvx_threads;  // 0: all the part has; nothing: the default
  bool fold_relu = true;                // and clamps, into the convolution before them
  bool advanced_fusion = true;          // of sigmoid, tanh and gelu, into the half convolution before them
  bool short_depth_on_hmx = true;
  bool high_precision_sigmoid = false;  // in half
  bool pack_weights = false;            // 8-bit weights whose numbers fit in 4 bits are stored in 4

  friend bool operator==(const Options&, const Options&) = default;
};

// The set holds one Program and owns its constants.
Result<program::ProgramSet> prepare(const ir::Graph& graph, const soc::Target& target, const Options& options,
                                    const Logger& log);

}  // namespace openqnn::prepare
