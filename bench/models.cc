// SPDX-License-Identifier: BSD-3-Clause
#include "models.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "prepare/prepare.h"
#include "soc/target.h"

namespace openqnn::bench {
namespace {

constexpr uint32_t kSide = 16;
constexpr uint32_t kChannels = 32;

ir::TensorIndex add(ir::Graph& graph, ir::Tensor tensor) {
  auto index = graph.add_tensor(std::move(tensor));
  if (!index) {
    std::fprintf(stderr, "%s\n", index.error().to_string().c_str());
    std::exit(1);
  }
  return *index;
}

ir::Tensor activation(std::string name, ir::TensorRole role) {
  return {std::move(name),
          role,
          {ir::DataType::kUfixed8, {1, kSide, kSide, kChannels}, ir::Quantization::per_tensor(0.05F, -128)},
          nullptr};
}

ir::Tensor weights(std::string name, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> data(3 * 3 * kChannels * kChannels);
  for (std::byte& value : data) value = static_cast<std::byte>(random());
  return {std::move(name),
          ir::TensorRole::kStatic,
          {ir::DataType::kSfixed8, {3, 3, kChannels, kChannels}, ir::Quantization::per_tensor(0.01F, 0)},
          std::make_shared<const std::vector<std::byte>>(std::move(data))};
}

ir::Param u32_param(std::string name, ir::Shape shape, const std::vector<uint32_t>& values) {
  ir::Param param{std::move(name), ir::DataType::kUint32, shape, std::vector<std::byte>(values.size() * 4)};
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

void require(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
  std::exit(1);
}

}  // namespace

ir::Graph conv_chain(uint32_t length) {
  ir::Graph graph("chain");
  ir::TensorIndex current = add(graph, activation("input", ir::TensorRole::kInput));
  for (uint32_t i = 0; i < length; ++i) {
    const std::string n = std::to_string(i);
    const ir::TensorIndex weight = add(graph, weights("w" + n, i));
    const ir::TensorIndex sum = add(graph, activation("c" + n, ir::TensorRole::kNative));
    const bool last = i + 1 == length;
    const ir::TensorIndex out =
        add(graph, activation("r" + n, last ? ir::TensorRole::kOutput : ir::TensorRole::kNative));
    ir::Node conv{.name = "conv" + n, .type = "Conv2d", .inputs = {current, weight}, .outputs = {sum}};
    conv.params.add(u32_param("stride", {2}, {1, 1}));
    conv.params.add(u32_param("pad_amount", {2, 2}, {1, 1, 1, 1}));
    require(graph.add_node(std::move(conv)));
    require(graph.add_node({.name = "relu" + n, .type = "Relu", .inputs = {sum}, .outputs = {out}}));
    current = out;
  }
  return graph;
}

program::ProgramSet prepared_chain(uint32_t length) {
  const auto target = soc::target_by_chipset("SM8650");
  auto set = prepare::prepare(conv_chain(length), *target, {}, {});
  if (!set) {
    std::fprintf(stderr, "%s\n", set.error().to_string().c_str());
    std::exit(1);
  }
  return *std::move(set);
}

}  // namespace openqnn::bench
