// SPDX-License-Identifier: BSD-3-Clause
// How deltas of a region proposal network move a box.
#pragma once

#include <algorithm>

#include "ops/elementwise/functions.h"
#include "ops/vision/boxes.h"

namespace openqnn::ops {

// ln(1000 / 16): the most that a box is scaled by where deltas are limited.
inline constexpr double kLargestLogScale = 4.135166556742356;

// Relative to the box; sizes are logarithms.
struct Deltas {
  double x;
  double y;
  double width;
  double height;
};

inline Corners apply_deltas(const Corners& box, const Deltas& deltas) {
  const double width = box.x2 - box.x1;
  const double height = box.y2 - box.y1;
  const double x = (box.x1 + box.x2) / 2.0 + deltas.x * width;
  const double y = (box.y1 + box.y2) / 2.0 + deltas.y * height;
  const double half_width = portable_exp(deltas.width) * width / 2.0;
  const double half_height = portable_exp(deltas.height) * height / 2.0;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

inline Corners clip_to_image(const Corners& box, double height, double width) {
  const auto clip = [](double at, double size) { return std::max(std::min(at, size), 0.0); };
  return {clip(box.x1, width), clip(box.y1, height), clip(box.x2, width), clip(box.y2, height)};
}

}  // namespace openqnn::ops
