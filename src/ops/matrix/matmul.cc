// SPDX-License-Identifier: BSD-3-Clause
// MatMul: products of the last two dimensions, the others broadcast.
#include <algorithm>

#include "base/text.h"
#include "ops/common.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/product.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

bool transposed(const OpCall& call, size_t index) {
  return call.params->boolean(index == kInput ? "transpose_in0" : "transpose_in1", false);
}

// The dimensions before the matrix.
ir::Shape batch_of(const ir::Shape& shape) { return ir::Shape(shape.dims().first(shape.rank() - 2)); }
ir::Box batch_of(const ir::Box& box) { return {batch_of(box.begin), batch_of(box.end)}; }

// Rows and columns of an operand as it enters the product.
struct MatrixShape {
  uint32_t rows = 0;
  uint32_t columns = 0;
};
MatrixShape matrix_of(const OpCall& call, size_t index) {
  const ir::Shape& shape = call.in(index).shape;
  if (transposed(call, index)) return {shape.from_end(0), shape.from_end(1)};
  return {shape.from_end(1), shape.from_end(0)};
}

WeightMatrices matmul_matrices(const OpCall& call) {
  return matmul_weights(call.in(kWeight).shape, transposed(call, kWeight));
}

Status check_matmul(const OpCall& call) {
  for (const size_t index : {kInput, kWeight})
    if (call.in(index).shape.rank() < 2)
      return invalid("op-rank", concat("input ", index, " has shape ", call.in(index).shape.to_string(),
                                       "; a matrix has at least 2 dimensions"));
  const MatrixShape a = matrix_of(call, kInput);
  const MatrixShape b = matrix_of(call, kWeight);
  if (a.columns != b.rows)
    return invalid("op-shape", concat("matrices of ", a.rows, " x ", a.columns, " and ", b.rows, " x ",
                                      b.columns, " cannot be multiplied"))
        .fix_by("check transpose_in0 and transpose_in1");
  OPENQNN_TRY(check_sum_length(a.columns));
  const ir::Shape batch_a = batch_of(call.in(kInput).shape);
  const ir::Shape batch_b = batch_of(call.in(kWeight).shape);
  std::optional<ir::Shape> expected = broadcast(batch_a, batch_b);
  if (!expected)
    return invalid("op-shape", concat("batch dimensions ", batch_a.to_string(), " and ", batch_b.to_string(),
                                      " do not broadcast together"));
  expected->push_back(a.rows);
  expected->push_back(b.columns);
  const WeightMatrices matrices = matmul_matrices(call);
  OPENQNN_TRY(check_encodings(call, matrices));
  if (call.has_input(kBias)) OPENQNN_TRY(check_bias(call, matrices, b.columns));
  return expect_shape("output", call.out().shape, *expected);
}

ir::Box matmul_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  const ir::Shape& shape = call.in(index).shape;
  if (output.empty()) return empty_box(shape);
  ir::Box box = ir::Box::whole(shape);
  const size_t out_row = output.rank() - 2;
  const size_t out_column = output.rank() - 1;
  if (index == kBias) {
    take_axis(box, 0, output, out_column);
    return box;
  }
  const ir::Box batch = broadcast_box(batch_of(shape), batch_of(output));
  for (size_t i = 0; i < batch.rank(); ++i) take_axis(box, i, batch, i);
  // The dimension that is not summed over: the rows of a, the columns of b.
  const size_t row = shape.rank() - 2;
  const size_t column = shape.rank() - 1;
  const size_t from = index == kInput ? out_row : out_column;
  const size_t to = (index == kInput) != transposed(call, index) ? row : column;
  take_axis(box, to, output, from);
  return box;
}

std::vector<SplitAxis> matmul_split_axes(const OpCall& call) {
  const auto rank = static_cast<uint32_t>(call.out().shape.rank());
  std::vector<SplitAxis> axes = {{rank - 2, 32}, {rank - 1, 32}};
  for (uint32_t axis = 0; axis + 2 < rank; ++axis) axes.push_back({axis, 1});
  return axes;
}

Work matmul_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const uint64_t k = matrix_of(call, kWeight).rows;
  const uint64_t columns = output.extent(output.rank() - 1);
  const ir::Box second = matmul_input_box(call, kWeight, output);
  const uint64_t bytes =
      box_bytes(call.in(kInput), matmul_input_box(call, kInput, output)) + box_bytes(call.out(), output);
  if (call.in(kWeight).layout != ir::Layout::kPlain) {  // constant: all rows are one matrix
    Work work = matrix_work(call, 1, issued_rows(call, output.elements() / columns), k, columns, 1, bytes);
    work.ragged = has_ragged_rows(call, call.out().shape.elements() / call.out().shape.from_end(0));
    return work;
  }
  const uint64_t matrices = batch_of(output).elements();
  Work work = matrix_work(call, matrices, issued_rows(call, output.extent(output.rank() - 2)), k, columns,
                          batch_of(second).elements(), bytes);
  work.matrices = static_cast<uint32_t>(std::min<uint64_t>(matrices, UINT32_MAX));
  work.of(VectorKind::kPack) = padded_vectors(call.in(kWeight), second);
  return work;
}

std::optional<StoredOperand> store_matmul(const OpCall& call, size_t index, const ir::Blob& data) {
  if (index == kWeight) return pack_weights(call.in(kWeight), data, matmul_matrices(call));
  if (index == kBias) return store_bias(call, data, matmul_matrices(call));
  return std::nullopt;
}

uint64_t matmul_packed_bytes(const OpCall& call, const ir::Box& box) {
  const WeightMatrices matrices = matmul_matrices(call);
  return batch_of(box).elements() * packed_column_bytes(matrices.packed(), call.in(kWeight).layout,
                                                        box.begin[matrices.column_axis],
                                                        box.end[matrices.column_axis]);
}

void run_matmul(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const WeightMatrices matrices = matmul_matrices(call);
  const MatrixShape a = matrix_of(call, kInput);
  const bool transposed_a = transposed(call, kInput);
  const uint64_t row_stride = transposed_a ? 1 : a.columns;
  const uint64_t k_stride = transposed_a ? a.rows : 1;
  const ir::Shape batch_a = batch_of(call.in(kInput).shape);
  const ir::Shape batch_b = batch_of(call.in(kWeight).shape);
  const size_t row_axis = region.rank() - 2;
  const size_t column_axis = region.rank() - 1;
  with_dot(args, matrices, [&](auto& dot) {
    ir::Box rows = region;  // of one column and one matrix
    ir::for_each_index(batch_of(region), [&](const ir::Shape& batch) {
      const uint64_t first_a = broadcast_offset(batch_a, batch) * a.rows * a.columns;
      for (size_t i = 0; i < batch.rank(); ++i) {
        rows.begin[i] = batch[i];
        rows.end[i] = batch[i] + 1;
      }
      for (uint32_t column = region.begin[column_axis]; column < region.end[column_axis]; ++column) {
        dot.column(broadcast_offset(batch_b, batch), column, column);
        rows.begin[column_axis] = column;
        rows.end[column_axis] = column + 1;
        ir::for_each_index(rows, [&](const ir::Shape& at) {
          dot.begin();
          dot.add(first_a + at[row_axis] * row_stride, k_stride, 0, a.columns);
          dot.end(ir::offset_of(call.out().shape, at));
        });
      }
    });
  });
}

void run_fast_matmul(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const WeightMatrices matrices = matmul_matrices(call);
  const MatrixShape a = matrix_of(call, kInput);
  const ir::Shape batch_a = batch_of(call.in(kInput).shape);
  const ir::Shape batch_b = batch_of(call.in(kWeight).shape);
  const size_t row_axis = region.rank() - 2;
  const size_t column_axis = region.rank() - 1;
  ir::Shape at = region.begin;
  at[column_axis] = 0;
  ir::for_each_index(batch_of(region), [&](const ir::Shape& batch) {
    for (size_t i = 0; i < batch.rank(); ++i) at[i] = batch[i];
    const uint64_t first_row = broadcast_offset(batch_a, batch) * a.rows + region.begin[row_axis];
    fast::DenseRows rows(first_row * a.columns, a.columns, ir::offset_of(call.out().shape, at),
                         matrices.columns, region.extent(row_axis));
    const fast::ColumnSpan span{.group = broadcast_offset(batch_b, batch),
                                .begin = region.begin[column_axis],
                                .end = region.end[column_axis]};
    fast::run_product(args, matrices, span, [&](fast::Rows& some, size_t most) { rows(some, most); });
  });
}

Kernel fast_matmul() {
  Kernel kernel = fast::product_kernel<matmul_matrices>(run_fast_matmul);
  kernel.declines = [](const OpCall& call) -> std::optional<std::string> {
    if (transposed(call, kInput)) return "the rows do not lie in one piece";
    return fast::declines_product(call, matmul_matrices(call));
  };
  return kernel;
}

}  // namespace

OpDef mat_mul() {
  return {
      .type = "MatMul",
      .stored_rows = stored_rows(),
      .own_encodings = {kWeight, kBias},
      .check = check_matmul,
      .input_box = matmul_input_box,
      .split_axes = matmul_split_axes,
      .work = matmul_work,
      .store = store_matmul,
      .packed_input = kWeight,
      .packed_bytes = matmul_packed_bytes,
      .clamps_as_it_writes = true,
      .kernels = {fast_matmul(), reference_kernel(run_matmul,
                                                  [](const OpCall& call) {
                                                    return dot_scratch(call, matmul_matrices(call));
                                                  })},
  };
}

}  // namespace openqnn::ops
