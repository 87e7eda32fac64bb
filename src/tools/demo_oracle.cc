// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/demo.h"

namespace openqnn::tools {
namespace {

using Role = ModelTensor::Role;

// A picture tensor, [1, height, width, channels].
struct Picture {
  const Values& values;
  int64_t height, width, channels;

  Picture(const ModelTensor& tensor, const Values& data)
      : values(data), height(tensor.shape[1]), width(tensor.shape[2]), channels(tensor.shape[3]) {}

  bool inside(int64_t y, int64_t x) const { return y >= 0 && y < height && x >= 0 && x < width; }
  double at(int64_t y, int64_t x, int64_t c) const {
    return values[static_cast<size_t>((y * width + x) * channels + c)];
  }
};

Values conv2d(const ModelNode& node, const Picture& in, const Picture& out, const Values& weight,
              const Values& bias) {
  Values result;
  for (int64_t y = 0; y < out.height; ++y)
    for (int64_t x = 0; x < out.width; ++x)
      for (int64_t c = 0; c < out.channels; ++c) {
        double sum = bias[static_cast<size_t>(c)];
        for (int64_t fy = 0; fy < node.filter[0]; ++fy)
          for (int64_t fx = 0; fx < node.filter[1]; ++fx) {
            const int64_t iy = y * node.stride[0] + fy - node.padding[0];
            const int64_t ix = x * node.stride[1] + fx - node.padding[1];
            if (!in.inside(iy, ix)) continue;
            for (int64_t k = 0; k < in.channels; ++k) {
              const int64_t at = ((fy * node.filter[1] + fx) * in.channels + k) * out.channels + c;
              sum += in.at(iy, ix, k) * weight[static_cast<size_t>(at)];
            }
          }
        result.push_back(sum);
      }
  return result;
}

Values pool_max_2d(const ModelNode& node, const Picture& in, const Picture& out) {
  Values result;
  for (int64_t y = 0; y < out.height; ++y)
    for (int64_t x = 0; x < out.width; ++x)
      for (int64_t c = 0; c < out.channels; ++c) {
        double most = -std::numeric_limits<double>::infinity();
        for (int64_t fy = 0; fy < node.filter[0]; ++fy)
          for (int64_t fx = 0; fx < node.filter[1]; ++fx)
            most = std::max(most, in.at(y * node.stride[0] + fy, x * node.stride[1] + fx, c));
        result.push_back(most);
      }
  return result;
}

Values mat_mul(const Values& row, const Values& matrix, const Values& bias) {
  Values result = bias;
  for (size_t column = 0; column < bias.size(); ++column)
    for (size_t k = 0; k < row.size(); ++k) result[column] += row[k] * matrix[k * bias.size() + column];
  return result;
}

Values softmax(const Values& logits) {
  const double most = *std::max_element(logits.begin(), logits.end());
  Values result;
  double sum = 0;
  for (const double logit : logits) {
    result.push_back(std::exp(logit - most));
    sum += result.back();
  }
  for (double& value : result) value /= sum;
  return result;
}

Values run_node(const Model& model, const ModelNode& node, const std::vector<Values>& values) {
  const auto input = [&](size_t i) -> const Values& { return values[node.inputs[i]]; };
  const auto in_picture = [&] { return Picture(model.tensors[node.inputs[0]], input(0)); };
  const auto out_picture = [&] { return Picture(model.tensors[node.output], values[node.output]); };
  if (node.type == "Conv2d") return conv2d(node, in_picture(), out_picture(), input(1), input(2));
  if (node.type == "PoolMax2d") return pool_max_2d(node, in_picture(), out_picture());
  if (node.type == "MatMul") return mat_mul(input(0), input(1), input(2));
  if (node.type == "Softmax") return softmax(input(0));
  Values result = input(0);
  for (size_t i = 0; i < result.size(); ++i) {
    if (node.type == "ElementWiseAdd") result[i] += input(1)[i];
    if (node.type == "Relu") result[i] = std::max(result[i], 0.0);
  }
  return result;
}

struct Range {
  double low = 0;  // zero is always in the range: padding must be exact
  double high = 0;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Encoding activation_encoding(const Range& range) {
  const auto scale = static_cast<float>(std::max(range.high - range.low, 1e-6) / 255.0);
  const auto offset = static_cast<int32_t>(std::lround(range.low / scale));
  return {.channels = {{scale, offset}}, .lowest = 0, .highest = 255};
}

// Symmetric, one per output channel.
Encoding weight_encoding(const ModelTensor& weight) {
  std::vector<double> most(weight.shape.back(), 1e-6);
  for (size_t i = 0; i < weight.values.size(); ++i)
    most[i % most.size()] = std::max(most[i % most.size()], std::abs(weight.values[i]));
  Encoding encoding = {.channels = {}, .lowest = -127, .highest = 127};
  for (const double value : most) encoding.channels.push_back({static_cast<float>(value / 127.0), 0});
  return encoding;
}

// A step of a bias is a step of the sum it is added to.
Encoding bias_encoding(const Encoding& input, const Encoding& weight) {
  Encoding encoding = {.channels = {},
                       .lowest = std::numeric_limits<int32_t>::min(),
                       .highest = std::numeric_limits<int32_t>::max()};
  for (const Encoding::ScaleOffset& channel : weight.channels)
    encoding.channels.push_back({input.channels[0].scale * channel.scale, 0});
  return encoding;
}

// The sum of a convolution reaches the relu behind it unrounded: the backend folds the two (docs/numbers.md).
// The other convolutions of the model have another reader, or none.
bool feeds_a_folded_relu(const Model& model, const ModelNode& producer) {
  const auto reads = [&](const ModelNode& node) {
    return node.type == "Relu" && node.inputs[0] == producer.output;
  };
  return producer.type == "Conv2d" && std::any_of(model.nodes.begin(), model.nodes.end(), reads);
}

}  // namespace

std::vector<int64_t> quantize(const Encoding& encoding, const Values& values) {
  std::vector<int64_t> stored;
  for (size_t i = 0; i < values.size(); ++i) {
    const Encoding::ScaleOffset& step = encoding.at(i);
    const double exact = values[i] / static_cast<double>(step.scale);
    const auto rounded = static_cast<int64_t>(std::nearbyint(exact)) - step.offset;  // ties to even
    stored.push_back(std::clamp(rounded, encoding.lowest, encoding.highest));
  }
  return stored;
}

Values dequantize(const Encoding& encoding, const std::vector<int64_t>& stored) {
  Values values;
  for (size_t i = 0; i < stored.size(); ++i)
    values.push_back(static_cast<double>(encoding.at(i).scale) *
                     static_cast<double>(stored[i] + encoding.at(i).offset));
  return values;
}

std::vector<Values> run_oracle(const Model& model, const Values& image,
                               const std::vector<Encoding>& encodings) {
  const auto rounded = [&](size_t tensor, Values values) {
    if (encodings.empty()) return values;
    return dequantize(encodings[tensor], quantize(encodings[tensor], values));
  };
  std::vector<Values> values(model.tensors.size());
  for (size_t i = 0; i < model.tensors.size(); ++i)
    if (!model.tensors[i].values.empty()) values[i] = rounded(i, model.tensors[i].values);
  values[model.input] = rounded(model.input, image);
  for (const ModelNode& node : model.nodes) {
    values[node.output] = run_node(model, node, values);
    if (!feeds_a_folded_relu(model, node)) values[node.output] = rounded(node.output, values[node.output]);
  }
  return values;
}

std::vector<Encoding> calibrate(const Model& model, const std::vector<Values>& images) {
  std::vector<Range> ranges(model.tensors.size());
  for (const Values& image : images) {
    const std::vector<Values> run = run_oracle(model, image);
    for (size_t i = 0; i < run.size(); ++i)
      for (const double value : run[i]) ranges[i].add(value);
  }
  std::vector<Encoding> encodings(model.tensors.size());
  for (size_t i = 0; i < encodings.size(); ++i)
    encodings[i] = model.tensors[i].role == Role::kWeight ? weight_encoding(model.tensors[i])
                                                          : activation_encoding(ranges[i]);
  for (const ModelNode& node : model.nodes) {
    if (node.inputs.size() == 3)
      encodings[node.inputs[2]] = bias_encoding(encodings[node.inputs[0]], encodings[node.inputs[1]]);
    // A maximum is one of its inputs: it keeps their encoding.
    if (node.type == "PoolMax2d") encodings[node.output] = encodings[node.inputs[0]];
    // Probabilities: 256 steps from 0 to almost 1, whatever was seen.
    if (node.type == "Softmax") encodings[node.output] = {.channels = {{1.0F / 256.0F, 0}}};
  }
  return encodings;
}

double sqnr_db(const Values& expected, const Values& actual) {
  double signal = 0;
  double noise = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    signal += expected[i] * expected[i];
    noise += (expected[i] - actual[i]) * (expected[i] - actual[i]);
  }
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10.0 * std::log10(signal / noise);
}

}  // namespace openqnn::tools
