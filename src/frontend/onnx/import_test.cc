// SPDX-License-Identifier: BSD-3-Clause
// What is said of a model before its nodes are judged.
#include "frontend/onnx/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/inference.h"
#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> notes_of_opset(int64_t opset) {
  ModelBuilder model(opset);
  model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
  return BuiltModel(model).import()->notes;
}

TEST(Import, SaysThatAnOpsetIsNotKnown) {
  EXPECT_THAT(notes_of_opset(6), ElementsAre(HasSubstr("opset 6; 7 to 23 are known")));
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

}  // namespace
}  // namespace openqnn::frontend::onnx
