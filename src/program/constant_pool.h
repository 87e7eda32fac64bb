// SPDX-License-Identifier: BSD-3-Clause
// The data section while it is being put together, of one ProgramSet or of several that become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "program/program.h"

namespace openqnn::program {

// Equal constants are stored once.
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

enum class WeightSharing : uint8_t {
  kAsItIs,  // what Programs share already, they go on sharing; nothing else is looked for
  kEqual,   // equal constants of different Programs are stored once
};

// Several sets as one: what a context with several graphs writes. Constants are laid one after another.
ProgramSet merge(std::span<const ProgramSet> sets, WeightSharing sharing);

}  // namespace openqnn::program
