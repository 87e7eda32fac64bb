// SPDX-License-Identifier: BSD-3-Clause
#include "quant/float_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "quant/reference_run.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using ir::Quantization;
using ir::TensorRole;
using testing::ElementsAre;

template <class T>
ir::Blob blob(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return ir::Blob::of(std::move(bytes));
}

// x (float) -> Quantize -> FullyConnected -> Dequantize -> y (float), as the quantizer writes it.
class QuantizedNet {
 public:
  explicit QuantizedNet(Quantization bias = Quantization::per_tensor(0.0F, 0)) {
    const auto x = add("x", TensorRole::kInput, {DataType::kFloat32, {1, 2}, {}});
    const auto x_fixed = add("x_fixed", TensorRole::kNative, {DataType::kUfixed8, {1, 2}, kInput});
    const auto w = add("w", TensorRole::kStatic, {DataType::kSfixed8, {2, 2}, kWeights},
                       blob<int8_t>({10, -20, 30, 40}));
    const auto b = add("b", TensorRole::kStatic, {DataType::kSfixed32, {2}, std::move(bias)},
                       blob<int32_t>({100, -200}));
    const auto sum = add("sum", TensorRole::kNative, {DataType::kUfixed8, {1, 2}, kInput});
    const auto y = add("y", TensorRole::kOutput, {DataType::kFloat32, {1, 2}, {}});
    node("x_quantize", "Quantize", {x}, x_fixed);
    node("product", "FullyConnected", {x_fixed, w, b}, sum);
    node("y_dequantize", "Dequantize", {sum}, y);
  }
  const ir::Graph& graph() const { return graph_; }

 private:
  ir::TensorIndex add(const std::string& name, TensorRole role, ir::TensorDesc desc,
                      ir::Blob data = nullptr) {
    desc.is_static = role == TensorRole::kStatic;
    return *graph_.add_tensor({.name = name, .role = role, .desc = std::move(desc), .data = std::move(data)});
  }
  void node(const std::string& name, const std::string& type, std::vector<ir::TensorIndex> inputs,
            ir::TensorIndex output) {
    const Status added = graph_.add_node(
        {.name = name, .type = type, .params = {}, .inputs = std::move(inputs), .outputs = {output}});
    EXPECT_TRUE(added.ok()) << added.error().to_string();
  }

  const Quantization kInput = Quantization::per_tensor(0.5F, -100);
  const Quantization kWeights = Quantization::per_axis(0, {{0.1F, 0}, {0.01F, 0}});
  ir::Graph graph_{"g"};
};

std::vector<float> constant(const ir::Graph& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.tensors(), name, &ir::Tensor::name);
  if (found == graph.tensors().end()) return {};
  return reals_of(found->desc, {found->data.data(), found->data.size()});
}

TEST(FloatGraph, HasTheConstantsValuesAndNoConversions) {
  const auto made = float_graph_of(QuantizedNet().graph());
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->nodes().size(), 1U);
  EXPECT_EQ(made->nodes()[0].name, "product");
  for (const ir::Tensor& tensor : made->tensors()) EXPECT_EQ(tensor.desc.type, DataType::kFloat32);
  EXPECT_THAT(constant(*made, "w"), ElementsAre(testing::FloatEq(1.0F), testing::FloatEq(-2.0F),
                                                testing::FloatEq(0.3F), testing::FloatEq(0.4F)));
  EXPECT_THAT(constant(*made, "b"), ElementsAre(testing::FloatEq(5.0F), testing::FloatEq(-1.0F)))
      << "in products of the steps of input and weights";
  const ir::Node& node = made->nodes()[0];
  EXPECT_EQ(made->tensors()[node.inputs[0]].name, "x");
  EXPECT_EQ(made->tensors()[node.outputs[0]].name, "y");
}

TEST(FloatGraph, ABiasMayCountProductsInSomeOfItsChannels) {
  const auto made = float_graph_of(QuantizedNet(Quantization::per_axis(0, {{0.5F, 0}, {0.0F, 0}})).graph());
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_THAT(constant(*made, "b"), ElementsAre(testing::FloatEq(50.0F), testing::FloatEq(-1.0F)));
}

TEST(FloatGraph, ComputesWhatTheQuantizedGraphRounds) {
  const auto made = float_graph_of(QuantizedNet(Quantization::per_tensor(0.25F, 0)).graph());
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const std::vector<float> x = {2.0F, 3.0F};
  std::vector<float> y;
  ReferenceRun run(*made, FloatsAs::kSingle);
  const Status ran = run.run({{0, std::as_bytes(std::span(x))}},
                             [&](ir::TensorIndex index, std::span<const std::byte> values) {
                               if (made->tensors()[index].name == "y") y = reals_of(run.desc(index), values);
                             });
  ASSERT_TRUE(ran.ok()) << ran.error().to_string();
  EXPECT_THAT(y, ElementsAre(testing::FloatEq(2.0F - 6.0F + 25.0F), testing::FloatEq(0.6F + 1.2F - 50.0F)));
}

TEST(FloatGraph, AnOutputThatOnlyConvertsAnInputHasNoFloatOp) {
  ir::Graph graph("g");
  const auto x = *graph.add_tensor(
      {.name = "x", .role = TensorRole::kInput, .desc = {DataType::kFloat32, {4}, {}}, .data = nullptr});
  const auto y = *graph.add_tensor({.name = "y",
                                    .role = TensorRole::kOutput,
                                    .desc = {DataType::kUfixed8, {4}, Quantization::per_tensor(0.5F, 0)},
                                    .data = nullptr});
  ASSERT_TRUE(
      graph.add_node({.name = "n", .type = "Quantize", .params = {}, .inputs = {x}, .outputs = {y}}).ok());
  const auto made = float_graph_of(graph);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "float-graph");
}

// x (integers) -> Dequantize -> Relu -> Quantize -> y (integers), as a model for clients with integers has
// it.
TEST(FloatGraph, OfIntegersThatOnlyTheClientSeesIsFloatInside) {
  EXPECT_FALSE(is_float_inside(QuantizedNet().graph()));
  ir::Graph graph("g");
  const Quantization encoding = Quantization::per_tensor(0.5F, -10);
  const auto add = [&](const char* name, TensorRole role, DataType type) {
    const ir::TensorDesc desc{type, {4}, ir::is_quantized(type) ? encoding : Quantization{}};
    return *graph.add_tensor({.name = name, .role = role, .desc = desc, .data = nullptr});
  };
  const auto x = add("x", TensorRole::kInput, DataType::kUfixed8);
  const auto real = add("real", TensorRole::kNative, DataType::kFloat32);
  const auto relu = add("relu", TensorRole::kNative, DataType::kFloat32);
  const auto y = add("y", TensorRole::kOutput, DataType::kUfixed8);
  const auto node = [&](const char* type, ir::TensorIndex from, ir::TensorIndex to) {
    return graph.add_node({.name = type, .type = type, .params = {}, .inputs = {from}, .outputs = {to}}).ok();
  };
  ASSERT_TRUE(node("Dequantize", x, real) && node("Relu", real, relu) && node("Quantize", relu, y));
  EXPECT_TRUE(is_float_inside(graph));
  const auto made = float_graph_of(graph);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->nodes().size(), 1U);
  EXPECT_EQ(made->tensors()[made->nodes()[0].inputs[0]].name, "x");
  EXPECT_EQ(made->tensors()[made->nodes()[0].outputs[0]].name, "y");
}

}  // namespace
}  // namespace openqnn::quant
