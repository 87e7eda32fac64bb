// SPDX-License-Identifier: BSD-3-Clause
// Reductions and softmax: values of constants, layouts that are kept, opsets, refusals. That the ops they
// become give the right results is shown by ONNX's own test sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

const std::vector<int64_t> kIntegers{1, 2, 3, 4, 5, 6};  // [2, 3]

std::vector<double> fold_integers(std::string_view type, const std::vector<int64_t>& axes) {
  ModelBuilder model(13);
  model.constant("x", ElementType::kInt64, {2, 3}, kIntegers);
  model.node(type, {"x"}, {"y"}, {attr("axes", axes), attr("keepdims", 0)}).output("y");
  return folded(model);
}

TEST(OnnxReduce, FoldsIntegersExactly) {
  EXPECT_THAT(fold_integers("ReduceProd", {0}), ElementsAre(4, 10, 18));
  EXPECT_THAT(fold_integers("ReduceMax", {1}), ElementsAre(3, 6));
  EXPECT_THAT(fold_integers("ReduceMin", {-1}), ElementsAre(1, 4));
  EXPECT_THAT(fold_integers("ReduceMean", {1}), ElementsAre(2, 5));
  EXPECT_THAT(fold_integers("ReduceL1", {0, 1}), ElementsAre(21));
  EXPECT_THAT(fold_integers("ReduceSumSquare", {0, 1}), ElementsAre(91));
}

TEST(OnnxReduce, FoldedIntegersWrapAroundInTheirWidth) {
  ModelBuilder model(13);
  model.constant("x", ElementType::kInt32, {2}, std::vector<int32_t>{INT32_MAX, 2});
  EXPECT_THAT(folded(model.node("ReduceSum", {"x"}, {"y"}).output("y")), ElementsAre(INT32_MIN + 1));
}

TEST(OnnxReduce, FoldsReals) {
  const auto fold = [](std::string_view type) {
    ModelBuilder model(13);
    model.reals("x", {2, 2}, {1, -2, 3, 4});
    return folded(model.node(type, {"x"}, {"y"}, {attr("axes", std::vector<int64_t>{1})}).output("y"));
  };
  EXPECT_THAT(fold("ReduceL2"), Pointwise(DoubleNear(1e-5), {2.2360680, 5.0}));
  EXPECT_THAT(fold("ReduceL1"), ElementsAre(3, 7));
  EXPECT_THAT(fold("ReduceMean"), ElementsAre(-0.5, 3.5));
}

// The axes are an attribute, then an input; an empty list is all of them unless the node says otherwise.
TEST(OnnxReduce, TakesAxesFromAttributeAndInput) {
  const auto sum = [](int64_t opset, const std::vector<int64_t>& axes, int64_t no_op) {
    ModelBuilder model(opset);
    model.constant("x", ElementType::kInt64, {2, 3}, kIntegers).integers("axes", axes);
    const auto flags = {attr("keepdims", 0), attr("noop_with_empty_axes", no_op)};
    return folded(model.node("ReduceSum", {"x", "axes"}, {"y"}, flags).output("y"));
  };
  EXPECT_THAT(sum(13, {0}, 0), ElementsAre(5, 7, 9));
  EXPECT_THAT(sum(13, {}, 0), ElementsAre(21));
  EXPECT_THAT(sum(13, {}, 1), ElementsAre(1, 2, 3, 4, 5, 6));
}

// Over all pixels, between convolutions: nothing is transposed but at the edges.
TEST(OnnxReduce, KeepsTheLayout) {
  ModelBuilder model(17);
  model.input("x", {1, 2, 4, 4}).reals("w", {2, 2, 1, 1}, {1, 0, 0, 1});
  model.node("Conv", {"x", "w"}, {"c"});
  model.node("ReduceMean", {"c"}, {"m"}, {attr("axes", std::vector<int64_t>{2, 3})});
  model.node("Conv", {"m", "w"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Transpose", "Conv2d", "ReduceMean", "Conv2d", "Reshape"));
  const auto converted = BuiltModel(model).convert();
  const ir::Node& reduce = converted->graph->nodes()[2];
  EXPECT_EQ(reduce.params.u32_at("axes", 0, 9), 1U);
  EXPECT_EQ(reduce.params.u32_at("axes", 1, 9), 2U);
}

TEST(OnnxReduce, RefusesHostileAxes) {
  const auto refusal = [](const std::vector<int64_t>& axes) {
    ModelBuilder model(13);
    model.input("x", {2, 3}).integers("axes", axes);
    return refusal_of(model.node("ReduceSum", {"x", "axes"}, {"y"}).output("y"));
  };
  EXPECT_THAT(refusal({2}), HasSubstr("axis 2 does not exist"));
  EXPECT_THAT(refusal({INT64_MIN}), HasSubstr("does not exist"));
  EXPECT_THAT(refusal({0, -2}), HasSubstr("named twice"));
}

TEST(OnnxReduce, RefusesAxesThatAreComputed) {
  ModelBuilder model(13);
  model.input("x", {2, 3}).input("axes", {1}, ElementType::kInt64);
  EXPECT_THAT(refusal_of(model.node("ReduceSum", {"x", "axes"}, {"y"}).output("y")),
              HasSubstr("list of axes"));
}

// ---- Softmax ----

std::vector<std::string> softmax(int64_t opset, const Dims& dims, int64_t axis) {
  ModelBuilder model(opset);
  model.input("x", dims);
  return lowered(model.node("Softmax", {"x"}, {"y"}, {attr("axis", axis)}).output("y"));
}

// Before opset 13 everything from the axis on is one row.
TEST(OnnxSoftmax, FlattensInOldOpsets) {
  EXPECT_THAT(softmax(11, {2, 3, 4}, 1), ElementsAre("Reshape", "Softmax", "Reshape"));
  EXPECT_THAT(softmax(13, {2, 3, 4}, 1), ElementsAre("Transpose", "Softmax", "Transpose"));
  EXPECT_THAT(softmax(11, {2, 3, 4}, 2), ElementsAre("Softmax"));
  EXPECT_THAT(softmax(11, {2, 3, 1}, 1), ElementsAre("Reshape", "Softmax", "Reshape"));  // no transposes
}

// Channels lie last behind a convolution, where the backend wants them.
TEST(OnnxSoftmax, KeepsTheLayoutOverChannels) {
  ModelBuilder model(17);
  model.input("x", {1, 2, 4, 4}).reals("w", {2, 2, 1, 1}, {1, 0, 0, 1});
  model.node("Conv", {"x", "w"}, {"c"}).node("Softmax", {"c"}, {"s"}, {attr("axis", 1)});
  model.node("Conv", {"s", "w"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Transpose", "Conv2d", "Softmax", "Conv2d", "Transpose"));
}

TEST(OnnxSoftmax, RefusesAnAxisThatIsNotThere) {
  EXPECT_THAT(softmax(13, {2, 3}, 2), ElementsAre(HasSubstr("axis 2 does not exist")));
  EXPECT_THAT(softmax(13, {2, 3}, INT64_MIN), ElementsAre(HasSubstr("does not exist")));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
