// SPDX-License-Identifier: BSD-3-Clause
// Box transforms and region proposals, BoxWithNmsLimit.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// (x1, y1, x2, y2)
using Corners = std::vector<double>;

double iou(const Corners& a, const Corners& b) {
  double shared = 1.0;
  double area_a = 1.0;
  double area_b = 1.0;
  for (size_t axis = 0; axis < 2; ++axis) {
    shared *= std::fmax(0.0, std::fmin(a[axis + 2], b[axis + 2]) - std::fmax(a[axis], b[axis]));
    area_a *= a[axis + 2] - a[axis];
    area_b *= b[axis + 2] - b[axis];
  }
  const double together = area_a + area_b - shared;
  return together > 0.0 ? shared / together : 0.0;
}

// Centre and size, moved and scaled, then cut to the image; `image` is (h, w).
Corners move(const double* box, const double* deltas, const double* weights, const double* image,
             bool limited) {
  Corners result(4);
  for (size_t axis = 0; axis < 2; ++axis) {
    const double size = box[axis + 2] - box[axis];
    double grow = deltas[axis + 2] / weights[axis + 2];
    if (limited) grow = std::fmin(grow, std::log(1000.0 / 16.0));
    const double centre = (box[axis] + box[axis + 2]) / 2 + deltas[axis] / weights[axis] * size;
    const double scaled = size * std::exp(grow);
    result[axis] = std::clamp(centre - scaled / 2, 0.0, image[1 - axis]);
    result[axis + 2] = std::clamp(centre + scaled / 2, 0.0, image[1 - axis]);
  }
  return result;
}

void fill_rectangles(Tensor& values, Random& random) {
  for (size_t i = 0; i < values.values.size(); ++i)
    values.values[i] = i % 4 < 2 ? uniform(random, 0.0, 12.0) : uniform(random, 14.0, 30.0);
}

void fill_with(Tensor& values, Random& random, double low, double high) {
  for (double& value : values.values) value = uniform(random, low, high);
}

// Images in order, one of them missing at times: -1 and one too many.
void fill_images(Tensor& values, Random& random, size_t images) {
  for (double& value : values.values) value = static_cast<double>(pick(random, 0, images + 1)) - 1.0;
}

// ---- AxisAlignedBboxTransform ----

std::vector<Tensor> aligned(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t images = inputs[3].shape[0];
  Tensor boxes{inputs[1].shape, std::vector<double>(inputs[1].values.size())};
  Tensor splits{{images}, std::vector<double>(images)};
  double weights[4];
  for (size_t i = 0; i < 4; ++i) weights[i] = problem.number("weights", 1.0, i);
  for (size_t n = 0; n < inputs[0].shape[0]; ++n) {
    const double image = inputs[2].values[n];
    if (image < 0.0 || image >= static_cast<double>(images)) continue;
    const auto which = static_cast<size_t>(image);
    splits.values[which] += 1.0;
    for (size_t at = n * boxes.shape[1]; at < (n + 1) * boxes.shape[1]; at += 4) {
      const Corners box =
          move(&inputs[0].values[n * 4], &inputs[1].values[at], weights, &inputs[3].values[which * 2], false);
      std::copy(box.begin(), box.end(), &boxes.values[at]);
    }
  }
  return {boxes, splits};
}

const Register kAligned{{
    .op = "AxisAlignedBboxTransform",
    .problems = {"in=1x4 in=1x4 in=1 in=1x2", "in=7x4 in=7x4 in=7 in=5x2 weights=1,2,1,0.5",
                 "in=5x4 in=5x12 in=5 in=2x2", "in=9x4 in=9x8 in=9 in=3x2 weights=8,8,4,4",
                 "in=4x4 in=4x20 in=4 in=1x2"},
    .compute = aligned,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input == 0) fill_rectangles(values, random);
          if (input == 1) fill_with(values, random, -1.0, 1.0);
          if (input == 2) fill_images(values, random, problem.inputs[3].shape[0]);
          if (input == 3) fill_with(values, random, 24.0, 32.0);
          return true;
        },
    .ordinary_inputs = {0, 1, 3},  // where a border lies that is below 0 or no number, nothing is defined
}};

// ---- BboxTransform ----

std::vector<Tensor> rotated(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t images = inputs[2].shape[0];
  Tensor boxes{inputs[1].shape, std::vector<double>(inputs[1].values.size())};
  Tensor counts{{images}, std::vector<double>(images)};
  const double limit = problem.number("angle_clip_threshold", -1.0);
  for (size_t n = 0; n < inputs[0].shape[0]; ++n) {
    const double image = problem.has_input(3) ? inputs[3].values[n] : 0.0;
    if (image < 0.0 || image >= static_cast<double>(images)) continue;
    const double* size = &inputs[2].values[static_cast<size_t>(image) * 3];
    counts.values[static_cast<size_t>(image)] += 1.0;
    for (size_t at = n * boxes.shape[1]; at < (n + 1) * boxes.shape[1]; at += 5) {
      const double* roi = &inputs[0].values[n * 5];
      const double* delta = &inputs[1].values[at];
      double angle = roi[4] + delta[4] * 180.0 / std::acos(-1.0);
      if (problem.has("angle_bounds")) {
        const double low = problem.number("angle_bounds", 0, 0);
        const double high = problem.number("angle_bounds", 0, 1);
        if (angle < low)
          angle += high - low;
        else if (angle > high)
          angle -= high - low;
      }
      double* out = &boxes.values[at];
      for (size_t axis = 0; axis < 2; ++axis) {
        const double extent = roi[2 + axis] / size[2];
        double centre = roi[axis] / size[2] + delta[axis] / problem.number("weights", 1, axis) * extent;
        double scaled = extent * std::exp(std::fmin(delta[2 + axis] / problem.number("weights", 1, 2 + axis),
                                                    std::log(62.5)));
        if (std::fabs(angle) <= limit) {
          const double last = std::floor(size[1 - axis] / size[2] + 0.5) - 1.0;
          const double low = std::clamp(centre - scaled / 2, 0.0, last);
          const double high = std::clamp(centre + scaled / 2, 0.0, last);
          centre = (low + high) / 2;
          scaled = high - low;
        }
        const double factor = problem.integer("apply_scale", 1) ? size[2] : 1.0;
        out[axis] = centre * factor;
        out[2 + axis] = scaled * factor;
      }
      out[4] = std::fabs(angle) <= limit ? 0.0 : angle;
    }
  }
  return {boxes, counts};
}

const Register kRotated{{
    .op = "BboxTransform",
    .problems = {"in=1x5 in=1x5 in=1x3 weights=1,1,1,1",
                 "in=3x5 in=3x20 in=1x3 in=3 weights=1,1,1,1 angle_bounds=-45,135",
                 "in=6x5 in=6x15 in=2x3 in=6 weights=8,8,4,4 apply_scale=0",
                 "in=7x5 in=7x10 in=3x3 in=7 weights=1,1,1,1 angle_bounds=-90,90 angle_clip_threshold=30",
                 "in=4x5 in=4x5 in=1x3 weights=2,2,1,1 angle_clip_threshold=0"},
    .compute = rotated,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          for (size_t i = 0; i < values.values.size(); ++i) {
            if (input == 0)
              values.values[i] = i % 5 == 4 ? uniform(random, -80, 80) : uniform(random, 4.0, 20.0);
            if (input == 2)
              values.values[i] = i % 3 == 2 ? uniform(random, 0.5, 2.0) : uniform(random, 24.0, 32.0);
          }
          if (input == 1) fill_with(values, random, -1.0, 1.0);
          if (input == 3) fill_images(values, random, problem.inputs[2].shape[0]);
          return true;
        },
    .ordinary_inputs = {0, 1, 2},
}};

// ---- Suppression ----

struct Region {
  double score;
  size_t index;
  size_t label;
  Corners place;
};

bool ranks_before(const Region& a, const Region& b) {
  return std::make_tuple(-a.score, a.index, a.label) < std::make_tuple(-b.score, b.index, b.label);
}

// ---- GenerateProposals ----

std::vector<Tensor> generate(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& shape = inputs[0].shape;
  const size_t rows = problem.integer("rows", 1);
  Tensor scores{{rows}, std::vector<double>(rows)};
  Tensor boxes{{rows, 4}, std::vector<double>(rows * 4)};
  Tensor batches{{rows}, std::vector<double>(rows, -1.0)};
  size_t row = 0;
  const double one[4] = {1, 1, 1, 1};
  for (size_t b = 0; b < shape[0]; ++b) {
    std::vector<Region> open;
    for (size_t i = 0; i < shape[1] * shape[2] * shape[3]; ++i) {
      const std::vector<size_t> at = index_of({shape[1], shape[2], shape[3]}, i);
      Corners anchor(&inputs[2].values[at[2] * 4], &inputs[2].values[at[2] * 4] + 4);
      for (size_t k = 0; k < 4; ++k)
        anchor[k] += static_cast<double>(at[1 - k % 2]) * problem.number("img_size_ratio", 1, 1 - k % 2);
      const size_t index = b * shape[1] * shape[2] * shape[3] + i;
      if (!(inputs[0].values[index] > -INFINITY)) continue;  // no score proposes nothing
      open.push_back({inputs[0].values[index], i, 0,
                      move(anchor.data(), &inputs[1].values[index * 4], one, &inputs[3].values[b * 2],
                           problem.integer("bbox_xform_clip", 0) != 0)});
    }
    std::sort(open.begin(), open.end(), ranks_before);
    const size_t before = problem.integer("pre_nms_limit", 0);
    if (before && open.size() > before) open.resize(before);
    std::vector<Region> kept;
    for (const Region& each : open) {
      const double least = problem.number("min_size", 0);
      bool keep = each.place[2] - each.place[0] >= least && each.place[3] - each.place[1] >= least;
      for (const Region& other : kept)
        keep = keep && !(iou(each.place, other.place) > problem.number("iou_threshold", 0));
      if (keep) kept.push_back(each);
    }
    const size_t after = problem.integer("post_nms_limit", 0);
    if (after && kept.size() > after) kept.resize(after);
    for (const Region& each : kept) {
      if (row == rows) break;
      scores.values[row] = each.score;
      std::copy(each.place.begin(), each.place.end(), &boxes.values[row * 4]);
      batches.values[row++] = static_cast<double>(b);
    }
  }
  return {scores, boxes, batches};
}

const Register kGenerate{{
    .op = "GenerateProposals",
    .problems =
        {"in=1x1x1x1 in=1x1x1x4 in=1x4 in=1x2 rows=1 img_size_ratio=1,1 iou_threshold=0.5",
         "in=1x5x3x1 in=1x5x3x4 in=1x4 in=1x2 rows=15 img_size_ratio=4,8 iou_threshold=0.25 post_nms_limit=4",
         "in=1x3x4x3 in=1x3x4x12 in=3x4 in=1x2 rows=12 img_size_ratio=4,4 iou_threshold=0.43 min_size=6",
         "in=2x3x3x2 in=2x3x3x8 in=2x4 in=2x2 rows=9 img_size_ratio=8,4 iou_threshold=0.7 pre_nms_limit=10 "
         "post_nms_limit=5",
         "in=2x2x3x1 in=2x2x3x4 in=1x4 in=2x2 rows=20 img_size_ratio=4,4 iou_threshold=0.9 "
         "bbox_xform_clip=1"},
    .compute = generate,
    .fill =
        [](const Problem&, size_t input, Tensor& values, Random& random) {
          if (input == 0) fill_with(values, random, 0.0, 1.0);
          if (input == 1) fill_with(values, random, -0.7, 0.7);
          for (size_t i = 0; input == 2 && i < values.values.size(); ++i)
            values.values[i] = i % 4 < 2 ? uniform(random, -8, -2) : uniform(random, 2, 8);
          if (input == 3) fill_with(values, random, 20.0, 28.0);
          return true;
        },
    .ordinary_inputs = {1, 2, 3},
}};

// ---- CollectRpnProposals ----

std::vector<Tensor> collect(const Problem& problem, const std::vector<Tensor>& inputs) {
  std::vector<std::pair<double, const double*>> all;
  for (size_t level = 0; level < 5; ++level)
    for (size_t i = 0; i < inputs[5 + level].values.size(); ++i)
      all.emplace_back(std::isnan(inputs[5 + level].values[i]) ? -INFINITY : inputs[5 + level].values[i],
                       &inputs[level].values[i * 5]);  // a score that is no number comes last
  // Insertion keeps equals in order.
  for (size_t i = 1; i < all.size(); ++i)
    for (size_t j = i; j > 0 && all[j].first > all[j - 1].first; --j) std::swap(all[j], all[j - 1]);
  const size_t rows = std::min(all.size(), problem.integer("post_nms_top", 2000));
  Tensor out{{rows, 5}, {}};
  for (size_t i = 0; i < rows; ++i) out.values.insert(out.values.end(), all[i].second, all[i].second + 5);
  return {out};
}

const Register kCollect{{
    .op = "CollectRpnProposals",
    .problems = {"in=1x5 in=1x5 in=1x5 in=1x5 in=1x5 in=1 in=1 in=1 in=1 in=1",
                 "in=3x5 in=2x5 in=4x5 in=5x5 in=none in=3 in=2 in=4 in=5 in=none rpn_max_level=5",
                 "in=7x5 in=7x5 in=7x5 in=7x5 in=7x5 in=7 in=7 in=7 in=7 in=7 post_nms_top=1",
                 "in=9x5 in=7x5 in=5x5 in=3x5 in=1x5 in=9 in=7 in=5 in=3 in=1 post_nms_top=11",
                 "in=4x5 in=6x5 in=3x5 in=none in=none in=4 in=6 in=3 in=none in=none rpn_min_level=3 "
                 "rpn_max_level=5 "
                 "post_nms_top=5"},
    .compute = collect,
    .fill =
        [](const Problem&, size_t input, Tensor& values, Random& random) {
          fill_with(values, random, 0.0, input < 5 ? 30.0 : 1.0);
          return true;
        },
}};

// ---- DistributeFpnProposals ----

std::vector<Tensor> distribute(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t n = inputs[0].shape[0];
  const size_t width = inputs[0].shape[1];
  const double first = problem.number("roi_min_level", 2);
  const double last = problem.number("roi_max_level", 5);
  const size_t rows = problem.integer("rows", 1);  // of each level
  std::vector<Tensor> outputs = {Tensor{{n}, {}}};
  std::vector<size_t> used;
  for (double level = first; level <= last; level += 1.0) {
    outputs.push_back({{rows, width}, std::vector<double>(rows * width)});
    used.push_back(0);
  }
  for (size_t i = 0; i < n; ++i) {
    const double* roi = &inputs[0].values[i * width];
    const double* corner = roi + width - 4;
    const double w = corner[2] - corner[0];
    const double h = corner[3] - corner[1];
    double at = -1.0;
    if (w > 0.0 && h > 0.0) {
      const double level =
          std::floor(problem.number("roi_canonical_level", 4) +
                     std::log2(std::sqrt(w * h) / problem.number("roi_canonical_scale", 224)));
      const auto which = static_cast<size_t>(std::clamp(level, first, last) - first);
      if (used[which] < rows) {
        std::copy(roi, roi + width, &outputs[1 + which].values[used[which] * width]);
        at = static_cast<double>(which * rows + used[which]++);
      }
    }
    outputs[0].values.push_back(at);
  }
  return outputs;
}

const Register kDistribute{{
    .op = "DistributeFpnProposals",
    .problems =
        {"in=1x4 rows=1", "in=5x4 rows=5 roi_min_level=4 roi_canonical_scale=50",
         "in=24x5 rows=24 roi_canonical_scale=40", "in=17x4 rows=3 roi_canonical_scale=56",
         "in=9x5 rows=9 roi_min_level=3 roi_max_level=4 roi_canonical_scale=30 roi_canonical_level=3"},
    .compute = distribute,
    .fill =
        [](const Problem&, size_t, Tensor& values, Random& random) {
          fill_with(values, random, 0.0, 90.0);
          return true;
        },
}};

// ---- BoxWithNmsLimit ----

std::vector<Tensor> box_limit(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t n = inputs[1].shape[0];
  const size_t classes = inputs[1].shape[1];
  const size_t rows = problem.integer("rows", 1);
  const size_t images = problem.has_input(3) ? inputs[3].values.size() : problem.integer("images", 1);
  const double threshold = problem.number("iou_threshold", 0);
  const std::function<double(double)> factors[] = {
      [&](double overlap) { return overlap >= threshold ? 0.0 : 1.0; },
      [&](double overlap) { return overlap >= threshold ? 1.0 - overlap : 1.0; },
      [&](double overlap) { return std::exp(-overlap * overlap / problem.number("sigma", 1)); }};
  Tensor boxes{{rows, 4}, std::vector<double>(rows * 4)};
  Tensor scores{{rows}, std::vector<double>(rows)};
  Tensor labels{{rows}, std::vector<double>(rows)};
  Tensor batches{{rows}, std::vector<double>(rows, -1.0)};
  Tensor splits{{images}, std::vector<double>(images)};
  Tensor keeps{{rows}, std::vector<double>(rows, -1.0)};
  Tensor keeps_size{{classes}, std::vector<double>(classes)};
  size_t row = 0;
  for (size_t b = 0; b < images; ++b) {
    std::vector<Region> all;
    for (size_t i = 0; i < n; ++i)
      for (size_t c = 1; c < classes; ++c) {
        const double* at = &inputs[0].values[(i * classes + c) * 4];
        if (inputs[2].values[i] == static_cast<double>(b) &&
            inputs[1].values[i * classes + c] > problem.number("score_threshold", 0))
          all.push_back({inputs[1].values[i * classes + c], i, c, Corners(at, at + 4)});
      }
    std::sort(all.begin(), all.end(), ranks_before);
    const double limit = problem.number("pre_nms_limit", -1);
    if (limit >= 0 && static_cast<double>(all.size()) > limit) all.resize(static_cast<size_t>(limit));
    for (size_t c = 1; c < classes; ++c) {
      std::vector<Region> open;
      for (const Region& each : all)
        if (each.label == c) open.push_back(each);
      while (!open.empty()) {
        std::sort(open.begin(), open.end(), ranks_before);
        const Region best = open.front();
        open.erase(open.begin());
        for (Region& other : open)
          other.score *= factors[problem.integer("nms_kernel_method", 0)](iou(best.place, other.place));
        std::erase_if(open, [&](const Region& each) {
          return !(each.score > problem.number("nms_score_threshold", 0));
        });
        if (row == rows) continue;
        std::copy(best.place.begin(), best.place.end(), &boxes.values[row * 4]);
        scores.values[row] = best.score;
        labels.values[row] = static_cast<double>(c);
        keeps.values[row] = static_cast<double>(best.index);
        batches.values[row++] = static_cast<double>(b);
        splits.values[b] += 1.0;
        keeps_size.values[c] += 1.0;
      }
    }
  }
  return {boxes, scores, labels, batches, splits, keeps, keeps_size};
}

const std::string kLimits = " nms_score_threshold=0.2 iou_threshold=0.41 sigma=0.5 nms_kernel_method=";

const Register kBoxLimit{{
    .op = "BoxWithNmsLimit",
    .problems = {"in=1x8 in=1x2 in=1 in=1 rows=1" + kLimits + "0",
                 "in=7x16 in=7x4 in=7 in=3 rows=5" + kLimits + "1",
                 "in=12x12 in=12x3 in=12 in=2 rows=20" + kLimits + "0",
                 "in=9x12 in=9x3 in=9 in=none rows=9 images=3 score_threshold=0.3" + kLimits + "1",
                 "in=8x8 in=8x2 in=8 in=2 rows=30 pre_nms_limit=5" + kLimits + "2"},
    .compute = box_limit,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input == 0) fill_rectangles(values, random);
          if (input == 1) fill_with(values, random, 0.0, 1.0);
          const size_t images =
              problem.inputs[3].absent ? problem.integer("images", 1) : problem.inputs[3].shape[0];
          if (input == 2) fill_images(values, random, images);
          if (input == 3) fill_with(values, random, 0.0, 5.0);
          return true;
        },
    .ordinary_inputs = {0},
}};

}  // namespace
}  // namespace openqnn::oracle
