// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/fast/map_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/elementwise/fast/runs.h"

namespace openqnn::ops::fast {
namespace {

using ir::DataType;

// Making a table of 16 bits costs this many calls of the function.
constexpr uint64_t kLeastElementsOf16 = 1 << 15;

uint64_t values_of(const ir::TensorDesc& desc) { return uint64_t{1} << (8 * ir::byte_size(desc.type)); }

struct Table : KernelPlan {
  std::vector<std::byte> values;  // of the output, for every input as an unsigned number
  bool clips = false;             // it is min(max(x, low), high) of bytes
  uint8_t low = 0;
  uint8_t high = 0;
};

void find_clip(Table& table) {
  const auto value = [&](size_t i) { return static_cast<uint8_t>(table.values[i]); };
  table.low = value(0);
  table.high = value(UINT8_MAX);
  table.clips = table.low <= table.high;
  for (size_t i = 0; i <= UINT8_MAX && table.clips; ++i)
    table.clips = value(i) == std::min(std::max(static_cast<uint8_t>(i), table.low), table.high);
}

template <class In, class Out>
void look_up(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) save(out, i, load<Out>(table.values.data(), load<In>(in, i)));
}

using LookUp = void (*)(const Table&, const std::byte*, std::byte*, uint64_t);
template <class In>
LookUp look_up_to(size_t output_bytes) {
  if (output_bytes == 1) return look_up<In, uint8_t>;
  return output_bytes == 2 ? look_up<In, uint16_t> : look_up<In, uint32_t>;
}

bool is_fixed8(DataType type) { return type == DataType::kUfixed8 || type == DataType::kSfixed8; }
bool is_fixed16(DataType type) { return type == DataType::kUfixed16 || type == DataType::kSfixed16; }

// The largest |stored + offset|.
double largest(const FixedFormat& format) {
  const double last = static_cast<double>(UINT8_MAX) + format.offset;
  return std::max(std::fabs(static_cast<double>(format.offset)), std::fabs(last));
}

// How far float may be from the true number of steps, where it lies in the output's range; 0.5 when that is
// no use.
float tolerance_of(Arithmetic op, const FixedFormat& a, const FixedFormat& b, const FixedFormat& out) {
  const double range = std::max(std::fabs(out.low), std::fabs(out.high));
  const double terms = (a.scale * largest(a) + b.scale * largest(b)) / out.scale;
  const double size = op == Arithmetic::kMultiply ? range : std::max(terms, range);
  const double factor =
      op == Arithmetic::kMultiply ? a.scale * b.scale / out.scale : std::min(a.scale, b.scale) / out.scale;
  const bool usable = size * 0x1p-20 < 0.01 && factor > 0x1p-100 && factor < 0x1p100;
  return usable ? static_cast<float>(size * 0x1p-20) : 0.5F;
}

void run_halves(const KernelArgs& args, const Runs& runs, Arithmetic op) {
  const auto operand = [&](const Run& run, size_t i) {
    return HalfOperand{reinterpret_cast<const Unaligned16*>(args.inputs[i]) + run.inputs[i], runs.stays(i)};
  };
  runs.for_each([&](const Run& run) {
    host_loops().half(op, operand(run, 0), operand(run, 1),
                      reinterpret_cast<Unaligned16*>(args.outputs[0]) + run.output, run.count);
  });
}

void run_fixed(const KernelArgs& args, const Runs& runs, Arithmetic op) {
  const OpCall& call = args.call;
  std::array<FixedOperand, 2> operands;
  for (size_t i = 0; i < operands.size(); ++i) operands[i].format = fixed_format(call.in(i));
  FixedResult result{.format = fixed_format(call.out())};
  const size_t bytes = ir::byte_size(call.out().type);
  if (bytes == 1) result.tolerance = tolerance_of(op, operands[0].format, operands[1].format, result.format);
  const auto loop = bytes == 1 ? host_loops().fixed8 : host_loops().fixed16;
  runs.for_each([&](const Run& run) {
    for (size_t i = 0; i < operands.size(); ++i) {
      operands[i].values = args.inputs[i] + run.inputs[i] * bytes;
      operands[i].stays = runs.stays(i);
    }
    result.values = args.outputs[0] + run.output * bytes;
    loop(op, operands[0], operands[1], result, run.count);
  });
}

}  // namespace

std::optional<std::string> declines_table(const OpCall& call) {
  const ir::TensorDesc& in = call.in(0);
  if (ir::byte_size(in.type) > 2) return "the input has more than 16 bits";
  if (ir::byte_size(call.out().type) > 4) return "the output has more than 32 bits";
  if (ir::byte_size(in.type) == 2 && call.out().shape.elements() < kLeastElementsOf16)
    return "a table of 16 bits would cost more than it saves";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_table(const KernelArgs& args, KernelFn reference) {
  const OpCall& call = args.call;
  const uint64_t count = values_of(call.in(0));
  const auto flat = [&](ir::TensorDesc desc) {
    desc.shape = {static_cast<uint32_t>(count)};
    return desc;
  };
  const ir::TensorDesc in = flat(call.in(0));
  const ir::TensorDesc out = flat(call.out());
  std::vector<std::byte> every(count * ir::byte_size(in.type));
  for (uint64_t i = 0; i < count; ++i)
    if (ir::byte_size(in.type) == 1)
      save(every.data(), i, static_cast<uint8_t>(i));
    else
      save(every.data(), i, static_cast<uint16_t>(i));
  auto table = std::make_unique<Table>();
  table->values.resize(count * ir::byte_size(out.type));
  OpCall all = call;
  all.inputs = {&in};
  all.outputs = {&out};
  const std::byte* from = every.data();
  std::byte* to = table->values.data();
  reference({.call = all, .inputs = {&from, 1}, .outputs = {&to, 1}}, ir::Box::whole(out.shape));
  if (ir::byte_size(in.type) == 1 && ir::byte_size(out.type) == 1) find_clip(*table);
  return table;
}

void run_table(const KernelArgs& args, const ir::Box& region) {
  const auto& table = static_cast<const Table&>(*args.plan);
  const size_t in_bytes = ir::byte_size(args.call.in(0).type);
  const size_t out_bytes = ir::byte_size(args.call.out().type);
  const LookUp look_up = in_bytes == 1 ? look_up_to<uint8_t>(out_bytes) : look_up_to<uint16_t>(out_bytes);
  const auto* bytes = reinterpret_cast<const uint8_t*>(args.inputs[0]);
  Runs(args.call, region).for_each([&](const Run& run) {
    auto* out = reinterpret_cast<uint8_t*>(args.outputs[0]) + run.output;
    if (table.clips)
      host_loops().clip8(table.low, table.high, bytes + run.inputs[0], out, run.count);
    else if (in_bytes == 1 && out_bytes == 1)
      host_loops().lookup8(reinterpret_cast<const uint8_t*>(table.values.data()), bytes + run.inputs[0], out,
                           run.count);
    else
      look_up(table, args.inputs[0] + run.inputs[0] * in_bytes, args.outputs[0] + run.output * out_bytes,
              run.count);
  });
}

std::optional<std::string> declines_arithmetic(const OpCall& call) {
  const DataType type = call.out().type;
  if (call.in(0).type != type || call.in(1).type != type) return "the types differ";
  if (type == DataType::kFloat16) return std::nullopt;
  if (!is_fixed8(type) && !is_fixed16(type)) return "there are no loops for this type";
  for (const ir::TensorDesc* desc : {&call.in(0), &call.in(1), &call.out()})
    if (desc->quantization.bits != 0 && desc->quantization.bits != 8 * ir::byte_size(type))
      return "an encoding uses some bits of its type";
  return std::nullopt;
}

void run_arithmetic(const KernelArgs& args, const ir::Box& region, Arithmetic op) {
  const Runs runs(args.call, region);
  if (args.call.out().type == DataType::kFloat16)
    run_halves(args, runs, op);
  else
    run_fixed(args, runs, op);
}

}  // namespace openqnn::ops::fast
