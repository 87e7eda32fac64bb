// SPDX-License-Identifier: BSD-3-Clause
// The skeleton of ops that apply one function to every element. A new one is its function and one call:
//
//   double negate(double x) { return -x; }
//   const OpDef& element_wise_neg() {
//     static const OpDef op = unary_op<negate, 2>("ElementWiseNeg");
//     return op;
//   }
#pragma once

#include <string_view>

#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {

template <double (*function)(double)>
void run_unary(const KernelArgs& args, const ir::Box& region) {
  const ElementReader in(args.call.in(0), args.inputs[0]);
  const ElementWriter out(args.call.out(), args.outputs[0]);
  const ir::Shape& shape = args.call.out().shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t at = ir::offset_of(shape, index);
    out(at, function(in(at)));
  });
}

// `instructions`: vector instructions per 128 bytes of output, requantization included.
template <double (*function)(double), uint64_t instructions>
OpDef unary_op(std::string_view type) {
  return {
      .type = type,
      .schema = {.inputs = {{"input"}},
                 .outputs = {{"output"}},
                 .type_rows = {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8"}},
      .check = [](const OpCall& call) { return expect_shape("output", call.out().shape, call.in(0).shape); },
      .input_box = [](const OpCall&, size_t, const ir::Box& output) { return output; },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, instructions, 2 * box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_unary<function>}},
  };
}

}  // namespace openqnn::ops
