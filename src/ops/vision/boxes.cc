// SPDX-License-Identifier: BSD-3-Clause
#include "ops/vision/boxes.h"

#include "ops/common.h"

namespace openqnn::ops {
namespace {

double area_of(const Corners& box) { return (box.x2 - box.x1) * (box.y2 - box.y1); }

}  // namespace

double overlap_of(const Corners& a, const Corners& b) {
  const double width = std::max(0.0, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
  const double height = std::max(0.0, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
  const double shared = width * height;
  const double covered = area_of(a) + area_of(b) - shared;
  return covered > 0.0 ? shared / covered : 0.0;
}

bool comes_before(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.box != b.box ? a.box < b.box : a.label < b.label;
}

Work pair_work(const OpCall& call, uint64_t boxes, uint64_t groups) {
  constexpr uint64_t kInstructionsPerPair = 10;  // ours: the overlap of a vector of boxes with one
  constexpr uint64_t kMostPairs = uint64_t{1} << 60;
  const uint64_t pairs = saturating_multiply(saturating_multiply(boxes, boxes), groups);
  return whole_work(call, std::min(pairs, kMostPairs), kInstructionsPerPair);
}

void hard_nms(Candidates& candidates, std::span<const Corners> boxes, double threshold, uint64_t limit,
              double eta) {
  std::ranges::sort(candidates, comes_before);
  size_t kept = 0;  // those before it are selected
  for (size_t i = 0; i < candidates.size() && kept < limit; ++i) {
    const bool overlaps = std::ranges::any_of(std::span(candidates).first(kept), [&](const Candidate& other) {
      return overlap_of(boxes[candidates[i].box], boxes[other.box]) > threshold;
    });
    if (overlaps) continue;
    candidates[kept++] = candidates[i];
    if (eta < 1.0 && threshold > 0.5) threshold *= eta;
  }
  candidates.resize(kept);
}

void soft_nms(Candidates& candidates, std::span<const Corners> boxes, FunctionRef<double(double)> decay,
              double score_threshold, uint64_t limit) {
  auto rest = candidates.begin();  // those before it are selected
  for (uint64_t kept = 0; rest != candidates.end() && kept < limit; ++kept) {
    const auto best = std::min_element(rest, candidates.end(), comes_before);
    std::rotate(rest, best, best + 1);
    const Corners& chosen = boxes[rest->box];
    ++rest;
    for (auto other = rest; other != candidates.end(); ++other)
      other->score *= decay(overlap_of(boxes[other->box], chosen));
    const auto dropped = std::remove_if(
        rest, candidates.end(), [&](const Candidate& other) { return !(other.score > score_threshold); });
    candidates.erase(dropped, candidates.end());
  }
  candidates.erase(rest, candidates.end());
}

}  // namespace openqnn::ops
