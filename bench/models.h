// SPDX-License-Identifier: BSD-3-Clause
// Graphs of adjustable size for benchmarks.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "ops/op.h"
#include "program/program.h"

namespace openqnn::bench {

// `length` 3x3 convolutions with Relu in a row, 8-bit, 16x16x32.
ir::Graph conv_chain(uint32_t length);

// Two 3x3 convolutions with Relu in a row on an image of so many rows, 8-bit, 256 x 32 a row: tiles grow with
// the rows.
ir::Graph tall_image(uint32_t rows);

// A Concat of many small tensors along the first dimension.
ir::Graph wide_concat(uint32_t inputs);

// For an SM8650; ends the program when that fails.
program::ProgramSet prepared(const ir::Graph& graph);
inline program::ProgramSet prepared_chain(uint32_t length) { return prepared(conv_chain(length)); }

// A call with buffers of its own, in half and 32-bit integers, for the kernel alone.
class KernelCall {
 public:
  KernelCall(std::string_view type, ir::Params params)
      : op_(ops::find_op(type)), params_(std::move(params)) {}
  // Halves are 1, 2, 3, … over and over, integers `integer`.
  KernelCall& input(ir::DataType type, const ir::Shape& shape, int32_t integer = 0);
  KernelCall& output(ir::DataType type, const ir::Shape& shape);
  void run();

 private:
  struct Buffer {
    ir::TensorDesc desc;
    std::vector<std::byte> data;
  };
  const ops::OpDef* op_;
  ir::Params params_;
  std::vector<Buffer> inputs_;
  std::vector<Buffer> outputs_;
};

// BoxWithNmsLimit of 10 regions.
KernelCall limited_boxes(uint32_t classes);
// MaskedSoftmax of 4 x 32 rows, by lengths that are all 0.
KernelCall masked_rows(uint32_t sequences);

}  // namespace openqnn::bench
