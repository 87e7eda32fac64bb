// SPDX-License-Identifier: BSD-3-Clause
// Random calls of random ops: every kernel, on every instruction set of this CPU, gives the bits of the
// reference. A call that breaks this is printed as a problem line, which the tests of the op can take as it
// is.
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "base/cpu.h"
#include "ops/fuzz/problems.h"
#include "ops/op_case.h"

namespace {

openqnn::Isa g_isa = openqnn::Isa::kPortable;

}  // namespace

// The linker puts it in the place of openqnn::host_isa (--wrap), whose answer never changes.
extern "C" openqnn::Isa __wrap__ZN7openqnn8host_isaEv();  // NOLINT(bugprone-reserved-identifier)
extern "C" openqnn::Isa __wrap__ZN7openqnn8host_isaEv() { return g_isa; }

namespace openqnn::ops {
namespace {

constexpr size_t kMostShift = 63;  // to every place in a cache line

// A case, and what the call of it has beyond that.
struct Call {
  OpCase c;
  bool fast_sigmoid = false;
  size_t shift = 0;  // of buffers that are not constants: clients need not align theirs, not even to elements

  OpCall call() const {
    OpCall call = c.call();
    call.fast_sigmoid = fast_sigmoid;
    return call;
  }
};

// Inputs that are no constants begin where no vector does; what lies behind each is not ours.
std::vector<Bytes> shifted_inputs(const Call& of) {
  std::vector<Bytes> inputs;
  for (size_t i = 0; i < of.c.data.size(); ++i) {
    Bytes bytes(of.c.inputs[i].is_static ? 0 : of.shift);
    bytes.insert(bytes.end(), of.c.data[i].begin(), of.c.data[i].end());
    inputs.push_back(std::move(bytes));
  }
  return inputs;
}

Bytes run(const Call& of, const Kernel& kernel, const std::vector<ir::Box>& regions) {
  const OpCase& c = of.c;
  const OpCall call = of.call();
  const std::vector<Bytes> memory = shifted_inputs(of);
  std::vector<const std::byte*> inputs;
  for (size_t i = 0; i < memory.size(); ++i)
    inputs.push_back(call.inputs[i] ? memory[i].data() + (c.inputs[i].is_static ? 0 : of.shift) : nullptr);
  std::vector<Bytes> results;
  std::vector<std::byte*> outputs;
  for (const ir::TensorDesc& desc : c.outputs)
    results.emplace_back(of.shift + ir::plain_bytes(desc), kUntouched);
  for (Bytes& result : results) outputs.push_back(result.data() + of.shift);
  Bytes state(c.op->state_bytes ? c.op->state_bytes(call) : 0);
  for (const ir::Box& region : regions) run_alone(*c.op, kernel, {call, inputs, outputs, state}, region);
  Bytes all;
  for (const Bytes& result : results)
    all.insert(all.end(), result.begin() + static_cast<std::ptrdiff_t>(of.shift), result.end());
  return all;
}

[[noreturn]] void report(const Call& of, const Kernel& kernel, const char* how, const Bytes& is,
                         const Bytes& expected) {
  size_t at = 0;
  while (at < is.size() && is[at] == expected[at]) ++at;
  const Epilogue& epilogue = of.c.epilogue;
  std::fprintf(stderr,
               "%s\n  kernel %.*s on %.*s, %s, differs from the reference at byte %zu of %zu: %d for %d\n"
               "  epilogue %d (%.9g, %.9g), half accumulation %d, fast sigmoid %d, buffers shifted by %zu\n",
               of.c.problem.line.c_str(), static_cast<int>(kernel.name.size()), kernel.name.data(),
               static_cast<int>(name(g_isa).size()), name(g_isa).data(), how, at, is.size(),
               std::to_integer<int>(is[at]), std::to_integer<int>(expected[at]),
               static_cast<int>(epilogue.activation), static_cast<double>(epilogue.low),
               static_cast<double>(epilogue.high), static_cast<int>(of.c.half_accumulation),
               static_cast<int>(of.fast_sigmoid), of.shift);
  std::abort();
}

void compare(const Call& of, const Kernel& kernel, const Bytes& expected, uint32_t seed) {
  const auto expect = [&](const char* how, const std::vector<ir::Box>& regions) {
    const Bytes is = run(of, kernel, regions);
    if (is != expected) report(of, kernel, how, is, expected);
  };
  expect("all at once", {of.c.whole()});
  if (!of.c.divides()) return;
  oracle::Random random(seed);
  expect("in parts", random_partition(random, of.c.whole()));
  if (kernel.divide) expect("divided", kernel.divide(of.call(), 1 + seed % 8));
}

Epilogue epilogue_from(Dice& dice, const OpDef& op) {
  if (op.gates && dice.below(3) == 1)
    return Epilogue::times_input(
        {0.001F * static_cast<float>(1 + dice.below(200)), -static_cast<int>(dice.byte())});
  if (!op.fuses) return {};
  Epilogue epilogue{static_cast<Activation>(dice.below(static_cast<size_t>(Activation::kTimesInput))), 0, 0};
  if (epilogue.activation != Activation::kClamp) return epilogue;
  epilogue.low = 0.1F * static_cast<float>(dice.below(20)) - 1.0F;
  epilogue.high = epilogue.low + 0.1F * static_cast<float>(dice.below(40));
  return epilogue;
}

std::optional<Call> call_from(Dice& dice) {
  const std::optional<oracle::Problem> problem = problem_from(dice);
  if (!problem) return std::nullopt;
  const OpCase plain(*problem, static_cast<Specials>(dice.below(3)));
  if (!plain.op->check(plain.call())) return std::nullopt;
  Call made{plain.stored(), dice.below(4) == 1, dice.below(kMostShift + 1)};
  made.c.epilogue = epilogue_from(dice, *made.c.op);
  if (dice.below(2)) made.c.half_accumulation = soc::HalfAccumulation::kEvenOdd;
  if (!validate_prepared(*made.c.op, made.call())) return std::nullopt;
  return made;
}

// Of this CPU, or what OPENQNN_ISA says.
Isa best_isa() {
  const Result<Isa> best = isa_from_environment();
  return best ? *best : Isa::kPortable;
}

void try_one(Dice dice) {
  const std::optional<Call> made = call_from(dice);
  if (!made) return;
  const OpDef& op = *made->c.op;
  const uint32_t seed = dice.word();
  g_isa = Isa::kPortable;
  const Bytes expected = run(*made, op.kernels.back(), {made->c.whole()});
  static const Isa best = best_isa();
  for (uint8_t level = 0; level <= static_cast<uint8_t>(best); ++level) {
    g_isa = static_cast<Isa>(level);
    for (const Kernel& kernel : std::span(op.kernels).first(op.kernels.size() - 1))
      if (!kernel.declines || !kernel.declines(made->call())) compare(*made, kernel, expected, seed);
  }
}

}  // namespace
}  // namespace openqnn::ops

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::ops::try_one(openqnn::ops::Dice({data, size}));
  return 0;
}
