// SPDX-License-Identifier: BSD-3-Clause
// The positions of a depth-wise convolution, by runs of an output line that see the input alike: each sees it
// some elements further on than the one before.
#pragma once

#include <span>

#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/fast/rows.h"

namespace openqnn::ops::fast {

class DepthRuns {
 public:
  // `lines` is memory for as many elements as the filter has taps.
  DepthRuns(const OpCall& call, ConvKind kind, const ir::Box& region, int64_t* lines);

  // Goes on to the next run; false at the end.
  bool next();

  size_t count() const { return count_; }        // of positions
  uint64_t output() const { return output_; }    // element of channel 0 at the first of them
  uint64_t further() const { return further_; }  // elements of the input from one position to the next
  // Where each line of the filter begins in the input, or kPadding; they change at a new line alone.
  std::span<const int64_t> lines() const { return {lines_, line_count_}; }
  bool begins_line() const { return begins_line_; }
  uint64_t line_elements() const { return axes_[2].window.input * channels_; }
  // What each tap sees at the first position: body(tap, its line, element of channel 0 from there on, or
  // kPadding).
  template <class Body>
  void for_each_tap(const Body& body) const {
    const uint32_t filter = axes_[2].window.filter;
    for (size_t line = 0; line < line_count_; ++line)
      for (uint32_t tap = 0; tap < filter; ++tap) {
        const std::optional<uint32_t> w = axes_[2].input_at(at_, tap);
        body(line * filter + tap, line,
             w && lines_[line] != kPadding ? static_cast<int64_t>(*w * channels_) : kPadding);
      }
  }

 private:
  void begin_line();
  size_t alike() const;

  ConvAxes axes_;
  uint64_t channels_;
  const ir::Shape& out_shape_;
  size_t inner_;  // the innermost spatial axis of the output
  const ir::Box& region_;
  int64_t* lines_;
  size_t line_count_;
  uint64_t further_;
  ir::Shape index_;   // of the line
  uint32_t at_ = 0;   // position along it
  size_t count_ = 0;  // 0 before the first run
  bool begins_line_ = false;
  uint64_t output_ = 0;
};

}  // namespace openqnn::ops::fast
