// SPDX-License-Identifier: BSD-3-Clause
// HeatMapMaxKeyPoint: Android NN's.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

constexpr uint64_t kInstructionsPerValue = 3;  // ours: load, compare, select; the fit is small beside it

// A peak and how far the fitted one lies from it.
struct Peak {
  double x;
  double y;
  double score;
};

using Neighbourhood = std::array<std::array<double, 3>, 3>;

// Whether the second derivatives can be divided by.
bool invertible(double product, double determinant) {
  constexpr double kTolerance = 1e-5;
  return std::fabs(determinant) >= kTolerance + kTolerance * product;
}

// The top of the quadratic through a peak and its neighbours, relative to the peak; at most one and a half
// pixels away.
Peak fit(const Neighbourhood& g) {
  const double bx = (g[1][2] - g[1][0]) / 2.0;
  const double by = (g[2][1] - g[0][1]) / 2.0;
  const double xx = g[1][0] - 2.0 * g[1][1] + g[1][2];
  const double yy = g[0][1] - 2.0 * g[1][1] + g[2][1];
  const double xy = (g[2][2] - g[2][0] - g[0][2] + g[0][0]) / 4.0;
  const double determinant = xx * yy - xy * xy;
  if (!invertible(xx * yy, determinant)) return {0.0, 0.0, 0.0};
  double x = -(yy * bx - xy * by) / determinant;
  double y = -(xx * by - xy * bx) / determinant;
  constexpr double kFurthest = 1.5;
  if (const double distance = std::max(std::fabs(x), std::fabs(y)); distance > kFurthest) {
    x *= kFurthest / distance;
    y *= kFurthest / distance;
  }
  return {x, y, x * bx + y * by + ((x * xx + y * xy) * x + (x * xy + y * yy) * y) / 2.0};
}

class HeatMap {
 public:
  HeatMap(const ElementReader& read, const ir::Shape& shape, uint32_t box, uint32_t point)
      : read_(read), shape_(shape), box_(box), point_(point) {}

  // The first of the largest values, refined.
  Peak peak() const {
    uint32_t top = 0;
    uint32_t left = 0;
    for (uint32_t y = 0; y < shape_[1]; ++y)
      for (uint32_t x = 0; x < shape_[2]; ++x)
        if (at(y, x) > at(top, left)) {
          top = y;
          left = x;
        }
    Neighbourhood around{};
    for (uint32_t i = 0; i < 3; ++i)
      for (uint32_t j = 0; j < 3; ++j)
        around[i][j] =
            at(mirrored(int64_t{top} + i - 1, shape_[1]), mirrored(int64_t{left} + j - 1, shape_[2]));
    const Peak offset = fit(around);
    return {left + offset.x + 0.5, top + offset.y + 0.5, at(top, left) + offset.score};
  }

 private:
  double at(uint32_t y, uint32_t x) const { return read_(ir::offset_of(shape_, {box_, y, x, point_})); }
  // Beyond the border lies what is one step inside of it.
  static uint32_t mirrored(int64_t index, uint32_t size) {
    if (index < 0) index = 1;
    if (index >= size) index = int64_t{size} - 2;
    return static_cast<uint32_t>(std::clamp<int64_t>(index, 0, int64_t{size} - 1));
  }

  const ElementReader& read_;
  const ir::Shape& shape_;
  uint32_t box_;
  uint32_t point_;
};

Status check_key_point(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "heatmaps", 4, "[n, h, w, k]"));
  const ir::Shape& maps = call.in(0).shape;
  OPENQNN_TRY(expect_shape("boxes", call.in(1).shape, {maps[0], 4}));
  OPENQNN_TRY(expect_shape("output", call.out(0).shape, {maps[0], maps[3]}));
  return expect_shape("points", call.out(1).shape, {maps[0], maps[3], 2});
}

void run_key_point(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const ir::Shape& shape = call.in(0).shape;
  const ElementReader maps(call.in(0), args.inputs[0]);
  const ElementReader boxes(call.in(1), args.inputs[1]);
  const ElementWriter scores(call.out(0), args.outputs[0]);
  const ElementWriter points(call.out(1), args.outputs[1]);
  for (uint32_t n = 0; n < shape[0]; ++n) {
    const double x1 = boxes(uint64_t{n} * 4);
    const double y1 = boxes(uint64_t{n} * 4 + 1);
    const double width = boxes(uint64_t{n} * 4 + 2) - x1;
    const double height = boxes(uint64_t{n} * 4 + 3) - y1;
    for (uint32_t k = 0; k < shape[3]; ++k) {
      const Peak peak = HeatMap(maps, shape, n, k).peak();
      const uint64_t at = uint64_t{n} * shape[3] + k;
      scores(at, peak.score);
      points(2 * at, x1 + peak.x * (width / shape[2]));
      points(2 * at + 1, y1 + peak.y * (height / shape[1]));
    }
  }
}

}  // namespace

OpDef heat_map_max_key_point() {
  return {
      .type = "HeatMapMaxKeyPoint",
      .our_rows = {"f16,f16 -> f16,f16", "f32,f32 -> f32,f32"},
      .check = check_key_point,
      .work =
          [](const OpCall& call, const ir::Box&) {
            return whole_work(call, call.in(0).shape.elements(), kInstructionsPerValue);
          },
      .kernels = {{"reference", nullptr, run_key_point}},
  };
}

}  // namespace openqnn::ops
