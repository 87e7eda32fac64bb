// SPDX-License-Identifier: BSD-3-Clause
// CumulativeSum: the running sum along an axis.
#include <algorithm>
#include <cstdint>

#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

constexpr CellCost kCost = {16, 16};  // ours: shifts and adds inside a vector, or one add across them

ir::Shape line_of(const OpCall& call) {
  return cell_along(one_axis(call.params->u32("axis", 0)), call.in(0).shape);
}

Status check_cumulative_sum(const OpCall& call) {
  OPENQNN_TRY(check_axis("axis", call.params->u32("axis", 0), call.in(0).shape));
  return expect_shape("output", call.out().shape, call.in(0).shape);
}

// Plain integers are summed exactly and stick at the ends of the type (ours). 2^32 of them, which no line
// exceeds, cannot overflow 64 bits.
struct IntegerLine {
  const std::byte* in;
  std::byte* out;
  int64_t sum = 0;
  void add(uint64_t at) { sum += load<int32_t>(in, at); }
  void put(uint64_t at) {
    save(out, at, static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)));
  }
};

// The sum itself is never rounded to the output's type on the way.
struct RealLine {
  const ElementReader& in;
  const ElementWriter& out;
  double sum = 0.0;
  void add(uint64_t at) { sum += in(at); }
  void put(uint64_t at) { out(at, sum); }
};

// Sums along the line through all of `cell`, in the direction of the sum, and writes where `region` is.
template <class Line>
void sum_line(Line line, const OpCall& call, const ir::Box& cell, const ir::Box& region) {
  const uint32_t axis = call.params->u32("axis", 0);
  const bool exclusive = call.params->boolean("exclusive", false);
  const bool reverse = call.params->boolean("reverse", false);
  ir::Shape index = cell.begin;
  for (uint32_t i = 0; i < cell.end[axis]; ++i) {
    index[axis] = reverse ? cell.end[axis] - 1 - i : i;
    const uint64_t at = ir::offset_of(call.in(0).shape, index);
    const bool inside = index[axis] >= region.begin[axis] && index[axis] < region.end[axis];
    if (!exclusive) line.add(at);
    if (inside) line.put(at);
    if (exclusive) line.add(at);
  }
}

void run_cumulative_sum(const KernelArgs& args, const ir::Box& region) {
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  for_each_cell(line_of(args.call), region, [&](const ir::Box& cell) {
    if (args.call.in(0).type == ir::DataType::kInt32)
      sum_line(IntegerLine{args.inputs[0], args.outputs[0]}, args.call, cell, region);
    else
      sum_line(RealLine{read, write}, args.call, cell, region);
  });
}

}  // namespace

OpDef cumulative_sum() {
  return cell_op<line_of, kCost>("CumulativeSum", check_cumulative_sum,
                                 {"reference", nullptr, run_cumulative_sum});
}

}  // namespace openqnn::ops
