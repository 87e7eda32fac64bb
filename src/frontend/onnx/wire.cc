// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/wire.h"

namespace openqnn::frontend {
namespace {

constexpr size_t kLongestVarint = 10;
constexpr uint64_t kMostFieldNumber = (uint64_t{1} << 29) - 1;

// Little-endian on every host.
template <size_t kSize>
uint64_t fixed(Bytes bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < kSize; ++i) value |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
  return value;
}

}  // namespace

std::optional<uint64_t> take_varint(Bytes& bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size() && i < kLongestVarint; ++i) {
    const auto byte = std::to_integer<uint64_t>(bytes[i]);
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes = bytes.subspan(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

bool FieldReader::stop(const char* reason) {
  broken_at_ = rest_.data();
  reason_ = reason;
  return false;
}

bool FieldReader::next(Field& field) {
  if (rest_.empty() || broken_at_ != nullptr) return false;
  Bytes after = rest_;
  const auto key = take_varint(after);
  if (!key) return stop("a field number ends in the middle");
  if (*key >> 3 == 0 || *key >> 3 > kMostFieldNumber) return stop("no field has this number");
  field = {.number = static_cast<uint32_t>(*key >> 3), .type = static_cast<WireType>(*key & 7)};
  switch (field.type) {
    case WireType::kVarint: {
      const auto value = take_varint(after);
      if (!value) return stop("a number ends in the middle");
      field.value = *value;
      break;
    }
    case WireType::kFixed64:
    case WireType::kFixed32: {
      const size_t size = field.type == WireType::kFixed64 ? 8 : 4;
      if (after.size() < size) return stop("a number ends in the middle");
      field.value = size == 8 ? fixed<8>(after) : fixed<4>(after);
      after = after.subspan(size);
      break;
    }
    case WireType::kBytes: {
      const auto size = take_varint(after);
      if (!size) return stop("a length ends in the middle");
      if (*size > after.size()) return stop("a field is longer than what is left of its message");
      field.bytes = after.first(*size);
      after = after.subspan(*size);
      break;
    }
    default:
      return stop("no field is of this kind");
  }
  rest_ = after;
  return true;
}

}  // namespace openqnn::frontend
