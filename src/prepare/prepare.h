// SPDX-License-Identifier: BSD-3-Clause
// From a client's graph to a Program: legalise, fuse, lay out | tile, place in VTCM, sequence.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// What is known of a model beside its graph. Nothing of it changes results.
struct ModelFacts {
  // What the model's file called the nodes that a node of the graph was made from, by the graph's name.
  std::map<std::string, std::vector<std::string>, std::less<>> framework_nodes;
  // Measured on samples: what DLBC leaves of the bytes of activations.
  std::optional<double> activation_share;
};

struct Options {
  uint32_t optimization = 2;            // O: from 2 on, ops are also merged where that changes no result
  std::optional<uint64_t> vtcm_bytes;   // 0: all the part has; nothing: the default
  std::optional<uint32_t> hvx_threads;  // 0: all the part has; nothing: the default
  bool fold_relu = true;                // and clamps, into the convolution before them
  bool advanced_fusion = true;          // of sigmoid, tanh and gelu, into the half convolution before them
  bool short_depth_on_hmx = true;
  bool high_precision_sigmoid = false;  // in half
  bool pack_weights = false;            // 8-bit weights whose numbers fit in 4 bits are stored in 4
  bool compress_activations = false;    // DLBC: on their way to and from DDR
  bool compress_weights = false;        // DLBC: the constants
  bool use_slc = false;  // what is spilled goes to the system-level cache, where the part has one
  uint32_t cores = 1;    // that tiles are divided over
  std::shared_ptr<const ModelFacts> facts = nullptr;  // null: none are known

  friend bool operator==(const Options&, const Options&) = default;
};

// The stages of a preparation, by the names and in the order in which the vendor's backend reports them.
// Which of our passes count as which is ours.
enum class Stage : uint8_t {
  kInitializing,      // checks, legalising
  kOptimizations,     // weights and fusions
  kPostOptimization,  // layouts, constants, the executor's memory, what becomes of transfers
  kSequencing,        // tiles
  kVtcmAllocation,    // their order and their places
  kParallelization,   // from O2 on: other plans
  kFinalizing,        // the schedule that is kept
  kCompletion,        // proofs
};
inline constexpr size_t kStageCount = 8;
std::string_view stage_name(Stage stage);

// Hears how far a preparation is, on the thread that prepares, and may stop it.
class Follower {
 public:
  Follower() = default;
  virtual ~Follower() = default;
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  virtual void stage_begins(Stage) {}
  virtual void stage_advances(Stage, uint64_t /*done*/, uint64_t /*total*/) {}
  virtual void stage_ends(Stage) {}
  // From O2 on: each of the schedules of which the one is kept that the simulator finds fastest.
  virtual void schedule_compared(const program::Schedule&) {}
  virtual bool wants_to_stop() { return false; }  // asked often, so it should be cheap
};
// The code of the Diagnostic when it did.
inline constexpr std::string_view kStopped = "prepare-stopped";

// The set holds one Program and owns its constants.
Result<program::ProgramSet> prepare(const ir::Graph& graph, const soc::Target& target, const Options& options,
                                    const Logger& log, Follower* follower = nullptr);

}  // namespace openqnn::prepare
