// SPDX-License-Identifier: BSD-3-Clause
// Softmax over the last axis.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/exp.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: one pass for the maximum, one for the exponential and
// the sum (a short polynomial; four times the lanes when 8-bit values are widened to float), one to divide.
constexpr uint64_t kSoftmaxInstructions8 = 96;
constexpr uint64_t kSoftmaxInstructions16 = 48;
constexpr uint64_t kSoftmaxPasses = 3;  // over the input; the output is written once

float beta_of(const OpCall& call) { return call.params->f32("beta", 1.0F); }

Status check_softmax(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  const auto last = static_cast<uint32_t>(shape.rank() - 1);
  const uint32_t axis = call.params->u32("axis", last);
  if (axis >= shape.rank())
    return invalid("op-param-value", concat("axis ", axis, " is not a dimension of ", shape.to_string()))
        .fix_by("count axes from 0");
  if (axis != last)
    return unsupported("op-param-value", concat("axis ", axis, " is not the last one of ", shape.to_string()))
        .note("HTP offers Softmax on the last axis only")
        .fix_by("transpose around the op");
  const float beta = beta_of(call);
  if (!(beta > 0.0F) || !std::isfinite(beta))
    return invalid("op-param-value", concat("beta ", beta, " is not a finite positive number"));
  return expect_shape("output", call.out().shape, shape);
}

ir::Box softmax_input_box(const OpCall& call, size_t, const ir::Box& output) {
  ir::Box box = output;
  const size_t last = box.rank() - 1;
  box.begin[last] = 0;
  box.end[last] = output.empty() ? 0 : call.in(0).shape[last];
  return box;
}

std::vector<SplitAxis> softmax_split_axes(const OpCall& call) {
  std::vector<SplitAxis> axes;
  for (uint32_t axis = 0; axis + 1 < call.out().shape.rank(); ++axis) axes.push_back({axis, 1});
  return axes;
}

Work softmax_work(const OpCall& call, const ir::Box& output) {
  const bool half = call.out().type == ir::DataType::kFloat16;
  const uint64_t read = kSoftmaxPasses * box_bytes(call.in(0), softmax_input_box(call, 0, output));
  return vector_work(call, output, half ? kSoftmaxInstructions16 : kSoftmaxInstructions8,
                     read + box_bytes(call.out(), output));
}

void run_softmax(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const size_t last = shape.rank() - 1;
  const double beta = beta_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);

  ir::Box rows = region;  // the first element of each row
  rows.begin[last] = 0;
  rows.end[last] = region.empty() ? 0 : 1;
  std::vector<double> weights(shape[last]);
  ir::for_each_index(rows, [&](const ir::Shape& index) {
    const uint64_t row = ir::offset_of(shape, index);
    double largest = read(row);
    for (uint32_t i = 1; i < shape[last]; ++i) largest = std::max(largest, read(row + i));
    double sum = 0.0;
    for (uint32_t i = 0; i < shape[last]; ++i) {
      weights[i] = portable_exp(beta * (read(row + i) - largest));
      sum += weights[i];
    }
    for (uint32_t i = region.begin[last]; i < region.end[last]; ++i) write(row + i, weights[i] / sum);
  });
}

}  // namespace

const OpDef& softmax() {
  static const OpDef op = {
      .type = "Softmax",
      .schema = {.inputs = {{"input"}},
                 .outputs = {{"output"}},
                 .params = {{"axis", ir::DataType::kUint32, {}}, {"beta", ir::DataType::kFloat32, {}}},
                 .type_rows = {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8"}},
      .check = check_softmax,
      .input_box = softmax_input_box,
      .split_axes = softmax_split_axes,
      .work = softmax_work,
      .kernels = {{"reference", nullptr, run_softmax}},
  };
  return op;
}

}  // namespace openqnn::ops
