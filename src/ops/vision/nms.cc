// SPDX-License-Identifier: BSD-3-Clause
// NonMaxSuppression, CombinedNms, MultiClassNms. In all of them a box must be above the score threshold to be
// looked at, as ONNX and TensorFlow have it.
#include <algorithm>
#include <cmath>
#include <cstring>
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

Status check_score_threshold(const OpCall& call, std::string_view name) {
  if (!std::isnan(call.params->f32(name, 0.0F))) return {};
  return invalid("op-param-value", concat(name, " is not a number"));
}

struct NmsSizes {
  uint32_t batches;
  uint32_t boxes;
  uint32_t classes;
  uint32_t sets = 1;  // of boxes: one for all classes, or one for each
};

template <NmsSizes (*sizes_of)(const OpCall&)>
Work nms_work(const OpCall& call, const ir::Box&) {
  const NmsSizes sizes = sizes_of(call);
  return pair_work(call, sizes.boxes, uint64_t{sizes.batches} * sizes.classes);
}

// ---- NonMaxSuppression: ONNX's ----

NmsSizes nms_sizes(const OpCall& call) {
  return {call.in(0).shape[0], call.in(0).shape[1], call.in(1).shape[1]};
}

// The output has as many rows as the client gives it; selections beyond them are dropped (ours).
Status check_nms(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "boxes", 3, "[b, n, 4]"));
  OPENQNN_TRY(check_rank(call.in(1), "scores", 3, "[b, classes, n]"));
  const NmsSizes sizes = nms_sizes(call);
  OPENQNN_TRY(expect_shape("boxes", call.in(0).shape, {sizes.batches, sizes.boxes, 4}));
  OPENQNN_TRY(expect_shape("scores", call.in(1).shape, {sizes.batches, sizes.classes, sizes.boxes}));
  OPENQNN_TRY(check_rank(call.out(0), "output", 2, "[m, 3]"));
  OPENQNN_TRY(expect_shape("output", call.out(0).shape, {call.out(0).shape[0], 3}));
  if (call.has_output(1)) OPENQNN_TRY(expect_shape("valid", call.out(1).shape, {1}));
  OPENQNN_TRY(check_unit(call, "iou_threshold"));
  OPENQNN_TRY(check_score_threshold(call, "score_threshold"));
  return check_choice(call, "center_point_box", 1, "0 (corners) or 1 (centre and size)");
}

// Corners of box `index`: y before x, or the centre's x before y.
Corners nms_box(const ElementReader& read, uint64_t index, bool centred) {
  const auto [a, b, c, d] = read_corners(read, index);
  if (centred) return upright({a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0});
  return upright({b, a, d, c});
}

// Rows (batch, class, box) in the order in which they are selected.
class SelectionWriter {
 public:
  explicit SelectionWriter(const KernelArgs& args) : args_(args), rows_(args.call.out(0).shape[0]) {}

  void write(uint32_t batch, uint32_t label, uint32_t box) {
    if (row_ >= rows_) return;
    for (const uint32_t number : {batch, label, box}) put(static_cast<int32_t>(number));
    ++row_;
  }
  void finish() {
    if (args_.call.has_output(1)) save(args_.outputs[1], 0, static_cast<uint32_t>(row_));
    while (next_ < rows_ * 3) put(-1);  // no index (ours)
  }

 private:
  void put(int32_t number) { save(args_.outputs[0], next_++, number); }

  const KernelArgs& args_;
  uint64_t rows_;
  uint64_t row_ = 0;
  uint64_t next_ = 0;
};

uint64_t nms_scratch(const OpCall& call) {
  const uint64_t boxes = nms_sizes(call).boxes;
  return room_for<Corners>(boxes) + room_for<Candidate>(boxes);
}

void run_nms(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const NmsSizes sizes = nms_sizes(call);
  const bool centred = call.params->u32("center_point_box", 0) == 1;
  const double iou = static_cast<double>(call.params->f32("iou_threshold", 0.0F));
  const double threshold = static_cast<double>(call.params->f32("score_threshold", 0.0F));
  const uint32_t limit = call.params->u32("max_boxes_selected", 0);  // 0 selects nothing, as in ONNX
  const ElementReader boxes(call.in(0), args.inputs[0]);
  const ElementReader scores(call.in(1), args.inputs[1]);
  KernelMemory memory(args);
  auto corners = memory.vector<Corners>(sizes.boxes);
  auto candidates = memory.room<Candidate>(sizes.boxes);
  SelectionWriter selected(args);
  for (uint32_t b = 0; b < sizes.batches; ++b) {
    for (uint32_t i = 0; i < sizes.boxes; ++i)
      corners[i] = nms_box(boxes, uint64_t{b} * sizes.boxes + i, centred);
    for (uint32_t c = 0; c < sizes.classes; ++c) {
      const uint64_t row = (uint64_t{b} * sizes.classes + c) * sizes.boxes;
      find_above(candidates, threshold, sizes.boxes, c, [&](uint32_t i) { return scores(row + i); });
      hard_nms(candidates, corners, iou, limit);
      for (const Candidate& kept : candidates) selected.write(b, c, kept.box);
    }
  }
  selected.finish();
}

// ---- Detections [b, m] with their number ----

// Boxes (y1, x1, y2, x2), scores, classes and number of the detections of one image; what is left is 0.
class DetectionWriter {
 public:
  explicit DetectionWriter(const KernelArgs& args)
      : boxes_(args.call.out(0), args.outputs[0]),
        scores_(args.call.out(1), args.outputs[1]),
        classes_(args.call.out(2), args.outputs[2]),
        counts_(args.outputs[3]),
        rows_(args.call.out(0).shape[1]) {}

  void write(uint32_t batch, std::span<const Candidate> found, std::span<const Corners> places) const {
    for (uint32_t row = 0; row < rows_; ++row) {
      const bool valid = row < found.size();
      const Corners box = valid ? places[row] : Corners{};
      const uint64_t at = uint64_t{batch} * rows_ + row;
      write_corners(boxes_, at, swapped(box));
      scores_(at, valid ? found[row].score : 0.0);
      classes_(at, valid ? found[row].label : 0.0);
    }
    save(counts_, batch, static_cast<uint32_t>(std::min<uint64_t>(found.size(), rows_)));
  }

 private:
  ElementWriter boxes_;
  ElementWriter scores_;
  ElementWriter classes_;
  std::byte* counts_;
  uint32_t rows_;
};

Status check_detections(const OpCall& call, uint32_t batches, uint32_t rows) {
  OPENQNN_TRY(expect_shape("output", call.out(0).shape, {batches, rows, 4}));
  OPENQNN_TRY(expect_shape("scores of the output", call.out(1).shape, {batches, rows}));
  OPENQNN_TRY(expect_shape("classes", call.out(2).shape, {batches, rows}));
  return expect_shape("valid", call.out(3).shape, {batches});
}

void sort_and_limit(Candidates& found, uint64_t limit) {
  std::ranges::sort(found, comes_before);
  if (found.size() > limit) found.resize(limit);
}

// ---- CombinedNms: TensorFlow's ----

NmsSizes combined_sizes(const OpCall& call) {
  return {call.in(0).shape[0], call.in(0).shape[1], call.in(1).shape[2], call.in(0).shape[2]};
}

uint64_t combined_rows(const OpCall& call) {
  const uint64_t total = call.params->u32("max_total_boxes", 1);
  if (!call.params->boolean("pad_per_class", false)) return total;
  return std::min(total, uint64_t{call.params->u32("max_boxes_per_class", 1)} * call.in(1).shape[2]);
}

Status check_combined(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "boxes", 4, "[b, n, 1 or classes, 4]"));
  OPENQNN_TRY(check_rank(call.in(1), "scores", 3, "[b, n, classes]"));
  const NmsSizes sizes = combined_sizes(call);
  if (sizes.sets != 1 && sizes.sets != sizes.classes)
    return invalid("op-shape", concat("boxes have ", sizes.sets, " sets where 1, or one for each of the ",
                                      sizes.classes, " classes, is needed"));
  OPENQNN_TRY(expect_shape("boxes", call.in(0).shape, {sizes.batches, sizes.boxes, sizes.sets, 4}));
  OPENQNN_TRY(expect_shape("scores", call.in(1).shape, {sizes.batches, sizes.boxes, sizes.classes}));
  OPENQNN_TRY(check_unit(call, "iou_threshold"));
  OPENQNN_TRY(check_score_threshold(call, "score_threshold"));
  return check_detections(call, sizes.batches, static_cast<uint32_t>(combined_rows(call)));
}

Corners clipped(const Corners& box) {
  const auto clip = [](double at) { return std::min(std::max(at, 0.0), 1.0); };
  return {clip(box.x1), clip(box.y1), clip(box.x2), clip(box.y2)};
}

// What one image is computed with: boxes in sets, as they are given and upright, those that are looked at of
// one class, and what is found of all.
struct CombinedBuffers {
  KernelVector<Corners> boxes;  // [set][box]
  KernelVector<Corners> ordered;
  Candidates candidates;
  Candidates found;
  KernelVector<Corners> places;  // of those found

  CombinedBuffers(KernelMemory& memory, uint64_t boxes_of_set, uint64_t sets, uint64_t most_found,
                  uint64_t rows)
      : boxes(memory.vector<Corners>(boxes_of_set * sets)),
        ordered(memory.vector<Corners>(boxes_of_set * sets)),
        candidates(memory.room<Candidate>(boxes_of_set)),
        found(memory.room<Candidate>(most_found)),
        places(memory.room<Corners>(std::min(rows, most_found))) {}

  static uint64_t bytes(uint64_t boxes_of_set, uint64_t sets, uint64_t most_found, uint64_t rows) {
    const uint64_t given = saturating_multiply(2, room_for<Corners>(saturating_multiply(boxes_of_set, sets)));
    const uint64_t selected =
        saturating_add(room_for<Candidate>(boxes_of_set), room_for<Candidate>(most_found));
    return saturating_add(given, saturating_add(selected, room_for<Corners>(std::min(rows, most_found))));
  }

  // Corners of one set of one image.
  void read(const ElementReader& numbers, uint64_t first, uint64_t step, uint64_t count, uint64_t set) {
    for (uint64_t i = 0; i < count; ++i) {
      Corners& box = boxes[set * count + i];
      box = swapped(read_corners(numbers, first + i * step));
      ordered[set * count + i] = upright(box);
    }
  }
};

uint64_t combined_found(const OpCall& call) {
  const NmsSizes sizes = combined_sizes(call);
  const uint64_t of_class = std::min(sizes.boxes, call.params->u32("max_boxes_per_class", 1));
  return saturating_multiply(of_class, sizes.classes);
}

uint64_t combined_scratch(const OpCall& call) {
  const NmsSizes sizes = combined_sizes(call);
  return CombinedBuffers::bytes(sizes.boxes, sizes.sets, combined_found(call), combined_rows(call));
}

void run_combined(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const NmsSizes sizes = combined_sizes(call);
  const double iou = static_cast<double>(call.params->f32("iou_threshold", 0.0F));
  const double threshold = static_cast<double>(call.params->f32("score_threshold", 0.0F));
  const bool clips = call.params->boolean("clip_boxes", false);
  const ElementReader boxes(call.in(0), args.inputs[0]);
  const ElementReader scores(call.in(1), args.inputs[1]);
  const DetectionWriter detections(args);
  KernelMemory memory(args);
  CombinedBuffers buffers(memory, sizes.boxes, sizes.sets, combined_found(call), combined_rows(call));
  auto& [given, ordered, candidates, found, places] = buffers;
  const auto set_of = [&](uint64_t label) { return sizes.sets == 1 ? 0 : label * sizes.boxes; };
  for (uint32_t b = 0; b < sizes.batches; ++b) {
    for (uint32_t q = 0; q < sizes.sets; ++q)
      buffers.read(boxes, uint64_t{b} * sizes.boxes * sizes.sets + q, sizes.sets, sizes.boxes, q);
    found.clear();
    for (uint32_t c = 0; c < sizes.classes; ++c) {
      const auto score_of = [&](uint64_t i) {
        return scores((b * uint64_t{sizes.boxes} + i) * sizes.classes + c);
      };
      find_above(candidates, threshold, sizes.boxes, c, score_of);
      hard_nms(candidates, std::span(ordered).subspan(set_of(c), sizes.boxes), iou,
               call.params->u32("max_boxes_per_class", 1));
      found.insert(found.end(), candidates.begin(), candidates.end());
    }
    sort_and_limit(found, combined_rows(call));
    places.clear();
    for (const Candidate& each : found) {
      const Corners& box = given[set_of(each.label) + each.box];
      places.push_back(clips ? clipped(box) : box);
    }
    detections.write(b, found, places);
  }
}

// ---- MultiClassNms ----

constexpr size_t kFirstFeatureInput = 2;
constexpr size_t kFirstFeatureOutput = 4;

NmsSizes multi_sizes(const OpCall& call) {
  return {call.in(0).shape[0], call.in(0).shape[1], call.in(1).shape[2]};
}

uint32_t multi_rows(const OpCall& call) { return call.out(0).shape[1]; }

Status check_features(const OpCall& call, const NmsSizes& sizes) {
  const size_t in = call.inputs.size() - kFirstFeatureInput;
  const size_t out = call.outputs.size() - kFirstFeatureOutput;
  if (in != out)
    return invalid("op-operands", concat("has ", in, " features to read and ", out, " to write"));
  for (size_t i = 0; i < in; ++i) {
    const ir::TensorDesc* from = call.inputs[kFirstFeatureInput + i];
    const ir::TensorDesc* to = call.outputs[kFirstFeatureOutput + i];
    if (!from && !to) continue;
    if (!from || !to) return invalid("op-operands", concat("feature ", i, " is given on one side only"));
    if (from->shape.rank() < 2)
      return invalid("op-rank", concat("feature ", i, " has shape ", from->shape.to_string(),
                                       " where [b, n, ...] is needed"));
    ir::Shape expected = from->shape;
    expected[0] = sizes.batches;
    expected[1] = sizes.boxes;
    OPENQNN_TRY(expect_shape(concat("feature ", i), from->shape, expected));
    expected[1] = multi_rows(call);
    OPENQNN_TRY(expect_shape(concat("feature ", i, " of the output"), to->shape, expected));
  }
  return {};
}

Status check_multi(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "boxes", 3, "[b, n, 4]"));
  OPENQNN_TRY(check_rank(call.in(1), "scores", 3, "[b, n, classes]"));
  OPENQNN_TRY(check_rank(call.out(0), "output", 3, "[b, m, 4]"));
  const NmsSizes sizes = multi_sizes(call);
  OPENQNN_TRY(expect_shape("boxes", call.in(0).shape, {sizes.batches, sizes.boxes, 4}));
  OPENQNN_TRY(expect_shape("scores", call.in(1).shape, {sizes.batches, sizes.boxes, sizes.classes}));
  OPENQNN_TRY(check_unit(call, "iou_threshold"));
  OPENQNN_TRY(check_score_threshold(call, "score_threshold"));
  if (const float sigma = call.params->f32("soft_nms_sigma", 0.0F); !(sigma >= 0.0F) || std::isinf(sigma))
    return invalid("op-param-value", concat("soft_nms_sigma is ", sigma))
        .fix_by("use 0 for hard suppression, or a number above it");
  OPENQNN_TRY(check_detections(call, sizes.batches, multi_rows(call)));
  return check_features(call, sizes);
}

// Rows of one feature for the detections of one image; what is left is 0.
void gather_feature(const KernelArgs& args, size_t feature, uint32_t batch,
                    std::span<const Candidate> found) {
  const ir::TensorDesc* from = args.call.inputs[kFirstFeatureInput + feature];
  if (!from) return;
  const ir::TensorDesc& to = *args.call.outputs[kFirstFeatureOutput + feature];
  const std::byte* in = args.inputs[kFirstFeatureInput + feature];
  std::byte* out = args.outputs[kFirstFeatureOutput + feature];
  const ElementReader read(*from, in);
  const ElementWriter write(to, out);
  const uint64_t rows = to.shape[1];
  const uint64_t width = to.shape.elements() / to.shape[0] / rows;
  const size_t size = ir::byte_size(to.type);
  const bool moves = same_representation(*from, to);
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t target = (batch * rows + row) * width;
    if (row >= found.size()) {
      for (uint64_t i = 0; i < width; ++i) write(target + i, 0.0);
      continue;
    }
    const uint64_t source = (uint64_t{batch} * from->shape[1] + found[row].box) * width;
    if (moves) std::memcpy(out + target * size, in + source * size, width * size);
    for (uint64_t i = 0; !moves && i < width; ++i) write(target + i, read(source + i));
  }
}

// TensorFlow's soft suppression: a Gaussian of the overlap, and nothing beyond the hard threshold. Every
// class by itself, then the best of all of them (ours: the definition does not order them).
void select_class(const OpCall& call, Candidates& candidates, std::span<const Corners> boxes,
                  uint64_t limit) {
  const double iou = static_cast<double>(call.params->f32("iou_threshold", 0.0F));
  const double threshold = static_cast<double>(call.params->f32("score_threshold", 0.0F));
  const double sigma = static_cast<double>(call.params->f32("soft_nms_sigma", 0.0F));
  if (sigma == 0.0) return hard_nms(candidates, boxes, iou, limit);
  const auto decay = [&](double overlap) {
    return overlap > iou ? 0.0 : portable_exp(-0.5 * overlap * overlap / sigma);
  };
  soft_nms(candidates, boxes, decay, threshold, limit);
}

uint64_t multi_found(const OpCall& call) {
  const NmsSizes sizes = multi_sizes(call);
  return saturating_multiply(std::min(sizes.boxes, multi_rows(call)), sizes.classes);
}

uint64_t multi_scratch(const OpCall& call) {
  return CombinedBuffers::bytes(multi_sizes(call).boxes, 1, multi_found(call), multi_rows(call));
}

void run_multi(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const NmsSizes sizes = multi_sizes(call);
  const double threshold = static_cast<double>(call.params->f32("score_threshold", 0.0F));
  const ElementReader boxes(call.in(0), args.inputs[0]);
  const ElementReader scores(call.in(1), args.inputs[1]);
  const DetectionWriter detections(args);
  KernelMemory memory(args);
  CombinedBuffers buffers(memory, sizes.boxes, 1, multi_found(call), multi_rows(call));
  auto& [corners, ordered, candidates, found, places] = buffers;
  for (uint32_t b = 0; b < sizes.batches; ++b) {
    buffers.read(boxes, uint64_t{b} * sizes.boxes, 1, sizes.boxes, 0);
    found.clear();
    for (uint32_t c = 0; c < sizes.classes; ++c) {
      const auto score_of = [&](uint64_t i) {
        return scores((b * uint64_t{sizes.boxes} + i) * sizes.classes + c);
      };
      find_above(candidates, threshold, sizes.boxes, c, score_of);
      select_class(call, candidates, ordered, multi_rows(call));
      found.insert(found.end(), candidates.begin(), candidates.end());
    }
    sort_and_limit(found, multi_rows(call));
    places.clear();
    for (const Candidate& each : found) places.push_back(corners[each.box]);
    detections.write(b, found, places);
    for (size_t i = 0; i + kFirstFeatureInput < call.inputs.size(); ++i) gather_feature(args, i, b, found);
  }
}

}  // namespace

OpDef non_max_suppression() {
  return {
      .type = "NonMaxSuppression",
      .check = check_nms,
      .work = nms_work<nms_sizes>,
      .kernels = {reference_kernel(run_nms, nms_scratch)},
  };
}

OpDef combined_nms() {
  return {
      .type = "CombinedNms",
      .our_rows = {"f16,f16 -> f16,f16,f16|i32,u32", "f32,f32 -> f32,f32,f32|i32,u32",
                   "ufx8,ufx8 -> ufx8,ufx8,i32,u32", "ufx16,ufx8 -> ufx16,ufx8,i32,u32",
                   "ufx16,ufx16 -> ufx16,ufx16,i32,u32"},
      .check = check_combined,
      .work = nms_work<combined_sizes>,
      .kernels = {reference_kernel(run_combined, combined_scratch)},
  };
}

OpDef multi_class_nms() {
  return {
      .type = "MultiClassNms",
      .our_rows = {"f16,f16,f16 -> f16,f16,i32,u32,f16", "f32,f32,f32 -> f32,f32,i32,u32,f32"},
      .check = check_multi,
      .work = nms_work<multi_sizes>,
      .kernels = {reference_kernel(run_multi, multi_scratch)},
  };
}

}  // namespace openqnn::ops
