// SPDX-License-Identifier: BSD-3-Clause
// Region proposals: GenerateProposals, CollectRpnProposals, DistributeFpnProposals.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/vision/boxes.h"

namespace openqnn::ops {
namespace {

constexpr uint64_t kInstructionsPerScore = 10;  // ours: compare, and keep in order

// ---- GenerateProposals: Android NN's ----

Status check_generate(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "scores", 4, "[b, h, w, anchors]"));
  const ir::Shape& scores = call.in(0).shape;
  const uint64_t numbers = uint64_t{scores[3]} * 4;
  if (numbers > UINT32_MAX || uint64_t{scores[1]} * scores[2] * scores[3] > UINT32_MAX)
    return invalid("op-shape", concat("scores have shape ", scores.to_string(), ", too many boxes"));
  OPENQNN_TRY(expect_shape("deltas", call.in(1).shape,
                           {scores[0], scores[1], scores[2], static_cast<uint32_t>(numbers)}));
  OPENQNN_TRY(expect_shape("anchors", call.in(2).shape, {scores[3], 4}));
  OPENQNN_TRY(expect_shape("image_size", call.in(3).shape, {scores[0], 2}));
  OPENQNN_TRY(check_rank(call.out(0), "output", 1, "[m]"));
  const uint32_t rows = call.out(0).shape[0];
  OPENQNN_TRY(expect_shape("boxes", call.out(1).shape, {rows, 4}));
  OPENQNN_TRY(expect_shape("batch_index", call.out(2).shape, {rows}));
  OPENQNN_TRY(check_positive(call, "img_size_ratio", 2));
  OPENQNN_TRY(check_finite(call, "min_size", 1));
  return check_unit(call, "iou_threshold");
}

// A limit of 0 is none, as in Android NN.
uint64_t limit_of(const OpCall& call, std::string_view name) {
  const uint32_t given = call.params->u32(name, 0);
  return given == 0 ? UINT64_MAX : given;
}

class ProposalImage {
 public:
  ProposalImage(const KernelArgs& args, uint32_t batch)
      : call_(args.call),
        shape_(args.call.in(0).shape),
        scores_(args.call.in(0), args.inputs[0]),
        deltas_(args.call.in(1), args.inputs[1]),
        anchors_(args.call.in(2), args.inputs[2]),
        first_(uint64_t{batch} * shape_[1] * shape_[2] * shape_[3]) {
    const ElementReader sizes(call_.in(3), args.inputs[3]);
    height_ = sizes(uint64_t{batch} * 2);
    width_ = sizes(uint64_t{batch} * 2 + 1);
  }

  // `candidates` receives them, best first, and `boxes` by number.
  void propose(Candidates& candidates, KernelVector<Corners>& boxes) const {
    const uint32_t count = shape_[1] * shape_[2] * shape_[3];
    find_above(candidates, -std::numeric_limits<double>::infinity(), count, 0,
               [&](uint32_t i) { return scores_(first_ + i); });
    std::ranges::sort(candidates, comes_before);
    if (const uint64_t limit = limit_of(call_, "pre_nms_limit"); candidates.size() > limit)
      candidates.resize(limit);
    boxes.assign(count, {});
    for (const Candidate& each : candidates) boxes[each.box] = decode(each.box);
    const auto min_size = static_cast<double>(call_.params->f32("min_size", 0.0F));
    std::erase_if(candidates, [&](const Candidate& each) {
      const Corners& box = boxes[each.box];
      return !(box.x2 - box.x1 >= min_size && box.y2 - box.y1 >= min_size);
    });
    hard_nms(candidates, boxes, static_cast<double>(call_.params->f32("iou_threshold", 0.0F)),
             limit_of(call_, "post_nms_limit"));
  }

 private:
  // The anchor at its place in the image, moved by its deltas.
  Corners decode(uint32_t box) const {
    const uint64_t anchor = box % shape_[3];
    const uint32_t pixel = box / shape_[3];
    const uint32_t row = pixel / shape_[2];
    const uint32_t column = pixel % shape_[2];
    const double x = column * static_cast<double>(call_.params->f32_at("img_size_ratio", 1, 1.0F));
    const double y = row * static_cast<double>(call_.params->f32_at("img_size_ratio", 0, 1.0F));
    const Corners anchor_box = read_corners(anchors_, anchor);
    const Corners placed = {anchor_box.x1 + x, anchor_box.y1 + y, anchor_box.x2 + x, anchor_box.y2 + y};
    const uint64_t at = (first_ + box) * 4;
    Deltas deltas = {deltas_(at), deltas_(at + 1), deltas_(at + 2), deltas_(at + 3)};
    if (call_.params->boolean("bbox_xform_clip", false)) {
      deltas.width = std::min(deltas.width, kLargestLogScale);
      deltas.height = std::min(deltas.height, kLargestLogScale);
    }
    return clip_to_image(apply_deltas(placed, deltas), height_, width_);
  }

  const OpCall& call_;
  const ir::Shape& shape_;
  ElementReader scores_;
  ElementReader deltas_;
  ElementReader anchors_;
  uint64_t first_;
  double height_ = 0.0;
  double width_ = 0.0;
};

uint64_t boxes_of_image(const OpCall& call) { return call.in(0).shape.elements() / call.in(0).shape[0]; }

uint64_t generate_scratch(const OpCall& call) {
  return saturating_add(room_for<Corners>(boxes_of_image(call)), room_for<Candidate>(boxes_of_image(call)));
}

// Image by image, until the output is full; rows that are left have score and box 0 and no image, -1 (ours:
// the op has no output that counts them).
void run_generate(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const ElementWriter scores(call.out(0), args.outputs[0]);
  const ElementWriter boxes(call.out(1), args.outputs[1]);
  const uint64_t rows = call.out(0).shape[0];
  uint64_t row = 0;
  const auto write = [&](double score, const Corners& box, int32_t batch) {
    scores(row, score);
    write_corners(boxes, row, box);
    save(args.outputs[2], row, batch);
    ++row;
  };
  KernelMemory memory(args);
  auto places = memory.room<Corners>(boxes_of_image(call));
  auto candidates = memory.room<Candidate>(boxes_of_image(call));
  for (uint32_t b = 0; b < call.in(0).shape[0] && row < rows; ++b) {
    ProposalImage(args, b).propose(candidates, places);
    for (const Candidate& each : candidates)
      if (row < rows) write(each.score, places[each.box], static_cast<int32_t>(b));
  }
  while (row < rows) write(0.0, {}, -1);
}

Work generate_work(const OpCall& call, const ir::Box&) {
  const ir::Shape& scores = call.in(0).shape;
  const uint64_t into_nms = std::min(boxes_of_image(call), limit_of(call, "pre_nms_limit"));
  Work work = pair_work(call, into_nms, scores[0]);
  const Work scan = whole_work(call, scores.elements(), kInstructionsPerScore);
  work.vector_ops = std::max(work.vector_ops, scan.vector_ops);
  return work;
}

// ---- CollectRpnProposals ----

constexpr size_t kMostLevels = 5;  // scores begin at this input, however many levels there are
constexpr uint64_t kRoiNumbers = 5;

struct Levels {
  uint32_t first;
  uint32_t last;
  size_t count() const { return last - first + 1; }
};

// Levels from `lowest` to `highest`, in order.
Status check_levels(const Levels& levels, std::string_view kind, uint32_t lowest, uint32_t highest) {
  if (levels.first >= lowest && levels.first <= levels.last && levels.last <= highest) return {};
  return invalid("op-param-value",
                 concat(kind, "_min_level ", levels.first, " and ", kind, "_max_level ", levels.last,
                        " are not levels from ", lowest, " to ", highest, " in order"));
}

Levels rpn_levels(const OpCall& call) {
  return {call.params->u32("rpn_min_level", 2), call.params->u32("rpn_max_level", 6)};
}

Status check_collect(const OpCall& call) {
  const Levels levels = rpn_levels(call);
  OPENQNN_TRY(check_levels(levels, "rpn", 2, 6));
  uint64_t total = 0;
  for (size_t i = 0; i < kMostLevels; ++i) {
    const bool wanted = i < levels.count();
    if (call.has_input(i) != wanted || call.has_input(kMostLevels + i) != wanted)
      return invalid("op-operands", concat("inputs ", i, " and ", kMostLevels + i, " must ",
                                           wanted ? "" : "not ", "be given for ", levels.count(), " levels"));
    if (!wanted) continue;
    const std::string name = concat("rois", i);
    OPENQNN_TRY(check_rank(call.in(i), name, 2, "[n, 5]"));
    const uint32_t rows = call.in(i).shape[0];
    OPENQNN_TRY(expect_shape(name, call.in(i).shape, {rows, kRoiNumbers}));
    OPENQNN_TRY(expect_shape(concat("scores", i), call.in(kMostLevels + i).shape, {rows}));
    total += rows;
  }
  const uint64_t kept = std::min<uint64_t>(total, call.params->u32("post_nms_top", 2000));
  return expect_shape("output", call.out(0).shape, {static_cast<uint32_t>(kept), kRoiNumbers});
}

uint64_t rows_of_levels(const OpCall& call) {
  uint64_t rows = 0;
  for (size_t level = 0; level < rpn_levels(call).count(); ++level) rows += call.in(level).shape[0];
  return rows;
}

// Best first; equals by level, then row (ours). A score that is no number comes last.
void run_collect(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  KernelMemory memory(args);
  auto all = memory.room<Candidate>(rows_of_levels(call));  // the label is the level
  for (uint32_t level = 0; level < rpn_levels(call).count(); ++level) {
    const ElementReader scores(call.in(kMostLevels + level), args.inputs[kMostLevels + level]);
    for (uint32_t i = 0; i < call.in(level).shape[0]; ++i) {
      const double score = scores(i);
      all.push_back({i, level, std::isnan(score) ? -std::numeric_limits<double>::infinity() : score});
    }
  }
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    return std::tie(b.score, a.label, a.box) < std::tie(a.score, b.label, b.box);
  });
  const ElementWriter write(call.out(0), args.outputs[0]);
  for (uint64_t row = 0; row < call.out(0).shape[0]; ++row) {
    const ElementReader rois(call.in(all[row].label), args.inputs[all[row].label]);
    for (uint64_t i = 0; i < kRoiNumbers; ++i)
      write(row * kRoiNumbers + i, rois(uint64_t{all[row].box} * kRoiNumbers + i));
  }
}

// ---- DistributeFpnProposals ----

Levels roi_levels(const OpCall& call) {
  return {call.params->u32("roi_min_level", 2), call.params->u32("roi_max_level", 5)};
}

Status check_distribute(const OpCall& call) {
  const Levels levels = roi_levels(call);
  OPENQNN_TRY(check_levels(levels, "roi", 2, 5));
  OPENQNN_TRY(check_rank(call.in(0), "rois", 2, "[n, 4] or [n, 5]"));
  const ir::Shape& rois = call.in(0).shape;
  if (rois[1] != 4 && rois[1] != 5)
    return invalid("op-shape",
                   concat("rois have shape ", rois.to_string(), " where [n, 4] or [n, 5] is needed"));
  if (call.outputs.size() != 1 + levels.count())
    return invalid("op-operands", concat("has ", call.outputs.size(), " outputs where ", 1 + levels.count(),
                                         " are needed: the index and one for each level"));
  OPENQNN_TRY(expect_shape("output", call.out(0).shape, {rois[0]}));
  for (size_t i = 1; i < call.outputs.size(); ++i) {
    if (!call.outputs[i]) return invalid("op-operands", concat("output ", i, " is missing"));
    OPENQNN_TRY(check_rank(call.out(i), concat("output ", i), 2, concat("[m, ", rois[1], "]")));
    OPENQNN_TRY(
        expect_shape(concat("rois of output ", i), call.out(i).shape, {call.out(i).shape[0], rois[1]}));
  }
  if (call.params->u32("roi_canonical_scale", 224) == 0)
    return invalid("op-param-value", "roi_canonical_scale is 0").fix_by("use the size of a typical region");
  if (const uint32_t level = call.params->u32("roi_canonical_level", 4); level > 64)
    return invalid("op-param-value", concat("roi_canonical_level ", level, " is no level"));
  return {};
}

// floor(canonical level + log2(sqrt(area) / canonical scale)) without a logarithm: a region is of level L or
// above when its area is scale^2 * 4^(L - canonical level) or more. Counted from the first level; -1 for a
// region without an area.
int32_t level_of(const OpCall& call, double width, double height) {
  if (!(width > 0.0 && height > 0.0)) return -1;
  const Levels levels = roi_levels(call);
  const auto scale = static_cast<double>(call.params->u32("roi_canonical_scale", 224));
  const auto canonical = static_cast<int32_t>(call.params->u32("roi_canonical_level", 4));
  int32_t level = 0;
  while (level + 1 < static_cast<int32_t>(levels.count())) {
    const int32_t next = static_cast<int32_t>(levels.first) + level + 1;
    if (!(width * height >= std::ldexp(scale * scale, 2 * (next - canonical)))) break;
    ++level;
  }
  return level;
}

// Each region goes to the next row of its level. The index says where it is when the outputs are put one
// after the other as they are, rows that are left included; -1 also when its level is full (ours). Rows that
// are left are 0.
void run_distribute(const KernelArgs& args, const ir::Box&) {
  const OpCall& call = args.call;
  const ElementReader rois(call.in(0), args.inputs[0]);
  const uint64_t width = call.in(0).shape[1];
  const size_t levels = call.outputs.size() - 1;
  const auto writer = [&](size_t level) {
    return ElementWriter(call.out(1 + level), args.outputs[1 + level]);
  };
  std::array<uint64_t, kMostLevels> begins{};
  std::array<uint64_t, kMostLevels> used{};
  for (size_t i = 1; i < levels; ++i) begins[i] = begins[i - 1] + call.out(i).shape[0];
  for (uint64_t n = 0; n < call.in(0).shape[0]; ++n) {
    const uint64_t corner = n * width + width - 4;
    const int32_t level =
        level_of(call, rois(corner + 2) - rois(corner), rois(corner + 3) - rois(corner + 1));
    const auto at = static_cast<size_t>(std::max(level, 0));
    const bool fits = level >= 0 && used[at] < call.out(1 + at).shape[0];
    save_integer(call.out(0).type, args.outputs[0], n,
                 fits ? static_cast<int64_t>(begins[at] + used[at]) : -1);
    if (!fits) continue;
    const ElementWriter write = writer(at);
    for (uint64_t i = 0; i < width; ++i) write(used[at] * width + i, rois(n * width + i));
    ++used[at];
  }
  for (size_t i = 0; i < levels; ++i)
    for (uint64_t at = used[i] * width; at < call.out(1 + i).shape.elements(); ++at) writer(i)(at, 0.0);
}

Work moving_work(const OpCall& call, const ir::Box&) {
  constexpr uint64_t kInstructions = 8;  // ours: compare, select, move
  return whole_work(call, all_bytes(call), kInstructions);
}

}  // namespace

OpDef generate_proposals() {
  return {
      .type = "GenerateProposals",
      .our_rows = {"f16,f16,f16,f16 -> f16,f16,i32", "f32,f32,f32,f32 -> f32,f32,i32",
                   "ufx8,ufx8,sfx16,ufx16 -> ufx8,ufx16,i32"},
      .check = check_generate,
      .work = generate_work,
      .kernels = {reference_kernel(run_generate, generate_scratch)},
  };
}

OpDef collect_rpn_proposals() {
  return {
      .type = "CollectRpnProposals",
      .our_rows = {"f16,f16,f16,f16,f16,f16,f16,f16,f16,f16 -> f16",
                   "f32,f32,f32,f32,f32,f32,f32,f32,f32,f32 -> f32",
                   "ufx16,ufx16,ufx16,ufx16,ufx16,ufx8,ufx8,ufx8,ufx8,ufx8 -> ufx16"},
      .check = check_collect,
      .work = moving_work,
      .kernels = {reference_kernel(
          run_collect, [](const OpCall& call) { return room_for<Candidate>(rows_of_levels(call)); })},
  };
}

OpDef distribute_fpn_proposals() {
  return {
      .type = "DistributeFpnProposals",
      .our_rows = {"f16 -> i32,f16,f16,f16,f16", "f32 -> i32,f32,f32,f32,f32",
                   "ufx16 -> i32,ufx16,ufx16,ufx16,ufx16"},
      .check = check_distribute,
      .work = moving_work,
      .kernels = {{"reference", nullptr, run_distribute}},
  };
}

}  // namespace openqnn::ops
