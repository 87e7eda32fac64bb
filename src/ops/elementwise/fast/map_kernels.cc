// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/fast/map_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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

bool is_fixed8(DataType type) { return type == DataType::kUfixed8 || type == DataType::kSfixed8; }
bool is_fixed16(DataType type) { return type == DataType::kUfixed16 || type == DataType::kSfixed16; }

// What a function is, where it is so simple that no table is needed.
enum class Clip : uint8_t { kNone, kBytes, kFixed16, kHalves };

struct Table : KernelPlan {
  std::vector<std::byte> values;  // of the output, for every input as an unsigned number
  Clip clip = Clip::kNone;
  uint8_t low = 0;  // of kBytes: it is min(max(x, low), high)
  uint8_t high = 0;
  Clip16 fixed16;
  HalfClip halves;

  uint16_t value16(uint16_t input) const { return load<uint16_t>(values.data(), input); }
};

void find_byte_clip(Table& table) {
  const auto value = [&](size_t i) { return static_cast<uint8_t>(table.values[i]); };
  table.low = value(0);
  table.high = value(UINT8_MAX);
  bool clips = table.low <= table.high;
  for (size_t i = 0; i <= UINT8_MAX && clips; ++i)
    clips = value(i) == std::min(std::max(static_cast<uint8_t>(i), table.low), table.high);
  if (clips) table.clip = Clip::kBytes;
}

// The place of a half in the order of numbers; zeros are `zero`.
int16_t key_of(uint16_t half, int16_t zero) {
  if ((half & 0x7fff) == 0) return zero;
  const auto is_signed = static_cast<int16_t>(half);
  return static_cast<int16_t>(is_signed < 0 ? is_signed ^ 0x7fff : is_signed);
}

// Between what becomes of the least and of the largest number, if that makes the whole table.
void find_clip16(Table& table, const std::byte* every, const ir::TensorDesc& out) {
  constexpr uint16_t kInfinity = 0x7c00;
  constexpr uint16_t kMinusInfinity = 0xfc00;
  std::vector<std::byte> clipped(table.values.size());
  const auto* from = reinterpret_cast<const Unaligned16*>(every);
  auto* to = reinterpret_cast<Unaligned16*>(clipped.data());
  const size_t count = clipped.size() / sizeof(uint16_t);
  if (out.type == DataType::kFloat16) {
    table.halves = {.low = table.value16(kMinusInfinity), .high = table.value16(kInfinity)};
    table.halves.low_key = key_of(table.halves.low, -1);
    table.halves.high_key = key_of(table.halves.high, 0);
    host_loops().clip_halves(table.halves, from, to, count);
  } else {
    const uint16_t move = is_signed_fixed(out.type) ? 0x8000 : 0;
    const auto value = [&](uint16_t input) {
      return static_cast<uint16_t>(table.value16(input ^ move) ^ move);
    };
    table.fixed16 = {.move = move, .low = value(0), .high = value(UINT16_MAX)};
    host_loops().clip16(table.fixed16, from, to, count);
  }
  if (clipped != table.values) return;
  table.clip = out.type == DataType::kFloat16 ? Clip::kHalves : Clip::kFixed16;
  table.values = {};
}

template <class In, class Out>
void look_up(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) save(out, i, load<Out>(table.values.data(), load<In>(in, i)));
}

void look_up8(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  host_loops().lookup8(reinterpret_cast<const uint8_t*>(table.values.data()),
                       reinterpret_cast<const uint8_t*>(in), reinterpret_cast<uint8_t*>(out), count);
}

void look_up16(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  host_loops().lookup16(reinterpret_cast<const uint16_t*>(table.values.data()),
                        reinterpret_cast<const Unaligned16*>(in), reinterpret_cast<Unaligned16*>(out), count);
}

void look_up16_to_8(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  host_loops().lookup16_to_8(reinterpret_cast<const uint8_t*>(table.values.data()),
                             reinterpret_cast<const Unaligned16*>(in), reinterpret_cast<uint8_t*>(out),
                             count);
}

void clip(const Table& table, const std::byte* in, std::byte* out, uint64_t count) {
  const auto* from = reinterpret_cast<const Unaligned16*>(in);
  auto* to = reinterpret_cast<Unaligned16*>(out);
  if (table.clip == Clip::kBytes)
    host_loops().clip8(table.low, table.high, reinterpret_cast<const uint8_t*>(in),
                       reinterpret_cast<uint8_t*>(out), count);
  else if (table.clip == Clip::kFixed16)
    host_loops().clip16(table.fixed16, from, to, count);
  else
    host_loops().clip_halves(table.halves, from, to, count);
}

using LookUp = void (*)(const Table&, const std::byte*, std::byte*, uint64_t);
LookUp look_up_for(const Table& table, size_t in_bytes, size_t out_bytes) {
  if (table.clip != Clip::kNone) return clip;
  if (in_bytes == 1)
    return out_bytes == 1   ? look_up8
           : out_bytes == 2 ? look_up<uint8_t, uint16_t>
                            : look_up<uint8_t, uint32_t>;
  return out_bytes == 1 ? look_up16_to_8 : out_bytes == 2 ? look_up16 : look_up<uint16_t, uint32_t>;
}

// The largest |stored + offset|.
double largest(const FixedFormat& format) {
  const double last = static_cast<double>(UINT8_MAX) + format.offset;
  return std::max(std::fabs(static_cast<double>(format.offset)), std::fabs(last));
}

// How far float may be from the true number of steps, where it lies in the output's range; 0.5 when that is
// no use. However the loops order their sums and products, each is rounded less than sixteen times, and none
// is larger than `size`.
float tolerance_of(Arithmetic op, const FixedFormat& a, const FixedFormat& b, const FixedFormat& out) {
  constexpr double kExact = 0x1p22;  // a float holds sums of such numbers
  const bool multiplies = op == Arithmetic::kMultiply;
  const double largest_a = a.scale * largest(a);
  const double largest_b = b.scale * largest(b);
  const double terms = (multiplies ? largest_a * largest_b : largest_a + largest_b) / out.scale;
  const double size = std::max({terms, std::fabs(out.low), std::fabs(out.high)});
  const double factor = (multiplies ? a.scale * b.scale : std::min(a.scale, b.scale)) / out.scale;
  const bool usable = size * 0x1p-20 < 0.01 && factor > 0x1p-100 && factor < 0x1p100 &&
                      std::max(largest(a), largest(b)) < kExact;
  return usable ? static_cast<float>(size * 0x1p-20) : 0.5F;
}

// What an operand that repeats is written out to, so that loops get stretches worth their while.
constexpr size_t kRepeatedBytes = 4096;
struct Repeated {
  alignas(64) std::array<std::byte, kRepeatedBytes> bytes;
  size_t times = 0;

  // As often as it has room; only a long stretch, which needs no repetition, has none.
  Repeated(const std::byte* stretch, size_t size, uint64_t wanted)
      : times(std::min<uint64_t>(kRepeatedBytes / size, wanted)) {
    for (size_t i = 0; i < times; ++i) std::memcpy(bytes.data() + i * size, stretch, size);
  }
};

// Calls loop(a, b, out, count) for all elements of the region: where the operands and the result begin.
template <class Loop>
void for_each_stretch(const KernelArgs& args, const Runs& runs, const Loop& loop) {
  const size_t bytes = ir::byte_size(args.call.out().type);
  runs.for_each([&](const Run& run) {
    std::array<const std::byte*, 2> in = {args.inputs[0] + run.inputs[0] * bytes,
                                          args.inputs[1] + run.inputs[1] * bytes};
    std::byte* out = args.outputs[0] + run.output * bytes;
    if (run.repeats == 1) return loop(in[0], in[1], out, run.count);
    const size_t same = *runs.repeated();
    const Repeated repeated(in[same], run.count * bytes, run.repeats);
    if (repeated.times > 0) in[same] = repeated.bytes.data();
    const uint64_t at_once = std::max<uint64_t>(repeated.times, 1);
    for (uint64_t done = 0; done < run.repeats; done += at_once) {
      const uint64_t count = std::min(at_once, run.repeats - done) * run.count;
      loop(in[0], in[1], out, count);
      in[1 - same] += count * bytes;
      out += count * bytes;
    }
  });
}

void run_halves(const KernelArgs& args, const Runs& runs, Arithmetic op) {
  const auto halves = [](const std::byte* data) { return reinterpret_cast<const Unaligned16*>(data); };
  for_each_stretch(args, runs, [&](const std::byte* a, const std::byte* b, std::byte* out, uint64_t count) {
    host_loops().half(op, {halves(a), runs.stays(0)}, {halves(b), runs.stays(1)},
                      reinterpret_cast<Unaligned16*>(out), count);
  });
}

void run_fixed(const KernelArgs& args, const Runs& runs, Arithmetic op) {
  const OpCall& call = args.call;
  FixedOperand left{.stays = runs.stays(0), .format = fixed_format(call.in(0))};
  FixedOperand right{.stays = runs.stays(1), .format = fixed_format(call.in(1))};
  FixedResult result{.format = fixed_format(call.out())};
  const bool is_bytes = ir::byte_size(call.out().type) == 1;
  if (is_bytes) result.tolerance = tolerance_of(op, left.format, right.format, result.format);
  const auto fixed_loop = is_bytes ? host_loops().fixed8 : host_loops().fixed16;
  for_each_stretch(args, runs, [&](const std::byte* a, const std::byte* b, std::byte* out, uint64_t count) {
    left.values = a;
    right.values = b;
    result.values = out;
    fixed_loop(op, left, right, result, count);
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
  if (ir::byte_size(in.type) == 1 && ir::byte_size(out.type) == 1)
    find_byte_clip(*table);
  else if (in.type == out.type && (in.type == DataType::kFloat16 || is_fixed16(in.type)))
    find_clip16(*table, every.data(), out);
  return table;
}

void run_table(const KernelArgs& args, const ir::Box& region) {
  const auto& table = static_cast<const Table&>(*args.plan);
  const size_t in_bytes = ir::byte_size(args.call.in(0).type);
  const size_t out_bytes = ir::byte_size(args.call.out().type);
  const LookUp look_up = look_up_for(table, in_bytes, out_bytes);
  Runs(args.call, region).for_each([&](const Run& run) {
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
