// SPDX-License-Identifier: BSD-3-Clause
// ExtractGlimpse.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/split_mix.h"
#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

constexpr size_t kOffsets = 1;

enum class Noise : int32_t { kUniform = 0, kGaussian = 1, kZeros = 2 };

Noise noise_of(const OpCall& call) { return static_cast<Noise>(call.params->i32("noise", 0)); }

Status check_glimpse(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  const int32_t height = call.params->i32_at("size", 0, 0);
  const int32_t width = call.params->i32_at("size", 1, 0);
  if (height <= 0 || width <= 0)
    return invalid("op-param-value", concat("size is [", height, ", ", width, "]")).fix_by("use 1 or more");
  OPENQNN_TRY(check_choice(call, "noise", 2, "0 (uniform), 1 (gaussian) or 2 (zeros)"));
  OPENQNN_TRY(expect_shape("input 1 (offsets)", call.in(kOffsets).shape, {in[0], 2}));
  return expect_shape("output", call.out().shape,
                      {in[0], static_cast<uint32_t>(height), static_cast<uint32_t>(width), in[3]});
}

// The offsets are data: all of an image may be needed.
ir::Box glimpse_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  const ir::Shape& shape = call.in(index).shape;
  if (output.empty()) return empty_box(shape);
  ir::Box box = ir::Box::whole(shape);
  box.begin[0] = output.begin[0];
  box.end[0] = output.end[0];
  return box;
}

// Where the glimpse begins on an axis of `size` pixels, cut towards zero as TensorFlow does; nothing for
// offsets that are no place at all. Only offsets that are normalized and centred name the glimpse's centre.
std::optional<int64_t> glimpse_start(const OpCall& call, double offset, uint32_t size, uint32_t glimpse) {
  const bool normalized = call.params->boolean("normalized", true);
  const bool centered = call.params->boolean("centered", true);
  double at = normalized ? offset * size : offset;
  if (normalized && centered) at = (at + size - glimpse) / 2.0;
  if (!normalized && centered) at += size / 2.0;
  constexpr double kFarthest = 0x1p40;  // well outside of any image, well inside of the integer
  if (!(std::fabs(at) < kFarthest)) return std::nullopt;
  return static_cast<int64_t>(at);
}

// A number in [0, 1) that looks random and is the same for the same place, whatever the division of the
// output. The definition asks for noise and says no more; all of this is ours.
double noise_at(uint64_t place, uint64_t draw) {
  return unit_interval(split_mix((place * 16 + draw + 1) * kGoldenGamma));
}

// Near enough to a normal distribution of mean 0 and deviation 1, without a logarithm.
double gaussian_at(uint64_t place) {
  constexpr uint64_t kDraws = 12;
  double sum = 0.0;
  for (uint64_t draw = 0; draw < kDraws; ++draw) sum += noise_at(place, draw);
  return sum - kDraws / 2.0;
}

// Noise in the range, or with the mean and deviation, of one image.
class NoiseSource {
 public:
  NoiseSource(Noise noise, const ElementReader& read, uint64_t begin, uint64_t count) : noise_(noise) {
    if (noise == Noise::kZeros) return;
    double sum = 0.0;
    double squares = 0.0;
    double low = read(begin);
    double high = low;
    for (uint64_t i = begin; i < begin + count; ++i) {
      const double value = read(i);
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(count);
    const double variance = std::max(0.0, squares / static_cast<double>(count) - mean * mean);
    base_ = noise == Noise::kUniform ? low : mean;
    spread_ = noise == Noise::kUniform ? high - low : std::sqrt(variance);
  }
  double operator()(uint64_t place) const {
    if (noise_ == Noise::kZeros) return 0.0;
    return base_ + spread_ * (noise_ == Noise::kUniform ? noise_at(place, 0) : gaussian_at(place));
  }

 private:
  Noise noise_;
  double base_ = 0.0;
  double spread_ = 0.0;
};

void run_glimpse(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const ir::Shape& out = args.call.out().shape;
  const ElementCopier copy(args.call.in(0), args.inputs[0], args.call.out(), args.outputs[0]);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementReader offset(args.call.in(kOffsets), args.inputs[kOffsets]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const uint64_t image = in.elements() / in[0];
  if (region.empty()) return;
  for (uint32_t batch = region.begin[0]; batch < region.end[0]; ++batch) {
    const NoiseSource noise(noise_of(args.call), read, batch * image, image);
    const auto top = glimpse_start(args.call, offset(uint64_t{batch} * 2), in[1], out[1]);
    const auto left = glimpse_start(args.call, offset(uint64_t{batch} * 2 + 1), in[2], out[2]);
    ir::Box part = region;
    part.begin[0] = batch;
    part.end[0] = batch + 1;
    ir::for_each_index(part, [&](const ir::Shape& index) {
      const uint64_t to = ir::offset_of(out, index);
      const int64_t h = top ? *top + index[1] : -1;
      const int64_t w = left ? *left + index[2] : -1;
      if (h >= 0 && h < in[1] && w >= 0 && w < in[2])
        copy(to, ir::offset_of(in, {batch, static_cast<uint32_t>(h), static_cast<uint32_t>(w), index[3]}));
      else
        write(to, noise(to));
    });
  }
}

}  // namespace

OpDef extract_glimpse() {
  return {
      .type = "ExtractGlimpse",
      .check = check_glimpse,
      .input_box = glimpse_input_box,
      // Not through an image, whose noise needs all of it.
      .split_axes =
          [](const OpCall&) {
            return std::vector<SplitAxis>{{0, 1}};
          },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return moving_work(call, output, kShift, needed_parts(glimpse_input_box, call, output));
          },
      .kernels = {{"reference", nullptr, run_glimpse}},
  };
}

}  // namespace openqnn::ops
