// SPDX-License-Identifier: BSD-3-Clause
// The elements of a region in stretches that lie in one piece, so that the loop over a stretch is all that a
// fast kernel writes.
#pragma once

#include <array>
#include <cstdint>

#include "base/function_ref.h"
#include "ops/op.h"

namespace openqnn::ops::fast {

inline constexpr size_t kMostRunInputs = 2;

struct Run {
  uint64_t output = 0;                            // element of the output where it begins
  std::array<uint64_t, kMostRunInputs> inputs{};  // and of each input
  uint64_t count = 0;
};

// How long stretches are, and which inputs have one element for all of a stretch (they are broadcast).
class Runs {
 public:
  Runs(const OpCall& call, const ir::Box& region);

  bool stays(size_t input) const { return stays_[input]; }
  void for_each(FunctionRef<void(const Run&)> body) const;

 private:
  const OpCall& call_;
  const ir::Box& region_;
  std::array<bool, kMostRunInputs> stays_{};
  size_t first_axis_ = 0;  // the stretch is all axes from this one on
};

}  // namespace openqnn::ops::fast
