// SPDX-License-Identifier: BSD-3-Clause
// Softmax and LogSoftmax, over the last axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/text.h"
#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/sums.h"

namespace openqnn::ops {
namespace {

// Ours: one pass for the maximum, one for the exponential and the sum (a short polynomial; four times the
// lanes when 8-bit values are widened to float), one to divide.
constexpr CellCost kSoftmaxCost = {96, 48, 3};

float beta_of(const OpCall& call) { return call.params->f32("beta", 1.0F); }

Status check_softmax(const OpCall& call, std::string_view op) {
  const ir::Shape& shape = call.in(0).shape;
  OPENQNN_TRY(check_last_axis(call.params->u32("axis", static_cast<uint32_t>(shape.rank() - 1)), shape, op));
  const float beta = beta_of(call);
  if (!(beta > 0.0F) || !std::isfinite(beta))
    return invalid("op-param-value", concat("beta ", beta, " is not a finite positive number"));
  return expect_shape("output", call.out().shape, shape);
}

double divided(double weight, double, double sum) { return weight / sum; }
double logarithm(double, double scaled, double sum) { return scaled - portable_log(sum); }

// `result` of exp(s), s and the sum of all exp(s) of the row, where s = beta * (x - the row's maximum).
template <double (*result)(double, double, double)>
void run_softmax(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const size_t last = shape.rank() - 1;
  const double beta = beta_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  KernelMemory memory(args);
  auto scaled = memory.vector<double>(shape[last]);
  auto weights = memory.vector<double>(shape[last]);
  for_each_cell(row_of_input(args.call), region, [&](const ir::Box& box) {
    const uint64_t row = ir::offset_of(shape, box.begin);
    double largest = read(row);
    for (uint32_t i = 1; i < shape[last]; ++i) largest = std::max(largest, read(row + i));
    for (uint32_t i = 0; i < shape[last]; ++i) {
      scaled[i] = beta * (read(row + i) - largest);
      weights[i] = portable_exp(scaled[i]);
    }
    const double sum = sum_of(shape[last], [&](uint64_t i) { return weights[i]; });
    for (uint32_t i = region.begin[last]; i < region.end[last]; ++i)
      write(row + i, result(weights[i], scaled[i], sum));
  });
}

// ---- Fast kernels ----

// All elements of a row at once.
void run_rows(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const size_t last = shape.rank() - 1;
  const double beta = beta_of(args.call);
  const fast::BlockReader read(args.call.in(0), args.inputs[0]);
  const fast::BlockWriter write(args.call.out(), args.outputs[0]);
  const fast::RowLoops& loops = fast::host_rows();
  auto* values = reinterpret_cast<double*>(args.scratch.data());
  const uint32_t begin = region.begin[last];
  const bool halves = args.call.in(0).type == ir::DataType::kFloat16 &&
                      args.call.out().type == ir::DataType::kFloat16 && region.extent(last) == shape[last] &&
                      loops.softmax_halves != nullptr;
  const auto* in = reinterpret_cast<const Unaligned16*>(args.inputs[0]);
  auto* out = reinterpret_cast<Unaligned16*>(args.outputs[0]);
  for_each_cell(row_of_input(args.call), region, [&](const ir::Box& box) {
    const uint64_t row = ir::offset_of(shape, box.begin);
    if (halves && loops.softmax_halves(in + row, shape[last], beta, values, out + row)) return;
    read(row, shape[last], values);
    const double sum = loops.weigh(values, shape[last], beta);
    loops.divide(values + begin, region.extent(last), sum);
    write(row + begin, region.extent(last), values + begin);
  });
}

std::optional<std::string> declines_short_rows(const OpCall& call) {
  if (call.out().shape.from_end(0) < 8) return "the rows are short";
  return std::nullopt;
}

Kernel row_kernel() {
  return {.name = "rows",
          .declines = declines_short_rows,
          .run = run_rows,
          .scratch_bytes = [](const OpCall& call) { return call.out().shape.from_end(0) * sizeof(double); }};
}

// With bytes, s is one of 256 numbers: the difference of two elements is exact.
struct ByteWeights : KernelPlan {
  std::array<double, fast::kByteValues> weights;
  std::array<float, fast::kByteValues> floats;
  std::array<uint8_t, fast::kWeightBytes * fast::kByteValues> bytes;
  fast::ByteSoftmax how;
};

// Of results between 0 and 1 in float, in steps of the output: four numbers, none larger than `size`, are
// rounded by half of a float's last bit each.
float softmax_tolerance(const fast::FixedFormat& out) {
  const double size = std::max({1.0 / out.scale, std::fabs(out.low), std::fabs(out.high)});
  const double tolerance = 5 * 0x1p-24 * size;
  return tolerance < 0.01 ? static_cast<float>(tolerance) : 0.5F;
}

std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args) {
  const OpCall& call = args.call;
  const double scale = call.in(0).quantization.at(0).scale;
  auto plan = std::make_unique<ByteWeights>();
  for (size_t i = 0; i < fast::kByteValues; ++i) {
    plan->weights[i] = portable_exp(beta_of(call) * -(scale * static_cast<double>(i)));
    plan->floats[i] = static_cast<float>(plan->weights[i]);
    const auto integer = static_cast<uint32_t>(plan->weights[i] / fast::kWeightUnit + 0.5);
    for (size_t byte = 0; byte < fast::kWeightBytes; ++byte)
      plan->bytes[byte * fast::kByteValues + i] = static_cast<uint8_t>(integer >> (8 * byte));
  }
  fast::ByteSoftmax& how = plan->how;
  how.weights = plan->weights.data();
  how.float_weights = plan->floats.data();
  how.weight_bytes = plan->bytes.data();
  how.turn = is_signed_fixed(call.in(0).type) ? 0x80 : 0;
  how.out = fast::fixed_format(call.out());
  how.tolerance = softmax_tolerance(how.out);
  // The sum is at least the largest element's weight, 1.
  while (how.heavy < fast::kByteValues && plan->weights[how.heavy] / how.out.scale > 0.49) ++how.heavy;
  how.light =
      static_cast<uint8_t>(quantize(0.0, call.out().quantization.at(0), ir::integer_range(call.out().type)));
  return plan;
}

void run_bytes(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const size_t last = shape.rank() - 1;
  const auto& plan = static_cast<const ByteWeights&>(*args.plan);
  const auto* in = reinterpret_cast<const uint8_t*>(args.inputs[0]);
  auto* out = reinterpret_cast<uint8_t*>(args.outputs[0]);
  auto* room = reinterpret_cast<uint8_t*>(args.scratch.data());
  const fast::RowLoops& loops = fast::host_rows();
  for_each_cell(row_of_input(args.call), region, [&](const ir::Box& box) {
    const uint64_t row = ir::offset_of(shape, box.begin);
    loops.softmax_bytes(plan.how, in + row, room, shape[last], out + row, region.begin[last],
                        region.end[last]);
  });
}

Kernel byte_kernel() {
  return {.name = "bytes",
          .declines = [](const OpCall& call) -> std::optional<std::string> {
            if (!fast::has_plain_bytes(call.in(0)) || !fast::has_plain_bytes(call.out()))
              return "it is not from bytes to bytes";
            return declines_short_rows(call);
          },
          .run = run_bytes,
          .plan = plan_bytes,
          .scratch_bytes = [](const OpCall& call) -> uint64_t { return call.out().shape.from_end(0); }};
}

OpDef softmax_op(std::string_view type, Status (*check)(const OpCall&), KernelFn kernel) {
  const auto scratch = [](const OpCall& call) { return 2 * room_for<double>(call.out().shape.from_end(0)); };
  return cell_op<row_of_input, kSoftmaxCost>(type, check, reference_kernel(kernel, scratch));
}

}  // namespace

OpDef softmax() {
  OpDef def = softmax_op(
      "Softmax", [](const OpCall& call) { return check_softmax(call, "Softmax"); }, run_softmax<divided>);
  def.kernels.insert(def.kernels.begin(), {byte_kernel(), row_kernel()});
  return def;
}

OpDef log_softmax() {
  return softmax_op(
      "LogSoftmax", [](const OpCall& call) { return check_softmax(call, "LogSoftmax"); },
      run_softmax<logarithm>);
}

}  // namespace openqnn::ops
