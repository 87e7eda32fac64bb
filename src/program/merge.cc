// SPDX-License-Identifier: BSD-3-Clause
#include "program/merge.h"

#include "program/constant_pool.h"

namespace openqnn::program {

ProgramSet merge(std::span<const ProgramSet> sets) {
  ConstantPool pool;
  ProgramSet merged;
  for (const ProgramSet& set : sets) {
    for (const auto& program : set.programs) {
      auto copy = std::make_shared<Program>(*program);
      for (Tensor& tensor : copy->tensors)
        if (tensor.storage == Storage::kConstant)
          tensor.offset = pool.place(set.constants.subspan(tensor.offset, tensor.bytes));
      merged.programs.push_back(std::move(copy));
    }
  }
  auto constants = std::make_shared<const std::vector<std::byte>>(pool.take());
  merged.constants = *constants;
  merged.owner = std::move(constants);
  return merged;
}

}  // namespace openqnn::program
