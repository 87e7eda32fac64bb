// SPDX-License-Identifier: BSD-3-Clause
// Small graphs for the quantizer, and how far what it makes of them is from single precision:
//
//   Model model;
//   const auto x = model.input("x", {4, 8});
//   model.output("ElementWisePower", {x, model.constant("c", {1}, {3.0F})}, "y", {4, 8});
//   EXPECT_GT(measured(model, {}).sqnr, 30.0);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "quant/plan.h"

namespace openqnn::quant {

class Model {
 public:
  using T = ir::TensorIndex;

  // Integers are drawn from 0 to `most`, floats from a normal distribution.
  T input(const std::string& name, const ir::Shape& shape, ir::DataType type = ir::DataType::kFloat32,
          uint32_t most = 1);
  T constant(const std::string& name, const ir::Shape& shape, const std::vector<float>& values);
  // A node with one output, which the client reads or not.
  T node(const std::string& op, std::vector<T> inputs, const std::string& name, const ir::Shape& shape,
         ir::DataType type = ir::DataType::kFloat32);
  T output(const std::string& op, std::vector<T> inputs, const std::string& name, const ir::Shape& shape,
           ir::DataType type = ir::DataType::kFloat32, ir::Params params = {});

  const ir::Graph& graph() const { return graph_; }
  // Always the same for the same number.
  std::map<T, std::vector<std::byte>> sample(uint32_t number) const;

 private:
  T add(const std::string& op, std::vector<T> inputs, ir::Tensor output, ir::Params params = {});

  ir::Graph graph_{"model"};
  std::map<T, uint32_t> most_;
};

struct Measured {
  ir::Graph graph;              // quantized
  double sqnr = 0;              // of its last float output, in decibels
  uint64_t wrong_integers = 0;  // in all outputs that are integers
  std::vector<std::string> ops() const;
};
Measured measured(const Model& model, const Options& options, const ir::TensorEncodings& overrides = {});

}  // namespace openqnn::quant
