// SPDX-License-Identifier: BSD-3-Clause
// L2Norm: x / max(length, epsilon), where the length is that of the vector along the axes.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: one pass of squares, one to divide.
constexpr uint64_t kInstructions8 = 40;
constexpr uint64_t kInstructions16 = 14;
constexpr uint64_t kPasses = 2;

float epsilon_of(const OpCall& call) { return call.params->f32("epsilon", 1e-12F); }

// `axes` goes before `axis`; without either it is the first dimension, the default of `axis`.
ir::Shape cell_of(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  return cell_along(
      call.params->find("axes") ? axes_of(*call.params, shape.rank()) : one_axis(call.params->u32("axis", 0)),
      shape);
}

Status check_l2_norm(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  if (call.params->find("axes"))
    OPENQNN_TRY(check_axes(*call.params, shape));
  else
    OPENQNN_TRY(check_axis("axis", call.params->u32("axis", 0), shape));
  const float epsilon = epsilon_of(call);
  if (!std::isfinite(epsilon) || epsilon < 0.0F)
    return invalid("op-param-value", concat("epsilon ", epsilon, " is not a finite number of 0 or more"));
  return expect_shape("output", call.out().shape, shape);
}

void run_l2_norm(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const double epsilon = epsilon_of(args.call);
  for_each_cell(cell_of(args.call), region, [&](const ir::Box& cell) {
    double squares = 0.0;
    for_each_offset(shape, cell, [&](uint64_t at) { squares += read(at) * read(at); });
    const double length = std::max(std::sqrt(squares), epsilon);
    for_each_offset(shape, intersection(cell, region), [&](uint64_t at) { write(at, read(at) / length); });
  });
}

}  // namespace

const OpDef& l2_norm() {
  static const OpDef op = {
      .type = "L2Norm",
      .check = check_l2_norm,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return whole_cells(cell_of(call), output); },
      .split_axes = [](const OpCall& call) { return cell_split_axes(call.out().shape, cell_of(call)); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            const bool half = call.out().type == ir::DataType::kFloat16;
            const uint64_t read = box_bytes(call.in(0), whole_cells(cell_of(call), output));
            return vector_work(call, output, half ? kInstructions16 : kInstructions8,
                               saturating_multiply(kPasses, read) + box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_l2_norm}},
  };
  return op;
}

}  // namespace openqnn::ops
