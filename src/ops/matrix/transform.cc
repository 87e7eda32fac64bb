// SPDX-License-Identifier: BSD-3-Clause
// HadamardTransform and Stft: products with matrices that nobody stores.
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/optional_elements.h"

namespace openqnn::ops {
namespace {

// ---- HadamardTransform ----

Status check_hadamard(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  if (!std::has_single_bit(in.from_end(0)))
    return invalid("op-shape", concat("the last dimension of ", in.to_string(), " is not a power of two"));
  OPENQNN_TRY(check_finite(call, "scale"));
  return expect_shape("output", call.out().shape, in);
}

ir::Box rows_box(const ir::Shape& shape, const ir::Box& output) {
  ir::Box box = output;
  box.begin[box.rank() - 1] = 0;
  box.end[box.rank() - 1] = shape.from_end(0);
  return box;
}

Work hadamard_work(const OpCall& call, const ir::Box& output) {
  const ir::Box rows = rows_box(call.in(0).shape, output);
  // Sums and differences of neighbours, once per halving; widening and rounding at the ends. Ours.
  const uint64_t instructions = 2 * static_cast<uint64_t>(std::bit_width(call.in(0).shape.from_end(0))) + 6;
  return vector_work(call, output.empty() ? output : rows, instructions,
                     box_bytes(call.in(0), rows) + box_bytes(call.out(), output));
}

// H[i][j] = (-1)^(ones of i & j), in natural order: sums and differences over ever larger distances.
void transform(std::span<double> row) {
  for (size_t distance = 1; distance < row.size(); distance *= 2)
    for (size_t first = 0; first < row.size(); first += 2 * distance)
      for (size_t i = first; i < first + distance; ++i) {
        const double a = row[i];
        const double b = row[i + distance];
        row[i] = a + b;
        row[i + distance] = a - b;
      }
}

void run_hadamard(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const size_t last = region.rank() - 1;
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const double factor =
      double{args.call.params->f32("scale", 1.0F)} / std::sqrt(static_cast<double>(shape[last]));
  KernelMemory memory(args);
  auto row = memory.vector<double>(shape[last]);
  ir::Box rows = region;
  if (region.empty()) return;
  rows.end[last] = rows.begin[last] + 1;
  ir::for_each_index(rows, [&](const ir::Shape& at) {
    const uint64_t first = ir::offset_of(shape, at) - at[last];
    for (size_t i = 0; i < row.size(); ++i) row[i] = read(first + i);
    transform(row);
    for (uint32_t i = region.begin[last]; i < region.end[last]; ++i) write(first + i, row[i] * factor);
  });
}

// ---- Stft ----

enum : size_t { kSignal, kWindow };

uint32_t frame_length(const OpCall& call) {
  const uint32_t given = call.params->u32("frame_length", 0);
  return given == 0 && call.has_input(kWindow) ? call.in(kWindow).shape[0] : given;
}

Status check_stft(const OpCall& call) {
  const ir::Shape& signal = call.in(kSignal).shape;
  if (signal.rank() != 3 || signal[2] > 2)
    return invalid("op-shape", concat("signal has shape ", signal.to_string(),
                                      " where [b, length, 1] or [b, length, 2] is needed"));
  const uint32_t step = call.params->u32("frame_step", 0);
  if (step == 0) return invalid("op-param-value", "frame_step is 0 or absent").fix_by("use 1 or more");
  const uint32_t length = frame_length(call);
  if (length == 0 || length > signal[1])
    return invalid("op-param-value", concat("frames of ", length, " do not fit a signal of ", signal[1]));
  if (call.has_input(kWindow)) OPENQNN_TRY(expect_shape("window", call.in(kWindow).shape, {length}));
  const bool onesided = call.params->boolean("onesided", true);
  if (onesided && signal[2] == 2)
    return invalid("op-param-value", "onesided is for real signals, and the signal is complex")
        .fix_by("set onesided to 0");
  return expect_shape("output", call.out().shape,
                      {signal[0], (signal[1] - length) / step + 1, onesided ? length / 2 + 1 : length, 2});
}

ir::Box stft_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(index).shape);
  if (index == kWindow || output.empty()) return box;
  const uint32_t step = call.params->u32("frame_step", 1);
  take_axis(box, 0, output, 0);
  box.begin[1] = output.begin[1] * step;
  box.end[1] = (output.end[1] - 1) * step + frame_length(call);
  return box;
}

Work stft_work(const OpCall& call, const ir::Box& output) {
  // A product of each frame with a row of the transform's matrix (ours).
  const uint64_t instructions = saturating_multiply(frame_length(call), 2) + 2;
  return vector_work(
      call, output, instructions,
      box_bytes(call.in(kSignal), stft_input_box(call, kSignal, output)) + box_bytes(call.out(), output));
}

void run_stft(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& signal = call.in(kSignal).shape;
  const uint64_t step = call.params->u32("frame_step", 1);
  const uint64_t length = frame_length(call);
  const bool is_complex = signal[2] == 2;
  const ElementReader read(call.in(kSignal), args.inputs[kSignal]);
  const OptionalReader window(args, kWindow);
  const ElementWriter write(call.out(), args.outputs[0]);
  KernelMemory memory(args);
  auto cosine = memory.vector<double>(length);
  auto sine = memory.vector<double>(length);
  for (uint64_t i = 0; i < length; ++i) {
    const double angle = kTwoPi * static_cast<double>(i) / static_cast<double>(length);
    cosine[i] = portable_cos(angle);
    sine[i] = portable_sin(angle);
  }
  ir::for_each_index(region, [&](const ir::Shape& at) {
    const uint64_t first = uint64_t{at[0]} * signal[1] + at[1] * step;
    const bool imaginary = at[3] == 1;
    double sum = 0.0;
    for (uint64_t t = 0; t < length; ++t) {
      const double weight = window.present() ? window(t) : 1.0;
      const double re = read((first + t) * signal[2]) * weight;
      const double im = is_complex ? read((first + t) * 2 + 1) * weight : 0.0;
      const uint64_t angle = t * at[2] % length;  // times e^(-i angle)
      sum += imaginary ? im * cosine[angle] - re * sine[angle] : re * cosine[angle] + im * sine[angle];
    }
    write(ir::offset_of(call.out().shape, at), sum);
  });
}

}  // namespace

OpDef hadamard_transform() {
  return {
      .type = "HadamardTransform",
      // What clients send (16 bits); the others are ours.
      .our_rows = {"ufx16 -> ufx16", "sfx16 -> sfx16", "ufx8 -> ufx8", "sfx8 -> sfx8", "f16 -> f16",
                   "f32 -> f32"},
      .check = check_hadamard,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return rows_box(call.in(0).shape, output); },
      .split_axes =
          [](const OpCall& call) {
            std::vector<SplitAxis> axes;
            for (uint32_t axis = 0; axis + 1 < call.out().shape.rank(); ++axis) axes.push_back({axis, 1});
            return axes;
          },
      .work = hadamard_work,
      .kernels = {reference_kernel(
          run_hadamard, [](const OpCall& call) { return room_for<double>(call.out().shape.from_end(0)); })},
  };
}

OpDef stft() {
  return {
      .type = "Stft",
      .our_rows = {"f16,f16 -> f16", "f32,f32 -> f32"},  // named in release notes, listed nowhere
      .check = check_stft,
      .input_box = stft_input_box,
      .split_axes =
          [](const OpCall&) {
            return std::vector<SplitAxis>{{1, 1}, {2, 1}, {0, 1}};
          },
      .work = stft_work,
      .kernels = {reference_kernel(
          run_stft, [](const OpCall& call) { return 2 * room_for<double>(frame_length(call)); })},
  };
}

}  // namespace openqnn::ops
