// SPDX-License-Identifier: BSD-3-Clause
// The rows of a product: which elements of the input each has, and where its results go.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/function_ref.h"
#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/fast/scratch.h"
#include "ops/matrix/fast/tile.h"

namespace openqnn::ops::fast {

inline constexpr int64_t kPadding = -1;

// Some rows. A row's k are those of one tap of a filter after another, `channels` elements each that lie
// beside each other. Taps are told by lines: tap `step` of line `line` begins at the sum of both.
class Rows {
 public:
  Rows(uint64_t taps, Scratch& scratch)
      : lines_(scratch.take<int64_t>(taps * kTileRows)), steps_(scratch.take<int64_t>(taps * kTileRows)) {}

  size_t count = 0;
  std::array<uint64_t, kTileRows> outputs{};  // element of the output that column 0 of the matrix goes to
  size_t lines = 1;
  size_t steps = 1;          // taps of a line
  bool has_padding = false;  // whether any line or step is kPadding
  // Whether all rows have the same lines and their taps lie beside each other, so that they see pixels of the
  // same lines. Then: where each row's first tap would be if lines had no ends, and how long lines are.
  bool one_line = false;
  std::array<int64_t, kTileRows> starts{};
  uint64_t line_elements = 0;

  // Of `pixels` from the first row's first tap on: how many lie before the line begins, and in it.
  struct Seen {
    size_t before;
    size_t inside;
  };
  Seen seen(size_t pixels, uint64_t channels) const {
    const auto step = static_cast<int64_t>(channels);
    const auto clip = [&](int64_t at) {
      return static_cast<size_t>(std::clamp<int64_t>(at, 0, static_cast<int64_t>(pixels)));
    };
    const size_t before = clip(-starts[0] / step);
    return {before, clip((static_cast<int64_t>(line_elements) - starts[0]) / step) - before};
  }

  // An element of the input, or kPadding.
  int64_t& line(size_t line, size_t row) { return lines_[line * kTileRows + row]; }
  int64_t& step(size_t step, size_t row) { return steps_[step * kTileRows + row]; }
  int64_t line(size_t line, size_t row) const { return lines_[line * kTileRows + row]; }
  int64_t step(size_t step, size_t row) const { return steps_[step * kTileRows + row]; }
  int64_t tap(size_t line, size_t step, size_t row) const {
    const int64_t from = this->line(line, row);
    const int64_t on = this->step(step, row);
    return from == kPadding || on == kPadding ? kPadding : from + on;
  }

  // Where each tap of each row begins, [tap][kTileRows]; `zeros` stands for padding.
  template <class Element>
  void point(const Element* input, const Element* zeros, const Element** taps) const {
    for (size_t l = 0; l < lines; ++l)
      for (size_t s = 0; s < steps; ++s, taps += kTileRows)
        for (size_t row = 0; row < count; ++row) {
          const int64_t at = has_padding ? tap(l, s, row) : line(l, row) + step(s, row);
          taps[row] = has_padding && at == kPadding ? zeros : input + at;
        }
  }

  // The taps of a row, as many at a time as lie beside each other or are padding, in order:
  // body(element or kPadding, taps).
  template <class Body>
  void for_each_run(size_t row, uint64_t channels, const Body& body) const {
    const bool one_run = !has_padding && length_of_run(0, 0, row, channels) == steps;
    for (size_t l = 0; l < lines; ++l)
      for (size_t s = 0; s < steps;) {
        const size_t taps = one_run ? steps : length_of_run(l, s, row, channels);
        body(tap(l, s, row), taps);
        s += taps;
      }
  }

 private:
  size_t length_of_run(size_t line, size_t step, size_t row, uint64_t channels) const {
    const int64_t at = tap(line, step, row);
    size_t taps = 1;
    while (step + taps < steps && continues(at, tap(line, step + taps, row), taps * channels)) ++taps;
    return taps;
  }

  static bool continues(int64_t first, int64_t next, uint64_t distance) {
    if (first == kPadding || next == kPadding) return first == next;
    return next == first + static_cast<int64_t>(distance);
  }

  int64_t* lines_;  // [line][kTileRows]
  int64_t* steps_;  // [step][kTileRows]
};

// Where each line of a convolution's filter begins in the input, or kPadding, at an output whose innermost
// spatial axis is `inner`: the same for all positions of an output line. body(line, element)
template <class Body>
void find_filter_lines(const ConvAxes& axes, const ir::Shape& output, size_t inner, uint64_t channels,
                       const Body& body) {
  std::array<uint32_t, kMostAxes> at{};
  for (size_t axis = 0; axis < inner; ++axis) at[kMostAxes - inner + axis] = output[1 + axis];
  size_t line = 0;
  for (uint32_t i = 0; i < axes[0].window.filter; ++i)
    for (uint32_t j = 0; j < axes[1].window.filter; ++j) {
      const std::optional<uint32_t> d = axes[0].input_at(at[0], i);
      const std::optional<uint32_t> h = axes[1].input_at(at[1], j);
      const uint64_t begin =
          (uint64_t{output[0]} * axes[0].window.input + d.value_or(0)) * axes[1].window.input;
      body(line++, d && h ? static_cast<int64_t>((begin + *h) * axes[2].window.input * channels) : kPadding);
    }
}

// Fills in up to `most` of the next rows; none (count 0) at the end.
using RowSource = FunctionRef<void(Rows& rows, size_t most)>;

// Rows of one tap that lie `stride` apart, of which some go to consecutive rows of `columns` results.
class DenseRows {
 public:
  DenseRows(uint64_t first_input, uint64_t stride, uint64_t first_output, uint64_t columns, uint64_t count)
      : input_(first_input), stride_(stride), output_(first_output), columns_(columns), left_(count) {}

  void operator()(Rows& rows, size_t most) {
    for (rows.count = 0; rows.count < most && left_ > 0; ++rows.count, --left_) {
      rows.line(0, rows.count) = static_cast<int64_t>(input_);
      rows.step(0, rows.count) = 0;
      rows.outputs[rows.count] = output_;
      input_ += stride_;
      output_ += columns_;
    }
  }

 private:
  uint64_t input_;
  uint64_t stride_;
  uint64_t output_;
  uint64_t columns_;
  uint64_t left_;
};

}  // namespace openqnn::ops::fast
