// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices.
#include "frontend/onnx/rules/matrix.h"

#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostMatMulDimensions = 4;  // that the backend's MatMul takes
constexpr std::string_view kMatMulWithBias = "openqnn.MatMulWithBias";

// ---- MatMul ----

// A vector is a row on the left and a column on the right.
Dims as_left(Dims dims) {
  if (dims.size() == 1) dims.insert(dims.begin(), 1);
  return dims;
}
Dims as_right(Dims dims) {
  if (dims.size() == 1) dims.push_back(1);
  return dims;
}

// With the dimensions that vectors were given above; nothing when the operands do not fit.
std::optional<Dims> product_dims(const Dims& a, const Dims& b) {
  if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) return std::nullopt;
  auto dims = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  if (!dims) return std::nullopt;
  dims->push_back(a[a.size() - 2]);
  dims->push_back(b.back());
  return dims;
}

Status infer_matmul(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  auto dims = product_dims(as_left(node.dims(0)), as_right(node.dims(1)));
  if (!dims)
    return node.wrong(
        concat("matrices ", text_of(node.dims(0)), " and ", text_of(node.dims(1)), " cannot be multiplied"));
  if (node.rank(1) == 1) dims->pop_back();
  if (node.rank(0) == 1) dims->erase(dims->end() - (node.rank(1) == 1 ? 1 : 2));
  return node.set(0, node.type(0), std::move(*dims));
}

// Products of constants prepare weights; what is larger is left to the backend.
constexpr uint64_t kMostFoldedProducts = uint64_t{1} << 26;

Status fold_matmul(Inference& node) {
  const Constant& a = *node.constant(0);
  const Constant& b = *node.constant(1);
  if (a.dims().size() != 2 || b.dims().size() != 2 || !is_real(node.type(0))) return {};
  const auto rows = static_cast<uint64_t>(a.dims()[0]);
  const auto inner = static_cast<uint64_t>(a.dims()[1]);
  const auto columns = static_cast<uint64_t>(b.dims()[1]);
  if (rows * columns > kMostFoldedProducts / std::max<uint64_t>(inner, 1)) return {};
  ConstantBuilder out(node.type(0), node.out_dims(0));
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint64_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (uint64_t k = 0; k < inner; ++k) sum += a.real(r * inner + k) * b.real(k * columns + c);
      out.put(r * columns + c, sum);
    }
  }
  return node.set(0, out.take());
}

Order last_two_swapped(size_t rank) {
  Order order = plain_order(rank);
  if (rank >= 2) std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

// A matrix that is at hand with its last two dimensions swapped is taken as it lies.
struct MatrixOperand {
  TensorRef tensor;
  bool transposed;
};

MatrixOperand matrix_operand(Lowering& node, size_t input) {
  const size_t rank = node.rank(input);
  const Order swapped = last_two_swapped(rank);
  if (rank >= 2 && node.order_at_hand(input) == swapped) return {node.input(input, swapped), true};
  return {node.input(input), false};
}

// A product with static weights and two dimensions is what the backend calls fully connected. With more it
// stays a MatMul (ours): a FullyConnected would need a Reshape on both sides.
bool is_fully_connected(const Lowering& node) {
  return node.rank(0) == 2 && node.rank(1) == 2 && node.constant(1) != nullptr && is_real(node.in(1).type);
}

// The fusion matmul_bias gives a constant with one number per column; no MatMul of ONNX's has one.
TensorRef bias_of(Lowering& node) {
  if (node.node().type != kMatMulWithBias) return kNoTensorRef;
  return node.reshape(node.input(2), {node.dims(2).back()});
}

Status lower_matmul(Lowering& node) {
  const TensorRef bias = bias_of(node);
  if (is_fully_connected(node)) {
    return node.result(node.emit("FullyConnected", {node.input(0), node.input(1, {1, 0}), bias}, {},
                                 node.out_type(), node.out().dims));
  }
  MatrixOperand a = matrix_operand(node, 0);
  MatrixOperand b = matrix_operand(node, 1);
  if (node.rank(0) == 1) a.tensor = node.reshape(a.tensor, as_left(node.dims(0)));
  if (node.rank(1) == 1) b.tensor = node.reshape(b.tensor, as_right(node.dims(1)));
  const TensorRef y = product(node, a.tensor, a.transposed, b.tensor, b.transposed, bias);
  return node.result(node.reshape(y, node.out().dims));
}

// ---- Gemm ----

struct Gemm {
  double alpha;
  double beta;
  bool transposes_a;
  bool transposes_b;

  explicit Gemm(const Attributes& attributes)
      : alpha(attributes.real("alpha", 1)),
        beta(attributes.real("beta", 1)),
        transposes_a(attributes.integer("transA", 0) != 0),
        transposes_b(attributes.integer("transB", 0) != 0) {}
};

Status infer_gemm(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Gemm gemm(node.attributes());
  Dims a = node.dims(0);
  Dims b = node.dims(1);
  if (a.size() != 2 || b.size() != 2) return node.wrong("its operands are no matrices");
  if (gemm.transposes_a) std::swap(a[0], a[1]);
  if (gemm.transposes_b) std::swap(b[0], b[1]);
  const auto dims = product_dims(a, b);
  if (!dims) return node.wrong(concat("matrices ", text_of(a), " and ", text_of(b), " cannot be multiplied"));
  if (node.has(2) && broadcast(node.dims(2), *dims) != dims)
    return node.wrong(concat("C ", text_of(node.dims(2)), " does not fit the product ", text_of(*dims)));
  return node.set(0, node.type(0), *dims);
}

Constant scaled(const Constant& values, double factor) {
  ConstantBuilder out(values.type(), values.dims());
  for (uint64_t i = 0; i < values.count(); ++i) out.put(i, values.real(i) * factor);
  return out.take();
}

// C as one number per column, when it is a constant that does not differ by row.
std::optional<Constant> column_bias(const Lowering& node, double beta) {
  const Constant* c = node.constant(2);
  if (c == nullptr) return std::nullopt;
  const Dims& dims = c->dims();
  const int64_t columns = node.out().dims[1];
  if (dims.size() == 2 && dims[0] != 1) return std::nullopt;
  ConstantBuilder out(c->type(), {columns});
  for (int64_t i = 0; i < columns; ++i)
    out.put(static_cast<uint64_t>(i), c->real(c->count() == 1 ? 0 : static_cast<uint64_t>(i)) * beta);
  return out.take();
}

TensorRef scaled(Lowering& node, TensorRef tensor, double factor) {
  return factor == 1 ? tensor : node.binary("ElementWiseMultiply", tensor, node.reals({1}, {factor}));
}

Status lower_gemm(Lowering& node) {
  const Gemm gemm(node.attributes());
  const Order plain{0, 1};
  const Order swapped{1, 0};
  const auto bias = column_bias(node, gemm.beta);
  TensorRef y = kNoTensorRef;
  if (const Constant* weights = node.constant(1)) {
    const TensorRef a = node.input(0, gemm.transposes_a ? swapped : plain);
    const Order& order = gemm.transposes_b ? plain : swapped;
    const TensorRef w =
        gemm.alpha == 1 ? node.input(1, order) : node.constant(scaled(*weights, gemm.alpha), order);
    const bool as_it_is = bias && gemm.beta == 1 && node.dims(2) == bias->dims();
    const TensorRef c = as_it_is ? node.input(2) : bias ? node.constant(*bias) : kNoTensorRef;
    y = node.emit("FullyConnected", {a, w, c}, {}, node.out_type(), node.out().dims);
    if (bias || !node.has(2)) return node.result(y);
  } else {
    const MatrixOperand a = matrix_operand(node, 0);
    const MatrixOperand b = matrix_operand(node, 1);
    y = product(node, a.tensor, a.transposed != gemm.transposes_a, b.tensor,
                b.transposed != gemm.transposes_b);
    y = scaled(node, y, gemm.alpha);
  }
  if (node.has(2) && gemm.beta != 0)
    y = node.binary("ElementWiseAdd", y, scaled(node, node.input(2), gemm.beta), node.out_type());
  return node.result(y);
}

}  // namespace

// Dimensions before the matrices beyond what the backend takes are one, when both operands have the same or
// one has none.
TensorRef product(Lowering& node, TensorRef a, bool transpose_a, TensorRef b, bool transpose_b,
                  TensorRef bias) {
  Dims left = node.lies_as(a);
  Dims right = node.lies_as(b);
  if (left.size() < 2 || right.size() < 2) return kNoTensorRef;  // a refusal before
  if (transpose_a) std::swap(left[left.size() - 1], left[left.size() - 2]);
  if (transpose_b) std::swap(right[right.size() - 1], right[right.size() - 2]);
  const Dims dims = product_dims(left, right).value_or(Dims{});
  if (std::max(left.size(), right.size()) > kMostMatMulDimensions) {
    auto flat = [&](TensorRef tensor) {
      const Dims from = node.lies_as(tensor);
      const size_t batch = from.size() - 2;
      if (batch == 0) return tensor;
      return node.reshape(tensor, {extent_between(from, 0, batch), from[batch], from[batch + 1]});
    };
    const bool alike = Dims(left.begin(), left.end() - 2) == Dims(right.begin(), right.end() - 2);
    if (alike || left.size() == 2 || right.size() == 2) {
      a = flat(a);
      b = flat(b);
    }
  }
  Dims flat_dims = dims;
  if (std::max(node.lies_as(a).size(), node.lies_as(b).size()) < dims.size()) {
    const size_t batch = dims.size() - 2;
    flat_dims = {extent_between(dims, 0, batch), dims[batch], dims[batch + 1]};
  }
  Params params;
  if (transpose_a) params.boolean("transpose_in0", true);
  if (transpose_b) params.boolean("transpose_in1", true);
  return node.reshape(node.emit("MatMul", {a, b, bias}, params, node.desc(a).type, flat_dims), dims);
}

std::span<const Rule> matrix_rules() {
  static const Rule kRules[] = {
      {"MatMul", infer_matmul, fold_matmul, lower_matmul},
      {kMatMulWithBias, infer_nothing, nullptr, lower_matmul},
      {"Gemm", infer_gemm, nullptr, lower_gemm},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
