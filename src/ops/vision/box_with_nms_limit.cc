// SPDX-License-Identifier: BSD-3-Clause
// BoxWithNmsLimit: (soft) suppression for every image and class, as Caffe2 and Android NN have it: class 0 is
// the background and takes no part.
#include <algorithm>
#include <compare>
#include <limits>
#include <span>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
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

// What the score of a box is multiplied by when one that it overlaps is selected.
class Decay {
 public:
  explicit Decay(const OpCall& call)
      : method_(static_cast<Method>(call.params->i32("nms_kernel_method", 0))),
        threshold_(static_cast<double>(call.params->f32("iou_threshold", 0.0F))),
        sigma_(static_cast<double>(call.params->f32("sigma", 1.0F))) {}

  double operator()(double overlap) const {
    if (method_ == Method::kGaussian) return portable_exp(-overlap * overlap / sigma_);
    if (!(overlap >= threshold_)) return 1.0;
    // Struck out, not weakened to 0: a threshold may be below it.
    return method_ == Method::kLinear ? 1.0 - overlap : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Method method_;
  double threshold_;
  double sigma_;
};

// A region of an image.
struct ImageRegion {
  int32_t image = 0;
  uint32_t region = 0;
  friend auto operator<=>(const ImageRegion& a, const ImageRegion& b) = default;
};

// What the images are computed with.
struct BoxBuffers {
  KernelVector<ImageRegion> regions;  // of all images
  KernelVector<Corners> corners;      // of one class of one image, by region
  Candidates candidates;              // of one image
  Candidates of_class;

  BoxBuffers(KernelMemory& memory, const OpCall& call)
      : regions(memory.room<ImageRegion>(call.in(1).shape[0])),
        corners(memory.vector<Corners>(call.in(1).shape[0])),
        candidates(memory.room<Candidate>(call.in(1).shape.elements())),
        of_class(memory.room<Candidate>(call.in(1).shape[0])) {}

  static uint64_t bytes(const OpCall& call) {
    const uint64_t regions = call.in(1).shape[0];
    return saturating_add(
        room_for<Candidate>(call.in(1).shape.elements()),
        room_for<ImageRegion>(regions) + room_for<Corners>(regions) + room_for<Candidate>(regions));
  }
};

// What one image selects, class by class, best first in each.
class ImageRegions {
 public:
  ImageRegions(const KernelArgs& args, std::span<const ImageRegion> regions)
      : call_(args.call),
        boxes_(args.call.in(0), args.inputs[0]),
        scores_(args.call.in(1), args.inputs[1]),
        classes_(args.call.in(1).shape[1]),
        regions_(regions) {}

  // Calls body(candidate) for each; what the buffers but the regions held does not matter.
  template <class Body>
  void for_each_selected(BoxBuffers& buffers, const Body& body) const {
    auto& [regions, corners, candidates, of_class] = buffers;
    const Decay decay(call_);
    const auto threshold = static_cast<double>(call_.params->f32("nms_score_threshold", 0.0F));
    find_candidates(candidates);
    for (auto begin = candidates.begin(); begin != candidates.end();) {
      const uint32_t label = begin->label;
      const auto end =
          std::find_if(begin, candidates.end(), [&](const Candidate& each) { return each.label != label; });
      of_class.assign(begin, end);
      for (const Candidate& each : of_class) corners[each.box] = upright(box(each.box, label));
      soft_nms(of_class, corners, decay, threshold, UINT64_MAX);
      for (const Candidate& each : of_class) body(each);
      begin = end;
    }
  }

  Corners box(uint32_t region, uint32_t label) const {
    return read_corners(boxes_, uint64_t{region} * classes_ + label);
  }

 private:
  // The best of all classes together, as many as the limit says (ours: the definition only calls it a limit
  // of boxes that go into the suppression); then class by class.
  void find_candidates(Candidates& candidates) const {
    const auto threshold = static_cast<double>(call_.params->f32("score_threshold", 0.0F));
    candidates.clear();
    for (const auto& [image, region] : regions_)
      for (uint32_t c = 1; c < classes_; ++c)
        if (const double score = scores_(uint64_t{region} * classes_ + c); score > threshold)
          candidates.push_back({region, c, score});
    std::ranges::sort(candidates, comes_before);
    const int32_t limit = call_.params->i32("pre_nms_limit", -1);
    if (limit >= 0 && candidates.size() > static_cast<uint64_t>(limit))
      candidates.resize(static_cast<uint64_t>(limit));
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
      return a.label != b.label ? a.label < b.label : comes_before(a, b);
    });
  }

  const OpCall& call_;
  ElementReader boxes_;
  ElementReader scores_;
  uint32_t classes_;
  std::span<const ImageRegion> regions_;
};

// Regions by image, in order; those of no image (negative, or beyond what the operands state) take no part.
void sort_by_image(const KernelArgs& args, KernelVector<ImageRegion>& regions) {
  const uint32_t stated = stated_images(args.call);
  for (uint32_t n = 0; n < args.call.in(1).shape[0]; ++n) {
    const auto image = load<int32_t>(args.inputs[2], n);
    if (image >= 0 && (stated == 0 || static_cast<uint32_t>(image) < stated)) regions.push_back({image, n});
  }
  std::ranges::sort(regions);
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
    write_corners(boxes_, row_, box);
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
  KernelMemory memory(args);
  BoxBuffers buffers(memory, args.call);
  sort_by_image(args, buffers.regions);
  for (auto begin = buffers.regions.begin(); begin != buffers.regions.end();) {
    const int32_t image = begin->image;
    const auto end = std::find_if(begin, buffers.regions.end(),
                                  [&](const ImageRegion& each) { return each.image != image; });
    const ImageRegions of_image(args, {begin, end});
    of_image.for_each_selected(
        buffers, [&](const Candidate& each) { rows.write(each, of_image.box(each.box, each.label), image); });
    begin = end;
  }
  rows.fill();
}

}  // namespace

OpDef box_with_nms_limit() {
  return {
      .type = "BoxWithNmsLimit",
      .our_rows = {"f16,f16,i32,i32 -> f16,f16,i32,i32,i32,i32,i32",
                   "f32,f32,i32,i32 -> f32,f32,i32,i32,i32,i32,i32",
                   "ufx16,ufx8,i32,i32 -> ufx16,ufx8,i32,i32,i32,i32,i32"},
      .check = check_box_limit,
      .work = [](const OpCall& call,
                 const ir::Box&) { return pair_work(call, call.in(1).shape[0], call.in(1).shape[1]); },
      .kernels = {reference_kernel(run_box_limit, BoxBuffers::bytes)},
  };
}

}  // namespace openqnn::ops
