// SPDX-License-Identifier: BSD-3-Clause
// Correlation1D: how alike two images are when one is moved sideways.
#include <algorithm>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// For output d at column w, b is read at column w + d + this.
int64_t first_shift(const OpCall& call) {
  return int64_t{call.params->i32("shift", 0)} - call.params->u32("displacement", 0);
}

Status check_correlation(const OpCall& call) {
  const ir::Shape& a = call.in(0).shape;
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  OPENQNN_TRY(expect_shape("input b", call.in(1).shape, a));
  const uint64_t shifts = 2 * uint64_t{call.params->u32("displacement", 0)} + 1;
  if (shifts > UINT32_MAX)
    return invalid("op-param-value", concat("displacement gives ", shifts, " outputs"));
  return expect_shape("output", call.out().shape, {a[0], a[1], a[2], static_cast<uint32_t>(shifts)});
}

ir::Box correlation_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = output;
  const uint32_t width = call.in(index).shape[2];
  box.begin[3] = 0;
  box.end[3] = call.in(index).shape[3];
  if (index == 0 || output.empty()) return box;
  const auto clip = [&](int64_t at) { return static_cast<uint32_t>(std::clamp<int64_t>(at, 0, width)); };
  const int64_t shift = first_shift(call);
  box.begin[2] = clip(shift + output.begin[2] + output.begin[3]);
  box.end[2] = clip(shift + output.end[2] + output.end[3] - 1);
  return box;
}

Work correlation_work(const OpCall& call, const ir::Box& output) {
  uint64_t bytes = box_bytes(call.out(), output);
  for (size_t i = 0; i < 2; ++i) bytes += box_bytes(call.in(i), correlation_input_box(call, i, output));
  // A multiply and an add per channel, and the division (ours).
  return vector_work(call, output, 2 * uint64_t{call.in(0).shape[3]} + 4, bytes);
}

// The mean over the channels; outside the image b is 0.
void run_correlation(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const ElementReader read_a(args.call.in(0), args.inputs[0]);
  const ElementReader read_b(args.call.in(1), args.inputs[1]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const int64_t shift = first_shift(args.call);
  ir::for_each_index(region, [&](const ir::Shape& at) {
    const int64_t column = shift + at[2] + at[3];
    double sum = 0.0;
    if (column >= 0 && column < in[2]) {
      const uint64_t a = ir::offset_of(in, {at[0], at[1], at[2], 0});
      const uint64_t b = ir::offset_of(in, {at[0], at[1], static_cast<uint32_t>(column), 0});
      for (uint32_t channel = 0; channel < in[3]; ++channel) sum += read_a(a + channel) * read_b(b + channel);
    }
    write(ir::offset_of(args.call.out().shape, at), sum / in[3]);
  });
}

}  // namespace

OpDef correlation_1d() {
  return {
      .type = "Correlation1D",
      .our_rows = {"f16,f16 -> f16", "f32,f32 -> f32", "ufx8,ufx8 -> ufx8", "ufx16,ufx16 -> ufx16"},
      .check = check_correlation,
      .input_box = correlation_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = correlation_work,
      .kernels = {{"reference", nullptr, run_correlation}},
  };
}

}  // namespace openqnn::ops
