// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/resampling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace openqnn::frontend::onnx {
namespace {

constexpr std::array<std::string_view, 7> kPlaces{
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",   "align_corners",
    "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn",
};
constexpr std::array<std::string_view, 4> kNearest{"round_prefer_floor", "round_prefer_ceil", "floor",
                                                   "ceil"};

double real(int64_t value) { return static_cast<double>(value); }

double rounded(const ResizeMode& mode, double x) {
  if (mode.nearest == "round_prefer_ceil") return std::floor(x + 0.5);
  if (mode.nearest == "floor") return std::floor(x);
  if (mode.nearest == "ceil") return std::ceil(x);
  return std::ceil(x - 0.5);
}

double weight_at(const ResizeMode& mode, double distance) {
  const double d = std::abs(distance);
  if (mode.filter == Filter::kLinear) return std::max(0.0, 1 - d);
  const double a = mode.cubic;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

}  // namespace

bool ResizeMode::is_known_place() const {
  return std::find(kPlaces.begin(), kPlaces.end(), place) != kPlaces.end();
}
bool ResizeMode::is_known_nearest() const {
  return std::find(kNearest.begin(), kNearest.end(), nearest) != kNearest.end();
}

double source_of(const ResizeMode& mode, const Resampling& axis, int64_t o) {
  const double at = real(o);
  if (mode.place == "asymmetric") return at / axis.scale;
  // ONNX means the extent before it was rounded down to a whole number.
  const double exact = real(axis.in) * axis.scale;
  if (mode.place == "align_corners") return axis.out > 1 ? at * real(axis.in - 1) / (exact - 1) : 0;
  if (mode.place == "tf_half_pixel_for_nn") return (at + 0.5) / axis.scale;
  if (mode.place == "tf_crop_and_resize") {
    const double length = real(axis.in - 1);
    if (axis.out == 1) return 0.5 * (axis.start + axis.end) * length;
    return axis.start * length + at * (axis.end - axis.start) * length / real(axis.out - 1);
  }
  if (mode.place == "pytorch_half_pixel" && axis.out == 1) return 0;
  double moved = 0;
  if (mode.place == "half_pixel_symmetric") {
    // The part of a pixel that was cut off is shared by both ends.
    moved = real(axis.in) / 2 * (1 - real(axis.out) / exact);
  }
  return moved + (at + 0.5) / axis.scale - 0.5;
}

int64_t nearest_index(const ResizeMode& mode, const Resampling& axis, int64_t o) {
  return static_cast<int64_t>(std::clamp(rounded(mode, source_of(mode, axis, o)), 0.0, real(axis.in - 1)));
}

bool is_outside(const ResizeMode& mode, const Resampling& axis, int64_t o) {
  if (mode.place != "tf_crop_and_resize") return false;
  const double x = source_of(mode, axis, o);
  return x < 0 || x > real(axis.in - 1);
}

std::vector<double> weight_matrix(const ResizeMode& mode, const Resampling& axis) {
  std::vector<double> weights(static_cast<size_t>(axis.in * axis.out), 0);
  for (int64_t o = 0; o < axis.out; ++o) {
    if (is_outside(mode, axis, o)) continue;
    const double x = source_of(mode, axis, o);
    if (mode.filter == Filter::kNearest) {
      weights[static_cast<size_t>(o * axis.in + nearest_index(mode, axis, o))] = 1;
      continue;
    }
    const auto low = static_cast<int64_t>(std::floor(std::clamp(x, -1e9, 1e9)));
    const int64_t reach = mode.filter == Filter::kLinear ? 0 : 1;
    double* row = weights.data() + o * axis.in;
    double total = 0;
    for (int64_t i = low - reach; i <= low + 1 + reach; ++i) {
      const int64_t inside = std::clamp<int64_t>(i, 0, axis.in - 1);
      if (mode.exclude_outside && inside != i) continue;
      const double weight = weight_at(mode, static_cast<double>(i) - x);
      row[inside] += weight;
      total += weight;
    }
    if (mode.exclude_outside && total != 0)
      for (int64_t i = 0; i < axis.in; ++i) row[i] /= total;
  }
  return weights;
}

}  // namespace openqnn::frontend::onnx
