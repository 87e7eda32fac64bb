// SPDX-License-Identifier: BSD-3-Clause
// The sum over k of (a + ao) (w + wo) is
//     sum a w  +  ao (sum w + K wo)  +  wo sum a:
// the tiles add up a w; the second term is a constant of the column, and the third one of the row.
// Activations count as unsigned bytes: signed ones are moved by 128, and 16-bit ones are two rows, of their
// low and of their high bytes. Padding is the byte that stands for 0, so that it adds nothing to any of it.
#include "ops/matrix/fast/byte_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/aligned_bytes.h"
#include "ops/elements.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/finish_plan.h"

namespace openqnn::ops::fast {
namespace {

using ir::DataType;
using ir::Layout;

constexpr uint64_t kLine = AlignedBytes::kAlignment;

bool is_wide(const OpCall& call) { return ir::byte_size(call.in(kInput).type) == 2; }
bool is_signed(const OpCall& call) { return is_signed_fixed(call.in(kInput).type); }

// What is added to an activation after its move to unsigned.
int64_t activation_offset(const OpCall& call) {
  const int64_t offset = call.in(kInput).quantization.at(0).offset;
  if (!is_signed(call)) return offset;
  return offset - (is_wide(call) ? 1 << 15 : 1 << 7);
}

// Four activations at a time without a copy: what lies in memory is already in the form of a tile's rows.
bool reads_in_place(const OpCall& call, const WeightMatrices& matrices) {
  if (call.in(kInput).type != DataType::kUfixed8 || matrices.channels % 4 != 0) return false;
  return matrices.taps == 1 || matrices.channels % kHmxBlock == 0;
}

uint64_t padded_channels(const WeightMatrices& matrices) { return round_up(matrices.channels, 4); }
uint64_t row_bytes(const WeightMatrices& matrices) {
  return round_up(matrices.taps * padded_channels(matrices), kLine);
}
uint64_t block_bytes(const WeightMatrices& matrices) { return matrices.packed().padded_k() * kTileColumns; }

// Memory of a region: one thing after another, each at the start of a cache line.
struct Scratch {
  std::byte* at;
  template <class T>
  T* take(uint64_t count) {
    T* taken = reinterpret_cast<T*>(at);
    at += round_up(count * sizeof(T), kLine);
    return taken;
  }
};

struct BytePlan : KernelPlan {
  explicit BytePlan(uint64_t columns) : finish(columns), terms(columns) {}

  int64_t weight_offset = 0;
  // Beside every padded column of every matrix.
  FinishPlan finish;
  std::vector<ColumnTerms> terms;
  std::vector<std::byte> zeros;  // a row of padding
  // The same for WideFinish, where that serves: 16-bit activations and results, weights that are constants.
  bool fits_wide = false;
  bool has_real_bias = false;
  std::vector<double> starts, factors, units, biases;

  void settle_wide();
  WideFinish wide_finish(const OpCall& call, uint64_t term, uint32_t columns) const;
};

void BytePlan::settle_wide() {
  fits_wide = true;
  for (uint64_t i = 0; i < terms.size(); ++i) {
    starts.push_back(static_cast<double>(finish.start(i)));
    factors.push_back(finish.factor(i));
    units.push_back(terms[i].unit);
    biases.push_back(terms[i].real_bias);
    has_real_bias |= terms[i].real_bias != 0.0;
  }
}

WideFinish BytePlan::wide_finish(const OpCall& call, uint64_t term, uint32_t columns) const {
  const IntegerRange range = ir::integer_range(call.out().type);
  const ir::ScaleOffset& encoding = call.out().quantization.at(0);
  return {.starts = starts.data() + term,
          .factors = factors.data() + term,
          .units = units.data() + term,
          .biases = has_real_bias ? biases.data() + term : nullptr,
          .scale = static_cast<double>(encoding.scale),
          .low = static_cast<double>(range.low) + encoding.offset,
          .high = static_cast<double>(range.high) + encoding.offset,
          .offset = encoding.offset,
          .columns = columns};
}

// The blocks of one weight matrix, as tiles take them: 4-bit weights become bytes first.
class Blocks {
 public:
  // `room`: block_bytes() for weights of 4 bits.
  Blocks(const OpCall& call, const std::byte* weights, const WeightMatrices& matrices, uint64_t group,
         int8_t* room)
      : nibbles_(call.in(kWeight).layout == Layout::kHmx4), room_(room) {
    const PackedShape shape = matrices.packed();
    count_ = shape.padded_k() / kHmxBlock;
    block_ = kHmxBlock * kHmxBlock / (nibbles_ ? 2 : 1);
    stride_ = shape.padded_n() / kHmxBlock * block_;
    matrix_ = weights + group * count_ * stride_;
  }

  // Of the columns from 32 * `index` on.
  void place(uint64_t index, ByteTile& tile) const {
    const std::byte* weights = matrix_ + index * block_;
    if (nibbles_) unpack(reinterpret_cast<const uint8_t*>(weights));
    tile.weights = nibbles_ ? room_ : reinterpret_cast<const int8_t*>(weights);
    tile.block_stride = nibbles_ ? kHmxBlock * kHmxBlock : stride_;
  }

 private:
  void unpack(const uint8_t* nibbles) const {
    int8_t* out = room_;
    for (uint64_t i = 0; i < count_; ++i, nibbles += stride_)
      for (uint64_t pair = 0; pair < block_; ++pair) {
        *out++ = static_cast<int8_t>(static_cast<int8_t>(nibbles[pair] << 4) >> 4);
        *out++ = static_cast<int8_t>(static_cast<int8_t>(nibbles[pair]) >> 4);
      }
  }

  bool nibbles_;
  int8_t* room_;
  uint64_t count_;
  uint64_t block_;
  uint64_t stride_;
  const std::byte* matrix_;
};

// ---- Weights that come at run time ----

bool at_run_time(const OpCall& call) { return call.in(kWeight).layout == Layout::kPlain; }

// What makes an integer of a plain weight tensor a signed one, as packed weights are.
int32_t weight_move(const OpCall& call) {
  return at_run_time(call) && !is_signed_fixed(call.in(kWeight).type) ? 1 << 7 : 0;
}

// One matrix in the layout of packed weights, and the sums of its columns.
struct PackedAtRunTime {
  std::byte* weights;
  int64_t* starts;
  int32_t* starts32;
};
uint64_t run_time_bytes(const WeightMatrices& matrices) {
  const PackedShape shape = matrices.packed();
  return round_up(shape.padded_k() * shape.padded_n(), kLine) +
         round_up(shape.padded_n() * sizeof(int64_t), kLine) +
         round_up(shape.padded_n() * sizeof(int32_t), kLine);
}
PackedAtRunTime take_run_time(Scratch& scratch, const WeightMatrices& matrices) {
  const PackedShape shape = matrices.packed();
  return {.weights = scratch.take<std::byte>(shape.padded_k() * shape.padded_n()),
          .starts = scratch.take<int64_t>(shape.padded_n()),
          .starts32 = scratch.take<int32_t>(shape.padded_n())};
}

void pack_at_run_time(const KernelArgs& args, const WeightMatrices& matrices, uint64_t group,
                      const PackedAtRunTime& to) {
  const OpCall& call = args.call;
  PackedShape shape = matrices.packed();
  const auto* weights = reinterpret_cast<const uint8_t*>(args.inputs[kWeight]);
  const auto move = static_cast<uint8_t>(weight_move(call));
  std::fill_n(to.starts, shape.padded_n(), 0);
  for (uint64_t row = 0; row < matrices.k(); ++row) {
    const uint64_t packed_row = matrices.packed_row(row);
    const uint64_t from = matrices.plain(group, row, 0);
    for (uint64_t block = 0; block < matrices.columns; block += kTileColumns) {
      auto* out = reinterpret_cast<uint8_t*>(to.weights) + shape.index8(0, packed_row, block);
      const uint64_t columns = std::min<uint64_t>(kTileColumns, matrices.columns - block);
      for (uint64_t i = 0; i < columns; ++i) {
        const uint8_t value = weights[from + (block + i) * matrices.column_stride] ^ move;
        out[4 * i] = value;
        to.starts[block + i] += static_cast<int8_t>(value);
      }
    }
  }
  const int64_t offset = activation_offset(call);
  const int64_t weight_offset = call.in(kWeight).quantization.encodings[0].offset + weight_move(call);
  for (uint64_t column = 0; column < shape.padded_n(); ++column) {
    to.starts[column] = offset * (to.starts[column] + static_cast<int64_t>(matrices.k()) * weight_offset);
    to.starts32[column] = static_cast<int32_t>(to.starts[column]);
  }
}

// The sum of the weights of every column of a matrix: times a row of ones, and zeros where the blocks have
// padding.
std::vector<int64_t> column_sums(const KernelArgs& args, const WeightMatrices& matrices, uint64_t group) {
  std::vector<uint8_t> ones(matrices.taps * padded_channels(matrices));
  for (uint64_t tap = 0; tap < matrices.taps; ++tap)
    std::fill_n(ones.begin() + static_cast<ptrdiff_t>(tap * padded_channels(matrices)), matrices.channels, 1);
  std::vector<int8_t> room(args.call.in(kWeight).layout == Layout::kHmx4 ? block_bytes(matrices) : 0);
  const Blocks blocks(args.call, args.inputs[kWeight], matrices, group, room.data());
  const uint8_t* row = ones.data();
  ByteTile tile{.rows = &row, .row_count = 1, .taps = 1, .quads = ones.size() / 4};
  std::vector<int64_t> sums;
  for (uint64_t block = 0; block * kTileColumns < matrices.columns; ++block) {
    std::array<int32_t, kTileColumns> some;
    blocks.place(block, tile);
    tile_functions(host_isa()).byte_sums(tile, some.data());
    sums.insert(sums.end(), some.begin(), some.end());
  }
  return sums;
}

// The rows of a tile as the tile wants them.
class Panel {
 public:
  Panel(const KernelArgs& args, const WeightMatrices& matrices, const BytePlan& plan, Scratch& scratch)
      : input_(args.inputs[kInput]),
        matrices_(matrices),
        plan_(plan),
        wide_(is_wide(args.call)),
        move_(is_signed(args.call) ? 0x80 : 0),
        in_place_(reads_in_place(args.call, matrices)),
        channels_(matrices.channels),
        padded_(padded_channels(matrices)),
        row_bytes_(row_bytes(matrices)) {
    rows_.taps = {scratch.take<int64_t>(matrices.taps * kTileRows), matrices.taps * kTileRows};
    tile_taps_ = in_place_ ? matrices.taps : 1;
    pointers_ = scratch.take<const uint8_t*>(tile_taps_ * kTileRows);
    if (!in_place_) packed_ = scratch.take<uint8_t>(row_bytes_ * kTileRows);
  }

  // Goes on to the next rows; false at the end.
  bool next(RowSource source) {
    source(rows_, wide_ ? kTileRows / 2 : kTileRows);
    if (rows_.count == 0) return false;
    if (in_place_)
      point();
    else
      pack();
    add_up();
    return true;
  }

  const Rows& rows() const { return rows_; }
  const int32_t* row_starts() const { return starts32_.data(); }
  int64_t row_start(size_t row) const { return starts_[row]; }

  // But for its weights.
  ByteTile tile() const {
    return {.rows = pointers_,
            .row_count = rows_.count * (wide_ ? 2 : 1),
            .taps = tile_taps_,
            .quads = (in_place_ ? channels_ : matrices_.taps * padded_) / 4};
  }

 private:
  const uint8_t* zeros() const { return reinterpret_cast<const uint8_t*>(plan_.zeros.data()); }
  int64_t tap(size_t tap, size_t row) const { return rows_.taps[tap * kTileRows + row]; }

  void point() {
    for (size_t i = 0; i < matrices_.taps; ++i)
      for (size_t row = 0; row < rows_.count; ++row) {
        const int64_t at = tap(i, row);
        pointers_[i * kTileRows + row] =
            at == kPadding ? zeros() : reinterpret_cast<const uint8_t*>(input_) + at;
      }
  }

  void pack() {
    for (size_t row = 0; row < rows_.count; ++row) {
      uint8_t* low = packed_ + row * row_bytes_;
      uint8_t* high = packed_ + (rows_.count + row) * row_bytes_;
      pointers_[row] = low;
      if (wide_) pointers_[rows_.count + row] = high;
      for (size_t i = 0; i < matrices_.taps; ++i, low += padded_, high += padded_) {
        const std::byte* from = tap(i, row) == kPadding
                                    ? plan_.zeros.data()
                                    : input_ + static_cast<uint64_t>(tap(i, row)) * (wide_ ? 2 : 1);
        if (wide_)
          split(from, low, high);
        else
          copy(from, low);
      }
    }
  }

  void copy(const std::byte* from, uint8_t* to) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);
    if (channels_ == 3) {  // of an image: many short rows
      for (size_t i = 0; i < 3; ++i) to[i] = bytes[i] ^ move_;
      to[3] = 0;
      return;
    }
    for (size_t i = 0; i < channels_; ++i) to[i] = bytes[i] ^ move_;
    for (size_t i = channels_; i < padded_; ++i) to[i] = 0;
  }

  void split(const std::byte* from, uint8_t* low, uint8_t* high) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);
    for (size_t i = 0; i < channels_; ++i) {
      low[i] = bytes[2 * i];
      high[i] = bytes[2 * i + 1] ^ move_;
    }
    for (size_t i = channels_; i < padded_; ++i) low[i] = high[i] = 0;
  }

  // The third term of the sum, where there is one.
  void add_up() {
    if (plan_.weight_offset == 0) return;
    const ByteTile all = tile();
    for (size_t row = 0; row < rows_.count; ++row) {
      int64_t sum = sum_of(all, row);
      if (wide_) sum += 256 * sum_of(all, rows_.count + row);
      starts_[row] = sum * plan_.weight_offset;
      starts32_[row] = static_cast<int32_t>(starts_[row]);
    }
  }

  static int64_t sum_of(const ByteTile& tile, size_t row) {
    int64_t sum = 0;
    for (size_t i = 0; i < tile.taps; ++i)
      for (size_t k = 0; k < 4 * tile.quads; ++k) sum += tile.rows[i * kTileRows + row][k];
    return sum;
  }

  const std::byte* input_;
  const WeightMatrices& matrices_;
  const BytePlan& plan_;
  bool wide_;
  uint8_t move_;  // turns the sign of signed activations over
  bool in_place_;
  size_t channels_;
  size_t padded_;
  size_t row_bytes_;
  size_t tile_taps_ = 1;
  Rows rows_;
  const uint8_t** pointers_ = nullptr;
  uint8_t* packed_ = nullptr;
  std::array<int64_t, kTileRows> starts_{};
  std::array<int32_t, kTileRows> starts32_{};
};

// Results that ByteFinish does not give: of 16 bits, or with sums that need more than 32.
void finish_exactly(const OpCall& call, const BytePlan& plan, const Panel& panel, const int32_t* sums,
                    const int64_t* run_time_starts, uint64_t first_term, uint64_t first_column,
                    uint32_t columns, std::byte* output) {
  const DataType type = call.out().type;
  const IntegerRange range = ir::integer_range(type);
  const ir::ScaleOffset& encoding = call.out().quantization.at(0);
  const auto scale = static_cast<double>(encoding.scale);
  const size_t count = panel.rows().count;
  const bool wide = is_wide(call);
  for (size_t row = 0; row < count; ++row)
    for (uint64_t column = 0; column < kTileColumns; ++column) {
      if ((columns >> column & 1) == 0) continue;
      int64_t sum = sums[row * kTileColumns + column];
      if (wide) sum += int64_t{256} * sums[(count + row) * kTileColumns + column];
      const uint64_t term = first_term + first_column + column;
      sum += run_time_starts ? run_time_starts[first_column + column] : plan.finish.start(term);
      sum += panel.row_start(row);
      const ColumnTerms& terms = plan.terms[term];
      const double steps = terms.real_bias != 0.0
                               ? (static_cast<double>(sum) * terms.unit + terms.real_bias) / scale
                               : static_cast<double>(sum) * plan.finish.factor(term);
      save_integer(type, output, panel.rows().outputs[row] + first_column + column,
                   quantize_steps(steps, encoding.offset, range));
    }
}

void finish_wide_rows(const TileFunctions& functions, WideFinish finish, const Panel& panel,
                      const int32_t* sums, uint64_t first_column, std::byte* output) {
  const size_t count = panel.rows().count;
  for (size_t row = 0; row < count; ++row) {
    finish.row_start = static_cast<double>(panel.row_start(row));
    functions.wide(sums + row * kTileColumns, sums + (count + row) * kTileColumns, finish,
                   reinterpret_cast<Unaligned16*>(output) + panel.rows().outputs[row] + first_column);
  }
}

// The columns of the block that begins at `first` and lie in the span, a bit each.
uint32_t columns_in(const ColumnSpan& span, uint64_t first) {
  uint32_t bits = UINT32_MAX;
  if (span.begin > first) bits &= UINT32_MAX << (span.begin - first);
  if (span.end < first + kTileColumns) bits &= UINT32_MAX >> (first + kTileColumns - span.end);
  return bits;
}

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
  const int64_t zero = -activation_offset(call);
  if (zero < 0 || zero > (is_wide(call) ? UINT16_MAX : UINT8_MAX)) return "no stored activation stands for 0";
  return std::nullopt;
}

std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args, const WeightMatrices& matrices) {
  const OpCall& call = args.call;
  const uint64_t padded = matrices.packed().padded_n();
  auto plan = std::make_unique<BytePlan>(matrices.groups * padded);
  const WeightReader weights(call.in(kWeight), args.inputs[kWeight], matrices);
  plan->weight_offset = call.in(kWeight).quantization.encodings[0].offset + weight_move(call);
  const auto k = static_cast<int64_t>(matrices.k());
  const int64_t offset = activation_offset(call);
  const std::byte* bias = call.has_input(kBias) ? args.inputs[kBias] : nullptr;
  const bool shared_bias = bias && call.in(kBias).shape[0] == matrices.columns;
  for (uint64_t group = 0; group < matrices.groups; ++group) {
    const std::vector<int64_t> sums =
        at_run_time(call) ? std::vector<int64_t>(padded) : column_sums(args, matrices, group);
    for (uint64_t column = 0; column < matrices.columns; ++column) {
      const uint64_t channel = shared_bias ? column : group * matrices.columns + column;
      const ColumnTerms terms = column_terms(call, bias, weights, matrices, group, column, channel);
      const uint64_t at = group * padded + column;
      plan->terms[at] = terms;
      plan->finish.set(at, terms.start + offset * (sums[column] + k * plan->weight_offset),
                       terms.unit / static_cast<double>(call.out().quantization.at(0).scale));
    }
  }
  // 16-bit activations are two sums; they are finished one by one.
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const int64_t largest_weight = 128 + std::abs(plan->weight_offset);
  const int64_t largest_start = at_run_time(call) ? k * std::abs(offset) * largest_weight : 0;
  plan->finish.settle(call, is_wide(call) ? kNever : k * UINT8_MAX * largest_weight + largest_start);
  if (is_wide(call) && ir::byte_size(call.out().type) == 2 && !at_run_time(call)) plan->settle_wide();
  plan->zeros.resize(matrices.channels * ir::byte_size(call.in(kInput).type));
  fill_with_zero(call.in(kInput), plan->zeros.data(), 0, matrices.channels);
  return plan;
}

uint64_t byte_scratch(const OpCall& call, const WeightMatrices& matrices) {
  uint64_t bytes = round_up(matrices.taps * kTileRows * sizeof(int64_t), kLine);
  bytes += round_up(matrices.taps * kTileRows * sizeof(const uint8_t*), kLine);
  if (!reads_in_place(call, matrices)) bytes += row_bytes(matrices) * kTileRows;
  if (call.in(kWeight).layout == Layout::kHmx4) bytes += block_bytes(matrices);
  if (at_run_time(call)) bytes += run_time_bytes(matrices);
  return bytes + kTileRows * kTileColumns * sizeof(int32_t);
}

void run_bytes(const KernelArgs& args, const WeightMatrices& matrices, ColumnSpan columns, RowSource next) {
  const OpCall& call = args.call;
  const auto& plan = static_cast<const BytePlan&>(*args.plan);
  const TileFunctions& functions = tile_functions(host_isa());
  Scratch scratch{args.scratch.data()};
  auto* sums = scratch.take<int32_t>(kTileRows * kTileColumns);
  const bool nibbles = call.in(kWeight).layout == Layout::kHmx4;
  int8_t* room = nibbles ? scratch.take<int8_t>(block_bytes(matrices)) : nullptr;
  PackedAtRunTime packed{};
  if (at_run_time(call)) {
    packed = take_run_time(scratch, matrices);
    pack_at_run_time(args, matrices, columns.group, packed);
  }
  const Blocks blocks(call, packed.weights ? packed.weights : args.inputs[kWeight], matrices,
                      packed.weights ? 0 : columns.group, room);
  const uint64_t first_term = columns.group * matrices.packed().padded_n();
  Panel panel(args, matrices, plan, scratch);
  while (panel.next(next)) {
    ByteTile tile = panel.tile();
    for (uint64_t block = columns.begin / kTileColumns; block * kTileColumns < columns.end; ++block) {
      const uint64_t column = block * kTileColumns;
      blocks.place(block, tile);
      if (plan.finish.fits()) {
        std::array<uint8_t*, kTileRows> outputs;
        for (size_t row = 0; row < panel.rows().count; ++row)
          outputs[row] = reinterpret_cast<uint8_t*>(args.outputs[0]) + panel.rows().outputs[row] + column;
        ByteFinish finish =
            plan.finish.of(first_term + column, panel.row_starts(), columns_in(columns, column));
        if (packed.weights) finish.starts = packed.starts32 + column;
        functions.bytes(tile, finish, outputs.data());
      } else if (plan.fits_wide) {
        functions.byte_sums(tile, sums);
        finish_wide_rows(functions, plan.wide_finish(call, first_term + column, columns_in(columns, column)),
                         panel, sums, column, args.outputs[0]);
      } else {
        functions.byte_sums(tile, sums);
        finish_exactly(call, plan, panel, sums, packed.starts, first_term, column,
                       columns_in(columns, column), args.outputs[0]);
      }
    }
  }
}

}  // namespace openqnn::ops::fast
