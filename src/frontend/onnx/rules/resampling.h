// SPDX-License-Identifier: BSD-3-Clause
// Where ONNX's Resize takes each output from, along one dimension. The backend's own ops know fewer ways;
// what they do not know is computed from this.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/onnx/lowering.h"

namespace openqnn::frontend::onnx {

enum class Filter : uint8_t { kNearest, kLinear, kCubic };

// One dimension.
struct Resampling {
  int64_t in = 1;
  int64_t out = 1;
  double scale = 1;  // as the model says it; out / in only nearly
  double start = 0;  // the region, of tf_crop_and_resize
  double end = 1;

  bool changes() const { return in != out || scale != 1 || start != 0 || end != 1; }
};

struct ResizeMode {
  Filter filter = Filter::kNearest;
  std::string_view place = "half_pixel";  // coordinate_transformation_mode
  std::string_view nearest = "round_prefer_floor";
  double cubic = -0.75;
  bool exclude_outside = false;

  bool is_known_place() const;
  bool is_known_nearest() const;
};

// Where output `o` lies in the input.
double source_of(const ResizeMode& mode, const Resampling& axis, int64_t o);
// The input that a nearest filter takes for it.
int64_t nearest_index(const ResizeMode& mode, const Resampling& axis, int64_t o);
// Whether it lies outside the input, where a cropped region has a value of its own.
bool is_outside(const ResizeMode& mode, const Resampling& axis, int64_t o);
// [out, in]: the share of each input in each output; an output that is outside has none.
std::vector<double> weight_matrix(const ResizeMode& mode, const Resampling& axis);

}  // namespace openqnn::frontend::onnx
