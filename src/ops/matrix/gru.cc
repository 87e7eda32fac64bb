// SPDX-License-Identifier: BSD-3-Clause
// Gru: one layer over a sequence. The state stays in double from step to step, also from one execution to the
// next where the reset input asks for that, and is rounded at the outputs only (ours).
#include "base/text.h"
#include "ops/checks.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/matrix/recurrent.h"

namespace openqnn::ops {
namespace {

enum : size_t {
  kGruX,
  kWxz,
  kWxr,
  kWxn,
  kWhz,
  kWhr,
  kWhn,
  kBxz,
  kBxr,
  kBxn,
  kBhz,
  kBhr,
  kBhn,
  kInitialH,
  kGruReset,
};

bool is_time_major(const OpCall& call) { return call.params->boolean("time_major", true); }

struct GruSizes {
  uint32_t steps;
  uint32_t batch;
  uint32_t inputs;
  uint32_t units;
};
GruSizes gru_sizes(const OpCall& call) {
  const ir::Shape& x = call.in(kGruX).shape;
  const bool time_major = is_time_major(call);
  return {x[time_major ? 0 : 1], x[time_major ? 1 : 0], x[2], call.in(kWxz).shape[0]};
}

Status check_gru(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(kGruX), "input", 3, "[t, b, in] or [b, t, in]"));
  OPENQNN_TRY(check_choice(call, "direction", 1, "0 (forward) or 1 (reverse)"));
  if (call.has_input(kGruReset) && call.in(kGruReset).shape.elements() != 1)
    return invalid("op-shape", concat("input 14 (reset) has shape ", call.in(kGruReset).shape.to_string(),
                                      " where a scalar is needed"));
  const GruSizes sizes = gru_sizes(call);
  for (size_t input = kWxz; input <= kBhn; ++input) {
    if (!call.has_input(input)) continue;
    ir::Shape expected = {sizes.units};
    if (input <= kWhn) expected.push_back(input <= kWxn ? sizes.inputs : sizes.units);
    OPENQNN_TRY(expect_shape(concat("input ", input), call.in(input).shape, expected));
  }
  if (call.has_input(kInitialH))
    OPENQNN_TRY(expect_shape("initial_h", call.in(kInitialH).shape, {1, sizes.batch, sizes.units}));
  OPENQNN_TRY(expect_shape("h_final", call.out(1).shape, {1, sizes.batch, sizes.units}));
  ir::Shape expected = call.in(kGruX).shape;
  expected[2] = sizes.units;
  return expect_shape("output", call.out().shape, expected);
}

// One gate: x and h times their weights, and both biases.
struct Gate {
  OptionalReader x_weights;
  OptionalReader h_weights;
  OptionalReader x_bias;
  OptionalReader h_bias;

  Gate(const KernelArgs& args, size_t number)
      : x_weights(args, kWxz + number),
        h_weights(args, kWhz + number),
        x_bias(args, kBxz + number),
        h_bias(args, kBhz + number) {}
  double from_x(uint64_t unit, std::span<const double> x) const {
    return row_product(x_weights, unit, x) + x_bias(unit);
  }
  double from_h(uint64_t unit, std::span<const double> h) const {
    return row_product(h_weights, unit, h) + h_bias(unit);
  }
};

// What one batch entry is computed with.
struct Buffers {
  KernelVector<double> x;
  KernelVector<double> h;
  KernelVector<double> r;
  KernelVector<double> seen;  // what the candidate sees of the state
  KernelVector<double> next;

  Buffers(KernelMemory& memory, const GruSizes& sizes)
      : x(memory.vector<double>(sizes.inputs)),
        h(memory.vector<double>(sizes.units)),
        r(memory.vector<double>(sizes.units)),
        seen(memory.vector<double>(sizes.units)),
        next(memory.vector<double>(sizes.units)) {}
};

uint64_t gru_scratch(const OpCall& call) {
  const GruSizes sizes = gru_sizes(call);
  return room_for<double>(sizes.inputs) + 4 * room_for<double>(sizes.units);
}

// h becomes the state after one step.
void step_on(const KernelArgs& args, Buffers& buffers) {
  auto& [x, h, r, seen, next] = buffers;
  const Gate update(args, 0);
  const Gate reset(args, 1);
  const Gate candidate(args, 2);
  const bool linear_before_reset = args.call.params->u32("linear_before_reset", 0) != 0;
  for (size_t unit = 0; unit < h.size(); ++unit) {
    r[unit] = portable_sigmoid(reset.from_x(unit, x) + reset.from_h(unit, h));
    seen[unit] = linear_before_reset ? h[unit] : h[unit] * r[unit];
  }
  for (size_t unit = 0; unit < h.size(); ++unit) {
    const double z = portable_sigmoid(update.from_x(unit, x) + update.from_h(unit, h));
    const double state = candidate.from_h(unit, seen) * (linear_before_reset ? r[unit] : 1.0);
    const double n = portable_tanh(candidate.from_x(unit, x) + state);
    next[unit] = (1.0 - z) * n + z * h[unit];
  }
  h.swap(next);
}

// The state between executions: whether there was one, then h of every batch. Without a reset input, each
// execution begins with the initial state, and nothing is kept.
constexpr uint64_t kHeader = sizeof(uint64_t);

uint64_t gru_state_bytes(const OpCall& call) {
  if (!call.has_input(kGruReset)) return 0;
  const GruSizes sizes = gru_sizes(call);
  return kHeader + sizeof(double) * sizes.batch * sizes.units;
}

bool goes_on(const KernelArgs& args) {
  return !args.state.empty() && *args.inputs[kGruReset] == std::byte{0} &&
         load<uint64_t>(args.state.data(), 0) != 0;
}

void run_gru(const KernelArgs& args, const ir::Box&) {
  const GruSizes sizes = gru_sizes(args.call);
  const bool continues = goes_on(args);
  std::byte* const kept = args.state.empty() ? nullptr : args.state.data() + kHeader;
  const bool time_major = is_time_major(args.call);
  const bool reverse = args.call.params->u32("direction", 0) == 1;
  const OptionalReader read_x(args, kGruX);
  const OptionalReader initial(args, kInitialH);
  const OptionalWriter write_y(args, 0);
  const OptionalWriter write_h(args, 1);
  KernelMemory memory(args);
  Buffers buffers(memory, sizes);
  KernelVector<double>& x = buffers.x;
  KernelVector<double>& h = buffers.h;
  for (uint64_t batch = 0; batch < sizes.batch; ++batch) {
    for (size_t unit = 0; unit < h.size(); ++unit) {
      const uint64_t at = batch * h.size() + unit;
      h[unit] = continues ? load<double>(kept, at) : initial(at);
    }
    for (uint64_t i = 0; i < sizes.steps; ++i) {
      const uint64_t step = reverse ? sizes.steps - 1 - i : i;
      const uint64_t row = time_major ? step * sizes.batch + batch : batch * sizes.steps + step;
      for (size_t j = 0; j < x.size(); ++j) x[j] = read_x(row * x.size() + j);
      step_on(args, buffers);
      for (size_t unit = 0; unit < h.size(); ++unit) write_y(row * h.size() + unit, h[unit]);
    }
    for (size_t unit = 0; unit < h.size(); ++unit) {
      write_h(batch * h.size() + unit, h[unit]);
      if (kept) save(kept, batch * h.size() + unit, h[unit]);
    }
  }
  if (kept) save(args.state.data(), 0, uint64_t{1});
}

Work gru_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const GruSizes sizes = gru_sizes(call);
  return recurrent_work(call, sizes.steps, sizes.batch, uint64_t{sizes.inputs} + sizes.units,
                        3 * uint64_t{sizes.units});
}

}  // namespace

OpDef gru() {
  return {
      .type = "Gru",
      // The release notes name 16-bit activations with 16-bit weights; the rest is ours.
      .our_rows =
          {"ufx16,sfx16,sfx16,sfx16,sfx16,sfx16,sfx16,sfx32,sfx32,sfx32,sfx32,sfx32,sfx32,ufx16,bool8 -> "
           "ufx16,ufx16",
           "ufx16,sfx8,sfx8,sfx8,sfx8,sfx8,sfx8,sfx32,sfx32,sfx32,sfx32,sfx32,sfx32,ufx16,bool8 -> "
           "ufx16,ufx16",
           "f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,bool8 -> f16,f16",
           "f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,bool8 -> f32,f32"},
      .takes_scalars = true,  // reset
      .check = check_gru,
      .work = gru_work,
      .state_bytes = gru_state_bytes,
      .reset_input = kGruReset,
      .kernels = {reference_kernel(run_gru, gru_scratch)},
  };
}

}  // namespace openqnn::ops
