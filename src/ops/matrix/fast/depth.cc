// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/depth.h"

#include <algorithm>
#include <cmath>

#include "ops/matrix/fast/depth_runs.h"
#include "ops/matrix/fast/finish.h"
#include "ops/matrix/fast/operands.h"
#include "ops/matrix/fast/product.h"
#include "ops/matrix/fast/scratch.h"

namespace openqnn::ops::fast {
namespace {

// Weights with their offset have at most 9 bits: three of 8 make them.
constexpr size_t kMostCopies = 3;

struct DepthPlan : KernelPlan {
  explicit DepthPlan(uint64_t channels)
      : finish(round_up(channels, kDepthBlock)),
        wide(round_up(channels, kDepthBlock)),
        zeros(channels * sizeof(float)) {}

  FinishPlan finish;
  WidePlan wide;
  std::vector<int8_t> weights;  // of bytes: as DepthTile has them
  size_t copies = 1;  // how often each tap of the filter is there: larger weights are sums of 8 bits
  // Of 16-bit integers: as DepthWordTile has them.
  std::vector<int16_t> word_weights;
  std::vector<int16_t> high_weights;
  std::vector<std::byte> zeros;     // padding
  std::vector<float> half_weights;  // [tap][channels, padded]
  std::vector<float> bias;          // of halves, padded
};

uint64_t quads_of(const WeightMatrices& matrices, const DepthPlan& plan) {
  return ceil_div(matrices.taps * plan.copies, 4);
}

// Fixed-point weights with their offsets.
class DepthWeights {
 public:
  DepthWeights(const KernelArgs& args, const WeightMatrices& matrices)
      : desc_(args.call.in(kWeight)), matrices_(matrices), reader_(desc_, args.inputs[kWeight], matrices) {}

  int32_t operator()(uint64_t channel, uint64_t tap) const {
    const int32_t weight = reader_.stored(channel, tap, 0) +
                           desc_.quantization.encodings[reader_.encoding(channel, tap, 0)].offset;
    return ir::byte_size(desc_.type) == 2 ? std::min(weight, kLargestWeight16) : weight;
  }
  int32_t largest() const {
    int32_t largest = 0;
    for (uint64_t channel = 0; channel < matrices_.groups; ++channel)
      for (uint64_t tap = 0; tap < matrices_.taps; ++tap)
        largest = std::max(largest, std::abs((*this)(channel, tap)));
    return largest;
  }
  const WeightReader& reader() const { return reader_; }

 private:
  const ir::TensorDesc& desc_;
  const WeightMatrices& matrices_;
  WeightReader reader_;
};

// Whether the tiles can serve.
bool plan_depth_bytes(const KernelArgs& args, const WeightMatrices& matrices, DepthPlan& plan) {
  const OpCall& call = args.call;
  const uint64_t channels = matrices.groups;
  const DepthWeights weight(args, matrices);
  const int32_t largest = weight.largest();
  plan.copies = std::max<size_t>(1, ceil_div(static_cast<uint64_t>(largest), INT8_MAX));
  if (plan.copies > kMostCopies) return false;
  const uint64_t quads = quads_of(matrices, plan);
  plan.weights.resize(round_up(channels, kDepthBlock) * quads * 4);
  const std::byte* bias = optional_input(args, kBias);
  for (uint64_t channel = 0; channel < channels; ++channel) {
    const uint64_t at = tile_functions(host_isa()).depth_place(channel % kDepthBlock);
    int8_t* block = plan.weights.data() + channel / kDepthBlock * kDepthBlock * quads * 4;
    int64_t sum = 0;
    for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
      int32_t rest = weight(channel, tap);
      sum += rest;
      for (uint64_t copy = 0; copy < plan.copies; ++copy) {
        const uint64_t position = copy * matrices.taps + tap;
        const int32_t part = std::clamp<int32_t>(rest, -INT8_MAX, INT8_MAX);
        block[position / 4 * 4 * kDepthBlock + at * 4 + position % 4] = static_cast<int8_t>(part);
        rest -= part;
      }
    }
    const ColumnTerms terms = column_terms(call, bias, weight.reader(), matrices, channel, 0, channel);
    plan.finish.set(channel / kDepthBlock * kDepthBlock + at, terms.start + activation_offset(call) * sum,
                    terms.unit / static_cast<double>(call.out().quantization.at(0).scale));
  }
  plan.finish.settle(call, int64_t{UINT8_MAX} * largest * static_cast<int64_t>(matrices.taps));
  fill_with_zero(call.in(kInput), plan.zeros.data(), 0, channels);
  return plan.finish.fits();
}

// Whether the tiles can serve: sums of pairs have 32 bits.
bool plan_depth_words(const KernelArgs& args, const WeightMatrices& matrices, DepthPlan& plan) {
  constexpr int32_t kMostInOne = 1 << 10;  // larger weights are cut in two
  constexpr int64_t kMostSum = int64_t{INT32_MAX} >> 15;
  const OpCall& call = args.call;
  const uint64_t pairs = ceil_div(matrices.taps, 2);
  const DepthWeights weight(args, matrices);
  const int32_t largest = weight.largest();
  const bool in_two = largest > kMostInOne;
  plan.word_weights.resize(round_up(matrices.groups, kDepthBlock) * pairs * 2);
  if (in_two) plan.high_weights.resize(plan.word_weights.size());
  const std::byte* bias = optional_input(args, kBias);
  const auto scale = static_cast<double>(call.out().quantization.at(0).scale);
  const int64_t offset = activation_offset(call) + (1 << 15);  // of activations that the tiles take as signed
  const auto place_of = tile_functions(host_isa()).depth_word_place;
  for (uint64_t channel = 0; channel < matrices.groups; ++channel) {
    const uint64_t place = place_of(channel % kTileColumns);
    const uint64_t first = channel / kTileColumns * kTileColumns * pairs * 2 + place * 2;
    int64_t sum = 0;
    int64_t parts[2] = {};  // sizes of the weights that meet in one sum
    for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
      const int32_t whole = weight(channel, tap);
      const int32_t high = in_two ? (whole + 128) >> 8 : 0;
      const int32_t low = whole - high * 256;
      const uint64_t at = first + tap / 2 * 2 * kTileColumns + tap % 2;
      plan.word_weights[at] = static_cast<int16_t>(low);
      if (in_two) plan.high_weights[at] = static_cast<int16_t>(high);
      sum += whole;
      parts[0] += std::abs(low);
      parts[1] += std::abs(high);
    }
    if (std::max(parts[0], parts[1]) > kMostSum) return false;
    const ColumnTerms terms = column_terms(call, bias, weight.reader(), matrices, channel, 0, channel);
    plan.wide.set(channel, terms.start + offset * sum, terms.unit / scale, terms.real_bias / scale);
  }
  plan.wide.settle((int64_t{1} << 15) * largest * static_cast<int64_t>(matrices.taps));
  fill_with_zero(call.in(kInput), plan.zeros.data(), 0, matrices.groups);
  return true;
}

uint64_t channels_in_blocks(const WeightMatrices& matrices) { return round_up(matrices.groups, kDepthBlock); }

// Lines that a filter sees at a time.
size_t filter_lines(const ConvAxes& axes) { return size_t{axes[0].window.filter} * axes[1].window.filter; }

struct DepthRoom {
  DepthRoom(const OpCall& call, ConvKind kind, const WeightMatrices& matrices, Scratch& scratch)
      : lines(scratch.take<int64_t>(matrices.taps)),
        taps(scratch.take<const void*>(kMostCopies * matrices.taps + 3)),
        further(scratch.take<size_t>(kMostCopies * matrices.taps + 3)) {
    if (!is_half(call)) return;
    const ConvAxes axes = spatial_axes(call, kind);
    sums = scratch.take<float>(channels_in_blocks(matrices));
    widened = scratch.take<int64_t>(filter_lines(axes));
    floats = scratch.take<float>(filter_lines(axes) * axes[2].window.input * matrices.groups);
  }

  int64_t* lines;
  const void** taps;
  size_t* further;
  // Of halves:
  float* sums = nullptr;       // before functions
  int64_t* widened = nullptr;  // which line of the input is where in
  float* floats = nullptr;
};

// Lines of the input as floats. Each is widened once, although several lines of the filter see it.
class FloatLines {
 public:
  FloatLines(const Unaligned16* input, const DepthRuns& runs, const DepthRoom& room,
             const TileFunctions& functions)
      : input_(input),
        room_(room),
        count_(runs.lines().size()),
        elements_(runs.line_elements()),
        functions_(functions) {
    std::fill_n(room.widened, count_, kPadding);
  }

  // All that a filter sees now.
  void widen(std::span<const int64_t> lines) {
    for (const int64_t line : lines) {
      if (line == kPadding || std::find(begin(), end(), line) != end()) continue;
      int64_t* place = std::find_if(begin(), end(), [&](int64_t other) {
        return std::find(lines.begin(), lines.end(), other) == lines.end() || other == kPadding;
      });
      *place = line;
      functions_.widen(input_ + line, floats(place), elements_);
    }
  }
  const float* at(int64_t line) const { return floats(std::find(begin(), end(), line)); }

 private:
  int64_t* begin() const { return room_.widened; }
  int64_t* end() const { return room_.widened + count_; }
  float* floats(const int64_t* place) const {
    return room_.floats + static_cast<uint64_t>(place - room_.widened) * elements_;
  }

  const Unaligned16* input_;
  const DepthRoom& room_;
  size_t count_;
  uint64_t elements_;
  const TileFunctions& functions_;
};

void run_depth_bytes(const KernelArgs& args, const WeightMatrices& matrices, const DepthPlan& plan,
                     uint64_t begin, uint64_t end, const DepthRoom& room, DepthRuns& runs) {
  const auto* input = reinterpret_cast<const uint8_t*>(args.inputs[kInput]);
  const auto* zeros = reinterpret_cast<const uint8_t*>(plan.zeros.data());
  auto* output = reinterpret_cast<uint8_t*>(args.outputs[0]);
  const ByteFinish finish = plan.finish.of(0);
  auto** taps = reinterpret_cast<const uint8_t**>(room.taps);
  DepthTile tile{.taps = taps,
                 .further = room.further,
                 .quads = quads_of(matrices, plan),
                 .weights = plan.weights.data(),
                 .turn = static_cast<uint8_t>(is_signed(args.call) ? 0x80 : 0),
                 .begin = begin,
                 .end = end,
                 .channels = matrices.groups};
  const TileFunctions& functions = tile_functions(host_isa());
  std::fill_n(taps, 4 * tile.quads, zeros);
  std::fill_n(room.further, 4 * tile.quads, 0);
  while (runs.next()) {
    tile.positions = runs.count();
    runs.for_each_tap([&](size_t tap, size_t line, int64_t at) {
      taps[tap] = at == kPadding ? zeros : input + runs.lines()[line] + at;
      room.further[tap] = at == kPadding ? 0 : runs.further();
    });
    for (size_t copy = 1; copy < plan.copies; ++copy) {
      std::copy_n(taps, matrices.taps, taps + copy * matrices.taps);
      std::copy_n(room.further, matrices.taps, room.further + copy * matrices.taps);
    }
    functions.depth_bytes(tile, finish, output + runs.output());
  }
}

void run_depth_words(const KernelArgs& args, const WeightMatrices& matrices, const DepthPlan& plan,
                     uint64_t begin, uint64_t end, const DepthRoom& room, DepthRuns& runs) {
  const auto* input = reinterpret_cast<const Unaligned16*>(args.inputs[kInput]);
  const auto* zeros = reinterpret_cast<const Unaligned16*>(plan.zeros.data());
  auto* output = reinterpret_cast<Unaligned16*>(args.outputs[0]);
  const WideFinish finish = plan.wide.of(args.call, 0);
  auto** taps = reinterpret_cast<const Unaligned16**>(room.taps);
  DepthWordTile tile{.taps = taps,
                     .further = room.further,
                     .pairs = ceil_div(matrices.taps, 2),
                     .weights = plan.word_weights.data(),
                     .high_weights = plan.high_weights.empty() ? nullptr : plan.high_weights.data(),
                     .turn = static_cast<uint16_t>(is_signed(args.call) ? 0 : 0x8000),
                     .begin = begin,
                     .end = end,
                     .channels = matrices.groups};
  const TileFunctions& functions = tile_functions(host_isa());
  std::fill_n(taps, 2 * tile.pairs, zeros);
  std::fill_n(room.further, 2 * tile.pairs, 0);
  while (runs.next()) {
    tile.positions = runs.count();
    runs.for_each_tap([&](size_t tap, size_t line, int64_t at) {
      taps[tap] = at == kPadding ? zeros : input + runs.lines()[line] + at;
      room.further[tap] = at == kPadding ? 0 : runs.further();
    });
    functions.depth_words(tile, finish, output + runs.output());
  }
}

void run_depth_halves(const KernelArgs& args, const WeightMatrices& matrices, const DepthPlan& plan,
                      uint64_t begin, uint64_t end, const DepthRoom& room, DepthRuns& runs) {
  const auto* input = reinterpret_cast<const Unaligned16*>(args.inputs[kInput]);
  auto* output = reinterpret_cast<Unaligned16*>(args.outputs[0]);
  const auto* zeros = reinterpret_cast<const float*>(plan.zeros.data());
  auto** taps = reinterpret_cast<const float**>(room.taps);
  const TileFunctions& functions = tile_functions(host_isa());
  FloatLines floats(input, runs, room, functions);
  const HalfEnd finish(args.call, functions);
  const float* bias = plan.bias.empty() ? nullptr : plan.bias.data();
  DepthHalfTile tile{.taps = taps,
                     .further = room.further,
                     .tap_count = matrices.taps,
                     .weights = plan.half_weights.data(),
                     .weight_stride = channels_in_blocks(matrices),
                     .apart = adds_even_and_odd_apart(args.call),
                     .begin = begin,
                     .end = end,
                     .channels = matrices.groups};
  while (runs.next()) {
    if (runs.begins_line()) floats.widen(runs.lines());
    runs.for_each_tap([&](size_t tap, size_t line, int64_t at) {
      taps[tap] = at == kPadding ? zeros : floats.at(runs.lines()[line]) + at;
      room.further[tap] = at == kPadding ? 0 : runs.further();
    });
    Unaligned16* to = output + runs.output();
    if (finish.is_range()) {
      tile.positions = runs.count();
      functions.depth_halves(tile, finish.range(bias), to);
      continue;
    }
    tile.positions = 1;
    for (size_t position = 0; position < runs.count(); ++position, to += tile.channels) {
      functions.depth_half_sums(tile, room.sums);
      finish(room.sums + begin, bias ? bias + begin : nullptr, end - begin,
             reinterpret_cast<std::byte*>(to + begin));
      for (size_t tap = 0; tap < tile.tap_count; ++tap) taps[tap] += room.further[tap];
    }
  }
}

// Whether padding may be added as products with 0.
bool plan_depth_halves(const KernelArgs& args, const WeightMatrices& matrices, DepthPlan& plan) {
  const uint64_t channels = matrices.groups;
  const uint64_t stride = channels_in_blocks(matrices);
  plan.half_weights.resize(matrices.taps * stride);
  for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
    float* to = plan.half_weights.data() + tap * stride;
    halves_to_floats(args.inputs[kWeight] + tap * matrices.tap_stride * sizeof(Half),
                     reinterpret_cast<std::byte*>(to), channels);
    if (!std::all_of(to, to + channels, [](float weight) { return std::isfinite(weight); })) return false;
  }
  if (!args.call.has_input(kBias)) return true;
  plan.bias.resize(stride);
  halves_to_floats(args.inputs[kBias], reinterpret_cast<std::byte*>(plan.bias.data()), channels);
  return true;
}

}  // namespace

std::optional<std::string> declines_depth(const OpCall& call, const WeightMatrices& matrices) {
  if (matrices.columns != 1) return "there are several outputs for each channel";
  if (matrices.taps > UINT16_MAX) return "the filter is very large";
  const ir::TensorDesc& weight = call.in(kWeight);
  if (is_half(call)) {
    if (weight.type != ir::DataType::kFloat16) return "the weights are fixed-point";
    return std::nullopt;
  }
  if (ir::byte_size(call.in(kInput).type) != ir::byte_size(call.out().type))
    return "the results have other types than the activations";
  if (!ir::is_quantized(weight.type)) return "the numbers are single precision";
  if (!is_wide(call) && ir::byte_size(weight.type) != 1) return "the weights have 16 bits, the activations 8";
  if (scales_differ_in_a_column(weight, matrices))
    return "the weights have more than one encoding for a channel";
  if (!has_zero(call)) return "no stored activation stands for 0";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_depth(const KernelArgs& args, const WeightMatrices& matrices) {
  if (!args.inputs[kWeight] || (args.call.has_input(kBias) && !args.inputs[kBias])) return nullptr;
  auto plan = std::make_unique<DepthPlan>(matrices.groups);
  const auto fill_in = is_half(args.call)   ? plan_depth_halves
                       : is_wide(args.call) ? plan_depth_words
                                            : plan_depth_bytes;
  if (!fill_in(args, matrices, *plan)) return nullptr;
  return plan;
}

uint64_t depth_scratch(const OpCall& call, ConvKind kind) {
  Scratch size;
  const DepthRoom counted(call, kind, matrices_of(call, kind), size);
  return size.used();
}

void run_depth(const KernelArgs& args, ConvKind kind, const ir::Box& region) {
  const WeightMatrices matrices = matrices_of(args.call, kind);
  const auto& plan = static_cast<const DepthPlan&>(*args.plan);
  Scratch scratch(args.scratch.data());
  const DepthRoom room(args.call, kind, matrices, scratch);
  DepthRuns runs(args.call, kind, region, room.lines);
  const size_t last = region.rank() - 1;
  const auto run = is_half(args.call)   ? run_depth_halves
                   : is_wide(args.call) ? run_depth_words
                                        : run_depth_bytes;
  run(args, matrices, plan, region.begin[last], region.end[last], room, runs);
}

}  // namespace openqnn::ops::fast
