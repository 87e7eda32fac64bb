// SPDX-License-Identifier: BSD-3-Clause
// A tensor whose values are known before the model runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/blob.h"
#include "frontend/onnx/model.h"
#include "ir/types.h"

namespace openqnn::frontend::onnx {

using Dims = std::vector<int64_t>;  // none is negative

// 1 for a scalar. For dimensions that were checked when they came in (checked_count).
uint64_t count_of(const Dims& dims);
// Refuses negative dimensions and products beyond any memory.
Result<uint64_t> checked_count(const Dims& dims);
std::string text_of(const Dims& dims);  // "[1, 3, 224, 224]"

bool is_real(ElementType type);     // float, double, float16, bfloat16
bool is_integer(ElementType type);  // signed or not; bool is none

// How the backend holds an element: all reals are float32 to a client; it has no 64-bit integers, so that
// these become 32-bit ones, saturated. kUndefined for texts and types that are not known.
ir::DataType backend_type(ElementType type);

class Constant {
 public:
  // `values` are as many as `dims` say.
  Constant(ElementType type, Dims dims, TensorValues values)
      : type_(type), dims_(std::move(dims)), values_(std::move(values)) {}
  // Each number rounded to `type` as a cast does it: integers towards zero and saturated.
  static Constant of_reals(ElementType type, Dims dims, const std::vector<double>& numbers);
  static Constant of_integers(ElementType type, Dims dims, const std::vector<int64_t>& numbers);

  ElementType type() const { return type_; }
  const Dims& dims() const { return dims_; }
  uint64_t count() const { return count_of(dims_); }
  Bytes bytes() const { return values_.bytes(); }
  // False for weights of a model whose shapes alone count: all zeros, and whatever is made of them is no
  // more.
  bool is_stated() const { return values_.is_stated(); }

  double real(uint64_t index) const;
  int64_t integer(uint64_t index) const;  // reals towards zero, saturated
  std::vector<double> reals() const;
  std::vector<int64_t> integers() const;
  // The same values in other dimensions of the same count.
  Constant reshaped(Dims dims) const { return {type_, std::move(dims), values_}; }
  // Dimension i of the result is dimension order[i].
  Constant transposed(const std::vector<uint32_t>& order) const;
  // As the backend holds them, in the order `order` (position -> dimension); row-major when it is empty.
  std::vector<std::byte> to_backend(const std::vector<uint32_t>& order = {}) const;
  // The same, made when it is needed where it is large and its values stay alive as long as it does.
  Blob backend_blob(const std::vector<uint32_t>& order = {}) const;
  // Gives back the memory of values that lie in a file.
  void release() const { values_.release(); }

 private:
  ElementType type_;
  Dims dims_;
  TensorValues values_;
};

// A constant that is made element by element, without a second copy of it.
class ConstantBuilder {
 public:
  ConstantBuilder(ElementType type, Dims dims);
  // Rounded as Constant::of_reals says.
  void put(uint64_t index, double real);
  void put(uint64_t index, int64_t value);
  // `count` reals of another constant of this type from `begin` on, times a factor, to the same places.
  void put_scaled(const Constant& from, uint64_t begin, uint64_t count, double factor);
  Constant take();  // once

 private:
  template <class T>
  void save(uint64_t index, T value);
  void save_nibble(uint64_t index, int64_t value);

  ElementType type_;
  Dims dims_;
  std::shared_ptr<std::vector<std::byte>> bytes_;
};

}  // namespace openqnn::frontend::onnx
