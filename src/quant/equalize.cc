// SPDX-License-Identifier: BSD-3-Clause
#include "quant/equalize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "quant/plan.h"

namespace openqnn::quant {
namespace {

using ir::TensorIndex;

// Chains of pairs pull at each other; ranges are alike to a percent after a few rounds.
constexpr int kMostRounds = 20;
constexpr double kAlike = 1.01;

// A constant and the dimension along which it is scaled.
struct Side {
  TensorIndex tensor = ir::kNoTensor;
  uint32_t axis = 0;
};

struct Pair {
  Side before;                       // the outputs of the first convolution
  TensorIndex bias = ir::kNoTensor;  // of the first
  Side after;                        // the inputs of the second
};

class Equalizer {
 public:
  Equalizer(const ir::Graph& graph, const std::set<std::string>& keep)
      : graph_(graph), keep_(keep), readers_(graph.tensors().size()) {
    for (uint32_t n = 0; n < graph.nodes().size(); ++n)
      for (const TensorIndex input : graph.nodes()[n].inputs)
        if (input != ir::kNoTensor) readers_[input].push_back(n);
  }

  Result<Equalized> run() {
    std::vector<Pair> pairs;
    for (const ir::Node& node : graph_.nodes())
      if (const auto pair = pair_behind(node)) pairs.push_back(*pair);
    for (int round = 0; round < kMostRounds; ++round) {
      double most = 1.0;
      for (const Pair& pair : pairs) most = std::max(most, balance(pair));
      if (most < kAlike) break;
    }
    Equalized made;
    made.pairs = pairs.size();
    OPENQNN_ASSIGN(made.graph, rebuilt());
    return made;
  }

 private:
  static bool is_convolution(const ir::Node& node) {
    return node.type == "Conv2d" || node.type == "DepthWiseConv2d";
  }

  // A constant of single precision that nothing else takes.
  bool is_own_constant(TensorIndex tensor) const {
    if (tensor == ir::kNoTensor) return false;
    const ir::Tensor& constant = graph_.tensors()[tensor];
    return constant.role == ir::TensorRole::kStatic && constant.desc.type == ir::DataType::kFloat32 &&
           constant.desc.layout == ir::Layout::kPlain && readers_[tensor].size() == 1 &&
           !keep_.contains(constant.name);
  }

  // The one node that takes a tensor which nobody else sees, and whose range nobody has given.
  const ir::Node* only_reader(TensorIndex tensor) const {
    const ir::Tensor& between = graph_.tensors()[tensor];
    const bool hidden = between.role == ir::TensorRole::kNative && !keep_.contains(between.name);
    return hidden && readers_[tensor].size() == 1 ? &graph_.nodes()[readers_[tensor][0]] : nullptr;
  }

  std::optional<Pair> pair_behind(const ir::Node& first) const {
    if (!is_convolution(first) || !is_own_constant(first.inputs[1])) return std::nullopt;
    const ir::Node* second = only_reader(first.outputs[0]);
    if (second != nullptr && second->type == "Relu") second = only_reader(second->outputs[0]);
    if (second == nullptr || !is_convolution(*second) || !is_own_constant(second->inputs[1]))
      return std::nullopt;
    Pair pair;
    pair.before = {first.inputs[1], 3};
    if (first.inputs.size() > 2 && first.inputs[2] != ir::kNoTensor) {
      pair.bias = first.inputs[2];
      if (!is_own_constant(pair.bias)) return std::nullopt;
    }
    // With groups or a depth multiplier, an input channel has no slice of the weights to itself.
    pair.after = {second->inputs[1], second->type == "Conv2d" ? 2U : 3U};
    const uint32_t channels = shape(pair.before)[pair.before.axis];
    if (shape(pair.after)[pair.after.axis] != channels) return std::nullopt;
    return pair;
  }

  const ir::Shape& shape(const Side& side) const { return graph_.tensors()[side.tensor].desc.shape; }

  std::vector<float>& values(TensorIndex tensor) {
    auto [found, is_new] = values_.try_emplace(tensor);
    if (is_new) {
      const std::span<const float> stated = floats_of(graph_.tensors()[tensor]);
      found->second.assign(stated.begin(), stated.end());
    }
    return found->second;
  }

  // Calls body(value, index on the axis) for every element.
  template <class Body>
  void each(const Side& side, const Body& body) {
    const uint64_t inner = elements_behind(shape(side), side.axis);
    const uint32_t extent = shape(side)[side.axis];
    std::vector<float>& elements = values(side.tensor);
    for (uint64_t i = 0; i < elements.size(); ++i) body(elements[i], i / inner % extent);
  }

  std::vector<double> ranges(const Side& side) {
    std::vector<double> largest(shape(side)[side.axis], 0.0);
    each(side, [&](float value, uint64_t channel) {
      largest[channel] = std::max(largest[channel], std::abs(static_cast<double>(value)));
    });
    return largest;
  }

  // Answers the largest factor that anything was scaled by.
  double balance(const Pair& pair) {
    const std::vector<double> before = ranges(pair.before);
    const std::vector<double> after = ranges(pair.after);
    std::vector<double> factors(before.size(), 1.0);
    double most = 1.0;
    for (size_t c = 0; c < factors.size(); ++c) {
      const double factor = std::sqrt(before[c] / after[c]);
      const bool usable = before[c] > 0.0 && after[c] > 0.0 && std::isfinite(factor) && factor > 0.0;
      if (!usable) continue;  // a channel that is all zero has no range to share
      factors[c] = factor;
      most = std::max({most, factor, 1.0 / factor});
    }
    scale(pair.before, factors, /*divide=*/true);
    if (pair.bias != ir::kNoTensor) scale({pair.bias, 0}, factors, /*divide=*/true);
    scale(pair.after, factors, /*divide=*/false);
    return most;
  }

  void scale(const Side& side, const std::vector<double>& factors, bool divide) {
    each(side, [&](float& value, uint64_t channel) {
      const double factor = divide ? 1.0 / factors[channel] : factors[channel];
      value = static_cast<float>(static_cast<double>(value) * factor);
    });
  }

  Result<ir::Graph> rebuilt() const {
    ir::Graph out(graph_.name());
    for (TensorIndex i = 0; i < graph_.tensors().size(); ++i) {
      ir::Tensor tensor = graph_.tensors()[i];
      if (const auto found = values_.find(i); found != values_.end()) {
        const auto bytes = std::as_bytes(std::span(found->second));
        tensor.data = ir::Blob::of({bytes.begin(), bytes.end()});
      }
      OPENQNN_TRY(out.add_tensor(std::move(tensor)));
    }
    for (const ir::Node& node : graph_.nodes()) OPENQNN_TRY(out.add_node(node));
    return out;
  }

  const ir::Graph& graph_;
  const std::set<std::string>& keep_;
  std::vector<std::vector<uint32_t>> readers_;        // nodes that take each tensor
  std::map<TensorIndex, std::vector<float>> values_;  // of the constants that are scaled
};

}  // namespace

Result<Equalized> equalize(const ir::Graph& graph, const std::set<std::string>& keep) {
  return Equalizer(graph, keep).run();
}

}  // namespace openqnn::quant
