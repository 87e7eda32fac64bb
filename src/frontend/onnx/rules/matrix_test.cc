// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices: which op they become, what is taken as it lies, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ModelBuilder product_of(const Dims& a, const Dims& b, bool constant) {
  ModelBuilder model(17);
  model.input("a", a);
  if (constant)
    model.reals("b", b, std::vector<float>(count_of(b), 1.0F));
  else
    model.input("b", b);
  return model.node("MatMul", {"a", "b"}, {"y"}).output("y");
}

TEST(OnnxMatMul, BecomesFullyConnectedWithTwoDimensions) {
  EXPECT_THAT(lowered(product_of({4, 3}, {3, 5}, true)), ElementsAre("FullyConnected"));
  EXPECT_THAT(lowered(product_of({4, 3}, {3, 5}, false)), ElementsAre("MatMul"));
  EXPECT_THAT(lowered(product_of({2, 4, 3}, {3, 5}, true)), ElementsAre("MatMul"));
}

TEST(OnnxMatMul, TakesVectors) {
  EXPECT_THAT(lowered(product_of({3}, {3, 5}, false)), ElementsAre("Reshape", "MatMul", "Reshape"));
  const auto converted = BuiltModel(product_of({2, 4, 3}, {3}, false)).convert();
  ASSERT_TRUE(converted && converted->graph);
  EXPECT_EQ(converted->graph->tensors()[2].desc.shape, (ir::Shape{2, 4}));
}

TEST(OnnxMatMul, MergesDimensionsThatTheBackendHasNot) {
  EXPECT_THAT(lowered(product_of({2, 2, 2, 4, 3}, {2, 2, 2, 3, 5}, false)),
              ElementsAre("Reshape", "Reshape", "MatMul", "Reshape"));
}

// A transpose before a product costs nothing.
TEST(OnnxMatMul, TakesATransposedMatrixAsItLies) {
  ModelBuilder model(17);
  model.input("q", {2, 4, 3}).input("k", {2, 5, 3});
  model.node("Transpose", {"k"}, {"t"}, {attr("perm", std::vector<int64_t>{0, 2, 1})});
  model.node("MatMul", {"q", "t"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("MatMul"));
  const auto converted = BuiltModel(model).convert();
  EXPECT_TRUE(converted->graph->nodes()[0].params.boolean("transpose_in1", false));
}

TEST(OnnxMatMul, FoldsConstants) {
  ModelBuilder model(17);
  model.reals("a", {2, 2}, {1, 2, 3, 4}).reals("b", {2, 1}, {5, 6});
  EXPECT_THAT(folded(model.node("MatMul", {"a", "b"}, {"y"}).output("y")), ElementsAre(17, 39));
}

TEST(OnnxMatMul, RefusesMatricesWithoutElements) {
  EXPECT_NE(refusal_of(product_of({2, 0}, {0, 5}, true)), "");
}

TEST(OnnxAttention, RefusesHeadsWithoutElements) {
  for (const char* type : {"Attention", "RotaryEmbedding"}) {
    ModelBuilder model(23);
    model.input("q", {1, 4, 0}).input("k", {1, 4, 8}).input("v", {1, 4, 8});
    model.node(type, {"q", "k", "v"}, {"y"},
               {attr("q_num_heads", 2), attr("kv_num_heads", 2), attr("num_heads", 2)});
    EXPECT_THAT(refusal_of(model.output("y")), HasSubstr("does not consist of 2 heads"));
  }
}

TEST(OnnxMatMul, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of(product_of({4, 3}, {4, 5}, false)), HasSubstr("cannot be multiplied"));
  EXPECT_THAT(refusal_of(product_of({2, 4, 3}, {3, 3, 5}, false)), HasSubstr("cannot be multiplied"));
}

// ---- Gemm ----

TEST(OnnxGemm, FoldsScalesIntoWeightsAndBias) {
  ModelBuilder model(13);
  model.input("a", {1, 2}).reals("b", {2, 2}, {1, 2, 3, 4}).reals("c", {1}, {10});
  model.node("Gemm", {"a", "b", "c"}, {"y"}, {attr("alpha", 2.0F), attr("beta", 0.5F)}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("FullyConnected"));
  const auto converted = BuiltModel(model).convert();
  const ir::Graph& graph = *converted->graph;
  const auto floats = [&](ir::TensorIndex tensor) {
    const auto data = graph.tensors()[tensor].data.bytes();
    std::vector<float> values(data.size() / sizeof(float));
    std::memcpy(values.data(), data.data(), data.size());
    return values;
  };
  EXPECT_THAT(floats(graph.nodes()[0].inputs[1]), ElementsAre(2, 6, 4, 8));  // by output
  EXPECT_THAT(floats(graph.nodes()[0].inputs[2]), ElementsAre(5, 5));
}

TEST(OnnxGemm, AddsWhatDiffersByRow) {
  ModelBuilder model(13);
  model.input("a", {2, 2}).reals("b", {2, 2}, {1, 2, 3, 4}).reals("c", {2, 1}, {1, 2});
  EXPECT_THAT(lowered(model.node("Gemm", {"a", "b", "c"}, {"y"}).output("y")),
              ElementsAre("FullyConnected", "ElementWiseAdd"));
}

// ---- Einsum ----

std::string einsum_refusal(std::string_view equation) {
  ModelBuilder model(17);
  model.input("a", {2, 3}).input("b", {3, 4});
  return refusal_of(model.node("Einsum", {"a", "b"}, {"y"}, {attr("equation", equation)}).output("y"));
}

TEST(OnnxEinsum, RefusesEquationsThatMakeNoSense) {
  EXPECT_EQ(einsum_refusal("ij,jk->ik"), "");
  EXPECT_EQ(einsum_refusal("ij,jk"), "");
  for (const char* equation : {"", "ij", "ij,jk->iz", "ij,jk->ii", "ij,ik->jk", "i,jk->ik", "i?,jk->ik", "->",
                               "...", "ij...,jk......->ik", ",,,,", "ijkl,jk->i"})
    EXPECT_NE(einsum_refusal(equation), "") << equation;
}

TEST(OnnxEinsum, MultipliesSeveralOperandsFromTheLeft) {
  ModelBuilder model(17);
  model.input("a", {2, 3}).input("b", {3, 4}).input("c", {4, 5});
  model.node("Einsum", {"a", "b", "c"}, {"y"}, {attr("equation", "ij,jk,kl->li")}).output("y");
  const auto converted = BuiltModel(model).convert();
  ASSERT_TRUE(converted && converted->graph);
  EXPECT_EQ(converted->graph->tensors()[3].desc.shape, (ir::Shape{5, 2}));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
