// SPDX-License-Identifier: BSD-3-Clause
// In which order values lie, what is moved for it, and how much is made of nothing.
#include "frontend/onnx/lowering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/onnx/graph_draft.h"
#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kWidth = 16;

size_t transposes_in(const ModelBuilder& model) {
  const auto types = lowered(model);
  EXPECT_GT(types.size(), 1U) << types.front();
  return static_cast<size_t>(std::count(types.begin(), types.end(), "Transpose"));
}

std::vector<float> ones(int64_t count) { return std::vector<float>(static_cast<size_t>(count), 1.0F); }

// Patches of an image as rows [1, 4, kWidth], as transformers for vision begin.
ModelBuilder patches() {
  ModelBuilder model;
  model.input("x", {1, 3, 8, 8});
  model.reals("patch", {kWidth, 3, 4, 4}, ones(kWidth * 3 * 4 * 4)).integers("flat", {1, kWidth, 4});
  model.reals("place", {1, 4, kWidth}, ones(4 * kWidth));
  model.node("Conv", {"x", "patch"}, {"c"}, {attr("strides", std::vector<int64_t>{4, 4})});
  model.node("Reshape", {"c", "flat"}, {"f"});
  model.node("Transpose", {"f"}, {"t"}, {attr("perm", std::vector<int64_t>{0, 2, 1})});
  model.node("Add", {"t", "place"}, {"r0"});
  return model;
}

// x + W norm(x), as often as asked for.
void add_blocks(ModelBuilder& model, int count) {
  model.reals("g", {kWidth}, ones(kWidth)).reals("b", {kWidth}, ones(kWidth));
  model.reals("w", {kWidth, kWidth}, ones(kWidth * kWidth));
  for (int i = 0; i < count; ++i) {
    const std::string in = "r" + std::to_string(i);
    const std::string out = "r" + std::to_string(i + 1);
    const std::string norm = "n" + std::to_string(i);
    const std::string product = "p" + std::to_string(i);
    model.node("LayerNormalization", {in, "g", "b"}, {norm}).node("MatMul", {norm, "w"}, {product});
    model.node("Add", {in, product}, {out});
  }
  model.output("r" + std::to_string(count));
}

// The one that is left brings the client's image into the order of the convolution.
TEST(Orders, AResidualStreamIsMovedByNoBlock) {
  for (const int blocks : {1, 4}) {
    ModelBuilder model = patches();
    add_blocks(model, blocks);
    EXPECT_EQ(transposes_in(model), 1U) << blocks;
  }
}

// Where the stream begins in another order, it is moved once.
TEST(Orders, AStreamThatBeginsInAnotherOrderIsMovedOnce) {
  ModelBuilder model;
  model.input("x", {1, kWidth, 4});
  model.node("Transpose", {"x"}, {"r0"}, {attr("perm", std::vector<int64_t>{0, 2, 1})});
  add_blocks(model, 3);
  EXPECT_EQ(transposes_in(model), 1U);
}

// What is smaller is moved: a gate per channel goes to the order of the image.
TEST(Orders, TheSmallerOperandIsMoved) {
  ModelBuilder model;
  model.input("x", {1, 2, 8, 8}).input("gate", {1, 2, 1, 8});
  model.reals("w", {2, 2, 1, 1}, {1, 2, 3, 4});
  model.node("Conv", {"x", "w"}, {"c"}).node("Mul", {"gate", "c"}, {"m"});
  model.node("Conv", {"m", "w"}, {"y"}).output("y");
  EXPECT_EQ(transposes_in(model), 3U);  // both inputs and the output
}

ModelBuilder reshaped_image(const std::vector<int64_t>& shape) {
  ModelBuilder model;
  model.input("x", {1, 6, 2, 4}).integers("shape", shape);
  model.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  return model;
}

std::vector<std::string> with_layouts(const ModelBuilder& model, const Order& input, const Order& output) {
  ConvertOptions options;
  options.input_orders["x"] = input;
  options.output_orders["y"] = output;
  return ops_of(*BuiltModel(model).convert(options)->graph);
}

TEST(Orders, AReshapeKeepsThemWhereWhatItJoinsLiesTogether) {
  const Order nhwc = channels_last(4);
  EXPECT_THAT(with_layouts(reshaped_image({1, 6, 8}), nhwc, {0, 2, 1}), ElementsAre("Reshape"));
  EXPECT_THAT(with_layouts(reshaped_image({1, 2, 3, 8}), nhwc, {0, 3, 1, 2}), ElementsAre("Reshape"));
  EXPECT_THAT(with_layouts(reshaped_image({1, 48}), nhwc, {0, 1}), ElementsAre("Transpose", "Reshape"));
  EXPECT_THAT(with_layouts(reshaped_image({1, 12, 4}), nhwc, {0, 1, 2}), ElementsAre("Transpose", "Reshape"));
}

// ---- Small files that ask for large constants ----

ModelBuilder cropped(int64_t from, int64_t to) {
  ModelBuilder model;
  model.input("x", {1, 1, from}).reals("region", {6}, {0, 0, -1, 1, 1, 2});
  model.integers("sizes", {1, 1, to});
  const auto place = attr("coordinate_transformation_mode", "tf_crop_and_resize");
  model.node("Resize", {"x", "region", "", "sizes"}, {"y"}, {place}).output("y");
  return model;
}

TEST(Room, NearestPixelsWithWeightsAreCounted) {
  EXPECT_THAT(lowered(cropped(64, 128)), testing::Contains("MatMul"));
  EXPECT_THAT(refusal_of(cropped(1 << 19, 1 << 19)),
              HasSubstr("a constant [524288, 524288] would have to be stored for it"));
}

TEST(Room, ItIsThatOfTheWholeModel) {
  const Net net;
  GraphDraft draft(net);
  EXPECT_TRUE(draft.take_room(1 << 25));
  EXPECT_FALSE(draft.take_room((1 << 25) + 1));
  EXPECT_TRUE(draft.take_room(1 << 25));
  EXPECT_FALSE(draft.take_room(1));
}

TEST(Room, NoDimensionIsResizedBeyondAMillion) {
  ModelBuilder model;
  model.input("x", {1, 1, 8}).integers("sizes", {1, 1, (1 << 20) + 1});
  model.node("Resize", {"x", "", "", "sizes"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("8 would become 1048577, and 1 to 1048576 are taken"));
}

TEST(Room, InitialStatesOfAHugeBatchAreCounted) {
  ModelBuilder model;
  model.input("x", {1, int64_t{1} << 30, 1});
  model.reals("w", {1, 4, 1}, ones(4)).reals("r", {1, 4, 1}, ones(4));
  model.node("LSTM", {"x", "w", "r"}, {"y"}, {attr("hidden_size", 1)}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("a constant [1073741824, 1] would have to be stored for it"));
}

TEST(Room, ReversedSequencesAreCounted) {
  ModelBuilder model;
  model.input("x", {int64_t{1} << 28, 1, 1}).integers("lengths", {3});
  model.node("ReverseSequence", {"x", "lengths"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("a constant [268435456, 1] would have to be stored for it"));
}

TEST(Room, ClassesOfALossAreCounted) {
  ModelBuilder model;
  model.input("x", {1, int64_t{1} << 28}).input("t", {1}, ElementType::kInt64);
  model.node("NegativeLogLikelihoodLoss", {"x", "t"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("a constant [2, 268435456] would have to be stored for it"));
}

TEST(Room, GridsAreCounted) {
  ModelBuilder model(20);
  model.input("theta", {1, 2, 3}).integers("size", {1, 1, 1 << 14, 1 << 14});
  model.node("AffineGrid", {"theta", "size"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("a constant [1, 268435456, 3] would have to be stored for it"));
}

TEST(Transpose, RefusesNegativeDimensions) {
  ModelBuilder model;
  model.input("x", {2, 3});
  model.node("Transpose", {"x"}, {"y"}, {attr("perm", std::vector<int64_t>{-1, 0})}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("perm has a negative number"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
