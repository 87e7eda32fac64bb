// SPDX-License-Identifier: BSD-3-Clause
#include "advise/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "advise/advise.h"
#include "ops/op.h"
#include "quant/calibrate.h"
#include "quant/quantize.h"

namespace openqnn::advise {

using T = ModelBuilder::T;

ir::Param u32(const std::string& name, const ir::Shape& shape, const std::vector<uint32_t>& values) {
  ir::Param param{name, ir::DataType::kUint32, shape, {}};
  param.data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

T ModelBuilder::add(const std::string& name, ir::TensorRole role, const ir::Shape& shape) {
  ir::Tensor made;
  made.name = name + std::to_string(tensors_.size());
  made.role = role;
  made.desc.type = ir::DataType::kFloat32;
  made.desc.shape = shape;
  tensors_.push_back(std::move(made));
  return static_cast<T>(tensors_.size() - 1);
}

T ModelBuilder::constant(const ir::Shape& shape, float low, float high) {
  const T made = add("k", ir::TensorRole::kStatic, shape);
  std::mt19937 random(made);
  std::uniform_real_distribution<float> values(low, high);
  std::vector<std::byte> data(shape.elements() * sizeof(float));
  for (size_t i = 0; i < data.size(); i += sizeof(float)) {
    const float value = values(random);
    std::memcpy(data.data() + i, &value, sizeof value);
  }
  tensors_[made].data = ir::Blob::of(std::move(data));
  tensors_[made].desc.is_static = true;
  return made;
}

T ModelBuilder::node(const std::string& type, const std::vector<T>& inputs, const ir::Shape& shape,
                     std::vector<ir::Param> params) {
  const T out = add("t", ir::TensorRole::kNative, shape);
  ir::Node made{type + std::to_string(nodes_.size()), type, {}, inputs, {out}};
  for (ir::Param& param : params) made.params.add(std::move(param));
  nodes_.push_back(std::move(made));
  return out;
}

T ModelBuilder::conv(T in, uint32_t channels, const Window& window) {
  const ir::Shape from = shape(in);
  const uint32_t pad = window.filter / 2;
  const T weights = constant({window.filter, window.filter, from[3] / window.groups, channels});
  const T bias = constant({channels});
  const auto out = [&](uint32_t extent) { return (extent + 2 * pad - window.filter) / window.stride + 1; };
  return node("Conv2d", {in, weights, bias}, {from[0], out(from[1]), out(from[2]), channels},
              {u32("stride", {2}, {window.stride, window.stride}),
               u32("pad_amount", {2, 2}, {pad, pad, pad, pad}), u32("group", {}, {window.groups})});
}

T ModelBuilder::clamp(T in) {
  const auto bound = [](const std::string& name, float value) {
    ir::Param param{name, ir::DataType::kFloat32, {}, std::vector<std::byte>(sizeof value)};
    std::memcpy(param.data.data(), &value, sizeof value);
    return param;
  };
  return node("ReluMinMax", {in}, shape(in), {bound("min_value", 0.0F), bound("max_value", 6.0F)});
}

T ModelBuilder::matmul(T in, uint32_t columns) {
  return matmul(in, constant({shape(in).from_end(0), columns}), false);
}

T ModelBuilder::matmul(T a, T b, bool transpose_b) {
  ir::Shape out = shape(a);
  out[out.rank() - 1] = shape(b).from_end(transpose_b ? 1 : 0);
  return node("MatMul", {a, b}, out,
              {{"transpose_in1", ir::DataType::kBool8, {}, {static_cast<std::byte>(transpose_b)}}});
}

T ModelBuilder::transpose(T in, const std::vector<uint32_t>& order) {
  ir::Shape out = shape(in);
  for (size_t i = 0; i < order.size(); ++i) out[i] = shape(in)[order[i]];
  return node("Transpose", {in}, out, {u32("perm", {static_cast<uint32_t>(order.size())}, order)});
}

T ModelBuilder::concat_depth(T a, T b) {
  ir::Shape out = shape(a);
  out[3] += shape(b)[3];
  return node("Concat", {a, b}, out, {u32("axis", {}, {3})});
}

T ModelBuilder::global_pool(T in) {
  const ir::Shape from = shape(in);
  return node("PoolAvg2d", {in}, {from[0], 1, 1, from[3]},
              {u32("filter_size", {2}, {from[1], from[2]}), u32("stride", {2}, {1, 1}),
               u32("pad_amount", {2, 2}, {0, 0, 0, 0})});
}

T ModelBuilder::layer_norm(T in) {
  const uint32_t depth = shape(in).from_end(0);
  const auto last = static_cast<uint32_t>(shape(in).rank() - 1);
  return node("LayerNorm", {in, constant({depth}), constant({depth})}, shape(in), {u32("axes", {1}, {last})});
}

ir::Graph ModelBuilder::build() const {
  ir::Graph graph(name_);
  for (const ir::Tensor& tensor : tensors_) {
    const auto added = graph.add_tensor(tensor);
    if (!added) ADD_FAILURE() << added.error().to_string();
  }
  for (const ir::Node& node : nodes_) {
    if (Status status = graph.add_node(node); !status) ADD_FAILURE() << status.error().to_string();
    if (Status status = ops::validate(node.type, ops::call_of(graph, node)); !status)
      ADD_FAILURE() << status.error().to_string();
  }
  return graph;
}

// ---- Advice ----

quant::Options bits(uint32_t weights, uint32_t activations) {
  quant::Options options;
  options.weight_bits = weights;
  options.activation_bits = activations;
  if (weights == 16) options.weight_steps = quant::Steps{-0x8000, 0x7F7F};
  return options;
}

ir::Graph quantized(const ir::Graph& graph, const quant::Options& options) {
  const auto plan = quant::make_plan(graph, quant::assumed_observations(graph), {}, options);
  if (!plan) {
    ADD_FAILURE() << plan.error().to_string();
    return graph;
  }
  auto made = quant::apply(graph, *plan, options);
  if (!made) ADD_FAILURE() << made.error().to_string();
  return made ? *std::move(made) : graph;
}

prepare::Options best_options() {
  prepare::Options options;
  options.optimization = 3;
  options.vtcm_bytes = 0;
  options.hvx_threads = 0;
  return options;
}

Given given_of(const ir::Graph& graph, const prepare::Options& options, const std::string& soc) {
  Given given;
  given.target = soc::target_by_chipset(soc).value();
  given.graph = &graph;
  given.options = options;
  auto made = timed(graph, given.target, options, Logger());
  if (!made) {
    ADD_FAILURE() << made.error().to_string();
    return given;
  }
  given.timed = *std::move(made);
  return given;
}

std::vector<Finding> advice_on(const ir::Graph& graph) { return advise(given_of(graph)); }

std::vector<std::string> ids(const std::vector<Finding>& findings) {
  std::vector<std::string> made;
  for (const Finding& one : findings) made.push_back(one.id);
  return made;
}

bool has(const std::vector<Finding>& findings, std::string_view id) {
  return std::ranges::find(findings, id, &Finding::id) != findings.end();
}

const Finding& finding(const std::vector<Finding>& findings, std::string_view id) {
  static const Finding none;
  const auto found = std::ranges::find(findings, id, &Finding::id);
  if (found != findings.end()) return *found;
  ADD_FAILURE() << "no " << id << " among " << testing::PrintToString(ids(findings));
  return none;
}

// ---- Clean models ----

ir::Graph clean_convnet() {
  ModelBuilder m("convnet");
  T last = m.relu(m.conv(m.input({1, 224, 224, 3}), 32, {.stride = 2}));
  for (int i = 0; i < 3; ++i) last = m.relu(m.conv(last, 64));
  last = m.relu(m.conv(last, 128, {.stride = 2}));
  for (int i = 0; i < 3; ++i) last = m.relu(m.conv(last, 128));
  m.output(m.matmul(m.reshape(m.global_pool(last), {1, 128}), 64));
  return quantized(m.build());
}

ir::Graph clean_transformer() {
  constexpr uint32_t kRows = 128;
  constexpr uint32_t kDepth = 256;
  constexpr uint32_t kHeads = 4;
  ModelBuilder m("transformer");
  const T x = m.input({1, kRows, kDepth});
  const T normed = m.layer_norm(x);
  const auto head = [&] {
    return m.transpose(m.reshape(m.matmul(normed, kDepth), {1, kRows, kHeads, kDepth / kHeads}),
                       {0, 2, 1, 3});
  };
  const T q = head();
  const T k = head();
  const T v = head();
  const T mixed = m.matmul(m.unary("Softmax", m.matmul(q, k, true)), v, false);
  const T joined = m.reshape(m.transpose(mixed, {0, 2, 1, 3}), {1, kRows, kDepth});
  const T residual = m.binary("ElementWiseAdd", x, m.matmul(joined, kDepth));
  const T wide = m.relu(m.matmul(m.layer_norm(residual), 4 * kDepth));
  m.output(m.binary("ElementWiseAdd", residual, m.matmul(wide, kDepth)));
  return quantized(m.build());
}

}  // namespace openqnn::advise
