// SPDX-License-Identifier: BSD-3-Clause
// Recurrent layers: how they are unrolled, what is absent, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/onnx/model_builder.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::HasSubstr;

struct Layer {
  std::string_view type = "LSTM";
  int64_t gates = 4;
  int64_t steps = 3;
  int64_t directions = 1;
  std::vector<ProtoWriter> attributes = {};
  std::vector<std::string_view> outputs = {"y", "h"};
  std::vector<int32_t> lengths = {};
};

constexpr int64_t kHidden = 2;
constexpr int64_t kInputs = 5;

ModelBuilder model_of(const Layer& layer) {
  ModelBuilder model(14);
  auto filled = [](const Dims& dims) { return std::vector<float>(count_of(dims), 0.1F); };
  const Dims w{layer.directions, layer.gates * kHidden, kInputs};
  const Dims r{layer.directions, layer.gates * kHidden, kHidden};
  model.input("x", {layer.steps, 1, kInputs}).reals("w", w, filled(w)).reals("r", r, filled(r));
  std::vector<std::string_view> inputs{"x", "w", "r"};
  if (!layer.lengths.empty()) {
    model.constant("lengths", ElementType::kInt32, {1}, layer.lengths);
    inputs.insert(inputs.end(), {"", "lengths"});
  }
  model.node(layer.type, inputs, layer.outputs, layer.attributes);
  for (const std::string_view output : layer.outputs)
    if (!output.empty()) model.output(output);
  return model;
}

int64_t count(const std::vector<std::string>& ops, std::string_view type) {
  return std::count(ops.begin(), ops.end(), type);
}

TEST(OnnxRecurrent, UnrollsAnLstmStepByStep) {
  EXPECT_EQ(count(lowered(model_of({})), "Lstm"), 3);
  Layer both{.directions = 2, .attributes = {attr("direction", "bidirectional")}};
  EXPECT_EQ(count(lowered(model_of(both)), "Lstm"), 6);
}

TEST(OnnxRecurrent, RunsAGruAtOnce) {
  EXPECT_EQ(count(lowered(model_of({.type = "GRU", .gates = 3})), "Gru"), 1);
}

TEST(OnnxRecurrent, ComposesAnRnn) {
  const Layer layer{
      .type = "RNN", .gates = 1, .attributes = {attr("activations", std::vector<std::string_view>{"Relu"})}};
  const auto ops = lowered(model_of(layer));
  EXPECT_EQ(count(ops, "FullyConnected"), 6);
  EXPECT_EQ(count(ops, "Relu"), 3);
}

// Any of the outputs may be absent, the first one too.
TEST(OnnxRecurrent, GivesWhatIsWanted) {
  EXPECT_EQ(refusal_of(model_of({.outputs = {"", "h"}})), "");
  EXPECT_EQ(refusal_of(model_of({.outputs = {"", "", "c"}})), "");
  EXPECT_EQ(refusal_of(model_of({.outputs = {"y"}})), "");
}

TEST(OnnxRecurrent, TakesFullLengthsAlone) {
  EXPECT_EQ(refusal_of(model_of({.lengths = {3}})), "");
  EXPECT_THAT(refusal_of(model_of({.lengths = {2}})), HasSubstr("different lengths"));
}

TEST(OnnxRecurrent, RefusesWhatTheBackendHasNot) {
  const auto refusal = [](const ProtoWriter& attribute) {
    return refusal_of(model_of({.attributes = {attribute}}));
  };
  EXPECT_THAT(refusal(attr("clip", 1.0F)), HasSubstr("clip"));
  EXPECT_THAT(refusal(attr("input_forget", 1)), HasSubstr("input_forget"));
  EXPECT_THAT(refusal(attr("direction", "bidirectional")), HasSubstr("1 directions"));
  EXPECT_THAT(refusal(attr("direction", "sideways")), HasSubstr("sideways"));
  EXPECT_THAT(refusal(attr("activations", std::vector<std::string_view>{"Relu"})), HasSubstr("Relu"));
  EXPECT_THAT(refusal_of(model_of({.steps = 5000})), HasSubstr("5000 steps"));
  EXPECT_THAT(refusal_of(model_of({.gates = 3})), HasSubstr("input 1 is"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
