// SPDX-License-Identifier: BSD-3-Clause
// The sum over k of (a + ao) (w + wo) is
//     sum a w  +  ao (sum w + K wo)  +  wo sum a:
// the tiles add up a w; the second term is a constant of the column, and the third one of the row.
// Activations count as unsigned bytes: signed ones are moved by 128, and 16-bit ones are two rows, of their
// low and of their high bytes. Padding is the byte that stands for 0, so that it adds nothing to any of it.
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "ops/matrix/dot.h"
#include "ops/matrix/fast/byte_panel.h"
#include "ops/matrix/fast/byte_weights.h"
#include "ops/matrix/fast/finish.h"
#include "ops/matrix/fast/typed_products.h"

namespace openqnn::ops::fast {
namespace {

using ir::DataType;
using ir::Layout;

// What is worked out once: the constants of the columns.
struct BytePlan : KernelPlan {
  explicit BytePlan(uint64_t columns) : finish(columns), biases(columns) {}

  // Beside every padded column of every matrix.
  FinishPlan finish;
  std::vector<double> biases;    // in steps of the results: those that are no part of the sums
  std::vector<std::byte> zeros;  // a row of padding
  // The same for WideFinish, where that serves: 16-bit activations and results, weights that are constants.
  std::optional<WidePlan> wide;

  // `largest_sum`: how far a sum may be from 0 without its start.
  void settle_wide(int64_t largest_sum) {
    wide.emplace(biases.size());
    for (uint64_t i = 0; i < biases.size(); ++i) wide->set(i, finish.start(i), finish.factor(i), biases[i]);
    wide->settle(largest_sum);
  }
};

// All that a region needs beside its operands.
struct ByteRoom {
  ByteRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch)
      : sums(scratch.take<int32_t>(kTileRows * kTileColumns)),
        weights(call, matrices, scratch),
        panel(call, matrices, scratch) {}

  int32_t* sums;
  WeightRoom weights;
  PanelRoom panel;
};

// Results that ByteFinish does not give: of 16 bits, or with sums that need more than 32.
void finish_exactly(const OpCall& call, const BytePlan& plan, const Panel& panel, const int32_t* sums,
                    const int64_t* run_time_starts, uint64_t first_term, const Columns& columns,
                    std::byte* output) {
  const DataType type = call.out().type;
  const IntegerRange range = ir::integer_range(type);
  const ir::ScaleOffset& encoding = call.out().quantization.at(0);
  const size_t count = panel.rows().count;
  const bool wide = is_wide(call);
  for (size_t row = 0; row < count; ++row)
    for (uint64_t column = 0; column < kTileColumns; ++column) {
      if ((written_columns(columns, 0) >> column & 1) == 0) continue;
      int64_t sum = sums[row * kTileColumns + column];
      if (wide) sum += int64_t{256} * sums[(count + row) * kTileColumns + column];
      const uint64_t term = first_term + columns.first + column;
      sum += run_time_starts ? run_time_starts[columns.first + column] : plan.finish.start(term);
      if (panel.long_row_starts()) sum += panel.long_row_starts()[row];
      const double steps = static_cast<double>(sum) * plan.finish.factor(term) + plan.biases[term];
      save_integer(type, output, panel.rows().outputs[row] + columns.first + column,
                   quantize_steps(steps, encoding.offset, range));
    }
}

// Where the results of each row begin.
struct RowOutputs {
  RowOutputs(std::byte* output, const Rows& rows) {
    for (size_t row = 0; row < rows.count; ++row) {
      bytes[row] = reinterpret_cast<uint8_t*>(output) + rows.outputs[row];
      wides[row] = reinterpret_cast<Unaligned16*>(output) + rows.outputs[row];
    }
  }

  uint8_t* bytes[kTileRows] = {};
  Unaligned16* wides[kTileRows] = {};
};

}  // namespace

std::optional<std::string> declines_bytes(const OpCall& call, const WeightMatrices& matrices) {
  const ir::TensorDesc& weight = call.in(kWeight);
  if (at_run_time(call) && ir::byte_size(weight.type) != 1)
    return "the weights are not bytes, and come at run time";
  if (at_run_time(call) && call.has_input(kBias)) return "there is a bias beside weights of run time";
  if (weight.layout == Layout::kHmx16) return "the weights have 16 bits";
  if (weight.layout != Layout::kHmx4 && weight.quantization.bits != 0 && weight.quantization.bits != 8)
    return "the weights use some bits of a byte";
  if (scales_differ_in_a_column(weight, matrices)) return "the weights have an encoding per block";
  if (matrices.k() * UINT8_MAX * 128 > std::numeric_limits<int32_t>::max())
    return "the sums are too long for 32 bits";
  if (!has_zero(call)) return "no stored activation stands for 0";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args, const WeightMatrices& matrices) {
  const OpCall& call = args.call;
  const uint64_t padded = matrices.packed().padded_n();
  // Matrices that come at run time differ in nothing that is known before.
  const uint64_t groups = at_run_time(call) ? 1 : matrices.groups;
  auto plan = std::make_unique<BytePlan>(groups * padded);
  const WeightReader weights(call.in(kWeight), args.inputs[kWeight], matrices);
  const auto k = static_cast<int64_t>(matrices.k());
  const int64_t offset = activation_offset(call);
  const auto scale = static_cast<double>(call.out().quantization.at(0).scale);
  const std::byte* bias = optional_input(args, kBias);
  for (uint64_t group = 0; group < groups; ++group) {
    const std::vector<int64_t> sums =
        at_run_time(call) ? std::vector<int64_t>(padded) : column_sums(args, matrices, group);
    for (uint64_t column = 0; column < matrices.columns; ++column) {
      const uint64_t channel = bias ? bias_channel(call, matrices, group, column) : 0;
      const ColumnTerms terms = column_terms(call, bias, weights, matrices, group, column, channel);
      const uint64_t at = group * padded + column;
      plan->biases[at] = terms.real_bias / scale;
      plan->finish.set(at, terms.start + offset * (sums[column] + k * weight_offset(call)),
                       terms.unit / scale);
    }
  }
  // 16-bit activations are two sums; they are finished one by one.
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const int64_t largest_weight = 128 + std::abs(weight_offset(call));
  const int64_t largest_start = at_run_time(call) ? k * std::abs(offset) * largest_weight : 0;
  plan->finish.settle(call, is_wide(call) ? kNever : k * UINT8_MAX * largest_weight + largest_start);
  if (is_wide(call) && ir::byte_size(call.out().type) == 2 && !at_run_time(call))
    plan->settle_wide(k * UINT16_MAX * largest_weight);
  plan->zeros.resize(matrices.channels * ir::byte_size(call.in(kInput).type));
  fill_with_zero(call.in(kInput), plan->zeros.data(), 0, matrices.channels);
  return plan;
}

uint64_t byte_scratch(const OpCall& call, const WeightMatrices& matrices) {
  Scratch size;
  const ByteRoom counted(call, matrices, size);
  return size.used();
}

void run_bytes(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next) {
  const OpCall& call = args.call;
  const auto& plan = static_cast<const BytePlan&>(*args.plan);
  const TileFunctions& functions = tile_functions(host_isa());
  Scratch scratch(args.scratch.data());
  const ByteRoom room(call, matrices, scratch);
  const ByteWeights weights(call, args.inputs[kWeight], matrices, columns.group, room.weights);
  const uint64_t first_term = at_run_time(call) ? 0 : columns.group * matrices.packed().padded_n();
  Panel panel(args, matrices, plan.zeros.data(), room.panel, functions);
  ByteFinish byte_finish = plan.finish.of(first_term);
  if (at_run_time(call)) byte_finish.starts = room.weights.starts32;
  WideFinish wide_finish = plan.wide ? plan.wide->of(call, first_term) : WideFinish{};
  const uint64_t at_once = plan.finish.fits() || plan.wide ? weights.blocks_at_once() : 1;
  while (panel.next(next)) {
    ByteTile tile = panel.tile();
    byte_finish.row_starts = panel.row_starts();
    wide_finish.row_starts = panel.long_row_starts();
    const RowOutputs outputs(args.outputs[0], panel.rows());
    for (uint64_t first = columns.begin; first < columns.end;) {
      const Columns some = columns_of(columns, first, at_once);
      first = some.first + some.blocks * kTileColumns;
      weights.place(some.first / kTileColumns, tile);
      if (plan.finish.fits()) {
        functions.bytes(tile, byte_finish, some, outputs.bytes);
      } else if (plan.wide) {
        functions.wide(tile, wide_finish, some, outputs.wides);
      } else {
        functions.byte_sums(tile, room.sums);
        finish_exactly(call, plan, panel, room.sums, room.weights.starts, first_term, some, args.outputs[0]);
      }
    }
  }
}

}  // namespace openqnn::ops::fast
