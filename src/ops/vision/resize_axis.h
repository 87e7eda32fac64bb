// SPDX-License-Identifier: BSD-3-Clause
// How the ops that resize find the inputs of an output, along one dimension.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "ops/elements.h"
#include "ops/op.h"
#include "ops/vision/sample.h"

namespace openqnn::ops {

// The enumerations have the values of the parameters.
enum class ResizePlace : uint8_t { kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric };
enum class ResizeFilter : uint8_t { kNearest, kLinear, kCubic };
enum class ResizeNearest : uint8_t { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

struct ResizeRule {
  ResizePlace place = ResizePlace::kAsymmetric;
  ResizeFilter filter = ResizeFilter::kNearest;
  ResizeNearest nearest = ResizeNearest::kFloor;
  double cubic = 0.0;
  bool exclude_outside = false;
  bool antialias = false;
};

// Consecutive input positions, which may lie outside.
struct TapSpan {
  int64_t first;
  int64_t last;
};

class ResizeAxis {
 public:
  ResizeAxis(const ResizeRule& rule, uint32_t in, uint32_t out)
      : rule_(rule), in_(in), out_(out), stretch_(rule.antialias ? std::max(1.0, in_ / out_) : 1.0) {}

  // The positions that output `o` is made of.
  TapSpan span(uint32_t o) const {
    const double x = position(o);
    const auto low = static_cast<int64_t>(std::floor(x));
    switch (rule_.filter) {
      case ResizeFilter::kNearest: {
        const auto at = static_cast<int64_t>(nearest(x));
        return {at, at};
      }
      case ResizeFilter::kCubic:
        return {low - 1, low + 2};
      case ResizeFilter::kLinear:
        break;
    }
    if (stretch_ == 1.0) return {low, low + 1};
    return {static_cast<int64_t>(std::floor(x - stretch_)), static_cast<int64_t>(std::ceil(x + stretch_))};
  }

  // Adds the taps of output `o`. What lies outside is the border, unless it is excluded.
  void add_taps(Taps& result, uint32_t o) const {
    const double x = position(o);
    const TapSpan positions = span(o);
    const size_t first = result.size();
    double total = 0.0;
    for (int64_t i = positions.first; i <= positions.last; ++i) {
      if (rule_.exclude_outside && clip(i) != i) continue;
      const double weight = weight_at(static_cast<double>(i) - x);
      add_tap(result, static_cast<uint32_t>(clip(i)), weight);
      total += weight;
    }
    const bool normalise = rule_.exclude_outside || stretch_ != 1.0;
    if (normalise && total != 0.0)
      for (size_t i = first; i < result.size(); ++i) result[i].weight /= total;
  }

  // The inputs between the first tap of output `begin` and the last of `end` - 1.
  std::pair<uint32_t, uint32_t> inputs(uint32_t begin, uint32_t end) const {
    if (begin >= end) return {0, 0};
    return {static_cast<uint32_t>(clip(span(begin).first)),
            static_cast<uint32_t>(clip(span(end - 1).last)) + 1};
  }

  // How many an output has, but for the rounding of where a wide filter begins and ends.
  uint64_t usual_taps() const {
    if (rule_.filter == ResizeFilter::kNearest) return 1;
    if (rule_.filter == ResizeFilter::kCubic) return 4;
    return 2 * static_cast<uint64_t>(std::ceil(stretch_));
  }
  // No output has more.
  uint64_t most_taps() const { return usual_taps() + (stretch_ == 1.0 ? 0 : 3); }

 private:
  // Where an output lies in the input. Products before quotients: a position that is a whole number comes out
  // as one.
  double position(uint32_t output) const {
    const auto o = static_cast<double>(output);
    switch (rule_.place) {
      case ResizePlace::kAlignCorners:
        return out_ > 1.0 ? o * (in_ - 1.0) / (out_ - 1.0) : 0.0;
      case ResizePlace::kAsymmetric:
        return o * in_ / out_;
      case ResizePlace::kPytorchHalfPixel:
        if (out_ == 1.0) return 0.0;
        break;
      case ResizePlace::kHalfPixel:
        break;
    }
    return ((2.0 * o + 1.0) * in_ - out_) / (2.0 * out_);
  }

  double nearest(double x) const {
    switch (rule_.nearest) {
      case ResizeNearest::kRoundPreferFloor:
        return std::ceil(x - 0.5);
      case ResizeNearest::kRoundPreferCeil:
        return std::floor(x + 0.5);
      case ResizeNearest::kCeil:
        return std::ceil(x);
      case ResizeNearest::kFloor:
        break;
    }
    return std::floor(x);
  }

  double weight_at(double distance) const {
    const double d = std::fabs(distance);
    if (rule_.filter == ResizeFilter::kNearest) return 1.0;
    if (rule_.filter == ResizeFilter::kLinear) return std::max(0.0, 1.0 - d / stretch_);
    // Keys' cubic, as ONNX writes it.
    const double a = rule_.cubic;
    if (d <= 1.0) return ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0;
    return d < 2.0 ? ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a : 0.0;
  }

  int64_t clip(int64_t at) const { return std::clamp<int64_t>(at, 0, static_cast<int64_t>(in_) - 1); }

  ResizeRule rule_;
  double in_;
  double out_;
  double stretch_;  // of the linear filter: how many input pixels an output pixel covers
};

// Whether elements are moved and not computed: their bytes stay.
inline bool moves_pixels(const OpCall& call, const ResizeRule& rule) {
  return rule.filter == ResizeFilter::kNearest && same_representation(call.in(0), call.out());
}

// Dimension `i` of both tensors.
inline ResizeAxis resize_axis(const OpCall& call, const ResizeRule& rule, size_t i) {
  return {rule, call.in(0).shape[i], call.out().shape[i]};
}

}  // namespace openqnn::ops
