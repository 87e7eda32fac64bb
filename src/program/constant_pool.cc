// SPDX-License-Identifier: BSD-3-Clause
#include "program/constant_pool.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "base/units.h"

namespace openqnn::program {
namespace {

uint64_t hash_of(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

class Placer {
 public:
  explicit Placer(WeightSharing sharing) : sharing_(sharing) {}

  uint64_t place(std::span<const std::byte> bytes) {
    if (sharing_ == WeightSharing::kEqual) return pool_.place(bytes);
    const auto [known, is_new] = placed_.try_emplace({bytes.data(), bytes.size()}, 0);
    if (is_new) known->second = pool_.append(bytes);
    return known->second;
  }
  std::vector<std::byte> take() { return pool_.take(); }

 private:
  const WeightSharing sharing_;
  ConstantPool pool_;
  std::map<std::pair<const std::byte*, size_t>, uint64_t> placed_;  // by where they came from
};

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

ProgramSet merge(std::span<const ProgramSet> sets, WeightSharing sharing) {
  Placer placer(sharing);
  ProgramSet merged;
  for (const ProgramSet& set : sets) {
    for (const auto& program : set.programs) {
      auto copy = std::make_shared<Program>(*program);
      for (Tensor& tensor : copy->tensors)
        if (tensor.storage == Storage::kConstant) tensor.offset = placer.place(set.bytes_of(tensor));
      merged.programs.push_back(std::move(copy));
    }
  }
  auto constants = std::make_shared<const std::vector<std::byte>>(placer.take());
  merged.constants = *constants;
  merged.owner = std::move(constants);
  return merged;
}

}  // namespace openqnn::program
