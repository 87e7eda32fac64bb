// SPDX-License-Identifier: BSD-3-Clause
// What the ops of this family refuse, and in which words. One row per path.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "ops/bytes.h"
#include "ops/refusals.h"
#include "ops/vision/vision_case.h"

namespace openqnn::ops {
namespace {

const char kPool3d[] = "PoolAvg3d in=1x4x4x4x2:ufx8 filter_size=2,2,2 stride=2,2,2 pad_amount=0,0,0,0,0,0";
const char kResize[] = "Resize in=1x4x4x3:ufx8 to=8,8";
const char kBilinear[] = "ResizeBilinear in=1x4x4x3:ufx8 to=8,8";
const char kGrid[] = "GridSample in=1x4x4x3:f16 in=1x5x5x2:f16";
const char kGrid5[] = "GridSample in=1x2x4x4x3:ufx8 in=1x2x5x5x3:ufx8";
const char kProject[] = "ImageProjectionTransform in=2x4x4x3:f16 in=2x8:f16";
const char kCrop[] = "CropAndResize in=1x4x4x3:f16 in=2x4:f16 in=2:i32 resize_dims=3,3";
const char kAlign[] = "RoiAlign in=1x4x4x3:f16 in=2x4:f16 in=2:i32 to=3,3 img_size_ratio=2,2";
const char kArgb[] = "ArgbToRgb in=1x4x4x4:ufx8 reverse_output=0";
const char kNv12[] = "Nv12ToRgb in=1x24:ufx8 to=4,4 output_order=0";
const char kKeyPoint[] = "HeatMapMaxKeyPoint in=2x4x4x3:f16 in=2x4:f16";
const char kNms[] =
    "NonMaxSuppression in=1x6x4:f16 in=1x2x6:f16 rows=4 max_boxes_selected=2 iou_threshold=0.5";
const char kMulti[] =
    "MultiClassNms in=1x6x4:ufx8 in=1x6x2:ufx8 in=1x6x3:i32 rows=4 iou_threshold=0.5 soft_nms_sigma=0.5";
const char kCombined[] =
    "CombinedNms in=1x6x1x4:f16 in=1x6x2:f16 max_boxes_per_class=2 max_total_boxes=3 iou_threshold=0.5";
const char kDetect[] =
    "DetectionOutput in=2x6x3:f16 in=2x6x4:f16 in=12x4:f16 rows=4 delta_scaling_factors=1,1,1,1 "
    "confidence_threshold=0.1 iou_threshold=0.5";
const char kBoxLimit[] =
    "BoxWithNmsLimit in=6x12:f16 in=6x3:f16 in=6:i32 in=2:i32 rows=4 nms_kernel_method=2 "
    "nms_score_threshold=0 "
    "iou_threshold=0.5 sigma=0.5";
const char kAligned[] = "AxisAlignedBboxTransform in=3x4:f16 in=3x8:f16 in=3:i32 in=2x2:f16";
const char kRotated[] =
    "BboxTransform in=3x5:f16 in=3x10:f16 in=2x3:f16 in=3:i32 weights=1,1,1,1 angle_bounds=-90,90";
const char kGenerate[] =
    "GenerateProposals in=1x2x2x3:f16 in=1x2x2x12:f16 in=3x4:f16 in=1x2:f16 rows=4 img_size_ratio=4,4 "
    "iou_threshold=0.5";
const char kCollect[] =
    "CollectRpnProposals in=2x5:f16 in=2x5:f16 in=2x5:f16 in=none in=none in=2:f16 in=2:f16 in=2:f16 in=none "
    "in=none rpn_min_level=2 rpn_max_level=4";
const char kDistribute[] = "DistributeFpnProposals in=6x5:f16 rows=6";

std::function<void(OpCase&)> param(const char* name, std::vector<double> values) {
  return [=](OpCase& c) { set_param(c, name, values); };
}
std::function<void(OpCase&)> input(size_t index, ir::Shape shape) {
  return [=](OpCase& c) { c.inputs[index].shape = shape; };
}
std::function<void(OpCase&)> output(size_t index, ir::Shape shape) {
  return [=](OpCase& c) { c.outputs[index].shape = shape; };
}

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> rows = {
      // ---- pools
      {kPool3d, input(0, {4, 4, 4, 2}), "op-rank", "[b, d, h, w, c] is needed"},
      {kPool3d, param("stride", {0, 1, 1}), "op-param-value", "stride in depth is 0"},
      {kPool3d, param("filter_size", {1, 1, 9}), "op-shape", "9 positions in width"},
      {kPool3d, output(0, {1, 2, 2, 3, 2}), "op-shape", "needs [1, 2, 2, 2, 2]"},
      // ---- resizes
      {kResize, input(0, {4, 3}), "op-rank", "rank 3 to 5"},
      {kResize, output(0, {1, 8, 3}), "op-rank", "the rank of the input, 4"},
      {kResize, output(0, {1, 8, 8, 4}), "op-shape", "needs [1, 8, 8, 3]"},
      {kResize, output(0, {2, 8, 8, 3}), "op-shape", "needs [1, 8, 8, 3]"},
      {kResize, param("transformation_mode", {4}), "op-param-value", "transformation_mode 4 is not known"},
      {kResize, param("interpolation_mode", {3}), "op-param-value", "interpolation_mode 3 is not known"},
      {kResize, param("nearest_mode", {4}), "op-param-value", "nearest_mode 4 is not known"},
      {kResize, param("cubic_coeff", {kNan}), "op-param-value", "cubic_coeff is nan"},
      {kBilinear, input(0, {4, 4, 3}), "op-rank", "[b, h, w, c] is needed"},
      {kBilinear,
       [](OpCase& c) {
         set_param(c, "align_corners", {1});
         set_param(c, "half_pixel_centers", {1});
       },
       "op-param-value", "both set"},
      // ---- sampling
      {kGrid, input(0, {4, 4, 3}), "op-rank", "[b, d, h, w, c] is needed"},
      {kGrid, input(1, {1, 5, 2}), "op-rank", "grid has shape [1, 5, 2] where [b, h, w, 2]"},
      {kGrid, input(1, {1, 5, 5, 3}), "op-shape", "grid has shape [1, 5, 5, 3] where the op needs [1, 5, 5, 2]"},
      {kGrid, input(1, {2, 5, 5, 2}), "op-shape", "needs [1, 5, 5, 2]"},
      {kGrid5, input(1, {1, 2, 5, 5, 2}), "op-shape", "needs [1, 2, 5, 5, 3]"},
      {kGrid, output(0, {1, 5, 5, 2}), "op-shape", "needs [1, 5, 5, 3]"},
      {kGrid, param("mode", {2}), "op-param-value", "use 0 (bilinear) or 1 (nearest)"},
      {kGrid, param("padding_mode", {3}), "op-param-value", "padding_mode 3"},
      {kProject, input(1, {3, 8}), "op-shape", "8 for each of the 2 images"},
      {kProject, output(0, {2, 4, 5, 3}), "op-shape", "needs [2, 4, 4, 3]"},
      // ---- regions
      {kCrop, input(1, {2, 5}), "op-shape", "regions has shape [2, 5] where the op needs [2, 4]"},
      {kCrop, input(2, {3}), "op-shape", "batch_index has shape [3] where the op needs [2]"},
      {kCrop, param("resize_dims", {3, 4}), "op-shape", "needs [2, 3, 4, 3]"},
      {kCrop, param("extrapolation_value", {kInfinity}), "op-param-value", "use a finite number"},
      {kCrop, param("interpolation_mode", {2}), "op-param-value", "interpolation_mode 2"},
      {kAlign, output(0, {2, 3, 3, 4}), "op-shape", "needs [2, 3, 3, 3]"},
      {kAlign, param("img_size_ratio", {2, 0}), "op-param-value", "img_size_ratio is 0"},
      {kAlign, param("num_samples_y", {-2}), "op-param-value", "num_samples_y -2 is outside -1 to 256"},
      {kAlign, param("num_samples_x", {257}), "op-param-value", "num_samples_x 257"},
      // ---- colours and key points
      {kArgb, input(0, {1, 4, 4, 3}), "op-shape", "needs [1, 4, 4, 4]"},
      {kArgb, param("input_order", {2}), "op-param-value", "0 (ARGB) or 1 (RGBA)"},
      {kNv12, input(0, {1, 25}), "op-shape", "25 values for each image where 24 are needed"},
      {kNv12, output(0, {1, 3, 4, 3}), "op-shape", "3 x 4, but two by two pixels share a colour"},
      {kNv12, output(0, {1, 4, 4, 4}), "op-shape", "needs [1, 4, 4, 3]"},
      {kNv12, param("output_order", {-1}), "op-param-value", "0 (RGB) or 1 (BGR)"},
      {kKeyPoint, input(1, {3, 4}), "op-shape", "boxes has shape [3, 4] where the op needs [2, 4]"},
      {kKeyPoint, output(1, {2, 3, 3}), "op-shape", "points has shape [2, 3, 3] where the op needs [2, 3, 2]"},
      // ---- suppression
      {kNms, input(0, {1, 6, 5}), "op-shape", "boxes has shape"},
      {kNms, input(1, {1, 2, 7}), "op-shape", "scores has shape [1, 2, 7] where the op needs [1, 2, 6]"},
      {kNms, output(0, {4, 4}), "op-shape", "needs [4, 3]"},
      {kNms, output(1, {2}), "op-shape", "valid has shape [2]"},
      {kNms, param("iou_threshold", {1.5}), "op-param-value", "use a number from 0 to 1"},
      {kNms, param("iou_threshold", {kNan}), "op-param-value", "use a number from 0 to 1"},
      {kNms, param("score_threshold", {kNan}), "op-param-value", "score_threshold is not a number"},
      {kNms, param("center_point_box", {2}), "op-param-value", "center_point_box 2"},
      {kMulti, param("soft_nms_sigma", {-1}), "op-param-value", "soft_nms_sigma is -1"},
      {kMulti, input(2, {1, 7, 3}), "op-shape", "feature 0 has shape [1, 7, 3] where the op needs [1, 6, 3]"},
      {kMulti, input(2, {6}), "op-rank", "feature 0 has shape [6] where [b, n, ...]"},
      {kMulti, output(4, {1, 4, 2}), "op-shape", "feature 0 of the output"},
      {kMulti, [](OpCase& c) { c.outputs.pop_back(); }, "op-operands", "1 features to read and 0 to write"},
      {kCombined, input(0, {1, 6, 3, 4}), "op-shape", "3 sets where 1"},
      {kCombined, param("max_total_boxes", {4}), "op-shape", "needs [1, 4, 4]"},
      {kCombined, param("pad_per_class", {1}), "", ""},  // min(2 * 2, 3) rows: the same 3
      {kDetect, input(1, {2, 7, 4}), "op-shape", "locations has shape"},
      {kDetect, input(2, {13, 4}), "op-shape", "anchors has shape [13, 4] where the op needs [12, 4]"},
      {kDetect, input(2, {6, 4}), "", ""},  // anchors for all images
      {kDetect, param("share_location", {0}), "op-shape", "needs [2, 18, 4]"},
      {kDetect, param("background_class_idx", {3}), "op-param-value", "3 is not one of 3 classes"},
      {kDetect, param("nms_type", {2}), "op-param-value", "nms_type 2"},
      {kDetect, param("nms_eta", {0}), "op-param-value", "nms_eta is 0"},
      {kDetect, param("detection_limit", {-2}), "op-param-value", "use -1 for no limit"},
      {kDetect, param("delta_scaling_factors", {1, 1, 1, kInfinity}), "op-param-value", "use a finite number"},
      {kDetect, output(3, {1}), "op-shape", "count has shape [1] where the op needs [2]"},
      {kBoxLimit, input(0, {6, 13}), "op-shape", "boxes has shape [6, 13] where the op needs [6, 12]"},
      {kBoxLimit, param("nms_kernel_method", {3}), "op-param-value", "nms_kernel_method 3"},
      {kBoxLimit, param("sigma", {0}), "op-param-value", "sigma is 0"},
      {kBoxLimit, output(4, {3}), "op-shape", "batch_splits of the output has shape [3]"},
      {kBoxLimit, output(6, {2}), "op-shape", "keeps_size has shape [2] where the op needs [3]"},
      // ---- boxes and proposals
      {kAligned,
       [](OpCase& c) {
         c.inputs[1].shape = {3, 9};
         c.outputs[0].shape = {3, 9};
       },
       "op-shape", "9 numbers for each region, not a multiple of 4"},
      {kAligned, input(3, {2, 3}), "op-shape", "image_size has shape"},
      {kAligned, param("weights", {1, 0, 1, 1}), "op-param-value", "use a number above 0"},
      {kRotated, param("angle_bounds", {90, -90}), "op-param-value", "angle_bounds 90 to -90"},
      {kRotated, output(1, {3}), "op-shape", "rois_per_batch has shape"},
      {kGenerate, input(1, {1, 2, 2, 13}), "op-shape", "deltas has shape"},
      {kGenerate, output(1, {5, 4}), "op-shape", "boxes has shape [5, 4] where the op needs [4, 4]"},
      {kGenerate, param("img_size_ratio", {-1, 1}), "op-param-value", "use a number above 0"},
      {kCollect, param("rpn_max_level", {5}), "op-operands", "inputs 3 and 8 must be given for 4 levels"},
      {kCollect, param("rpn_max_level", {3}), "op-operands", "inputs 2 and 7 must not be given for 2 levels"},
      {kCollect, param("rpn_max_level", {7}), "op-param-value", "levels from 2 to 6"},
      {kCollect, param("post_nms_top", {4}), "op-shape", "needs [4, 5]"},
      {kDistribute, input(0, {6, 3}), "op-shape", "[n, 4] or [n, 5] is needed"},
      {kDistribute, param("roi_max_level", {4}), "op-operands", "has 5 outputs where 4 are needed"},
      {kDistribute, param("roi_canonical_scale", {0}), "op-param-value", "roi_canonical_scale is 0"},
  };
  return rows;
}

TEST(VisionRefusal, SaysWhatIsWrong) {
  for (const Refusal& row : refusals()) {
    SCOPED_TRACE(std::string(row.line) + " -> " + row.text);
    OpCase c(row.line);
    const Status before = validate_prepared(*c.op, c.call());
    ASSERT_TRUE(before) << before.error().to_string();
    row.spoil(c);
    const Status status = validate_prepared(*c.op, c.call());
    if (row.code[0] == '\0') {
      EXPECT_TRUE(status) << status.error().to_string();
      continue;
    }
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, row.code) << status.error().to_string();
    EXPECT_NE(status.error().to_string().find(row.text), std::string::npos) << status.error().to_string();
  }
}

}  // namespace
}  // namespace openqnn::ops
