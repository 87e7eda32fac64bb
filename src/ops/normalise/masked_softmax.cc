// SPDX-License-Identifier: BSD-3-Clause
// MaskedSoftmax: softmax of attention scores [b, h, w, c] over the last dimension, where a mask says which
// columns count.
#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

constexpr CellCost kMaskedSoftmaxCost = {104, 50, 3};  // ours: those of Softmax and an addition

enum MaskMode : uint32_t { kUncompressed = 0, kCompressed = 1 };

MaskMode mode_of(const OpCall& call) {
  return call.params->u32("mode", kUncompressed) == kCompressed ? kCompressed : kUncompressed;
}

bool is_integer(ir::DataType type) { return type == ir::DataType::kInt32 || type == ir::DataType::kUint32; }

Status check_mask(const OpCall& call) {
  const ir::Shape& scores = call.in(0).shape;
  const ir::TensorDesc& mask = call.in(1);
  const bool compressed = mode_of(call) == kCompressed;
  if (is_integer(mask.type) != compressed)
    return unsupported("op-type-row", concat("a mask of type ", ir::name(mask.type), " cannot be ",
                                             compressed ? "compressed" : "uncompressed"))
        .fix_by("give numbers to add as the type of the scores, lengths as i32 or u32");
  if (!compressed) return expect_shape("mask", mask.shape, {scores[0], scores[3]});
  if (scores[2] != scores[3])
    return invalid("op-shape", concat("scores of shape ", scores.to_string(),
                                      " are not square, as sequences packed into one need"));
  if (mask.shape.rank() != 2 || mask.shape[0] != scores[0])
    return invalid("op-shape", concat("mask has shape ", mask.shape.to_string(), " where [", scores[0],
                                      ", number of sequences] is needed"));
  return {};
}

Status check_masked_softmax(const OpCall& call) {
  const ir::Shape& scores = call.in(0).shape;
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
  OPENQNN_TRY(check_choice(call, "mode", kCompressed, "0 (uncompressed) or 1 (compressed)"));
  OPENQNN_TRY(check_mask(call));
  return expect_shape("output", call.out().shape, scores);
}

ir::Box masked_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  if (index == 0) return whole_cells(row_of_input(call), output);
  ir::Box box = ir::Box::whole(call.in(1).shape);
  take_axis(box, 0, output, 0);
  return box;
}

// The columns of a row that count.
struct Columns {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// The sequences of one batch entry, packed one after another. A negative length is 0, and what lies behind
// the last column is cut off (ours).
class Sequences {
 public:
  explicit Sequences(KernelVector<uint64_t> room) : ends_(std::move(room)) {}

  void read(const ElementReader& lengths, uint64_t first, uint64_t count, uint64_t columns) {
    ends_.clear();
    uint64_t end = 0;
    for (uint64_t i = 0; i < count && end < columns; ++i) {
      const auto length = static_cast<uint64_t>(std::max(lengths(first + i), 0.0));
      if (length == 0) continue;
      end = std::min(end + length, columns);
      ends_.push_back(end);
    }
  }
  // The one that position `row` belongs to; a row behind the last belongs to none (ours).
  Columns at(uint64_t row) const {
    const auto found = std::ranges::upper_bound(ends_, row);
    if (found == ends_.end()) return {};
    return {found == ends_.begin() ? 0 : *std::prev(found), *found};
  }

 private:
  KernelVector<uint64_t> ends_;  // ascending
};

// Softmax of the columns that count; the others are 0.
void softmax_row(std::span<double> row, Columns columns) {
  double largest = -std::numeric_limits<double>::infinity();
  for (uint64_t i = columns.begin; i < columns.end; ++i) largest = std::max(largest, row[i]);
  double sum = 0.0;
  for (uint64_t i = 0; i < row.size(); ++i) {
    const bool counts = i >= columns.begin && i < columns.end;
    row[i] = counts ? portable_exp(row[i] - largest) : 0.0;
    sum += row[i];
  }
  for (uint64_t i = columns.begin; i < columns.end; ++i) row[i] /= sum;
}

// Each that counts has a column at least.
uint64_t most_sequences(const OpCall& call) {
  return mode_of(call) == kCompressed ? std::min(call.in(1).shape[1], call.out().shape[3]) : 0;
}

uint64_t masked_softmax_scratch(const OpCall& call) {
  return room_for<double>(call.out().shape[3]) + room_for<uint64_t>(most_sequences(call));
}

void run_masked_softmax(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const bool compressed = mode_of(args.call) == kCompressed;
  const uint64_t masks = args.call.in(1).shape[1];
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementReader mask(args.call.in(1), args.inputs[1]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  KernelMemory memory(args);
  auto row = memory.vector<double>(shape[3]);
  Sequences sequences(memory.room<uint64_t>(most_sequences(args.call)));
  std::optional<uint32_t> batch;  // whose sequences those are
  for_each_cell(row_of_input(args.call), region, [&](const ir::Box& cell) {
    const uint64_t start = ir::offset_of(shape, cell.begin);
    const uint64_t first_mask = cell.begin[0] * masks;
    if (compressed && batch != cell.begin[0]) {
      batch = cell.begin[0];
      sequences.read(mask, first_mask, masks, row.size());
    }
    for (uint64_t i = 0; i < row.size(); ++i)
      row[i] = compressed ? read(start + i) : read(start + i) + mask(first_mask + i);
    softmax_row(row, compressed ? sequences.at(cell.begin[2]) : Columns{0, row.size()});
    for (uint32_t i = region.begin[3]; i < region.end[3]; ++i) write(start + i, row[i]);
  });
}

}  // namespace

// No table that we read has its rows; ours are the types of Softmax with a mask of the same, or with lengths.
OpDef masked_softmax() {
  OpDef def = cell_op<row_of_input, kMaskedSoftmaxCost>(
      "MaskedSoftmax", check_masked_softmax, reference_kernel(run_masked_softmax, masked_softmax_scratch));
  def.our_rows = {"f16,f16 -> f16",       "f32,f32 -> f32",        "ufx8,ufx8 -> ufx8",
                  "ufx16,ufx16 -> ufx16", "f16,i32|u32 -> f16",    "f32,i32|u32 -> f32",
                  "ufx8,i32|u32 -> ufx8", "ufx16,i32|u32 -> ufx16"};
  def.input_box = masked_input_box;
  return def;
}

}  // namespace openqnn::ops
