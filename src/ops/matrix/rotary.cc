// SPDX-License-Identifier: BSD-3-Clause
// RotaryEmbedding: turns pairs of features by the angles of their position, as ONNX defines it.
#include "ops/matrix/rotary.h"

#include <algorithm>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

enum : size_t { kRotated, kCos, kSin, kIds };

// Vector instructions per 128 bytes of output; ours: two products, a sum, shuffles and requantization.
constexpr uint64_t kInstructions = 10;

uint32_t rotated_features(const OpCall& call) {
  const uint32_t size = call.params->u32("rotary_embedding_dim", 0);
  return size == 0 ? call.in(kRotated).shape[3] : size;  // 0 and absence: the whole head
}

// Angles are [b or 1, seq, rot / 2], or [seq, rot / 2] for all of the batch (the 1 and the second: ours);
// with position ids, [positions, rot / 2].
Status check_angles(const OpCall& call, const ir::Shape& angles) {
  const ir::Shape& x = call.in(kRotated).shape;
  const uint32_t pairs = rotated_features(call) / 2;
  const bool by_position = call.has_input(kIds);
  const bool fits = angles.rank() == 2
                        ? (by_position || angles[0] == x[2]) && angles[1] == pairs
                        : angles.rank() == 3 && !by_position && (angles[0] == x[0] || angles[0] == 1) &&
                              angles[1] == x[2] && angles[2] == pairs;
  if (fits) return {};
  return invalid("op-shape", concat("cos has shape ", angles.to_string(), " where ",
                                    by_position ? "[positions, " : concat("[", x[0], ", ", x[2], ", "), pairs,
                                    "] is needed"));
}

Status check_rotary(const OpCall& call) {
  const ir::Shape& x = call.in(kRotated).shape;
  OPENQNN_TRY(check_rank(call.in(kRotated), "input", 4, "[b, heads, seq, head]"));
  const uint32_t rotated = rotated_features(call);
  if (rotated % 2 != 0 || rotated > x[3])
    return invalid("op-param-value", concat("rotary_embedding_dim ", rotated,
                                            " is not an even number of at most ", x[3], " features"));
  OPENQNN_TRY(check_angles(call, call.in(kCos).shape));
  OPENQNN_TRY(expect_shape("sin", call.in(kSin).shape, call.in(kCos).shape));
  if (call.has_input(kIds)) OPENQNN_TRY(expect_shape("position_ids", call.in(kIds).shape, {x[0], x[2]}));
  return expect_shape("output", call.out().shape, x);
}

ir::Box rotary_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(index).shape);
  if (index == kRotated) {
    for (size_t axis = 0; axis < 3; ++axis) take_axis(box, axis, output, axis);
  } else if (index == kIds) {
    take_axis(box, 0, output, 0);
    take_axis(box, 1, output, 2);
  } else if (!call.has_input(kIds)) {
    if (box.rank() == 3 && box.end[0] > 1) take_axis(box, 0, output, 0);
    take_axis(box, box.rank() - 2, output, 2);
  }
  return box;
}

// Ids outside the table count as its nearest row (ours).
uint64_t angle_row(const KernelArgs& args, uint32_t batch, uint32_t position) {
  const ir::Shape& angles = args.call.in(kCos).shape;
  const ir::Shape& x = args.call.in(kRotated).shape;
  if (args.call.has_input(kIds)) {
    const int32_t id = load<int32_t>(args.inputs[kIds], uint64_t{batch} * x[2] + position);
    return static_cast<uint64_t>(std::clamp<int64_t>(id, 0, int64_t{angles[0]} - 1));
  }
  return angles.rank() == 3 && angles[0] > 1 ? uint64_t{batch} * x[2] + position : position;
}

void run_rotary(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& x = call.in(kRotated).shape;
  const uint64_t rotated = rotated_features(call);
  const RotaryPairs pairs =
      call.params->boolean("interleaved", false) ? RotaryPairs::kNeighbours : RotaryPairs::kHalves;
  const ElementReader read(call.in(kRotated), args.inputs[kRotated]);
  const ElementReader cosines(call.in(kCos), args.inputs[kCos]);
  const ElementReader sines(call.in(kSin), args.inputs[kSin]);
  const ElementWriter write(call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& at) {
    const uint64_t position = ir::offset_of(x, at);
    const uint64_t first = position - at[3];
    const uint64_t angle = angle_row(args, at[0], at[2]) * (rotated / 2);
    write(position, rotate(
                        at[3], rotated, pairs, [&](uint64_t i) { return read(first + i); },
                        [&](uint64_t pair) { return cosines(angle + pair); },
                        [&](uint64_t pair) { return sines(angle + pair); }));
  });
}

}  // namespace

OpDef rotary_embedding() {
  return {
      .type = "RotaryEmbedding",
      // What clients send; no table lists types.
      .our_rows = {"f16,f16,f16,i32 -> f16", "f32,f32,f32,i32 -> f32", "ufx8,ufx8,ufx8,i32 -> ufx8",
                   "ufx16,ufx16,ufx16,i32 -> ufx16"},
      .check = check_rotary,
      .input_box = rotary_input_box,
      .split_axes =
          [](const OpCall&) {
            return std::vector<SplitAxis>{{1, 1}, {2, 1}, {0, 1}};
          },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, kInstructions, 3 * box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_rotary}},
  };
}

}  // namespace openqnn::ops
