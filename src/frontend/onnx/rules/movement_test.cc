// SPDX-License-Identifier: BSD-3-Clause
// Ops that move elements: values of constants, layouts that are kept, opsets, refusals. That the ops they
// become give the right results is shown by ONNX's own test sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// x = [[0, 1, 2], [3, 4, 5]] and numbers to move it by.
ModelBuilder with_numbers(int64_t opset = 17) {
  ModelBuilder model(opset);
  model.reals("x", {2, 3}, {0, 1, 2, 3, 4, 5}).reals("fill", {}, {9});
  model.integers("m1", {-1}).integers("0", {0}).integers("1", {1}).integers("2", {2}).integer("one", 1);
  model.integers("far", {-1000}).integers("pads", {0, 1, 1, -1}).integers("2,1", {2, 1});
  return model;
}

std::vector<double> moved(std::string_view type, const std::vector<std::string_view>& inputs,
                          const std::vector<ProtoWriter>& attributes = {}, int64_t opset = 17) {
  return folded(with_numbers(opset).node(type, inputs, {"y"}, attributes).output("y"));
}

// ---- Values ----

TEST(OnnxMovement, ShapesAreComputedBeforeTheModelRuns) {
  // As exporters write a view: [batch, channels, -1] from the input's own shape.
  ModelBuilder model;
  model.input("x", {2, 3, 4, 5})
      .integer("zero", 0)
      .integer("one", 1)
      .integers("axis", {0})
      .integers("rest", {-1});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "zero"}, {"batch"}).node("Gather", {"shape", "one"}, {"channels"});
  model.node("Unsqueeze", {"batch", "axis"}, {"b"}).node("Unsqueeze", {"channels", "axis"}, {"c"});
  model.node("Concat", {"b", "c", "rest"}, {"target"}, {attr("axis", 0)});
  EXPECT_THAT(folded(ModelBuilder(model).output("target")), ElementsAre(2, 3, -1));
  EXPECT_THAT(lowered(model.node("Reshape", {"x", "target"}, {"y"}).output("y")), ElementsAre("Reshape"));
}

TEST(OnnxMovement, FoldsPartsAndBorders) {
  EXPECT_THAT(moved("Slice", {"x", "1", "2", "1"}), ElementsAre(1, 4));
  EXPECT_THAT(moved("Slice", {"x", "m1", "far", "1", "m1"}), ElementsAre(2, 1, 0, 5, 4, 3));
  EXPECT_THAT(
      moved("Slice", {"x"},
            {attr("starts", std::vector<int64_t>{1}), attr("ends", std::vector<int64_t>{INT64_MAX})}, 9),
      ElementsAre(3, 4, 5));
  // One row behind, one column in front and one less at the end.
  EXPECT_THAT(moved("Pad", {"x", "pads", "fill"}), ElementsAre(9, 0, 1, 9, 3, 4, 9, 9, 9));
  EXPECT_THAT(moved("Pad", {"x", "2,1", "", "one"}, {attr("mode", "reflect")}),
              ElementsAre(2, 1, 0, 1, 2, 1, 5, 4, 3, 4, 5, 4));
  EXPECT_THAT(moved("Pad", {"x", "2,1", "", "one"}, {attr("mode", "edge")}),
              ElementsAre(0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5));
  EXPECT_THAT(moved("Pad", {"x", "2,1", "", "one"}, {attr("mode", "wrap")}),
              ElementsAre(1, 2, 0, 1, 2, 0, 4, 5, 3, 4, 5, 3));
}

TEST(OnnxMovement, FoldsJoinsAndRepeats) {
  EXPECT_THAT(moved("Concat", {"x", "x"}, {attr("axis", 1)}),
              ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
  EXPECT_THAT(moved("Tile", {"x", "2,1"}), ElementsAre(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5));
  EXPECT_THAT(moved("Expand", {"one", "2"}), ElementsAre(1, 1));
  ModelBuilder split = with_numbers(18);
  split.node("Split", {"x"}, {"", "y"}, {attr("axis", 1), attr("num_outputs", 2)});
  EXPECT_THAT(folded(split.output("y")), ElementsAre(2, 5));
}

TEST(OnnxMovement, FoldsElementsByIndex) {
  EXPECT_THAT(moved("Gather", {"x", "m1"}, {attr("axis", 1)}), ElementsAre(2, 5));
  ModelBuilder model = with_numbers();
  model.constant("ij", ElementType::kInt64, {2, 2}, std::vector<int64_t>{0, -1, 1, 0});
  model.constant("i", ElementType::kInt64, {1, 2}, std::vector<int64_t>{-1, 0});
  model.reals("u", {2}, {7, 8}).reals("v", {1, 2}, {7, 8});
  auto result = [&](std::string_view type, const std::vector<std::string_view>& inputs) {
    return folded(ModelBuilder(model).node(type, inputs, {"y"}).output("y"));
  };
  EXPECT_THAT(result("GatherND", {"x", "ij"}), ElementsAre(2, 3));
  EXPECT_THAT(result("GatherElements", {"x", "i"}), ElementsAre(3, 1));
  EXPECT_THAT(result("ScatterND", {"x", "ij", "u"}), ElementsAre(0, 1, 7, 8, 4, 5));
  EXPECT_THAT(result("ScatterElements", {"x", "i", "v"}), ElementsAre(0, 8, 2, 7, 4, 5));
}

TEST(OnnxMovement, FoldsWhatShapesTell) {
  ModelBuilder model;
  model.integer("0", 0).integer("7", 7).integer("3", 3).integers("dims", {2, 2}).reals("values", {2}, {5, 6});
  model.reals("m", {2, 2}, {1, 0, 0, 4}).reals("u", {4}, {2, 1, 2, 3});
  auto result = [&](std::string_view type, const std::vector<std::string_view>& inputs,
                    const std::vector<ProtoWriter>& attributes = {}) {
    return folded(ModelBuilder(model).node(type, inputs, {"y"}, attributes).output("y"));
  };
  EXPECT_THAT(result("Range", {"0", "7", "3"}), ElementsAre(0, 3, 6));
  EXPECT_THAT(result("ConstantOfShape", {"dims"},
                     {attr("value", tensor("", ElementType::kInt64, {1}, std::vector<int64_t>{4}))}),
              ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(result("EyeLike", {"m"}, {attr("k", 1)}), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(result("Trilu", {"m"}), ElementsAre(1, 0, 0, 4));
  EXPECT_THAT(result("OneHot", {"dims", "3", "values"}), ElementsAre(5, 5, 6, 5, 5, 6));
  EXPECT_THAT(result("NonZero", {"m"}), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(result("Unique", {"u"}), ElementsAre(1, 2, 3));
  EXPECT_THAT(result("Unique", {"u"}, {attr("sorted", 0)}), ElementsAre(2, 1, 3));
  EXPECT_THAT(result("CumSum", {"u", "0"}, {attr("reverse", 1), attr("exclusive", 1)}),
              ElementsAre(6, 5, 3, 0));
}

TEST(OnnxMovement, FoldsRanksWithTheFirstOfEquals) {
  ModelBuilder model;
  model.reals("x", {4}, {2, 3, 3, 1}).integers("k", {3});
  model.node("TopK", {"x", "k"}, {"values", "indices"});
  EXPECT_THAT(folded(ModelBuilder(model).output("values")), ElementsAre(3, 3, 2));
  EXPECT_THAT(folded(ModelBuilder(model).output("indices")), ElementsAre(1, 2, 0));
  EXPECT_THAT(folded(ModelBuilder(model).node("ArgMax", {"x"}, {"y"}).output("y")), ElementsAre(1));
  EXPECT_THAT(
      folded(ModelBuilder(model).node("ArgMax", {"x"}, {"y"}, {attr("select_last_index", 1)}).output("y")),
      ElementsAre(2));
}

// ---- Lowering ----

TEST(OnnxMovement, LayoutsAreKeptBetweenConvolutions) {
  struct Case {
    std::string_view type;
    std::vector<std::string_view> inputs;
    std::vector<ProtoWriter> attributes;
    std::string_view becomes;
  };
  const std::vector<Case> cases = {
      {"Concat", {"c", "c"}, {attr("axis", 1)}, "Concat"},
      {"Slice", {"c", "0", "1", "1"}, {}, "StridedSlice"},
      {"Gather", {"c", "flip"}, {attr("axis", 1)}, "Gather"},
      {"Pad", {"c", "pads"}, {attr("mode", "reflect")}, "Pad"},
      {"Tile", {"c", "twice"}, {}, "Tile"},
      {"CumSum", {"c", "one"}, {}, "CumulativeSum"},
      {"DepthToSpace", {"four"}, {attr("blocksize", 2)}, "DepthToSpace"},
  };
  for (const Case& each : cases) {
    ModelBuilder model;
    model.input("x", {1, 2, 4, 4}).reals("w", {2, 2, 1, 1}, {1, 0, 0, 1}).integer("one", 1);
    model.integers("0", {0}).integers("1", {1}).integers("flip", {1, 0});
    model.integers("pads", {0, 0, 1, 1, 0, 0, 1, 1}).integers("twice", {1, 1, 2, 2});
    model.node("Conv", {"x", "w"}, {"c"}).node("Concat", {"c", "c"}, {"four"}, {attr("axis", 1)});
    model.node(each.type, each.inputs, {"d"}, each.attributes);
    model.node("GlobalAveragePool", {"d"}, {"y"}).output("y");
    const auto types = lowered(model);
    EXPECT_EQ(std::count(types.begin(), types.end(), "Transpose"), 1) << each.type;
    EXPECT_EQ(std::count(types.begin(), types.end(), each.becomes), 1)
        << each.type << " " << testing::PrintToString(types);
  }
}

TEST(OnnxMovement, AnEmptyPartIsLeftOutOfAConcat) {
  ModelBuilder model;
  model.input("x", {2, 3}).reals("empty", {2, 0}, {});
  EXPECT_THAT(lowered(model.node("Concat", {"x", "empty"}, {"y"}, {attr("axis", 1)}).output("y")),
              ElementsAre("Reshape"));  // a copy: a graph's output is not its input
}

TEST(OnnxMovement, TopKTurnsRowsRoundOnlyForItsIndices) {
  ModelBuilder model;
  model.input("x", {2, 8}).integers("k", {3});
  EXPECT_THAT(lowered(ModelBuilder(model).node("TopK", {"x", "k"}, {"y"}).output("y")), ElementsAre("TopK"));
  EXPECT_THAT(lowered(ModelBuilder(model).node("TopK", {"x", "k"}, {"", "y"}).output("y")),
              ElementsAre("StridedSlice", "TopK", "ElementWiseSubtract"));
}

// ---- Refusals ----

std::string refused(std::string_view type, const std::vector<std::string_view>& inputs,
                    const std::vector<ProtoWriter>& attributes = {}) {
  ModelBuilder model(18);
  model.input("x", {2, 3, 4, 4}).input("n", {2}, ElementType::kInt64).integer("one", 1);
  model.integers("0", {0}).integers("9", {9}).integers("huge", {INT64_MAX}).integers("low", {INT64_MIN});
  model.integers("1,1", {1, 1})
      .integers("huge2", {INT64_MAX, INT64_MAX})
      .integers("repeats", {1, 1, 1, INT64_MAX});
  model.integers("pads", {0, 0, 4, 0, 0, 0, 0, 0})
      .integers("bad pads", {INT64_MIN, 0, 0, 0, 0, 0, 0, INT64_MAX});
  model.integers("cut", {-3, 0, 0, 0, 0, 0, 0, 0}).integers("many", std::vector<int64_t>(1000, 1));
  model.constant("tuple", ElementType::kInt64, {1, 5}, std::vector<int64_t>(5, 0));
  return refusal_of(model.node(type, inputs, {"y"}, attributes).output("y"));
}

TEST(OnnxMovement, SaysWhatIsWrong) {
  EXPECT_THAT(refused("Concat", {"x", "x"}, {attr("axis", 4)}), HasSubstr("axis 4 does not exist"));
  EXPECT_THAT(refused("Concat", {"x", "n"}, {attr("axis", 0)}), HasSubstr("another rank or type"));
  EXPECT_THAT(refused("Slice", {"x", "n", "n"}), HasSubstr("starts are computed by the model"));
  EXPECT_THAT(refused("Slice", {"x", "0", "9", "0", "0"}), HasSubstr("a step is 0"));
  EXPECT_THAT(refused("Slice", {"x", "9", "9"}), HasSubstr("its result has no elements"));
  EXPECT_THAT(refused("Slice", {"x", "1,1", "9"}), HasSubstr("not as many starts as ends"));
  EXPECT_THAT(refused("Slice", {"x", "1,1", "1,1", "1,1"}), HasSubstr("axis 1 is named twice"));
  EXPECT_THAT(refused("Gather", {"x", "9"}), HasSubstr("index 9 is outside of a dimension of 2"));
  EXPECT_THAT(refused("Gather", {"x", "x"}), HasSubstr("its indices are float"));
  EXPECT_THAT(refused("GatherND", {"x", "tuple"}), HasSubstr("tuples of 5 indices do not address"));
  EXPECT_THAT(refused("ScatterND", {"x", "tuple", "x"}), HasSubstr("do not address"));
  EXPECT_THAT(refused("ScatterElements", {"x", "n", "x"}), HasSubstr("another rank"));
  EXPECT_THAT(refused("Pad", {"x", "pads"}, {attr("mode", "reflect")}),
              HasSubstr("more than there is to repeat"));
  EXPECT_THAT(refused("Pad", {"x", "pads"}, {attr("mode", "mirror")}),
              HasSubstr("mode 'mirror' is not known"));
  EXPECT_THAT(refused("Pad", {"x", "cut"}), HasSubstr("more is cut off dimension 0"));
  EXPECT_THAT(refused("Squeeze", {"x", "0"}), HasSubstr("is not 1 and cannot be left out"));
  EXPECT_THAT(refused("TopK", {"x", "9"}), HasSubstr("9 elements are to be taken of the 4"));
  EXPECT_THAT(refused("NonZero", {"x"}), HasSubstr("known only when the model runs"));
  EXPECT_THAT(refused("RandomNormalLike", {"x"}), HasSubstr("it draws at random"));
  EXPECT_THAT(refused("DepthToSpace", {"x"}, {attr("blocksize", 2)}), HasSubstr("no multiple of 2 by 2"));
  EXPECT_THAT(refused("Range", {"n", "n", "n"}), HasSubstr("computed by the model"));
}

// Numbers that no model has: a sentence, and neither a crash nor memory.
TEST(OnnxMovement, HostileNumbersAreRefused) {
  EXPECT_THAT(refused("Slice", {"x", "low", "huge", "0", "low"}), HasSubstr("no elements"));
  EXPECT_EQ(refused("Slice", {"x", "huge", "low", "0", "low"}), "");  // the last element
  EXPECT_THAT(refused("Pad", {"x", "bad pads"}), HasSubstr("is padded by"));
  EXPECT_THAT(refused("Tile", {"x", "repeats"}), HasSubstr("beyond any memory"));
  EXPECT_THAT(refused("Expand", {"one", "huge2"}), HasSubstr("which no memory holds"));
  EXPECT_THAT(refused("ConstantOfShape", {"huge2"}), HasSubstr("which no memory holds"));
  EXPECT_THAT(refused("Range", {"0", "huge", "one"}), HasSubstr("it has no end"));
  EXPECT_THAT(refused("Range", {"0", "huge", "0"}), HasSubstr("its step is 0"));
  EXPECT_THAT(refused("Unsqueeze", {"x", "many"}), HasSubstr("1004 dimensions"));
  EXPECT_THAT(refused("OneHot", {"n", "huge", "1,1"}), HasSubstr("which no memory holds"));
  EXPECT_THAT(refused("OneHot", {"n", "low", "1,1"}), HasSubstr("its depth is"));
  EXPECT_THAT(refused("Split", {"x", "huge2"}, {attr("axis", 0)}), HasSubstr("do not add up"));
  EXPECT_THAT(refused("Flatten", {"x"}, {attr("axis", INT64_MIN)}), HasSubstr("is no place"));
  EXPECT_THAT(refused("Gather", {"x", "low"}), HasSubstr("is outside"));
  EXPECT_THAT(refused("SpaceToDepth", {"x"}, {attr("blocksize", INT64_MAX)}), HasSubstr("blocksize is"));
  EXPECT_THAT(refused("ArgMax", {"x"}, {attr("axis", INT64_MIN)}), HasSubstr("does not exist"));
  EXPECT_EQ(refused("Trilu", {"x", "low"}), "");
  EXPECT_EQ(refused("EyeLike", {"1,1"}), "EyeLike: [2] is no matrix");
}

// Beside a dimension of 0 any other is legal.
TEST(OnnxMovement, TensorsWithoutElementsAreRefused) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  const auto refusal = [](std::string_view type, const Dims& dims, const std::vector<ProtoWriter>& attributes,
                          bool constant) {
    ModelBuilder model(13);
    if (constant)
      model.reals("x", dims, {});
    else
      model.input("x", dims);
    std::vector<std::string_view> inputs{"x"};
    if (type == "TopK") inputs.push_back("k");
    return refusal_of(model.integers("k", {1}).node(type, inputs, {"y"}, attributes).output("y"));
  };
  EXPECT_NE(refusal("Softmax", {0, 4}, {attr("axis", 0)}, true), "");
  EXPECT_NE(refusal("TopK", {0, kHuge}, {}, true), "");
  EXPECT_THAT(refusal("Unique", {0, kHuge}, {attr("axis", 1)}, true), HasSubstr("1099511627776 elements"));
  EXPECT_NE(refusal("EyeLike", {kHuge, 0}, {}, false), "");
}

TEST(OnnxMovement, ConstantsThatFollowFromShapesAreNotMadeWithoutMeasure) {
  ModelBuilder model;
  model.integers("dims", {1 << 20, 1 << 20}).node("ConstantOfShape", {"dims"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("a constant of 1099511627776 elements"));
  ModelBuilder matrix;
  matrix.input("x", {1 << 20, 1 << 20}).node("Trilu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(matrix),
              HasSubstr("a constant [1048576, 1048576] would have to be stored for it, and "
                        "67108864 elements are left for such"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
