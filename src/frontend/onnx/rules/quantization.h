// SPDX-License-Identifier: BSD-3-Clause
// What QuantizeLinear and DequantizeLinear say: how integers stand for reals.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/net.h"
#include "frontend/onnx/order.h"

namespace openqnn::frontend::onnx {

// The backend's fixed-point type for integers of a type; nothing for those it has none for. `bits` is below
// the type's own for integers that are stored one to a byte.
struct FixedPoint {
  ir::DataType type;
  uint32_t bits;
};
std::optional<FixedPoint> fixed_point(ElementType type);

// Of a QuantizeLinear or DequantizeLinear between integers of `type` and reals, both of `dims`. Refuses what
// does not fit together. Inputs 1 and 2 must be constants.
Result<ir::TensorEncoding> encoding_of(const Net& net, const NetNode& node, ElementType type,
                                       const Dims& dims);

// Of the same reals with dimension order[i] at place i, and in other dimensions, where those of extent 1 may
// come and go around the axis. Null where blocks, or slices along one dimension, are such no longer.
std::shared_ptr<const ir::TensorEncoding> transposed_encoding(const ir::TensorEncoding& encoding,
                                                              const Order& order);
std::shared_ptr<const ir::TensorEncoding> reshaped_encoding(const ir::TensorEncoding& encoding,
                                                            const Dims& from, const Dims& to);

// Scale 1 and no offset: the integers themselves.
ir::TensorEncoding integers_themselves(const FixedPoint& type);

// The scale and offset of each element of a tensor of `dims`, by the element's index.
class ElementEncodings {
 public:
  ElementEncodings(const ir::Quantization& quantization, const Dims& dims);
  const ir::ScaleOffset& at(uint64_t index) const;

 private:
  const ir::Quantization& quantization_;
  uint64_t axis_extent_ = 1;
  uint64_t after_axis_ = 1;
  std::vector<uint64_t> strides_;
  std::vector<uint64_t> extents_;
};

}  // namespace openqnn::frontend::onnx
