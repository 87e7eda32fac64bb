// SPDX-License-Identifier: BSD-3-Clause
// Argmax and Argmin: where the largest or smallest element along an axis stands.
#include <cmath>

#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes read or written; ours: compare, and select the value and its index.
constexpr uint64_t kArgInstructions = 8;

Reduced searched_of(const OpCall& call) {
  return {.input = call.in(0).shape,
          .axes = one_axis(call.params->u32("axis", 0)),
          .keep_dims = call.params->boolean("keep_dims", false)};
}

Status check_arg(const OpCall& call) {
  OPENQNN_TRY(check_axis("axis", call.params->u32("axis", 0), call.in(0).shape));
  return expect_shape("output", call.out().shape, searched_of(call).output());
}

bool larger(double a, double b) { return a > b; }
bool smaller(double a, double b) { return a < b; }

// Of equal elements the first wins, as ONNX and its clients expect (ours: the definition does not say); the
// first NaN wins over all others (ours, as in NumPy).
template <bool (*wins)(double, double)>
void run_arg(const KernelArgs& args, const ir::Box& region) {
  const Reduced reduced = searched_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    double best = 0.0;
    uint64_t winner = 0;
    uint64_t position = 0;
    for_each_offset(reduced.input, reduced.input_box(box_at(index)), [&](uint64_t at) {
      const double x = read(at);
      if (position == 0 || wins(x, best) || (std::isnan(x) && !std::isnan(best))) {
        best = x;
        winner = position;
      }
      ++position;
    });
    write(ir::offset_of(args.call.out().shape, index), static_cast<double>(winner));
  });
}

template <bool (*wins)(double, double)>
OpDef arg_op(std::string_view type) {
  return {
      .type = type,
      .check = check_arg,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return searched_of(call).input_box(output); },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return input_work(call, searched_of(call).input_box(output), output, kArgInstructions, 1);
          },
      .kernels = {{"reference", nullptr, run_arg<wins>}},
  };
}

}  // namespace

OpDef argmax() { return arg_op<larger>("Argmax"); }
OpDef argmin() { return arg_op<smaller>("Argmin"); }

}  // namespace openqnn::ops
