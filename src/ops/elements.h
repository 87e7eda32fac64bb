// SPDX-License-Identifier: BSD-3-Clause
// Elements as real numbers: how reference kernels read and write tensors of any computed type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Exact for 8-bit types: a 24-bit scale times an integer of at most 29 bits fits a double.
inline double dequantize(int64_t stored, const ir::ScaleOffset& encoding) {
  return static_cast<double>(encoding.scale) * static_cast<double>(stored + encoding.offset);
}

inline int32_t quantize(double real, const ir::ScaleOffset& encoding, IntegerRange range) {
  return quantize_steps(real / static_cast<double>(encoding.scale), encoding.offset, range);
}

// Half, or 8-bit with one encoding.
class ElementReader {
 public:
  ElementReader(const ir::TensorDesc& desc, const std::byte* data) : type_(desc.type), data_(data) {
    if (ir::is_quantized(type_)) encoding_ = desc.quantization.at(0);
  }
  double operator()(uint64_t index) const {
    if (type_ == ir::DataType::kFloat16) return to_float(load<Half>(data_, index));
    const int64_t stored = type_ == ir::DataType::kUfixed8 ? int64_t{load<uint8_t>(data_, index)}
                                                           : int64_t{load<int8_t>(data_, index)};
    return dequantize(stored, encoding_);
  }

 private:
  ir::DataType type_;
  const std::byte* data_;
  ir::ScaleOffset encoding_;
};

// Rounds a real number, once, to what the tensor holds.
class ElementWriter {
 public:
  ElementWriter(const ir::TensorDesc& desc, std::byte* data) : type_(desc.type), data_(data) {
    if (!ir::is_quantized(type_)) return;
    encoding_ = desc.quantization.at(0);
    range_ = ir::integer_range(type_);
  }
  void operator()(uint64_t index, double real) const {
    if (type_ == ir::DataType::kFloat16)
      save(data_, index, to_half(real));
    else  // the low byte of the stored integer, signed or not
      save(data_, index, static_cast<uint8_t>(quantize(real, encoding_, range_)));
  }

 private:
  ir::DataType type_;
  std::byte* data_;
  ir::ScaleOffset encoding_;
  IntegerRange range_;
};

}  // namespace openqnn::ops
