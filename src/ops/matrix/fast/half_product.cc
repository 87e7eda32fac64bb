// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/fast/finish.h"
#include "ops/matrix/fast/operands.h"
#include "ops/matrix/fast/scratch.h"
#include "ops/matrix/fast/typed_products.h"

namespace openqnn::ops::fast {
namespace {

struct HalfPlan : KernelPlan {
  // The products of even and of odd k (of an op that adds all in one row: all are "even"), and where in a
  // block of columns the weights of each lie.
  std::vector<uint32_t> row_of;
  size_t even = 0;
  std::vector<float> bias;  // beside every padded column of every matrix
};

constexpr uint64_t kTileElements = kTileRows * kTileColumns;

// Copies of a few floats are made by whole registers, which may end behind the row.
constexpr uint64_t kCopied = 16;

uint64_t row_floats(const WeightMatrices& matrices) {
  return spaced((matrices.k() + kCopied) * sizeof(float)) / sizeof(float);
}

// Where it pays to widen what neighbours see once for all rows of a tile.
bool has_few_channels(const WeightMatrices& matrices) { return matrices.taps > 1 && matrices.channels <= 4; }

struct HalfRoom {
  HalfRoom(const OpCall& call, const WeightMatrices& matrices, Scratch& scratch)
      : rows(matrices.taps, scratch),
        sums(scratch.take<float>(kTileElements)),
        natural(scratch.take<float>(matrices.k())),
        panel(scratch.take<float>(kTileRows * row_floats(matrices))),
        shared(has_few_channels(matrices) ? scratch.take<float>(kTileRows * row_floats(matrices)) : nullptr),
        matrix(at_run_time(call)
                   ? scratch.take<uint16_t>(matrices.packed().padded_k() * matrices.packed().padded_n())
                   : nullptr) {}

  Rows rows;
  float* sums;
  float* natural;  // a row in the order of k
  float* panel;
  float* shared;     // lines that several rows see
  uint16_t* matrix;  // weights that come at run time, packed
};

// The element of a matrix's first block of columns where a row begins.
uint32_t element_of_row(const WeightMatrices& matrices, uint64_t row) {
  return static_cast<uint32_t>(matrices.packed().index16(0, matrices.packed_row(row), 0));
}

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

// Whether an output may see nothing of the input through a filter of one tap: in the padding, or between the
// inputs of a transposed convolution.
bool leaves_gaps(const OpCall& call) {
  for (size_t axis = 0; axis < kMostAxes; ++axis)
    if (call.params->u32_at("stride", axis, 1) > 1 || call.params->u32_at("pad_amount", 2 * axis, 0) != 0 ||
        call.params->u32_at("pad_amount", 2 * axis + 1, 0) != 0)
      return true;
  return false;
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
             const TileFunctions& functions, const HalfRoom& room)
      : input_(reinterpret_cast<const Unaligned16*>(args.inputs[kInput])),
        matrices_(matrices),
        even_(plan.even),
        functions_(functions),
        natural_(room.natural),
        panel_(room.panel),
        shared_(room.shared) {}

  float* row(size_t row) const { return panel_ + row * row_floats(matrices_); }
  void operator()(const Rows& rows) const {
    if (share_lines(rows)) return;
    for (size_t i = 0; i < rows.count; ++i) widen_row(rows, i, row(i));
  }

 private:
  // Neighbours see much of the same pixels: when these have few channels, each is widened once for all rows.
  bool share_lines(const Rows& rows) const {
    const uint64_t channels = matrices_.channels;
    if (!shared_ || even_ != matrices_.k() || rows.steps == 1 || !rows.one_line) return false;
    const uint64_t pixels =
        static_cast<uint64_t>(rows.starts[rows.count - 1] - rows.starts[0]) / channels + rows.steps;
    const uint64_t line_floats = pixels * channels;
    if (rows.lines * line_floats + kCopied > kTileRows * row_floats(matrices_)) return false;
    for (size_t line = 0; line < rows.lines; ++line)
      widen_line(rows, rows.line(line, 0), pixels, shared_ + line * line_floats);
    const size_t own = rows.steps * channels;
    for (size_t i = 0; i < rows.count; ++i)
      for (size_t line = 0; line < rows.lines; ++line)
        copy_floats(shared_ + line * line_floats + (rows.starts[i] - rows.starts[0]), row(i) + line * own,
                    own);
    return true;
  }

  void widen_line(const Rows& rows, int64_t line, size_t pixels, float* out) const {
    const uint64_t channels = matrices_.channels;
    const Rows::Seen seen = rows.seen(pixels, channels);
    const size_t inside = line == kPadding ? 0 : seen.inside;
    std::fill_n(out, seen.before * channels, 0.0F);
    std::fill(out + (seen.before + inside) * channels, out + pixels * channels, 0.0F);
    if (inside > 0)
      functions_.widen(input_ + line + std::max<int64_t>(rows.starts[0], 0), out + seen.before * channels,
                       inside * channels);
  }

  static void copy_floats(const float* from, float* to, size_t count) {
    for (size_t i = 0; i < count; i += kCopied) std::memcpy(to + i, from + i, kCopied * sizeof(float));
  }

  void widen_row(const Rows& rows, size_t row, float* out) const {
    const bool apart = even_ != matrices_.k();
    if (!apart) return widen(rows, row, out);
    if (matrices_.channels % 2 == 0) return widen_apart(rows, row, out);
    widen(rows, row, natural_);
    for (uint64_t k = 0; k < matrices_.k(); ++k) out[(k % 2 != 0 ? even_ : 0) + k / 2] = natural_[k];
  }

  void widen(const Rows& rows, size_t row, float* out) const {
    rows.for_each_run(row, matrices_.channels, [&](int64_t at, size_t taps) {
      const size_t count = taps * matrices_.channels;
      if (at == kPadding)
        std::fill_n(out, count, 0.0F);
      else
        functions_.widen(input_ + at, out, count);
      out += count;
    });
  }

  void widen_apart(const Rows& rows, size_t row, float* even) const {
    float* odd = even + even_;
    rows.for_each_run(row, matrices_.channels, [&](int64_t at, size_t taps) {
      const size_t pairs = taps * matrices_.channels / 2;
      if (at == kPadding) {
        std::fill_n(even, pairs, 0.0F);
        std::fill_n(odd, pairs, 0.0F);
      } else {
        functions_.widen_apart(input_ + at, even, odd, pairs);
      }
      even += pairs;
      odd += pairs;
    });
  }

  const Unaligned16* input_;
  const WeightMatrices& matrices_;
  size_t even_;
  const TileFunctions& functions_;
  float* natural_;  // room for a row
  float* panel_;
  float* shared_;
};

}  // namespace

std::optional<std::string> declines_halves(const OpCall& call, const WeightMatrices& matrices) {
  if (call.in(kWeight).type != ir::DataType::kFloat16) return "the weights are fixed-point";
  const PackedShape shape = matrices.packed();
  if (shape.padded_k() > UINT32_MAX / shape.padded_n())
    return "a weight matrix is very large";  // HalfTile::row_of
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_halves(const KernelArgs& args, const WeightMatrices& matrices) {
  // Padding is added as products with 0, which is nothing only if all weights are finite.
  if ((matrices.taps > 1 || leaves_gaps(args.call)) &&
      (at_run_time(args.call) || !all_finite(args, matrices)))
    return nullptr;
  auto plan = std::make_unique<HalfPlan>();
  const uint64_t k = matrices.k();
  const uint64_t step = adds_even_and_odd_apart(args.call) ? 2 : 1;
  for (uint64_t first = 0; first < step; ++first) {
    for (uint64_t row = first; row < k; row += step) plan->row_of.push_back(element_of_row(matrices, row));
    if (first == 0) plan->even = plan->row_of.size();
  }
  for (size_t i = 0; i < kHalfAhead; ++i)  // of the next block of columns
    plan->row_of.push_back(static_cast<uint32_t>(kBlockWeights + plan->row_of[std::min<size_t>(i, k - 1)]));
  if (!args.call.has_input(kBias)) return plan;
  const uint64_t padded = matrices.packed().padded_n();
  plan->bias.resize(matrices.groups * padded);
  for (uint64_t group = 0; group < matrices.groups; ++group)
    for (uint64_t column = 0; column < matrices.columns; ++column)
      plan->bias[group * padded + column] =
          to_float(load<Half>(args.inputs[kBias], bias_channel(args.call, matrices, group, column)));
  return plan;
}

uint64_t half_scratch(const OpCall& call, const WeightMatrices& matrices) {
  Scratch size;
  const HalfRoom counted(call, matrices, size);
  return size.used();
}

void run_halves(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next) {
  const OpCall& call = args.call;
  const auto& plan = static_cast<const HalfPlan&>(*args.plan);
  const PackedShape shape = matrices.packed();
  const uint64_t elements = shape.padded_k() * shape.padded_n();
  const auto* matrix = reinterpret_cast<const uint16_t*>(args.inputs[kWeight]) + columns.group * elements;
  const TileFunctions& functions = tile_functions(host_isa());
  Scratch scratch(args.scratch.data());
  const HalfRoom room(call, matrices, scratch);
  if (at_run_time(call)) {
    pack_at_run_time(args, matrices, columns.group, room.matrix);
    matrix = room.matrix;
  }
  const RowWidener widen(args, matrices, plan, functions, room);
  const HalfEnd finish(call, functions);
  Rows rows = room.rows;
  while (next(rows, kTileRows), rows.count > 0) {
    std::array<const float*, kTileRows> all{};
    std::array<const float*, kTileRows> apart{};
    widen(rows);
    for (size_t row = 0; row < rows.count; ++row) {
      all[row] = widen.row(row);
      apart[row] = all[row] + plan.even;
    }
    const size_t apart_count = plan.row_of.size() - kHalfAhead - plan.even;
    HalfTile tile{.all = {all.data(), plan.even, plan.row_of.data()},
                  .apart = {apart.data(), apart_count, plan.row_of.data() + plan.even},
                  .row_count = rows.count};
    const float* bias = plan.bias.empty() ? nullptr : plan.bias.data() + columns.group * shape.padded_n();
    Unaligned16* outputs[kTileRows] = {};
    for (size_t row = 0; row < rows.count; ++row)
      outputs[row] = reinterpret_cast<Unaligned16*>(args.outputs[0]) + rows.outputs[row];
    if (finish.is_range()) {
      const Columns all_columns = columns_of(columns, columns.begin, UINT64_MAX);
      tile.weights = matrix + all_columns.first / kTileColumns * kBlockWeights;
      functions.halves(tile, finish.range(bias), all_columns, outputs);
      continue;
    }
    for (uint64_t first = columns.begin / kTileColumns * kTileColumns; first < columns.end;
         first += kTileColumns) {
      tile.weights = matrix + first / kTileColumns * kBlockWeights;
      functions.half_sums(tile, room.sums);
      const uint64_t begin = std::max(columns.begin, first);
      const uint64_t end = std::min(columns.end, first + kTileColumns);
      for (size_t row = 0; row < rows.count; ++row)
        finish(room.sums + row * kTileColumns + begin - first, bias ? bias + begin : nullptr, end - begin,
               reinterpret_cast<std::byte*>(outputs[row] + begin));
    }
  }
}

}  // namespace openqnn::ops::fast
