// SPDX-License-Identifier: BSD-3-Clause
// NonMaxSuppression, MultiClassNms, CombinedNms, DetectionOutput.
#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

using Rectangle = std::array<double, 4>;  // two opposite corners, in any axis order

double iou(const Rectangle& a, const Rectangle& b) {
  double shared = 1.0;
  double area_a = 1.0;
  double area_b = 1.0;
  for (size_t axis = 0; axis < 2; ++axis) {
    const auto [a_low, a_high] = std::minmax(a[axis], a[axis + 2]);
    const auto [b_low, b_high] = std::minmax(b[axis], b[axis + 2]);
    shared *= std::fmax(0.0, std::fmin(a_high, b_high) - std::fmax(a_low, b_low));
    area_a *= a_high - a_low;
    area_b *= b_high - b_low;
  }
  const double together = area_a + area_b - shared;
  return together > 0.0 ? shared / together : 0.0;
}

Rectangle rectangle(const Tensor& boxes, size_t index) {
  const double* at = &boxes.values[index * 4];
  return {at[0], at[1], at[2], at[3]};
}

struct Detection {
  double score;
  size_t box;
  size_t label;
  Rectangle place;
};

bool better(const Detection& a, const Detection& b) {
  return std::make_tuple(-a.score, a.box, a.label) < std::make_tuple(-b.score, b.box, b.label);
}

// Strikes out instead of sorting: takes the best that is left, then weakens the rest.
std::vector<Detection> greedy(std::vector<Detection> open, size_t limit, double score_threshold,
                              const std::function<double(double)>& keep) {
  std::vector<Detection> chosen;
  std::erase_if(open, [&](const Detection& each) { return !(each.score > score_threshold); });
  while (!open.empty() && chosen.size() < limit) {
    const size_t best =
        static_cast<size_t>(std::min_element(open.begin(), open.end(), better) - open.begin());
    chosen.push_back(open[best]);
    open.erase(open.begin() + static_cast<long>(best));
    for (Detection& other : open) other.score *= keep(iou(other.place, chosen.back().place));
    std::erase_if(open, [&](const Detection& each) { return !(each.score > score_threshold); });
  }
  return chosen;
}

std::function<double(double)> hard(double threshold) {
  return [threshold](double overlap) { return overlap > threshold ? -1e9 : 1.0; };
}

// ---- Values: clusters of boxes, so that some overlap ----

void fill_boxes(Tensor& values, Random& random) {
  for (size_t i = 0; i + 3 < values.values.size(); i += 4) {
    const auto cluster = static_cast<double>(pick(random, 0, 2));
    for (size_t axis = 0; axis < 2; ++axis) {
      const double low = cluster * 0.3 + uniform(random, 0.0, 0.1);
      values.values[i + axis] = low;
      values.values[i + axis + 2] = low + uniform(random, 0.1, 0.3);
    }
    if (pick(random, 0, 3) == 0) std::swap(values.values[i], values.values[i + 2]);
  }
}

bool fill_detections(const Problem&, size_t input, Tensor& values, Random& random) {
  if (input == 0) fill_boxes(values, random);
  if (input == 1)
    for (double& value : values.values) value = uniform(random, 0.01, 0.99);
  return input < 2;
}

// ---- NonMaxSuppression ----

std::vector<Tensor> nms(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t n = inputs[0].shape[1];
  const size_t classes = inputs[1].shape[1];
  const size_t rows = problem.integer("rows", 1);
  Tensor selected{{rows, 3}, std::vector<double>(rows * 3, -1.0)};
  size_t found = 0;
  for (size_t b = 0; b < inputs[0].shape[0]; ++b)
    for (size_t c = 0; c < classes; ++c) {
      std::vector<Detection> open;
      for (size_t i = 0; i < n; ++i) {
        Rectangle place = rectangle(inputs[0], b * n + i);
        if (problem.integer("center_point_box", 0))
          place = {place[0] - place[2] / 2, place[1] - place[3] / 2, place[0] + place[2] / 2,
                   place[1] + place[3] / 2};
        open.push_back({inputs[1].values[(b * classes + c) * n + i], i, c, place});
      }
      for (const Detection& each :
           greedy(open, problem.integer("max_boxes_selected", 0), problem.number("score_threshold", 0.0),
                  hard(problem.number("iou_threshold", 0))))
        if (found < rows) {
          selected.values[found * 3] = static_cast<double>(b);
          selected.values[found * 3 + 1] = static_cast<double>(c);
          selected.values[found * 3 + 2] = static_cast<double>(each.box);
          ++found;
        }
    }
  return {selected, Tensor{{1}, {static_cast<double>(found)}}};
}

const Register kNms{{
    .op = "NonMaxSuppression",
    .problems = {"in=1x1x4 in=1x1x1 rows=1 max_boxes_selected=1 iou_threshold=0.5",
                 "in=1x16x4 in=1x2x16 rows=8 max_boxes_selected=4 iou_threshold=0.43 score_threshold=0.3",
                 "in=2x9x4 in=2x3x9 rows=30 max_boxes_selected=5 iou_threshold=0.21",
                 "in=1x12x4 in=1x1x12 rows=3 max_boxes_selected=12 iou_threshold=0.77 center_point_box=1",
                 "in=1x7x4 in=1x1x7 rows=5 iou_threshold=0.3"},
    .compute = nms,
    .fill = fill_detections,
}};

// ---- Outputs [b, rows] with a number of valid ones ----

struct Outputs {
  Tensor boxes;
  Tensor scores;
  Tensor labels;
  Tensor valid;

  Outputs(size_t batches, size_t rows)
      : boxes{{batches, rows, 4}, std::vector<double>(batches * rows * 4)},
        scores{{batches, rows}, std::vector<double>(batches * rows)},
        labels{{batches, rows}, std::vector<double>(batches * rows)},
        valid{{batches}, std::vector<double>(batches)} {}

  void put(size_t batch, const std::vector<Detection>& found) {
    const size_t rows = scores.shape[1];
    valid.values[batch] = static_cast<double>(std::min(rows, found.size()));
    for (size_t row = 0; row < std::min(rows, found.size()); ++row) {
      const size_t at = batch * rows + row;
      std::copy(found[row].place.begin(), found[row].place.end(), &boxes.values[at * 4]);
      scores.values[at] = found[row].score;
      labels.values[at] = static_cast<double>(found[row].label);
    }
  }
};

// ---- MultiClassNms ----

std::vector<Tensor> multi(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t batches = inputs[0].shape[0];
  const size_t n = inputs[0].shape[1];
  const size_t classes = inputs[1].shape[2];
  const size_t rows = problem.integer("rows", 1);
  const double threshold = problem.number("iou_threshold", 0);
  const double sigma = problem.number("soft_nms_sigma", 0);
  const auto soft = [&](double overlap) {
    return overlap > threshold ? -1e9 : std::exp(-overlap * overlap / (2.0 * sigma));
  };
  Outputs out(batches, rows);
  std::vector<Tensor> features;
  for (size_t i = 2; i < inputs.size(); ++i) {
    Tensor feature{inputs[i].shape, {}};
    feature.shape[1] = rows;
    feature.values.resize(count(feature.shape));
    features.push_back(feature);
  }
  for (size_t b = 0; b < batches; ++b) {
    std::vector<Detection> all;
    for (size_t c = 0; c < classes; ++c) {
      std::vector<Detection> open;
      for (size_t i = 0; i < n; ++i)
        open.push_back({inputs[1].values[(b * n + i) * classes + c], i, c, rectangle(inputs[0], b * n + i)});
      const auto kept = greedy(open, rows, problem.number("score_threshold", 0.0),
                               sigma > 0 ? std::function<double(double)>(soft) : hard(threshold));
      all.insert(all.end(), kept.begin(), kept.end());
    }
    std::sort(all.begin(), all.end(), better);
    out.put(b, all);
    for (size_t f = 0; f < features.size(); ++f) {
      const size_t width = count(features[f].shape) / batches / rows;
      for (size_t row = 0; row < std::min(rows, all.size()); ++row)
        for (size_t i = 0; i < width; ++i)
          features[f].values[(b * rows + row) * width + i] =
              inputs[2 + f].values[(b * n + all[row].box) * width + i];
    }
  }
  std::vector<Tensor> result = {out.boxes, out.scores, out.labels, out.valid};
  result.insert(result.end(), features.begin(), features.end());
  return result;
}

const Register kMulti{{
    .op = "MultiClassNms",
    .problems = {"in=1x1x4 in=1x1x1 in=1x1x2 rows=1 iou_threshold=0.5",
                 "in=1x5x4 in=1x5x1 in=1x5x2x3 rows=3 iou_threshold=0.31",
                 "in=3x4x4 in=3x4x2 rows=5 iou_threshold=0.2",
                 "in=1x12x4 in=1x12x3 in=1x12x5 rows=9 iou_threshold=0.43 score_threshold=0.3",
                 "in=2x7x4 in=2x7x2 in=2x7x3 in=2x7 rows=20 iou_threshold=0.6 soft_nms_sigma=0.5 "
                 "score_threshold=0.2"},
    .compute = multi,
    .fill = fill_detections,
}};

// ---- CombinedNms ----

std::vector<Tensor> combined(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t batches = inputs[0].shape[0];
  const size_t n = inputs[0].shape[1];
  const size_t sets = inputs[0].shape[2];
  const size_t classes = inputs[1].shape[2];
  const size_t per_class = problem.integer("max_boxes_per_class", 1);
  size_t rows = problem.integer("max_total_boxes", 1);
  if (problem.integer("pad_per_class", 0)) rows = std::min(rows, per_class * classes);
  Outputs out(batches, rows);
  for (size_t b = 0; b < batches; ++b) {
    std::vector<Detection> all;
    for (size_t c = 0; c < classes; ++c) {
      std::vector<Detection> open;
      for (size_t i = 0; i < n; ++i)
        open.push_back({inputs[1].values[(b * n + i) * classes + c], i, c,
                        rectangle(inputs[0], (b * n + i) * sets + (sets == 1 ? 0 : c))});
      const auto kept = greedy(open, per_class, problem.number("score_threshold", 0.0),
                               hard(problem.number("iou_threshold", 0)));
      all.insert(all.end(), kept.begin(), kept.end());
    }
    std::sort(all.begin(), all.end(), better);
    if (problem.integer("clip_boxes", 0))
      for (Detection& each : all)
        for (double& number : each.place) number = std::clamp(number, 0.0, 1.0);
    out.put(b, all);
  }
  return {out.boxes, out.scores, out.labels, out.valid};
}

const Register kCombined{{
    .op = "CombinedNms",
    .problems =
        {"in=1x1x1x4 in=1x1x1 max_boxes_per_class=1 max_total_boxes=1 iou_threshold=0.5",
         "in=3x5x2x4 in=3x5x2 max_boxes_per_class=3 max_total_boxes=4 iou_threshold=0.17",
         "in=1x12x1x4 in=1x12x3 max_boxes_per_class=4 max_total_boxes=9 iou_threshold=0.43 "
         "score_threshold=0.3",
         "in=2x7x3x4 in=2x7x3 max_boxes_per_class=2 max_total_boxes=20 iou_threshold=0.31 pad_per_class=1",
         "in=1x9x1x4 in=1x9x2 max_boxes_per_class=9 max_total_boxes=25 iou_threshold=0.6 clip_boxes=1"},
    .compute = combined,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          const bool filled = fill_detections(problem, input, values, random);
          if (input == 0 && problem.integer("clip_boxes", 0))
            for (double& value : values.values) value = value * 1.6 - 0.2;
          return filled;
        },
}};

// ---- DetectionOutput ----

Rectangle decode(const Problem& problem, const Tensor& locations, size_t location, const Tensor& anchors,
                 size_t anchor) {
  Rectangle box;
  for (size_t axis = 0; axis < 2; ++axis) {
    const double shift =
        locations.values[location * 4 + axis] * problem.number("delta_scaling_factors", 1, axis);
    const double grow =
        locations.values[location * 4 + 2 + axis] * problem.number("delta_scaling_factors", 1, 2 + axis);
    const double size = anchors.values[anchor * 4 + 2 + axis];
    const double centre = anchors.values[anchor * 4 + axis] + shift * size;
    const double extent = size * std::exp(grow);
    box[axis] = centre - extent / 2;
    box[axis + 2] = centre + extent / 2;
  }
  return box;
}

// Caffe's loop over a queue, with its shrinking threshold.
std::vector<Detection> adaptive(std::vector<Detection> open, size_t limit, double threshold, double eta) {
  std::sort(open.begin(), open.end(), better);
  std::vector<Detection> chosen;
  for (const Detection& each : open) {
    bool keep = chosen.size() < limit;
    for (const Detection& other : chosen) keep = keep && iou(each.place, other.place) <= threshold;
    if (!keep) continue;
    chosen.push_back(each);
    if (eta < 1.0 && threshold > 0.5) threshold *= eta;
  }
  return chosen;
}

std::vector<Tensor> detect(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t batches = inputs[0].shape[0];
  const size_t anchors = inputs[0].shape[1];
  const size_t classes = inputs[0].shape[2];
  const size_t sets = problem.integer("share_location", 1) ? 1 : classes;
  const size_t rows = problem.integer("rows", 1);
  const size_t background = problem.integer("background_class_idx", 0);
  const double given_limit = problem.number("detection_limit", -1);
  const size_t limit = given_limit < 0 ? SIZE_MAX : static_cast<size_t>(given_limit);
  Outputs out(batches, rows);
  for (size_t b = 0; b < batches; ++b) {
    // Everything above the threshold, by anchor.
    std::vector<std::vector<Detection>> above(anchors);
    for (size_t i = 0; i < anchors; ++i) {
      for (size_t c = 0; c < classes; ++c) {
        const double score = inputs[0].values[(b * anchors + i) * classes + c];
        if (c == background && !problem.integer("use_bg_in_nms", 0)) continue;
        if (!(score > problem.number("confidence_threshold", 0))) continue;
        const size_t anchor = inputs[2].shape[0] == anchors ? i : b * anchors + i;
        const size_t location = (b * anchors + i) * sets + (sets == 1 ? 0 : c);
        above[i].push_back({score, i, c, decode(problem, inputs[1], location, inputs[2], anchor)});
      }
      std::sort(above[i].begin(), above[i].end(), better);
    }
    std::vector<Detection> found;
    if (problem.integer("nms_type", 0) == 0) {
      std::vector<Detection> tops;
      for (const auto& each : above)
        if (!each.empty()) tops.push_back(each[0]);
      for (const Detection& top : greedy(tops, rows, -1.0, hard(problem.number("iou_threshold", 0))))
        for (size_t i = 0; i < std::min(limit, above[top.box].size()); ++i)
          found.push_back(above[top.box][i]);
    } else {
      for (size_t c = 0; c < classes; ++c) {
        std::vector<Detection> open;
        for (const auto& anchor : above)
          for (const Detection& each : anchor)
            if (each.label == c) open.push_back(each);
        const auto kept =
            adaptive(open, limit, problem.number("iou_threshold", 0), problem.number("nms_eta", 1.0));
        found.insert(found.end(), kept.begin(), kept.end());
      }
      std::sort(found.begin(), found.end(), better);
    }
    if (!problem.integer("output_background", 1)) {
      std::erase_if(found, [&](const Detection& each) { return each.label == background; });
      for (Detection& each : found) each.label -= each.label > background ? 1 : 0;
    }
    out.put(b, found);
  }
  return {out.scores, out.boxes, out.labels, out.valid};
}

bool fill_anchors(const Problem& problem, size_t input, Tensor& values, Random& random) {
  if (input == 0) return fill_detections(problem, 1, values, random);
  for (size_t i = 0; i < values.values.size(); ++i) {
    if (input == 1) values.values[i] = uniform(random, -1.0, 1.0);
    if (input == 2)
      values.values[i] =
          i % 4 < 2 ? 0.2 + 0.3 * static_cast<double>(pick(random, 0, 2)) : uniform(random, 0.2, 0.4);
  }
  return true;
}

const std::string kDetect =
    " delta_scaling_factors=0.125,0.125,0.25,0.25 confidence_threshold=0.4 iou_threshold=";

const Register kDetection{{
    .op = "DetectionOutput",
    .problems = {"in=1x1x2 in=1x1x4 in=1x4 rows=1" + kDetect + "0.5",
                 "in=1x12x4 in=1x12x4 in=12x4 rows=10" + kDetect + "0.43 detection_limit=2",
                 "in=2x9x3 in=2x9x4 in=18x4 rows=7" + kDetect +
                     "0.71 nms_type=1 nms_eta=0.9 detection_limit=4",
                 "in=2x7x3 in=2x21x4 in=7x4 rows=30" + kDetect +
                     "0.4 nms_type=1 share_location=0 background_class_idx=1 output_background=0",
                 "in=1x9x3 in=1x9x4 in=9x4 rows=40" + kDetect + "0.6 use_bg_in_nms=1",
                 "in=1x9x3 in=1x27x4 in=9x4 rows=8" + kDetect +
                     "0.6 use_bg_in_nms=1 output_background=0 share_location=0"},
    .compute = detect,
    .fill = fill_anchors,
}};

}  // namespace
}  // namespace openqnn::oracle
