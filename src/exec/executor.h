// SPDX-License-Identifier: BSD-3-Clause
// Runs a Program's Ops on this CPU. Knows no time; reads the Schedule only in tiled mode, to check the tiles.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "base/log.h"
#include "base/thread_pool.h"
#include "exec/state.h"
#include "program/program.h"

namespace openqnn::exec {

// How the work of an op is cut. The results are bit-equal.
enum class Mode : uint8_t {
  kWhole,  // in pieces as large as the thread pool likes
  kTiled,  // tile by tile as the Schedule says, with reference kernels
};
// OPENQNN_EXEC: "tiled" or "whole" (the default); anything else is warned about.
Mode mode_from_environment(const Logger& log);

class Executor {
 public:
  // Of the set's first Program; the set keeps the constants alive.
  Executor(program::ProgramSet set, Mode mode, const Logger& log);
  ~Executor();

  // Whether a run goes on from what earlier ones left.
  bool keeps_state() const { return !state_.empty(); }

  // The client's buffer of each input and output tensor, indexed like Program::tensors; null elsewhere.
  // Buffers have the client's type and must not overlap. May be called from several threads at once.
  // With `batches`, every buffer holds that many of its tensor one after another (a client whose dimension 0
  // is a multiple of the prepared one), and the Program runs once over each: bit-equal to that many runs.
  //
  // Ops that keep state (OpDef::state_bytes) go on where the last run ended; runs of a Program that has such
  // ops take turns. An op may withhold its output: the outputs that depend on it are left as they are, and
  // answered (those of any batch). An input whose buffer is null is withheld by whoever should have made it.
  //
  // `stop` is asked before each op, from this thread. Once it says yes nothing more runs: outputs and state
  // are what the ops before left, and what is answered means nothing.
  std::vector<ir::TensorIndex> run(std::span<std::byte* const> client_buffers, uint32_t batches = 1,
                                   const std::function<bool()>& stop = {});

 private:
  struct Step;       // an op with its kernel, regions and operands resolved
  struct Workspace;  // activation memory of one execution in flight
  struct Releaser {
    Executor* executor;
    void operator()(Workspace* workspace) const;
  };

  void make_plans();
  std::unique_ptr<Workspace, Releaser> acquire_workspace();
  void place_tensors(Workspace& workspace) const;
  bool run_once(Workspace& workspace, std::span<std::byte* const> client_buffers,
                const std::function<bool()>& stop);
  void run_step(size_t index, Workspace& workspace);
  static bool asks_for_reset(const Step& step, const Workspace& workspace);
  void add_withheld(const Workspace& workspace, std::set<ir::TensorIndex>& outputs) const;
  void convert_inputs(Workspace& workspace, std::span<std::byte* const> client_buffers) const;
  void convert_outputs(Workspace& workspace, std::span<std::byte* const> client_buffers) const;

  program::ProgramSet set_;
  std::shared_ptr<const program::Program> program_;
  std::vector<Step> steps_;
  std::vector<ir::TensorIndex> io_;  // inputs and outputs
  std::vector<std::pair<size_t, ir::TensorIndex>>
      client_operands_;         // operands in client buffers: which pointer, of what
  uint64_t scratch_bytes_ = 0;  // the most that a step's kernel needs for a region
  State state_;
  std::once_flag planned_;
  std::mutex mutex_;                 // guards idle_
  std::unique_ptr<Workspace> idle_;  // and those behind it
};

}  // namespace openqnn::exec
