// SPDX-License-Identifier: BSD-3-Clause
// Ops that read an image at positions computed from a second input: GridSample, ImageProjectionTransform.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/vision/sample.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: the position, then gather and multiply-add per tap.
constexpr uint64_t kPositionInstructions = 8;
constexpr uint64_t kSampleInstructionsPerTap = 3;

uint64_t sample_instructions(size_t spatial, bool nearest) {
  return kPositionInstructions + kSampleInstructionsPerTap * (nearest ? 1 : uint64_t{1} << spatial);
}

// ---- GridSample ----

enum class SamplePadding : uint8_t { kZeros, kBorder, kReflection };

// Mirrors a position at `low` and `high` until it lies between them. What cannot be mirrored (NaN, infinity)
// is NaN.
double reflect(double at, double low, double high) {
  const double span = high - low;
  if (!(span > 0.0)) return low;
  const double rest = std::fmod(std::fabs(at - low), 2.0 * span);
  return low + (rest > span ? 2.0 * span - rest : rest);
}

// Where a grid value lies along a dimension, brought inside unless what is outside is zero. A position that
// is no number is 0 there; ours, as torch.
double grid_position(double grid, uint32_t size, bool align_corners, SamplePadding padding) {
  const auto extent = static_cast<double>(size);
  double at = align_corners ? (grid + 1.0) / 2.0 * (extent - 1.0) : ((grid + 1.0) * extent - 1.0) / 2.0;
  if (padding == SamplePadding::kZeros) return at;
  if (padding == SamplePadding::kReflection)
    at = align_corners ? reflect(at, 0.0, extent - 1.0) : reflect(at, -0.5, extent - 0.5);
  return std::isnan(at) ? 0.0 : std::clamp(at, 0.0, extent - 1.0);
}

Status check_grid_sample(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& grid = call.in(1).shape;
  const size_t rank = in.rank();
  if (rank != 4 && rank != 5)
    return invalid("op-rank", concat("input has shape ", in.to_string(),
                                     " where [b, h, w, c] or [b, d, h, w, c] is needed"));
  OPENQNN_TRY(check_rank(call.in(1), "grid", rank, rank == 4 ? "[b, h, w, 2]" : "[b, d, h, w, 3]"));
  ir::Shape expected_grid = grid;
  expected_grid[0] = in[0];
  expected_grid[rank - 1] = static_cast<uint32_t>(rank - 2);
  OPENQNN_TRY(expect_shape("grid", grid, expected_grid));
  OPENQNN_TRY(check_choice(call, "mode", 1, "0 (bilinear) or 1 (nearest)"));
  OPENQNN_TRY(check_choice(call, "padding_mode", 2, "0 (zeros), 1 (border) or 2 (reflection)"));
  ir::Shape expected = grid;
  expected[rank - 1] = in[rank - 1];
  return expect_shape("output", call.out().shape, expected);
}

// The grid's own positions, and every pixel of the images they may point to.
ir::Box grid_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  const size_t last = output.rank() - 1;
  ir::Box box = index == 0 ? ir::Box::whole(call.in(0).shape) : output;
  if (index == 0) {
    take_axis(box, 0, output, 0);
    take_axis(box, last, output, last);
  } else {
    box.begin[last] = 0;
    box.end[last] = call.in(1).shape[last];
  }
  return box;
}

void run_grid_sample(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(0).shape;
  const size_t spatial = in.rank() - 2;
  const bool nearest = call.params->u32("mode", 0) == 1;
  const bool align_corners = call.params->boolean("align_corners", false);
  const auto padding = static_cast<SamplePadding>(call.params->u32("padding_mode", 0));
  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementReader grid(call.in(1), args.inputs[1]);
  const ElementWriter write(call.out(), args.outputs[0]);
  KernelMemory memory(args);
  auto taps = memory.vector<Taps>(spatial);
  for (Taps& axis : taps) axis.reserve(kLinearTaps);
  for_each_pixel(region, [&](const ir::Shape& index) {
    const uint64_t values = ir::offset_of(call.in(1).shape, index);
    for (size_t i = 0; i < spatial; ++i) {
      // The grid has x first, the image has it last.
      const double at = grid_position(grid(values + spatial - 1 - i), in[1 + i], align_corners, padding);
      taps[i].clear();
      if (nearest)
        add_nearest_tap(taps[i], ::roundeven(at), in[1 + i]);
      else
        add_linear_taps(taps[i], at, in[1 + i]);
    }
    write_pixel(write, call.out().shape, index, region,
                [&](uint32_t c) { return sample(index[0], taps, c); });
  });
}

uint64_t sampling_scratch(const OpCall& call) {
  const uint64_t spatial = call.in(0).shape.rank() - 2;
  return room_for<Taps>(spatial) + spatial * room_for<Tap>(kLinearTaps);
}

// ---- ImageProjectionTransform ----

// One transform for each image, or one for all of them (TensorFlow's rule).
constexpr uint64_t kTransformValues = 8;

Status check_projection(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  const uint64_t values = call.in(1).shape.elements();
  if (values != kTransformValues && values != kTransformValues * in[0])
    return invalid("op-shape",
                   concat("transform has shape ", call.in(1).shape.to_string(), " where 8 values, or ",
                          "8 for each of the ", in[0], " images, are needed"));
  OPENQNN_TRY(check_choice(call, "interpolation_mode", 1, "0 (bilinear) or 1 (nearest)"));
  return expect_shape("output", call.out().shape, in);
}

ir::Box projection_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  if (index == 0) return grid_input_box(call, 0, output);
  return output.empty() ? empty_box(call.in(1).shape) : ir::Box::whole(call.in(1).shape);
}

struct Position {
  double x;
  double y;
};

// A point at infinity is no number, and so lies outside.
Position project(const std::array<double, kTransformValues>& m, double x, double y) {
  const double k = m[6] * x + m[7] * y + 1.0;
  return {(m[0] * x + m[1] * y + m[2]) / k, (m[3] * x + m[4] * y + m[5]) / k};
}

// Outside the image is 0, as in TensorFlow (the definition does not say).
void run_projection(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(0).shape;
  const bool nearest = call.params->u32("interpolation_mode", 0) == 1;
  const bool shared = call.in(1).shape.elements() == kTransformValues;
  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementReader transform(call.in(1), args.inputs[1]);
  const ElementWriter write(call.out(), args.outputs[0]);
  KernelMemory memory(args);
  std::array taps = {memory.room<Tap>(kLinearTaps), memory.room<Tap>(kLinearTaps)};
  for_each_pixel(region, [&](const ir::Shape& index) {
    std::array<double, kTransformValues> matrix{};
    for (uint64_t i = 0; i < kTransformValues; ++i)
      matrix[i] = transform((shared ? 0 : index[0] * kTransformValues) + i);
    const Position at = project(matrix, index[2], index[1]);
    for (Taps& axis : taps) axis.clear();
    if (nearest) {
      add_nearest_tap(taps[0], std::round(at.y), in[1]);
      add_nearest_tap(taps[1], std::round(at.x), in[2]);
    } else {
      add_linear_taps(taps[0], at.y, in[1]);
      add_linear_taps(taps[1], at.x, in[2]);
    }
    write_pixel(write, call.out().shape, index, region,
                [&](uint32_t c) { return sample(index[0], taps, c); });
  });
}

template <const char* mode, ir::Box (*needs)(const OpCall&, size_t, const ir::Box&)>
Work sampling_work(const OpCall& call, const ir::Box& output) {
  const bool nearest = call.params->u32(mode, 0) == 1;
  return vector_work(call, output, sample_instructions(call.in(0).shape.rank() - 2, nearest),
                     box_bytes(call.in(0), needs(call, 0, output)) +
                         box_bytes(call.in(1), needs(call, 1, output)) + box_bytes(call.out(), output));
}

constexpr char kGridMode[] = "mode";
constexpr char kProjectionMode[] = "interpolation_mode";

}  // namespace

OpDef grid_sample() {
  return {
      .type = "GridSample",
      .check = check_grid_sample,
      .input_box = grid_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = sampling_work<kGridMode, grid_input_box>,
      .kernels = {reference_kernel(run_grid_sample, sampling_scratch)},
  };
}

OpDef image_projection_transform() {
  return {
      .type = "ImageProjectionTransform",
      // The table lists the image's type only; the transform is float like it.
      .our_rows = {"f32,f32 -> f32", "f16,f16 -> f16"},
      .check = check_projection,
      .input_box = projection_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = sampling_work<kProjectionMode, projection_input_box>,
      .kernels = {reference_kernel(run_projection, sampling_scratch)},
  };
}

}  // namespace openqnn::ops
