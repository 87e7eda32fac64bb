// SPDX-License-Identifier: BSD-3-Clause
// Ops whose output has no elements of an input: OneHot, ConstantOfShape, Shape, NonZero.
#include <algorithm>
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/movement/scalar.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours.
constexpr uint64_t kOneHotInstructions = 3;  // compare, select, store
constexpr uint64_t kFillInstructions = 1;    // store

std::vector<SplitAxis> all_axes(const OpCall& call) { return activation_split_axes(call.out().shape); }

// ---- OneHot ----

uint32_t one_hot_axis(const OpCall& call) {
  return call.params->u32("axis", static_cast<uint32_t>(call.in(0).shape.rank()));
}

Status check_one_hot(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const uint32_t axis = one_hot_axis(call);
  const uint32_t depth = call.params->u32("depth", 0);
  if (axis > in.rank())
    return invalid("op-param-value",
                   concat("axis ", axis, " is not a place for a new dimension in ", in.to_string()))
        .fix_by(concat("use 0 to ", in.rank()));
  if (depth == 0) return invalid("op-param-value", "depth is 0").fix_by("use 1 or more");
  OPENQNN_TRY(check_fill(call, "on_value", call.out()));
  OPENQNN_TRY(check_fill(call, "off_value", call.out()));
  return expect_shape("output", call.out().shape, with_axis(in, axis, depth));
}

ir::Box one_hot_input_box(const OpCall& call, size_t, const ir::Box& output) {
  if (output.empty()) return empty_box(call.in(0).shape);
  const size_t axis = one_hot_axis(call);
  return {without_axis(output.begin, axis), without_axis(output.end, axis)};
}

// An index outside of the depth is off everywhere, and a negative one counts from the end, as in ONNX.
void run_one_hot(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const size_t axis = one_hot_axis(call);
  const double on = fill_value(call, "on_value", call.out(), 1.0);
  const double off = fill_value(call, "off_value", call.out(), 0.0);
  const IndexReader read(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  const ir::Shape& shape = call.out().shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const int64_t hot = read(ir::offset_of(call.in(0).shape, without_axis(index, axis)));
    write(ir::offset_of(shape, index), position_of(hot, shape[axis]) == index[axis] ? on : off);
  });
}

// ---- ConstantOfShape ----

// The values of the input are the shape that the output has already: nobody reads them.
Status check_constant(const OpCall& call) {
  OPENQNN_TRY(check_fill(call, "value", call.out()));
  return expect_shape("input 0 (shape)", call.in(0).shape, {static_cast<uint32_t>(call.out().shape.rank())});
}

void run_constant(const KernelArgs& args, const ir::Box& region) {
  const double value = fill_value(args.call, "value", args.call.out(), 0.0);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(
      region, [&](const ir::Shape& index) { write(ir::offset_of(args.call.out().shape, index), value); });
}

ir::Box no_input_box(const OpCall& call, size_t index, const ir::Box&) {
  return empty_box(call.in(index).shape);
}

// ---- Shape ----

Status check_shape_op(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const auto rank = static_cast<uint32_t>(in.rank());
  const uint32_t start = call.params->u32("start", 0);
  const uint32_t end = call.params->u32("end", rank);
  if (start >= end || end > rank)
    return invalid("op-param-value", concat("start ", start, " and end ", end, " are no range of the ", rank,
                                            " dimensions of ", in.to_string()));
  return expect_shape("output", call.out().shape, {end - start});
}

void run_shape(const KernelArgs& args, const ir::Box& region) {
  const uint32_t start = args.call.params->u32("start", 0);
  for (uint32_t i = region.begin[0]; i < region.end[0]; ++i)
    save(args.outputs[0], i, args.call.in(0).shape[start + i]);
}

// ---- NonZero ----

// The number of non-zero elements is known only when they are; the output has room for as many as its first
// dimension says. What is left of it is -1, no coordinate (4294967295 as u32), and what does not fit is left
// out: ours. Rows are in memory order, the transpose of ONNX's.
Status check_non_zero(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  OPENQNN_TRY(check_rank(call.out(), "output", 2, "[m, n]"));
  const uint64_t most = std::min<uint64_t>(in.elements(), UINT32_MAX);
  if (out[0] > most)
    return invalid("op-shape",
                   concat("output ", out.to_string(), " has room for ", out[0], " coordinates where input ",
                          in.to_string(), " has ", in.elements(), " elements"));
  return expect_shape("output", out, {out[0], static_cast<uint32_t>(in.rank())});
}

Work non_zero_work(const OpCall& call, const ir::Box& output) {
  const ir::Box all = ir::Box::whole(call.in(0).shape);
  if (output.empty()) return {};
  const uint64_t read = box_bytes(call.in(0), all);
  Work work = vector_work(call, output, kShift, read + box_bytes(call.out(), output));
  const uint64_t looks = saturating_multiply(ceil_div(read, kVectorBytes), kLookup);
  work.vector_ops = saturating_add(work.vector_ops, looks);
  return work;
}

void run_non_zero(const KernelArgs& args, const ir::Box&) {
  const ir::Shape& in = args.call.in(0).shape;
  const ir::Shape& out = args.call.out().shape;
  const ElementReader read(args.call.in(0), args.inputs[0]);
  uint64_t row = 0;
  ir::for_each_index(ir::Box::whole(in), [&](const ir::Shape& index) {
    if (row >= out[0] || read(ir::offset_of(in, index)) == 0.0) return;
    for (size_t i = 0; i < in.rank(); ++i) save(args.outputs[0], row * in.rank() + i, index[i]);
    ++row;
  });
  for (uint64_t at = row * in.rank(); at < out.elements(); ++at) save(args.outputs[0], at, int32_t{-1});
}

}  // namespace

OpDef one_hot() {
  return {
      .type = "OneHot",
      .our_rows = {"u32|i32 -> f16", "u32|i32 -> i32", "u32|i32 -> u32"},
      .check = check_one_hot,
      .input_box = one_hot_input_box,
      .split_axes = all_axes,
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(
                call, output, kOneHotInstructions,
                box_bytes(call.in(0), one_hot_input_box(call, 0, output)) + box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_one_hot}},
  };
}

OpDef constant_of_shape() {
  return {
      .type = "ConstantOfShape",
      .our_rows = {"u32 -> f16", "u32 -> f32", "u32 -> ufx8", "u32 -> sfx8", "u32 -> ufx16", "u32 -> i32",
                   "u32 -> u32", "u32 -> bool8"},
      .check = check_constant,
      .input_box = no_input_box,
      .split_axes = all_axes,
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, kFillInstructions, box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_constant}},
  };
}

OpDef shape_op() {
  return {
      .type = "Shape",
      .our_rows = {"f16 -> u32", "f32 -> u32", "ufx8 -> u32", "sfx8 -> u32", "ufx16 -> u32", "sfx16 -> u32",
                   "i32 -> u32", "u32 -> u32", "bool8 -> u32"},
      .check = check_shape_op,
      .input_box = no_input_box,
      .split_axes = all_axes,
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, kFillInstructions, box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_shape}},
  };
}

OpDef non_zero() {
  return {
      .type = "NonZero",
      .check = check_non_zero,
      .work = non_zero_work,
      .kernels = {{"reference", nullptr, run_non_zero}},
  };
}

}  // namespace openqnn::ops
