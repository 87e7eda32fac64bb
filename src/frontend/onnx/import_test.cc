// SPDX-License-Identifier: BSD-3-Clause
// What is said of a model before its nodes are judged.
#include "frontend/onnx/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace openqnn::frontend::onnx
