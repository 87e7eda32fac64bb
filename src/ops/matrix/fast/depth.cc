// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/depth.h"

#include <algorithm>
#include <cstring>

#include "base/aligned_bytes.h"
#include "ops/elements.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/finish_half.h"
#include "ops/matrix/fast/finish_plan.h"

namespace openqnn::ops::fast {
namespace {

constexpr uint64_t kLine = AlignedBytes::kAlignment;

bool is_half(const OpCall& call) { return call.in(kInput).type == ir::DataType::kFloat16; }
bool is_signed(const OpCall& call) { return is_signed_fixed(call.in(kInput).type); }
int64_t activation_offset(const OpCall& call) {
  return call.in(kInput).quantization.at(0).offset - (is_signed(call) ? 128 : 0);
}

struct DepthPlan : KernelPlan {
  explicit DepthPlan(uint64_t channels) : finish(round_up(channels, kDepthBlock)), zeros(channels) {}

  FinishPlan finish;
  std::vector<int8_t> weights;   // of bytes: as DepthTile has them
  size_t taps = 0;               // how often each tap of the filter is there: weights of 9 bits are two of 8
  std::vector<std::byte> zeros;  // padding
  std::vector<float> bias;       // of halves
};

uint64_t quads_of(const WeightMatrices& matrices, const DepthPlan& plan) {
  return ceil_div(matrices.taps * plan.taps, 4);
}

void plan_bytes(const KernelArgs& args, const WeightMatrices& matrices, DepthPlan& plan) {
  const OpCall& call = args.call;
  const uint64_t channels = matrices.groups;
  const WeightReader reader(call.in(kWeight), args.inputs[kWeight], matrices);
  const auto weight = [&](uint64_t channel, uint64_t tap) {
    return reader.stored(channel, tap, 0) +
           call.in(kWeight).quantization.encodings[reader.encoding(channel, tap, 0)].offset;
  };
  int32_t largest = 0;
  for (uint64_t channel = 0; channel < channels; ++channel)
    for (uint64_t tap = 0; tap < matrices.taps; ++tap)
      largest = std::max(largest, std::abs(weight(channel, tap)));
  plan.taps = static_cast<size_t>(ceil_div(static_cast<uint64_t>(largest), INT8_MAX));
  plan.taps = std::max<size_t>(plan.taps, 1);
  const uint64_t quads = quads_of(matrices, plan);
  plan.weights.resize(round_up(channels, kDepthBlock) * quads * 4);
  const std::byte* bias = call.has_input(kBias) ? args.inputs[kBias] : nullptr;
  for (uint64_t channel = 0; channel < channels; ++channel) {
    const uint64_t at = tile_functions(host_isa()).depth_place(channel % kDepthBlock);
    int8_t* block = plan.weights.data() + channel / kDepthBlock * kDepthBlock * quads * 4;
    int64_t sum = 0;
    for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
      int32_t rest = weight(channel, tap);
      sum += rest;
      for (uint64_t copy = 0; copy < plan.taps; ++copy) {
        const uint64_t position = copy * matrices.taps + tap;
        const int32_t part = std::clamp<int32_t>(rest, -INT8_MAX, INT8_MAX);
        block[position / 4 * 4 * kDepthBlock + at * 4 + position % 4] = static_cast<int8_t>(part);
        rest -= part;
      }
    }
    const ColumnTerms terms = column_terms(call, bias, reader, matrices, channel, 0, channel);
    plan.finish.set(channel / kDepthBlock * kDepthBlock + at, terms.start + activation_offset(call) * sum,
                    terms.unit / static_cast<double>(call.out().quantization.at(0).scale));
  }
  plan.finish.settle(call, int64_t{UINT8_MAX} * largest * static_cast<int64_t>(matrices.taps));
  fill_with_zero(call.in(kInput), plan.zeros.data(), 0, channels);
}

// Memory of a region: one thing after another, each at the start of a cache line.
struct DepthScratch {
  int64_t* taps;
  const uint8_t** pointers;
  uint8_t* moved;  // signed activations of all taps, as unsigned ones
  std::byte* row;  // results
};
uint64_t taps_bytes(const WeightMatrices& matrices) {
  return round_up(matrices.taps * kTileRows * sizeof(int64_t), kLine);
}
uint64_t pointers_bytes(const WeightMatrices& matrices) {
  // Weights of 9 bits at most are three of 8; pointers of weights and parities of halves fit in that, too.
  return round_up((4 * matrices.taps + 4) * sizeof(void*), kLine);
}
uint64_t row_bytes(const WeightMatrices& matrices) {
  return round_up(matrices.groups, kDepthBlock) * sizeof(float);
}

void run_bytes(const KernelArgs& args, const WeightMatrices& matrices, const DepthPlan& plan, uint64_t begin,
               uint64_t end, Rows& rows, const DepthScratch& scratch, RowSource next) {
  const uint64_t channels = matrices.groups;
  const auto* input = reinterpret_cast<const uint8_t*>(args.inputs[kInput]);
  const auto* zeros = reinterpret_cast<const uint8_t*>(plan.zeros.data());
  const uint64_t quads = quads_of(matrices, plan);
  const int32_t row_start = 0;
  const ByteFinish finish = plan.finish.of(0, &row_start, 0);
  const DepthTile tile{scratch.pointers, quads, plan.weights.data(), channels};
  const bool whole = begin == 0 && end == channels;
  const TileFunctions& functions = tile_functions(host_isa());
  std::fill_n(scratch.pointers, 4 * quads, zeros);
  while (next(rows, kTileRows), rows.count > 0) {
    for (size_t row = 0; row < rows.count; ++row) {
      for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
        const int64_t at = rows.taps[tap * kTileRows + row];
        const uint8_t* from = at == kPadding ? zeros : input + at;
        if (is_signed(args.call)) {
          uint8_t* to = scratch.moved + tap * channels;
          for (uint64_t i = 0; i < channels; ++i) to[i] = from[i] ^ 0x80;
          from = to;
        }
        for (size_t copy = 0; copy < plan.taps; ++copy) scratch.pointers[copy * matrices.taps + tap] = from;
      }
      auto* output = reinterpret_cast<uint8_t*>(args.outputs[0]) + rows.outputs[row];
      functions.depth_bytes(tile, finish, whole ? output : reinterpret_cast<uint8_t*>(scratch.row));
      if (!whole) std::memcpy(output + begin, scratch.row + begin, end - begin);
    }
  }
}

void run_halves(const KernelArgs& args, const WeightMatrices& matrices, const DepthPlan& plan, uint64_t begin,
                uint64_t end, Rows& rows, const DepthScratch& scratch, RowSource next) {
  const bool apart = args.call.half_accumulation == soc::HalfAccumulation::kEvenOdd;
  const auto* input = reinterpret_cast<const Unaligned16*>(args.inputs[kInput]);
  const auto* weights = reinterpret_cast<const Unaligned16*>(args.inputs[kWeight]);
  auto** taps = reinterpret_cast<const Unaligned16**>(scratch.pointers);
  auto** columns = taps + matrices.taps;
  auto* odd = reinterpret_cast<uint8_t*>(columns + matrices.taps);
  auto* sums = reinterpret_cast<float*>(scratch.row);
  const TileFunctions& functions = tile_functions(host_isa());
  const HalfEnd finish(args.call, functions);
  while (next(rows, kTileRows), rows.count > 0) {
    for (size_t row = 0; row < rows.count; ++row) {
      DepthHalfTile tile{taps, columns, odd, 0, end - begin};
      for (uint64_t tap = 0; tap < matrices.taps; ++tap) {
        const int64_t at = rows.taps[tap * kTileRows + row];
        if (at == kPadding) continue;
        taps[tile.count] = input + at + begin;
        columns[tile.count] = weights + tap * matrices.tap_stride + begin;
        odd[tile.count++] = apart ? tap & 1 : 0;
      }
      functions.depth_halves(tile, sums);
      finish(sums, plan.bias.empty() ? nullptr : plan.bias.data() + begin, end - begin,
             args.outputs[0] + (rows.outputs[row] + begin) * sizeof(Half));
    }
  }
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
  if (ir::byte_size(call.in(kInput).type) != 1 || ir::byte_size(call.out().type) != 1)
    return "the activations are not bytes";
  if (ir::byte_size(weight.type) != 1 || scales_differ_in_a_column(weight, matrices))
    return "the weights are not bytes with one encoding for each channel";
  const int64_t zero = -activation_offset(call);
  if (zero < 0 || zero > UINT8_MAX) return "no stored activation stands for 0";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_depth(const KernelArgs& args, const WeightMatrices& matrices) {
  if (args.call.has_input(kBias) && !args.inputs[kBias]) return nullptr;
  auto plan = std::make_unique<DepthPlan>(matrices.groups);
  if (!is_half(args.call)) {
    if (!args.inputs[kWeight]) return nullptr;
    plan_bytes(args, matrices, *plan);
    if (plan->taps > 3 || !plan->finish.fits()) return nullptr;
    return plan;
  }
  if (!args.call.has_input(kBias)) return plan;
  plan->bias.resize(matrices.groups);
  halves_to_floats(args.inputs[kBias], reinterpret_cast<std::byte*>(plan->bias.data()), matrices.groups);
  return plan;
}

uint64_t depth_scratch(const OpCall& call, const WeightMatrices& matrices) {
  const uint64_t moved = is_signed(call) ? round_up(matrices.taps * matrices.groups, kLine) : 0;
  return taps_bytes(matrices) + pointers_bytes(matrices) + row_bytes(matrices) + moved;
}

void run_depth(const KernelArgs& args, const WeightMatrices& matrices, uint64_t begin, uint64_t end,
               RowSource next) {
  const auto& plan = static_cast<const DepthPlan&>(*args.plan);
  std::byte* at = args.scratch.data();
  DepthScratch scratch{};
  scratch.taps = reinterpret_cast<int64_t*>(at);
  at += taps_bytes(matrices);
  scratch.pointers = reinterpret_cast<const uint8_t**>(at);
  at += pointers_bytes(matrices);
  scratch.row = at;
  at += row_bytes(matrices);
  scratch.moved = reinterpret_cast<uint8_t*>(at);
  Rows rows;
  rows.taps = {scratch.taps, matrices.taps * kTileRows};
  if (is_half(args.call))
    run_halves(args, matrices, plan, begin, end, rows, scratch, next);
  else
    run_bytes(args, matrices, plan, begin, end, rows, scratch, next);
}

}  // namespace openqnn::ops::fast
