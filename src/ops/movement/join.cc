// SPDX-License-Identifier: BSD-3-Clause
// Many tensors into one and one into many: Concat, Pack, Split, UnPack.
#include <algorithm>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/movement/stretches.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Inputs may be one only (ORT sends that): then it is a copy.
struct ConcatMap {
  static uint32_t axis_of(const OpCall& call) {
    return call.params->u32("axis", static_cast<uint32_t>(call.in(0).shape.rank() - 1));
  }

  static Status check(const OpCall& call) {
    const ir::Shape& first = call.in(0).shape;
    const uint32_t axis = axis_of(call);
    OPENQNN_TRY(check_axis("axis", axis, first));
    uint64_t size = 0;
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const ir::Shape& shape = call.in(i).shape;
      ir::Shape expected = first;
      if (shape.rank() == first.rank()) expected[axis] = shape[axis];
      OPENQNN_TRY(expect_shape(concat("input ", i), shape, expected));
      size += shape[axis];
    }
    OPENQNN_TRY(check_size(concat("axis ", axis, " of the output"), size));
    ir::Shape expected = first;
    expected[axis] = static_cast<uint32_t>(size);
    return expect_shape("output", call.out().shape, expected);
  }

  explicit ConcatMap(const OpCall& call) : call_(call), axis_(axis_of(call)) {}

  Source source(const ir::Shape& output) const {
    go_to(output[axis_]);
    ir::Shape index = output;
    index[axis_] -= start_;
    return {input_, ir::offset_of(call_.in(input_).shape, index)};
  }

  InputRange inputs(const ir::Box& output) const {
    go_to(output.begin[axis_]);
    const size_t first = input_;
    go_to(output.end[axis_] - 1);
    return {first, input_ + 1};
  }

  ir::Box needed(size_t input, const ir::Box& output) const {
    while (input_ > input) step_back();
    while (input_ < input) step_on();
    if (output.end[axis_] <= start_ || output.begin[axis_] >= end()) return empty_box(call_.in(input).shape);
    ir::Box box = output;
    box.begin[axis_] = std::max(output.begin[axis_], start_) - start_;
    box.end[axis_] = std::min(output.end[axis_], end()) - start_;
    return box;
  }

 private:
  void go_to(uint32_t place) const {
    while (place < start_) step_back();
    while (place >= end()) step_on();
  }
  uint32_t end() const { return start_ + call_.in(input_).shape[axis_]; }
  void step_on() const {
    start_ = end();
    ++input_;
  }
  void step_back() const { start_ -= call_.in(--input_).shape[axis_]; }

  const OpCall& call_;
  uint32_t axis_;
  // The input that was asked for last, and where it begins on the axis: the next one is near.
  mutable size_t input_ = 0;
  mutable uint32_t start_ = 0;
};

// Each input's part of the output in one go.
void run_concat(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const uint32_t axis = ConcatMap::axis_of(call);
  ir::Shape target = region.begin;
  uint32_t start = 0;  // of the input on the axis
  for (size_t i = 0; i < call.inputs.size(); start += call.in(i++).shape[axis]) {
    ir::Box box = region;
    box.begin[axis] = std::max(region.begin[axis], start) - start;
    box.end[axis] = std::min(std::max(region.end[axis], start) - start, call.in(i).shape[axis]);
    if (box.begin[axis] >= box.end[axis]) continue;
    copy_box({call.in(i), args.inputs[i], call.out(), args.outputs[0]}, call.in(i).shape, box,
             call.out().shape, target);
    target[axis] += box.extent(axis);
  }
}

struct PackMap {
  static Status check(const OpCall& call) {
    const ir::Shape& first = call.in(0).shape;
    const uint32_t axis = call.params->u32("axis", 0);
    if (axis > first.rank())
      return invalid("op-param-value",
                     concat("axis ", axis, " is not a place for a new dimension in ", first.to_string()))
          .fix_by(concat("use 0 to ", first.rank()));
    for (size_t i = 1; i < call.inputs.size(); ++i)
      OPENQNN_TRY(expect_shape(concat("input ", i), call.in(i).shape, first));
    return expect_shape("output", call.out().shape,
                        with_axis(first, axis, static_cast<uint32_t>(call.inputs.size())));
  }

  explicit PackMap(const OpCall& call) : shape_(call.in(0).shape), axis_(call.params->u32("axis", 0)) {}

  Source source(const ir::Shape& output) const {
    return {output[axis_], ir::offset_of(shape_, without_axis(output, axis_))};
  }
  InputRange inputs(const ir::Box& output) const { return {output.begin[axis_], output.end[axis_]}; }
  ir::Box needed(size_t input, const ir::Box& output) const {
    if (input < output.begin[axis_] || input >= output.end[axis_]) return empty_box(shape_);
    return {without_axis(output.begin, axis_), without_axis(output.end, axis_)};
  }

 private:
  ir::Shape shape_;
  uint32_t axis_;
};

// ---- One into many ----

// Sums over all outputs, since all are written at once.
Work split_work(const OpCall& call, const ir::Box& output) {
  Work work = vector_work(call, output, 0, 2 * box_bytes(call.in(0), ir::Box::whole(call.in(0).shape)));
  if (output.empty()) return {};
  for (const ir::TensorDesc* out : call.outputs) {
    const bool requantizes = !same_representation(call.in(0), *out);
    const uint64_t vectors = ceil_div(ir::plain_bytes(*out), kVectorBytes);
    work.vector_ops = saturating_add(work.vector_ops,
                                     saturating_multiply(vectors, kShift + (requantizes ? kRequantize : 0)));
  }
  return work;
}

Status check_split(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const uint32_t axis = call.params->u32("axis", 0);
  OPENQNN_TRY(check_axis("axis", axis, in));
  const size_t cuts = call.params->count("split_index");
  if (call.outputs.size() != cuts + 1)
    return invalid("op-operands", concat("split_index has ", cuts, " entries, which make ", cuts + 1,
                                         " outputs; ", call.outputs.size(), " given"));
  uint32_t start = 0;
  for (size_t i = 0; i <= cuts; ++i) {
    const uint32_t end = i < cuts ? call.params->u32_at("split_index", i, 0) : in[axis];
    if (end <= start || end > in[axis] || (i < cuts && end == in[axis]))
      return invalid("op-param-value", concat("split_index has ", end, " at entry ", i))
          .fix_by(concat("give increasing starts of the second and further pieces, 1 to ", in[axis] - 1));
    ir::Shape expected = in;
    expected[axis] = end - start;
    OPENQNN_TRY(expect_shape(concat("output ", i), call.out(i).shape, expected));
    start = end;
  }
  return {};
}

void run_split(const KernelArgs& args, const ir::Box&) {
  const ir::Shape& in = args.call.in(0).shape;
  const uint32_t axis = args.call.params->u32("axis", 0);
  uint32_t start = 0;
  for (size_t i = 0; i < args.call.outputs.size(); ++i) {
    const ir::Shape& shape = args.call.out(i).shape;
    const auto source = [&](const ir::Shape& output) {
      ir::Shape index = output;
      index[axis] += start;
      return Source{0, ir::offset_of(in, index)};
    };
    move_elements(args, ir::Box::whole(shape), source, 0.0, i);
    start += shape[axis];
  }
}

void run_split_boxes(const KernelArgs& args, const ir::Box&) {
  const ir::Shape& in = args.call.in(0).shape;
  const uint32_t axis = args.call.params->u32("axis", 0);
  ir::Box box = ir::Box::whole(in);
  box.end[axis] = 0;
  const ir::Shape origin = box.begin;
  for (size_t i = 0; i < args.call.outputs.size(); ++i) {
    const ir::TensorDesc& out = args.call.out(i);
    box.begin[axis] = box.end[axis];
    box.end[axis] += out.shape[axis];
    copy_box({args.call.in(0), args.inputs[0], out, args.outputs[i]}, in, box, out.shape, origin);
  }
}

Status check_unpack(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  const uint32_t axis = call.params->u32("axis", 0);
  OPENQNN_TRY(check_axis("axis", axis, in));
  if (call.outputs.size() != in[axis])
    return invalid("op-operands", concat("axis ", axis, " of ", in.to_string(), " makes ", in[axis],
                                         " outputs; ", call.outputs.size(), " given"));
  const ir::Shape expected = at_least_one_dim(without_axis(in, axis));
  for (size_t i = 0; i < call.outputs.size(); ++i)
    OPENQNN_TRY(expect_shape(concat("output ", i), call.out(i).shape, expected));
  return {};
}

void run_unpack(const KernelArgs& args, const ir::Box&) {
  const ir::Shape& in = args.call.in(0).shape;
  const uint32_t axis = args.call.params->u32("axis", 0);
  for (uint32_t i = 0; i < in[axis]; ++i) {
    const auto source = [&](const ir::Shape& output) {
      return Source{0, in.rank() > 1 ? ir::offset_of(in, with_axis(output, axis, i)) : i};
    };
    move_elements(args, ir::Box::whole(args.call.out(i).shape), source, 0.0, i);
  }
}

}  // namespace

OpDef concat_op() {
  OpDef def = moving_op<ConcatMap, kShift>("Concat");
  // Each element comes from one input; a look at thousands of them would tell no more.
  def.work = [](const OpCall& call, const ir::Box& output) {
    return vector_work(call, output, kShift, 2 * box_bytes(call.out(), output));
  };
  def.kernels.insert(def.kernels.begin(), {"boxes", nullptr, run_concat});
  return def;
}

OpDef pack() {
  OpDef def = moving_op<PackMap, kShift>("Pack");
  def.our_rows = {"i32 -> i32", "sfx16 -> sfx16"};  // as Concat
  return def;
}

OpDef split_op() {
  return {
      .type = "Split",
      .our_rows = {"sfx16 -> sfx16"},  // as Concat
      .check = check_split,
      .work = split_work,
      .kernels = {{"boxes", nullptr, run_split_boxes}, {"reference", nullptr, run_split}},
  };
}

OpDef un_pack() {
  return {
      .type = "UnPack",
      // The first is in the tables since SDK 2.39.
      .our_rows = {"sfx16 -> sfx16", "i32 -> i32"},
      .check = check_unpack,
      .work = split_work,
      .kernels = {{"reference", nullptr, run_unpack}},
  };
}

}  // namespace openqnn::ops
