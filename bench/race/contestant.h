// SPDX-License-Identifier: BSD-3-Clause
// Who can race: one piece of work that is done over and over, and what came out of it the last time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace openqnn::bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  // Before each work, not timed.
  virtual Status prepare() { return {}; }
  virtual Status work() = 0;
  // What the last work computed; empty where that is nothing to compare.
  virtual std::vector<float> output() const { return {}; }
};
using ContestantPtr = std::unique_ptr<Contestant>;

struct RaceOptions {
  uint32_t threads = 1;
  std::string backend;      // libQnnHtp.so
  std::string onnxruntime;  // libonnxruntime.so
  std::string optimized;    // where ONNX Runtime's optimised model goes; empty: nowhere
};

// The code of the error when a contestant is not in this build: no failure, but nothing to measure either.
inline constexpr const char* kNotInThisBuild = "race-not-built";

// Ours: executes of a `.dlc` from the mapped context binary that is made of it first; the finalize of its
// graph, and nothing else of that work; loading its binary as a persistent one, with retrieving the graph.
Result<ContestantPtr> our_execute(const std::string& dlc, const RaceOptions& options);
Result<ContestantPtr> our_finalize(const std::string& dlc, const RaceOptions& options);
Result<ContestantPtr> our_load(const std::string& dlc, const RaceOptions& options);
// Preparing the graph of a `.dlc` for SM8650 at level 2, and simulating it: all that `openqnn simulate` does
// behind reading the model.
Result<ContestantPtr> our_simulation(const std::string& dlc, const RaceOptions& options);
// Mapping the binary of a `.dlc`, and looking at every page.
Result<ContestantPtr> mapping(const std::string& dlc, const RaceOptions& options);
// ONNX Runtime with all optimisations: runs of a model, and the creation of its session.
Result<ContestantPtr> ort_run(const std::string& model, const RaceOptions& options);
Result<ContestantPtr> ort_create(const std::string& model, const RaceOptions& options);
// oneDNN: the convolutions of a list one after another (onednn.cc says how a line is written).
Result<ContestantPtr> onednn_convolutions(const std::string& list, const RaceOptions& options);

// The pixels that every model gets: `count` numbers of a normal distribution, always the same.
std::vector<float> pixels(size_t count);

}  // namespace openqnn::bench
