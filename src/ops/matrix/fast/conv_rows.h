// SPDX-License-Identifier: BSD-3-Clause
// The rows of a convolution as a product: its output positions, and what each sees of the input.
#pragma once

#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/fast/rows.h"

namespace openqnn::ops::fast {

// The positions of a region, one after another, for the channels of one group.
class ConvRows {
 public:
  ConvRows(const OpCall& call, ConvKind kind, const WeightMatrices& matrices, const ir::Box& region,
           uint64_t group);

  void operator()(Rows& rows, size_t most);

 private:
  void begin_line();
  void find_lines(Rows& rows, size_t row) const;
  void find_steps(Rows& rows, size_t row) const;
  void advance();

  ConvAxes axes_;
  uint64_t channels_;
  uint64_t first_channel_;
  bool whole_pixels_;  // a row sees all channels
  uint64_t out_channels_;
  uint64_t first_output_;
  const ir::Shape& out_shape_;
  size_t inner_;  // the innermost spatial axis of the output
  const ir::Box& region_;
  ir::Shape index_;  // the position; channel 0
  uint64_t output_ = 0;
  bool done_;
};

// Calls `run` with the RowSource of a region of the output: a simpler one where filters of one tap see one
// input after another.
void with_conv_rows(const OpCall& call, ConvKind kind, const WeightMatrices& matrices, const ir::Box& region,
                    uint64_t group, FunctionRef<void(RowSource)> run);

}  // namespace openqnn::ops::fast
