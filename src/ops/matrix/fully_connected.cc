// SPDX-License-Identifier: BSD-3-Clause
// FullyConnected: the input as rows of n values, times weights [m, n] transposed.
#include "base/text.h"
#include "ops/common.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/product.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

bool keeps_dims(const OpCall& call) { return call.params->boolean("keep_dims", false); }

// Weights are [m, n]: output units first.
WeightMatrices layer_matrices(const OpCall& call) { return matmul_weights(call.in(kWeight).shape, true); }

Result<ir::Shape> output_shape(const OpCall& call) {
  const ir::Shape& in = call.in(kInput).shape;
  const ir::Shape& weight = call.in(kWeight).shape;
  const uint32_t n = weight[1];
  const uint64_t elements = in.elements();
  if (elements % n != 0 || (in.rank() == 1 && in[0] != n))
    return invalid("op-shape", concat("input ", in.to_string(), " cannot be read as rows of the ", n,
                                      " values that weights ", weight.to_string(), " take"));
  if (in.rank() == 1) return ir::Shape{weight[0]};
  if (keeps_dims(call)) {
    if (in.from_end(0) != n)
      return invalid("op-shape",
                     concat("keep_dims needs an input that ends in ", n, ", not ", in.to_string()));
    ir::Shape shape = in;
    shape[shape.rank() - 1] = weight[0];
    return shape;
  }
  if (elements / n > UINT32_MAX)
    return invalid("op-shape", concat("the output would have ", elements / n, " rows"));
  return ir::Shape{static_cast<uint32_t>(elements / n), weight[0]};
}

Status check_fully_connected(const OpCall& call) {
  const ir::Shape& weight = call.in(kWeight).shape;
  if (weight.rank() != 2)
    return invalid("op-rank", concat("weights have shape ", weight.to_string(), " where [m, n] is needed"));
  OPENQNN_TRY(check_sum_length(weight[1]));
  OPENQNN_ASSIGN(const ir::Shape expected, output_shape(call));
  const WeightMatrices matrices = layer_matrices(call);
  // Encodings along the summed axis too: they are blocks of one (ours; the tables list axis 0).
  OPENQNN_TRY(check_encodings(call, matrices, /*other_axis=*/1));
  if (call.has_input(kBias)) OPENQNN_TRY(check_bias(call, matrices, weight[0]));
  return expect_shape("output", call.out().shape, expected);
}

// Output rows are a box of the input where dimensions match; else the whole input is named.
ir::Box input_rows(const OpCall& call, const ir::Box& output) {
  const ir::Shape& in = call.in(kInput).shape;
  ir::Box box = ir::Box::whole(in);
  const size_t leading = output.rank() - 1;
  const bool matches = in.rank() > 1 && (keeps_dims(call) || in[0] == call.out().shape[0]);
  for (size_t i = 0; matches && i < leading; ++i) take_axis(box, i, output, i);
  return box;
}

ir::Box fully_connected_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  if (output.empty()) return empty_box(call.in(index).shape);
  if (index == kInput) return input_rows(call, output);
  ir::Box box = ir::Box::whole(call.in(index).shape);
  take_axis(box, 0, output, output.rank() - 1);
  return box;
}

std::vector<SplitAxis> fully_connected_split_axes(const OpCall& call) {
  const auto last = static_cast<uint32_t>(call.out().shape.rank() - 1);
  std::vector<SplitAxis> axes = {{last, 32}};
  for (uint32_t axis = 0; axis < last; ++axis) axes.push_back({axis, axis + 1 == last ? 32U : 1U});
  return axes;
}

Work fully_connected_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const uint64_t columns = output.extent(output.rank() - 1);
  return matrix_work(call, 1, issued_rows(call, output.elements() / columns), call.in(kWeight).shape[1],
                     columns, 1,
                     box_bytes(call.in(kInput), input_rows(call, output)) + box_bytes(call.out(), output));
}

std::optional<StoredOperand> store_fully_connected(const OpCall& call, size_t index, const ir::Blob& data) {
  if (index == kWeight) return pack_weights(call.in(kWeight), data, layer_matrices(call));
  if (index == kBias) return store_bias(call, data, layer_matrices(call));
  return std::nullopt;
}

void run_fully_connected(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& out = args.call.out().shape;
  const WeightMatrices matrices = layer_matrices(args.call);
  const size_t last = region.rank() - 1;
  with_dot(args, matrices, [&](auto& dot) {
    for (uint32_t column = region.begin[last]; column < region.end[last]; ++column) {
      dot.column(0, column, column);
      ir::Box rows = region;
      rows.begin[last] = column;
      rows.end[last] = column + 1;
      ir::for_each_index(rows, [&](const ir::Shape& at) {
        const uint64_t position = ir::offset_of(out, at);
        dot.begin();
        dot.add(position / out[last] * matrices.k(), 1, 0, matrices.k());
        dot.end(position);
      });
    }
  });
}

void run_fast_fully_connected(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const ir::Shape& out = args.call.out().shape;
  const WeightMatrices matrices = layer_matrices(args.call);
  const size_t last = region.rank() - 1;
  const fast::ColumnSpan span{.begin = region.begin[last], .end = region.end[last]};
  // One run of rows for each index of the leading dimensions: in whole regions there is one.
  ir::Box leading = region;
  leading.begin[last] = 0;
  leading.end[last] = 1;
  const size_t run_axis = last == 0 ? 0 : last - 1;
  const uint64_t run = last == 0 ? 1 : region.extent(run_axis);
  if (last > 0) leading.end[run_axis] = leading.begin[run_axis] + 1;
  ir::for_each_index(leading, [&](const ir::Shape& at) {
    const uint64_t first = ir::offset_of(out, at);
    fast::DenseRows rows(first / out[last] * matrices.k(), matrices.k(), first, out[last], run);
    fast::run_product(args, matrices, span, [&](fast::Rows& some, size_t most) { rows(some, most); });
  });
}

}  // namespace

OpDef fully_connected() {
  return {
      .type = "FullyConnected",
      .stored_rows = stored_rows(),
      .own_encodings = {kWeight, kBias},
      .check = check_fully_connected,
      .input_box = fully_connected_input_box,
      .split_axes = fully_connected_split_axes,
      .work = fully_connected_work,
      .store = store_fully_connected,
      .packed_input = kWeight,
      .packed_bytes =
          [](const OpCall& call, const ir::Box& box) {
            return packed_column_bytes(layer_matrices(call).packed(), call.in(kWeight).layout, box.begin[0],
                                       box.end[0]);
          },
      .fuses = true,
      .kernels = {fast::product_kernel<layer_matrices>(run_fast_fully_connected),
                  reference_kernel(
                      run_fully_connected,
                      [](const OpCall& call) { return dot_scratch(call, layer_matrices(call)); })},
  };
}

}  // namespace openqnn::ops
