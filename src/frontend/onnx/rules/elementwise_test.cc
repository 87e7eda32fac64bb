// SPDX-License-Identifier: BSD-3-Clause
// Ops that go element by element: values of constants, layouts that are kept, types, refusals. That the ops
// they become give the right results is shown by ONNX's own test sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

constexpr float kInf = std::numeric_limits<float>::infinity();

// One op on constants: `a` alone, or `a` and `b`.
ModelBuilder on_reals(std::string_view type, const std::vector<float>& a, const std::vector<float>& b = {},
                      const std::vector<ProtoWriter>& attributes = {}, int64_t opset = 17) {
  ModelBuilder model(opset);
  model.reals("a", {static_cast<int64_t>(a.size())}, a);
  if (!b.empty()) model.reals("b", {static_cast<int64_t>(b.size())}, b);
  model.node(type, b.empty() ? std::vector<std::string_view>{"a"} : std::vector<std::string_view>{"a", "b"},
             {"y"}, attributes);
  return model.output("y");
}

ModelBuilder on_integers(std::string_view type, const std::vector<int64_t>& a, const std::vector<int64_t>& b,
                         const std::vector<ProtoWriter>& attributes = {}) {
  ModelBuilder model(18);
  model.integers("a", a).integers("b", b);
  return model.node(type, {"a", "b"}, {"y"}, attributes).output("y");
}

// x through a convolution, which lies channels last, the op, and a convolution again.
ModelBuilder between_convolutions(std::string_view type, const std::vector<std::string_view>& inputs,
                                  const std::vector<ProtoWriter>& attributes = {}) {
  ModelBuilder model(20);
  model.input("x", {1, 2, 4, 4}).reals("w", {2, 2, 1, 1}, {1, 0, 0, 1});
  model.reals("channel", {2, 1, 1}, {1, 2}).reals("number", {}, {0.5F});
  model.node("Conv", {"x", "w"}, {"c"}).node(type, inputs, {"d"}, attributes);
  return model.node("Conv", {"d", "w"}, {"y"}).output("y");
}

// ---- Values ----

TEST(OnnxElementwise, FoldsFunctions) {
  struct Case {
    std::string_view type;
    double (*function)(double);
  };
  const std::vector<float> x = {0.25F, 0.5F, 0.75F};
  for (const Case& each : std::initializer_list<Case>{{"Acos", std::acos},
                                                      {"Asinh", std::asinh},
                                                      {"Atanh", std::atanh},
                                                      {"Cosh", std::cosh},
                                                      {"Erf", std::erf},
                                                      {"Exp", std::exp},
                                                      {"Log", std::log},
                                                      {"Sinh", std::sinh},
                                                      {"Sqrt", std::sqrt},
                                                      {"Tan", std::tan},
                                                      {"Tanh", std::tanh}}) {
    std::vector<double> want;
    for (const float value : x) want.push_back(each.function(value));
    EXPECT_THAT(folded(on_reals(each.type, x)), Pointwise(DoubleNear(1e-6), want)) << each.type;
  }
  EXPECT_THAT(folded(on_reals("Round", {0.5F, 1.5F, -2.5F})), ElementsAre(0, 2, -2));
  EXPECT_THAT(folded(on_reals("Sign", {-3, 0, 2})), ElementsAre(-1, 0, 1));
  EXPECT_THAT(folded(on_reals("IsNaN", {NAN, 1})), ElementsAre(1, 0));
  EXPECT_THAT(folded(on_reals("IsInf", {kInf, -kInf, 1}, {}, {attr("detect_negative", 0)})),
              ElementsAre(1, 0, 0));
}

TEST(OnnxElementwise, FoldsActivations) {
  EXPECT_THAT(folded(on_reals("LeakyRelu", {-2, 2}, {}, {attr("alpha", 0.5)})), ElementsAre(-1, 2));
  EXPECT_THAT(folded(on_reals("PRelu", {-2, 2}, {0.25F, 9})), ElementsAre(-0.5, 2));
  EXPECT_THAT(folded(on_reals("Shrink", {-2, 0.5F, 2}, {}, {attr("lambd", 1.0), attr("bias", 0.5)})),
              ElementsAre(-1.5, 0, 1.5));
  EXPECT_THAT(folded(on_reals("HardSigmoid", {-9, 0, 9})), ElementsAre(0, 0.5, 1));
  EXPECT_THAT(folded(on_reals("ThresholdedRelu", {0.5F, 2})), ElementsAre(0, 2));
  EXPECT_THAT(folded(on_reals("Gelu", {0, 1}, {}, {attr("approximate", "tanh")}, 20)),
              ElementsAre(0, DoubleNear(0.841192, 1e-6)));
  EXPECT_THAT(folded(on_reals("com.microsoft.Gelu", {0, 1})), ElementsAre(0, DoubleNear(0.841345, 1e-6)));
}

TEST(OnnxElementwise, FoldsArithmeticStretchingOperands) {
  ModelBuilder model;
  model.reals("a", {2, 1}, {10, 20}).reals("b", {3}, {1, 2, 3});
  EXPECT_THAT(folded(ModelBuilder(model).node("Sub", {"a", "b"}, {"y"}).output("y")),
              ElementsAre(9, 8, 7, 19, 18, 17));
  EXPECT_THAT(folded(ModelBuilder(model).node("Mean", {"a", "b", "b"}, {"y"}).output("y")),
              ElementsAre(4, DoubleNear(14 / 3.0, 1e-6), DoubleNear(16 / 3.0, 1e-6),
                          DoubleNear(22 / 3.0, 1e-6), 8, DoubleNear(26 / 3.0, 1e-6)));
  EXPECT_THAT(folded(ModelBuilder(model).node("Max", {"b", "a"}, {"y"}).output("y")),
              ElementsAre(10, 10, 10, 20, 20, 20));
}

TEST(OnnxElementwise, FoldsIntegersExactly) {
  constexpr int64_t kLarge = (int64_t{1} << 53) + 1;  // no double has it
  EXPECT_THAT(folded(on_integers("Sub", {kLarge}, {kLarge - 1})), ElementsAre(1));
  EXPECT_THAT(folded(on_integers("Div", {-7, 7, 7, INT64_MIN}, {2, -2, 0, -1})),
              ElementsAre(-3, -3, 0, static_cast<double>(INT64_MIN)));
  EXPECT_THAT(folded(on_integers("Mod", {-7, 7, 7}, {3, -3, 0})), ElementsAre(2, -2, 0));
  EXPECT_THAT(folded(on_integers("Mod", {-7, 7}, {3, -3}, {attr("fmod", 1)})), ElementsAre(-1, 1));
  EXPECT_THAT(folded(on_integers("Pow", {-3, 2, 5}, {3, 10, -1})), ElementsAre(-27, 1024, 0));
  EXPECT_THAT(folded(on_integers("Less", {kLarge}, {kLarge - 1})), ElementsAre(0));
  EXPECT_THAT(folded(on_integers("BitwiseXor", {12}, {10})), ElementsAre(6));
  EXPECT_THAT(folded(on_integers("BitShift", {3, 1}, {2, 99}, {attr("direction", "LEFT")})),
              ElementsAre(12, 0));
}

TEST(OnnxElementwise, BytesThatOverflowKeepTheirLowBits) {
  ModelBuilder model;
  model.constant("a", ElementType::kUint8, {2}, std::vector<uint8_t>{250, 3});
  model.constant("b", ElementType::kUint8, {2}, std::vector<uint8_t>{10, 4});
  EXPECT_THAT(folded(ModelBuilder(model).node("Add", {"a", "b"}, {"y"}).output("y")), ElementsAre(4, 7));
  EXPECT_THAT(folded(ModelBuilder(model).node("Sub", {"a", "b"}, {"y"}).output("y")), ElementsAre(240, 255));
  EXPECT_THAT(folded(ModelBuilder(model).node("BitwiseNot", {"a"}, {"y"}).output("y")), ElementsAre(5, 252));
}

TEST(OnnxElementwise, FoldsChoicesAndCasts) {
  ModelBuilder model;
  model.reals("x", {3}, {-1.5F, 0, 2.9F}).integers("n", {-1, 7, 300});
  auto cast = [&](std::string_view from, ElementType to) {
    return folded(
        ModelBuilder(model).node("Cast", {from}, {"y"}, {attr("to", static_cast<int64_t>(to))}).output("y"));
  };
  EXPECT_THAT(cast("x", ElementType::kInt64), ElementsAre(-1, 0, 2));
  EXPECT_THAT(cast("x", ElementType::kBool), ElementsAre(1, 0, 1));
  EXPECT_THAT(cast("n", ElementType::kUint8), ElementsAre(255, 7, 44));
  EXPECT_THAT(folded(ModelBuilder(model).node("CastLike", {"n", "x"}, {"y"}).output("y")),
              ElementsAre(-1, 7, 300));
  model.node("Cast", {"x"}, {"mask"}, {attr("to", static_cast<int64_t>(ElementType::kBool))});
  EXPECT_THAT(folded(ModelBuilder(model).node("Not", {"mask"}, {"y"}).output("y")), ElementsAre(0, 1, 0));
  model.integer("zero", 0);
  EXPECT_THAT(folded(ModelBuilder(model).node("Where", {"mask", "n", "zero"}, {"y"}).output("y")),
              ElementsAre(-1, 0, 300));
}

// ---- Opsets ----

TEST(OnnxElementwise, ClipTakesBoundsFromAttributesAndFromInputs) {
  EXPECT_THAT(folded(on_reals("Clip", {-2, 0, 2}, {}, {attr("min", -1.0), attr("max", 1.0)}, 6)),
              ElementsAre(-1, 0, 1));
  ModelBuilder model;
  model.reals("x", {3}, {-2, 0, 2}).reals("high", {}, {1});
  EXPECT_THAT(folded(model.node("Clip", {"x", "", "high"}, {"y"}).output("y")), ElementsAre(-2, 0, 1));
}

TEST(OnnxElementwise, ALowerBoundAboveTheUpperGivesTheUpper) {
  ModelBuilder model;
  model.reals("low", {}, {1}).reals("high", {}, {-1}).reals("c", {3}, {-2, 0, 2});
  EXPECT_THAT(folded(ModelBuilder(model).node("Clip", {"c", "low", "high"}, {"y"}).output("y")),
              ElementsAre(-1, -1, -1));
  model.input("x", {3}).node("Clip", {"x", "low", "high"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("ElementWiseMaximum", "ElementWiseMinimum"));
}

TEST(OnnxElementwise, OldSlopesAreByChannel) {
  ModelBuilder model(6);
  model.reals("x", {1, 2, 2}, {-1, -1, -1, -1}).reals("slope", {2}, {2, 3});
  EXPECT_THAT(folded(model.node("PRelu", {"x", "slope"}, {"y"}).output("y")), ElementsAre(-2, -2, -3, -3));
}

TEST(OnnxElementwise, DropoutPassesAllWhenAModelIsUsed) {
  ModelBuilder model(12);
  model.input("x", {2, 2}).node("Dropout", {"x"}, {"y", "mask"}).node("Relu", {"y"}, {"z"});
  EXPECT_THAT(lowered(ModelBuilder(model).output("z")), ElementsAre("Relu"));
  EXPECT_THAT(folded(model.output("mask")), ElementsAre(1, 1, 1, 1));
}

// ---- Lowering ----

TEST(OnnxElementwise, LayoutsAreKeptBetweenConvolutions) {
  for (const auto& model :
       {between_convolutions("Tanh", {"c"}), between_convolutions("Asinh", {"c"}),
        between_convolutions("Add", {"c", "channel"}), between_convolutions("PRelu", {"c", "channel"}),
        between_convolutions("Clip", {"c", "number"}), between_convolutions("Pow", {"c", "channel"}),
        between_convolutions("Gelu", {"c"}), between_convolutions("Mean", {"c", "channel", "number"}),
        between_convolutions("Dropout", {"c"})}) {
    const auto types = lowered(model);
    ASSERT_GE(types.size(), 4u) << types[0];
    EXPECT_EQ(types.front(), "Transpose");
    EXPECT_EQ(types.back(), "Transpose");
    EXPECT_EQ(std::count(types.begin(), types.end(), "Transpose"), 2);
  }
}

TEST(OnnxElementwise, ASquareIsAProductAndAHalfPowerARoot) {
  ModelBuilder model;
  model.input("x", {4}).reals("two", {}, {2}).reals("half", {}, {0.5F});
  EXPECT_THAT(lowered(ModelBuilder(model).node("Pow", {"x", "two"}, {"y"}).output("y")),
              ElementsAre("ElementWiseMultiply"));
  EXPECT_THAT(lowered(ModelBuilder(model).node("Pow", {"x", "half"}, {"y"}).output("y")),
              ElementsAre("ElementWiseSquareRoot"));
}

TEST(OnnxElementwise, BytesAreCarriedInTypesThatTheBackendComputes) {
  ModelBuilder model;
  model.input("a", {4}, ElementType::kUint8).input("b", {4}, ElementType::kUint8);
  EXPECT_THAT(lowered(model.node("Add", {"a", "b"}, {"y"}).output("y")),
              ElementsAre("Cast", "Cast", "ElementWiseAdd", "Cast"));
}

TEST(OnnxElementwise, ManyDimensionsBecomeFew) {
  ModelBuilder model;
  model.input("x", {2, 3, 1, 4, 5}).node("Tanh", {"x"}, {"y"}).output("y");
  EXPECT_THAT(lowered(model), ElementsAre("Reshape", "Tanh", "Reshape"));
}

TEST(OnnxElementwise, RealsHaveOneTypeToTheBackend) {
  ModelBuilder model;
  model.input("x", {4}).node("Cast", {"x"}, {"h"}, {attr("to", static_cast<int64_t>(ElementType::kFloat16))});
  EXPECT_THAT(lowered(model.node("Relu", {"h"}, {"y"}).output("y")), ElementsAre("Relu"));
}

// ---- Refusals ----

TEST(OnnxElementwise, SaysWhatIsWrong) {
  auto refused = [](std::string_view type, const std::vector<std::string_view>& inputs,
                    const std::vector<ProtoWriter>& attributes = {}) {
    ModelBuilder model(18);
    model.input("x", {2, 3}).input("n", {2, 3}, ElementType::kInt64).input("z", {4});
    model.input("shift", {2, 3}, ElementType::kUint32).input("u", {2, 3}, ElementType::kUint32);
    model.input("i8", {2, 3}, ElementType::kInt8);
    return refusal_of(model.node(type, inputs, {"y"}, attributes).output("y"));
  };
  EXPECT_THAT(refused("Add", {"x", "z"}), HasSubstr("[4] does not fit [2, 3]"));
  EXPECT_THAT(refused("Add", {"x", "n"}), HasSubstr("input 1 is int64 where input 0 is float"));
  EXPECT_THAT(refused("Add", {"x"}), HasSubstr("it takes two inputs, 1 given"));
  EXPECT_THAT(refused("Sqrt", {"n"}), HasSubstr("computed for reals alone"));
  EXPECT_THAT(refused("And", {"x", "x"}), HasSubstr("it takes truth values, not float"));
  EXPECT_THAT(refused("Where", {"x", "x", "x"}), HasSubstr("the condition is float, not bool"));
  EXPECT_THAT(refused("Mod", {"x", "x"}), HasSubstr("fmod is 0"));
  EXPECT_THAT(refused("Pow", {"n", "x"}), HasSubstr("computed in half floats"));
  EXPECT_THAT(refused("Celu", {"x"}, {attr("alpha", 0.0)}), HasSubstr("alpha is not above 0"));
  EXPECT_THAT(refused("Elu", {"x"}, {attr("alpha", kInf)}), HasSubstr("no finite number"));
  EXPECT_THAT(refused("Cast", {"x"}, {attr("to", 8)}), HasSubstr("nothing that holds string"));
  EXPECT_THAT(refused("Cast", {"x"}, {attr("to", INT64_MIN)}), HasSubstr("nothing that holds"));
  EXPECT_THAT(refused("BitShift", {"u", "shift"}, {attr("direction", "LEFT")}), HasSubstr("known before"));
  EXPECT_THAT(refused("BitShift", {"u", "u"}, {attr("direction", "UP")}), HasSubstr("direction is 'UP'"));
  EXPECT_THAT(refused("BitwiseAnd", {"n", "n"}), HasSubstr("the backend has no op for it"));
  EXPECT_THAT(refused("Max", {"i8", "i8"}), HasSubstr("the types i8,i8 -> i8 are not offered"));
  EXPECT_THAT(refused("Relu", {""}), HasSubstr("input 0 is absent"));
}

TEST(OnnxElementwise, RandomDropoutIsRefused) {
  ModelBuilder model;
  model.input("x", {4}).reals("ratio", {}, {0.5F});
  model.constant("training", ElementType::kBool, {}, std::vector<uint8_t>{1});
  model.node("Dropout", {"x", "ratio", "training"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(model), HasSubstr("it drops at random"));
}

TEST(OnnxElementwise, ANodeWithoutOutputsDoesNothing) {
  ModelBuilder model;
  model.input("x", {4}).reals("a", {2}, {1, 2}).node("Add", {"a", "a"}, {}).node("Add", {"a", "a"}, {""});
  EXPECT_THAT(lowered(model.node("Relu", {"x"}, {"y"}).output("y")), ElementsAre("Relu"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
