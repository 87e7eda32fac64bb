// SPDX-License-Identifier: BSD-3-Clause
// Ops that leave elements where they lie and change the shape: Reshape, ExpandDims, Squeeze.
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/movement/stretches.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

ir::Shape index_at(const ir::Shape& shape, uint64_t offset) {
  ir::Shape index = shape;
  for (size_t i = shape.rank(); i > 0; --i) {
    index[i - 1] = static_cast<uint32_t>(offset % shape[i - 1]);
    offset /= shape[i - 1];
  }
  return index;
}

// The smallest box that holds the elements from `first` to `last` in memory order: leading indices that the
// two share, the range between the first that differ, and everything behind.
ir::Box box_around(const ir::Shape& shape, uint64_t first, uint64_t last) {
  const ir::Shape low = index_at(shape, first);
  const ir::Shape high = index_at(shape, last);
  ir::Box box = ir::Box::whole(shape);
  for (size_t i = 0; i < shape.rank(); ++i) {
    box.begin[i] = low[i];
    box.end[i] = high[i] + 1;
    if (low[i] != high[i]) break;
  }
  return box;
}

ir::Box flat_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  // Only input 0 is read: the shape that Reshape may be given is the output's already.
  if (index != 0 || output.empty()) return empty_box(call.in(index).shape);
  ir::Shape last = output.end;
  for (size_t i = 0; i < last.rank(); ++i) --last[i];
  const ir::Shape& shape = call.out().shape;
  return box_around(call.in(0).shape, ir::offset_of(shape, output.begin), ir::offset_of(shape, last));
}

void run_flat(const KernelArgs& args, const ir::Box& region) {
  const StretchCopier copy(args.call.in(0), args.inputs[0], args.call.out(), args.outputs[0]);
  const ir::Shape& shape = args.call.out().shape;
  for_each_stretch(region, stretch_axis(shape, region, 0), [&](const ir::Shape& index, uint64_t count) {
    const uint64_t at = ir::offset_of(shape, index);
    copy(at, at, count);
  });
}

OpDef flat_op(std::string_view type, Status (*check)(const OpCall&)) {
  return {
      .type = type,
      .check = check,
      .input_box = flat_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return moving_work(call, output, kCopy, needed_parts(flat_input_box, call, output));
          },
      .kernels = {{"reference", nullptr, run_flat}},
  };
}

Status check_reshape(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  if (in.elements() != out.elements())
    return invalid("op-shape", concat("output ", out.to_string(), " has ", out.elements(),
                                      " elements where input ", in.to_string(), " has ", in.elements()));
  // Its values are documented to count only where the output is dynamic, which no output here is.
  if (call.has_input(1))
    return expect_shape("input 1 (shape)", call.in(1).shape, {static_cast<uint32_t>(out.rank())});
  return {};
}

// Positions of dimensions of `rank`, each at most once.
Status read_axes(const OpCall& call, std::string_view param, size_t rank, std::vector<bool>& chosen) {
  chosen.assign(rank, false);
  for (size_t i = 0; i < call.params->count(param); ++i) {
    const uint32_t axis = call.params->u32_at(param, i, 0);
    if (axis >= rank)
      return invalid("op-param-value", concat(param, " has ", axis, ", beyond the ", rank, " dimensions"))
          .fix_by("count axes from 0");
    if (chosen[axis]) return invalid("op-param-value", concat(param, " names axis ", axis, " twice"));
    chosen[axis] = true;
  }
  return {};
}

// `axes` wins over `axis` when both are given: ours, as is documented for L2Norm.
Status check_expand_dims(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const std::string_view param = call.params->find("axes") ? "axes" : "axis";
  if (!call.params->find(param))
    return invalid("op-param-missing", "parameter 'axis' (u32 scalar) is missing")
        .fix_by("give it, or 'axes'");
  const size_t rank = in.rank() + call.params->count(param);
  if (rank > ir::kMaxRank)
    return invalid("op-param-value",
                   concat(param, " makes ", rank, " dimensions; ", ir::kMaxRank, " are the most"));
  std::vector<bool> inserted;
  OPENQNN_TRY(read_axes(call, param, rank, inserted));
  ir::Shape expected;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) expected.push_back(inserted[i] ? 1 : in[next++]);
  return expect_shape("output", call.out().shape, expected);
}

ir::Shape without(const ir::Shape& shape, const std::vector<bool>& dropped) {
  ir::Shape kept;
  for (size_t i = 0; i < shape.rank(); ++i)
    if (!dropped[i]) kept.push_back(shape[i]);
  return at_least_one_dim(kept);
}

// Without `axes` the output says which dimensions go: the rest must follow each other in it.
bool squeezes_to(const ir::Shape& in, const ir::Shape& out) {
  size_t matched = 0;
  for (const uint32_t dim : in.dims()) {
    if (matched < out.rank() && out[matched] == dim)
      ++matched;
    else if (dim != 1)
      return false;
  }
  return matched == out.rank();
}

Status check_squeeze(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  std::vector<bool> dropped;
  OPENQNN_TRY(read_axes(call, "axes", in.rank(), dropped));
  for (size_t i = 0; i < in.rank(); ++i)
    if (dropped[i] && in[i] != 1)
      return invalid("op-param-value", concat("axes names axis ", i, " of ", in.to_string(), ", which has ",
                                              in[i], " entries and not 1"));
  if (call.params->find("axes")) return expect_shape("output", call.out().shape, without(in, dropped));
  if (squeezes_to(in, call.out().shape)) return {};
  for (size_t i = 0; i < in.rank(); ++i) dropped[i] = in[i] == 1;
  return expect_shape("output", call.out().shape, without(in, dropped));
}

}  // namespace

OpDef reshape() { return flat_op("Reshape", check_reshape); }

OpDef expand_dims() {
  OpDef def = flat_op("ExpandDims", check_expand_dims);
  def.our_rows = {"i32 -> i32", "bool8 -> bool8", "sfx16 -> sfx16"};  // what Reshape takes
  return def;
}

OpDef squeeze() {
  OpDef def = flat_op("Squeeze", check_squeeze);
  def.our_rows = {"i32 -> i32", "bool8 -> bool8", "sfx16 -> sfx16"};
  return def;
}

}  // namespace openqnn::ops
