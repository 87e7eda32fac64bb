// SPDX-License-Identifier: BSD-3-Clause
#include "samples.h"

#include <algorithm>

namespace conformance {
namespace {

// A tensor whose numbers lie between low and high; low is 0 or negative.
Tensor number(std::string name, Qnn_TensorType_t role, Kind kind, std::vector<uint32_t> dims, float low,
              float high) {
  Tensor tensor{.name = std::move(name), .role = role, .dims = std::move(dims)};
  if (kind == Kind::kQuantized) {
    tensor.type = QNN_DATATYPE_UFIXED_POINT_8;
    const float scale = (high - low) / 255;
    tensor.encoding = {scale, static_cast<int32_t>(low / scale - 0.5F)};
  }
  return tensor;
}

Tensor constant(std::string name, Kind kind, std::vector<uint32_t> dims, uint32_t seed) {
  Tensor tensor = number(std::move(name), QNN_TENSOR_TYPE_STATIC, kind, std::move(dims), -1, 1);
  tensor.data = encode(tensor, noise(tensor.elements(), seed));
  return tensor;
}

// A bias counts the accumulator's units when the model is quantized.
Tensor bias(std::string name, Kind kind, uint32_t length, const Tensor& input, const Tensor& weight) {
  Tensor tensor{.name = std::move(name), .role = QNN_TENSOR_TYPE_STATIC, .dims = {length}};
  if (kind == Kind::kQuantized) {
    tensor.type = QNN_DATATYPE_SFIXED_POINT_32;
    tensor.encoding = {input.encoding.scale * weight.encoding.scale, 0};
  }
  tensor.data = encode(tensor, noise(length, 3));
  return tensor;
}

Sample with_noise(Model model) {
  Sample sample{std::move(model), {}};
  uint32_t seed = 100;
  for (const Tensor* input : sample.model.with_role(QNN_TENSOR_TYPE_APP_WRITE))
    sample.inputs[input->name] = encode(*input, noise(input->elements(), seed++));
  return sample;
}

std::string named(const char* base, Kind kind) {
  return std::string(base) + (kind == Kind::kFloat ? "_float" : "_ufixed8");
}

}  // namespace

Values noise(size_t count, uint32_t seed) {
  Values values(count);
  uint32_t state = seed * 2654435761U + 12345;
  std::generate(values.begin(), values.end(), [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / (1 << 23) - 1;
  });
  return values;
}

Sample conv_relu_pool(Kind kind, uint32_t size, uint32_t channels, uint32_t filters, uint32_t weight_seed) {
  const Tensor input = number("image", QNN_TENSOR_TYPE_APP_WRITE, kind, {1, size, size, channels}, -1, 1);
  const Tensor weight = constant("filter", kind, {3, 3, channels, filters}, weight_seed);
  const std::vector<uint32_t> full = {1, size, size, filters};
  const std::vector<uint32_t> half = {1, size / 2, size / 2, filters};
  Model model{.name = named("conv_relu_pool", kind)};
  model.tensors = {input,
                   weight,
                   bias("bias", kind, filters, input, weight),
                   number("conv_out", QNN_TENSOR_TYPE_NATIVE, kind, full, -6, 6),
                   number("relu_out", QNN_TENSOR_TYPE_NATIVE, kind, full, 0, 6),
                   number("features", QNN_TENSOR_TYPE_APP_READ, kind, half, 0, 6)};
  model.nodes = {{.name = "conv",
                  .type = QNN_OP_CONV_2D,
                  .params = {numbers(QNN_OP_CONV_2D_PARAM_STRIDE, {2}, {1, 1}),
                             numbers(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT, {2, 2}, {1, 1, 1, 1})},
                  .inputs = {"image", "filter", "bias"},
                  .outputs = {"conv_out"}},
                 {.name = "relu", .type = QNN_OP_RELU, .inputs = {"conv_out"}, .outputs = {"relu_out"}},
                 {.name = "pool",
                  .type = QNN_OP_POOL_MAX_2D,
                  .params = {numbers(QNN_OP_POOL_MAX_2D_PARAM_FILTER_SIZE, {2}, {2, 2}),
                             numbers(QNN_OP_POOL_MAX_2D_PARAM_STRIDE, {2}, {2, 2}),
                             numbers(QNN_OP_POOL_MAX_2D_PARAM_PAD_AMOUNT, {2, 2}, {0, 0, 0, 0})},
                  .inputs = {"relu_out"},
                  .outputs = {"features"}}};
  return with_noise(std::move(model));
}

Sample add(Kind kind) {
  Model model{.name = named("add", kind)};
  model.tensors = {number("left", QNN_TENSOR_TYPE_APP_WRITE, kind, {1, 4, 4, 8}, -1, 1),
                   number("right", QNN_TENSOR_TYPE_APP_WRITE, kind, {8}, -1.5F, 1.5F),
                   number("sum", QNN_TENSOR_TYPE_APP_READ, kind, {1, 4, 4, 8}, -2, 2)};
  model.nodes = {
      {.name = "add", .type = QNN_OP_ELEMENT_WISE_ADD, .inputs = {"left", "right"}, .outputs = {"sum"}}};
  return with_noise(std::move(model));
}

Sample matmul_softmax(Kind kind) {
  Model model{.name = named("matmul_softmax", kind)};
  Tensor probabilities = number("probabilities", QNN_TENSOR_TYPE_APP_READ, kind, {4, 10}, 0, 1);
  if (kind == Kind::kQuantized) probabilities.encoding = {1.0F / 256, 0};
  model.tensors = {number("rows", QNN_TENSOR_TYPE_APP_WRITE, kind, {4, 16}, -1, 1),
                   constant("columns", kind, {16, 10}, 5),
                   number("logits", QNN_TENSOR_TYPE_NATIVE, kind, {4, 10}, -5, 5), probabilities};
  model.nodes = {{.name = "product",
                  .type = QNN_OP_MAT_MUL,
                  .params = {flag(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0, false),
                             flag(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1, false)},
                  .inputs = {"rows", "columns"},
                  .outputs = {"logits"}},
                 {.name = "softmax",
                  .type = QNN_OP_SOFTMAX,
                  .params = {scalar(QNN_OP_SOFTMAX_PARAM_AXIS, 1U), scalar(QNN_OP_SOFTMAX_PARAM_BETA, 1.0F)},
                  .inputs = {"logits"},
                  .outputs = {"probabilities"}}};
  return with_noise(std::move(model));
}

Sample add_chain(Kind kind, uint32_t rows, uint32_t length) {
  const std::vector<uint32_t> dims = {rows, 1024};
  Model model{.name = named("add_chain", kind)};
  model.tensors = {number("link0", QNN_TENSOR_TYPE_APP_WRITE, kind, dims, -1, 1),
                   number("step", QNN_TENSOR_TYPE_APP_WRITE, kind, dims, -1, 1)};
  for (uint32_t i = 1; i <= length; ++i) {
    const std::string name = "link" + std::to_string(i);
    const auto reach = static_cast<float>(i + 1);
    const Qnn_TensorType_t role = i == length ? QNN_TENSOR_TYPE_APP_READ : QNN_TENSOR_TYPE_NATIVE;
    model.tensors.push_back(number(name, role, kind, dims, -reach, reach));
    model.nodes.push_back({.name = "add" + std::to_string(i),
                           .type = QNN_OP_ELEMENT_WISE_ADD,
                           .inputs = {"link" + std::to_string(i - 1), "step"},
                           .outputs = {name}});
  }
  return with_noise(std::move(model));
}

std::vector<Sample> all_samples(Kind kind) { return {conv_relu_pool(kind), add(kind), matmul_softmax(kind)}; }

std::string kind_name(const ::testing::TestParamInfo<Kind>& info) {
  return info.param == Kind::kFloat ? "Float" : "Ufixed8";
}

}  // namespace conformance
