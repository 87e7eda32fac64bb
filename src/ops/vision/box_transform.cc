// SPDX-License-Identifier: BSD-3-Clause
// Boxes moved by deltas: AxisAlignedBboxTransform (Android NN's) and BboxTransform (Caffe2's, for rotated
// boxes). Deltas are divided by the weights, and a region whose batch index names no image becomes zeros;
// ours.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/vision/boxes.h"

namespace openqnn::ops {
namespace {

constexpr uint64_t kInstructionsPerNumber = 12;  // ours

Work transform_work(const OpCall& call, const ir::Box&) {
  return whole_work(call, call.out(0).shape.elements(), kInstructionsPerNumber);
}

std::array<double, 4> weights_of(const OpCall& call) {
  std::array<double, 4> weights{};
  for (size_t i = 0; i < 4; ++i) weights[i] = static_cast<double>(call.params->f32_at("weights", i, 1.0F));
  return weights;
}

// Regions [n, size], deltas [n, classes * size] and the output alike.
Status check_deltas(const OpCall& call, uint32_t size) {
  OPENQNN_TRY(check_rank(call.in(0), "rois", 2, concat("[n, ", size, "]")));
  OPENQNN_TRY(check_rank(call.in(1), "deltas", 2, concat("[n, classes * ", size, "]")));
  const uint32_t regions = call.in(0).shape[0];
  const uint32_t width = call.in(1).shape[1];
  OPENQNN_TRY(expect_shape("rois", call.in(0).shape, {regions, size}));
  OPENQNN_TRY(expect_shape("deltas", call.in(1).shape, {regions, width}));
  if (width % size != 0)
    return invalid("op-shape",
                   concat("deltas have ", width, " numbers for each region, not a multiple of ", size));
  return expect_shape("output", call.out(0).shape, {regions, width});
}

// The image of each region; without the operand they are all of image 0.
class BatchIndex {
 public:
  BatchIndex(const KernelArgs& args, size_t operand, uint32_t images)
      : data_(operand < args.inputs.size() ? args.inputs[operand] : nullptr), images_(images) {}

  // -1 when there is no such image.
  int64_t operator()(uint64_t region) const {
    const int64_t batch = data_ ? load<int32_t>(data_, region) : 0;
    return batch >= 0 && batch < images_ ? batch : -1;
  }

 private:
  const std::byte* data_;
  int64_t images_;
};

// How many regions each image has.
void write_splits(const KernelArgs& args, size_t output, const BatchIndex& batch_of, uint64_t regions) {
  if (output >= args.outputs.size() || !args.outputs[output]) return;
  const ir::TensorDesc& desc = args.call.out(output);
  KernelMemory memory(args);
  auto counts = memory.vector<uint64_t>(desc.shape[0]);
  for (uint64_t n = 0; n < regions; ++n)
    if (const int64_t batch = batch_of(n); batch >= 0) ++counts[static_cast<size_t>(batch)];
  const ElementWriter write(desc, args.outputs[output]);
  for (uint64_t i = 0; i < counts.size(); ++i) write(i, static_cast<double>(counts[i]));
}

uint64_t splits_scratch(const OpCall& call) {
  return call.has_output(1) ? room_for<uint64_t>(call.out(1).shape[0]) : 0;
}

// ---- AxisAlignedBboxTransform ----

Status check_aligned(const OpCall& call) {
  OPENQNN_TRY(check_deltas(call, 4));
  OPENQNN_TRY(check_rank(call.in(3), "image_size", 2, "[b, 2]"));
  const uint32_t images = call.in(3).shape[0];
  OPENQNN_TRY(expect_shape("batch_index", call.in(2).shape, {call.in(0).shape[0]}));
  OPENQNN_TRY(expect_shape("image_size", call.in(3).shape, {images, 2}));
  if (call.has_output(1)) OPENQNN_TRY(expect_shape("batch_splits", call.out(1).shape, {images}));
  return check_positive(call, "weights", 4);
}

void run_aligned(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const ElementReader rois(call.in(0), args.inputs[0]);
  const ElementReader deltas(call.in(1), args.inputs[1]);
  const ElementReader sizes(call.in(3), args.inputs[3]);
  const ElementWriter write(call.out(0), args.outputs[0]);
  const BatchIndex batch_of(args, 2, call.in(3).shape[0]);
  const std::array<double, 4> weights = weights_of(call);
  const uint64_t regions = call.in(0).shape[0];
  const uint64_t classes = call.in(1).shape[1] / 4;
  for (uint64_t n = 0; n < regions; ++n) {
    const int64_t batch = batch_of(n);
    const Corners roi = read_corners(rois, n);
    for (uint64_t i = n * classes; i < (n + 1) * classes; ++i) {
      Corners box;
      if (batch >= 0) {
        const auto image = static_cast<uint64_t>(batch);
        const Deltas moved = {deltas(i * 4) / weights[0], deltas(i * 4 + 1) / weights[1],
                              deltas(i * 4 + 2) / weights[2], deltas(i * 4 + 3) / weights[3]};
        box = clip_to_image(apply_deltas(roi, moved), sizes(image * 2), sizes(image * 2 + 1));
      }
      write_corners(write, i, box);
    }
  }
  write_splits(args, 1, batch_of, regions);
}

// ---- BboxTransform ----

struct Rotated {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
  double angle = 0.0;  // degrees
};

// Angles wrap into the bounds once, as Caffe2 wraps them.
struct AngleRule {
  bool bounded = false;
  double low = 0.0;
  double high = 0.0;
  double upright_below = -1.0;  // boxes of a smaller angle are made upright and clipped; negative: none
};

AngleRule angle_rule(const OpCall& call) {
  return {.bounded = call.params->find("angle_bounds") != nullptr,
          .low = static_cast<double>(call.params->i32_at("angle_bounds", 0, 0)),
          .high = static_cast<double>(call.params->i32_at("angle_bounds", 1, 0)),
          .upright_below = static_cast<double>(call.params->f32("angle_clip_threshold", -1.0F))};
}

Status check_rotated(const OpCall& call) {
  OPENQNN_TRY(check_deltas(call, 5));
  OPENQNN_TRY(check_rank(call.in(2), "image_size", 2, "[b, 3]"));
  const uint32_t images = call.in(2).shape[0];
  OPENQNN_TRY(expect_shape("image_size", call.in(2).shape, {images, 3}));
  if (call.has_input(3)) OPENQNN_TRY(expect_shape("batch_index", call.in(3).shape, {call.in(0).shape[0]}));
  OPENQNN_TRY(expect_shape("rois_per_batch", call.out(1).shape, {images}));
  OPENQNN_TRY(check_finite(call, "angle_clip_threshold", 1));
  if (const AngleRule rule = angle_rule(call); rule.bounded && !(rule.low < rule.high))
    return invalid("op-param-value",
                   concat("angle_bounds ", rule.low, " to ", rule.high, " are not in order"));
  return check_positive(call, "weights", 4);
}

double wrapped(double angle, const AngleRule& rule) {
  if (!rule.bounded) return angle;
  const double period = rule.high - rule.low;
  return angle < rule.low ? angle + period : angle > rule.high ? angle - period : angle;
}

// The part of an upright box inside the image, whose last pixel is size - 1.
Rotated clipped(const Rotated& box, double height, double width) {
  const auto clip = [](double at, double size) { return std::max(std::min(at, size - 1.0), 0.0); };
  const double x1 = clip(box.x - box.width / 2.0, width);
  const double x2 = clip(box.x + box.width / 2.0, width);
  const double y1 = clip(box.y - box.height / 2.0, height);
  const double y2 = clip(box.y + box.height / 2.0, height);
  return {(x1 + x2) / 2.0, (y1 + y2) / 2.0, x2 - x1, y2 - y1, 0.0};
}

Rotated move_rotated(const Rotated& box, const std::array<double, 5>& delta, const AngleRule& rule) {
  constexpr double kDegreesPerRadian = 57.29577951308232;
  return {box.x + delta[0] * box.width, box.y + delta[1] * box.height,
          box.width * portable_exp(std::min(delta[2], kLargestLogScale)),
          box.height * portable_exp(std::min(delta[3], kLargestLogScale)),
          wrapped(box.angle + delta[4] * kDegreesPerRadian, rule)};
}

// Regions are in the scaled image: transformed in the original one, and scaled again when the op says so.
void run_rotated(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const ElementReader rois(call.in(0), args.inputs[0]);
  const ElementReader deltas(call.in(1), args.inputs[1]);
  const ElementReader sizes(call.in(2), args.inputs[2]);
  const ElementWriter write(call.out(0), args.outputs[0]);
  const BatchIndex batch_of(args, 3, call.in(2).shape[0]);
  const std::array<double, 4> weights = weights_of(call);
  const AngleRule rule = angle_rule(call);
  const bool rescales = call.params->boolean("apply_scale", true);
  const uint64_t regions = call.in(0).shape[0];
  const uint64_t classes = call.in(1).shape[1] / 5;
  for (uint64_t n = 0; n < regions; ++n) {
    const int64_t batch = batch_of(n);
    const uint64_t image = batch < 0 ? 0 : static_cast<uint64_t>(batch);
    const double scale = sizes(image * 3 + 2);
    const double height = std::floor(sizes(image * 3) / scale + 0.5);
    const double width = std::floor(sizes(image * 3 + 1) / scale + 0.5);
    const Rotated roi = {rois(n * 5) / scale, rois(n * 5 + 1) / scale, rois(n * 5 + 2) / scale,
                         rois(n * 5 + 3) / scale, rois(n * 5 + 4)};
    for (uint64_t at = n * classes * 5; at < (n + 1) * classes * 5; at += 5) {
      std::array<double, 5> delta{};
      for (uint64_t i = 0; i < 5; ++i) delta[i] = deltas(at + i) / (i < 4 ? weights[i] : 1.0);
      Rotated box = move_rotated(roi, delta, rule);
      if (std::fabs(box.angle) <= rule.upright_below) box = clipped(box, height, width);
      const double factor = rescales ? scale : 1.0;
      const double numbers[5] = {box.x * factor, box.y * factor, box.width * factor, box.height * factor,
                                 box.angle};
      for (uint64_t i = 0; i < 5; ++i) write(at + i, batch < 0 ? 0.0 : numbers[i]);
    }
  }
  write_splits(args, 1, batch_of, regions);
}

}  // namespace

OpDef axis_aligned_bbox_transform() {
  return {
      .type = "AxisAlignedBboxTransform",
      .our_rows = {"f16,f16,i32,f16 -> f16,i32", "f32,f32,i32,f32 -> f32,i32",
                   "ufx16,ufx8,i32,ufx16 -> ufx16,i32"},
      .check = check_aligned,
      .work = transform_work,
      .kernels = {reference_kernel(run_aligned, splits_scratch)},
  };
}

OpDef bbox_transform() {
  return {
      .type = "BboxTransform",
      .our_rows = {"f16,f16,f16,i32 -> f16,i32|f16", "f32,f32,f32,i32 -> f32,i32|f32"},
      .check = check_rotated,
      .work = transform_work,
      .kernels = {reference_kernel(run_rotated, splits_scratch)},
  };
}

}  // namespace openqnn::ops
