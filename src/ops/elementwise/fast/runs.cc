// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/fast/runs.h"

#include "ops/common.h"

namespace openqnn::ops::fast {
namespace {

// The size of an input along an axis of the output.
uint32_t size_along(const OpCall& call, size_t input, size_t axis) {
  const ir::Shape& shape = call.in(input).shape;
  const size_t missing = call.out().shape.rank() - shape.rank();
  return axis < missing ? 1 : shape[axis - missing];
}

}  // namespace

Runs::Runs(const OpCall& call, const ir::Box& region) : call_(call), region_(region) {
  find_stretch();
  first_repeated_ = first_axis_;
  find_repeats();
}

void Runs::find_stretch() {
  const ir::Shape& out = call_.out().shape;
  const size_t inputs = call_.inputs.size();
  first_axis_ = out.rank();
  if (out.rank() == 0) return;
  first_axis_ = out.rank() - 1;
  for (size_t i = 0; i < inputs; ++i) stays_[i] = size_along(call_, i, first_axis_) != out[first_axis_];
  while (first_axis_ > 0) {
    const size_t axis = first_axis_ - 1;
    if (region_.extent(first_axis_) != out[first_axis_]) return;
    for (size_t i = 0; i < inputs; ++i)
      if (size_along(call_, i, axis) != (stays_[i] ? 1 : out[axis])) return;
    first_axis_ = axis;
  }
}

// An input repeats along an axis where it is stretched and the others go on.
void Runs::find_repeats() {
  const ir::Shape& out = call_.out().shape;
  const size_t inputs = call_.inputs.size();
  if (inputs != 2 || stays_[0] || stays_[1]) return;
  while (first_repeated_ > 0) {
    const size_t axis = first_repeated_ - 1;
    if (region_.extent(first_repeated_) != out[first_repeated_]) return;
    if (out[axis] != 1) {
      const size_t stretched = size_along(call_, 0, axis) == 1 ? 0 : 1;
      if (size_along(call_, stretched, axis) != 1 || repeated_.value_or(stretched) != stretched) return;
      repeated_ = stretched;
    }
    first_repeated_ = axis;
  }
}

void Runs::for_each(FunctionRef<void(const Run&)> body) const {
  if (region_.empty()) return;
  const ir::Shape& out = call_.out().shape;
  ir::Box starts = region_;
  Run run{.count = 1};
  for (size_t axis = first_repeated_; axis < out.rank(); ++axis) {
    starts.end[axis] = starts.begin[axis] + 1;
    (axis < first_axis_ ? run.repeats : run.count) *= region_.extent(axis);
  }
  ir::for_each_index(starts, [&](const ir::Shape& index) {
    run.output = ir::offset_of(out, index);
    for (size_t i = 0; i < call_.inputs.size(); ++i)
      run.inputs[i] = broadcast_offset(call_.in(i).shape, index);
    body(run);
  });
}

}  // namespace openqnn::ops::fast
