// SPDX-License-Identifier: BSD-3-Clause
// Loops that are unrolled, and those that cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Adds the number of the round to the state, and gives the state of each round.
ModelBuilder summing_body() {
  ModelBuilder body;
  body.input("i", {}, ElementType::kInt64)
      .input("go", {}, ElementType::kBool)
      .input("s", {1}, ElementType::kInt64);
  body.node("Add", {"s", "i"}, {"t"}).node("Identity", {"go"}, {"go_on"}).node("Identity", {"t"}, {"each"});
  return body.output("go_on").output("t").output("each");
}

ModelBuilder loop(int64_t rounds, std::string_view output) {
  ModelBuilder model(13);
  model.integer("m", rounds).integers("start", {10});
  model.node("Loop", {"m", "", "start"}, {"last", "all"}, {summing_body().body("body")});
  return model.output(output);
}

TEST(OnnxLoop, UnrollsAConstantNumberOfRounds) {
  EXPECT_THAT(folded(loop(4, "last")), ElementsAre(16));
  EXPECT_THAT(folded(loop(4, "all")), ElementsAre(10, 11, 13, 16));
}

TEST(OnnxLoop, GivesItsStartWithoutRounds) {
  ModelBuilder model(13);
  ModelBuilder body;
  body.input("i", {}, ElementType::kInt64)
      .input("go", {}, ElementType::kBool)
      .input("s", {1}, ElementType::kInt64);
  body.node("Add", {"s", "i"}, {"t"}).output("go").output("t");
  model.integer("m", 0).integers("start", {10});
  model.node("Loop", {"m", "", "start"}, {"last"}, {body.body("body")}).output("last");
  EXPECT_THAT(folded(model), ElementsAre(10));
  EXPECT_THAT(refusal_of(loop(0, "all")), HasSubstr("no rounds"));
}

// The condition is decided round by round: while the state is below 3.
TEST(OnnxLoop, StopsWhenItsConditionSaysSo) {
  ModelBuilder body;
  body.input("i", {}, ElementType::kInt64)
      .input("go", {}, ElementType::kBool)
      .input("s", {}, ElementType::kInt64);
  body.integer("one", 1).integer("three", 3);
  body.node("Add", {"s", "one"}, {"t"}).node("Less", {"t", "three"}, {"go_on"}).output("go_on").output("t");
  ModelBuilder model(13);
  model.integer("start", 0).constant("go", ElementType::kBool, {}, std::vector<uint8_t>{1});
  model.node("Loop", {"", "go", "start"}, {"last"}, {body.body("body")}).output("last");
  EXPECT_THAT(folded(model), ElementsAre(3));
}

TEST(OnnxLoop, ReadsTheConstantsOfItsBodyOnce) {
  ModelBuilder body;
  body.input("i", {}, ElementType::kInt64).input("go", {}, ElementType::kBool).input("s", {2});
  body.reals("w", {2}, {1, 2}).node("Mul", {"s", "w"}, {"t"}).output("go").output("t");
  ModelBuilder model(13);
  model.input("x", {2}).integer("m", 5);
  model.node("Loop", {"m", "", "x"}, {"last"}, {body.body("body")}).output("last");
  const BuiltModel built(model);
  const Net net = built.import()->net;
  EXPECT_EQ(std::ranges::count(net.values, "w", &Value::name), 1);
  EXPECT_EQ(net.foldable, kMostFolded + (2 + 1) * kFoldsOfConstants);
}

TEST(OnnxLoop, RefusesWhatIsNotDecided) {
  ModelBuilder model(13);
  model.input("m", {}, ElementType::kInt64).integers("start", {10});
  model.node("Loop", {"m", "", "start"}, {"last", "all"}, {summing_body().body("body")}).output("last");
  EXPECT_THAT(refusal_of(model), HasSubstr("how often it runs"));
}

TEST(OnnxLoop, RefusesEndlessRounds) {
  EXPECT_THAT(refusal_of(loop(INT64_MAX, "last")), HasSubstr("more than 4096 rounds"));
  ModelBuilder model(13);
  model.integers("start", {10});
  model.node("Loop", {"", "", "start"}, {"last", "all"}, {summing_body().body("body")}).output("last");
  EXPECT_THAT(refusal_of(model), HasSubstr("more than 4096 rounds"));
}

TEST(OnnxLoop, RefusesABodyThatDoesNotFit) {
  ModelBuilder model(13);
  model.integer("m", 2);
  EXPECT_THAT(refusal_of(model.node("Loop", {"m"}, {"last"}).output("last")), HasSubstr("body is missing"));
  ModelBuilder other(13);
  other.integer("m", 2).node("Loop", {"m", ""}, {"last"}, {summing_body().body("body")}).output("last");
  EXPECT_THAT(refusal_of(other), HasSubstr("body is missing"));
}

// ---- Scan ----

ModelBuilder scan(const std::vector<ProtoWriter>& attributes, std::string_view output, int64_t opset = 11) {
  ModelBuilder body;
  body.input("s", {}, ElementType::kInt64).input("x", {}, ElementType::kInt64);
  body.node("Add", {"s", "x"}, {"t"}).node("Identity", {"t"}, {"each"}).output("t").output("each");
  ModelBuilder model(opset);
  model.integer("start", 0).integers("x", {1, 2, 4});
  std::vector<ProtoWriter> all = attributes;
  all.push_back(body.body("body"));
  return model.node("Scan", {"start", "x"}, {"last", "all"}, all).output(output);
}

TEST(OnnxScan, UnrollsInBothDirections) {
  const ProtoWriter one = attr("num_scan_inputs", 1);
  EXPECT_THAT(folded(scan({one}, "last")), ElementsAre(7));
  EXPECT_THAT(folded(scan({one}, "all")), ElementsAre(1, 3, 7));
  EXPECT_THAT(folded(scan({one, attr("scan_input_directions", std::vector<int64_t>{1})}, "all")),
              ElementsAre(4, 6, 7));
  EXPECT_THAT(folded(scan({one, attr("scan_output_directions", std::vector<int64_t>{1})}, "all")),
              ElementsAre(7, 3, 1));
}

TEST(OnnxScan, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of(scan({}, "last")), HasSubstr("does not fit its inputs"));
  EXPECT_THAT(refusal_of(scan({attr("num_scan_inputs", INT64_MAX)}, "last")), HasSubstr("does not fit"));
  const ProtoWriter one = attr("num_scan_inputs", 1);
  EXPECT_THAT(refusal_of(scan({one, attr("scan_input_axes", std::vector<int64_t>{3})}, "last")),
              HasSubstr("axis 3 does not exist"));
  EXPECT_THAT(refusal_of(scan({one, attr("scan_input_axes", std::vector<int64_t>{0, 0})}, "last")),
              HasSubstr("lists"));
  EXPECT_THAT(refusal_of(scan({one}, "last", 8)), HasSubstr("opset 8"));
}

// An output is called as in the model, whatever its maker calls it inside.
TEST(OnnxIf, KeepsTheNamesOfOutputs) {
  ModelBuilder branch;
  branch.node("Relu", {"x"}, {"inside"}).output("inside");
  ModelBuilder model;
  model.input("x", {1, 4}).constant("c", ElementType::kBool, {}, std::vector<uint8_t>{1});
  model.node("If", {"c"}, {"y"}, {branch.body("then_branch"), branch.body("else_branch")});
  model.output("y");
  const Conversion made = *BuiltModel(model).convert();
  EXPECT_EQ(source_of(made.trace, "y"), "y");
}

}  // namespace
}  // namespace openqnn::frontend::onnx
