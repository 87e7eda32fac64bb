// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstring>

#include "base/blob.h"
#include "base/text.h"
#include "tools/compose.h"
#include "tools/validator/probe.h"

namespace openqnn::tools::validator {
namespace {

constexpr uint32_t kSize = 4;
using Matrix = std::array<float, kSize * kSize>;

// Small whole numbers: exact in half floats, so that there is one right answer.
Matrix whole_numbers(int32_t step) {
  Matrix values = {};
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(static_cast<int32_t>(i * static_cast<size_t>(step)) % 7 - 3);
  return values;
}

// relu(a · b), said once more without the backend.
Matrix expected_of(const Matrix& a, const Matrix& b) {
  Matrix product = {};
  for (size_t row = 0; row < kSize; ++row)
    for (size_t column = 0; column < kSize; ++column) {
      float sum = 0.0F;
      for (size_t k = 0; k < kSize; ++k) sum += a[row * kSize + k] * b[k * kSize + column];
      product[row * kSize + column] = std::max(sum, 0.0F);
    }
  return product;
}

std::vector<std::byte> bytes_of(const Matrix& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Result<ir::TensorIndex> add(ir::Graph& graph, const char* name, ir::TensorRole role, const Blob& data = {}) {
  ir::Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.desc.type = ir::DataType::kFloat32;
  tensor.desc.shape = {kSize, kSize};
  tensor.desc.is_static = role == ir::TensorRole::kStatic;
  tensor.data = data;
  return graph.add_tensor(std::move(tensor));
}

Result<ir::Graph> make_graph(const Matrix& weights) {
  ir::Graph graph("platform_validator");
  OPENQNN_ASSIGN(const auto a, add(graph, "a", ir::TensorRole::kInput));
  OPENQNN_ASSIGN(const auto b, add(graph, "b", ir::TensorRole::kStatic, Blob::of(bytes_of(weights))));
  OPENQNN_ASSIGN(const auto product, add(graph, "product", ir::TensorRole::kNative));
  OPENQNN_ASSIGN(const auto positive, add(graph, "positive", ir::TensorRole::kOutput));
  OPENQNN_TRY(graph.add_node(
      {.name = "multiply", .type = "MatMul", .params = {}, .inputs = {a, b}, .outputs = {product}}));
  OPENQNN_TRY(graph.add_node(
      {.name = "relu", .type = "Relu", .params = {}, .inputs = {product}, .outputs = {positive}}));
  return graph;
}

}  // namespace

Status run_unit_test(Session& session) {
  Matrix a = whole_numbers(3);
  const Matrix b = whole_numbers(5);
  const Matrix expected = expected_of(a, b);
  OPENQNN_ASSIGN(const ir::Graph graph, make_graph(b));
  OPENQNN_TRY(session.create_context());
  OPENQNN_ASSIGN(const ComposedGraph composed, compose(session, graph));
  OPENQNN_TRY(session.finalize(composed.handle));

  Matrix answer = {};
  DescribedTensor in;
  DescribedTensor out;
  OPENQNN_TRY(describe(graph.tensors()[composed.inputs.at(0)], in));
  OPENQNN_TRY(describe(graph.tensors()[composed.outputs.at(0)], out));
  in.tensor.v1.id = composed.input_ids.at(0);
  out.tensor.v1.id = composed.output_ids.at(0);
  in.tensor.v1.clientBuf = {a.data(), sizeof(a)};
  out.tensor.v1.clientBuf = {answer.data(), sizeof(answer)};
  OPENQNN_TRY(session.execute(composed.handle, std::span(&in.tensor, 1), std::span(&out.tensor, 1)));
  for (size_t i = 0; i < answer.size(); ++i)
    if (answer[i] != expected[i])
      return invalid("unit-test",
                     concat("element ", i, " of the result is ", answer[i], ", not ", expected[i]));
  return {};
}

}  // namespace openqnn::tools::validator
