// SPDX-License-Identifier: BSD-3-Clause
// MatMul: products of the last two dimensions, the others broadcast.
#include <algorithm>

#include "base/text.h"
#include "ops/common.h"
#include "ops/dot.h"
#include "ops/op.h"
#include "ops/packed_weights.h"

namespace openqnn::ops {
namespace {

enum : size_t { kA, kB, kBias };

bool transposed(const OpCall& call, size_t index) {
  return call.params->boolean(index == kA ? "transpose_in0" : "transpose_in1", false);
}

// The dimensions before the matrix.
ir::Shape batch_of(const ir::Shape& shape) { return ir::Shape(shape.dims().first(shape.rank() - 2)); }
ir::Box batch_of(const ir::Box& box) { return {batch_of(box.begin), batch_of(box.end)}; }

// Rows and columns of an operand as it enters the product.
struct Matrix {
  uint32_t rows = 0;
  uint32_t columns = 0;
};
Matrix matrix_of(const OpCall& call, size_t index) {
  const ir::Shape& shape = call.in(index).shape;
  if (transposed(call, index)) return {shape.from_end(0), shape.from_end(1)};
  return {shape.from_end(1), shape.from_end(0)};
}

Status check_matmul(const OpCall& call) {
  for (const size_t index : {kA, kB})
    if (call.in(index).shape.rank() < 2)
      return invalid("op-rank", concat("input ", index, " has shape ", call.in(index).shape.to_string(),
                                       "; a matrix has at least 2 dimensions"));
  const Matrix a = matrix_of(call, kA);
  const Matrix b = matrix_of(call, kB);
  if (a.columns != b.rows)
    return invalid("op-shape", concat("matrices of ", a.rows, " x ", a.columns, " and ", b.rows, " x ",
                                      b.columns, " cannot be multiplied"))
        .fix_by("check transpose_in0 and transpose_in1");
  OPENQNN_TRY(check_sum_length(a.columns));
  const ir::Shape batch_a = batch_of(call.in(kA).shape);
  const ir::Shape batch_b = batch_of(call.in(kB).shape);
  std::optional<ir::Shape> expected = broadcast(batch_a, batch_b);
  if (!expected)
    return invalid("op-shape", concat("batch dimensions ", batch_a.to_string(), " and ", batch_b.to_string(),
                                      " do not broadcast together"));
  expected->push_back(a.rows);
  expected->push_back(b.columns);
  const ir::TensorDesc& weight = call.in(kB);
  const auto rank = static_cast<uint32_t>(weight.shape.rank());
  OPENQNN_TRY(check_weight_encoding(weight, transposed(call, kB) ? rank - 2 : rank - 1));
  if (call.has_input(kBias)) OPENQNN_TRY(check_bias(call.in(kBias), b.columns));
  return expect_shape("output", call.out().shape, *expected);
}

ir::Box matmul_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  const ir::Shape& shape = call.in(index).shape;
  ir::Box box = ir::Box::whole(shape);
  if (output.empty()) {
    box.end = box.begin;
    return box;
  }
  const size_t out_row = output.rank() - 2;
  const size_t out_column = output.rank() - 1;
  if (index == kBias) {
    box.begin[0] = output.begin[out_column];
    box.end[0] = output.end[out_column];
    return box;
  }
  const ir::Box batch = broadcast_box(batch_of(shape), batch_of(output));
  for (size_t i = 0; i < batch.rank(); ++i) {
    box.begin[i] = batch.begin[i];
    box.end[i] = batch.end[i];
  }
  // The dimension that is not summed over: the rows of a, the columns of b.
  const size_t row = shape.rank() - 2;
  const size_t column = shape.rank() - 1;
  const size_t from = index == kA ? out_row : out_column;
  const size_t to = (index == kA) != transposed(call, index) ? row : column;
  box.begin[to] = output.begin[from];
  box.end[to] = output.end[from];
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
  const uint64_t k = matrix_of(call, kB).rows;
  const uint64_t rows = output.extent(output.rank() - 2);
  const uint64_t columns = output.extent(output.rank() - 1);
  const uint64_t matrices = batch_of(output).elements();
  const uint64_t weights = batch_of(matmul_input_box(call, kB, output)).elements();
  const uint64_t weight_bytes =
      weights * round_up(k, kHmxBlock) * round_up(columns, kHmxBlock) * ir::byte_size(call.in(kB).type);
  return matrix_work(call, matrices, rows, k, columns,
                     box_bytes(call.in(kA), matmul_input_box(call, kA, output)) + weight_bytes +
                         box_bytes(call.out(), output));
}

std::optional<StoredOperand> store_matmul(const OpCall& call, size_t index, const std::byte* data) {
  if (index == kB) return pack_matmul_weights(call.in(kB), data, transposed(call, kB));
  if (index == kBias) return store_bias(call, data);
  return std::nullopt;
}

uint64_t matmul_packed_bytes(const OpCall& call, const ir::Box& box) {
  const PackedShape packed = matmul_packed_shape(call.in(kB).shape, transposed(call, kB));
  const size_t columns = box.rank() - (transposed(call, kB) ? 2 : 1);
  return batch_of(box).elements() *
         packed_column_bytes(packed, call.in(kB).layout, box.begin[columns], box.end[columns]);
}

template <class Dot>
void run_matmul_with(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const Matrix a = matrix_of(call, kA);
  const bool transposed_a = transposed(call, kA);
  const ir::Shape batch_a = batch_of(call.in(kA).shape);
  const ir::Shape batch_b = batch_of(call.in(kB).shape);
  const MatMulWeightIndex weight_index(call.in(kB), transposed(call, kB));
  Dot dot(args);
  ir::for_each_index(region, [&](const ir::Shape& at) {
    const uint32_t row = at.from_end(1);
    const uint32_t column = at.from_end(0);
    const ir::Shape batch = batch_of(at);
    const uint64_t first_a = broadcast_offset(batch_a, batch) * a.rows * a.columns;
    const uint64_t matrix_b = broadcast_offset(batch_b, batch);
    dot.begin(column);
    for (uint64_t k = 0; k < a.columns; ++k) {
      const uint64_t in_a = transposed_a ? k * a.rows + row : uint64_t{row} * a.columns + k;
      dot.add(first_a + in_a, weight_index(matrix_b, k, column), k);
    }
    dot.end(ir::offset_of(call.out().shape, at));
  });
}

void run_matmul(const KernelArgs& args, const ir::Box& region) {
  if (args.call.out().type == ir::DataType::kFloat16)
    run_matmul_with<HalfDot>(args, region);
  else
    run_matmul_with<IntegerDot>(args, region);
}

}  // namespace

const OpDef& mat_mul() {
  static const OpDef op = {
      .type = "MatMul",
      .schema = {.inputs = {{"a"}, {"b", false, true}, {"bias", true, true}},
                 .outputs = {{"output"}},
                 .params = {{"transpose_in0", ir::DataType::kBool8, {}},
                            {"transpose_in1", ir::DataType::kBool8, {}}},
                 .type_rows = {"f16,f16,f16 -> f16", "f32,f32,f32 -> f32", "ufx8,ufx8,ufx8 -> ufx8",
                               "ufx8,ufx8,sfx32 -> ufx8", "ufx8,sfx8,ufx8 -> ufx8",
                               "ufx8,sfx8,sfx32 -> ufx8"},
                 .stored_rows = {"ufx8,ufx8,i32 -> ufx8", "ufx8,sfx8,i32 -> ufx8"},
                 .max_rank = 4},
      .check = check_matmul,
      .input_box = matmul_input_box,
      .split_axes = matmul_split_axes,
      .work = matmul_work,
      .store = store_matmul,
      .packed_input = kB,
      .packed_bytes = matmul_packed_bytes,
      .kernels = {{"reference", nullptr, run_matmul}},
  };
  return op;
}

}  // namespace openqnn::ops
