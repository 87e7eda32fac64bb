// SPDX-License-Identifier: BSD-3-Clause
// Models for the tests of advice, in a few fluent calls, and advice on them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "advise/advise.h"
#include "ir/graph.h"
#include "quant/plan.h"

namespace openqnn::advise {

struct Window {
  uint32_t filter = 3;
  uint32_t stride = 1;
  uint32_t groups = 1;
};

// A float graph. Constants are the same every time.
class ModelBuilder {
 public:
  using T = ir::TensorIndex;

  explicit ModelBuilder(std::string name = "model") : name_(std::move(name)) {}

  T input(const ir::Shape& shape) { return add("x", ir::TensorRole::kInput, shape); }
  T output(T tensor) {
    tensors_[tensor].role = ir::TensorRole::kOutput;
    return tensor;
  }
  T constant(const ir::Shape& shape, float low = -0.5F, float high = 0.5F);
  T node(const std::string& type, const std::vector<T>& inputs, const ir::Shape& shape,
         std::vector<ir::Param> params = {});

  T conv(T in, uint32_t channels, const Window& window = {});
  T unary(const std::string& type, T in) { return node(type, {in}, shape(in)); }
  T relu(T in) { return unary("Relu", in); }
  T clamp(T in);  // ReluMinMax to 0..6
  T binary(const std::string& type, T a, T b) { return node(type, {a, b}, shape(a)); }
  T matmul(T in, uint32_t columns);
  T matmul(T a, T b, bool transpose_b);
  T reshape(T in, const ir::Shape& to) { return node("Reshape", {in}, to); }
  T transpose(T in, const std::vector<uint32_t>& order);
  T concat_depth(T a, T b);
  T global_pool(T in);
  T layer_norm(T in);

  ir::Shape shape(T tensor) const { return tensors_[tensor].desc.shape; }
  ir::Tensor& tensor(T tensor) { return tensors_[tensor]; }
  ir::Graph build() const;  // fails the test when the graph is not legal

 private:
  T add(const std::string& name, ir::TensorRole role, const ir::Shape& shape);

  std::string name_;
  std::vector<ir::Tensor> tensors_;
  std::vector<ir::Node> nodes_;
};

ir::Param u32(const std::string& name, const ir::Shape& shape, const std::vector<uint32_t>& values);

quant::Options bits(uint32_t weights, uint32_t activations);
// With every tensor between -1 and 1.
ir::Graph quantized(const ir::Graph& graph, const quant::Options& options = bits(8, 8));

// The graph on SM8550, prepared with O 3, so that nothing is left to gain there.
prepare::Options best_options();
Given given_of(const ir::Graph& graph, const prepare::Options& options = best_options(),
               const std::string& soc = "SM8550");
std::vector<Finding> advice_on(const ir::Graph& graph);

std::vector<std::string> ids(const std::vector<Finding>& findings);
// Fails the test when there is none.
const Finding& finding(const std::vector<Finding>& findings, std::string_view id);
bool has(const std::vector<Finding>& findings, std::string_view id);

// ---- Models that are as they should be ----

ir::Graph clean_convnet();      // w8a8
ir::Graph clean_transformer();  // w8a8

}  // namespace openqnn::advise
