// SPDX-License-Identifier: BSD-3-Clause
// How good the quantizer is: against what anybody gets by taking minima and maxima, one encoding per output
// channel, and computing the result in double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "prepare/graph_builder.h"
#include "quant/calibrate.h"
#include "quant/fake_quant.h"
#include "quant/quantize.h"

namespace openqnn::quant {
namespace {

using prepare::GraphBuilder;
using prepare::kFloat32;
using Reals = std::map<ir::TensorIndex, std::vector<double>>;

constexpr double kMostBelow = 0.5;  // decibels

struct Named {
  const char* name;
  ir::Graph graph;
};

std::vector<Named> models() {
  std::vector<Named> all;
  {
    GraphBuilder g(kFloat32, "plain", 3);
    g.output(g.conv(g.relu(g.conv(g.relu(g.conv(g.input({1, 12, 12, 8}), 16)), 24)), 8));
    all.push_back({"plain convolutions", g.build()});
  }
  {
    GraphBuilder g(kFloat32, "residual", 5);
    const auto a = g.relu(g.conv(g.input({1, 10, 10, 8}), 16));
    const auto b = g.relu(g.add(g.conv(g.relu(g.conv(a, 16)), 16), a));
    g.output(g.matmul(g.pool(b), 10));
    all.push_back({"residual", g.build()});
  }
  {
    GraphBuilder g(kFloat32, "gates", 7);
    const auto a = g.conv(g.input({1, 8, 8, 16}), 16);
    g.output(g.conv(g.add(g.unary("Sigmoid", a), g.unary("Tanh", a)), 8));
    all.push_back({"gates", g.build()});
  }
  {
    GraphBuilder g(kFloat32, "mlp", 11);
    g.output(g.matmul(g.relu(g.matmul(g.relu(g.matmul(g.input({1, 4, 4, 32}), 64)), 64)), 16));
    all.push_back({"products", g.build()});
  }
  return all;
}

std::map<ir::TensorIndex, std::vector<float>> sample(const ir::Graph& graph, uint32_t seed) {
  std::map<ir::TensorIndex, std::vector<float>> values;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.2F, 1.0F);
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    if (graph.tensors()[i].role != ir::TensorRole::kInput) continue;
    values[i].resize(graph.tensors()[i].desc.shape.elements());
    for (float& value : values[i]) value = normal(random);
  }
  return values;
}

Observations calibrate(const ir::Graph& graph) {
  Calibrator calibrator(graph);
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const auto values = sample(graph, seed);
    Inputs inputs;
    for (const auto& [index, one] : values) inputs[index] = std::as_bytes(std::span(one));
    EXPECT_TRUE(calibrator.add(inputs).ok());
  }
  return calibrator.seen();
}

// The plain way, written down here once more so that a mistake of the quantizer cannot hide in it: every
// activation from its least to its largest value, weights by the largest magnitude of each output channel,
// biases exact.
ir::Graph plain_min_max(const ir::Graph& graph, const Observations& seen) {
  ir::Graph out(graph.name());
  std::vector<bool> is_weight(graph.tensors().size(), false);
  for (const ir::Node& node : graph.nodes())
    if ((node.type == "Conv2d" || node.type == "MatMul") && node.inputs.size() > 1)
      is_weight[node.inputs[1]] = true;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    ir::Tensor tensor = graph.tensors()[i];
    if (tensor.role != ir::TensorRole::kStatic) {
      const Range range = seen[i].min_max();
      const double low = std::min(range.low, 0.0);
      const double scale = std::max(std::max(range.high, 0.0) - low, 1e-4) / 255.0;
      tensor.desc.type = ir::DataType::kUfixed8;
      tensor.desc.quantization = ir::Quantization::per_tensor(
          static_cast<float>(scale), -static_cast<int32_t>(std::lround(-low / scale)));
    } else if (is_weight[i]) {
      const size_t axis = tensor.desc.shape.rank() - 1;
      const uint32_t channels = tensor.desc.shape[axis];
      std::vector<float> values(tensor.data.size() / sizeof(float));
      std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
      std::vector<ir::ScaleOffset> pairs(channels, ir::ScaleOffset{1e-6F, 0});
      for (size_t v = 0; v < values.size(); ++v)
        pairs[v % channels].scale = std::max(pairs[v % channels].scale, std::abs(values[v]) / 127.0F);
      std::vector<std::byte> stored(values.size());
      for (size_t v = 0; v < values.size(); ++v)
        stored[v] = static_cast<std::byte>(
            static_cast<int8_t>(std::nearbyint(values[v] / pairs[v % channels].scale)));
      tensor.desc.type = ir::DataType::kSfixed8;
      tensor.desc.quantization = ir::Quantization::per_axis(static_cast<uint32_t>(axis), std::move(pairs));
      tensor.data = ir::Blob::of(std::move(stored));
    }
    EXPECT_TRUE(out.add_tensor(std::move(tensor)).ok());
  }
  for (const ir::Node& node : graph.nodes()) EXPECT_TRUE(out.add_node(node).ok());
  return out;
}

struct Error {
  double signal = 0.0;
  double noise = 0.0;
  void add(double wanted, double got) {
    signal += wanted * wanted;
    noise += (got - wanted) * (got - wanted);
  }
  double sqnr() const { return 10.0 * std::log10(signal / noise); }
};

using Outputs = std::map<std::string, std::vector<double>>;

// As the backend computes it.
Outputs computed(const ir::Graph& graph, const std::map<std::string, std::vector<float>>& given,
                 FloatsAs floats) {
  std::map<ir::TensorIndex, std::vector<std::byte>> bytes;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    if (tensor.role != ir::TensorRole::kInput) continue;
    const std::vector<float>& values = given.at(tensor.name);
    const auto raw = std::as_bytes(std::span(values));
    bytes[i] = ir::is_quantized(tensor.desc.type) ? quantized(tensor.desc, values)
                                                  : std::vector<std::byte>(raw.begin(), raw.end());
  }
  Outputs outputs;
  ReferenceRun run(graph, floats);
  const Status status =
      run.run({bytes.begin(), bytes.end()}, [&](ir::TensorIndex index, std::span<const std::byte> values) {
        if (graph.tensors()[index].role != ir::TensorRole::kOutput) return;
        const std::vector<float> reals = reals_of(run.desc(index), values);
        outputs[graph.tensors()[index].name] = {reals.begin(), reals.end()};
      });
  EXPECT_TRUE(status.ok()) << status.error().to_string();
  return outputs;
}

Outputs faked(const ir::Graph& graph, const std::map<std::string, std::vector<float>>& given) {
  Reals inputs;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i)
    if (graph.tensors()[i].role == ir::TensorRole::kInput) {
      const std::vector<float>& values = given.at(graph.tensors()[i].name);
      inputs[i] = {values.begin(), values.end()};
    }
  Outputs outputs;
  const Reals reals = fake_quant(graph, inputs);
  for (const auto& [index, values] : reals)
    if (graph.tensors()[index].role == ir::TensorRole::kOutput) outputs[graph.tensors()[index].name] = values;
  return outputs;
}

void add_errors(const Outputs& wanted, const Outputs& got, Error& error) {
  for (const auto& [name, values] : wanted)
    for (size_t i = 0; i < values.size(); ++i) error.add(values[i], got.at(name)[i]);
}

TEST(Quality, IsThatOfPlainMinMaxPerChannelOrBetter) {
  size_t better = 0;
  for (const Named& model : models()) {
    const Observations seen = calibrate(model.graph);
    const Options options;
    const auto plan = make_plan(model.graph, seen, {}, options);
    ASSERT_TRUE(plan.ok()) << plan.error().to_string();
    const auto ours = apply(model.graph, *plan, options);
    ASSERT_TRUE(ours.ok()) << ours.error().to_string();
    const ir::Graph plain = plain_min_max(model.graph, seen);
    Error our_error;
    Error plain_error;
    for (uint32_t seed = 1000; seed < 1010; ++seed) {
      std::map<std::string, std::vector<float>> given;
      for (const auto& [index, values] : sample(model.graph, seed))
        given[model.graph.tensors()[index].name] = values;
      const Outputs wanted = computed(model.graph, given, FloatsAs::kSingle);
      add_errors(wanted, computed(*ours, given, FloatsAs::kHalf), our_error);
      add_errors(wanted, faked(plain, given), plain_error);
    }
    RecordProperty(model.name, std::to_string(our_error.sqnr() - plain_error.sqnr()));
    EXPECT_GE(our_error.sqnr(), plain_error.sqnr() - kMostBelow) << model.name;
    better += our_error.sqnr() > plain_error.sqnr() ? 1 : 0;
  }
  EXPECT_GE(better, 2U) << "of 4: usually above";
}

}  // namespace
}  // namespace openqnn::quant
