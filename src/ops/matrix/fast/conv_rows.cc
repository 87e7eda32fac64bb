// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/conv_rows.h"

#include <algorithm>

#include "ops/matrix/dot.h"

namespace openqnn::ops::fast {

ConvRows::ConvRows(const OpCall& call, ConvKind kind, const WeightMatrices& matrices, const ir::Box& region,
                   uint64_t group)
    : axes_(spatial_axes(call, kind)),
      channels_(call.in(kInput).shape.from_end(0)),
      first_channel_(group * matrices.channels),
      whole_pixels_(matrices.channels == channels_),
      out_channels_(call.out().shape.from_end(0)),
      first_output_(group * matrices.columns),
      out_shape_(call.out().shape),
      inner_(kind.axes),
      region_(region),
      index_(region.begin),
      done_(region.empty()) {
  index_[region.rank() - 1] = 0;
  if (!done_) begin_line();
}

void ConvRows::operator()(Rows& rows, size_t most) {
  rows.lines = size_t{axes_[0].window.filter} * axes_[1].window.filter;
  rows.steps = axes_[2].window.filter;
  rows.has_padding = false;
  rows.one_line = whole_pixels_ && !axes_[2].transposed && axes_[2].window.dilation == 1;
  rows.line_elements = axes_[2].window.input * channels_;
  bool new_line = true;
  for (rows.count = 0; !done_ && rows.count < most; ++rows.count) {
    const size_t row = rows.count;
    rows.one_line &= row == 0 || !new_line;
    if (new_line)
      find_lines(rows, row);
    else
      for (size_t line = 0; line < rows.lines; ++line) rows.line(line, row) = rows.line(line, row - 1);
    find_steps(rows, row);
    rows.outputs[row] = output_;
    new_line = index_[inner_] + 1 == region_.end[inner_];
    advance();
  }
}

void ConvRows::begin_line() { output_ = ir::offset_of(out_shape_, index_) + first_output_; }

void ConvRows::find_lines(Rows& rows, size_t row) const {
  find_filter_lines(axes_, index_, inner_, channels_, [&](size_t line, int64_t element) {
    rows.has_padding |= element == kPadding;
    rows.line(line, row) = element == kPadding ? kPadding : element + static_cast<int64_t>(first_channel_);
  });
}

void ConvRows::find_steps(Rows& rows, size_t row) const {
  const Window& window = axes_[2].window;
  const int64_t start = window.start(index_[inner_]);
  rows.starts[row] = start * static_cast<int64_t>(channels_);
  const auto end = start + static_cast<int64_t>(window.reach());
  if (!axes_[2].transposed && start >= 0 && end <= int64_t{window.input}) {
    int64_t at = start * static_cast<int64_t>(channels_);
    for (size_t tap = 0; tap < rows.steps; ++tap, at += static_cast<int64_t>(window.dilation * channels_))
      rows.step(tap, row) = at;
    return;
  }
  for (uint32_t tap = 0; tap < rows.steps; ++tap) {
    const std::optional<uint32_t> w = axes_[2].input_at(index_[inner_], tap);
    rows.has_padding |= !w;
    rows.step(tap, row) = w ? static_cast<int64_t>(*w * channels_) : kPadding;
  }
}

void ConvRows::advance() {
  output_ += out_channels_;
  for (size_t axis = inner_ + 1; axis-- > 0;) {
    if (++index_[axis] < region_.end[axis]) return axis == inner_ ? void() : begin_line();
    index_[axis] = region_.begin[axis];
  }
  done_ = true;
}

namespace {

bool sees_one_input_each(const ConvAxis& axis) {
  const Window& window = axis.window;
  return window.filter == 1 && window.stride == 1 && window.pad_before == 0 && window.pad_after == 0 &&
         axis.output_padding == 0;
}

// Whether a region's positions lie beside each other: nothing is cut inside an axis that has several.
bool is_one_run(const ir::Box& region, const ir::Shape& shape) {
  size_t axis = 0;
  while (axis + 2 < region.rank() && region.extent(axis) == 1) ++axis;
  while (++axis + 1 < region.rank())
    if (region.extent(axis) != shape[axis]) return false;
  return true;
}

}  // namespace

void with_conv_rows(const OpCall& call, ConvKind kind, const WeightMatrices& matrices, const ir::Box& region,
                    uint64_t group, FunctionRef<void(RowSource)> run) {
  const ConvAxes axes = spatial_axes(call, kind);
  const ir::Shape& out = call.out().shape;
  if (!std::all_of(axes.begin(), axes.end(), sees_one_input_each) || !is_one_run(region, out)) {
    ConvRows rows(call, kind, matrices, region, group);
    return run([&](Rows& some, size_t most) { rows(some, most); });
  }
  const uint64_t channels = call.in(kInput).shape.from_end(0);
  const uint64_t columns = out.from_end(0);
  ir::Shape begin = region.begin;
  begin[region.rank() - 1] = 0;
  uint64_t positions = 1;
  for (size_t axis = 0; axis + 1 < region.rank(); ++axis) positions *= region.extent(axis);
  const uint64_t first = ir::offset_of(out, begin) / columns;
  DenseRows rows(first * channels + group * matrices.channels, channels,
                 first * columns + group * matrices.columns, columns, positions);
  run([&](Rows& some, size_t most) { rows(some, most); });
}

}  // namespace openqnn::ops::fast
