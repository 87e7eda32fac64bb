// SPDX-License-Identifier: BSD-3-Clause
// Moments: mean and variance over the axes.
#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes read or written, and reads of the input; ours: a pass of sums, a pass of
// squares.
constexpr uint64_t kMomentInstructions8 = 24;
constexpr uint64_t kMomentInstructions16 = 8;
constexpr uint64_t kPasses = 2;

// `axes` is signed: negative ones count from the end, as in TensorFlow's op of that name (ours).
Reduced moments_of(const OpCall& call) {
  return {.input = call.in(0).shape,
          .axes = axes_of(*call.params, call.in(0).shape.rank()),
          .keep_dims = call.params->boolean("keep_dims", false)};
}

Status check_moments(const OpCall& call) {
  OPENQNN_TRY(check_axes(*call.params, call.in(0).shape));
  const ir::Shape expected = moments_of(call).output();
  OPENQNN_TRY(expect_shape("output 0 (mean)", call.out(0).shape, expected));
  return expect_shape("output 1 (variance)", call.out(1).shape, expected);
}

// The variance is the population's: the sum of squares divided by n, as in TensorFlow (ours).
void run_moments(const KernelArgs& args, const ir::Box& region) {
  const Reduced reduced = moments_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write_mean(args.call.out(0), args.outputs[0]);
  const ElementWriter write_variance(args.call.out(1), args.outputs[1]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const ir::Box input = reduced.input_box(box_at(index));
    const auto count = static_cast<double>(input.elements());
    double sum = 0.0;
    for_each_offset(reduced.input, input, [&](uint64_t at) { sum += read(at); });
    const double mean = sum / count;
    double squares = 0.0;
    for_each_offset(reduced.input, input,
                    [&](uint64_t at) { squares += (read(at) - mean) * (read(at) - mean); });
    const uint64_t out = ir::offset_of(args.call.out().shape, index);
    write_mean(out, mean);
    write_variance(out, squares / count);
  });
}

}  // namespace

OpDef moments() {
  return {
      .type = "Moments",
      .our_rows = {"f16 -> f16,f16", "f32 -> f32,f32", "ufx8 -> ufx8,ufx8", "ufx16 -> ufx16,ufx16"},
      .check = check_moments,
      .work =
          [](const OpCall& call, const ir::Box& output) {
            const bool half = call.in(0).type == ir::DataType::kFloat16;
            return input_work(call, moments_of(call).input_box(output), output,
                              half ? kMomentInstructions16 : kMomentInstructions8, kPasses);
          },
      .kernels = {{"reference", nullptr, run_moments}},
  };
}

}  // namespace openqnn::ops
