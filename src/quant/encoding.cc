// SPDX-License-Identifier: BSD-3-Clause
#include "quant/encoding.h"

#include <algorithm>
#include <cmath>

#include "ops/elements.h"

namespace openqnn::quant {
namespace {

// With 0 inside, and not too narrow.
Range usable(Range range) {
  range.low = std::min(range.low, 0.0);
  range.high = std::max(range.high, 0.0);
  range.high = std::max(range.high, range.low + kSmallestRange);
  return range;
}

double magnitude(Range range) { return std::max(std::abs(range.low), std::abs(range.high)); }

}  // namespace

std::optional<Scheme> scheme_from(std::string_view name) {
  if (name == "asymmetric") return Scheme::kAsymmetric;
  if (name == "symmetric") return Scheme::kSymmetric;
  if (name == "unsignedsymmetric") return Scheme::kUnsignedSymmetric;
  return std::nullopt;
}

ir::ScaleOffset unsigned_encoding(Range range, uint32_t bits, Scheme scheme) {
  range = usable(range);
  const double steps = std::ldexp(1.0, static_cast<int>(bits)) - 1.0;
  const bool from_zero = scheme == Scheme::kUnsignedSymmetric && range.low >= 0.0;
  if (scheme != Scheme::kAsymmetric && !from_zero) {
    const double half = std::ldexp(1.0, static_cast<int>(bits) - 1);
    return {static_cast<float>(magnitude(range) / (half - 1.0)), static_cast<int32_t>(-half)};
  }
  const double scale = (range.high - range.low) / steps;
  return {static_cast<float>(scale), static_cast<int32_t>(-std::nearbyint(-range.low / scale))};
}

ir::ScaleOffset signed_encoding(Range range, uint32_t bits, std::optional<Steps> steps) {
  const double largest = std::ldexp(1.0, static_cast<int>(bits) - 1) - 1.0;
  double positive = largest;
  if (steps)
    positive = std::min({largest, static_cast<double>(steps->high), -static_cast<double>(steps->low)});
  return {static_cast<float>(std::max(magnitude(range), kSmallestRange / 2) / positive), 0};
}

ir::TensorDesc at_width(const ir::TensorDesc& desc, uint32_t bits) {
  if (8 * ir::byte_size(desc.type) == bits || ir::byte_size(desc.type) > 2) return desc;
  const bool is_signed = ops::is_signed_fixed(desc.type);
  const bool wider = bits == 16;
  // Steps of the wide form in one of the narrow: 65535 / 255, or what leaves both at their lowest integer.
  const double steps = is_signed ? 256.0 : 257.0;
  const ir::ScaleOffset& one = desc.quantization.at(0);
  const double scale = static_cast<double>(one.scale) * (wider ? 1.0 / steps : steps);
  const double offset = static_cast<double>(one.offset) * (wider ? steps : 1.0 / steps);
  ir::TensorDesc other = desc;
  if (wider)
    other.type = is_signed ? ir::DataType::kSfixed16 : ir::DataType::kUfixed16;
  else
    other.type = is_signed ? ir::DataType::kSfixed8 : ir::DataType::kUfixed8;
  other.quantization =
      ir::Quantization::per_tensor(static_cast<float>(scale), static_cast<int32_t>(std::nearbyint(offset)));
  return other;
}

bool counts_products(const ir::TensorDesc& bias) {
  return bias.type == ir::DataType::kSfixed32 &&
         std::ranges::find(bias.quantization.encodings, 0.0F, &ir::ScaleOffset::scale) !=
             bias.quantization.encodings.end();
}

double product_step(const ir::Quantization& input, const ir::Quantization& weights, size_t channel) {
  return static_cast<double>(input.at(0).scale) *
         static_cast<double>(weights.encodings[channel % weights.encodings.size()].scale);
}

Range range_of(const ir::ScaleOffset& encoding, ir::DataType type, uint32_t bits) {
  const IntegerRange integers = ops::range_of(type, bits);
  return {ops::dequantize(integers.low, encoding), ops::dequantize(integers.high, encoding)};
}

Range min_max(std::span<const float> values) {
  Range range;
  bool any = false;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    const auto real = static_cast<double>(value);
    range = any ? Range{std::min(range.low, real), std::max(range.high, real)} : Range{real, real};
    any = true;
  }
  return range;
}

uint64_t elements_behind(const ir::Shape& shape, size_t axis) {
  return ir::Shape(shape.dims().subspan(axis + 1)).elements();
}

std::vector<std::byte> quantized(const ir::TensorDesc& desc, std::span<const float> values) {
  const IntegerRange integers = ops::range_of(desc.type, desc.quantization.bits);
  std::vector<std::byte> stored(values.size() * ir::byte_size(desc.type));
  if (desc.quantization.kind == ir::Quantization::Kind::kPerBlock) {
    uint64_t i = 0;
    ir::for_each_index(ir::Box::whole(desc.shape), [&](const ir::Shape& index) {
      const ir::ScaleOffset& encoding = desc.quantization.of(desc.shape, index);
      ops::save_integer(desc.type, stored.data(), i,
                        ops::quantize(static_cast<double>(values[i]), encoding, integers));
      ++i;
    });
    return stored;
  }
  const bool by_axis = desc.quantization.kind == ir::Quantization::Kind::kPerAxis;
  const uint64_t inner = by_axis ? elements_behind(desc.shape, desc.quantization.axis) : 1;
  const uint32_t extent = by_axis ? desc.shape[desc.quantization.axis] : 1;
  for (uint64_t i = 0; i < values.size(); ++i) {
    const auto slice = by_axis ? static_cast<uint32_t>(i / inner % extent) : 0;
    const ir::ScaleOffset& encoding = desc.quantization.at(slice);
    ops::save_integer(desc.type, stored.data(), i,
                      ops::quantize(static_cast<double>(values[i]), encoding, integers));
  }
  return stored;
}

std::vector<std::byte> stored(const ir::TensorDesc& desc, std::span<const float> values) {
  if (ir::is_quantized(desc.type)) return quantized(desc, values);
  std::vector<std::byte> made(values.size() * ir::byte_size(desc.type));
  const ops::ElementWriter write(desc, made.data());
  for (uint64_t i = 0; i < values.size(); ++i) write(i, static_cast<double>(values[i]));
  return made;
}

}  // namespace openqnn::quant
