// SPDX-License-Identifier: BSD-3-Clause
// Resize, ResizeBilinear, ResizeNearestNeighbor: every dimension between batch and channel is resized by
// itself, so an output is a sum over the taps of each.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"
#include "ops/vision/sample.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: load and multiply-add per tap.
constexpr uint64_t kInstructionsPerTap = 2;

// The enumerations have the values of the parameters.
enum class Place : uint8_t { kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric };
enum class Filter : uint8_t { kNearest, kLinear, kCubic };
enum class Nearest : uint8_t { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

struct Rule {
  Place place = Place::kAsymmetric;
  Filter filter = Filter::kNearest;
  Nearest nearest = Nearest::kFloor;
  double cubic = 0.0;
  bool exclude_outside = false;
  bool antialias = false;
};

// ---- One dimension ----

// Consecutive input positions, which may lie outside.
struct Span {
  int64_t first;
  int64_t last;
};

class Axis {
 public:
  Axis(const Rule& rule, uint32_t in, uint32_t out)
      : rule_(rule), in_(in), out_(out), stretch_(rule.antialias ? std::max(1.0, in_ / out_) : 1.0) {}

  // The positions that output `o` is made of.
  Span span(uint32_t o) const {
    const double x = position(o);
    const auto low = static_cast<int64_t>(std::floor(x));
    switch (rule_.filter) {
      case Filter::kNearest: {
        const auto at = static_cast<int64_t>(nearest(x));
        return {at, at};
      }
      case Filter::kCubic:
        return {low - 1, low + 2};
      case Filter::kLinear:
        break;
    }
    if (stretch_ == 1.0) return {low, low + 1};
    return {static_cast<int64_t>(std::floor(x - stretch_)), static_cast<int64_t>(std::ceil(x + stretch_))};
  }

  // What lies outside is the border, unless it is excluded.
  Taps taps(uint32_t o) const {
    const double x = position(o);
    const Span positions = span(o);
    Taps result;
    double total = 0.0;
    for (int64_t i = positions.first; i <= positions.last; ++i) {
      if (rule_.exclude_outside && clip(i) != i) continue;
      const double weight = weight_at(static_cast<double>(i) - x);
      add_tap(result, static_cast<uint32_t>(clip(i)), weight);
      total += weight;
    }
    const bool normalise = rule_.exclude_outside || stretch_ != 1.0;
    if (normalise && total != 0.0)
      for (Tap& tap : result) tap.weight /= total;
    return result;
  }

  // The inputs between the first tap of output `begin` and the last of `end` - 1.
  std::pair<uint32_t, uint32_t> inputs(uint32_t begin, uint32_t end) const {
    if (begin >= end) return {0, 0};
    return {static_cast<uint32_t>(clip(span(begin).first)),
            static_cast<uint32_t>(clip(span(end - 1).last)) + 1};
  }

  uint64_t most_taps() const {
    if (rule_.filter == Filter::kNearest) return 1;
    if (rule_.filter == Filter::kCubic) return 4;
    return 2 * static_cast<uint64_t>(std::ceil(stretch_));
  }

 private:
  // Where an output lies in the input. Products before quotients: a position that is a whole number comes out
  // as one.
  double position(uint32_t output) const {
    const auto o = static_cast<double>(output);
    switch (rule_.place) {
      case Place::kAlignCorners:
        return out_ > 1.0 ? o * (in_ - 1.0) / (out_ - 1.0) : 0.0;
      case Place::kAsymmetric:
        return o * in_ / out_;
      case Place::kPytorchHalfPixel:
        if (out_ == 1.0) return 0.0;
        break;
      case Place::kHalfPixel:
        break;
    }
    return ((2.0 * o + 1.0) * in_ - out_) / (2.0 * out_);
  }

  double nearest(double x) const {
    switch (rule_.nearest) {
      case Nearest::kRoundPreferFloor:
        return std::ceil(x - 0.5);
      case Nearest::kRoundPreferCeil:
        return std::floor(x + 0.5);
      case Nearest::kCeil:
        return std::ceil(x);
      case Nearest::kFloor:
        break;
    }
    return std::floor(x);
  }

  double weight_at(double distance) const {
    const double d = std::fabs(distance);
    if (rule_.filter == Filter::kNearest) return 1.0;
    if (rule_.filter == Filter::kLinear) return std::max(0.0, 1.0 - d / stretch_);
    // Keys' cubic, as ONNX writes it.
    const double a = rule_.cubic;
    if (d <= 1.0) return ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0;
    return d < 2.0 ? ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a : 0.0;
  }

  int64_t clip(int64_t at) const { return std::clamp<int64_t>(at, 0, static_cast<int64_t>(in_) - 1); }

  Rule rule_;
  double in_;
  double out_;
  double stretch_;  // of the linear filter: how many input pixels an output pixel covers
};

// ---- The op, given its rule ----

using RuleFn = Rule (*)(const OpCall& call);

std::vector<Axis> axes_of(const OpCall& call, const Rule& rule) {
  std::vector<Axis> axes;
  for (size_t i = 1; i + 1 < call.in(0).shape.rank(); ++i)
    axes.emplace_back(rule, call.in(0).shape[i], call.out().shape[i]);
  return axes;
}

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
  const std::vector<Axis> axes = axes_of(call, rule(call));
  ir::Box box = output;
  for (size_t i = 1; i <= axes.size(); ++i)
    std::tie(box.begin[i], box.end[i]) = axes[i - 1].inputs(output.begin[i], output.end[i]);
  return box;
}

template <RuleFn rule>
Work resize_work(const OpCall& call, const ir::Box& output) {
  uint64_t instructions = kInstructionsPerTap;
  for (const Axis& axis : axes_of(call, rule(call)))
    instructions = saturating_multiply(instructions, axis.most_taps());
  return vector_work(
      call, output, instructions,
      box_bytes(call.in(0), resize_input_box<rule>(call, 0, output)) + box_bytes(call.out(), output));
}

// Elements are moved, not computed: the bytes stay.
void copy_pixel(const KernelArgs& args, const ir::Shape& index, const std::vector<Taps>& taps,
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

template <RuleFn rule>
void run_resize(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const Rule how = rule(call);
  const std::vector<Axis> axes = axes_of(call, how);
  std::vector<std::vector<Taps>> all(axes.size());  // per dimension, per output position of the region
  for (size_t i = 0; i < axes.size(); ++i)
    for (uint32_t o = region.begin[1 + i]; o < region.end[1 + i]; ++o) all[i].push_back(axes[i].taps(o));

  const ImageSampler sample(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  const bool moves = how.filter == Filter::kNearest && same_representation(call.in(0), call.out());
  std::vector<Taps> taps(axes.size());
  for_each_pixel(region, [&](const ir::Shape& index) {
    for (size_t i = 0; i < axes.size(); ++i) taps[i] = all[i][index[1 + i] - region.begin[1 + i]];
    if (moves) return copy_pixel(args, index, taps, region);
    write_pixel(write, call.out().shape, index, region,
                [&](uint32_t c) { return sample(index[0], taps, c); });
  });
}

template <RuleFn rule>
OpDef resize_op(std::string_view type, Status (*check)(const OpCall&)) {
  return {
      .type = type,
      .check = check,
      .input_box = resize_input_box<rule>,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = resize_work<rule>,
      .kernels = {{"reference", nullptr, run_resize<rule>}},
  };
}

// ---- Resize ----

// What the backend picks when nearest_mode is not given: floor, and with aligned corners the rounding that a
// corner needs.
Nearest default_nearest(Place place) {
  return place == Place::kAlignCorners ? Nearest::kRoundPreferCeil : Nearest::kFloor;
}

Rule resize_rule(const OpCall& call) {
  const ir::Params& params = *call.params;
  Rule rule;
  rule.place = static_cast<Place>(params.u32("transformation_mode", 0));
  rule.filter = static_cast<Filter>(params.u32("interpolation_mode", 0));
  rule.nearest =
      static_cast<Nearest>(params.u32("nearest_mode", static_cast<uint32_t>(default_nearest(rule.place))));
  rule.cubic = static_cast<double>(params.f32("cubic_coeff", -0.75F));
  // A nearest pixel is always inside, and a linear sample is the same with and without it.
  rule.exclude_outside = rule.filter == Filter::kCubic && params.boolean("exclude_outside", false);
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

Place image_place(const OpCall& call) {
  if (call.params->boolean("align_corners", false)) return Place::kAlignCorners;
  return call.params->boolean("half_pixel_centers", false) ? Place::kHalfPixel : Place::kAsymmetric;
}

// antialias: the linear filter is as wide as the input pixels that an output pixel covers, with weights that
// sum to 1, and reads the border outside; ONNX's meaning, ours for lack of a definition.
Rule bilinear_rule(const OpCall& call) {
  Rule rule;
  rule.place = image_place(call);
  rule.filter = Filter::kLinear;
  rule.antialias = call.params->boolean("antialias", false);
  return rule;
}

// TensorFlow's: floor(o * in / out); round(o * (in - 1) / (out - 1)) with aligned corners;
// floor((o + 0.5) * in / out) with half pixel centres, which is the source position rounded half up.
Rule nearest_rule(const OpCall& call) {
  Rule rule;
  rule.place = image_place(call);
  rule.nearest = rule.place == Place::kAsymmetric ? Nearest::kFloor : Nearest::kRoundPreferCeil;
  return rule;
}

}  // namespace

const OpDef& resize() {
  static const OpDef op = resize_op<resize_rule>("Resize", check_resize);
  return op;
}

const OpDef& resize_bilinear() {
  static const OpDef op = resize_op<bilinear_rule>("ResizeBilinear", check_image_resize);
  return op;
}

const OpDef& resize_nearest_neighbor() {
  static const OpDef op = resize_op<nearest_rule>("ResizeNearestNeighbor", check_image_resize);
  return op;
}

}  // namespace openqnn::ops
