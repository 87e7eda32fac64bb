// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Resizing one dimension is a matrix, out x in; the op applies one after the other.
using Matrix = std::vector<std::vector<double>>;

size_t inside(double at, size_t size) {
  return static_cast<size_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
}

double half_pixel(double o, double in, double out) { return (o + 0.5) * (in / out) - 0.5; }
double align_corners(double o, double in, double out) {
  return out == 1.0 ? 0.0 : o / (out - 1.0) * (in - 1.0);
}

// Positions are quotients of small integers: this undoes what the last bits of a double do to them.
double tidy(double x) { return std::nearbyint(x * 0x1p40) / 0x1p40; }

double source(size_t mode, size_t o, size_t in, size_t out) {
  const auto at = static_cast<double>(o);
  const auto from = static_cast<double>(in);
  const auto to = static_cast<double>(out);
  if (mode == 0) return tidy(half_pixel(at, from, to));
  if (mode == 1) return out == 1 ? 0.0 : tidy(half_pixel(at, from, to));
  if (mode == 2) return tidy(align_corners(at, from, to));
  return tidy(at * from / to);
}

double pick_nearest(size_t mode, double x) {
  const bool tie = x - std::floor(x) == 0.5;
  if (mode == 0) return tie ? std::floor(x) : std::nearbyint(x);
  if (mode == 1) return tie ? std::ceil(x) : std::nearbyint(x);
  return mode == 2 ? std::floor(x) : std::ceil(x);
}

std::vector<double> nearest_row(size_t mode, double x, size_t in) {
  std::vector<double> row(in, 0.0);
  row[inside(pick_nearest(mode, x), in)] = 1.0;
  return row;
}

std::vector<double> linear_row(double x, size_t in) {
  std::vector<double> row(in, 0.0);
  const double low = std::floor(x);
  row[inside(low, in)] += low + 1.0 - x;
  row[inside(low + 1.0, in)] += x - low;
  return row;
}

// ONNX's four coefficients, by the fraction between the middle two.
std::vector<double> cubic_row(double x, size_t in, double a, bool exclude) {
  const double low = std::floor(x);
  const double r = x - low;
  const double far = r + 1.0;
  const double far_back = 2.0 - r;
  const double back = 1.0 - r;
  const double weights[4] = {
      a * far * far * far - 5 * a * far * far + 8 * a * far - 4 * a,
      (a + 2) * r * r * r - (a + 3) * r * r + 1, (a + 2) * back * back * back - (a + 3) * back * back + 1,
      a * far_back * far_back * far_back - 5 * a * far_back * far_back + 8 * a * far_back - 4 * a};
  std::vector<double> row(in, 0.0);
  double total = 0.0;
  for (int i = 0; i < 4; ++i) {
    const double at = low - 1.0 + i;
    if (exclude && (at < 0.0 || at >= static_cast<double>(in))) continue;
    row[inside(at, in)] += weights[i];
    total += weights[i];
  }
  if (exclude)
    for (double& weight : row) weight /= total;
  return row;
}

// A triangle as wide as the pixels that one output covers.
std::vector<double> triangle_row(double x, size_t in, size_t out) {
  const double width = std::max(1.0, static_cast<double>(in) / static_cast<double>(out));
  std::vector<double> row(in, 0.0);
  double total = 0.0;
  const auto reach = static_cast<long>(std::ceil(width)) + 1;
  const long middle = std::lround(std::floor(x));
  for (long i = middle - reach; i <= middle + reach; ++i) {
    const double weight = std::max(0.0, 1.0 - std::fabs(static_cast<double>(i) - x) / width);
    row[inside(static_cast<double>(i), in)] += weight;
    total += weight;
  }
  for (double& weight : row) weight /= total;
  return row;
}

Tensor apply(const Tensor& in, size_t axis, const Matrix& matrix) {
  Tensor out{in.shape, {}};
  out.shape[axis] = matrix.size();
  for (size_t i = 0; i < count(out.shape); ++i) {
    std::vector<size_t> index = index_of(out.shape, i);
    const std::vector<double>& row = matrix[index[axis]];
    double sum = 0.0;
    for (size_t j = 0; j < row.size(); ++j) {
      index[axis] = j;
      if (row[j] != 0.0) sum += row[j] * in.values[offset_of(in.shape, index)];  // 0 keeps infinities out
    }
    out.values.push_back(sum);
  }
  return out;
}

// The size of the output is no parameter of the op: problems carry it as `to`.
template <class Row>
std::vector<Tensor> resize(const Problem& problem, const Tensor& input, Row&& row) {
  Tensor out = input;
  for (size_t axis = 1; axis + 1 < input.shape.size(); ++axis) {
    const size_t size = problem.integer("to", 1, axis - 1);
    Matrix matrix;
    for (size_t o = 0; o < size; ++o) matrix.push_back(row(o, input.shape[axis], size));
    out = apply(out, axis, matrix);
  }
  return {out};
}

std::vector<Tensor> any_resize(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t place = problem.integer("transformation_mode", 0);
  const size_t nearest = problem.integer("nearest_mode", place == 2 ? 1 : 2);
  return resize(problem, inputs[0], [&](size_t o, size_t in, size_t out) {
    const double x = source(place, o, in, out);
    if (problem.integer("interpolation_mode", 0) == 0) return nearest_row(nearest, x, in);
    if (problem.integer("interpolation_mode", 0) == 1) return linear_row(x, in);
    return cubic_row(x, in, problem.number("cubic_coeff", -0.75), problem.integer("exclude_outside", 0) != 0);
  });
}

size_t image_place(const Problem& problem) {
  if (problem.integer("align_corners", 0)) return 2;
  return problem.integer("half_pixel_centers", 0) ? 0 : 3;
}

std::vector<Tensor> bilinear(const Problem& problem, const std::vector<Tensor>& inputs) {
  return resize(problem, inputs[0], [&](size_t o, size_t in, size_t out) {
    const double x = source(image_place(problem), o, in, out);
    return problem.integer("antialias", 0) ? triangle_row(x, in, out) : linear_row(x, in);
  });
}

std::vector<Tensor> nearest(const Problem& problem, const std::vector<Tensor>& inputs) {
  return resize(problem, inputs[0], [&](size_t o, size_t in, size_t out) {
    const double ratio = static_cast<double>(in) / static_cast<double>(out);
    if (problem.integer("align_corners", 0)) return nearest_row(1, source(2, o, in, out), in);
    if (problem.integer("half_pixel_centers", 0))
      return nearest_row(2, tidy((static_cast<double>(o) + 0.5) * ratio), in);
    return nearest_row(2, tidy(static_cast<double>(o) * ratio), in);
  });
}

std::string random_resize(Random& random) {
  std::vector<size_t> in = {pick(random, 1, 2)};
  std::string to;
  for (size_t dims = pick(random, 1, 3); dims > 0; --dims) {
    in.push_back(pick(random, 1, 6));
    to += (to.empty() ? "" : ",") + std::to_string(pick(random, 1, 7));
  }
  in.push_back(pick(random, 1, 5));
  return "in=" + shape_text(in) + " to=" + to + " transformation_mode=" + std::to_string(pick(random, 0, 3)) +
         " interpolation_mode=" + std::to_string(pick(random, 0, 2)) +
         " nearest_mode=" + std::to_string(pick(random, 0, 3)) +
         " exclude_outside=" + std::to_string(pick(random, 0, 1)) +
         (pick(random, 0, 1) ? " cubic_coeff=-0.5" : "");
}

std::string random_image(Random& random) {
  const std::vector<size_t> in = {pick(random, 1, 2), pick(random, 1, 9), pick(random, 1, 9),
                                  pick(random, 1, 5)};
  const char* places[] = {"", " align_corners=1", " half_pixel_centers=1"};
  return "in=" + shape_text(in) + " to=" + std::to_string(pick(random, 1, 9)) + "," +
         std::to_string(pick(random, 1, 9)) + places[pick(random, 0, 2)];
}

const std::vector<std::string> kImages = {"in=1x1x1x1 to=1,1",
                                          "in=1x4x4x32 to=8,8 half_pixel_centers=1",
                                          "in=1x5x7x3 to=9,4 align_corners=1",
                                          "in=2x7x5x33 to=3,10",
                                          "in=1x3x3x2 to=1,1 align_corners=1",
                                          "in=1x6x6x4 to=2,3 half_pixel_centers=1"};

std::vector<std::string> with_antialias(std::vector<std::string> problems) {
  for (const char* more : {"in=1x9x7x3 to=4,2 half_pixel_centers=1 antialias=1",
                           "in=1x8x5x2 to=3,9 antialias=1", "in=1x7x7x4 to=3,2 align_corners=1 antialias=1"})
    problems.emplace_back(more);
  return problems;
}

const Register kResize{{
    .op = "Resize",
    .problems = {"in=1x1x1x1 to=1,1", "in=1x4x4x32 to=8,8 interpolation_mode=1", "in=2x5x3 to=9",
                 "in=1x5x7x3 to=3,11 interpolation_mode=2 transformation_mode=1",
                 "in=1x5x7x3 to=1,11 interpolation_mode=2 exclude_outside=1 transformation_mode=1",
                 "in=1x3x4x5x2 to=5,2,7 interpolation_mode=1 transformation_mode=2",
                 "in=1x3x4x3x3 to=4,3,5 interpolation_mode=2 transformation_mode=3 cubic_coeff=-0.5",
                 "in=1x5x4x3 to=9,7 transformation_mode=2", "in=1x5x4x3 to=9,8 nearest_mode=0",
                 "in=1x5x4x3 to=9,8 nearest_mode=1",
                 "in=1x5x4x3 to=3,8 nearest_mode=3 transformation_mode=3"},
    .random_problem = random_resize,
    .compute = any_resize,
    // Cubic weights have both signs: which of two infinities meets the other first would decide.
    .finite_inputs = {0},
    .any_zero = true,
}};

const Register kBilinear{{
    .op = "ResizeBilinear",
    .problems = with_antialias(kImages),
    .random_problem = random_image,
    .compute = bilinear,
    .any_zero = true,
}};

const Register kNearest{{
    .op = "ResizeNearestNeighbor",
    .problems = kImages,
    .random_problem = random_image,
    .compute = nearest,
    .output_encoding = OutputEncoding::kBoth,
    .any_zero = true,
}};

}  // namespace
}  // namespace openqnn::oracle
