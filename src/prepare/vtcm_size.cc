// SPDX-License-Identifier: BSD-3-Clause
#include "base/units.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

constexpr uint64_t kVector = 128;  // blocks start on a vector boundary

// Activations lie in VTCM in chunks of 8 rows x 8 columns x 32 channels (4 columns for 16-bit), padded to
// whole ones.
ir::Shape padded_extents(const ir::Box& box, uint64_t element_bytes) {
  ir::Shape extents = box.extents();
  const size_t rank = extents.rank();
  const uint64_t multiples[] = {32, element_bytes == 1 ? 8U : 4U, 8};
  // Below rank 3 there is no height: a matrix is rows x depth, a vector depth alone.
  for (size_t i = 0; i < std::min<size_t>(rank, 3); ++i)
    extents[rank - 1 - i] = static_cast<uint32_t>(round_up(extents[rank - 1 - i], multiples[i]));
  return extents;
}

}  // namespace

uint64_t vtcm_bytes(const ir::TensorDesc& desc, const ir::Box& box) {
  const uint64_t element_bytes = ir::byte_size(desc.type);
  return round_up(padded_extents(box, element_bytes).elements() * element_bytes, kVector);
}

uint64_t input_vtcm_bytes(const ops::OpDef& op, const ops::OpCall& call, size_t index, const ir::Box& box) {
  if (call.in(index).layout != ir::Layout::kPlain) return op.packed_bytes(call, box);
  return vtcm_bytes(call.in(index), box);
}

}  // namespace openqnn::prepare
