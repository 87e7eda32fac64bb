// SPDX-License-Identifier: BSD-3-Clause
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace conformance {
namespace {

double round_to_half(double value) {
  if (value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 1, -14) - 10);  // of the last of 11 bits
  const double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > 65504 ? std::copysign(HUGE_VAL, value) : rounded;
}

Values as_stored(const Tensor& tensor, Values values) {
  if (tensor.type != QNN_DATATYPE_FLOAT_32) return decode(tensor, encode(tensor, values));
  std::transform(values.begin(), values.end(), values.begin(), round_to_half);
  return values;
}

struct Operand {
  const Tensor& tensor;
  const Values& values;

  uint32_t dim(size_t axis) const { return tensor.dims[axis]; }
  // An element of an NHWC or HWIO tensor.
  double at(size_t a, size_t b, size_t c, size_t d) const {
    return values[((a * dim(1) + b) * dim(2) + c) * dim(3) + d];
  }
};

uint32_t number_of(const Node& node, const char* param, size_t index) {
  for (const Param& candidate : node.params)
    if (candidate.name == param) {
      const auto& tensor = std::get<Tensor>(candidate.value);
      return static_cast<uint32_t>(decode(tensor, tensor.data)[index]);
    }
  throw std::runtime_error(std::string("the node has no parameter ") + param);
}

// Calls visit(in_y, in_x, filter_y, filter_x) for every filter tap that lies on the input.
template <class Visit>
void for_each_tap(const Node& node, const Operand& in, uint32_t filter_h, uint32_t filter_w, uint32_t out_y,
                  uint32_t out_x, const Visit& visit) {
  for (uint32_t fy = 0; fy < filter_h; ++fy)
    for (uint32_t fx = 0; fx < filter_w; ++fx) {
      const int64_t y = int64_t{out_y} * number_of(node, "stride", 0) + fy - number_of(node, "pad_amount", 0);
      const int64_t x = int64_t{out_x} * number_of(node, "stride", 1) + fx - number_of(node, "pad_amount", 2);
      if (y >= 0 && y < in.dim(1) && x >= 0 && x < in.dim(2))
        visit(static_cast<size_t>(y), static_cast<size_t>(x), fy, fx);
    }
}

Values conv(const Node& node, const std::vector<Operand>& in, const Tensor& out) {
  Values result;
  for (uint32_t y = 0; y < out.dims[1]; ++y)
    for (uint32_t x = 0; x < out.dims[2]; ++x)
      for (uint32_t channel = 0; channel < out.dims[3]; ++channel) {
        double sum = in[2].values[channel];
        for_each_tap(node, in[0], in[1].dim(0), in[1].dim(1), y, x,
                     [&](size_t in_y, size_t in_x, size_t fy, size_t fx) {
                       for (size_t depth = 0; depth < in[0].dim(3); ++depth)
                         sum += in[0].at(0, in_y, in_x, depth) * in[1].at(fy, fx, depth, channel);
                     });
        result.push_back(sum);
      }
  return result;
}

// Output channel c reads input channel c / multiplier.
Values depthwise_conv(const Node& node, const std::vector<Operand>& in, const Tensor& out) {
  const size_t multiplier = out.dims[3] / in[0].dim(3);
  Values result;
  for (uint32_t y = 0; y < out.dims[1]; ++y)
    for (uint32_t x = 0; x < out.dims[2]; ++x)
      for (uint32_t channel = 0; channel < out.dims[3]; ++channel) {
        double sum = in[2].values[channel];
        for_each_tap(node, in[0], in[1].dim(0), in[1].dim(1), y, x,
                     [&](size_t in_y, size_t in_x, size_t fy, size_t fx) {
                       sum += in[0].at(0, in_y, in_x, channel / multiplier) * in[1].at(fy, fx, 0, channel);
                     });
        result.push_back(sum);
      }
  return result;
}

// Every input element spreads over the filter's taps.
Values transpose_conv(const Node& node, const std::vector<Operand>& in, const Tensor& out) {
  const size_t channels = out.dims[3];
  Values result(out.elements());
  for (size_t i = 0; i < result.size(); ++i) result[i] = in[2].values[i % channels];
  for (uint32_t y = 0; y < in[0].dim(1); ++y)
    for (uint32_t x = 0; x < in[0].dim(2); ++x)
      for (uint32_t fy = 0; fy < in[1].dim(0); ++fy)
        for (uint32_t fx = 0; fx < in[1].dim(1); ++fx) {
          const int64_t to_y =
              int64_t{y} * number_of(node, "stride", 0) + fy - number_of(node, "pad_amount", 0);
          const int64_t to_x =
              int64_t{x} * number_of(node, "stride", 1) + fx - number_of(node, "pad_amount", 2);
          if (to_y < 0 || to_y >= out.dims[1] || to_x < 0 || to_x >= out.dims[2]) continue;
          const size_t place =
              (static_cast<size_t>(to_y) * out.dims[2] + static_cast<size_t>(to_x)) * channels;
          for (size_t channel = 0; channel < channels; ++channel)
            for (size_t depth = 0; depth < in[0].dim(3); ++depth)
              result[place + channel] += in[0].at(0, y, x, depth) * in[1].at(fy, fx, depth, channel);
        }
  return result;
}

Values pool(const Node& node, const std::vector<Operand>& in, const Tensor& out) {
  Values result;
  for (uint32_t y = 0; y < out.dims[1]; ++y)
    for (uint32_t x = 0; x < out.dims[2]; ++x)
      for (uint32_t channel = 0; channel < out.dims[3]; ++channel) {
        double largest = -HUGE_VAL;
        for_each_tap(node, in[0], number_of(node, "filter_size", 0), number_of(node, "filter_size", 1), y, x,
                     [&](size_t in_y, size_t in_x, size_t, size_t) {
                       largest = std::max(largest, in[0].at(0, in_y, in_x, channel));
                     });
        result.push_back(largest);
      }
  return result;
}

// The second input may be broadcast over leading dimensions.
Values sum(const std::vector<Operand>& in) {
  Values result = in[0].values;
  for (size_t i = 0; i < result.size(); ++i) result[i] += in[1].values[i % in[1].values.size()];
  return result;
}

Values relu(const std::vector<Operand>& in) {
  Values result = in[0].values;
  for (double& value : result) value = std::max(value, 0.0);
  return result;
}

Values matmul(const std::vector<Operand>& in) {
  Values result;
  for (size_t row = 0; row < in[0].dim(0); ++row)
    for (size_t column = 0; column < in[1].dim(1); ++column) {
      double total = 0;
      for (size_t k = 0; k < in[1].dim(0); ++k)
        total += in[0].values[row * in[0].dim(1) + k] * in[1].values[k * in[1].dim(1) + column];
      result.push_back(total);
    }
  return result;
}

// Weights are [units, inputs].
Values fully_connected(const std::vector<Operand>& in) {
  const size_t length = in[1].dim(1);
  Values result;
  for (size_t row = 0; row < in[0].values.size() / length; ++row)
    for (size_t unit = 0; unit < in[1].dim(0); ++unit) {
      double total = in[2].values[unit];
      for (size_t k = 0; k < length; ++k)
        total += in[0].values[row * length + k] * in[1].values[unit * length + k];
      result.push_back(total);
    }
  return result;
}

Values batchnorm(const std::vector<Operand>& in) {
  Values result = in[0].values;
  const size_t channels = in[1].values.size();
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = result[i] * in[1].values[i % channels] + in[2].values[i % channels];
  return result;
}

// Over the last dimension, with the default epsilon.
Values layer_norm(const std::vector<Operand>& in) {
  constexpr double kEpsilon = 0.001;
  Values values = in[0].values;
  const size_t length = in[1].values.size();
  for (size_t row = 0; row < values.size(); row += length) {
    double mean = 0, variance = 0;
    for (size_t i = row; i < row + length; ++i) mean += values[i] / static_cast<double>(length);
    for (size_t i = row; i < row + length; ++i)
      variance += (values[i] - mean) * (values[i] - mean) / static_cast<double>(length);
    for (size_t i = row; i < row + length; ++i)
      values[i] = (values[i] - mean) / std::sqrt(variance + kEpsilon);
  }
  return batchnorm({{in[0].tensor, values}, in[1], in[2]});
}

Values softmax(const std::vector<Operand>& in) {
  Values result = in[0].values;
  const size_t length = in[0].tensor.dims.back();
  for (size_t row = 0; row < result.size(); row += length) {
    double total = 0;
    for (size_t i = row; i < row + length; ++i) total += result[i] = std::exp(result[i]);
    for (size_t i = row; i < row + length; ++i) result[i] /= total;
  }
  return result;
}

Values evaluate(const Node& node, const std::vector<Operand>& in, const Tensor& out) {
  if (node.type == QNN_OP_CONV_2D) return conv(node, in, out);
  if (node.type == QNN_OP_POOL_MAX_2D) return pool(node, in, out);
  if (node.type == QNN_OP_ELEMENT_WISE_ADD) return sum(in);
  if (node.type == QNN_OP_RELU) return relu(in);
  if (node.type == QNN_OP_MAT_MUL) return matmul(in);
  if (node.type == QNN_OP_SOFTMAX) return softmax(in);
  if (node.type == QNN_OP_DEPTH_WISE_CONV_2D) return depthwise_conv(node, in, out);
  if (node.type == QNN_OP_TRANSPOSE_CONV_2D) return transpose_conv(node, in, out);
  if (node.type == QNN_OP_FULLY_CONNECTED) return fully_connected(in);
  if (node.type == QNN_OP_BATCHNORM) return batchnorm(in);
  if (node.type == QNN_OP_LAYER_NORM) return layer_norm(in);
  for (const char* conversion : {QNN_OP_QUANTIZE, QNN_OP_CONVERT, QNN_OP_DEQUANTIZE})
    if (node.type == conversion) return in[0].values;  // what is stored tells the types apart
  throw std::runtime_error("the oracle does not know " + node.type);
}

using Store = Values (*)(const Tensor&, Values);

std::map<std::string, Values> outputs_of(const Model& model, const Buffers& inputs, Store store) {
  std::map<std::string, Values> known;
  for (const Tensor& tensor : model.tensors) {
    if (tensor.role == QNN_TENSOR_TYPE_STATIC)
      known[tensor.name] = as_stored(tensor, decode(tensor, tensor.data));
    if (tensor.role == QNN_TENSOR_TYPE_APP_WRITE)
      known[tensor.name] = as_stored(tensor, decode(tensor, inputs.at(tensor.name)));
  }
  for (const Node& node : model.nodes) {
    std::vector<Operand> operands;
    for (const std::string& name : node.inputs) operands.push_back({model.tensor(name), known.at(name)});
    const Tensor& out = model.tensor(node.outputs.front());
    known[out.name] = store(out, evaluate(node, operands, out));
  }
  std::erase_if(
      known, [&](const auto& entry) { return model.tensor(entry.first).role != QNN_TENSOR_TYPE_APP_READ; });
  return known;
}

}  // namespace

std::map<std::string, Values> expected_outputs(const Model& model, const Buffers& inputs) {
  return outputs_of(model, inputs, as_stored);
}

std::map<std::string, Values> exact_outputs(const Model& model, const Buffers& inputs) {
  return outputs_of(model, inputs, [](const Tensor&, Values values) { return values; });
}

::testing::AssertionResult agrees(const Model& model, const Buffers& outputs,
                                  const std::map<std::string, Values>& expected) {
  for (const auto& [name, wanted] : expected) {
    const Tensor& tensor = model.tensor(name);
    const Values got = decode(tensor, outputs.at(name));
    double largest = 0;
    for (const double value : wanted) largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < wanted.size(); ++i) {
      // A little more than a step: both sides are multiples of the scale, rounded in float.
      const double tolerance = tensor.type == QNN_DATATYPE_FLOAT_32
                                   ? 0.004 * std::abs(wanted[i]) + 0.0005 * largest
                                   : 1.01 * tensor.encoding.scale;
      if (!(std::abs(got[i] - wanted[i]) <= tolerance))
        return ::testing::AssertionFailure() << model.name << ", output " << name << "[" << i << "] is "
                                             << got[i] << " where " << wanted[i] << " is expected";
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace conformance
