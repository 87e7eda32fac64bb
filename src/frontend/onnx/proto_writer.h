// SPDX-License-Identifier: BSD-3-Clause
// Messages for tests, written field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace openqnn::frontend {

class ProtoWriter {
 public:
  ProtoWriter& varint(uint32_t number, uint64_t value) {
    key(number, 0);
    put_varint(value);
    return *this;
  }
  ProtoWriter& bytes(uint32_t number, std::string_view value) {
    key(number, 2);
    put_varint(value.size());
    out_ += value;
    return *this;
  }
  ProtoWriter& message(uint32_t number, const ProtoWriter& value) { return bytes(number, value.out_); }
  ProtoWriter& fixed32(uint32_t number, float value) {
    key(number, 5);
    put_fixed(std::bit_cast<uint32_t>(value), 4);
    return *this;
  }
  ProtoWriter& fixed64(uint32_t number, double value) {
    key(number, 1);
    put_fixed(std::bit_cast<uint64_t>(value), 8);
    return *this;
  }
  void put_varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  const std::string& text() const { return out_; }

 private:
  void key(uint32_t number, uint32_t type) { put_varint(uint64_t{number} << 3 | type); }
  void put_fixed(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) out_ += static_cast<char>(value >> (8 * i));
  }
  std::string out_;
};

}  // namespace openqnn::frontend
