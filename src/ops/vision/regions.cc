// SPDX-License-Identifier: BSD-3-Clause
// Ops that bring regions of images to one size: CropAndResize, RoiAlign, RoiPooling. A region whose batch
// index names no image is filled as what lies outside one; ours.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
constexpr uint64_t kRegionPositionInstructions = 8;
constexpr uint64_t kRegionInstructionsPerTap = 3;

// ---- What the three share: images, regions [n, 4], the image of each region [n] ----

Status check_regions(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  OPENQNN_TRY(check_rank(call.in(1), "regions", 2, "[n, 4]"));
  const uint32_t regions = call.in(1).shape[0];
  OPENQNN_TRY(expect_shape("regions", call.in(1).shape, {regions, 4}));
  OPENQNN_TRY(expect_shape("batch_index", call.in(2).shape, {regions}));
  OPENQNN_TRY(check_rank(call.out(), "output", 4, "[n, h, w, c]"));
  const ir::Shape& out = call.out().shape;
  return expect_shape("output", out, {regions, out[1], out[2], call.in(0).shape[3]});
}

ir::Box regions_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(index).shape);
  const size_t axis = index == 0 ? 3 : 0;  // the channels of any image; the regions themselves
  take_axis(box, axis, output, axis);
  if (output.empty()) box.end = box.begin;
  return box;
}

uint64_t regions_bytes(const OpCall& call, const ir::Box& output) {
  uint64_t bytes = box_bytes(call.out(), output);
  for (size_t i = 0; i < 3; ++i) bytes += box_bytes(call.in(i), regions_input_box(call, i, output));
  return bytes;
}

// The four numbers of a region, and whether its image exists.
struct PooledRegion {
  std::array<double, 4> numbers;
  uint32_t batch = 0;
  bool valid = false;
};

class Regions {
 public:
  explicit Regions(const KernelArgs& args)
      : read_(args.call.in(1), args.inputs[1]),
        type_(args.call.in(2).type),
        batches_(args.inputs[2]),
        images_(args.call.in(0).shape[0]) {}

  PooledRegion operator()(uint32_t n) const {
    PooledRegion region{};
    for (uint64_t i = 0; i < 4; ++i) region.numbers[i] = read_(uint64_t{n} * 4 + i);
    const int64_t batch = load_integer(type_, batches_, n);
    region.valid = batch >= 0 && batch < images_;
    if (region.valid) region.batch = static_cast<uint32_t>(batch);
    return region;
  }

 private:
  ElementReader read_;
  ir::DataType type_;
  const std::byte* batches_;
  int64_t images_;
};

template <Work (*work)(const OpCall&, const ir::Box&)>
OpDef region_op(std::string_view type, const std::vector<std::string_view>& our_rows,
                Status (*check)(const OpCall&), const Kernel& kernel) {
  return {
      .type = type,
      .our_rows = our_rows,
      .check = check,
      .input_box = regions_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = work,
      .kernels = {kernel},
  };
}

// ---- CropAndResize: TensorFlow's ----

Status check_crop(const OpCall& call) {
  OPENQNN_TRY(check_choice(call, "interpolation_mode", 1, "0 (bilinear) or 1 (nearest)"));
  OPENQNN_TRY(check_finite(call, "extrapolation_value", 1));
  OPENQNN_TRY(check_regions(call));
  const ir::Shape& out = call.out().shape;
  return expect_shape(
      "output", out,
      {out[0], call.params->u32_at("resize_dims", 0, 1), call.params->u32_at("resize_dims", 1, 1), out[3]});
}

// Where output `o` of `count` lies between two normalised ends of a dimension.
double crop_position(double low, double high, uint32_t o, uint32_t count, uint32_t size) {
  const double last = static_cast<double>(size) - 1.0;
  if (count == 1) return 0.5 * (low + high) * last;
  // The product before the quotient: the last position of a whole image is its last pixel, not a bit beyond
  // it.
  return low * last + o * ((high - low) * last) / (static_cast<double>(count) - 1.0);
}

// Nothing when the position lies outside, by however little.
void add_crop_taps(Taps& taps, double at, uint32_t size, bool nearest) {
  taps.clear();
  if (!(at >= 0.0 && at <= static_cast<double>(size) - 1.0)) return;
  if (nearest)
    add_nearest_tap(taps, std::round(at), size);
  else
    add_linear_taps(taps, at, size);
}

void run_crop(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  const bool nearest = call.params->u32("interpolation_mode", 0) == 1;
  const double outside = static_cast<double>(call.params->f32("extrapolation_value", 0.0F));
  const Regions regions(args);
  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  KernelMemory memory(args);
  std::array taps = {memory.room<Tap>(kLinearTaps), memory.room<Tap>(kLinearTaps)};
  for_each_pixel(region, [&](const ir::Shape& index) {
    const PooledRegion box = regions(index[0]);
    const auto [y1, x1, y2, x2] = box.numbers;
    add_crop_taps(taps[0], crop_position(y1, y2, index[1], out[1], in[1]), in[1], nearest);
    add_crop_taps(taps[1], crop_position(x1, x2, index[2], out[2], in[2]), in[2], nearest);
    const bool inside = box.valid && !taps[0].empty() && !taps[1].empty();
    write_pixel(write, out, index, region,
                [&](uint32_t c) { return inside ? sample(box.batch, taps, c) : outside; });
  });
}

Work crop_work(const OpCall& call, const ir::Box& output) {
  return vector_work(call, output, kRegionPositionInstructions + 4 * kRegionInstructionsPerTap,
                     regions_bytes(call, output));
}

// ---- RoiAlign ----

// More samples in a bin than this are refused; ours: no model has more than a few.
constexpr int32_t kMostSamples = 256;

Status check_samples(const OpCall& call, std::string_view name) {
  const int32_t samples = call.params->i32(name, -1);
  if (samples >= -1 && samples <= kMostSamples) return {};
  return invalid("op-param-value", concat(name, " ", samples, " is outside -1 to ", kMostSamples))
      .fix_by("use -1 for as many as the region has pixels");
}

Status check_roi_align(const OpCall& call) {
  OPENQNN_TRY(check_positive(call, "img_size_ratio", 2));
  OPENQNN_TRY(check_samples(call, "num_samples_y"));
  OPENQNN_TRY(check_samples(call, "num_samples_x"));
  return check_regions(call);
}

// One dimension of a region, in pixels of the feature map.
struct RoiAxis {
  double start = 0.0;
  double bin = 0.0;
  uint32_t samples = 0;  // in each bin
};

// As many samples as a bin has pixels, rounded up, when `samples` does not say (-1, or 0 as ONNX has it). No
// more than the feature map has: only a region far larger than the image could ask for more (ours).
RoiAxis roi_axis(double low, double high, double ratio, bool aligned, uint32_t bins, int32_t samples,
                 uint32_t size) {
  const double shift = aligned ? 0.5 : 0.0;
  RoiAxis axis;
  axis.start = low / ratio - shift;
  double extent = high / ratio - shift - axis.start;
  if (!aligned && !(extent >= 1.0)) extent = 1.0;
  axis.bin = extent / bins;
  if (samples > 0) {
    axis.samples = static_cast<uint32_t>(samples);
  } else if (axis.bin > 0.0) {
    axis.samples = static_cast<uint32_t>(std::min(std::ceil(axis.bin), static_cast<double>(size)));
  }
  return axis;
}

// The samples of one bin, averaged: bilinear inside, the border up to one pixel beyond it, nothing further
// out.
void add_roi_taps(Taps& taps, const RoiAxis& axis, uint32_t bin, uint32_t size) {
  taps.clear();
  for (uint32_t i = 0; i < axis.samples; ++i) {
    const double at = axis.start + bin * axis.bin + (i + 0.5) * axis.bin / axis.samples;
    if (!(at >= -1.0 && at <= static_cast<double>(size))) continue;
    add_linear_taps(taps, std::clamp(at, 0.0, static_cast<double>(size) - 1.0), size, 1.0 / axis.samples);
  }
}

uint64_t most_roi_taps(const OpCall& call, std::string_view samples, size_t axis) {
  const int32_t given = call.params->i32(samples, -1);
  return kLinearTaps * (given > 0 ? static_cast<uint64_t>(given) : call.in(0).shape[axis]);
}

uint64_t roi_align_scratch(const OpCall& call) {
  return room_for<Tap>(most_roi_taps(call, "num_samples_y", 1)) +
         room_for<Tap>(most_roi_taps(call, "num_samples_x", 2));
}

void run_roi_align(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Params& params = *call.params;
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  const bool aligned = params.boolean("aligned", false);
  const bool zero_invalid = params.boolean("allow_invalid_roi", false);
  const double ratio_h = static_cast<double>(params.f32_at("img_size_ratio", 0, 1.0F));
  const double ratio_w = static_cast<double>(params.f32_at("img_size_ratio", 1, 1.0F));
  const Regions regions(args);
  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  KernelMemory memory(args);
  std::array taps = {memory.room<Tap>(most_roi_taps(call, "num_samples_y", 1)),
                     memory.room<Tap>(most_roi_taps(call, "num_samples_x", 2))};
  for_each_pixel(region, [&](const ir::Shape& index) {
    const PooledRegion roi = regions(index[0]);
    const auto [x1, y1, x2, y2] = roi.numbers;
    const bool empty = zero_invalid && !(x2 > x1 && y2 > y1);
    add_roi_taps(taps[0], roi_axis(y1, y2, ratio_h, aligned, out[1], params.i32("num_samples_y", -1), in[1]),
                 index[1], in[1]);
    add_roi_taps(taps[1], roi_axis(x1, x2, ratio_w, aligned, out[2], params.i32("num_samples_x", -1), in[2]),
                 index[2], in[2]);
    write_pixel(write, out, index, region,
                [&](uint32_t c) { return roi.valid && !empty ? sample(roi.batch, taps, c) : 0.0; });
  });
}

// Where the samples follow from the regions, which are values: two by two, as models are trained.
Work roi_align_work(const OpCall& call, const ir::Box& output) {
  const auto samples = [&](std::string_view name) {
    const int32_t given = call.params->i32(name, -1);
    return static_cast<uint64_t>(given > 0 ? given : 2);
  };
  const uint64_t taps = 4 * samples("num_samples_y") * samples("num_samples_x");
  return vector_work(call, output, kRegionPositionInstructions + kRegionInstructionsPerTap * taps,
                     regions_bytes(call, output));
}

// ---- RoiPooling: Caffe's, as Android NN has it ----

Status check_roi_pooling(const OpCall& call) {
  OPENQNN_TRY(check_positive(call, "img_size_ratio", 2));
  return check_regions(call);
}

struct Bin {
  uint32_t begin;
  uint32_t end;
};

// The pixels of one bin; regions count both their ends, and have one pixel at least.
Bin pooling_bin(double low, double high, double ratio, uint32_t bin, uint32_t bins, uint32_t size) {
  const double first = std::round(low / ratio);
  const double last = std::round(high / ratio);
  const double extent = last - first >= 0.0 ? last - first + 1.0 : 1.0;
  const double step = extent / bins;
  const auto clip = [&](double at) {
    return at > 0.0 ? static_cast<uint32_t>(std::min(at, static_cast<double>(size))) : 0;
  };
  return {clip(first + std::floor(bin * step)), clip(first + std::ceil((bin + 1.0) * step))};
}

void run_roi_pooling(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  const double ratio_h = static_cast<double>(call.params->f32_at("img_size_ratio", 0, 1.0F));
  const double ratio_w = static_cast<double>(call.params->f32_at("img_size_ratio", 1, 1.0F));
  const Regions regions(args);
  const ElementReader read(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  for_each_pixel(region, [&](const ir::Shape& index) {
    const PooledRegion roi = regions(index[0]);
    const auto [x1, y1, x2, y2] = roi.numbers;
    const Bin rows = pooling_bin(y1, y2, ratio_h, index[1], out[1], in[1]);
    const Bin columns = pooling_bin(x1, x2, ratio_w, index[2], out[2], in[2]);
    write_pixel(write, out, index, region, [&](uint32_t c) {
      if (!roi.valid || rows.begin >= rows.end || columns.begin >= columns.end) return 0.0;
      double largest = -std::numeric_limits<double>::infinity();
      for (uint32_t y = rows.begin; y < rows.end; ++y)
        for (uint32_t x = columns.begin; x < columns.end; ++x) {
          const double value = read(ir::offset_of(in, {roi.batch, y, x, c}));
          if (value > largest || std::isnan(value)) largest = value;
        }
      return largest;
    });
  });
}

// A bin has as many pixels as the image has for each output, when regions are images.
Work roi_pooling_work(const OpCall& call, const ir::Box& output) {
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  const uint64_t pixels = saturating_multiply(ceil_div(uint64_t{in[1]}, uint64_t{out[1]}),
                                              ceil_div(uint64_t{in[2]}, uint64_t{out[2]}));
  return vector_work(call, output, kRegionPositionInstructions + 2 * std::min(pixels, uint64_t{1} << 40),
                     regions_bytes(call, output));
}

}  // namespace

OpDef crop_and_resize() {
  return region_op<crop_work>(
      "CropAndResize",
      {"f16,f16,i32|u32 -> f16", "f32,f32,i32|u32 -> f32", "ufx8,ufx8|ufx16|f32,i32|u32 -> ufx8",
       "ufx16,ufx16|f32,i32|u32 -> ufx16"},
      check_crop, reference_kernel(run_crop, [](const OpCall&) { return 2 * room_for<Tap>(kLinearTaps); }));
}

OpDef roi_align() {
  return region_op<roi_align_work>("RoiAlign", {}, check_roi_align,
                                   reference_kernel(run_roi_align, roi_align_scratch));
}

OpDef roi_pooling() {
  return region_op<roi_pooling_work>("RoiPooling",
                                     {"f16,f16,i32|u32 -> f16", "f32,f32,i32|u32 -> f32",
                                      "ufx8,ufx16,i32|u32 -> ufx8", "ufx16,ufx16,i32|u32 -> ufx16"},
                                     check_roi_pooling, {"reference", nullptr, run_roi_pooling});
}

}  // namespace openqnn::ops
