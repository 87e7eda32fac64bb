// SPDX-License-Identifier: BSD-3-Clause
// GridSample, ImageProjectionTransform, CropAndResize, RoiAlign, RoiPooling.
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// The value at whole-number coordinates, 0 outside.
double pixel(const Tensor& x, size_t batch, const std::vector<double>& at, size_t channel) {
  std::vector<size_t> index = {batch};
  for (size_t i = 0; i < at.size(); ++i) {
    if (!(at[i] >= 0.0 && at[i] < static_cast<double>(x.shape[1 + i]))) return 0.0;
    index.push_back(static_cast<size_t>(at[i]));
  }
  index.push_back(channel);
  return x.values[offset_of(x.shape, index)];
}

// Interpolates corner by corner of the cell around `at`.
double linear(const Tensor& x, size_t batch, const std::vector<double>& at, size_t channel) {
  double sum = 0.0;
  for (size_t corner = 0; corner < (size_t{1} << at.size()); ++corner) {
    double weight = 1.0;
    std::vector<double> where;
    for (size_t i = 0; i < at.size(); ++i) {
      const bool upper = (corner >> i & 1) != 0;
      const double fraction = at[i] - std::floor(at[i]);
      weight *= upper ? fraction : 1.0 - fraction;
      where.push_back(std::floor(at[i]) + (upper ? 1.0 : 0.0));
    }
    if (weight != 0.0) sum += weight * pixel(x, batch, where, channel);
  }
  return sum;
}

// ---- GridSample ----

// Mirrors until inside.
double mirrored(double at, double low, double high) {
  if (high == low) return low;
  while (at < low || at > high) at = at < low ? 2.0 * low - at : 2.0 * high - at;
  return at;
}

std::vector<Tensor> grid_sample(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  const Tensor& grid = inputs[1];
  const size_t dims = x.shape.size() - 2;
  const bool align = problem.integer("align_corners", 0) != 0;
  const size_t padding = problem.integer("padding_mode", 0);
  Tensor out{grid.shape, {}};
  out.shape.back() = x.shape.back();
  for (size_t i = 0; i < count(grid.shape) / dims; ++i) {
    const std::vector<size_t> index = index_of(grid.shape, i * dims);
    std::vector<double> at;
    for (size_t axis = 0; axis < dims; ++axis) {
      const double g = grid.values[i * dims + dims - 1 - axis];
      const auto size = static_cast<double>(x.shape[1 + axis]);
      double p = align ? (g + 1.0) / 2.0 * (size - 1.0) : ((g + 1.0) * size - 1.0) / 2.0;
      if (padding == 2) p = align ? mirrored(p, 0.0, size - 1.0) : mirrored(p, -0.5, size - 0.5);
      if (padding != 0) p = std::clamp(p, 0.0, size - 1.0);
      at.push_back(problem.integer("mode", 0) == 1 ? std::nearbyint(p) : p);
    }
    for (size_t c = 0; c < x.shape.back(); ++c) out.values.push_back(linear(x, index[0], at, c));
  }
  return {out};
}

std::string random_grid(Random& random) {
  const bool deep = pick(random, 0, 2) == 0;
  const size_t batches = pick(random, 1, 2);
  std::vector<size_t> in = {batches};
  std::vector<size_t> grid = {batches};
  for (size_t i = 0; i < (deep ? 3U : 2U); ++i) {
    in.push_back(pick(random, 1, 5));
    grid.push_back(pick(random, 1, 4));
  }
  in.push_back(pick(random, 1, 4));
  grid.push_back(deep ? 3 : 2);
  return "in=" + shape_text(in) + " in=" + shape_text(grid) +
         " align_corners=" + std::to_string(pick(random, 0, 1)) +
         " mode=" + std::to_string(pick(random, 0, 1)) +
         " padding_mode=" + std::to_string(pick(random, 0, 2));
}

const Register kGrid{{
    .op = "GridSample",
    .problems = {"in=1x1x1x1 in=1x1x1x2", "in=1x4x4x32 in=1x8x8x2", "in=2x5x7x3 in=2x3x4x2 align_corners=1",
                 "in=1x5x3x3 in=1x6x5x2 padding_mode=1", "in=1x5x4x3 in=1x7x6x2 padding_mode=2",
                 "in=1x5x4x3 in=1x7x6x2 padding_mode=2 align_corners=1 mode=1",
                 "in=1x6x5x2 in=1x5x5x2 mode=1", "in=1x3x4x5x2 in=1x2x3x4x3",
                 "in=2x3x3x3x3 in=2x3x2x3x3 padding_mode=2",
                 "in=1x1x3x4x2 in=1x3x3x3x3 padding_mode=1 align_corners=1"},
    .random_problem = random_grid,
    .compute = grid_sample,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          const double reach = problem.integer("padding_mode", 0) == 2 ? 4.0 : 1.4;
          for (double& value : values.values) value = uniform(random, -reach, reach);
          return input == 1;
        },
    .ordinary_inputs = {1},
}};

// ---- ImageProjectionTransform ----

std::vector<Tensor> project(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  Tensor out{x.shape, {}};
  for (size_t i = 0; i < count(x.shape); ++i) {
    const std::vector<size_t> index = index_of(x.shape, i);
    const double* m = &inputs[1].values[inputs[1].values.size() == 8 ? 0 : index[0] * 8];
    const auto px = static_cast<double>(index[2]);
    const auto py = static_cast<double>(index[1]);
    const double k = m[6] * px + m[7] * py + 1.0;
    std::vector<double> at = {(m[3] * px + m[4] * py + m[5]) / k, (m[0] * px + m[1] * py + m[2]) / k};
    if (problem.integer("interpolation_mode", 0) == 1)
      for (double& each : at) each = std::round(each);
    out.values.push_back(linear(x, index[0], at, index[3]));
  }
  return {out};
}

const Register kProject{{
    .op = "ImageProjectionTransform",
    .problems = {"in=1x1x1x1 in=1x8", "in=1x5x7x3 in=8", "in=2x4x5x3 in=2x8 interpolation_mode=1",
                 "in=3x4x4x2 in=1x8", "in=2x6x6x5 in=2x8"},
    .compute = project,
    .fill =
        [](const Problem&, size_t input, Tensor& values, Random& random) {
          const double typical[8] = {0.9, 0.2, 0.3, -0.1, 1.1, -0.4, 0.02, 0.01};
          for (size_t i = 0; i < values.values.size(); ++i)
            values.values[i] = typical[i % 8] * uniform(random, 0.5, 1.5);
          return input == 1;
        },
    .ordinary_inputs = {1},
}};

// ---- Regions ----

// An index that may be one too large.
void fill_batch_index(const Problem& problem, Tensor& values, Random& random) {
  for (double& value : values.values)
    value = static_cast<double>(pick(random, 0, problem.inputs[0].shape[0]));
}

std::vector<Tensor> crop(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  const size_t sizes[2] = {problem.integer("resize_dims", 1, 0), problem.integer("resize_dims", 1, 1)};
  Tensor out{{inputs[1].shape[0], sizes[0], sizes[1], x.shape[3]}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    const std::vector<size_t> index = index_of(out.shape, i);
    const double* box = &inputs[1].values[index[0] * 4];
    const double batch = inputs[2].values[index[0]];
    bool inside = batch < static_cast<double>(x.shape[0]);
    std::vector<double> at;
    for (size_t axis = 0; axis < 2; ++axis) {
      const double last = static_cast<double>(x.shape[1 + axis]) - 1.0;
      const double from = box[axis] * last;
      const double step = (box[axis + 2] - box[axis]) * last;
      const double p = sizes[axis] > 1 ? from + static_cast<double>(index[1 + axis]) * step /
                                                    (static_cast<double>(sizes[axis]) - 1.0)
                                       : (box[axis] + box[axis + 2]) / 2.0 * last;
      inside &= p >= 0.0 && p <= last;
      at.push_back(problem.integer("interpolation_mode", 0) == 1 ? std::round(p) : p);
    }
    out.values.push_back(inside ? linear(x, static_cast<size_t>(batch), at, index[3])
                                : problem.number("extrapolation_value", 0.0));
  }
  return {out};
}

const Register kCrop{{
    .op = "CropAndResize",
    .problems = {"in=1x1x1x1 in=1x4 in=1 resize_dims=1,1", "in=2x8x8x4 in=3x4 in=3 resize_dims=4,4",
                 "in=2x7x5x3 in=5x4 in=5 resize_dims=3,6 extrapolation_value=0.5",
                 "in=1x6x9x2 in=4x4 in=4 resize_dims=1,5 interpolation_mode=1",
                 "in=3x5x5x1 in=2x4 in=2 resize_dims=9,2"},
    .compute = crop,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input == 2) fill_batch_index(problem, values, random);
          if (input == 1)
            for (double& value : values.values) value = uniform(random, -0.1, 1.1);
          return input != 0;
        },
}};

// One dimension of RoiAlign as a row of weights over the pixels.
std::vector<double> roi_row(const Problem& problem, double low, double high, size_t axis, size_t bin,
                            size_t bins, size_t size) {
  const double ratio = problem.number("img_size_ratio", 1.0, axis);
  const bool aligned = problem.integer("aligned", 0) != 0;
  const double start = low / ratio - (aligned ? 0.5 : 0.0);
  double extent = high / ratio - (aligned ? 0.5 : 0.0) - start;
  if (!aligned) extent = std::max(extent, 1.0);
  const double step = extent / static_cast<double>(bins);
  double samples = problem.number(axis == 0 ? "num_samples_y" : "num_samples_x", -1);
  if (samples <= 0.0) samples = std::clamp(std::ceil(step), 0.0, static_cast<double>(size));
  std::vector<double> row(size, 0.0);
  for (double i = 0.0; i < samples; i += 1.0) {
    double at = start + static_cast<double>(bin) * step + (i + 0.5) * step / samples;
    if (at < -1.0 || at > static_cast<double>(size)) continue;
    at = std::min(std::max(at, 0.0), static_cast<double>(size - 1));
    const auto lower = static_cast<size_t>(at);
    const double fraction = at - static_cast<double>(lower);
    row[lower] += (1.0 - fraction) / samples;
    if (fraction > 0.0) row[lower + 1] += fraction / samples;
  }
  return row;
}

std::vector<Tensor> roi_align(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  Tensor out{{inputs[1].shape[0], problem.integer("to", 1, 0), problem.integer("to", 1, 1), x.shape[3]}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    const std::vector<size_t> index = index_of(out.shape, i);
    const double* roi = &inputs[1].values[index[0] * 4];
    const double batch = inputs[2].values[index[0]];
    const bool empty = roi[2] <= roi[0] || roi[3] <= roi[1];
    double sum = 0.0;
    if (batch < static_cast<double>(x.shape[0]) && !(empty && problem.integer("allow_invalid_roi", 0))) {
      const std::vector<double> rows =
          roi_row(problem, roi[1], roi[3], 0, index[1], out.shape[1], x.shape[1]);
      const std::vector<double> columns =
          roi_row(problem, roi[0], roi[2], 1, index[2], out.shape[2], x.shape[2]);
      for (size_t y = 0; y < rows.size(); ++y)
        for (size_t c = 0; c < columns.size(); ++c)
          if (rows[y] * columns[c] != 0.0)
            sum += rows[y] * columns[c] *
                   x.values[offset_of(x.shape, {static_cast<size_t>(batch), y, c, index[3]})];
    }
    out.values.push_back(sum);
  }
  return {out};
}

// Regions in and around the image; some are turned over.
bool fill_rois(const Problem& problem, size_t input, Tensor& values, Random& random) {
  if (input == 2) fill_batch_index(problem, values, random);
  if (input == 1)
    for (size_t i = 0; i < values.values.size(); ++i) {
      const size_t axis = 1 - i % 2;  // x comes first
      const double size = static_cast<double>(problem.inputs[0].shape[1 + axis]) *
                          problem.number("img_size_ratio", 1.0, axis);
      values.values[i] = i % 4 < 2 ? uniform(random, -0.1, 0.6) * size : uniform(random, 0.5, 1.2) * size;
    }
  return input != 0;
}

const Register kRoiAlign{{
    .op = "RoiAlign",
    .problems = {"in=1x1x1x1 in=1x4 in=1 to=1,1 img_size_ratio=1,1",
                 "in=2x8x8x4 in=3x4 in=3 to=2,2 img_size_ratio=2,2",
                 "in=2x7x9x3 in=5x4 in=5 to=3,2 img_size_ratio=4,2 num_samples_y=2 num_samples_x=3",
                 "in=1x9x5x2 in=4x4 in=4 to=2,5 img_size_ratio=1,1 aligned=1",
                 "in=1x9x5x2 in=6x4 in=6 to=3,3 img_size_ratio=1,1 allow_invalid_roi=1",
                 "in=3x6x6x5 in=2x4 in=2 to=7,7 img_size_ratio=8,8 num_samples_y=0 aligned=1"},
    .compute = roi_align,
    .fill = fill_rois,
    .ordinary_inputs = {1},
}};

// A NaN wins; nothing is 0.
double largest_or_zero(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  double best = values[0];
  for (const double value : values)
    best = std::isnan(value) || std::isnan(best) ? NAN : std::max(best, value);
  return best;
}

std::vector<Tensor> roi_pooling(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Tensor& x = inputs[0];
  Tensor out{{inputs[1].shape[0], problem.integer("to", 1, 0), problem.integer("to", 1, 1), x.shape[3]}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    const std::vector<size_t> index = index_of(out.shape, i);
    const double* roi = &inputs[1].values[index[0] * 4];
    const double batch = inputs[2].values[index[0]];
    std::vector<double> seen;
    double low[2];
    double high[2];
    for (size_t axis = 0; axis < 2; ++axis) {
      const double ratio = problem.number("img_size_ratio", 1.0, axis);
      const double first = std::round(roi[1 - axis] / ratio);
      const double extent = std::max(std::round(roi[3 - axis] / ratio) - first + 1.0, 1.0);
      const double step = extent / static_cast<double>(out.shape[1 + axis]);
      low[axis] = first + std::floor(static_cast<double>(index[1 + axis]) * step);
      high[axis] = first + std::ceil(static_cast<double>(index[1 + axis] + 1) * step);
    }
    if (batch < static_cast<double>(x.shape[0]))
      for (size_t y = 0; y < x.shape[1]; ++y)
        for (size_t w = 0; w < x.shape[2]; ++w)
          if (static_cast<double>(y) >= low[0] && static_cast<double>(y) < high[0] &&
              static_cast<double>(w) >= low[1] && static_cast<double>(w) < high[1])
            seen.push_back(x.values[offset_of(x.shape, {static_cast<size_t>(batch), y, w, index[3]})]);
    out.values.push_back(largest_or_zero(seen));
  }
  return {out};
}

const Register kRoiPooling{{
    .op = "RoiPooling",
    .problems = {"in=1x1x1x1 in=1x4 in=1 to=1,1 img_size_ratio=1,1",
                 "in=2x8x8x4 in=3x4 in=3 to=2,2 img_size_ratio=2,2",
                 "in=2x7x9x3 in=5x4 in=5 to=3,2 img_size_ratio=4,2",
                 "in=3x5x5x1 in=7x4 in=7 to=5,5 img_size_ratio=2,1",
                 "in=1x9x5x2 in=4x4 in=4 to=2,7 img_size_ratio=1,1"},
    .compute = roi_pooling,
    .fill = fill_rois,
    .ordinary_inputs = {1},
    .any_zero = true,
}};

}  // namespace
}  // namespace openqnn::oracle
