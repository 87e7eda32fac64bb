// SPDX-License-Identifier: BSD-3-Clause
#include "tools/value_types.h"

#include <array>
#include <string_view>

#include "base/text.h"

namespace openqnn::tools {
namespace {

enum class Numbers : uint8_t { kReal, kInteger };

// What numpy calls it, and how `astype` takes it.
struct NumpyType {
  Numbers numbers;
  uint64_t bytes;
  std::string_view name;
  std::string_view code;
};

// numpy's defaults, and what else such files are often left in; reals of pixels are uint8.
constexpr std::array kNumpyTypes = {
    NumpyType{Numbers::kReal, 8, "float64", "<f8"},  NumpyType{Numbers::kReal, 4, "float32", "<f4"},
    NumpyType{Numbers::kReal, 2, "float16", "<f2"},  NumpyType{Numbers::kReal, 1, "uint8", "u1"},
    NumpyType{Numbers::kInteger, 8, "int64", "<i8"}, NumpyType{Numbers::kInteger, 4, "int32", "<i4"}};

const NumpyType* numpy_type(Numbers numbers, uint64_t bytes) {
  for (const NumpyType& type : kNumpyTypes)
    if (type.numbers == numbers && type.bytes == bytes) return &type;
  return nullptr;
}

}  // namespace

std::string remedy_of_other_type(ir::DataType wanted, uint64_t elements, uint64_t has) {
  if (elements == 0 || has % elements != 0 || ir::is_quantized(wanted)) return "";
  const uint64_t bytes = ir::byte_size(wanted);
  const Numbers numbers = ir::is_float(wanted) ? Numbers::kReal : Numbers::kInteger;
  const NumpyType* const target = numpy_type(numbers, bytes);
  const NumpyType* const seen = numpy_type(numbers, has / elements);
  if (target == nullptr || seen == nullptr || seen == target) return "";
  const bool is_pixels = seen->numbers == Numbers::kReal && seen->bytes == 1;
  return concat("it has the size of ", seen->name, ": write it with astype('", target->code, "')",
                is_pixels ? ", scaled as the model takes it" : "");
}

}  // namespace openqnn::tools
