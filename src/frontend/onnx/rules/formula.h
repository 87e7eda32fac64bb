// SPDX-License-Identifier: BSD-3-Clause
// Formulas over tensors of reals, for ops that the backend does not have: each operation becomes one of its
// element-wise ops. Every step is rounded to half, so that formulas are chosen to lose nothing to
// cancellation and to stay inside half's range where the result does.
#pragma once

#include <string_view>

#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {

class Reals {
 public:
  Reals(Lowering& node, TensorRef tensor) : node_(&node), tensor_(tensor) {}
  TensorRef tensor() const { return tensor_; }

  Reals number(double value) const { return {*node_, node_->reals({1}, {value})}; }
  Reals apply(std::string_view op, const Params& params = {}) const {
    return {*node_, emit_elementwise(*node_, op, {tensor_}, ir::DataType::kFloat32, params)};
  }
  Reals apply(std::string_view op, const Reals& other) const {
    return {*node_, emit_elementwise(*node_, op, {tensor_, other.tensor_}, ir::DataType::kFloat32)};
  }
  TensorRef compare(std::string_view op, const Reals& other) const {
    return emit_elementwise(*node_, op, {tensor_, other.tensor_}, ir::DataType::kBool8);
  }
  Reals select(TensorRef condition, const Reals& otherwise) const {
    return {*node_, emit_elementwise(*node_, "ElementWiseSelect", {condition, tensor_, otherwise.tensor_},
                                     ir::DataType::kFloat32)};
  }

 private:
  Lowering* node_;
  TensorRef tensor_;
};

// Where something holds.
struct Truth {
  TensorRef tensor;
};

inline Reals operator+(const Reals& a, const Reals& b) { return a.apply("ElementWiseAdd", b); }
inline Reals operator+(const Reals& a, double b) { return a + a.number(b); }
inline Reals operator+(double a, const Reals& b) { return b + a; }
inline Reals operator-(const Reals& a, const Reals& b) { return a.apply("ElementWiseSubtract", b); }
inline Reals operator-(const Reals& a, double b) { return a - a.number(b); }
inline Reals operator-(double a, const Reals& b) { return b.number(a) - b; }
inline Reals operator-(const Reals& a) { return a.apply("ElementWiseNeg"); }
inline Reals operator*(const Reals& a, const Reals& b) { return a.apply("ElementWiseMultiply", b); }
inline Reals operator*(const Reals& a, double b) { return a * a.number(b); }
inline Reals operator*(double a, const Reals& b) { return b * a; }
inline Reals operator/(const Reals& a, const Reals& b) { return a.apply("ElementWiseDivide", b); }
inline Reals operator/(double a, const Reals& b) { return b.number(a) / b; }

inline Truth operator<(const Reals& a, double b) { return {a.compare("ElementWiseLess", a.number(b))}; }
inline Truth operator>(const Reals& a, double b) { return {a.compare("ElementWiseGreater", a.number(b))}; }
inline Reals select(Truth where, const Reals& a, const Reals& b) { return a.select(where.tensor, b); }

inline Reals abs(const Reals& x) { return x.apply("ElementWiseAbs"); }
inline Reals sign(const Reals& x) { return x.apply("ElementWiseSign"); }
inline Reals exp(const Reals& x) { return x.apply("ElementWiseExp"); }
inline Reals log(const Reals& x) { return x.apply("ElementWiseLog"); }
inline Reals sqrt(const Reals& x) { return x.apply("ElementWiseSquareRoot"); }
inline Reals sin(const Reals& x) { return x.apply("ElementWiseSin"); }
inline Reals cos(const Reals& x) { return x.apply("ElementWiseCos"); }
inline Reals asin(const Reals& x) { return x.apply("ElementWiseAsin"); }
inline Reals tanh(const Reals& x) { return x.apply("Tanh"); }
inline Reals sigmoid(const Reals& x) { return x.apply("Sigmoid"); }
inline Reals softplus(const Reals& x) { return x.apply("ElementWiseSoftplus"); }
inline Reals gelu(const Reals& x) { return x.apply("Gelu"); }
inline Reals relu(const Reals& x) { return x.apply("Relu"); }
// alpha (e^x - 1) below 0; the backend rounds it once.
inline Reals elu(const Reals& x, double alpha) { return x.apply("Elu", Params().f32("alpha", alpha)); }
inline Reals clamp(const Reals& x, double low, double high) {
  return x.apply("ReluMinMax", Params().f32("min_value", low).f32("max_value", high));
}

}  // namespace openqnn::frontend::onnx
