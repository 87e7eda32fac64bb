// SPDX-License-Identifier: BSD-3-Clause
// L2Norm: x / max(length, epsilon), where the length is that of the vector along the axes.
#include <algorithm>
#include <cmath>

#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

constexpr CellCost kL2NormCost = {40, 14, 2};  // ours: one pass of squares, one to divide

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
  OPENQNN_TRY(check_epsilon(call));
  return expect_shape("output", call.out().shape, shape);
}

void run_l2_norm(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const double epsilon = args.call.params->f32("epsilon", 1e-12F);
  for_each_cell(cell_of(args.call), region, [&](const ir::Box& cell) {
    double squares = 0.0;
    for_each_offset(shape, cell, [&](uint64_t at) { squares += read(at) * read(at); });
    const double length = std::max(std::sqrt(squares), epsilon);
    for_each_offset(shape, intersection(cell, region), [&](uint64_t at) { write(at, read(at) / length); });
  });
}

}  // namespace

OpDef l2_norm() {
  return cell_op<cell_of, kL2NormCost>("L2Norm", check_l2_norm, {"reference", nullptr, run_l2_norm});
}

}  // namespace openqnn::ops
