// SPDX-License-Identifier: BSD-3-Clause
// Boxes and non-maximum suppression: what detection ops share. Scores are never NaN here: a box is a
// candidate when its score is above a threshold, which NaN is not. Coordinates may be anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/function_ref.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"

namespace openqnn::ops {

struct Corners {
  double x1 = 0.0;
  double y1 = 0.0;
  double x2 = 0.0;
  double y2 = 0.0;
};

// Box `index` of a tensor that ends in [4].
inline Corners read_corners(const ElementReader& read, uint64_t index) {
  return {read(index * 4), read(index * 4 + 1), read(index * 4 + 2), read(index * 4 + 3)};
}
inline void write_corners(const ElementWriter& write, uint64_t index, const Corners& box) {
  write(index * 4, box.x1);
  write(index * 4 + 1, box.y1);
  write(index * 4 + 2, box.x2);
  write(index * 4 + 3, box.y2);
}
// For tensors that have y before x.
inline Corners swapped(const Corners& box) { return {box.y1, box.x1, box.y2, box.x2}; }

// Any two opposite corners.
inline Corners upright(const Corners& box) {
  return {std::min(box.x1, box.x2), std::min(box.y1, box.y2), std::max(box.x1, box.x2),
          std::max(box.y1, box.y2)};
}

// ---- How deltas of a region proposal network move a box ----

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

// ---- Suppression ----

// Intersection over union of two upright boxes; 0 when both are empty.
double overlap_of(const Corners& a, const Corners& b);

// A box of a class that may be selected.
struct Candidate {
  uint32_t box = 0;
  uint32_t label = 0;
  double score = 0.0;
};

// Best first; equals in the order of their boxes, then labels (ours).
bool comes_before(const Candidate& a, const Candidate& b);

using Candidates = KernelVector<Candidate>;

// Puts the boxes whose score is above `threshold` in the place of what `found` held. `score_of` gets the
// number of a box.
template <class ScoreOf>
void find_above(Candidates& found, double threshold, uint32_t boxes, uint32_t label, ScoreOf&& score_of) {
  found.clear();
  for (uint32_t i = 0; i < boxes; ++i)
    if (const double score = score_of(i); score > threshold) found.push_back({i, label, score});
}

// Leaves the best first, each unless it overlaps one before it by more than `threshold`; `limit` of them at
// most. With an `eta` below 1 the threshold shrinks after each one selected, while it is above a half
// (Caffe's rule).
void hard_nms(Candidates& candidates, std::span<const Corners> boxes, double threshold, uint64_t limit,
              double eta = 1.0);

// Every box against every other of its group (image and class), at worst.
Work pair_work(const OpCall& call, uint64_t boxes, uint64_t groups);

// Leaves the best first; each one selected multiplies the scores of the others by decay(overlap), and those
// that do not stay above `score_threshold` are dropped. `boxes` are by number of box.
void soft_nms(Candidates& candidates, std::span<const Corners> boxes, FunctionRef<double(double)> decay,
              double score_threshold, uint64_t limit);

}  // namespace openqnn::ops
