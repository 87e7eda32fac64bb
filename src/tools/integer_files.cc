// SPDX-License-Identifier: BSD-3-Clause
#include "tools/integer_files.h"

#include <cmath>
#include <cstring>

#include "base/text.h"

namespace openqnn::tools {
namespace {

// Whether all values are fine, and one of them is not 0, which is the same in both types.
template <class IsFine>
bool all_are(std::span<const std::byte> bytes, IsFine is_fine) {
  bool some = false;
  for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (!is_fine(value)) return false;
    some = some || value != 0;  // also what is no number
  }
  return some;
}

// Whether 4-byte values are integers for certain. As float32 those are 0, next to 0, or no numbers.
bool holds_integers(std::span<const std::byte> bytes) {
  constexpr float kLeast = 1e-20F;  // below half a thousand million as an integer
  return all_are(bytes, [](float value) { return !(std::fabs(value) >= kLeast); });
}

// Whether they are whole numbers as float32 for certain. As integers those are 0 or beyond a thousand
// million.
bool holds_whole_floats(std::span<const std::byte> bytes) {
  constexpr float kMost = 0x1p31F;  // what an integer could have been meant
  return all_are(bytes, [](float value) {
    return value == 0 || (std::fabs(value) >= 1 && std::fabs(value) < kMost && value == std::trunc(value));
  });
}

// The same where nothing says that integers are expected: small ones, of which one is above 0. As float32 all
// are next to 0, or NaNs that nobody computes.
bool holds_small_integers(std::span<const std::byte> bytes) {
  constexpr int32_t kMost = 1 << 23;
  bool some = false;
  for (size_t at = 0; at + sizeof(int32_t) <= bytes.size(); at += sizeof(int32_t)) {
    int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value <= -kMost || value >= kMost) return false;
    some = some || value > 0;
  }
  return some;
}

Status refuse_for_reals(const IntegerFile& file, std::span<const std::byte> bytes) {
  const bool is_read_as_float32 = file.input.desc.type == ir::DataType::kFloat32 ||
                                  (ir::is_quantized(file.input.desc.type) && !file.native);
  if (!is_read_as_float32 || !holds_small_integers(bytes)) return {};
  return invalid("input-integers",
                 concat("'", file.path, "' holds 32-bit integers: read as float32 they are all ",
                        "next to 0, as which input '", file.input.name, "' would get them"))
      .at(file.line)
      .fix_by("write float32, with numpy by astype('<f4')");
}

}  // namespace

bool is_integer(ir::DataType type) { return !ir::is_float(type) && !ir::is_quantized(type); }

Status refuse_other_kind(const IntegerFile& file, std::span<const std::byte> bytes) {
  const ir::DataType type = file.input.desc.type;
  if (!is_integer(type)) return refuse_for_reals(file, bytes);
  if (ir::byte_size(type) != sizeof(float)) return {};
  if (!file.native && holds_integers(bytes))
    return invalid("input-integers", concat("'", file.path, "' holds no float32 numbers but ", ir::name(type),
                                            ": read as float32 they are all next to 0, as which input '",
                                            file.input.name, "' would get them"))
        .at(file.line)
        .fix_by(file.remedy);
  if (file.native && holds_whole_floats(bytes))
    return invalid("input-integers", concat("'", file.path, "' holds float32 numbers, not ", ir::name(type),
                                            ": read as integers they are beyond a thousand million, as which "
                                            "input '",
                                            file.input.name, "' would get them"))
        .at(file.line)
        .fix_by(file.remedy);
  return {};
}

}  // namespace openqnn::tools
