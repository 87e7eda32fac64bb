// SPDX-License-Identifier: BSD-3-Clause
// The wire format of protocol buffers, read field by field without a schema and without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace openqnn::frontend {

using Bytes = std::span<const std::byte>;

// What the format can carry. Groups are obsolete and no model has them.
enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct Field {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;  // unless kBytes
  Bytes bytes;         // of kBytes

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// Walks the fields of one message. After next() has answered false, broken_at() tells an end from a fault.
class FieldReader {
 public:
  explicit FieldReader(Bytes message) : rest_(message) {}

  bool next(Field& field);
  // Where the bytes stopped making sense, and why.
  const std::byte* broken_at() const { return broken_at_; }
  const char* reason() const { return reason_; }

 private:
  bool stop(const char* reason);

  Bytes rest_;
  const std::byte* broken_at_ = nullptr;
  const char* reason_ = nullptr;
};

// Takes a varint from the front; nothing when there is none, and then `bytes` is as it was.
std::optional<uint64_t> take_varint(Bytes& bytes);

}  // namespace openqnn::frontend
