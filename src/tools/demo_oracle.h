// SPDX-License-Identifier: BSD-3-Clause
// What the demo's model should compute, in double precision and in plain loops that share no code with the
// backend's kernels, so that a mistake there is not repeated here.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/demo_model.h"

namespace openqnn::tools {

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

}  // namespace openqnn::tools
