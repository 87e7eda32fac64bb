// SPDX-License-Identifier: BSD-3-Clause
#include "quant/measured.h"

#include <gtest/gtest.h>

#include <random>

#include "quant/calibrate.h"
#include "quant/compare.h"
#include "quant/quantize.h"

namespace openqnn::quant {
namespace {

constexpr uint32_t kSamples = 4;

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

using Values = std::map<std::string, std::vector<float>>;

// What the client reads in integers.
Values integer_outputs(const ir::Graph& graph, FloatsAs floats, const Inputs& inputs) {
  Values values;
  ReferenceRun run(graph, floats);
  const Status status = run.run(inputs, [&](ir::TensorIndex index, std::span<const std::byte> computed) {
    const ir::Tensor& tensor = graph.tensors()[index];
    const bool plain = !ir::is_float(tensor.desc.type) && !ir::is_quantized(tensor.desc.type);
    if (tensor.role == ir::TensorRole::kOutput && plain)
      values[tensor.name] = reals_of(run.desc(index), computed);
  });
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return values;
}

uint64_t differences(const Values& wanted, const Values& got) {
  uint64_t count = 0;
  for (const auto& [name, values] : wanted)
    for (size_t i = 0; i < values.size(); ++i) count += values[i] != got.at(name)[i] ? 1 : 0;
  return count;
}

}  // namespace

Model::T Model::input(const std::string& name, const ir::Shape& shape, ir::DataType type, uint32_t most) {
  ir::Tensor tensor{
      .name = name, .role = ir::TensorRole::kInput, .desc = {.type = type, .shape = shape}, .data = nullptr};
  const T made = graph_.add_tensor(std::move(tensor)).value();
  most_[made] = most;
  return made;
}

Model::T Model::constant(const std::string& name, const ir::Shape& shape, const std::vector<float>& values) {
  return graph_
      .add_tensor({.name = name,
                   .role = ir::TensorRole::kStatic,
                   .desc = {.type = ir::DataType::kFloat32, .shape = shape},
                   .data = ir::Blob::of(bytes_of(values))})
      .value();
}

Model::T Model::add(const std::string& op, std::vector<T> inputs, ir::Tensor output, ir::Params params) {
  const std::string name = output.name;
  const T made = graph_.add_tensor(std::move(output)).value();
  const Status status = graph_.add_node({.name = name + "_node",
                                         .type = op,
                                         .params = std::move(params),
                                         .inputs = std::move(inputs),
                                         .outputs = {made}});
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return made;
}

Model::T Model::node(const std::string& op, std::vector<T> inputs, const std::string& name,
                     const ir::Shape& shape, ir::DataType type) {
  return add(op, std::move(inputs),
             {.name = name,
              .role = ir::TensorRole::kNative,
              .desc = {.type = type, .shape = shape},
              .data = nullptr});
}

Model::T Model::output(const std::string& op, std::vector<T> inputs, const std::string& name,
                       const ir::Shape& shape, ir::DataType type, ir::Params params) {
  return add(op, std::move(inputs),
             {.name = name,
              .role = ir::TensorRole::kOutput,
              .desc = {.type = type, .shape = shape},
              .data = nullptr},
             std::move(params));
}

std::map<Model::T, std::vector<std::byte>> Model::sample(uint32_t number) const {
  std::map<T, std::vector<std::byte>> values;
  for (const auto& [input, most] : most_) {
    const ir::TensorDesc& desc = graph_.tensors()[input].desc;
    std::mt19937 random(number * 100 + input);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> numbers(desc.shape.elements());
    for (float& one : numbers)
      one = desc.type == ir::DataType::kFloat32 ? normal(random) : static_cast<float>(random() % (most + 1));
    values[input] = stored(desc, numbers);
  }
  return values;
}

std::vector<std::string> Measured::ops() const {
  std::vector<std::string> types;
  for (const ir::Node& node : graph.nodes()) types.push_back(node.type);
  return types;
}

Measured measured(const Model& model, const Options& options, const ir::TensorEncodings& overrides) {
  const ir::Graph& floats = model.graph();
  Calibrator calibrator(floats);
  for (uint32_t i = 0; i < kSamples; ++i) {
    const auto sample = model.sample(i);
    EXPECT_TRUE(calibrator.add({sample.begin(), sample.end()}).ok());
  }
  const auto plan = make_plan(floats, calibrator.seen(), overrides, options);
  EXPECT_TRUE(plan.ok()) << plan.error().to_string();
  auto graph = apply(floats, *plan, options);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  Measured made{.graph = *std::move(graph)};
  Comparison comparison(floats, made.graph);
  for (uint32_t i = 0; i < kSamples; ++i) {
    const auto sample = model.sample(i);
    const Inputs inputs(sample.begin(), sample.end());
    EXPECT_TRUE(comparison.add(inputs).ok());
    const auto taken = stored_inputs(inputs, floats, made.graph);
    EXPECT_TRUE(taken.ok()) << taken.error().to_string();
    made.wrong_integers +=
        differences(integer_outputs(floats, FloatsAs::kSingle, inputs),
                    integer_outputs(made.graph, FloatsAs::kHalf, {taken->begin(), taken->end()}));
  }
  if (!comparison.layers().empty()) made.sqnr = comparison.layers().back().distance.sqnr();
  return made;
}

}  // namespace openqnn::quant
