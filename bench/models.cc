// SPDX-License-Identifier: BSD-3-Clause
#include "models.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/half.h"
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

ir::Tensor activation(std::string name, ir::TensorRole role, const ir::Shape& shape) {
  return {std::move(name),
          role,
          {ir::DataType::kUfixed8, shape, ir::Quantization::per_tensor(0.05F, -128)},
          nullptr};
}

ir::Tensor weights(std::string name, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> data(3 * 3 * kChannels * kChannels);
  for (std::byte& value : data) value = static_cast<std::byte>(random());
  return {std::move(name),
          ir::TensorRole::kStatic,
          {ir::DataType::kSfixed8, {3, 3, kChannels, kChannels}, ir::Quantization::per_tensor(0.01F, 0)},
          Blob::of(std::move(data))};
}

ir::Param u32_param(std::string name, ir::Shape shape, const std::vector<uint32_t>& values) {
  ir::Param param{std::move(name), ir::DataType::kUint32, shape, std::vector<std::byte>(values.size() * 4)};
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

template <class T>
ir::Param scalar_param(std::string name, ir::DataType type, T value) {
  ir::Param param{std::move(name), type, {}, std::vector<std::byte>(sizeof(value))};
  std::memcpy(param.data.data(), &value, sizeof(value));
  return param;
}

void require(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
  std::exit(1);
}

ir::Graph chain_on(const ir::Shape& image, uint32_t length) {
  ir::Graph graph("chain");
  ir::TensorIndex current = add(graph, activation("input", ir::TensorRole::kInput, image));
  for (uint32_t i = 0; i < length; ++i) {
    const std::string n = std::to_string(i);
    const ir::TensorIndex weight = add(graph, weights("w" + n, i));
    const ir::TensorIndex sum = add(graph, activation("c" + n, ir::TensorRole::kNative, image));
    const bool last = i + 1 == length;
    const ir::TensorIndex out =
        add(graph, activation("r" + n, last ? ir::TensorRole::kOutput : ir::TensorRole::kNative, image));
    ir::Node conv{.name = "conv" + n, .type = "Conv2d", .inputs = {current, weight}, .outputs = {sum}};
    conv.params.add(u32_param("stride", {2}, {1, 1}));
    conv.params.add(u32_param("pad_amount", {2, 2}, {1, 1, 1, 1}));
    require(graph.add_node(std::move(conv)));
    require(graph.add_node({.name = "relu" + n, .type = "Relu", .inputs = {sum}, .outputs = {out}}));
    current = out;
  }
  return graph;
}

}  // namespace

ir::Graph conv_chain(uint32_t length) { return chain_on({1, kSide, kSide, kChannels}, length); }

ir::Graph tall_image(uint32_t rows) {
  constexpr uint32_t kColumns = 256;
  return chain_on({1, rows, kColumns, kChannels}, 2);
}

ir::Graph wide_concat(uint32_t inputs) {
  constexpr uint32_t kRows = 2;
  constexpr uint32_t kColumns = 8;
  ir::Graph graph("concat");
  ir::Node concat{.name = "concat", .type = "Concat"};
  for (uint32_t i = 0; i < inputs; ++i)
    concat.inputs.push_back(add(graph, {"t" + std::to_string(i),
                                        ir::TensorRole::kInput,
                                        {ir::DataType::kInt32, {kRows, kColumns}, {}},
                                        nullptr}));
  concat.outputs.push_back(
      add(graph,
          {"out", ir::TensorRole::kOutput, {ir::DataType::kInt32, {kRows * inputs, kColumns}, {}}, nullptr}));
  concat.params.add(u32_param("axis", {}, {0}));
  require(graph.add_node(std::move(concat)));
  return graph;
}

program::ProgramSet prepared(const ir::Graph& graph) {
  const auto target = soc::target_by_chipset("SM8650");
  auto set = prepare::prepare(graph, *target, {}, {});
  if (!set) {
    std::fprintf(stderr, "%s\n", set.error().to_string().c_str());
    std::exit(1);
  }
  return *std::move(set);
}

// ---- Kernels ----

KernelCall& KernelCall::input(ir::DataType type, const ir::Shape& shape, int32_t integer) {
  Buffer buffer{{type, shape, {}}, {}};
  buffer.data.resize(ir::plain_bytes(buffer.desc));
  for (uint64_t i = 0; i < shape.elements(); ++i) {
    const Half half = to_half(1.0 + static_cast<double>(i % 1000));
    if (type == ir::DataType::kFloat16)
      std::memcpy(&buffer.data[i * sizeof(half.bits)], &half.bits, sizeof(half.bits));
    else
      std::memcpy(&buffer.data[i * sizeof(integer)], &integer, sizeof(integer));
  }
  inputs_.push_back(std::move(buffer));
  return *this;
}

KernelCall& KernelCall::output(ir::DataType type, const ir::Shape& shape) {
  Buffer buffer{{type, shape, {}}, {}};
  buffer.data.resize(ir::plain_bytes(buffer.desc));
  outputs_.push_back(std::move(buffer));
  return *this;
}

void KernelCall::run() {
  ops::OpCall call;
  call.params = &params_;
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out;
  for (Buffer& buffer : inputs_) call.inputs.push_back(&buffer.desc), in.push_back(buffer.data.data());
  for (Buffer& buffer : outputs_) call.outputs.push_back(&buffer.desc), out.push_back(buffer.data.data());
  require(ops::validate_prepared(*op_, call));
  ops::run_alone(*op_, ops::choose_kernel(*op_, call), {call, in, out}, ir::Box::whole(call.out().shape));
}

KernelCall limited_boxes(uint32_t classes) {
  constexpr uint32_t kRegions = 10;
  constexpr uint32_t kRows = 50;
  const auto half = ir::DataType::kFloat16;
  const auto integer = ir::DataType::kInt32;
  ir::Params params;
  params.add(scalar_param("nms_kernel_method", integer, int32_t{0}));
  params.add(scalar_param("nms_score_threshold", ir::DataType::kFloat32, 0.0F));
  params.add(scalar_param("iou_threshold", ir::DataType::kFloat32, 0.5F));
  params.add(scalar_param("sigma", ir::DataType::kFloat32, 1.0F));
  KernelCall call("BoxWithNmsLimit", std::move(params));
  call.input(half, {kRegions, classes * 4}).input(half, {kRegions, classes}).input(integer, {kRegions});
  call.output(half, {kRows, 4}).output(half, {kRows}).output(integer, {kRows}).output(integer, {kRows});
  return call;
}

KernelCall masked_rows(uint32_t sequences) {
  const ir::Shape scores = {1, 4, 32, 32};
  ir::Params params;
  params.add(u32_param("mode", {}, {1}));
  KernelCall call("MaskedSoftmax", std::move(params));
  call.input(ir::DataType::kFloat16, scores).input(ir::DataType::kInt32, {1, sequences});
  call.output(ir::DataType::kFloat16, scores);
  return call;
}

}  // namespace openqnn::bench
