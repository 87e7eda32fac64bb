// SPDX-License-Identifier: BSD-3-Clause
// ArgbToRgb, Nv12ToRgb, Nv21ToRgb, HeatMapMaxKeyPoint.
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// ---- Colours ----

std::vector<Tensor> drop_alpha(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor out{inputs[0].shape, {}};
  out.shape[3] = 3;
  for (size_t i = 0; i < inputs[0].values.size(); i += 4) {
    std::vector<double> colours(&inputs[0].values[i], &inputs[0].values[i] + 4);
    colours.erase(problem.integer("input_order", 0) == 0 ? colours.begin() : colours.end() - 1);
    if (problem.integer("reverse_output", 0)) std::swap(colours[0], colours[2]);
    out.values.insert(out.values.end(), colours.begin(), colours.end());
  }
  return {out};
}

const Register kArgb{{
    .op = "ArgbToRgb",
    .problems = {"in=1x1x1x4 reverse_output=0", "in=3x2x5x4 reverse_output=0", "in=1x4x6x4 reverse_output=1",
                 "in=2x5x3x4 reverse_output=0 input_order=1", "in=1x7x9x4 reverse_output=1 input_order=1"},
    .compute = drop_alpha,
    .output_encoding = OutputEncoding::kBoth,
}};

// BT.601, video range, by the coefficients of its matrix.
template <bool v_first>
std::vector<Tensor> to_rgb(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t h = problem.integer("to", 2, 0);
  const size_t w = problem.integer("to", 2, 1);
  Tensor out{{inputs[0].shape[0], h, w, 3}, {}};
  for (size_t b = 0; b < out.shape[0]; ++b) {
    const double* frame = &inputs[0].values[b * h * w * 3 / 2];
    for (size_t y = 0; y < h; ++y)
      for (size_t x = 0; x < w; ++x) {
        const double* pair = frame + h * w + (y / 2) * w + x / 2 * 2;
        const double luma = (frame[y * w + x] - 16.0) * 1.1643835616438356;
        const double u = pair[v_first ? 1 : 0] - 128.0;
        const double v = pair[v_first ? 0 : 1] - 128.0;
        double rgb[3] = {luma + 1.5960267857142858 * v,
                         luma - 0.39176229009491365 * u - 0.8129676472377708 * v,
                         luma + 2.017232142857143 * u};
        if (problem.integer("output_order", 0) == 1) std::swap(rgb[0], rgb[2]);
        for (const double value : rgb) out.values.push_back(std::min(std::max(value, 0.0), 255.0));
      }
  }
  return {out};
}

// Whole codes from 0 to 255, so that an encoding of steps of 1 is chosen.
bool fill_codes(const Problem&, size_t, Tensor& values, Random& random) {
  for (double& value : values.values) value = std::floor(uniform(random, 0.0, 256.0));
  values.values[0] = 0.0;
  values.values[1] = 255.0;
  return true;
}

const std::vector<std::string> kFrames = {"in=1x6 to=2,2 output_order=0", "in=5x12 to=2,4 output_order=0",
                                          "in=1x96 to=8,8 output_order=1", "in=3x36 to=4,6 output_order=0",
                                          "in=2x90 to=10,6 output_order=1"};

const Register kNv12{{.op = "Nv12ToRgb", .problems = kFrames, .compute = to_rgb<false>, .fill = fill_codes}};
const Register kNv21{{.op = "Nv21ToRgb", .problems = kFrames, .compute = to_rgb<true>, .fill = fill_codes}};

// ---- HeatMapMaxKeyPoint ----

size_t mirrored(long at, size_t size) {
  if (size == 1) return 0;
  if (at < 0) return 1;
  return at >= static_cast<long>(size) ? size - 2 : static_cast<size_t>(at);
}

struct Found {
  double x;
  double y;
  double score;
};

Found key_point(const Tensor& maps, size_t n, size_t k) {
  const size_t h = maps.shape[1];
  const size_t w = maps.shape[2];
  const auto value = [&](size_t y, size_t x) { return maps.values[offset_of(maps.shape, {n, y, x, k})]; };
  size_t best = 0;
  for (size_t i = 1; i < h * w; ++i)
    if (value(i / w, i % w) > value(best / w, best % w)) best = i;
  const size_t top = best / w;
  const size_t left = best % w;
  const auto near = [&](long dy, long dx) {
    return value(mirrored(static_cast<long>(top) + dy, h), mirrored(static_cast<long>(left) + dx, w));
  };
  const double peak = value(top, left);
  const double gx = (near(0, 1) - near(0, -1)) / 2.0;
  const double gy = (near(1, 0) - near(-1, 0)) / 2.0;
  const double xx = near(0, -1) - 2.0 * peak + near(0, 1);
  const double yy = near(-1, 0) - 2.0 * peak + near(1, 0);
  const double xy = (near(1, 1) - near(1, -1) - near(-1, 1) + near(-1, -1)) / 4.0;
  const double determinant = xx * yy - xy * xy;
  double dx = 0.0;
  double dy = 0.0;
  if (std::fabs(determinant) >= 1e-5 + 1e-5 * xx * yy) {
    dx = (xy * gy - yy * gx) / determinant;
    dy = (xy * gx - xx * gy) / determinant;
    const double shrink = std::min(1.0, 1.5 / std::max({std::fabs(dx), std::fabs(dy), 1e-30}));
    dx *= shrink;
    dy *= shrink;
  }
  return {static_cast<double>(left) + 0.5 + dx, static_cast<double>(top) + 0.5 + dy,
          peak + dx * gx + dy * gy + 0.5 * (xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy)};
}

std::vector<Tensor> key_points(const Problem&, const std::vector<Tensor>& inputs) {
  const Tensor& maps = inputs[0];
  Tensor scores{{maps.shape[0], maps.shape[3]}, {}};
  Tensor points{{maps.shape[0], maps.shape[3], 2}, {}};
  for (size_t n = 0; n < maps.shape[0]; ++n)
    for (size_t k = 0; k < maps.shape[3]; ++k) {
      const Found found = key_point(maps, n, k);
      const double* box = &inputs[1].values[n * 4];
      scores.values.push_back(found.score);
      points.values.push_back(box[0] + (box[2] - box[0]) / static_cast<double>(maps.shape[2]) * found.x);
      points.values.push_back(box[1] + (box[3] - box[1]) / static_cast<double>(maps.shape[1]) * found.y);
    }
  return {scores, points};
}

const Register kKeyPoint{{
    .op = "HeatMapMaxKeyPoint",
    .problems = {"in=1x1x1x1 in=1x4", "in=1x2x2x3 in=1x4", "in=3x8x8x4 in=3x4", "in=2x7x5x9 in=2x4",
                 "in=4x3x3x2 in=4x4"},
    .compute = key_points,
    .fill =
        [](const Problem&, size_t input, Tensor& values, Random& random) {
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] = i % 4 < 2 ? uniform(random, 0, 20) : uniform(random, 20, 60);
          return input == 1;
        },
    .finite_inputs = {0, 1},
}};

}  // namespace
}  // namespace openqnn::oracle
