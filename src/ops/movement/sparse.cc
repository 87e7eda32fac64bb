// SPDX-License-Identifier: BSD-3-Clause
// Into sparse tensors and out of them: CreateSparse, GetSparseIndices, GetSparseValues, SparseToDense.
#include <cstring>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/movement/stretches.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Coordinate of a slot that holds no place: as a signed integer -1. Any other coordinate outside the shape
// means the same. (Ours, like the rest that definitions leave open: docs/op_decisions.md.)
constexpr uint32_t kNowhere = UINT32_MAX;

constexpr size_t kPlaces = 0;
constexpr size_t kValues = 1;

// ---- CreateSparse ----

Status check_create(const OpCall& call) {
  const ir::TensorDesc& out = call.out();
  const ir::Shape& indices = call.in(kPlaces).shape;
  OPENQNN_TRY(check_rank(call.in(kPlaces), "input 0 (indices)", 2, "[m, k]"));
  if (indices[0] > out.sparsity.slots)
    return invalid("op-shape", concat("input 0 (indices) names ", indices[0], " places, but the output has ",
                                      out.sparsity.slots, " specified elements at most"))
        .fix_by("create the output with as many specified elements");
  OPENQNN_TRY(expect_shape("input 0 (indices)", indices, {indices[0], out.sparsity.dimensions}));
  ir::Shape values = ir::slices_shape(out);
  values[0] = indices[0];
  return expect_shape("input 1 (values)", call.in(kValues).shape, values);
}

void run_create(const KernelArgs& args, const ir::Box&) {
  const ir::TensorDesc& out = args.call.out();
  const uint64_t coordinates = args.call.in(kPlaces).shape.elements();
  const uint64_t values = args.call.in(kValues).shape.elements();
  std::memcpy(args.outputs[0], args.inputs[kPlaces], coordinates * sizeof(uint32_t));
  std::byte* slices = args.outputs[0] + ir::coordinates_bytes(out);
  ElementCopier(args.call.in(kValues), args.inputs[kValues], out, slices)(0, 0, values);

  const ElementWriter write(out, slices);
  for (uint64_t i = coordinates; i < ir::coordinates_shape(out).elements(); ++i)
    save(args.outputs[0], i, kNowhere);
  for (uint64_t i = values; i < ir::slices_shape(out).elements(); ++i) write(i, 0.0);
}

// ---- GetSparseIndices, GetSparseValues ----

Status check_get_indices(const OpCall& call) {
  return expect_shape("output", call.out().shape, ir::coordinates_shape(call.in(0)));
}

void run_get_indices(const KernelArgs& args, const ir::Box&) {
  std::memcpy(args.outputs[0], args.inputs[0], ir::coordinates_bytes(args.call.in(0)));
}

Status check_get_values(const OpCall& call) {
  return expect_shape("output", call.out().shape, ir::slices_shape(call.in(0)));
}

void run_get_values(const KernelArgs& args, const ir::Box&) {
  const ir::TensorDesc& in = args.call.in(0);
  const std::byte* slices = args.inputs[0] + ir::coordinates_bytes(in);
  ElementCopier(in, slices, args.call.out(), args.outputs[0])(0, 0, args.call.out().shape.elements());
}

// ---- SparseToDense ----

Status check_to_dense(const OpCall& call) {
  return expect_shape("output", call.out().shape, call.in(0).shape);
}

// The part of `region` that slot `slot` fills; empty when its place is outside.
ir::Box place_of(const ir::TensorDesc& desc, const std::byte* coordinates, uint64_t slot,
                 const ir::Box& region) {
  ir::Box place = region;
  const uint32_t dimensions = desc.sparsity.dimensions;
  for (uint32_t i = 0; i < dimensions; ++i) {
    const auto at = load<uint32_t>(coordinates, slot * dimensions + i);
    if (at < region.begin[i] || at >= region.end[i]) return empty_box(desc.shape);
    place.begin[i] = at;
    place.end[i] = at + 1;
  }
  return place;
}

// Slots in order: where several have one place, the last stays.
void run_dense(const KernelArgs& args, const ir::Box& region) {
  const ir::TensorDesc& in = args.call.in(0);
  const ElementCopier copy(in, args.inputs[0] + ir::coordinates_bytes(in), args.call.out(), args.outputs[0]);
  const size_t last = region.rank() - 1;
  for_each_stretch(region, last, [&](const ir::Shape& begin, uint64_t length) {
    fill_with_zero(args.call.out(), args.outputs[0], ir::offset_of(in.shape, begin), length);
  });
  const uint64_t slice = ir::slices_shape(in).elements() / in.sparsity.slots;
  for (uint64_t slot = 0; slot < in.sparsity.slots; ++slot) {
    const ir::Box place = place_of(in, args.inputs[0], slot, region);
    for_each_stretch(place, last, [&](const ir::Shape& begin, uint64_t length) {
      const uint64_t at = ir::offset_of(in.shape, begin);
      copy(at, slot * slice + at % slice, length);
    });
  }
}

// ---- Work ----

// All operands once, in vectors; an op that is computed in one piece.
template <uint64_t instructions>
Work work_in_one_piece(const OpCall& call, const ir::Box&) {
  const uint64_t bytes = all_bytes(call);
  return {.unit = soc::Unit::kHvx,
          .vector_ops = saturating_multiply(ceil_div(bytes, kVectorBytes), instructions),
          .vtcm_bytes = bytes};
}

// Fills the tile, then looks at every slot.
Work dense_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {};
  const uint64_t read = ir::plain_bytes(call.in(0));
  Work work = vector_work(call, output, kCopy, read + box_bytes(call.out(), output));
  const uint64_t looks = saturating_multiply(ceil_div(read, kVectorBytes), kLookup);
  work.vector_ops = saturating_add(work.vector_ops, looks);
  return work;
}

}  // namespace

OpDef create_sparse() {
  return {
      .type = "CreateSparse",
      .sparse_operand = OpDef::SparseOperand::kOutput,
      .check = check_create,
      .work = work_in_one_piece<kCopy>,
      .kernels = {{"reference", nullptr, run_create}},
  };
}

OpDef get_sparse_indices() {
  return {
      .type = "GetSparseIndices",
      .sparse_operand = OpDef::SparseOperand::kInput,
      .check = check_get_indices,
      .work = work_in_one_piece<kCopy>,
      .kernels = {{"reference", nullptr, run_get_indices}},
  };
}

OpDef get_sparse_values() {
  return {
      .type = "GetSparseValues",
      .sparse_operand = OpDef::SparseOperand::kInput,
      .check = check_get_values,
      .work = work_in_one_piece<kCopy>,
      .kernels = {{"reference", nullptr, run_get_values}},
  };
}

OpDef sparse_to_dense() {
  return {
      .type = "SparseToDense",
      .sparse_operand = OpDef::SparseOperand::kInput,
      .check = check_to_dense,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = dense_work,
      .kernels = {{"reference", nullptr, run_dense}},
  };
}

}  // namespace openqnn::ops
