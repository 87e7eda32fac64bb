// SPDX-License-Identifier: BSD-3-Clause
// What is said of a model before its nodes are judged.
#include "frontend/onnx/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> notes_of_opset(int64_t opset) {
  ModelBuilder model(opset);
  model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
  return BuiltModel(model).import()->notes;
}

TEST(Import, SaysThatAnOpsetIsNotKnown) {
  EXPECT_THAT(notes_of_opset(6), ElementsAre(HasSubstr("opset 6; 7 to 23 are known; ops that have changed")));
  EXPECT_THAT(notes_of_opset(99), ElementsAre(HasSubstr("opset 99; 7 to 23 are known")));
  EXPECT_THAT(notes_of_opset(7), IsEmpty());
  EXPECT_THAT(notes_of_opset(23), IsEmpty());
}

TEST(Import, RefusesATensorWithTwoMakers) {
  ModelBuilder twice;
  twice.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).node("Sigmoid", {"x"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(twice), HasSubstr("it makes tensor 'y', which is there already"));
  ModelBuilder input;
  input.input("x", {1, 4}).node("Relu", {"x"}, {"x"}).output("x");
  EXPECT_THAT(refusal_of(input), HasSubstr("it makes tensor 'x', which is there already"));
}

TEST(Import, FoldsNoMoreThanMemoryHolds) {
  Net net;
  net.values.resize(1);
  NetNode node;
  node.outputs = {0};
  net.foldable = 4;
  Inference inference(net, node);
  const auto constant = [] { return Constant::of_integers(ElementType::kInt64, {3}, {1, 2, 3}); };
  EXPECT_TRUE(inference.set(0, constant()));
  const Status refused = inference.set(0, constant());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("3 elements more, and 1 are left"));
}

TEST(Import, TheConstantsOfTheFileMayBeFoldedSeveralTimes) {
  ModelBuilder model;
  model.input("x", {4}).reals("c", {4}, {1, 2, 3, 4}).node("Add", {"x", "c"}, {"y"}).output("y");
  EXPECT_EQ(BuiltModel(model).import()->net.foldable, kMostFolded + 4 * kFoldsOfConstants);
}

// Each takes one element of 2^26, and all together are made of more than is read.
TEST(Import, FoldsOfNoMoreThanCanBeReadInTime) {
  constexpr size_t kParts = 130;
  ModelBuilder model;
  const ProtoWriter byte = tensor("", ElementType::kInt8, {1}, std::vector<int8_t>{1});
  model.integers("dims", {1 << 26}).node("ConstantOfShape", {"dims"}, {"c"}, {attr("value", byte)});
  std::vector<std::string> names;
  for (size_t i = 0; i < kParts; ++i) names.push_back(concat("y", i));
  for (const std::string& name : names) model.node("Gather", {"c", "at"}, {name}).output(name);
  model.integers("at", {7});
  EXPECT_EQ(BuiltModel(model).import()->net.nodes.size(), kParts - 127);
}

TEST(Import, FixesNoInputThatMemoryDoesNotHold) {
  ModelBuilder model;
  model.input("x", {1 << 20, 1 << 20}).node("Relu", {"x"}, {"y"}).output("y");
  const BuiltModel built(model);
  const auto imported = built.import({.fixed_numbers = {{"x", 1.0}}});
  ASSERT_FALSE(imported);
  EXPECT_THAT(imported.error().to_string(), HasSubstr("has 1099511627776 elements"));
  EXPECT_THAT(imported.error().to_string(), HasSubstr("--fix_input"));
}

// ---- Opsets that are older than the rules ----

std::string refusal_of_old_add(int64_t opset, const Dims& second,
                               const std::vector<ProtoWriter>& attributes) {
  ModelBuilder model(opset);
  model.input("x", {3, 3}).input("b", second).node("Add", {"x", "b"}, {"y"}, attributes).output("y");
  return refusal_of(model);
}

TEST(Import, RefusesWhatOldOpsetsSayInTheirOwnWay) {
  const std::vector<ProtoWriter> first = {attr("broadcast", 1), attr("axis", 0)};
  const std::vector<ProtoWriter> last = {attr("broadcast", 1), attr("axis", 1)};
  EXPECT_THAT(refusal_of_old_add(6, {3}, first), HasSubstr("along an axis, as ops of opset 6 do"));
  // Where the meaning is today's, nothing is refused; nor where nobody can have meant the old one.
  EXPECT_EQ(refusal_of_old_add(6, {3}, last), "");
  EXPECT_EQ(refusal_of_old_add(6, {3}, {attr("broadcast", 1)}), "");
  EXPECT_EQ(refusal_of_old_add(6, {3, 3}, first), "");
  EXPECT_EQ(refusal_of_old_add(7, {3}, first), "");
}

TEST(Import, RefusesFormsThatEndedBeforeOpsetSeven) {
  ModelBuilder reshape(4);
  reshape.input("x", {2, 3}).node("Reshape", {"x"}, {"y"}, {attr("shape", std::vector<int64_t>{6})});
  EXPECT_THAT(refusal_of(reshape.output("y")), HasSubstr("its shape is an attribute, as ops of opset 4 do"));
  ModelBuilder norm(6);
  for (const std::string_view name : {"s", "b", "m", "v"}) norm.reals(name, {2}, {1, 1});
  norm.input("x", {1, 2, 4, 4}).node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}).output("y");
  EXPECT_THAT(refusal_of(norm), HasSubstr("it is in training mode (is_test = 0)"));
}

// ---- Nodes behind those that are refused ----

std::vector<std::string> refused_types(const Conversion& conversion) {
  std::vector<std::string> types;
  for (const Refusal& refusal : conversion.refusals) types.push_back(refusal.type);
  return types;
}

TEST(Import, JudgesNodesByTheirTypesWhereTheirInputsAreNotKnown) {
  ModelBuilder model;
  model.input("x", {2, 2}).node("Det", {"x"}, {"a"}).node("Erf", {"a"}, {"b"}).node("NoSuch", {"b"}, {"c"});
  model.node("Multinomial", {"c"}, {"d"}).node("Relu", {"d"}, {"y"}).output("y");
  const Conversion made = *BuiltModel(model).convert();
  EXPECT_THAT(refused_types(made), ElementsAre("Det", "NoSuch", "Multinomial"));
  ASSERT_EQ(made.unjudged.size(), 2U);
  EXPECT_EQ(made.unjudged[0].type, "Erf");
  EXPECT_EQ(made.unjudged[0].behind, made.refusals[0].node);
  EXPECT_EQ(made.unjudged[1].type, "Relu");
  EXPECT_EQ(made.unjudged[1].behind, made.refusals[2].node);
  EXPECT_THAT(refused_nodes(made).notes.back(),
              HasSubstr("not judged: Erf_2 (Erf) behind 'Det_1' and 1 other"));
}

TEST(Import, LeavesWhatARefusedNodeDecidesUnjudged) {
  ModelBuilder branch;
  branch.output("x");
  ModelBuilder model;
  model.input("x", {2, 2}).node("NoSuch", {"x"}, {"c"});
  model.node("If", {"c"}, {"y"}, {branch.body("then_branch"), branch.body("else_branch")}).output("y");
  const Conversion made = *BuiltModel(model).convert();
  EXPECT_THAT(refused_types(made), ElementsAre("NoSuch"));
  ASSERT_EQ(made.unjudged.size(), 1U);
  EXPECT_EQ(made.unjudged[0].type, "If");
}

// The backend shifts no 16-bit integers, which only the lowering finds out.
ModelBuilder with_16_bits() {
  ModelBuilder model;
  model.input("x", {4}, ElementType::kUint16).input("s", {4}, ElementType::kUint16);
  model.node("BitShift", {"x", "s"}, {"a"}, {attr("direction", "LEFT")});
  return model;
}

TEST(Import, JudgesWhatStandsBeforeARefusedNode) {
  ModelBuilder model = with_16_bits();
  model.node("NoSuch", {"a"}, {"y"}).output("y");
  EXPECT_THAT(refused_types(*BuiltModel(model).convert()), UnorderedElementsAre("BitShift", "NoSuch"));
}

TEST(Import, JudgesWhatStandsBehindANodeThatIsNotLowered) {
  ModelBuilder model = with_16_bits();
  model.node("BitShift", {"a", "s"}, {"y"}, {attr("direction", "RIGHT")}).output("y");
  EXPECT_THAT(refused_types(*BuiltModel(model).convert()), ElementsAre("BitShift", "BitShift"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
