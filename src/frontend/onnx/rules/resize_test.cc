// SPDX-License-Identifier: BSD-3-Clause
// Resize: which of the backend's ops takes pixels from where ONNX does, and what is done where none does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/model_builder.h"
#include "frontend/onnx/rules/resampling.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

ModelBuilder resize(const std::vector<int64_t>& sizes, const std::vector<ProtoWriter>& attributes,
                    const Dims& x = {1, 2, 4, 4}) {
  ModelBuilder model(18);
  model.input("x", x).integers("sizes", sizes);
  return model.node("Resize", {"x", "", "", "sizes"}, {"y"}, attributes).output("y");
}

ModelBuilder scaled(const std::vector<float>& scales, const std::vector<ProtoWriter>& attributes,
                    int64_t opset) {
  ModelBuilder model(opset);
  model.input("x", {1, 2, 4, 4}).reals("scales", {static_cast<int64_t>(scales.size())}, scales);
  if (opset < 11) return model.node("Resize", {"x", "scales"}, {"y"}, attributes).output("y");
  return model.node("Resize", {"x", "", "scales"}, {"y"}, attributes).output("y");
}

std::string main_op(const ModelBuilder& model) {
  const auto ops = lowered(model);
  return ops.size() == 3 ? ops[1] : ops.front();
}

TEST(OnnxResize, UsesTheOpsForImages) {
  EXPECT_EQ(main_op(resize({1, 2, 8, 8}, {attr("mode", "linear")})), "ResizeBilinear");
  EXPECT_EQ(main_op(resize({1, 2, 8, 8}, {attr("mode", "cubic")})), "Resize");
  EXPECT_EQ(main_op(resize({1, 2, 8, 8}, {})), "ResizeNearestNeighbor");
  EXPECT_EQ(main_op(scaled({1, 1, 2, 2}, {}, 10)), "ResizeNearestNeighbor");
}

// Halving with ONNX's default takes the even pixels, which no mode of ResizeNearestNeighbor does but one.
TEST(OnnxResize, LooksAtEveryPixel) {
  const auto converted = BuiltModel(resize({1, 2, 2, 2}, {})).convert();
  ASSERT_TRUE(converted && converted->graph);
  const ir::Node& node = converted->graph->nodes()[1];
  EXPECT_EQ(node.type, "ResizeNearestNeighbor");
  EXPECT_FALSE(node.params.boolean("half_pixel_centers", false));
}

TEST(OnnxResize, ComputesByHandWhatTheBackendCannotPlace) {
  EXPECT_THAT(lowered(scaled({1, 1, 0.6F, 0.6F}, {attr("mode", "linear")}, 13)), testing::Contains("MatMul"));
  EXPECT_THAT(lowered(resize({1, 2, 7, 4}, {attr("nearest_mode", "ceil")})), testing::Contains("Gather"));
  EXPECT_THAT(lowered(resize({2, 2, 4, 4}, {})), ElementsAre("Gather"));
}

TEST(OnnxResize, KeepsTheAspectRatio) {
  const auto dims = [](const char* policy) {
    const BuiltModel built(resize(
        {6, 12}, {attr("axes", std::vector<int64_t>{2, 3}), attr("keep_aspect_ratio_policy", policy)}));
    const auto imported = built.import();
    return imported->net.values[imported->net.outputs[0].value].dims;
  };
  EXPECT_EQ(dims("stretch"), (Dims{1, 2, 6, 12}));
  EXPECT_EQ(dims("not_larger"), (Dims{1, 2, 6, 6}));
  EXPECT_EQ(dims("not_smaller"), (Dims{1, 2, 12, 12}));
  // It says something of sizes, and nothing of scales.
  EXPECT_EQ(main_op(scaled({1, 1, 2, 2}, {attr("keep_aspect_ratio_policy", "not_larger")}, 18)),
            "ResizeNearestNeighbor");
}

TEST(OnnxResize, RefusesHostileSizes) {
  EXPECT_THAT(refusal_of(resize({1, 2, 0, 8}, {})), HasSubstr("would become 0"));
  EXPECT_THAT(refusal_of(resize({1, 2, INT64_MAX, 8}, {})), HasSubstr("would become"));
  EXPECT_THAT(refusal_of(resize({1, 2}, {})), HasSubstr("not 4 numbers"));
  EXPECT_THAT(refusal_of(scaled({1, 1, -2, 2}, {}, 13)), HasSubstr("no positive number"));
  EXPECT_THAT(refusal_of(scaled({1, 1, 1e30F, 2}, {}, 13)), HasSubstr("no positive number"));
  EXPECT_THAT(refusal_of(resize({1, 2, 8, 8}, {attr("mode", "magic")})), HasSubstr("magic"));
  EXPECT_THAT(refusal_of(resize({1, 2, 8, 8}, {attr("coordinate_transformation_mode", "magic")})),
              HasSubstr("magic"));
  EXPECT_THAT(refusal_of(resize({1, 2, 2, 2}, {attr("mode", "linear"), attr("antialias", 1)})),
              HasSubstr("antialias"));
}

TEST(Resampling, WeighsNeighboursByDistance) {
  ResizeMode mode;
  mode.filter = Filter::kLinear;
  EXPECT_THAT(weight_matrix(mode, {2, 4, 2.0}),
              Pointwise(DoubleNear(1e-9), {1.0, 0.0, 0.75, 0.25, 0.25, 0.75, 0.0, 1.0}));
  mode.filter = Filter::kNearest;
  EXPECT_EQ(nearest_index(mode, {4, 2, 0.5}, 0), 0);
  EXPECT_EQ(nearest_index(mode, {4, 2, 0.5}, 1), 2);
}

}  // namespace
}  // namespace openqnn::frontend::onnx
