// SPDX-License-Identifier: BSD-3-Clause
// Ops that permute or repeat along an axis: Tile, ChannelShuffle.
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

struct TileMap {
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    OPENQNN_TRY(check_count_per_dim(call, "multiples", in));
    ir::Shape expected = in;
    for (size_t i = 0; i < in.rank(); ++i) {
      const uint32_t multiple = call.params->u32_at("multiples", i, 0);
      if (multiple == 0) return invalid("op-param-value", concat("multiples has a 0 for dimension ", i));
      OPENQNN_TRY(check_size(concat("dimension ", i), uint64_t{in[i]} * multiple));
      expected[i] = in[i] * multiple;
    }
    return expect_shape("output", call.out().shape, expected);
  }

  explicit TileMap(const OpCall& call) : in_(call.in(0).shape) {}

  Source source(const ir::Shape& output) const {
    ir::Shape index = output;
    for (size_t i = 0; i < in_.rank(); ++i) index[i] %= in_[i];
    return {0, ir::offset_of(in_, index)};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = ir::Box::whole(in_);
    for (size_t i = 0; i < in_.rank(); ++i) {
      const bool in_one_copy = output.begin[i] / in_[i] == (output.end[i] - 1) / in_[i];
      if (!in_one_copy) continue;
      box.begin[i] = output.begin[i] % in_[i];
      box.end[i] = (output.end[i] - 1) % in_[i] + 1;
    }
    return box;
  }

 private:
  ir::Shape in_;
};

// The axis seen as [groups][channels per group] is transposed.
struct ChannelShuffleMap {
  static uint32_t axis_of(const OpCall& call) {
    return call.params->u32("axis", static_cast<uint32_t>(call.in(0).shape.rank() - 1));
  }

  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const uint32_t axis = axis_of(call);
    OPENQNN_TRY(check_axis("axis", axis, in));
    const uint32_t groups = call.params->u32("num_groups", 0);
    if (groups == 0 || in[axis] % groups != 0)
      return invalid("op-param-value",
                     concat("num_groups ", groups, " does not divide the ", in[axis], " channels"));
    return expect_shape("output", call.out().shape, in);
  }

  explicit ChannelShuffleMap(const OpCall& call)
      : shape_(call.in(0).shape), axis_(axis_of(call)), groups_(call.params->u32("num_groups", 1)) {}

  Source source(const ir::Shape& output) const {
    ir::Shape index = output;
    const uint32_t per_group = shape_[axis_] / groups_;
    index[axis_] = output[axis_] % groups_ * per_group + output[axis_] / groups_;
    return {0, ir::offset_of(shape_, index)};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = output;
    box.begin[axis_] = 0;
    box.end[axis_] = shape_[axis_];
    return box;
  }

 private:
  ir::Shape shape_;
  uint32_t axis_;
  uint32_t groups_;
};

}  // namespace

OpDef tile() { return moving_op<TileMap, kShift>("Tile"); }

OpDef channel_shuffle() { return moving_op<ChannelShuffleMap, kShuffle>("ChannelShuffle"); }

}  // namespace openqnn::ops
