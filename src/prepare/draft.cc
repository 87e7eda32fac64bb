// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/draft.h"

namespace openqnn::prepare {

void replace_operand(Draft& draft, ir::TensorIndex& operand, ir::TensorDesc desc, ir::Blob data) {
  program::Tensor tensor = draft.program.tensors[operand];
  tensor.id = static_cast<uint32_t>(draft.program.tensors.size()) + 1;
  tensor.desc = std::move(desc);
  tensor.desc.is_static = true;
  tensor.bytes = data.size();
  operand = static_cast<ir::TensorIndex>(draft.program.tensors.size());
  draft.program.tensors.push_back(std::move(tensor));
  draft.data.push_back(std::move(data));
}

}  // namespace openqnn::prepare
