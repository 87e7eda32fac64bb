// SPDX-License-Identifier: BSD-3-Clause
// Values at the edges: borders, ties, numbers that are none, positions from nowhere.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/bytes.h"
#include "ops/vision/vision_case.h"

namespace openqnn::ops {
namespace {

// ---- Pools ----

TEST(Pool, PaddingIsNeverTheLargest) {
  OpCase c("PoolMax2d in=1x1x2x1:f16 filter_size=1,2 stride=1,1 pad_amount=0,0,1,1");
  set_values(c, 0, {-3, -5});
  EXPECT_EQ(results(c), (std::vector<double>{-3, -3, -5}));
}

TEST(Pool, ANanInTheWindowIsTheResult) {
  OpCase c("PoolMax2d in=1x1x4x1:f16 filter_size=1,2 stride=1,2 pad_amount=0,0,0,0");
  set_values(c, 0, {kNan, 7, 1, 2});
  EXPECT_TRUE(std::isnan(results(c)[0]));
  EXPECT_EQ(results(c)[1], 2.0);
}

TEST(Pool, AverageCountsPaddingOnlyWhenAsked) {
  OpCase c("PoolAvg2d in=1x1x2x1:f16 filter_size=1,2 stride=1,1 pad_amount=0,0,1,1");
  set_values(c, 0, {4, 8});
  EXPECT_EQ(results(c), (std::vector<double>{4, 6, 8}));
  set_param(c, "count_pad_for_edges", {1});
  EXPECT_EQ(results(c), (std::vector<double>{2, 6, 4}));
}

// The last window has two cells: one of the input, none of the padding, one beyond everything.
TEST(Pool, AverageNeverCountsWhatLiesBeyondThePadding) {
  OpCase c(
      "PoolAvg2d in=1x1x3x1:f16 filter_size=1,2 stride=1,2 pad_amount=0,0,0,0 rounding_mode=1 "
      "count_pad_for_edges=1");
  set_values(c, 0, {2, 4, 8});
  EXPECT_EQ(results(c), (std::vector<double>{3, 8}));
}

TEST(Pool, AverageTiesGoToEven) {
  OpCase c("PoolAvg2d in=1x1x2x2:ufx8 filter_size=1,2 stride=1,1 pad_amount=0,0,0,0");
  c.inputs[0].quantization = c.outputs[0].quantization = ir::Quantization::per_tensor(1.0F, 0);
  set_values(c, 0, {0, 2, 1, 1});  // halves: 0.5 and 1.5
  EXPECT_EQ(results(c), (std::vector<double>{0, 2}));
}

TEST(Pool, RootMeanSquareCountsRealElements) {
  OpCase c("L2Pool2d in=1x1x2x1:f16 filter_size=1,2 stride=1,2 pad_amount=0,0,1,1");
  set_values(c, 0, {-3, 4});
  EXPECT_EQ(results(c), (std::vector<double>{3, 4}));
}

// ---- Resizes ----

TEST(Resize, NearestMovesBytes) {
  OpCase c("ResizeNearestNeighbor in=1x1x2x1:f16 to=1,4");
  save(c.data[0].data(), 0, uint16_t{0x7DEF});  // a NaN with a payload
  save(c.data[0].data(), 1, uint16_t{0x8000});  // minus zero
  const Bytes bytes = c.run();
  EXPECT_EQ(load<uint16_t>(bytes.data(), 0), 0x7DEF);
  EXPECT_EQ(load<uint16_t>(bytes.data(), 1), 0x7DEF);
  EXPECT_EQ(load<uint16_t>(bytes.data(), 2), 0x8000);
}

TEST(Resize, NearestTiesFollowTheMode) {
  // Half pixels of 4 to 2: positions 0.5 and 2.5.
  const std::vector<std::vector<double>> expected = {{0, 2}, {1, 3}, {0, 2}, {1, 3}};
  for (size_t mode = 0; mode < expected.size(); ++mode) {
    OpCase c("Resize in=1x4x1:f16 to=2 nearest_mode=" + std::to_string(mode));
    set_values(c, 0, {0, 1, 2, 3});
    EXPECT_EQ(results(c), expected[mode]) << mode;
  }
}

TEST(Resize, NearestWithoutAModeIsFloorOrRoundsAtCorners) {
  OpCase floor("Resize in=1x4x1:f16 to=2");
  set_values(floor, 0, {0, 1, 2, 3});
  EXPECT_EQ(results(floor), (std::vector<double>{0, 2}));
  OpCase corners("Resize in=1x4x1:f16 to=3 transformation_mode=2");  // 0, 1.5, 3
  set_values(corners, 0, {0, 1, 2, 3});
  EXPECT_EQ(results(corners), (std::vector<double>{0, 2, 3}));
}

TEST(Resize, AnInfinityStaysWhereItIs) {
  OpCase c("ResizeBilinear in=1x1x3x1:f16 to=1,3");
  set_values(c, 0, {1, kInfinity, 3});
  EXPECT_EQ(results(c), (std::vector<double>{1, kInfinity, 3}));
}

TEST(Resize, AntialiasAveragesWhatIsLost) {
  OpCase c("ResizeBilinear in=1x1x4x1:f16 to=1,2 half_pixel_centers=1");
  set_values(c, 0, {0, 8, 0, 8});
  EXPECT_EQ(results(c), (std::vector<double>{4, 4}));
  set_values(c, 0, {0, 0, 8, 0});
  EXPECT_EQ(results(c), (std::vector<double>{0, 4}));
  set_param(c, "antialias", {1});  // weights 1 3 3 1 over 8, the border beyond the end
  EXPECT_EQ(results(c), (std::vector<double>{1, 3}));
}

// ---- Positions from nowhere ----

TEST(GridSample, PositionsThatAreNoneAreSafe) {
  for (const char* mode : {"0", "1"})
    for (const char* align : {"0", "1"}) {
      OpCase c(std::string("GridSample in=1x2x3x1:f16 in=1x1x4x2:f16 mode=") + mode +
               " align_corners=" + align);
      set_values(c, 0, {1, 2, 3, 4, 5, 6});
      set_values(c, 1, {kNan, kNan, kInfinity, 0, -65504, 65504, -kInfinity, kNan});
      EXPECT_EQ(results(c), (std::vector<double>{0, 0, 0, 0}));
      for (const double padding : {1.0, 2.0}) {
        set_param(c, "padding_mode", {padding});
        for (const double value : results(c)) {
          EXPECT_GE(value, 1.0);
          EXPECT_LE(value, 6.0);
        }
      }
    }
}

TEST(GridSample, BorderClampsAndReflectionMirrors) {
  OpCase c("GridSample in=1x1x3x1:f16 in=1x1x3x2:f16 padding_mode=1 align_corners=1");
  set_values(c, 0, {10, 20, 30});
  set_values(c, 1, {-9, 0, 9, 0, 1.5, 0});
  EXPECT_EQ(results(c), (std::vector<double>{10, 30, 30}));
  set_param(c, "padding_mode", {2});  // x = -8, 10 and 2.5 in [0, 2]
  EXPECT_EQ(results(c), (std::vector<double>{10, 30, 25}));
}

TEST(ImageProjection, APointAtInfinityIsOutside) {
  OpCase c("ImageProjectionTransform in=1x1x2x1:f16 in=8:f16");
  set_values(c, 0, {5, 7});
  set_values(c, 1, {1, 0, 0, 0, 1, 0, -1, 0});  // k is 1 and 0
  EXPECT_EQ(results(c), (std::vector<double>{5, 0}));
}

TEST(Regions, AWholeImageReachesItsLastPixel) {
  OpCase c("CropAndResize in=1x1x7x1:f16 in=2x4:f16 in=2:i32 resize_dims=1,4 extrapolation_value=-1");
  set_values(c, 0, {0, 1, 2, 3, 4, 5, 6});
  set_values(c, 1, {0, 0, 0, 1, 0, 1, 0, 0});  // forwards and backwards
  set_values(c, 2, {0, 0});
  EXPECT_EQ(results(c), (std::vector<double>{0, 2, 4, 6, 6, 4, 2, 0}));
  set_values(c, 2, {-1, 1});  // no such images
  EXPECT_EQ(results(c), std::vector<double>(8, -1.0));
  set_values(c, 2, {0, 0});
  set_values(c, 1, {kNan, 0, 0, 1, 0, kInfinity, 0, 2});
  EXPECT_EQ(results(c), std::vector<double>(8, -1.0));
}

TEST(Regions, RoisOfAnySizeAreSafeAndQuick) {
  for (const char* op : {"RoiAlign", "RoiPooling"}) {
    OpCase c(std::string(op) + " in=1x3x3x1:f16 in=5x4:f16 in=5:i32 to=2,2 img_size_ratio=1e-30,1e-30");
    set_values(c, 1, {kNan,      kNan,      kNan,  kNan,       -65504, -65504,     65504,
                      65504,     kInfinity, 0,     -kInfinity, 0,      -kInfinity, -kInfinity,
                      kInfinity, kInfinity, 65504, 65504,      -65504, -65504});
    set_values(c, 2, {0, 0, 0, 0, -2147483648.0});
    const std::vector<double> values = results(c);
    for (size_t i = 16; i < 20; ++i) EXPECT_EQ(values[i], 0.0) << op;
    for (const double value : values) EXPECT_FALSE(std::isinf(value)) << op;
  }
}

TEST(Regions, AlignedRoisAreShiftedAndSmallOnesAreNotGrown) {
  OpCase c(
      "RoiAlign in=1x1x4x1:f16 in=1x4:f16 in=1:i32 to=1,1 img_size_ratio=1,1 num_samples_y=1 "
      "num_samples_x=1");
  set_values(c, 0, {0, 10, 20, 30});
  set_values(c, 1, {1, 0, 1.5, 0.5});
  set_values(c, 2, {0});
  EXPECT_EQ(results(c), (std::vector<double>{15}));  // one pixel wide: its middle is 1.5
  set_param(c, "aligned", {1});
  EXPECT_EQ(results(c), (std::vector<double>{7.5}));  // 1.25 - 0.5
  set_values(c, 1, {1, 0, 1, 0.5});
  set_param(c, "allow_invalid_roi", {1});
  EXPECT_EQ(results(c), (std::vector<double>{0}));
}

// ---- Colours ----

TEST(Colours, VideoRangeAndWellKnownColours) {
  OpCase c("Nv12ToRgb in=1x6:ufx8 to=2,2 output_order=0");
  // The bytes are the codes, whatever an encoding says they are worth.
  c.inputs[0].quantization = c.outputs[0].quantization = ir::Quantization::per_tensor(1.0F / 255.0F, 0);
  const auto pixel = [&](double y, double u, double v) {
    set_values(c, 0, {y, y, y, y, u, v});
    const Bytes bytes = c.run();
    return std::vector<int>{std::to_integer<int>(bytes[9]), std::to_integer<int>(bytes[10]),
                            std::to_integer<int>(bytes[11])};
  };
  EXPECT_EQ(pixel(16, 128, 128), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(pixel(235, 128, 128), (std::vector<int>{255, 255, 255}));
  EXPECT_EQ(pixel(81, 90, 240), (std::vector<int>{254, 0, 0}));
  EXPECT_EQ(pixel(255, 255, 255), (std::vector<int>{255, 125, 255}));  // saturated
  set_param(c, "output_order", {1});
  EXPECT_EQ(pixel(81, 90, 240), (std::vector<int>{0, 0, 254}));
}

TEST(Colours, Nv21HasTheOtherOrderOfChroma) {
  OpCase nv12("Nv12ToRgb in=1x6:ufx8 to=2,2 output_order=0");
  OpCase nv21("Nv21ToRgb in=1x6:ufx8 to=2,2 output_order=0");
  for (OpCase* c : {&nv12, &nv21})
    c->inputs[0].quantization = c->outputs[0].quantization = ir::Quantization::per_tensor(1.0F, 0);
  set_values(nv12, 0, {50, 100, 150, 200, 90, 160});
  set_values(nv21, 0, {50, 100, 150, 200, 160, 90});
  EXPECT_EQ(results(nv12), results(nv21));
}

// ---- Key points ----

TEST(KeyPoint, TheFirstOfEqualPeaksAndNoFitOnAPlain) {
  OpCase c("HeatMapMaxKeyPoint in=1x2x2x1:f16 in=1x4:f16");
  set_values(c, 0, {3, 3, 3, 3});
  set_values(c, 1, {10, 20, 14, 24});
  EXPECT_EQ(results(c, 0), (std::vector<double>{3}));
  EXPECT_EQ(results(c, 1), (std::vector<double>{11, 21}));  // the middle of the first pixel
}

// ---- Suppression ----

TEST(Nms, EqualScoresInOrderAndNumbersThatAreNoneLeftOut) {
  OpCase c("NonMaxSuppression in=1x5x4:f16 in=1x1x5:f16 rows=5 max_boxes_selected=5 iou_threshold=0.5");
  set_values(c, 0, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9});
  set_values(c, 1, {0.5, kNan, 0.5, 0.75, 0});  // a score of 0 is not above 0
  EXPECT_EQ(results(c), (std::vector<double>{0, 0, 3, 0, 0, 0, 0, 0, 2, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(results(c, 1), (std::vector<double>{3}));
}

TEST(Nms, OverlapMustExceedTheThreshold) {
  // The second box is half of the first: an overlap of exactly 0.5.
  OpCase c("NonMaxSuppression in=1x2x4:f16 in=1x1x2:f16 rows=2 max_boxes_selected=2 iou_threshold=0.5");
  set_values(c, 0, {0, 0, 2, 2, 2, 0, 1, 2});  // its corners are turned over
  set_values(c, 1, {0.75, 0.5});
  EXPECT_EQ(results(c, 1), (std::vector<double>{2}));
  set_param(c, "iou_threshold", {0.4375});
  EXPECT_EQ(results(c, 1), (std::vector<double>{1}));
}

TEST(Nms, BoxesThatAreNoneAreSafe) {
  OpCase c(
      "NonMaxSuppression in=1x4x4:f16 in=1x1x4:f16 rows=4 max_boxes_selected=4294967295 iou_threshold=0");
  set_values(c, 0,
             {kNan, kNan, kNan, kNan, -kInfinity, -kInfinity, kInfinity, kInfinity, 0, 0, 0, 0, 0, 0, 0, 0});
  set_values(c, 1, {1, kInfinity, 1, 1});
  const std::vector<double> selected = results(c);
  EXPECT_EQ(selected[2], 1.0);  // the highest score
}

TEST(Nms, SelectionsBeyondTheOutputAreDropped) {
  OpCase c("NonMaxSuppression in=1x3x4:f16 in=1x1x3:f16 rows=2 max_boxes_selected=3 iou_threshold=0.5");
  set_values(c, 0, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  set_values(c, 1, {0.25, 0.5, 0.75});
  EXPECT_EQ(results(c), (std::vector<double>{0, 0, 2, 0, 0, 1}));
  EXPECT_EQ(results(c, 1), (std::vector<double>{2}));
}

TEST(Nms, SoftSuppressionWeakensAndHardStrikesOut) {
  OpCase c("MultiClassNms in=1x2x4:f16 in=1x2x1:f16 in=1x2x1:f16 rows=2 iou_threshold=1 soft_nms_sigma=0.5");
  set_values(c, 0, {0, 0, 1, 1, 0, 0, 1, 1});
  set_values(c, 1, {1, 0.5});
  set_values(c, 2, {3, 4});
  EXPECT_NEAR(results(c, 1)[1], 0.5 * std::exp(-1.0), 1e-3);
  EXPECT_EQ(results(c, 4), (std::vector<double>{3, 4}));
  set_param(c, "soft_nms_sigma", {0});
  set_param(c, "iou_threshold", {0.5});
  EXPECT_EQ(results(c, 1), (std::vector<double>{1, 0}));
  EXPECT_EQ(results(c, 3), (std::vector<double>{1}));
  EXPECT_EQ(results(c, 4), (std::vector<double>{3, 0}));
}

TEST(DetectionOutput, SizesThatOverflowAreSafe) {
  OpCase c(
      "DetectionOutput in=1x2x2:f16 in=1x2x4:f16 in=2x4:f16 rows=2 delta_scaling_factors=1,1,1,1 "
      "confidence_threshold=0 iou_threshold=0.5 background_class_idx=0");
  set_values(c, 0, {0.9, 0.5, 0.9, 0.25});
  set_values(c, 1, {0, 0, 65504, 65504, kNan, kNan, kNan, kNan});
  set_values(c, 2, {0, 0, 1, 1, 0, 0, 1, 1});
  EXPECT_EQ(results(c, 3), (std::vector<double>{2}));
  EXPECT_EQ(results(c, 2), (std::vector<double>{1, 1}));
  EXPECT_TRUE(std::isinf(results(c, 1)[0]));
}

TEST(DetectionOutput, LabelsCountWithoutTheBackgroundWhenItIsLeftOut) {
  OpCase c(
      "DetectionOutput in=1x1x3:f16 in=1x1x4:f16 in=1x4:f16 rows=3 delta_scaling_factors=1,1,1,1 "
      "confidence_threshold=0 iou_threshold=0.5 background_class_idx=1 output_background=0");
  set_values(c, 0, {0.25, 0.75, 0.5});
  EXPECT_EQ(results(c, 2), (std::vector<double>{1, 0, 0}));  // class 2 first, then class 0
  EXPECT_EQ(results(c, 3), (std::vector<double>{2}));
  set_param(c, "output_background", {1});
  EXPECT_EQ(results(c, 2), (std::vector<double>{2, 0, 0}));
  set_param(c, "use_bg_in_nms", {1});
  EXPECT_EQ(results(c, 2), (std::vector<double>{1, 2, 0}));
}

// ---- Proposals ----

TEST(Distribute, ARegionOfTheCanonicalSizeIsOfTheCanonicalLevel) {
  OpCase c("DistributeFpnProposals in=4x4:f16 rows=4 roi_canonical_scale=224");
  set_values(c, 0, {0, 0, 224, 224, 0, 0, 223.75, 224, 0, 0, 0, 9, 0, 0, kNan, 9});
  // Level 4 is the third output, level 3 the second; each has 4 rows.
  EXPECT_EQ(results(c, 0), (std::vector<double>{8, 4, -1, -1}));
}

TEST(Distribute, AFullLevelTakesNoMore) {
  OpCase c("DistributeFpnProposals in=3x4:f16 rows=2 roi_canonical_scale=1 roi_canonical_level=5");
  set_values(c, 0, {0, 0, 9, 9, 0, 0, 8, 8, 0, 0, 7, 7});
  EXPECT_EQ(results(c, 0), (std::vector<double>{6, 7, -1}));
}

TEST(Collect, EqualsByLevelThenRow) {
  OpCase c(
      "CollectRpnProposals in=1x5:f16 in=1x5:f16 in=1x5:f16 in=none in=none in=1:f16 in=1:f16 in=1:f16 "
      "in=none "
      "in=none rpn_min_level=2 rpn_max_level=4");
  for (size_t level = 0; level < 3; ++level) {
    set_values(c, level, std::vector<double>(5, static_cast<double>(level)));
    set_values(c, 5 + level, {level == 0 ? kNan : 0.5});
  }
  const std::vector<double> rows = results(c);
  EXPECT_EQ(rows[0], 1.0);
  EXPECT_EQ(rows[5], 2.0);
  EXPECT_EQ(rows[10], 0.0);  // no number comes last
}

TEST(BoxWithNmsLimit, HardSuppressionIgnoresScoreThresholdsBelowZero) {
  OpCase c(
      "BoxWithNmsLimit in=2x8:f16 in=2x2:f16 in=2:i32 in=1:i32 rows=2 nms_kernel_method=0 "
      "nms_score_threshold=-1 iou_threshold=0.5 sigma=0");
  set_values(c, 0, {0, 0, 9, 9, 0, 0, 1, 1, 0, 0, 9, 9, 0, 0, 1, 1});
  set_values(c, 1, {1, 0.75, 1, 0.5});  // class 0 is the background
  set_values(c, 2, {0, 0});
  EXPECT_EQ(results(c, 1), (std::vector<double>{0.75, 0}));
  EXPECT_EQ(results(c, 3), (std::vector<double>{0, -1}));
  EXPECT_EQ(results(c, 5), (std::vector<double>{0, -1}));
}

}  // namespace
}  // namespace openqnn::ops
