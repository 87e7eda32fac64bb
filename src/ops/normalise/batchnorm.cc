// SPDX-License-Identifier: BSD-3-Clause
// Batchnorm: weight * x + bias by channel; mean and variance are folded into the two.
#include "ops/normalise/affine.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: widen, multiply, add, narrow.
constexpr uint64_t kInstructions8 = 10;
constexpr uint64_t kInstructions16 = 3;

Status check_batchnorm(const OpCall& call) {
  OPENQNN_TRY(check_affine(call, "weight", "bias"));
  OPENQNN_TRY(check_symmetric(call, 1, "weight"));
  OPENQNN_TRY(check_symmetric(call, 2, "bias"));
  return expect_shape("output", call.out().shape, call.in(0).shape);
}

void run_batchnorm(const KernelArgs& args, const ir::Box& region) {
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const Affine affine(args);
  const ir::Shape& shape = args.call.out().shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t at = ir::offset_of(shape, index);
    write(at, affine(read(at), at));
  });
}

}  // namespace

OpDef batchnorm() {
  return {
      .type = "Batchnorm",
      .check = check_batchnorm,
      .input_box = [](const OpCall&, size_t index,
                      const ir::Box& output) { return index == 0 ? output : channel_box(output); },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            const bool half = call.out().type == ir::DataType::kFloat16;
            return vector_work(call, output, half ? kInstructions16 : kInstructions8,
                               2 * box_bytes(call.out(), output));
          },
      .clamps_as_it_writes = true,
      .kernels = {{"reference", nullptr, run_batchnorm}},
  };
}

}  // namespace openqnn::ops
