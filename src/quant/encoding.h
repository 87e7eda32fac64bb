// SPDX-License-Identifier: BSD-3-Clause
// From the range of a tensor's values to the integers that stand for them, as the documents define it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace openqnn::quant {

struct Range {
  double low = 0.0;
  double high = 0.0;
  friend bool operator==(const Range&, const Range&) = default;
};

enum class Scheme : uint8_t {
  kAsymmetric,         // the range as it is, widened to hold 0
  kSymmetric,          // the same on both sides of 0
  kUnsignedSymmetric,  // symmetric, but from 0 where no value is negative
};
std::optional<Scheme> scheme_from(std::string_view name);  // "asymmetric", "symmetric", "unsignedsymmetric"

// Stored integers that a symmetric encoding may use, e.g. -0x8000 to 0x7F7F.
struct Steps {
  int64_t low = 0;
  int64_t high = 0;
};

// Ranges below this are widened, so that a tensor of one value still has a scale (documented).
inline constexpr double kSmallestRange = 0.0001;

// Of unsigned integers of `bits` bits: scale = range / (2^bits - 1), 0 is exactly one of the steps. A
// symmetric encoding has its zero in the middle.
ir::ScaleOffset unsigned_encoding(Range range, uint32_t bits, Scheme scheme);
// Of signed integers, symmetric: offset 0.
ir::ScaleOffset signed_encoding(Range range, uint32_t bits, std::optional<Steps> steps = std::nullopt);

// The same reals in integers of `bits` bits, 8 or 16, with one encoding: exactly when these are more.
ir::TensorDesc at_width(const ir::TensorDesc& desc, uint32_t bits);

// Whether a bias counts products of input and weight steps, in channels for which it has no scale of its own.
bool counts_products(const ir::TensorDesc& bias);
// What one count of it stands for. Groups of a transposed convolution share the encodings of their weights.
double product_step(const ir::Quantization& input, const ir::Quantization& weights, size_t channel);

// What the lowest and highest integers of an encoding stand for.
Range range_of(const ir::ScaleOffset& encoding, ir::DataType type, uint32_t bits);

Range min_max(std::span<const float> values);  // numbers alone: NaN and infinities are passed over

// How many elements lie behind one index along `axis`.
uint64_t elements_behind(const ir::Shape& shape, size_t axis);

// The integers that stand for `values` under `desc` (its type and encodings), ties to even, saturated.
std::vector<std::byte> quantized(const ir::TensorDesc& desc, std::span<const float> values);
// The same for tensors of any type: half floats, plain integers.
std::vector<std::byte> stored(const ir::TensorDesc& desc, std::span<const float> values);

}  // namespace openqnn::quant
