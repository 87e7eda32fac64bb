// SPDX-License-Identifier: BSD-3-Clause
// Elements as real numbers: how reference kernels read and write tensors of any computed type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "base/rounding.h"
#include "ir/graph.h"

namespace openqnn::ops {

// By memcpy: a client's buffer need not be aligned to its element.
template <class T>
T load(const std::byte* data, uint64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void save(std::byte* data, uint64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

// The stored integer of any integer, fixed-point or bool type but uint64, whose upper half does not fit.
inline int64_t load_integer(ir::DataType type, const std::byte* data, uint64_t index) {
  using ir::DataType;
  switch (type) {
    case DataType::kInt8:
    case DataType::kSfixed4:
    case DataType::kSfixed8:
      return load<int8_t>(data, index);
    case DataType::kUint8:
    case DataType::kUfixed4:
    case DataType::kUfixed8:
    case DataType::kBool8:
      return load<uint8_t>(data, index);
    case DataType::kInt16:
    case DataType::kSfixed16:
      return load<int16_t>(data, index);
    case DataType::kUint16:
    case DataType::kUfixed16:
      return load<uint16_t>(data, index);
    case DataType::kInt32:
    case DataType::kSfixed32:
      return load<int32_t>(data, index);
    case DataType::kUint32:
    case DataType::kUfixed32:
      return load<uint32_t>(data, index);
    default:
      return load<int64_t>(data, index);
  }
}

// The low bytes of a stored integer, signed or not.
inline void save_integer(ir::DataType type, std::byte* data, uint64_t index, int64_t value) {
  const size_t size = ir::byte_size(type);
  if (size == 1)
    save(data, index, static_cast<uint8_t>(value));
  else if (size == 2)
    save(data, index, static_cast<uint16_t>(value));
  else if (size == 4)
    save(data, index, static_cast<uint32_t>(value));
  else
    save(data, index, static_cast<uint64_t>(value));
}

// The low `bits` of a stored integer; a client may leave anything above them. 0: all of them.
inline int64_t low_bits(int64_t stored, uint32_t bits, bool is_signed) {
  if (bits == 0 || bits >= 32) return stored;
  const int64_t kept = stored & ((int64_t{1} << bits) - 1);
  const int64_t sign = int64_t{1} << (bits - 1);
  return is_signed ? (kept ^ sign) - sign : kept;
}

// Exact for 8-bit types: a 24-bit scale times an integer of at most 29 bits fits a double.
inline double dequantize(int64_t stored, const ir::ScaleOffset& encoding) {
  return static_cast<double>(encoding.scale) * static_cast<double>(stored + encoding.offset);
}

inline int32_t quantize(double real, const ir::ScaleOffset& encoding, IntegerRange range) {
  return quantize_steps(real / static_cast<double>(encoding.scale), encoding.offset, range);
}

inline bool is_signed_fixed(ir::DataType type) {
  return type == ir::DataType::kSfixed8 || type == ir::DataType::kSfixed16 ||
         type == ir::DataType::kSfixed32 || type == ir::DataType::kSfixed4;
}

// A tensor of any computed type as real numbers: half, or single precision, in which the backend computes
// nothing but against which it is measured (src/quant); integers and bools as they are (exact up to 2^53);
// fixed-point by its one encoding.
class ElementReader {
 public:
  ElementReader(const ir::TensorDesc& desc, const std::byte* data)
      : type_(desc.type), quantized_(ir::is_quantized(desc.type)), data_(data) {
    if (!quantized_) return;
    encoding_ = desc.quantization.at(0);
    bits_ = desc.quantization.bits;
    signed_ = is_signed_fixed(type_);
  }
  double operator()(uint64_t index) const {
    if (type_ == ir::DataType::kFloat16) return to_float(load<Half>(data_, index));
    if (type_ == ir::DataType::kFloat32) return load<float>(data_, index);
    if (type_ == ir::DataType::kUint64) return static_cast<double>(load<uint64_t>(data_, index));
    const int64_t stored = load_integer(type_, data_, index);
    if (!quantized_) return static_cast<double>(stored);
    return dequantize(bits_ ? low_bits(stored, bits_, signed_) : stored, encoding_);
  }

 private:
  ir::DataType type_;
  bool quantized_;
  bool signed_ = false;
  uint32_t bits_ = 0;
  const std::byte* data_;
  ir::ScaleOffset encoding_;
};

// The stored integers of a fixed-point type, or of its low `bits`.
inline IntegerRange range_of(ir::DataType type, uint32_t bits) {
  if (bits == 0 || bits >= 8 * ir::byte_size(type)) return ir::integer_range(type);
  const int64_t span = int64_t{1} << bits;
  const int64_t low = is_signed_fixed(type) ? -span / 2 : 0;
  return {static_cast<int32_t>(low), static_cast<int32_t>(low + span - 1)};
}

// The integers that a plain integer type holds, as far as a double can say.
struct PlainRange {
  double low;
  double high;
};
inline PlainRange plain_range(ir::DataType type) {
  using ir::DataType;
  const bool is_signed = type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 ||
                         type == DataType::kInt64;
  const double values = std::ldexp(1.0, static_cast<int>(8 * ir::byte_size(type)));
  return is_signed ? PlainRange{-values / 2, values / 2 - 1} : PlainRange{0.0, values - 1};
}

// Rounds a real number, once, to what the tensor holds. Plain integers: towards zero, saturated, NaN is 0.
// Bools: whether it is not 0.
class ElementWriter {
 public:
  ElementWriter(const ir::TensorDesc& desc, std::byte* data)
      : type_(desc.type), quantized_(ir::is_quantized(desc.type)), data_(data) {
    if (quantized_) {
      encoding_ = desc.quantization.at(0);
      range_ = range_of(type_, desc.quantization.bits);
    } else if (!ir::is_float(type_)) {
      plain_ = plain_range(type_);
    }
  }
  void operator()(uint64_t index, double real) const {
    if (type_ == ir::DataType::kFloat16)
      save(data_, index, one_nan(to_half(real)));
    else if (type_ == ir::DataType::kFloat32)
      save(data_, index, static_cast<float>(real));
    else if (quantized_)
      save_integer(type_, data_, index, quantize(real, encoding_, range_));
    else
      save_plain(index, real);
  }

 private:
  void save_plain(uint64_t index, double real) const {
    if (type_ == ir::DataType::kBool8)
      save(data_, index, static_cast<uint8_t>(real != 0.0));
    else if (type_ == ir::DataType::kUint64)
      save(data_, index, real >= 0x1p64 ? UINT64_MAX : real > 0.0 ? static_cast<uint64_t>(real) : 0);
    else if (std::isnan(real))
      save_integer(type_, data_, index, 0);
    else
      save_integer(type_, data_, index, truncated(std::clamp(real, plain_.low, plain_.high)));
  }
  // The largest double in the range of int64 is one more than the largest int64.
  static int64_t truncated(double real) {
    return real >= 0x1p63 ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(real);
  }

  ir::DataType type_;
  bool quantized_;
  std::byte* data_;
  ir::ScaleOffset encoding_;
  IntegerRange range_;
  PlainRange plain_{0.0, 0.0};
};

// Writes `count` zeros from element `first` on: what stands for 0 is found once.
inline void fill_with_zero(const ir::TensorDesc& desc, std::byte* data, uint64_t first, uint64_t count) {
  if (count == 0) return;
  ElementWriter(desc, data)(first, 0.0);
  const size_t size = ir::byte_size(desc.type);
  std::byte* begin = data + first * size;
  for (uint64_t done = 1; done < count; done *= 2)  // what is written is copied behind itself
    std::memcpy(begin + done * size, begin, std::min(done, count - done) * size);
}

// Whether a value of one tensor is the same bytes in the other: then moving elements is copying them.
inline bool same_representation(const ir::TensorDesc& a, const ir::TensorDesc& b) {
  return a.type == b.type && (!ir::is_quantized(a.type) || (a.quantization.at(0) == b.quantization.at(0) &&
                                                            a.quantization.bits == b.quantization.bits));
}

}  // namespace openqnn::ops
