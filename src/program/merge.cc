// SPDX-License-Identifier: BSD-3-Clause
#include "program/merge.h"

#include <map>
#include <utility>

#include "program/constant_pool.h"

namespace openqnn::program {
namespace {

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
