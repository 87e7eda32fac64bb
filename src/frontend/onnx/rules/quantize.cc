// SPDX-License-Identifier: BSD-3-Clause
// QuantizeLinear and DequantizeLinear where they are left: at the edges of a model, and where a model changes
// from one encoding to another. Between ops they are absorbed (absorb_quantization.h).
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/quantization.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Shapes and values ----

Status infer_quantize(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  ElementType type = ElementType::kUint8;
  const auto said = static_cast<ElementType>(
      std::clamp<int64_t>(node.attributes().integer("output_dtype", 0), 0, INT32_MAX));
  if (said != ElementType::kUndefined) type = said;
  if (node.has(2)) type = node.type(2);
  if (!fixed_point(type))
    return node.not_offered(concat("integers of type ", name_of(type), " are not computed"));
  return node.set(0, type, node.dims(0));
}

Status fold_quantize(Inference& node) {
  const Constant& from = *node.constant(0);
  const ElementType type = node.out_type(0);
  OPENQNN_ASSIGN(const ir::TensorEncoding encoding, encoding_of(node.net(), node.node(), type, from.dims()));
  const ElementEncodings encodings(encoding.quantization, from.dims());
  ConstantBuilder out(type, from.dims());
  for (uint64_t i = 0; i < from.count(); ++i) {
    const ir::ScaleOffset& one = encodings.at(i);
    // ONNX divides in single precision, which decides what is a tie: 0.35 / 0.1 is one. Ties go to even.
    const float steps = std::nearbyint(static_cast<float>(from.real(i)) / one.scale);
    out.put(i, static_cast<double>(steps) - one.offset);
  }
  return node.set(0, out.take());
}

Status infer_dequantize(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  if (!fixed_point(node.type(0)))
    return node.not_offered(concat("integers of type ", name_of(node.type(0)), " are not computed"));
  return node.set(0, is_real(node.type(1)) ? node.type(1) : ElementType::kFloat, node.dims(0));
}

Status fold_dequantize(Inference& node) {
  const Constant& from = *node.constant(0);
  OPENQNN_ASSIGN(ir::TensorEncoding encoding, encoding_of(node.net(), node.node(), from.type(), from.dims()));
  const ElementEncodings encodings(encoding.quantization, from.dims());
  ConstantBuilder out(node.out_type(0), from.dims());
  for (uint64_t i = 0; i < from.count(); ++i) {
    const ir::ScaleOffset& one = encodings.at(i);
    const auto steps = static_cast<double>(from.integer(i)) + one.offset;
    out.put(i, steps * static_cast<double>(one.scale));
  }
  OPENQNN_TRY(node.set(0, out.take()));
  node.keep_encoding(0, std::make_shared<const ir::TensorEncoding>(std::move(encoding)));
  return {};
}

// ---- Lowering ----

enum class Piece : uint8_t { kScale, kOffset };

// Scales, or offsets less `base`, as a tensor that is stretched to one that lies in `order`.
TensorRef by_slice(Lowering& node, const ir::Quantization& quantization, const Order& order, Piece piece,
                   int32_t base = 0) {
  std::vector<double> values;
  for (const ir::ScaleOffset& one : quantization.encodings)
    values.push_back(piece == Piece::kScale ? static_cast<double>(one.scale)
                                            : static_cast<double>(one.offset) - base);
  Dims dims(std::max<size_t>(order.size(), 1), 1);
  if (quantization.kind == ir::Quantization::Kind::kPerAxis)
    dims[position_of(quantization.axis, order)] = static_cast<int64_t>(values.size());
  return node.reals(dims, values);
}

bool is_by_block(const ir::TensorEncoding& encoding) {
  return encoding.quantization.kind == ir::Quantization::Kind::kPerBlock;
}

// The integers as reals, which hold all of 8 bits exactly, and offset and scale taken by other ops: for
// encodings by slice, which the backend's own op does not take, and for a tensor that lies in another one.
Status lower_dequantize(Lowering& node) {
  OPENQNN_ASSIGN(const ir::TensorEncoding encoding,
                 encoding_of(node.net(), node.node(), node.in(0).type, node.dims(0)));
  if (is_by_block(encoding)) return node.not_offered("blocks are dequantized before the model runs alone");
  const Order order = order_of(node, 0);
  const TensorRef x = node.input(0, order);
  if (node.refusal()) return {};
  const ir::TensorDesc from = node.desc(x);
  const bool fixed = ir::is_quantized(from.type);
  if (!fixed && ir::byte_size(from.type) > 1)
    return node.not_offered("only integers of 8 bits keep their values as reals of the backend");
  TensorRef y = fixed ? node.emit("Dequantize", {x}, {}, node.out_type(), node.lies_as(x))
                      : node.cast(x, node.out_type());
  if (!fixed || !(from.quantization == encoding.quantization)) {
    const ir::ScaleOffset lies = fixed ? from.quantization.encodings[0] : ir::ScaleOffset{};
    if (lies.scale != 1.0F)
      y = node.binary("ElementWiseDivide", y, node.reals({1}, {static_cast<double>(lies.scale)}));
    y = node.binary("ElementWiseAdd", y,
                    by_slice(node, encoding.quantization, order, Piece::kOffset, lies.offset));
    y = node.binary("ElementWiseMultiply", y, by_slice(node, encoding.quantization, order, Piece::kScale));
  }
  return node.result(y, order);
}

TensorRef quantized(Lowering& node, TensorRef x, const ir::TensorEncoding& encoding) {
  return node.emit("Quantize", {x}, {}, {{encoding.type, node.lies_as(x), encoding.quantization}}).front();
}

Status lower_quantize(Lowering& node) {
  OPENQNN_ASSIGN(const ir::TensorEncoding encoding,
                 encoding_of(node.net(), node.node(), node.out().type, node.dims(0)));
  if (is_by_block(encoding)) return node.not_offered("blocks are quantized before the model runs alone");
  const Order order = order_of(node, 0);
  TensorRef x = node.input(0, order);
  if (encoding.quantization.kind == ir::Quantization::Kind::kPerAxis) {
    x = node.binary("ElementWiseDivide", x, by_slice(node, encoding.quantization, order, Piece::kScale));
    x = node.unary("ElementWiseRound", x);
    x = node.binary("ElementWiseSubtract", x, by_slice(node, encoding.quantization, order, Piece::kOffset));
    x = quantized(node, x, integers_themselves({encoding.type, encoding.quantization.bits}));
  } else {
    x = quantized(node, x, encoding);
  }
  // Nobody but the client and a DequantizeLinear takes the integers; or they must be plain ones.
  if (node.out().encoding == nullptr) x = node.cast(x, node.out_type());
  return node.result(x, order);
}

}  // namespace

std::span<const Rule> quantize_rules() {
  static const Rule kRules[] = {
      {"QuantizeLinear", infer_quantize, fold_quantize, lower_quantize},
      {"DequantizeLinear", infer_dequantize, fold_dequantize, lower_dequantize},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
