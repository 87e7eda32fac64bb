// SPDX-License-Identifier: BSD-3-Clause
// The data section while it is being put together: equal constants are stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace openqnn::program {

class ConstantPool {
 public:
  // What `bytes` take at most.
  static uint64_t space_of(uint64_t bytes);
  void reserve(uint64_t bytes) { section_.reserve(bytes); }
  // Where `bytes` stand in the section, added at its end unless they are there already.
  uint64_t place(std::span<const std::byte> bytes);
  // The same, always at the end; `place` finds them there.
  uint64_t append(std::span<const std::byte> bytes);

  std::vector<std::byte> take() { return std::move(section_); }

 private:
  struct Placed {
    uint64_t offset;
    uint64_t bytes;
  };
  uint64_t append(std::span<const std::byte> bytes, uint64_t hash);

  std::vector<std::byte> section_;
  std::unordered_multimap<uint64_t, Placed> by_hash_;
};

}  // namespace openqnn::program
