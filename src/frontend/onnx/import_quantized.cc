// SPDX-License-Identifier: BSD-3-Clause
// Ops on integers that stand for reals (ONNX's QLinear ops and those of ONNX Runtime) become
// DequantizeLinear, the op on reals, QuantizeLinear: the form in which the rest of the front end knows
// quantized models.
#include <array>

#include "base/text.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kNone = SIZE_MAX;

// Where integers, their scale and their zero point are among the inputs; the axis that scales are along.
struct Operand {
  size_t value;
  size_t scale;
  size_t zero_point;
  int64_t axis;
};

struct QuantizedOp {
  std::string_view type;
  std::string_view real;  // the op on reals
  std::array<Operand, 2> operands;
  size_t operand_count;
  size_t bias;  // integers in units of both operands' scales; kNone: it never has one
  size_t out_scale;
  size_t out_zero_point;
};

constexpr Operand kFirst{0, 1, 2, 1};
constexpr QuantizedOp kOps[] = {
    {"QLinearConv", "Conv", {kFirst, {3, 4, 5, 0}}, 2, 8, 6, 7},
    {"QLinearMatMul", "MatMul", {{{0, 1, 2, -2}, {3, 4, 5, -1}}}, 2, kNone, 6, 7},
    {"com.microsoft.QGemm", "Gemm", {kFirst, {3, 4, 5, -1}}, 2, 6, 7, 8},
    {"com.microsoft.QLinearAdd", "Add", {kFirst, {3, 4, 5, 1}}, 2, kNone, 6, 7},
    {"com.microsoft.QLinearMul", "Mul", {kFirst, {3, 4, 5, 1}}, 2, kNone, 6, 7},
    {"com.microsoft.QLinearSigmoid", "Sigmoid", {kFirst}, 1, kNone, 3, 4},
    {"com.microsoft.QLinearLeakyRelu", "LeakyRelu", {kFirst}, 1, kNone, 3, 4},
    {"com.microsoft.QLinearSoftmax", "Softmax", {kFirst}, 1, kNone, 3, 4},
    {"com.microsoft.QLinearAveragePool", "AveragePool", {kFirst}, 1, kNone, 3, 4},
    {"com.microsoft.QLinearGlobalAveragePool", "GlobalAveragePool", {kFirst}, 1, kNone, 3, 4},
};
constexpr std::string_view kConcat = "com.microsoft.QLinearConcat";
constexpr std::string_view kMicrosoftQuantize = "com.microsoft.QuantizeLinear";
constexpr std::string_view kDequantize = "com.microsoft.DequantizeLinear";

const QuantizedOp* find_op(std::string_view type) {
  for (const QuantizedOp& op : kOps)
    if (op.type == type) return &op;
  return nullptr;
}

// The columns of a matrix that is taken transposed are its rows.
int64_t axis_of(const NetNode& node, const Operand& operand) {
  const bool transposed = operand.value == 3 && node.attributes.integer("transB", 0) != 0;
  return transposed ? 0 : operand.axis;
}

// One number per slice of the second operand, or one: the units of a bias.
Constant products(const Constant& a, const Constant& b, double alpha) {
  ConstantBuilder out(ElementType::kFloat, b.dims());
  for (uint64_t i = 0; i < b.count(); ++i) out.put(i, alpha * a.real(0) * b.real(i));
  return out.take();
}

}  // namespace

bool Importer::is_quantized_op(std::string_view type) {
  return find_op(type) != nullptr || type == kConcat || type == kMicrosoftQuantize || type == kDequantize;
}

ValueId Importer::dequantized(const NetNode& node, ValueId value, ValueId scale, ValueId zero_point,
                              int64_t axis, const Surroundings& around) {
  return make_node("DequantizeLinear", node, {value, scale, zero_point}, along(axis), around);
}

Importer::Values Importer::import_quantized(const NetNode& node, const Surroundings& around) {
  if (node.type == kConcat) return import_quantized_concat(node, around);
  if (node.type == kMicrosoftQuantize || node.type == kDequantize) {
    std::string type = node.type.substr(node.type.rfind('.') + 1);
    return std::vector<ValueId>{make_node(std::move(type), node, node.inputs, node.attributes, around)};
  }
  const QuantizedOp& op = *find_op(node.type);
  if (node.attributes.integer("channels_last", 0) != 0)
    return not_offered_node(node, "channels that are last in the model (channels_last) are not known");
  std::vector<ValueId> reals;
  for (size_t i = 0; i < op.operand_count; ++i) {
    const Operand& from = op.operands[i];
    const ValueId value = node.input(from.value);
    const ValueId scale = node.input(from.scale);
    if (value == kNoValue || scale == kNoValue) return wrong_node(node, "an operand or its scale is absent");
    reals.push_back(
        dequantized(node, value, scale, node.input(from.zero_point), axis_of(node, from), around));
  }
  if (op.bias != kNone && node.input(op.bias) != kNoValue) {
    const Constant* first = result_.net.constant(node.inputs[op.operands[0].scale]);
    const Constant* second = result_.net.constant(node.inputs[op.operands[1].scale]);
    if (first == nullptr || second == nullptr || first->count() != 1)
      return not_offered_node(node, "a bias needs constant scales");
    const double alpha = node.attributes.real("alpha", 1);
    if (!(alpha > 0)) return not_offered_node(node, "a bias is in units of alpha, which is not above 0");
    const ValueId scale = new_constant(concat(node.name, "_bias_scale"), products(*first, *second, alpha));
    reals.push_back(dequantized(node, node.inputs[op.bias], scale, kNoValue, 0, around));
  }
  const ValueId real = make_node(std::string(op.real), node, std::move(reals), node.attributes, around);
  return quantized(node, real, node.input(op.out_scale), node.input(op.out_zero_point), around);
}

// Inputs: the output's scale and zero point, then three per part.
Importer::Values Importer::import_quantized_concat(const NetNode& node, const Surroundings& around) {
  if (node.inputs.size() < 5 || (node.inputs.size() - 2) % 3 != 0)
    return wrong_node(node, "its inputs are not three for each part");
  std::vector<ValueId> reals;
  for (size_t i = 2; i + 2 < node.inputs.size(); i += 3)
    reals.push_back(dequantized(node, node.inputs[i], node.inputs[i + 1], node.inputs[i + 2], 1, around));
  const ValueId real = make_node("Concat", node, std::move(reals), node.attributes, around);
  return quantized(node, real, node.inputs[0], node.inputs[1], around);
}

// Without a scale the op gives reals.
Importer::Values Importer::quantized(const NetNode& node, ValueId real, ValueId scale, ValueId zero_point,
                                     const Surroundings& around) {
  if (scale == kNoValue) return std::vector<ValueId>{real};
  return std::vector<ValueId>{make_node("QuantizeLinear", node, {real, scale, zero_point}, along(1), around)};
}

}  // namespace openqnn::frontend::onnx
