// SPDX-License-Identifier: BSD-3-Clause
// The demo's parts: its model, what the model should compute, and the client that has the backend compute it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/session.h"

namespace openqnn::tools {

// ---- The model (demo_model.cc): a small image classifier. Plain data,
// known to nobody else. ----

using Values = std::vector<double>;

struct ModelTensor {
  enum class Role : uint8_t { kInput, kOutput, kNative, kWeight, kBias };
  std::string name;
  std::vector<uint32_t> shape;  // images NHWC; filters [height, width, in, out]
  Role role = Role::kNative;
  Values values = {};  // of weights and biases
};

struct ModelNode {
  std::string name;
  std::string type;            // QNN's name for it
  std::vector<size_t> inputs;  // into Model::tensors
  size_t output = 0;
  // Of windows, {height, width}; padding is the same on both sides.
  std::array<uint32_t, 2> filter = {0, 0};
  std::array<uint32_t, 2> stride = {1, 1};
  std::array<uint32_t, 2> padding = {0, 0};
};

struct Model {
  std::vector<ModelTensor> tensors;
  std::vector<ModelNode> nodes;  // in order of dependency
  size_t input = 0;
  size_t output = 0;
};

size_t element_count(const std::vector<uint32_t>& shape);

// The same weights on every machine: integers drawn from a fixed sequence, no library's random numbers.
Model image_classifier();

// Picture `number` for the classifier: coloured patches with noise, values from 0 to 1.
Values picture(uint32_t number);

// ---- The oracle (demo_oracle.cc): what the model should compute, in double precision and in plain loops
// that share no code with the backend's kernels, so that a mistake there is not repeated here. ----

// How a tensor's values are stored as integers: real = scale * (stored + offset). One encoding, or one for
// each index of the last axis.
struct Encoding {
  struct ScaleOffset {
    float scale = 1.0F;
    int32_t offset = 0;
  };
  std::vector<ScaleOffset> channels;
  int64_t lowest = 0;
  int64_t highest = 255;

  const ScaleOffset& at(size_t element) const { return channels[element % channels.size()]; }
};

std::vector<int64_t> quantize(const Encoding& encoding, const Values& values);
Values dequantize(const Encoding& encoding, const std::vector<int64_t>& stored);

// Every tensor of the model after a run on `image`. With encodings (one per tensor), each tensor is rounded
// to its encoding as soon as it is computed, as a quantized backend must, but for sums on their way into a
// relu that is folded into their convolution; without any, nothing is rounded.
std::vector<Values> run_oracle(const Model& model, const Values& image,
                               const std::vector<Encoding>& encodings = {});

// Encodings for 8-bit activations, 8-bit weights per output channel and 32-bit biases, from the ranges that
// occur on `images`.
std::vector<Encoding> calibrate(const Model& model, const std::vector<Values>& images);

// Signal to noise ratio of `actual` against `expected`, in decibels; infinite when they are equal.
double sqnr_db(const Values& expected, const Values& actual);

// ---- The client (demo_session.cc) of the QNN C API: nothing there knows more than include/QNN says. ----

// A model with its tensors in the types of one form.
struct TypedModel {
  const Model* model = nullptr;
  std::vector<Encoding> encodings;  // one per tensor for the quantized form, none for the float form

  bool quantized() const { return !encodings.empty(); }
  std::vector<std::byte> stored(size_t tensor, const Values& values) const;
  Values values(size_t tensor, std::span<const std::byte> bytes) const;
};

// A graph of a context and what it takes to run it.
struct GraphHandle {
  std::string name;
  Qnn_GraphHandle_t handle = nullptr;
  uint32_t input_id = 0;
  uint32_t output_id = 0;
};

Result<GraphHandle> build(Session& session, const std::string& name, const TypedModel& typed);
// In the context of now.
Result<GraphHandle> retrieve(Session& session, GraphHandle graph);
// The bytes of the output; `events` gets the profile when not null.
Result<std::vector<std::byte>> execute(Session& session, const GraphHandle& graph, const TypedModel& typed,
                                       std::span<const std::byte> input,
                                       std::vector<Event>* events = nullptr);

}  // namespace openqnn::tools
