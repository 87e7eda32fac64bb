// SPDX-License-Identifier: BSD-3-Clause
#include "program/constant_pool.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/units.h"
#include "program/program.h"

namespace openqnn::program {

namespace {

uint64_t hash_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

uint64_t ConstantPool::space_of(uint64_t bytes) { return round_up(bytes, kTensorAlignment); }

uint64_t ConstantPool::place(std::span<const std::byte> bytes) {
  const uint64_t hash = hash_of(bytes);
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto twin = std::find_if(first, last, [&](const auto& entry) {
    const auto& [offset, size] = entry.second;
    return size == bytes.size() &&
           std::equal(bytes.begin(), bytes.end(), section_.begin() + static_cast<std::ptrdiff_t>(offset));
  });
  return twin != last ? twin->second.offset : append(bytes, hash);
}

uint64_t ConstantPool::append(std::span<const std::byte> bytes) { return append(bytes, hash_of(bytes)); }

uint64_t ConstantPool::append(std::span<const std::byte> bytes, uint64_t hash) {
  const uint64_t offset = round_up(section_.size(), kTensorAlignment);
  section_.resize(offset);
  section_.insert(section_.end(), bytes.begin(), bytes.end());
  by_hash_.emplace(hash, Placed{offset, bytes.size()});
  return offset;
}

}  // namespace openqnn::program
