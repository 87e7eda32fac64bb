// SPDX-License-Identifier: BSD-3-Clause
// DetectionOutput: decodes boxes from anchors and selects among them, as Android NN's
// DETECTION_POSTPROCESSING.
#include <algorithm>

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

struct DetectionSizes {
  uint32_t batches;
  uint32_t anchors;
  uint32_t classes;
  uint32_t sets;  // of locations: one for all classes, or one for each
  uint32_t rows;
};

DetectionSizes detection_sizes(const OpCall& call) {
  const ir::Shape& scores = call.in(0).shape;
  const bool shared = call.params->boolean("share_location", true);
  return {scores[0], scores[1], scores[2], shared ? 1 : scores[2], call.out(0).shape[1]};
}

Status check_params(const OpCall& call, const DetectionSizes& sizes) {
  OPENQNN_TRY(check_finite(call, "delta_scaling_factors", 4));
  OPENQNN_TRY(check_finite(call, "confidence_threshold", 1));
  OPENQNN_TRY(check_unit(call, "iou_threshold"));
  OPENQNN_TRY(check_choice(call, "nms_type", 1, "0 (fast) or 1 (regular)"));
  if (const float eta = call.params->f32("nms_eta", 1.0F); !(eta > 0.0F && eta <= 1.0F))
    return invalid("op-param-value", concat("nms_eta is ", eta)).fix_by("use a number above 0 and up to 1");
  if (const int32_t limit = call.params->i32("detection_limit", -1); limit < -1)
    return invalid("op-param-value", concat("detection_limit ", limit, " is negative"))
        .fix_by("use -1 for no limit");
  if (const uint32_t background = call.params->u32("background_class_idx", 0); background >= sizes.classes)
    return invalid("op-param-value",
                   concat("background_class_idx ", background, " is not one of ", sizes.classes, " classes"));
  return {};
}

Status check_detection(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "scores", 3, "[b, anchors, classes]"));
  OPENQNN_TRY(check_rank(call.out(0), "output", 2, "[b, m]"));
  const DetectionSizes sizes = detection_sizes(call);
  const uint64_t boxes = uint64_t{sizes.anchors} * sizes.sets;
  if (boxes > UINT32_MAX || uint64_t{sizes.anchors} * sizes.batches > UINT32_MAX)
    return invalid("op-shape",
                   concat("scores have shape ", call.in(0).shape.to_string(), ", too many boxes"));
  OPENQNN_TRY(expect_shape("locations", call.in(1).shape, {sizes.batches, static_cast<uint32_t>(boxes), 4}));
  // Anchors of every image, or of one for all of them (ours).
  if (call.in(2).shape != ir::Shape{sizes.anchors, 4})
    OPENQNN_TRY(expect_shape("anchors", call.in(2).shape, {sizes.anchors * sizes.batches, 4}));
  OPENQNN_TRY(expect_shape("output", call.out(0).shape, {sizes.batches, sizes.rows}));
  OPENQNN_TRY(expect_shape("boxes", call.out(1).shape, {sizes.batches, sizes.rows, 4}));
  OPENQNN_TRY(expect_shape("labels", call.out(2).shape, {sizes.batches, sizes.rows}));
  OPENQNN_TRY(expect_shape("count", call.out(3).shape, {sizes.batches}));
  return check_params(call, sizes);
}

uint64_t limit_of(const OpCall& call) {
  const int32_t given = call.params->i32("detection_limit", -1);
  return given < 0 ? UINT64_MAX : static_cast<uint64_t>(given);
}

// More are never found: of every box selected some classes, or of every class some boxes.
uint64_t most_found(const OpCall& call) {
  const DetectionSizes sizes = detection_sizes(call);
  if (call.params->u32("nms_type", 0) == 0)
    return saturating_multiply(std::min(sizes.anchors, sizes.rows),
                               std::min<uint64_t>(sizes.classes, limit_of(call)));
  return saturating_multiply(sizes.classes, std::min<uint64_t>(sizes.anchors, limit_of(call)));
}

// What one image is computed with.
struct DetectionBuffers {
  KernelVector<Corners> boxes;   // decoded
  KernelVector<Corners> places;  // of the candidates, by anchor
  Candidates candidates;
  Candidates classes;  // of one anchor
  Candidates found;

  DetectionBuffers(KernelMemory& memory, const OpCall& call, const DetectionSizes& sizes)
      : boxes(memory.room<Corners>(uint64_t{sizes.anchors} * sizes.sets)),
        places(memory.vector<Corners>(sizes.anchors)),
        candidates(memory.room<Candidate>(sizes.anchors)),
        classes(memory.room<Candidate>(sizes.classes)),
        found(memory.room<Candidate>(most_found(call))) {}

  static uint64_t bytes(const OpCall& call) {
    const DetectionSizes sizes = detection_sizes(call);
    return saturating_add(saturating_add(room_for<Corners>(uint64_t{sizes.anchors} * sizes.sets),
                                         room_for<Candidate>(most_found(call))),
                          room_for<Corners>(sizes.anchors) + room_for<Candidate>(sizes.anchors) +
                              room_for<Candidate>(sizes.classes));
  }
};

// One image: its scores and decoded boxes.
class Image {
 public:
  Image(const KernelArgs& args, uint32_t batch, DetectionBuffers& buffers)
      : call_(args.call),
        sizes_(detection_sizes(args.call)),
        scores_(args.call.in(0), args.inputs[0]),
        batch_(batch),
        buffers_(buffers) {
    const ElementReader locations(call_.in(1), args.inputs[1]);
    const ElementReader anchors(call_.in(2), args.inputs[2]);
    const bool shared_anchors = call_.in(2).shape[0] == sizes_.anchors;
    const uint64_t boxes = uint64_t{sizes_.anchors} * sizes_.sets;
    buffers_.boxes.clear();
    for (uint64_t i = 0; i < boxes; ++i) {
      const uint64_t anchor = i / sizes_.sets + (shared_anchors ? 0 : uint64_t{batch} * sizes_.anchors);
      buffers_.boxes.push_back(decode(locations, batch * boxes + i, anchors, anchor));
    }
  }

  // Best first, with labels as the output has them.
  const Candidates& detect() const {
    Candidates& found = buffers_.found;
    found.clear();
    if (call_.params->u32("nms_type", 0) == 0)
      find_fast(found);
    else
      find_regular(found);
    // Those of the background are none; see label_of for the other classes.
    if (!call_.params->boolean("output_background", true))
      std::erase_if(found, [&](const Candidate& each) { return each.label == background(); });
    if (found.size() > sizes_.rows) found.resize(sizes_.rows);
    return found;
  }

  const Corners& box(uint32_t anchor, uint32_t label) const {
    return buffers_.boxes[uint64_t{anchor} * sizes_.sets + (sizes_.sets == 1 ? 0 : label)];
  }

 private:
  // Anchors and locations are (cy, cx, h, w); the location's sizes are logarithms.
  Corners decode(const ElementReader& locations, uint64_t location, const ElementReader& anchors,
                 uint64_t anchor) const {
    const auto delta = [&](uint64_t i) {
      return locations(location * 4 + i) *
             static_cast<double>(call_.params->f32_at("delta_scaling_factors", i, 1.0F));
    };
    const double anchor_height = anchors(anchor * 4 + 2);
    const double anchor_width = anchors(anchor * 4 + 3);
    const double cy = delta(0) * anchor_height + anchors(anchor * 4);
    const double cx = delta(1) * anchor_width + anchors(anchor * 4 + 1);
    const double height = portable_exp(delta(2)) * anchor_height;
    const double width = portable_exp(delta(3)) * anchor_width;
    return {cx - width / 2.0, cy - height / 2.0, cx + width / 2.0, cy + height / 2.0};
  }

  double score(uint32_t anchor, uint32_t label) const {
    return scores_((uint64_t{batch_} * sizes_.anchors + anchor) * sizes_.classes + label);
  }

  bool takes_part(uint32_t label) const {
    return label != background() || call_.params->boolean("use_bg_in_nms", false);
  }
  uint32_t background() const { return call_.params->u32("background_class_idx", 0); }
  double threshold() const { return static_cast<double>(call_.params->f32("confidence_threshold", 0.0F)); }
  double iou() const { return static_cast<double>(call_.params->f32("iou_threshold", 0.0F)); }
  uint64_t limit() const { return limit_of(call_); }

  // The classes of an anchor above the threshold, best first.
  Candidates& classes_of(uint32_t anchor) const {
    Candidates& classes = buffers_.classes;
    classes.clear();
    for (uint32_t c = 0; c < sizes_.classes; ++c)
      if (takes_part(c) && score(anchor, c) > threshold()) classes.push_back({anchor, c, score(anchor, c)});
    std::ranges::sort(classes, comes_before);
    return classes;
  }

  // Boxes by the best of their classes, whatever it is; each one selected gives its best `limit` classes that
  // are above the threshold (ours: Android NN asks for no threshold there).
  void find_fast(Candidates& found) const {
    Candidates& best = buffers_.candidates;
    best.clear();
    for (uint32_t i = 0; i < sizes_.anchors; ++i) {
      const Candidates& classes = classes_of(i);
      if (classes.empty()) continue;
      best.push_back(classes[0]);
      buffers_.places[i] = upright(box(i, classes[0].label));
    }
    hard_nms(best, buffers_.places, iou(), sizes_.rows);
    for (const Candidate& kept : best) {
      Candidates& classes = classes_of(kept.box);
      if (classes.size() > limit()) classes.resize(limit());
      found.insert(found.end(), classes.begin(), classes.end());
    }
  }

  // Every class by itself, `limit` boxes each, then the best of all of them.
  void find_regular(Candidates& found) const {
    Candidates& candidates = buffers_.candidates;
    for (uint32_t c = 0; c < sizes_.classes; ++c) {
      if (!takes_part(c)) continue;
      for (uint32_t i = 0; i < sizes_.anchors; ++i) buffers_.places[i] = upright(box(i, c));
      find_above(candidates, threshold(), sizes_.anchors, c, [&](uint32_t i) { return score(i, c); });
      hard_nms(candidates, buffers_.places, iou(), limit(),
               static_cast<double>(call_.params->f32("nms_eta", 1.0F)));
      found.insert(found.end(), candidates.begin(), candidates.end());
    }
    std::ranges::sort(found, comes_before);
  }

  const OpCall& call_;
  DetectionSizes sizes_;
  ElementReader scores_;
  uint32_t batch_;
  DetectionBuffers& buffers_;
};

// Labels without a background count the other classes only (Android NN's label map; ours).
uint32_t label_of(const OpCall& call, uint32_t label) {
  const bool shifted =
      !call.params->boolean("output_background", true) && label > call.params->u32("background_class_idx", 0);
  return label - (shifted ? 1 : 0);
}

// What is left after the detections is 0.
void run_detection(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const DetectionSizes sizes = detection_sizes(call);
  const ElementWriter scores(call.out(0), args.outputs[0]);
  const ElementWriter boxes(call.out(1), args.outputs[1]);
  KernelMemory memory(args);
  DetectionBuffers buffers(memory, call, sizes);
  for (uint32_t b = 0; b < sizes.batches; ++b) {
    const Image image(args, b, buffers);
    const Candidates& found = image.detect();
    for (uint32_t row = 0; row < sizes.rows; ++row) {
      const bool valid = row < found.size();
      const Corners box = valid ? image.box(found[row].box, found[row].label) : Corners{};
      const uint64_t at = uint64_t{b} * sizes.rows + row;
      scores(at, valid ? found[row].score : 0.0);
      write_corners(boxes, at, swapped(box));
      save(args.outputs[2], at, static_cast<int32_t>(valid ? label_of(call, found[row].label) : 0));
    }
    save(args.outputs[3], b, static_cast<uint32_t>(found.size()));
  }
}

}  // namespace

OpDef detection_output() {
  return {
      .type = "DetectionOutput",
      .check = check_detection,
      .work =
          [](const OpCall& call, const ir::Box&) {
            const DetectionSizes sizes = detection_sizes(call);
            return pair_work(call, sizes.anchors, uint64_t{sizes.classes} * sizes.batches);
          },
      .kernels = {reference_kernel(run_detection, DetectionBuffers::bytes)},
  };
}

}  // namespace openqnn::ops
