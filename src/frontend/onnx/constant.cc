// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/constant.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "base/text.h"
#include "frontend/onnx/order.h"

namespace openqnn::frontend::onnx {
namespace {

template <class T>
T load(Bytes bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

float bfloat16_to_float(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

// The nearest bfloat16, ties to even; NaN stays NaN.
uint16_t float_to_bfloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

int64_t nibble(Bytes bytes, uint64_t index, bool is_signed) {
  const auto byte = static_cast<uint8_t>(bytes[index / 2]);
  const int64_t bits = index % 2 == 0 ? byte & 0xF : byte >> 4;
  return is_signed ? (bits ^ 8) - 8 : bits;
}

// Towards zero and saturated; NaN is 0.
int64_t truncated(double real) {
  if (std::isnan(real)) return 0;
  if (real >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (real <= -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(real);
}

template <class T>
int64_t saturated(int64_t value) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    return std::max<int64_t>(value, 0);
  } else {
    return std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }
}

template <class Number>
Constant make(ElementType type, Dims dims, const std::vector<Number>& numbers) {
  ConstantBuilder builder(type, std::move(dims));
  for (uint64_t i = 0; i < numbers.size(); ++i) builder.put(i, numbers[i]);
  return builder.take();
}

std::vector<uint64_t> element_strides(const Dims& dims) {
  std::vector<uint64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<uint64_t>(dims[i]);
  return strides;
}

// Calls `visit` with the index of each element in the order in which they are to lie.
template <class Visit>
void for_each_in_order(const Dims& dims, const std::vector<uint32_t>& order, Visit&& visit) {
  const uint64_t count = count_of(dims);
  if (order.empty() || is_plain(order)) {
    for (uint64_t i = 0; i < count; ++i) visit(i);
    return;
  }
  const std::vector<uint64_t> stride = element_strides(dims);
  std::vector<uint64_t> index(dims.size(), 0);
  uint64_t from = 0;
  for (uint64_t done = 0; done < count; ++done) {
    visit(from);
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t d = order[i];
      from += stride[d];
      if (++index[i] < static_cast<uint64_t>(dims[d])) break;
      from -= stride[d] * index[i];
      index[i] = 0;
    }
  }
}

template <class T>
void store(std::byte* at, uint64_t index, T value) {
  std::memcpy(at + index * sizeof(T), &value, sizeof(T));
}

// Weights of a convolution are transposed by the million. Going through them in the order in which they lie,
// for one cache line of results at a time, touches every line of memory once (bench/python/bench_convert.py).
void transpose_floats(const std::byte* in, const Dims& dims, const Order& order, std::byte* out) {
  constexpr uint64_t kLine = 16;
  const uint32_t inner = order.back();  // neighbours in the result
  const std::vector<uint64_t> from = element_strides(dims);
  const std::vector<uint64_t> result = element_strides(in_order(dims, order));
  const Order position = inverse(order);
  const auto inner_size = static_cast<uint64_t>(dims[inner]);
  const uint64_t lines = count_of(dims) / inner_size;
  std::vector<int64_t> index(dims.size());
  for (uint64_t first = 0; first < inner_size; first += kLine) {
    const uint64_t end = std::min(first + kLine, inner_size);
    std::fill(index.begin(), index.end(), 0);
    uint64_t at = 0;
    uint64_t to = 0;
    for (uint64_t line = 0; line < lines; ++line) {
      for (uint64_t i = first; i < end; ++i) {
        std::memcpy(out + (to + i) * sizeof(float), in + (at + i * from[inner]) * sizeof(float),
                    sizeof(float));
      }
      for (size_t d = dims.size(); d-- > 0;) {
        if (d == inner) continue;
        at += from[d];
        to += result[position[d]];
        if (++index[d] < dims[d]) break;
        at -= from[d] * static_cast<uint64_t>(dims[d]);
        to -= result[position[d]] * static_cast<uint64_t>(dims[d]);
        index[d] = 0;
      }
    }
  }
}

}  // namespace

uint64_t count_of(const Dims& dims) {
  uint64_t count = 1;
  for (const int64_t dim : dims) count *= static_cast<uint64_t>(dim);
  return count;
}

Result<uint64_t> checked_count(const Dims& dims) {
  Tensor tensor;
  tensor.dims = dims;
  return element_count(tensor);
}

std::string text_of(const Dims& dims) {
  std::string text = "[";
  for (const int64_t dim : dims) text += concat(text.size() > 1 ? ", " : "", dim);
  return text + "]";
}

bool is_real(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kDouble || type == ElementType::kFloat16 ||
         type == ElementType::kBfloat16;
}

bool is_integer(ElementType type) {
  return !is_real(type) && type != ElementType::kBool && bits_of(type) != 0;
}

ConstantBuilder::ConstantBuilder(ElementType type, Dims dims)
    : type_(type),
      dims_(std::move(dims)),
      bytes_(std::make_shared<std::vector<std::byte>>(stored_bytes(type, count_of(dims_)))) {}

void ConstantBuilder::put(uint64_t index, double real) {
  switch (type_) {
    case ElementType::kFloat:
      return save(index, static_cast<float>(real));
    case ElementType::kDouble:
      return save(index, real);
    case ElementType::kFloat16:
      return save(index, to_half(real));
    case ElementType::kBfloat16:
      return save(index, float_to_bfloat16(static_cast<float>(real)));
    case ElementType::kBool:
      return save(index, static_cast<uint8_t>(real != 0.0));
    default:
      return put(index, truncated(real));
  }
}

void ConstantBuilder::put(uint64_t index, int64_t value) {
  switch (type_) {
    case ElementType::kInt8:
      return save(index, static_cast<int8_t>(saturated<int8_t>(value)));
    case ElementType::kUint8:
      return save(index, static_cast<uint8_t>(saturated<uint8_t>(value)));
    case ElementType::kInt16:
      return save(index, static_cast<int16_t>(saturated<int16_t>(value)));
    case ElementType::kUint16:
      return save(index, static_cast<uint16_t>(saturated<uint16_t>(value)));
    case ElementType::kInt32:
      return save(index, static_cast<int32_t>(saturated<int32_t>(value)));
    case ElementType::kUint32:
      return save(index, static_cast<uint32_t>(saturated<uint32_t>(value)));
    case ElementType::kInt64:
    case ElementType::kUint64:
      return save(index, value);
    case ElementType::kInt4:
      return save_nibble(index, std::clamp<int64_t>(value, -8, 7));
    case ElementType::kUint4:
      return save_nibble(index, std::clamp<int64_t>(value, 0, 15));
    case ElementType::kBool:
      return save(index, static_cast<uint8_t>(value != 0));
    default:
      return put(index, static_cast<double>(value));
  }
}

void ConstantBuilder::put_scaled(const Constant& from, uint64_t begin, uint64_t count, double factor) {
  if (type_ != ElementType::kFloat) {
    for (uint64_t i = begin; i < begin + count; ++i) put(i, from.real(i) * factor);
    return;
  }
  // The same in the form that nearly all weights have: the compiler makes vectors of it.
  const std::byte* in = from.bytes().data();
  for (uint64_t i = begin; i < begin + count; ++i) {
    float value = 0;
    std::memcpy(&value, in + i * sizeof value, sizeof value);
    value = static_cast<float>(static_cast<double>(value) * factor);
    std::memcpy(bytes_->data() + i * sizeof value, &value, sizeof value);
  }
}

Constant ConstantBuilder::take() { return {type_, std::move(dims_), TensorValues(*bytes_, bytes_)}; }

template <class T>
void ConstantBuilder::save(uint64_t index, T value) {
  std::memcpy(bytes_->data() + index * sizeof(T), &value, sizeof(T));
}

void ConstantBuilder::save_nibble(uint64_t index, int64_t value) {
  std::byte& byte = (*bytes_)[index / 2];
  const auto bits = static_cast<std::byte>(value & 0xF);
  byte = index % 2 == 0 ? (byte & std::byte{0xF0}) | bits : (byte & std::byte{0x0F}) | (bits << 4);
}

Constant Constant::of_reals(ElementType type, Dims dims, const std::vector<double>& numbers) {
  return make(type, std::move(dims), numbers);
}

Constant Constant::of_integers(ElementType type, Dims dims, const std::vector<int64_t>& numbers) {
  return make(type, std::move(dims), numbers);
}

double Constant::real(uint64_t index) const {
  switch (type_) {
    case ElementType::kFloat:
      return load<float>(bytes(), index);
    case ElementType::kDouble:
      return load<double>(bytes(), index);
    case ElementType::kFloat16:
      return to_float(load<Half>(bytes(), index));
    case ElementType::kBfloat16:
      return bfloat16_to_float(load<uint16_t>(bytes(), index));
    case ElementType::kUint64:
      return static_cast<double>(load<uint64_t>(bytes(), index));
    default:
      return static_cast<double>(integer(index));
  }
}

int64_t Constant::integer(uint64_t index) const {
  switch (type_) {
    case ElementType::kInt8:
      return load<int8_t>(bytes(), index);
    case ElementType::kUint8:
      return load<uint8_t>(bytes(), index);
    case ElementType::kBool:
      return load<uint8_t>(bytes(), index) != 0 ? 1 : 0;
    case ElementType::kInt16:
      return load<int16_t>(bytes(), index);
    case ElementType::kUint16:
      return load<uint16_t>(bytes(), index);
    case ElementType::kInt32:
      return load<int32_t>(bytes(), index);
    case ElementType::kUint32:
      return load<uint32_t>(bytes(), index);
    case ElementType::kInt64:
      return load<int64_t>(bytes(), index);
    case ElementType::kUint64:
      return static_cast<int64_t>(
          std::min<uint64_t>(load<uint64_t>(bytes(), index), std::numeric_limits<int64_t>::max()));
    case ElementType::kInt4:
    case ElementType::kUint4:
      return nibble(bytes(), index, type_ == ElementType::kInt4);
    default:
      return truncated(real(index));
  }
}

std::vector<double> Constant::reals() const {
  std::vector<double> all(count());
  for (uint64_t i = 0; i < all.size(); ++i) all[i] = real(i);
  return all;
}

std::vector<int64_t> Constant::integers() const {
  std::vector<int64_t> all(count());
  for (uint64_t i = 0; i < all.size(); ++i) all[i] = integer(i);
  return all;
}

Constant Constant::transposed(const std::vector<uint32_t>& order) const {
  if (!is_stated()) return reshaped(in_order(dims_, order));
  ConstantBuilder builder(type_, in_order(dims_, order));
  uint64_t at = 0;
  for_each_in_order(dims_, order, [&](uint64_t from) {
    if (is_real(type_))
      builder.put(at++, real(from));
    else
      builder.put(at++, integer(from));
  });
  return builder.take();
}

std::vector<std::byte> Constant::to_backend(const std::vector<uint32_t>& order) const {
  const ir::DataType type = backend_type(type_);
  std::vector<std::byte> out(count() * ir::byte_size(type));
  if (out.empty()) return out;
  uint64_t at = 0;
  if (type_ == ElementType::kFloat) {  // by far the most
    if (order.empty() || is_plain(order)) {
      std::copy_n(bytes().begin(), out.size(), out.begin());
      return out;
    }
    transpose_floats(bytes().data(), dims_, order, out.data());
    return out;
  }
  for_each_in_order(dims_, order, [&](uint64_t from) {
    if (type == ir::DataType::kFloat32)
      store(out.data(), at++, static_cast<float>(real(from)));
    else if (type == ir::DataType::kInt32)
      store(out.data(), at++, static_cast<int32_t>(saturated<int32_t>(integer(from))));
    else if (type == ir::DataType::kUint32)
      store(out.data(), at++, static_cast<uint32_t>(saturated<uint32_t>(integer(from))));
    else if (ir::byte_size(type) == 2)
      store(out.data(), at++, static_cast<uint16_t>(integer(from)));
    else
      store(out.data(), at++, static_cast<uint8_t>(integer(from)));
  });
  return out;
}

Blob Constant::backend_blob(const std::vector<uint32_t>& order) const {
  constexpr size_t kLarge = 64 << 10;
  const size_t size = count() * ir::byte_size(backend_type(type_));
  if (!is_stated()) return Blob::unstated(size);
  if (size < kLarge || !values_.owns()) return Blob::of(to_backend(order));
  return Blob::made_by(size, [constant = *this, order] {
    std::vector<std::byte> made = constant.to_backend(order);
    constant.values_.release();
    return made;
  });
}

}  // namespace openqnn::frontend::onnx
