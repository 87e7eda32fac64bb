// SPDX-License-Identifier: BSD-3-Clause
// BoxWithNmsLimit: (soft) suppression for every image and class, as Caffe2 and Android NN have it: class 0 is
// the background and takes no part.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/exp.h"
#include "ops/op.h"
#include "ops/vision/boxes.h"

namespace openqnn::ops {
namespace {

enum class Method : uint8_t { kHard, kLinear, kGaussian };

enum Output : size_t { kBoxes, kScores, kClasses, kBatchIndex, kBatchSplits, kKeeps, kKeepsSize };

// How many images there are, when an operand says so; 0 when none does.
uint32_t stated_images(const OpCall& call) {
  if (call.has_input(3)) return call.in(3).shape[0];
  return call.has_output(kBatchSplits) ? call.out(kBatchSplits).shape[0] : 0;
}

Status check_outputs(const OpCall& call, uint32_t classes) {
  OPENQNN_TRY(check_rank(call.out(kBoxes), "output", 2, "[m, 4]"));
  const uint32_t rows = call.out(kBoxes).shape[0];
  OPENQNN_TRY(expect_shape("output", call.out(kBoxes).shape, {rows, 4}));
  OPENQNN_TRY(expect_shape("scores of the output", call.out(kScores).shape, {rows}));
  OPENQNN_TRY(expect_shape("classes", call.out(kClasses).shape, {rows}));
  OPENQNN_TRY(expect_shape("batch_index of the output", call.out(kBatchIndex).shape, {rows}));
  if (call.has_output(kBatchSplits))
    OPENQNN_TRY(
        expect_shape("batch_splits of the output", call.out(kBatchSplits).shape, {stated_images(call)}));
  if (call.has_output(kKeeps)) OPENQNN_TRY(expect_shape("keeps", call.out(kKeeps).shape, {rows}));
  if (call.has_output(kKeepsSize))
    OPENQNN_TRY(expect_shape("keeps_size", call.out(kKeepsSize).shape, {classes}));
  return {};
}

Status check_box_limit(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(1), "scores", 2, "[n, classes]"));
  const uint32_t regions = call.in(1).shape[0];
  const uint32_t classes = call.in(1).shape[1];
  if (classes > UINT32_MAX / 4)
    return invalid("op-shape", concat("scores have ", classes, " classes, too many"));
  OPENQNN_TRY(expect_shape("boxes", call.in(0).shape, {regions, classes * 4}));
  OPENQNN_TRY(expect_shape("batch_index", call.in(2).shape, {regions}));
  if (call.has_input(3)) OPENQNN_TRY(check_rank(call.in(3), "batch_splits", 1, "[b]"));
  if (call.has_output(kBatchSplits))
    OPENQNN_TRY(check_rank(call.out(kBatchSplits), "batch_splits of the output", 1, "[b]"));
  OPENQNN_TRY(check_choice(call, "nms_kernel_method", 2, "0 (hard), 1 (linear) or 2 (gaussian)"));
  OPENQNN_TRY(check_finite(call, "nms_score_threshold", 1));
  OPENQNN_TRY(check_finite(call, "score_threshold", 1));
  OPENQNN_TRY(check_unit(call, "iou_threshold"));
  if (call.params->i32("nms_kernel_method", 0) == 2) OPENQNN_TRY(check_positive(call, "sigma", 1));
  return check_outputs(call, classes);
}

std::function<double(double)> decay_of(const OpCall& call) {
  const auto threshold = static_cast<double>(call.params->f32("iou_threshold", 0.0F));
  const auto sigma = static_cast<double>(call.params->f32("sigma", 1.0F));
  switch (static_cast<Method>(call.params->i32("nms_kernel_method", 0))) {
    case Method::kLinear:
      return [=](double overlap) { return overlap >= threshold ? 1.0 - overlap : 1.0; };
    case Method::kGaussian:
      return [=](double overlap) { return portable_exp(-overlap * overlap / sigma); };
    case Method::kHard:
      break;
  }
  // Struck out, not weakened to 0: a threshold may be below it.
  return
      [=](double overlap) { return overlap >= threshold ? std::numeric_limits<double>::quiet_NaN() : 1.0; };
}

// What one image selects, class by class, best first in each.
class ImageRegions {
 public:
  ImageRegions(const KernelArgs& args, std::vector<uint32_t> regions)
      : call_(args.call),
        boxes_(args.call.in(0), args.inputs[0]),
        scores_(args.call.in(1), args.inputs[1]),
        classes_(args.call.in(1).shape[1]),
        regions_(std::move(regions)) {}

  // `corners` has room for a box per region; what it held does not matter.
  std::vector<Candidate> select(std::vector<Corners>& corners) const {
    const std::function<double(double)> decay = decay_of(call_);
    const auto threshold = static_cast<double>(call_.params->f32("nms_score_threshold", 0.0F));
    std::vector<Candidate> selected;
    for (auto& [label, of_class] : by_class(limited_candidates())) {
      for (const Candidate& each : of_class) corners[each.box] = upright(box(each.box, label));
      const std::vector<Candidate> kept =
          soft_nms(std::move(of_class), corners, decay, threshold, UINT64_MAX);
      selected.insert(selected.end(), kept.begin(), kept.end());
    }
    return selected;
  }

  Corners box(uint32_t region, uint32_t label) const {
    const uint64_t at = (uint64_t{region} * classes_ + label) * 4;
    return {boxes_(at), boxes_(at + 1), boxes_(at + 2), boxes_(at + 3)};
  }

 private:
  using ByClass = std::map<uint32_t, std::vector<Candidate>>;
  static ByClass by_class(const std::vector<Candidate>& candidates) {
    ByClass classes;
    for (const Candidate& each : candidates) classes[each.label].push_back(each);
    return classes;
  }

  // The best of all classes together, as many as the limit says (ours: the definition only calls it a limit
  // of boxes that go into the suppression).
  std::vector<Candidate> limited_candidates() const {
    const auto threshold = static_cast<double>(call_.params->f32("score_threshold", 0.0F));
    std::vector<Candidate> candidates;
    for (const uint32_t region : regions_)
      for (uint32_t c = 1; c < classes_; ++c)
        if (const double score = scores_(uint64_t{region} * classes_ + c); score > threshold)
          candidates.push_back({region, c, score});
    std::ranges::sort(candidates, comes_before);
    const int32_t limit = call_.params->i32("pre_nms_limit", -1);
    if (limit >= 0 && candidates.size() > static_cast<uint64_t>(limit))
      candidates.resize(static_cast<uint64_t>(limit));
    return candidates;
  }

  const OpCall& call_;
  ElementReader boxes_;
  ElementReader scores_;
  uint32_t classes_;
  std::vector<uint32_t> regions_;
};

// Regions by image, in order; those of no image (negative, or beyond what the operands state) take no part.
std::map<int32_t, std::vector<uint32_t>> regions_by_image(const KernelArgs& args) {
  const uint32_t stated = stated_images(args.call);
  std::map<int32_t, std::vector<uint32_t>> images;
  for (uint32_t n = 0; n < args.call.in(1).shape[0]; ++n) {
    const auto image = load<int32_t>(args.inputs[2], n);
    if (image >= 0 && (stated == 0 || static_cast<uint32_t>(image) < stated)) images[image].push_back(n);
  }
  return images;
}

// Writes the rows and counts what it wrote. What is left is 0; its image and region are -1 (ours).
class RowWriter {
 public:
  explicit RowWriter(const KernelArgs& args)
      : args_(args),
        boxes_(args.call.out(kBoxes), args.outputs[kBoxes]),
        scores_(args.call.out(kScores), args.outputs[kScores]),
        rows_(args.call.out(kBoxes).shape[0]) {
    clear(kBatchSplits);
    clear(kKeepsSize);
  }

  void write(const Candidate& found, const Corners& box, int32_t image) {
    if (row_ >= rows_) return;
    count(kBatchSplits, static_cast<uint32_t>(image));
    count(kKeepsSize, found.label);
    put(found.score, box, static_cast<int32_t>(found.label), image, static_cast<int32_t>(found.box));
  }
  void fill() {
    while (row_ < rows_) put(0.0, {}, 0, -1, -1);
  }

 private:
  std::byte* data(size_t output) const {
    return output < args_.outputs.size() ? args_.outputs[output] : nullptr;
  }
  void clear(size_t output) {
    if (std::byte* values = data(output))
      for (uint64_t i = 0; i < args_.call.out(output).shape[0]; ++i) save(values, i, int32_t{0});
  }
  void count(size_t output, uint32_t index) {
    if (std::byte* values = data(output)) save(values, index, load<int32_t>(values, index) + 1);
  }
  void put(double score, const Corners& box, int32_t label, int32_t image, int32_t region) {
    boxes_(row_ * 4, box.x1);
    boxes_(row_ * 4 + 1, box.y1);
    boxes_(row_ * 4 + 2, box.x2);
    boxes_(row_ * 4 + 3, box.y2);
    scores_(row_, score);
    save(args_.outputs[kClasses], row_, label);
    save(args_.outputs[kBatchIndex], row_, image);
    if (std::byte* keeps = data(kKeeps)) save(keeps, row_, region);
    ++row_;
  }

  const KernelArgs& args_;
  ElementWriter boxes_;
  ElementWriter scores_;
  uint64_t rows_;
  uint64_t row_ = 0;
};

void run_box_limit(const KernelArgs& args, const ir::Box&) {
  RowWriter rows(args);
  std::vector<Corners> corners(args.call.in(1).shape[0]);  // of one class of one image
  for (const auto& [image, regions] : regions_by_image(args)) {
    const ImageRegions of_image(args, regions);
    for (const Candidate& each : of_image.select(corners))
      rows.write(each, of_image.box(each.box, each.label), image);
  }
  rows.fill();
}

}  // namespace

const OpDef& box_with_nms_limit() {
  static const OpDef op = {
      .type = "BoxWithNmsLimit",
      .our_rows = {"f16,f16,i32,i32 -> f16,f16,i32,i32,i32,i32,i32",
                   "f32,f32,i32,i32 -> f32,f32,i32,i32,i32,i32,i32",
                   "ufx16,ufx8,i32,i32 -> ufx16,ufx8,i32,i32,i32,i32,i32"},
      .check = check_box_limit,
      .work = [](const OpCall& call,
                 const ir::Box&) { return pair_work(call, call.in(1).shape[0], call.in(1).shape[1]); },
      .kernels = {{"reference", nullptr, run_box_limit}},
  };
  return op;
}

}  // namespace openqnn::ops
