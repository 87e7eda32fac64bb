// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/depth_runs.h"

#include <algorithm>

#include "ops/matrix/dot.h"

namespace openqnn::ops::fast {

DepthRuns::DepthRuns(const OpCall& call, ConvKind kind, const ir::Box& region, int64_t* lines)
    : axes_(spatial_axes(call, kind)),
      channels_(call.in(kInput).shape.from_end(0)),
      out_shape_(call.out().shape),
      inner_(kind.axes),
      region_(region),
      lines_(lines),
      line_count_(size_t{axes_[0].window.filter} * axes_[1].window.filter),
      further_(axes_[2].window.stride * channels_),
      index_(region.begin) {
  index_[region.rank() - 1] = 0;
}

bool DepthRuns::next() {
  begins_line_ = false;
  if (count_ == 0) {
    if (region_.empty()) return false;
    begin_line();
  } else {
    at_ += static_cast<uint32_t>(count_);
    output_ += count_ * out_shape_.from_end(0);
    if (at_ == region_.end[inner_]) {
      size_t axis = inner_;
      while (axis-- > 0 && ++index_[axis] == region_.end[axis]) {
        index_[axis] = region_.begin[axis];
        if (axis == 0) return false;
      }
      begin_line();
    }
  }
  count_ = alike();
  return true;
}

void DepthRuns::begin_line() {
  begins_line_ = true;
  at_ = region_.begin[inner_];
  index_[inner_] = at_;
  output_ = ir::offset_of(out_shape_, index_);
  find_filter_lines(axes_, index_, inner_, channels_,
                    [&](size_t line, int64_t element) { lines_[line] = element; });
}

// Positions from here on that see no padding beside the line; one that does is a run of its own.
size_t DepthRuns::alike() const {
  const Window& window = axes_[2].window;
  const int64_t start = window.start(at_);
  const int64_t room = int64_t{window.input} - start - static_cast<int64_t>(window.reach());
  if (axes_[2].transposed || start < 0 || room < 0) return 1;
  return std::min<uint64_t>(region_.end[inner_] - at_, static_cast<uint64_t>(room) / window.stride + 1);
}

}  // namespace openqnn::ops::fast
