// SPDX-License-Identifier: BSD-3-Clause
// Buffer: the last frames of a stream, kept from one execution to the next.
#include <cstring>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

constexpr size_t kFrames = 0;
constexpr size_t kBufferReset = 1;

// What an execution gives while the buffer is not full.
enum class BufferMode : uint32_t {
  kBlocking = 0,   // nothing
  kFillLeft = 1,   // the frames it has, then zeros
  kFillRight = 2,  // zeros, then the frames it has
};

// Frames lie along one dimension: the input is [outer, taken, inner], the buffer [outer, size, inner].
struct FrameShape {
  uint64_t outer = 1;
  uint32_t taken = 0;  // frames of one execution
  uint32_t size = 0;
  uint32_t stride = 0;  // the oldest frames, which go when the buffer is full
  uint64_t inner = 1;
  BufferMode mode = BufferMode::kBlocking;
  uint64_t inner_bytes = 0;

  explicit FrameShape(const OpCall& call)
      : size(call.params->u32("buffer_size", 0)),
        stride(call.params->u32("stride", 1)),
        mode(static_cast<BufferMode>(call.params->u32("mode", 0))) {
    const ir::Shape& in = call.in(kFrames).shape;
    const uint32_t axis = call.params->u32("buffer_dim", 0);
    taken = in[axis];
    for (size_t i = 0; i < in.rank(); ++i)
      if (i != axis) (i < axis ? outer : inner) *= in[i];
    inner_bytes = inner * ir::byte_size(call.in(kFrames).type);
  }
};

// The state: how many frames are held, and behind that the buffer, oldest frame first, in the input's type.
class HeldFrames {
 public:
  HeldFrames(const FrameShape& shape, std::byte* state) : shape_(shape), state_(state) {}

  static uint64_t bytes(const FrameShape& shape) {
    return kHeader + shape.outer * shape.size * shape.inner_bytes;
  }
  static uint64_t count(const std::byte* state) { return load<uint64_t>(state, 0); }

  uint64_t count() const { return count(state_); }
  bool is_full() const { return count() == shape_.size; }
  const std::byte* frames() const { return state_ + kHeader; }
  // In elements: where frame 0 of an outer index is in frames().
  uint64_t row(uint64_t outer) const { return outer * shape_.size * shape_.inner; }

  void empty() { set_count(0); }
  void drop_oldest() {
    const uint64_t kept = (shape_.size - shape_.stride) * shape_.inner_bytes;
    for (uint64_t i = 0; i < shape_.outer; ++i)
      std::memmove(row_data(i), row_data(i) + shape_.stride * shape_.inner_bytes, kept);
    set_count(count() - shape_.stride);
  }
  void append(const std::byte* input) {
    const uint64_t taken = shape_.taken * shape_.inner_bytes;
    for (uint64_t i = 0; i < shape_.outer; ++i)
      std::memcpy(row_data(i) + count() * shape_.inner_bytes, input + i * taken, taken);
    set_count(count() + shape_.taken);
  }

 private:
  static constexpr uint64_t kHeader = sizeof(uint64_t);

  std::byte* row_data(uint64_t outer) { return state_ + kHeader + outer * shape_.size * shape_.inner_bytes; }
  void set_count(uint64_t count) { save(state_, 0, count); }

  const FrameShape& shape_;
  std::byte* state_;
};

// ---- Checks ----

// Frames come and go in whole executions, so that the buffer is exactly full now and then.
Status check_frames(const OpCall& call, std::string_view name, uint32_t value, uint32_t taken,
                    uint32_t most) {
  if (value >= taken && value <= most && value % taken == 0) return {};
  const char* by_default = call.params->find(name) ? "" : " by default";
  return invalid("op-param-value",
                 concat(name, " is ", value, by_default, " where an execution brings ", taken, " frames"))
      .fix_by(concat("use a multiple of ", taken, most == UINT32_MAX ? "" : concat(" up to ", most)));
}

// What frames it would add, and where, is not public.
Status check_padding(const OpCall& call) {
  if (call.params->u32("buffer_padding", 0) == 0) return {};
  return unsupported("op-param-value", "where buffer_padding puts its frames of zeros is not public")
      .fix_by("leave it out, or pad with Pad");
}

Status check_buffer(const OpCall& call) {
  const ir::Shape& in = call.in(kFrames).shape;
  const uint32_t axis = call.params->u32("buffer_dim", 0);
  OPENQNN_TRY(check_axis("buffer_dim", axis, in));
  OPENQNN_TRY(
      check_choice(call, "mode", 2, "0 (blocking), 1 (fill from the left) or 2 (fill from the right)"));
  OPENQNN_TRY(check_padding(call));
  const FrameShape frames(call);
  OPENQNN_TRY(check_frames(call, "buffer_size", frames.size, frames.taken, UINT32_MAX));
  OPENQNN_TRY(check_frames(call, "stride", frames.stride, frames.taken, frames.size));
  if (call.has_input(kBufferReset) && call.in(kBufferReset).shape.elements() != 1)
    return invalid("op-shape", concat("input 1 (reset) has shape ", call.in(kBufferReset).shape.to_string(),
                                      " where a scalar is needed"));
  ir::Shape expected = in;
  expected[axis] = frames.size;
  return expect_shape("output", call.out().shape, expected);
}

// ---- State and kernel ----

uint64_t buffer_state_bytes(const OpCall& call) { return HeldFrames::bytes(FrameShape(call)); }

bool buffer_withholds(const OpCall& call, std::span<const std::byte> state) {
  const FrameShape frames(call);
  return frames.mode == BufferMode::kBlocking && HeldFrames::count(state.data()) < frames.size;
}

void write_frames(const KernelArgs& args, const FrameShape& shape, const HeldFrames& held) {
  const ElementCopier copy(args.call.in(kFrames), held.frames(), args.call.out(), args.outputs[0]);
  const uint64_t have = held.count() * shape.inner;
  const uint64_t missing = shape.size * shape.inner - have;
  const bool zeros_first = shape.mode == BufferMode::kFillRight;
  for (uint64_t i = 0; i < shape.outer; ++i) {
    const uint64_t row = held.row(i);
    copy(row + (zeros_first ? missing : 0), row, have);
    fill_with_zero(args.call.out(), args.outputs[0], row + (zeros_first ? 0 : have), missing);
  }
}

// A reset comes first: the frames of the same execution are then the only ones (ours).
void run_buffer(const KernelArgs& args, const ir::Box&) {
  const FrameShape shape(args.call);
  HeldFrames held(shape, args.state.data());
  const std::byte* reset = args.call.has_input(kBufferReset) ? args.inputs[kBufferReset] : nullptr;
  if (reset && *reset != std::byte{0}) held.empty();
  if (held.is_full()) held.drop_oldest();
  held.append(args.inputs[kFrames]);
  if (!buffer_withholds(args.call, args.state)) write_frames(args, shape, held);
}

// The frames move up in the buffer, and go from there to the output.
Work buffer_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {};
  const uint64_t bytes = saturating_add(all_bytes(call), saturating_multiply(2, buffer_state_bytes(call)));
  return {.unit = soc::Unit::kHvx,
          .vector_ops = saturating_multiply(ceil_div(bytes, kVectorBytes), kShift),
          .vtcm_bytes = bytes};
}

}  // namespace

OpDef buffer() {
  return {
      .type = "Buffer",
      // No table has rows for it. The unsigned ones are named in the revision history of the op set.
      .our_rows = {"ufx8,bool8 -> ufx8", "ufx16,bool8 -> ufx16", "sfx8,bool8 -> sfx8", "sfx16,bool8 -> sfx16",
                   "f16,bool8 -> f16", "f32,bool8 -> f32"},
      .takes_scalars = true,  // reset
      .check = check_buffer,
      .work = buffer_work,
      .state_bytes = buffer_state_bytes,
      .reset_input = kBufferReset,
      .withholds = buffer_withholds,
      .kernels = {{"reference", nullptr, run_buffer}},
  };
}

}  // namespace openqnn::ops
