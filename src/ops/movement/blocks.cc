// SPDX-License-Identifier: BSD-3-Clause
// Blocks of an image moved between space, depth and batch: DepthToSpace, SpaceToDepth, BatchToSpace,
// SpaceToBatch. All tensors are [b, h, w, c].
#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

struct Block {
  uint32_t height;
  uint32_t width;
  uint64_t area() const { return uint64_t{height} * width; }
};

Block block_of(const OpCall& call) {
  return {call.params->u32_at("block_size", 0, 1), call.params->u32_at("block_size", 1, 1)};
}

Status check_block(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  const Block block = block_of(call);
  if (block.height == 0 || block.width == 0)
    return invalid("op-param-value", concat("block_size is [", block.height, ", ", block.width, "]"))
        .fix_by("use 1 or more");
  return {};
}

Status check_divides(std::string_view what, uint64_t size, uint64_t divisor) {
  if (size % divisor == 0) return {};
  return invalid("op-shape", concat(size, " ", what, " cannot be divided into blocks of ", divisor));
}

// [begin, end) of blocks that hold the positions [begin, end).
std::pair<uint32_t, uint32_t> blocks_around(uint32_t begin, uint32_t end, uint32_t block) {
  return {begin / block, (end - 1) / block + 1};
}

// ---- Depth ----

// How a channel of the deep tensor is made of a place in the block and a channel of the flat one.
enum class DepthMode : uint32_t {
  kDcr = 0,  // the place in the block first
  kCrd = 1,  // the channel first, as a pixel shuffle does
};

Status check_mode(const OpCall& call) { return check_choice(call, "mode", 1, "0 (DCR) or 1 (CRD)"); }

struct DepthOrder {
  Block block;
  uint32_t channels;  // of the flat tensor
  DepthMode mode;

  uint32_t deep(uint32_t y, uint32_t x, uint32_t channel) const {
    return mode == DepthMode::kDcr ? (y * block.width + x) * channels + channel
                                   : (channel * block.height + y) * block.width + x;
  }
  struct Place {
    uint32_t y;
    uint32_t x;
    uint32_t channel;
  };
  Place place(uint32_t deep) const {
    if (mode == DepthMode::kCrd)
      return {deep / block.width % block.height, deep % block.width,
              static_cast<uint32_t>(deep / block.area())};
    const uint32_t in_block = deep / channels;
    return {in_block / block.width, in_block % block.width, deep % channels};
  }
};

DepthOrder order_of(const OpCall& call, const ir::Shape& flat) {
  return {block_of(call), flat[3], static_cast<DepthMode>(call.params->u32("mode", 0))};
}

class DepthToSpaceMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_block(call));
    OPENQNN_TRY(check_mode(call));
    const ir::Shape& in = call.in(0).shape;
    const Block block = block_of(call);
    OPENQNN_TRY(check_divides("channels", in[3], block.area()));
    OPENQNN_TRY(check_size("the output height", uint64_t{in[1]} * block.height));
    OPENQNN_TRY(check_size("the output width", uint64_t{in[2]} * block.width));
    return expect_shape(
        "output", call.out().shape,
        {in[0], in[1] * block.height, in[2] * block.width, static_cast<uint32_t>(in[3] / block.area())});
  }

  explicit DepthToSpaceMap(const OpCall& call)
      : in_(call.in(0).shape), order_(order_of(call, call.out().shape)) {}

  Source source(const ir::Shape& out) const {
    const Block& block = order_.block;
    const uint32_t channel = order_.deep(out[1] % block.height, out[2] % block.width, out[3]);
    return {0, ir::offset_of(in_, {out[0], out[1] / block.height, out[2] / block.width, channel})};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = ir::Box::whole(in_);
    box.begin[0] = output.begin[0];
    box.end[0] = output.end[0];
    std::tie(box.begin[1], box.end[1]) = blocks_around(output.begin[1], output.end[1], order_.block.height);
    std::tie(box.begin[2], box.end[2]) = blocks_around(output.begin[2], output.end[2], order_.block.width);
    return box;
  }

 private:
  ir::Shape in_;
  DepthOrder order_;
};

class SpaceToDepthMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_block(call));
    OPENQNN_TRY(check_mode(call));
    const ir::Shape& in = call.in(0).shape;
    const Block block = block_of(call);
    OPENQNN_TRY(check_divides("rows", in[1], block.height));
    OPENQNN_TRY(check_divides("columns", in[2], block.width));
    const uint64_t channels = saturating_multiply(block.area(), in[3]);
    OPENQNN_TRY(check_size("the output depth", channels));
    return expect_shape("output", call.out().shape,
                        {in[0], in[1] / block.height, in[2] / block.width, static_cast<uint32_t>(channels)});
  }

  explicit SpaceToDepthMap(const OpCall& call)
      : in_(call.in(0).shape), order_(order_of(call, call.in(0).shape)) {}

  Source source(const ir::Shape& out) const {
    const DepthOrder::Place place = order_.place(out[3]);
    return {0, ir::offset_of(in_, {out[0], out[1] * order_.block.height + place.y,
                                   out[2] * order_.block.width + place.x, place.channel})};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    const Block& block = order_.block;
    return {{output.begin[0], output.begin[1] * block.height, output.begin[2] * block.width, 0},
            {output.end[0], output.end[1] * block.height, output.end[2] * block.width, in_[3]}};
  }

 private:
  ir::Shape in_;
  DepthOrder order_;
};

// ---- Batch ----

// Batches come in the order of TensorFlow's batch_to_space_nd: all of the first place in the block, then all
// of the second. (The definition leaves it open.)

// Rows or columns cut away, or added as zeros.
struct Border {
  uint32_t before;
  uint32_t after;
  uint64_t both() const { return uint64_t{before} + after; }
};

Border border_of(const OpCall& call, std::string_view param, size_t axis) {
  return {call.params->u32_at(param, 2 * axis, 0), call.params->u32_at(param, 2 * axis + 1, 0)};
}

class BatchToSpaceMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_block(call));
    const ir::Shape& in = call.in(0).shape;
    const Block block = block_of(call);
    OPENQNN_TRY(check_divides("batches", in[0], block.area()));
    ir::Shape expected = in;
    expected[0] = static_cast<uint32_t>(in[0] / block.area());
    for (size_t axis = 0; axis < 2; ++axis) {
      const uint64_t size = uint64_t{in[1 + axis]} * (axis == 0 ? block.height : block.width);
      const uint64_t crops = border_of(call, "crops", axis).both();
      if (crops >= size)
        return invalid("op-param-value", concat("crops take ", crops, " of ", size,
                                                axis == 0 ? " rows" : " columns", ", which leaves none"));
      OPENQNN_TRY(check_size(axis == 0 ? "the output height" : "the output width", size));
      expected[1 + axis] = static_cast<uint32_t>(size - crops);
    }
    return expect_shape("output", call.out().shape, expected);
  }

  explicit BatchToSpaceMap(const OpCall& call)
      : in_(call.in(0).shape),
        batches_(call.out().shape[0]),
        block_(block_of(call)),
        top_(border_of(call, "crops", 0).before),
        left_(border_of(call, "crops", 1).before) {}

  Source source(const ir::Shape& out) const {
    const uint32_t h = out[1] + top_;
    const uint32_t w = out[2] + left_;
    const uint32_t place = h % block_.height * block_.width + w % block_.width;
    return {0, ir::offset_of(in_, {place * batches_ + out[0], h / block_.height, w / block_.width, out[3]})};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = ir::Box::whole(in_);
    std::tie(box.begin[1], box.end[1]) =
        blocks_around(output.begin[1] + top_, output.end[1] + top_, block_.height);
    std::tie(box.begin[2], box.end[2]) =
        blocks_around(output.begin[2] + left_, output.end[2] + left_, block_.width);
    box.begin[3] = output.begin[3];
    box.end[3] = output.end[3];
    return box;
  }

 private:
  ir::Shape in_;
  uint32_t batches_;  // of the output
  Block block_;
  uint32_t top_;
  uint32_t left_;
};

class SpaceToBatchMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_block(call));
    const ir::Shape& in = call.in(0).shape;
    const Block block = block_of(call);
    const uint64_t rows = in[1] + border_of(call, "pad_amount", 0).both();
    const uint64_t columns = in[2] + border_of(call, "pad_amount", 1).both();
    OPENQNN_TRY(check_divides("padded rows", rows, block.height));
    OPENQNN_TRY(check_divides("padded columns", columns, block.width));
    const uint64_t batches = saturating_multiply(in[0], block.area());
    OPENQNN_TRY(check_size("the number of batches", batches));
    OPENQNN_TRY(check_size("the padded height", rows));
    OPENQNN_TRY(check_size("the padded width", columns));
    return expect_shape("output", call.out().shape,
                        {static_cast<uint32_t>(batches), static_cast<uint32_t>(rows / block.height),
                         static_cast<uint32_t>(columns / block.width), in[3]});
  }

  explicit SpaceToBatchMap(const OpCall& call)
      : in_(call.in(0).shape),
        block_(block_of(call)),
        top_(border_of(call, "pad_amount", 0).before),
        left_(border_of(call, "pad_amount", 1).before) {}

  Source source(const ir::Shape& out) const {
    const uint32_t place = out[0] / in_[0];
    const int64_t h = int64_t{out[1]} * block_.height + place / block_.width - top_;
    const int64_t w = int64_t{out[2]} * block_.width + place % block_.width - left_;
    if (h < 0 || h >= in_[1] || w < 0 || w >= in_[2]) return {};
    return {
        0, ir::offset_of(in_, {out[0] % in_[0], static_cast<uint32_t>(h), static_cast<uint32_t>(w), out[3]})};
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    const auto clipped = [](uint32_t block, uint32_t size, uint32_t pad, uint32_t at) {
      const int64_t inside = int64_t{at} * block - pad;
      return static_cast<uint32_t>(std::clamp<int64_t>(inside, 0, size));
    };
    ir::Box box = ir::Box::whole(in_);
    box.begin[1] = clipped(block_.height, in_[1], top_, output.begin[1]);
    box.end[1] = clipped(block_.height, in_[1], top_, output.end[1]);
    box.begin[2] = clipped(block_.width, in_[2], left_, output.begin[2]);
    box.end[2] = clipped(block_.width, in_[2], left_, output.end[2]);
    box.begin[3] = output.begin[3];
    box.end[3] = output.end[3];
    return box;
  }

 private:
  ir::Shape in_;
  Block block_;
  uint32_t top_;
  uint32_t left_;
};

}  // namespace

OpDef depth_to_space() { return moving_op<DepthToSpaceMap, kShuffle>("DepthToSpace"); }

OpDef space_to_depth() { return moving_op<SpaceToDepthMap, kShuffle>("SpaceToDepth"); }

OpDef batch_to_space() { return moving_op<BatchToSpaceMap, kShift>("BatchToSpace"); }

OpDef space_to_batch() { return moving_op<SpaceToBatchMap, kShift>("SpaceToBatch"); }

}  // namespace openqnn::ops
