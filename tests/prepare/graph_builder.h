// SPDX-License-Identifier: BSD-3-Clause
// Graphs for the tests, in a few fluent calls:
//
//   GraphBuilder g(kFloat32);
//   const auto x = g.input({1, 16, 16, 32});
//   g.output(g.relu(g.conv(x, 64)));
//   prepare(g.build(), …)
//
// Static values are random but always the same; encodings differ between tensors, so that an op that forgets
// to requantize is seen.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ir/graph.h"

namespace openqnn::prepare {

using ir::DataType::kFloat16;
using ir::DataType::kFloat32;
using ir::DataType::kUfixed8;

struct ConvShape {
  uint32_t filter = 3;
  uint32_t stride = 1;
  uint32_t pad = 1;
  uint32_t dilation = 1;
};

class GraphBuilder {
 public:
  using T = ir::TensorIndex;

  // `type` is that of every activation: kFloat32, kFloat16 or kUfixed8.
  explicit GraphBuilder(ir::DataType type, std::string name = "g", uint32_t seed = 1)
      : type_(type), name_(std::move(name)), random_(seed) {}

  T input(const ir::Shape& shape) { return add_activation("in", shape, ir::TensorRole::kInput); }
  // Marks a tensor as one that the client reads.
  T output(T tensor) {
    tensors_[tensor].role = ir::TensorRole::kOutput;
    return tensor;
  }

  T conv(T in, uint32_t channels, const ConvShape& shape = {});
  T conv(T in, T weights, T bias, const ConvShape& shape = {});
  T relu(T in);
  T unary(const std::string& type, T in);  // any op of one input that keeps the shape
  T neuron(T in, uint32_t operation);      // ElementWiseNeuron
  T binary(T a, T b, uint32_t operation);  // ElementWiseBinary
  T add(T a, T b);
  T multiply(T a, T b);
  T pool(T in, const ConvShape& shape = {.filter = 2, .stride = 2, .pad = 0});
  T matmul(T in, uint32_t columns);  // by static weights
  T matmul(T a, T b, bool transpose_b);
  T softmax(T in);
  std::vector<T> split(T in, uint32_t axis, const std::vector<uint32_t>& starts);
  T concat(const std::vector<T>& pieces, uint32_t axis) { return join("Concat", pieces, axis); }
  T join(const std::string& type, const std::vector<T>& pieces, uint32_t axis);  // Concat or Pack
  std::pair<T, T> top_k(T in, uint32_t k);                                       // values and their indices
  T gather(T table, uint32_t rows);      // `rows` rows of the table, by static indices
  T to_sparse(T rows, uint32_t height);  // a sparse tensor of `height` rows, these at places spread over it
  T to_dense(T sparse);
  T buffer(T frames, uint32_t size, uint32_t mode);  // along dimension 0

  // Static operands, for graphs that share them. A bias may be kNoTensor.
  T weights(const ir::Shape& shape);
  T bias(uint32_t channels);
  T constant(const ir::Shape& shape);  // an operand of add

  const ir::Shape& shape(T tensor) const { return tensors_[tensor].desc.shape; }
  ir::Tensor& tensor(T tensor) { return tensors_[tensor]; }
  ir::Graph build() const;  // fails the test when the graph is not legal

 private:
  T add_activation(const std::string& name, const ir::Shape& shape,
                   ir::TensorRole role = ir::TensorRole::kNative);
  T add_static(const std::string& name, const ir::TensorDesc& desc);
  T add_node(const std::string& type, std::vector<T> inputs, const ir::Shape& output,
             std::vector<ir::Param> params = {});
  void add_call(const std::string& type, std::vector<T> inputs, std::vector<T> outputs,
                std::vector<ir::Param> params);
  // An activation with the encoding of another.
  T add_like(T other, const ir::Shape& shape);
  bool is_quantized() const { return ir::is_quantized(type_); }

  const ir::DataType type_;
  const std::string name_;
  std::mt19937 random_;
  std::vector<ir::Tensor> tensors_;
  std::vector<ir::Node> nodes_;
};

// A legal graph of about `ops` nodes with branches, residual additions and several outputs; the same for the
// same seed.
ir::Graph random_graph(uint32_t seed, ir::DataType type, size_t ops);

// Relu after relu, `ops` times.
ir::Graph chain(size_t ops, const ir::Shape& shape = {1, 8, 8, 32}, ir::DataType type = kUfixed8);

}  // namespace openqnn::prepare
