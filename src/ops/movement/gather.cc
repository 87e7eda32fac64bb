// SPDX-License-Identifier: BSD-3-Clause
// Elements picked by index: Gather, GatherElements, GatherNd, BatchPermutation.
#include <algorithm>

#include "base/text.h"
#include "ops/common.h"
#include "ops/kernel_memory.h"
#include "ops/movement/move.h"
#include "ops/movement/stretches.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// The dimensions [begin, end) of a shape or an index.
ir::Shape part(const ir::Shape& shape, size_t begin, size_t end) {
  return ir::Shape(shape.dims().subspan(begin, end - begin));
}

ir::Shape joined(const ir::Shape& a, const ir::Shape& b) {
  ir::Shape result = a;
  for (const uint32_t dim : b.dims()) result.push_back(dim);
  return result;
}

// The axis is replaced by the dimensions of the indices.
class GatherMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& table = call.in(0).shape;
    const ir::Shape& indices = call.in(1).shape;
    const int32_t axis = call.params->i32("axis", 0);
    if (axis < 0 || static_cast<size_t>(axis) >= table.rank())
      return invalid("op-param-value", concat("axis ", axis, " is not a dimension of ", table.to_string()))
          .fix_by("count axes from 0");
    OPENQNN_TRY(check_rank_limit("the output", table.rank() + indices.rank() - 1));
    const auto at = static_cast<size_t>(axis);
    return expect_shape("output", call.out().shape,
                        joined(joined(part(table, 0, at), indices), part(table, at + 1, table.rank())));
  }

  explicit GatherMap(const OpCall& call)
      : table_(call.in(0).shape),
        indices_(call.in(1).shape),
        axis_(static_cast<size_t>(call.params->i32("axis", 0))) {}

  // The first dimension of the output that stands behind the axis in the table.
  size_t first_behind() const { return axis_ + indices_.rank(); }

  Source source(const ir::Shape& output, const IndexReader& read) const {
    const auto at = position_of(read(ir::offset_of(indices_, indices_part(output))), table_[axis_]);
    if (!at) return {};
    return {0, ir::offset_of(table_, table_part(output, *at))};
  }
  ir::Box needed(size_t input, const ir::Box& output) const {
    if (input == 1) return {indices_part(output.begin), indices_part(output.end)};
    return {table_part(output.begin, 0), table_part(output.end, table_[axis_])};
  }

 private:
  ir::Shape indices_part(const ir::Shape& output) const {
    return part(output, axis_, axis_ + indices_.rank());
  }
  ir::Shape table_part(const ir::Shape& output, uint32_t at) const {
    ir::Shape index = part(output, 0, axis_);
    index.push_back(at);
    return joined(index, part(output, axis_ + indices_.rank(), output.rank()));
  }
  ir::Shape table_;
  ir::Shape indices_;
  size_t axis_;
};

// The dimensions behind the axis move together.
void run_gather_rows(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& out = call.out().shape;
  const GatherMap map(call);
  const IndexReader indices(call.in(1), args.inputs[1]);
  const StretchCopier copy(call.in(0), args.inputs[0], call.out(), args.outputs[0]);
  const size_t axis = stretch_axis(out, region, map.first_behind());
  for_each_stretch(region, axis, [&](const ir::Shape& index, uint64_t count) {
    const uint64_t to = ir::offset_of(out, index);
    const Source from = map.source(index, indices);
    if (from.input == Source::kNowhere)
      fill_with_zero(call.out(), args.outputs[0], to, count);
    else
      copy(to, from.offset, count);
  });
}

std::optional<std::string> declines_gather_rows(const OpCall& call) {
  const bool any = GatherMap(call).first_behind() < call.out().shape.rank();
  return any ? std::nullopt : std::optional<std::string>("it gathers single elements");
}

class GatherElementsMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const ir::Shape& indices = call.in(1).shape;
    const uint32_t axis = call.params->u32("axis", 0);
    OPENQNN_TRY(check_axis("axis", axis, in));
    OPENQNN_TRY(check_indices_along(indices, in, axis));
    return expect_shape("output", call.out().shape, indices);
  }

  explicit GatherElementsMap(const OpCall& call)
      : in_(call.in(0).shape), indices_(call.in(1).shape), axis_(call.params->u32("axis", 0)) {}

  Source source(const ir::Shape& output, const IndexReader& read) const {
    const auto at = position_of(read(ir::offset_of(indices_, output)), in_[axis_]);
    if (!at) return {};
    ir::Shape index = output;
    index[axis_] = *at;
    return {0, ir::offset_of(in_, index)};
  }
  ir::Box needed(size_t input, const ir::Box& output) const {
    ir::Box box = output;
    if (input == 1) return box;
    box.begin[axis_] = 0;
    box.end[axis_] = in_[axis_];
    return box;
  }

 private:
  ir::Shape in_;
  ir::Shape indices_;
  uint32_t axis_;
};

// x is [batch..., addressed..., slice...], indices [batch..., outer..., tuple]: the output is
// [batch..., outer..., slice...].
class GatherNdMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const ir::Shape& indices = call.in(1).shape;
    const uint32_t batch = call.params->u32("batch_dims", 0);
    if (batch >= std::min(in.rank(), indices.rank()))
      return invalid("op-param-value", concat("batch_dims ", batch, " leaves nothing of input ",
                                              in.to_string(), " or indices ", indices.to_string()))
          .fix_by("use less than the rank of both");
    if (part(in, 0, batch) != part(indices, 0, batch))
      return invalid("op-shape", concat("the first ", batch, " dimensions of input ", in.to_string(),
                                        " and indices ", indices.to_string(), " differ"));
    OPENQNN_TRY(check_tuples(indices, in, in.rank() - batch));
    const uint32_t tuple = indices.from_end(0);
    const size_t rank = indices.rank() - 1 + in.rank() - batch - tuple;
    OPENQNN_TRY(check_rank_limit("the output", rank));
    return expect_shape(
        "output", call.out().shape,
        at_least_one_dim(joined(part(indices, 0, indices.rank() - 1), part(in, batch + tuple, in.rank()))));
  }

  explicit GatherNdMap(const OpCall& call)
      : in_(call.in(0).shape),
        indices_(call.in(1).shape),
        batch_(call.params->u32("batch_dims", 0)),
        tuple_(indices_.from_end(0)) {}

  Source source(const ir::Shape& output, const IndexReader& read) const {
    const uint64_t tuple_at = ir::offset_of(indices_, tuple_part(output, 0));
    ir::Shape index = part(output, 0, batch_);
    for (size_t i = 0; i < tuple_; ++i) {
      const auto at = position_of(read(tuple_at + i), in_[batch_ + i]);
      if (!at) return {};
      index.push_back(*at);
    }
    return {0, ir::offset_of(in_, joined(index, slice_part(output)))};
  }
  ir::Box needed(size_t input, const ir::Box& output) const {
    if (input == 1) return {tuple_part(output.begin, 0), tuple_part(output.end, indices_.from_end(0))};
    ir::Box box = ir::Box::whole(in_);
    for (size_t i = 0; i < batch_; ++i) {
      box.begin[i] = output.begin[i];
      box.end[i] = output.end[i];
    }
    const ir::Box slice{slice_part(output.begin), slice_part(output.end)};
    for (size_t i = 0; i < slice.rank(); ++i) {
      box.begin[batch_ + tuple_ + i] = slice.begin[i];
      box.end[batch_ + tuple_ + i] = slice.end[i];
    }
    return box;
  }

 private:
  ir::Shape tuple_part(const ir::Shape& output, uint32_t last) const {
    ir::Shape index = part(output, 0, indices_.rank() - 1);
    index.push_back(last);
    return index;
  }
  ir::Shape slice_part(const ir::Shape& output) const {
    const size_t slice = in_.rank() - batch_ - tuple_;
    return part(output, indices_.rank() - 1, indices_.rank() - 1 + slice);
  }
  ir::Shape in_;
  ir::Shape indices_;
  size_t batch_;
  size_t tuple_;
};

// ---- BatchPermutation ----

Status check_permutation(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& indices = call.in(1).shape;
  OPENQNN_TRY(check_rank(call.in(1), "input 1 (indices)", 1, "[m]"));
  if (indices[0] > in[0])
    return invalid("op-shape", concat(indices[0], " indices for a batch of ", in[0]))
        .fix_by("give one index per batch entry at most");
  ir::Shape expected = in;
  expected[0] = indices[0];
  return expect_shape("output", call.out().shape, expected);
}

ir::Box permutation_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = index == 1 ? ir::Box::whole(call.in(1).shape) : output;
  if (output.empty()) return empty_box(call.in(index).shape);
  if (index == 0) {
    box.begin[0] = 0;
    box.end[0] = call.in(0).shape[0];
  }
  return box;
}

// Indices outside the batch are skipped, so that those behind move up; what is left at the end is 0. Negative
// ones do not count from the end here: the definition has them skipped.
void run_permutation(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const IndexReader read(args.call.in(1), args.inputs[1]);
  KernelMemory memory(args);
  auto entries = memory.room<uint32_t>(args.call.in(1).shape[0]);
  for (uint32_t i = 0; i < args.call.in(1).shape[0]; ++i)
    if (const int64_t index = read(i); index >= 0 && index < in[0])
      entries.push_back(static_cast<uint32_t>(index));
  move_elements(args, region, [&](const ir::Shape& output) {
    if (output[0] >= entries.size()) return Source{};
    ir::Shape index = output;
    index[0] = entries[output[0]];
    return Source{0, ir::offset_of(in, index)};
  });
}

}  // namespace

OpDef gather() {
  OpDef def = moving_op<GatherMap, kLookup>("Gather");
  def.our_rows = {"sfx16,u32|i32 -> sfx16", "bool8,u32|i32 -> bool8"};
  def.kernels.insert(def.kernels.begin(), {"rows", declines_gather_rows, run_gather_rows});
  return def;
}

OpDef gather_elements() {
  OpDef def = moving_op<GatherElementsMap, kLookup>("GatherElements");
  def.our_rows = {"sfx8,u32|i32 -> sfx8"};  // as GatherNd
  return def;
}

OpDef gather_nd() { return moving_op<GatherNdMap, kLookup>("GatherNd"); }

OpDef batch_permutation() {
  return {
      .type = "BatchPermutation",
      .our_rows = {"f16,u32|i32 -> f16", "f32,u32|i32 -> f32", "ufx8,u32|i32 -> ufx8", "sfx8,u32|i32 -> sfx8",
                   "ufx16,u32|i32 -> ufx16", "i32,u32|i32 -> i32"},
      .check = check_permutation,
      .input_box = permutation_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return moving_work(call, output, kShift, needed_parts(permutation_input_box, call, output));
          },
      .kernels = {reference_kernel(
          run_permutation, [](const OpCall& call) { return room_for<uint32_t>(call.in(1).shape[0]); })},
  };
}

}  // namespace openqnn::ops
