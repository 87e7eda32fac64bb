// SPDX-License-Identifier: BSD-3-Clause
// Resize, ResizeBilinear, ResizeNearestNeighbor: every dimension between batch and channel is resized by
// itself, so an output is a sum over the taps of each.
#include <array>
#include <cstring>
#include <span>
#include <tuple>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/vision/fast/resize_kernel.h"
#include "ops/vision/resize_axis.h"
#include "ops/vision/sample.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: load and multiply-add per tap.
constexpr uint64_t kResizeInstructionsPerTap = 2;

// ---- The op, given its rule ----

using RuleFn = ResizeRule (*)(const OpCall& call);

// One behind the last dimension that is resized; the first is 1.
size_t end_of_axes(const OpCall& call) { return call.in(0).shape.rank() - 1; }

// Batch and channels stay, the others are whatever the output says.
Status check_shapes(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  ir::Shape expected = call.out().shape;
  if (expected.rank() != in.rank())
    return invalid("op-rank", concat("output has shape ", expected.to_string(),
                                     " where the rank of the input, ", in.rank(), ", is needed"));
  expected[0] = in[0];
  expected[in.rank() - 1] = in[in.rank() - 1];
  return expect_shape("output", call.out().shape, expected);
}

template <RuleFn rule>
ir::Box resize_input_box(const OpCall& call, size_t, const ir::Box& output) {
  const ResizeRule how = rule(call);
  ir::Box box = output;
  for (size_t i = 1; i < end_of_axes(call); ++i)
    std::tie(box.begin[i], box.end[i]) = resize_axis(call, how, i).inputs(output.begin[i], output.end[i]);
  return box;
}

template <RuleFn rule>
Work resize_work(const OpCall& call, const ir::Box& output) {
  const ResizeRule how = rule(call);
  uint64_t instructions = kResizeInstructionsPerTap;
  for (size_t i = 1; i < end_of_axes(call); ++i)
    instructions = saturating_multiply(instructions, resize_axis(call, how, i).usual_taps());
  return vector_work(
      call, output, instructions,
      box_bytes(call.in(0), resize_input_box<rule>(call, 0, output)) + box_bytes(call.out(), output));
}

// Elements are moved, not computed: the bytes stay.
void copy_pixel(const KernelArgs& args, const ir::Shape& index, std::span<const std::span<const Tap>> taps,
                const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const size_t last = in.rank() - 1;
  ir::Shape from = index;
  for (size_t i = 0; i < taps.size(); ++i) from[1 + i] = taps[i][0].index;
  const size_t size = ir::byte_size(args.call.out().type);
  const uint64_t first = region.begin[last];
  std::memcpy(args.outputs[0] + (ir::offset_of(args.call.out().shape, index) + first) * size,
              args.inputs[0] + (ir::offset_of(in, from) + first) * size, region.extent(last) * size);
}

// The taps of every output along each dimension.
template <RuleFn rule>
uint64_t resize_scratch(const OpCall& call) {
  const ResizeRule how = rule(call);
  uint64_t bytes = room_for<KernelVector<Taps>>(end_of_axes(call) - 1);
  for (size_t i = 1; i < end_of_axes(call); ++i) {
    const uint64_t one = sizeof(Taps) + room_for<Tap>(resize_axis(call, how, i).most_taps());
    bytes = saturating_add(bytes, saturating_multiply(call.out().shape[i] + uint64_t{1}, one));
  }
  return bytes;
}

template <RuleFn rule>
void run_resize(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const ResizeRule how = rule(call);
  const size_t axes = end_of_axes(call) - 1;
  KernelMemory memory(args);
  auto all = memory.vector<KernelVector<Taps>>(axes);  // per dimension, per output position of the region
  for (size_t i = 0; i < axes; ++i) {
    const ResizeAxis axis = resize_axis(call, how, 1 + i);
    all[i].resize(region.extent(1 + i));
    for (uint32_t o = 0; o < region.extent(1 + i); ++o) {
      all[i][o].reserve(axis.most_taps());
      axis.add_taps(all[i][o], region.begin[1 + i] + o);
    }
  }

  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  const bool moves = moves_pixels(call, how);
  std::array<std::span<const Tap>, ir::kMaxRank> of_pixel;
  const auto taps = std::span(of_pixel).first(axes);
  for_each_pixel(region, [&](const ir::Shape& index) {
    for (size_t i = 0; i < axes; ++i) taps[i] = all[i][index[1 + i] - region.begin[1 + i]];
    if (moves) return copy_pixel(args, index, taps, region);
    write_pixel(write, call.out().shape, index, region,
                [&](uint32_t c) { return sample(index[0], taps, c); });
  });
}

// ---- Fast kernels ----

template <RuleFn rule>
Kernel nearest_kernel() {
  return {.name = "pixels",
          .declines = [](const OpCall& call) { return fast::declines_pixels(call, rule(call)); },
          .run = [](const KernelArgs& args,
                    const ir::Box& region) { fast::run_pixels(args, rule(args.call), region); },
          .scratch_bytes = [](const OpCall& call) { return fast::pixels_scratch(call, rule(call)); }};
}

template <RuleFn rule>
Kernel row_kernel() {
  return {.name = "rows",
          .declines = [](const OpCall& call) { return fast::declines_resized_rows(call, rule(call)); },
          .run = [](const KernelArgs& args,
                    const ir::Box& region) { fast::run_resized_rows(args, rule(args.call), region); },
          .scratch_bytes = [](const OpCall& call) { return fast::resized_rows_scratch(call, rule(call)); }};
}

template <RuleFn rule, Status (*check)(const OpCall&)>
OpDef resize_op(std::string_view type) {
  return {
      .type = type,
      .check = check,
      .input_box = resize_input_box<rule>,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = resize_work<rule>,
      .kernels = {nearest_kernel<rule>(), row_kernel<rule>(),
                  reference_kernel(run_resize<rule>, resize_scratch<rule>)},
  };
}

// ---- Resize ----

// What the backend picks when nearest_mode is not given: floor, and with aligned corners the rounding that a
// corner needs.
ResizeNearest default_nearest(ResizePlace place) {
  return place == ResizePlace::kAlignCorners ? ResizeNearest::kRoundPreferCeil : ResizeNearest::kFloor;
}

ResizeRule resize_rule(const OpCall& call) {
  const ir::Params& params = *call.params;
  ResizeRule rule;
  rule.place = static_cast<ResizePlace>(params.u32("transformation_mode", 0));
  rule.filter = static_cast<ResizeFilter>(params.u32("interpolation_mode", 0));
  rule.nearest = static_cast<ResizeNearest>(
      params.u32("nearest_mode", static_cast<uint32_t>(default_nearest(rule.place))));
  rule.cubic = static_cast<double>(params.f32("cubic_coeff", -0.75F));
  // A nearest pixel is always inside, and a linear sample is the same with and without it.
  rule.exclude_outside = rule.filter == ResizeFilter::kCubic && params.boolean("exclude_outside", false);
  return rule;
}

Status check_resize(const OpCall& call) {
  const size_t rank = call.in(0).shape.rank();
  if (rank < 3)
    return invalid("op-rank",
                   concat("input has rank ", rank, " where [b, D1, ..., c] of rank 3 to 5 is needed"));
  OPENQNN_TRY(check_choice(call, "transformation_mode", 3,
                           "0 (half pixel), 1 (pytorch half pixel), 2 (align corners) or 3 (asymmetric)"));
  OPENQNN_TRY(check_choice(call, "interpolation_mode", 2, "0 (nearest), 1 (linear) or 2 (cubic)"));
  OPENQNN_TRY(check_choice(call, "nearest_mode", 3,
                           "0 (round prefer floor), 1 (round prefer ceil), 2 (floor) or 3 (ceil)"));
  OPENQNN_TRY(check_finite(call, "cubic_coeff", 1));
  return check_shapes(call);
}

// ---- ResizeBilinear, ResizeNearestNeighbor ----

Status check_image_resize(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  if (call.params->boolean("align_corners", false) && call.params->boolean("half_pixel_centers", false))
    return invalid("op-param-value", "align_corners and half_pixel_centers are both set")
        .fix_by("set at most one of them");
  return check_shapes(call);
}

ResizePlace image_place(const OpCall& call) {
  if (call.params->boolean("align_corners", false)) return ResizePlace::kAlignCorners;
  return call.params->boolean("half_pixel_centers", false) ? ResizePlace::kHalfPixel
                                                           : ResizePlace::kAsymmetric;
}

// antialias: the linear filter is as wide as the input pixels that an output pixel covers, with weights that
// sum to 1, and reads the border outside; ONNX's meaning, ours for lack of a definition.
ResizeRule bilinear_rule(const OpCall& call) {
  return {.place = image_place(call),
          .filter = ResizeFilter::kLinear,
          .antialias = call.params->boolean("antialias", false)};
}

// TensorFlow's: floor(o * in / out); round(o * (in - 1) / (out - 1)) with aligned corners;
// floor((o + 0.5) * in / out) with half pixel centres, which is the source position rounded half up.
ResizeRule nearest_rule(const OpCall& call) {
  const ResizePlace place = image_place(call);
  return {
      .place = place,
      .nearest = place == ResizePlace::kAsymmetric ? ResizeNearest::kFloor : ResizeNearest::kRoundPreferCeil};
}

}  // namespace

OpDef resize() { return resize_op<resize_rule, check_resize>("Resize"); }
OpDef resize_bilinear() { return resize_op<bilinear_rule, check_image_resize>("ResizeBilinear"); }
OpDef resize_nearest_neighbor() {
  return resize_op<nearest_rule, check_image_resize>("ResizeNearestNeighbor");
}

}  // namespace openqnn::ops
