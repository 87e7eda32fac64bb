// SPDX-License-Identifier: BSD-3-Clause
// The elements of a region in stretches that lie in one piece, so that the loop over a stretch is all that a
// fast kernel writes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/function_ref.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

inline constexpr size_t kMostRunInputs = 2;

struct Run {
  uint64_t output = 0;                            // element of the output where it begins
  std::array<uint64_t, kMostRunInputs> inputs{};  // and of each input
  uint64_t count = 0;
  // So many stretches follow each other in the output and in all inputs but one, which is the same for each.
  uint64_t repeats = 1;
};

// How long stretches are, and which inputs have one element for all of a stretch (they are broadcast).
class Runs {
 public:
  Runs(const OpCall& call, const ir::Box& region);

  bool stays(size_t input) const { return stays_[input]; }
  // The input that is the same for all repeats of a stretch; none when there are no repeats.
  std::optional<size_t> repeated() const { return repeated_; }
  void for_each(FunctionRef<void(const Run&)> body) const;

 private:
  void find_stretch();
  void find_repeats();

  const OpCall& call_;
  const ir::Box& region_;
  std::array<bool, kMostRunInputs> stays_{};
  size_t first_axis_ = 0;      // the stretch is all axes from this one on
  size_t first_repeated_ = 0;  // its repeats are the axes from this one on that stand before it
  std::optional<size_t> repeated_;
};

}  // namespace openqnn::ops::fast
