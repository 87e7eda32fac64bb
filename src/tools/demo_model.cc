// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <utility>

#include "base/split_mix.h"
#include "tools/demo.h"

namespace openqnn::tools {
namespace {

constexpr uint32_t kSide = 64;
constexpr uint32_t kColours = 3;
constexpr uint32_t kChannels = 32;
constexpr uint32_t kClasses = 10;

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // Uniform in [-1, 1), on a grid that a double holds exactly.
  double next() {
    state_ += kGoldenGamma;
    return static_cast<double>(static_cast<int64_t>(split_mix(state_)) >> 32) / 2147483648.0;
  }

 private:
  uint64_t state_;
};

class Builder {
 public:
  size_t tensor(std::string name, std::vector<uint32_t> shape,
                ModelTensor::Role role = ModelTensor::Role::kNative) {
    model_.tensors.push_back({std::move(name), std::move(shape), role});
    return model_.tensors.size() - 1;
  }

  // A constant whose values are spread as in trained networks: by the number of values that are summed up.
  size_t constant(std::string name, std::vector<uint32_t> shape, ModelTensor::Role role, double spread) {
    const size_t index = tensor(std::move(name), std::move(shape), role);
    ModelTensor& added = model_.tensors[index];
    added.values.resize(element_count(added.shape));
    for (double& value : added.values) value = static_cast<float>(spread * random_.next());
    return index;
  }

  size_t conv(const std::string& name, size_t input, uint32_t in, uint32_t stride, uint32_t side_out) {
    using Role = ModelTensor::Role;
    const size_t weight =
        constant(name + "_weight", {3, 3, in, kChannels}, Role::kWeight, std::sqrt(6.0 / (9 * in)));
    const size_t bias = constant(name + "_bias", {kChannels}, Role::kBias, 0.1);
    const size_t output = tensor(name + "_out", {1, side_out, side_out, kChannels});
    ModelNode node = {name, "Conv2d", {input, weight, bias}, output};
    node.filter = {3, 3};
    node.stride = {stride, stride};
    node.padding = {1, 1};
    model_.nodes.push_back(std::move(node));
    return output;
  }

  size_t pool(const std::string& name, size_t input, uint32_t filter) {
    std::vector<uint32_t> shape = model_.tensors[input].shape;
    shape[1] /= filter;
    shape[2] /= filter;
    const size_t output = tensor(name + "_out", std::move(shape));
    ModelNode node = {name, "PoolMax2d", {input}, output};
    node.filter = node.stride = {filter, filter};
    model_.nodes.push_back(std::move(node));
    return output;
  }

  size_t elementwise(const std::string& name, const std::string& type, std::vector<size_t> inputs) {
    const size_t output = tensor(name + "_out", model_.tensors[inputs[0]].shape);
    model_.nodes.push_back({name, type, std::move(inputs), output});
    return output;
  }

  size_t node(const std::string& name, const std::string& type, std::vector<size_t> inputs, size_t output) {
    model_.nodes.push_back({name, type, std::move(inputs), output});
    return output;
  }

  Model take(size_t input, size_t output) {
    model_.input = input;
    model_.output = output;
    return std::move(model_);
  }

 private:
  Model model_;
  Random random_{2026};
};

}  // namespace

size_t element_count(const std::vector<uint32_t>& shape) {
  size_t count = 1;
  for (const uint32_t dim : shape) count *= dim;
  return count;
}

Model image_classifier() {
  using Role = ModelTensor::Role;
  Builder b;
  const size_t image = b.tensor("image", {1, kSide, kSide, kColours}, Role::kInput);
  const size_t stem = b.elementwise("stem_relu", "Relu", {b.conv("stem", image, kColours, 2, kSide / 2)});
  const size_t pooled = b.pool("pool", stem, 2);
  const size_t block = b.conv("block", pooled, kChannels, 1, kSide / 4);
  const size_t sum = b.elementwise("residual", "ElementWiseAdd", {block, pooled});
  const size_t features = b.elementwise("block_relu", "Relu", {sum});
  const size_t strongest = b.pool("global_pool", features, kSide / 4);
  const size_t weight =
      b.constant("head_weight", {kChannels, kClasses}, Role::kWeight, std::sqrt(1.0 / kChannels));
  const size_t bias = b.constant("head_bias", {kClasses}, Role::kBias, 0.1);
  const size_t logits = b.tensor("logits", {1, 1, 1, kClasses});
  b.node("head", "MatMul", {strongest, weight, bias}, logits);
  const size_t probabilities = b.tensor("probabilities", {1, 1, 1, kClasses}, Role::kOutput);
  b.node("softmax", "Softmax", {logits}, probabilities);
  return b.take(image, probabilities);
}

Values picture(uint32_t number) {
  constexpr uint32_t kPatch = 16;
  constexpr uint32_t kPatches = kSide / kPatch;
  Random random(0x0DE110 + number);
  Values patches(kPatches * kPatches * kColours);
  for (double& value : patches) value = 0.5 + 0.45 * random.next();
  Values pixels(kSide * kSide * kColours);
  for (size_t i = 0; i < pixels.size(); ++i) {
    const size_t colour = i % kColours;
    const size_t x = i / kColours % kSide / kPatch;
    const size_t y = i / kColours / kSide / kPatch;
    pixels[i] = patches[(y * kPatches + x) * kColours + colour] + 0.05 * random.next();
  }
  return pixels;
}

}  // namespace openqnn::tools
