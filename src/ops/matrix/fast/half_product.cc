// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/half_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/aligned_bytes.h"
#include "ops/elements.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/finish_half.h"

namespace openqnn::ops::fast {
namespace {

struct HalfPlan : KernelPlan {
  // The products of even and of odd k (of an op that adds all in one row: all are "even"), and where in a
  // block of columns the weights of each lie.
  std::vector<uint32_t> row_of;
  size_t even = 0;
  std::vector<float> bias;  // beside every padded column of every matrix
};

constexpr uint64_t kLine = AlignedBytes::kAlignment;
constexpr uint64_t kTileElements = kTileRows * kTileColumns;

uint64_t row_floats(const WeightMatrices& matrices) { return round_up(matrices.k(), kLine / sizeof(float)); }

bool adds_even_and_odd_apart(const OpCall& call) {
  return call.half_accumulation == soc::HalfAccumulation::kEvenOdd;
}

// The element of a matrix's first block of columns where a row begins.
uint32_t element_of_row(const WeightMatrices& matrices, uint64_t row) {
  return static_cast<uint32_t>(matrices.packed().index16(0, matrices.packed_row(row), 0));
}

bool at_run_time(const OpCall& call) { return call.in(kWeight).layout == ir::Layout::kPlain; }

// One matrix of weights that come at run time, in the layout of packed ones.
void pack_at_run_time(const KernelArgs& args, const WeightMatrices& matrices, uint64_t group, uint16_t* out) {
  const PackedShape shape = matrices.packed();
  for (uint64_t row = 0; row < matrices.k(); ++row) {
    const uint64_t from = matrices.plain(group, row, 0);
    for (uint64_t block = 0; block < matrices.columns; block += kTileColumns) {
      uint16_t* to = out + shape.index16(0, matrices.packed_row(row), block);
      const uint64_t columns = std::min<uint64_t>(kTileColumns, matrices.columns - block);
      for (uint64_t i = 0; i < columns; ++i)
        to[i] = load<uint16_t>(args.inputs[kWeight], from + (block + i) * matrices.column_stride);
    }
  }
}

bool all_finite(const KernelArgs& args, const WeightMatrices& matrices) {
  constexpr uint16_t kExponent = 0x7c00;
  bool finite = true;
  for (uint64_t i = 0; i < matrices.packed().elements(); ++i)
    finite &= (load<Half>(args.inputs[kWeight], i).bits & kExponent) != kExponent;
  return finite;
}

// Rows as floats, the values of even k before those of odd k where they are added apart.
class RowWidener {
 public:
  RowWidener(const KernelArgs& args, const WeightMatrices& matrices, const HalfPlan& plan,
             const TileFunctions& functions, float* natural)
      : input_(reinterpret_cast<const Unaligned16*>(args.inputs[kInput])),
        matrices_(matrices),
        even_(plan.even),
        functions_(functions),
        natural_(natural) {}

  void operator()(const Rows& rows, size_t row, float* out) const {
    const bool apart = even_ != matrices_.k();
    if (!apart) return widen(rows, row, out);
    if (matrices_.channels % 2 == 0) return widen_apart(rows, row, out);
    widen(rows, row, natural_);
    for (uint64_t k = 0; k < matrices_.k(); ++k) out[(k % 2 != 0 ? even_ : 0) + k / 2] = natural_[k];
  }

 private:
  void widen(const Rows& rows, size_t row, float* out) const {
    for (uint64_t tap = 0; tap < matrices_.taps; ++tap, out += matrices_.channels) {
      const int64_t at = rows.taps[tap * kTileRows + row];
      if (at == kPadding)
        std::fill_n(out, matrices_.channels, 0.0F);
      else
        functions_.widen(input_ + at, out, matrices_.channels);
    }
  }

  void widen_apart(const Rows& rows, size_t row, float* even) const {
    const uint64_t pairs = matrices_.channels / 2;
    float* odd = even + even_;
    for (uint64_t tap = 0; tap < matrices_.taps; ++tap, even += pairs, odd += pairs) {
      const int64_t at = rows.taps[tap * kTileRows + row];
      if (at == kPadding) {
        std::fill_n(even, pairs, 0.0F);
        std::fill_n(odd, pairs, 0.0F);
      } else {
        functions_.widen_apart(input_ + at, even, odd, pairs);
      }
    }
  }

  const Unaligned16* input_;
  const WeightMatrices& matrices_;
  size_t even_;
  const TileFunctions& functions_;
  float* natural_;  // room for a row
};

}  // namespace

std::optional<std::string> declines_halves(const OpCall& call) {
  if (call.in(kWeight).type != ir::DataType::kFloat16) return "the weights are fixed-point";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_halves(const KernelArgs& args, const WeightMatrices& matrices) {
  // Padding is added as products with 0, which is nothing only if all weights are finite.
  if (matrices.taps > 1 && (at_run_time(args.call) || !all_finite(args, matrices))) return nullptr;
  auto plan = std::make_unique<HalfPlan>();
  const uint64_t k = matrices.k();
  const uint64_t step = adds_even_and_odd_apart(args.call) ? 2 : 1;
  for (uint64_t first = 0; first < step; ++first) {
    for (uint64_t row = first; row < k; row += step) plan->row_of.push_back(element_of_row(matrices, row));
    if (first == 0) plan->even = plan->row_of.size();
  }
  if (!args.call.has_input(kBias)) return plan;
  const uint64_t padded = matrices.packed().padded_n();
  const bool shared = args.call.in(kBias).shape[0] == matrices.columns;
  plan->bias.resize(matrices.groups * padded);
  for (uint64_t group = 0; group < matrices.groups; ++group)
    for (uint64_t column = 0; column < matrices.columns; ++column)
      plan->bias[group * padded + column] =
          to_float(load<Half>(args.inputs[kBias], shared ? column : group * matrices.columns + column));
  return plan;
}

uint64_t half_scratch(const OpCall& call, const WeightMatrices& matrices) {
  const PackedShape shape = matrices.packed();
  const uint64_t weights = at_run_time(call) ? shape.padded_k() * shape.padded_n() * sizeof(Half) : 0;
  return weights + (kTileRows + 1) * row_floats(matrices) * sizeof(float) +
         2 * kTileElements * sizeof(float) + round_up(matrices.taps * kTileRows * sizeof(int64_t), kLine);
}

void run_halves(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next) {
  const OpCall& call = args.call;
  const auto& plan = static_cast<const HalfPlan&>(*args.plan);
  const PackedShape shape = matrices.packed();
  const uint64_t elements = shape.padded_k() * shape.padded_n();
  const auto* matrix = reinterpret_cast<const uint16_t*>(args.inputs[kWeight]) + columns.group * elements;
  const TileFunctions& functions = tile_functions(host_isa());
  std::byte* scratch = args.scratch.data();
  if (at_run_time(call)) {
    auto* packed = reinterpret_cast<uint16_t*>(scratch);
    pack_at_run_time(args, matrices, columns.group, packed);
    matrix = packed;
    scratch += elements * sizeof(Half);
  }
  auto* sums = reinterpret_cast<float*>(scratch);
  float* odd_sums = sums + kTileElements;
  float* natural = odd_sums + kTileElements;
  float* panel = natural + row_floats(matrices);
  const RowWidener widen(args, matrices, plan, functions, natural);
  const HalfEnd finish(call, functions);
  Rows rows;
  rows.taps = {reinterpret_cast<int64_t*>(panel + kTileRows * row_floats(matrices)),
               matrices.taps * kTileRows};
  while (next(rows, kTileRows), rows.count > 0) {
    std::array<const float*, kTileRows> even{};
    std::array<const float*, kTileRows> odd{};
    for (size_t row = 0; row < rows.count; ++row) {
      float* to = panel + row * row_floats(matrices);
      widen(rows, row, to);
      even[row] = to;
      odd[row] = to + plan.even;
    }
    for (uint64_t first = columns.begin / kTileColumns * kTileColumns; first < columns.end;
         first += kTileColumns) {
      const uint16_t* weights = matrix + first / kHmxBlock * kHmxBlock * kHmxBlock;
      functions.half_sums({even.data(), rows.count, plan.even, plan.row_of.data(), weights}, sums);
      const size_t odd_count = plan.row_of.size() - plan.even;
      if (adds_even_and_odd_apart(call)) {
        functions.half_sums({odd.data(), rows.count, odd_count, plan.row_of.data() + plan.even, weights},
                            odd_sums);
        for (size_t i = 0; i < rows.count * kTileColumns; ++i) sums[i] += odd_sums[i];
      }
      const float* bias =
          plan.bias.empty() ? nullptr : plan.bias.data() + columns.group * shape.padded_n() + first;
      const size_t begin = columns.begin > first ? columns.begin - first : 0;
      const size_t end = std::min<uint64_t>(columns.end - first, kTileColumns);
      for (size_t row = 0; row < rows.count; ++row)
        finish(sums + row * kTileColumns + begin, bias ? bias + begin : nullptr, end - begin,
               args.outputs[0] + (rows.outputs[row] + first + begin) * sizeof(Half));
    }
  }
}

}  // namespace openqnn::ops::fast
