// SPDX-License-Identifier: BSD-3-Clause
// The skeleton of ops that apply one function to the elements of their inputs, broadcast together. An op is
// then a function, what it costs, and one call:
//
//   constexpr Function<1> kNegate{"negate", [](double x) { return -x; }, {6, 1}};
//   OpDef element_wise_neg() { return map_op<1, always<kNegate>>("ElementWiseNeg"); }
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/fast/map_kernels.h"
#include "ops/op.h"

namespace openqnn::ops {

// Vector instructions per 128 bytes of output. All of them are ours, counted from how HVX code looks: fixed
// point is widened, scaled, combined and narrowed, or looked up; half is computed directly.
struct Instructions {
  uint64_t fixed;  // and plain integers
  uint64_t half;
};

// What multiplying a result by its input adds: a fixed-point result is looked up as a whole.
inline constexpr Instructions kGate = {0, 1};
inline bool is_gated(const OpCall& call) { return call.epilogue.activation == Activation::kTimesInput; }

// A function of `inputs` real numbers.
template <size_t inputs>
struct Function;
template <>
struct Function<1> {
  std::string_view name;
  double (*apply)(double);
  Instructions cost;
};
template <>
struct Function<2> {
  std::string_view name;
  double (*apply)(double, double);
  Instructions cost;
};

// For ops that have but one function.
template <const auto& function>
const auto& always(const OpCall& /*call*/) {
  return function;
}

// Writes apply(a, b, …) for every element of the region.
template <size_t inputs, class Apply>
void map_elements(const KernelArgs& args, const ir::Box& region, const Apply& apply) {
  const ir::Shape& shape = args.call.out().shape;
  const auto run = [&]<size_t... i>(std::index_sequence<i...> /*indices*/) {
    const std::array readers = {ElementReader(args.call.in(i), args.inputs[i])...};
    const std::array is_bool = {(args.call.in(i).type == ir::DataType::kBool8)...};
    const std::array stretched = {!(args.call.in(i).shape == shape)...};
    const ElementWriter write(args.call.out(), args.outputs[0]);
    ir::for_each_index(region, [&](const ir::Shape& index) {
      const uint64_t at = ir::offset_of(shape, index);
      const auto value = [&](size_t input) {
        const double stored =
            readers[input](stretched[input] ? broadcast_offset(args.call.in(input).shape, index) : at);
        return is_bool[input] && stored != 0.0 ? 1.0 : stored;  // any other byte is true as well
      };
      write(at, apply(value(i)...));
    });
  };
  run(std::make_index_sequence<inputs>{});
}

// A function of one element whose result multiplies that element (Activation::kTimesInput).
template <class Apply>
void map_gated(const KernelArgs& args, const ir::Box& region, const Apply& apply) {
  const ir::TensorDesc& out = args.call.out();
  const ir::ScaleOffset between = args.call.epilogue.between();
  const IntegerRange range = range_of(out.type, out.quantization.bits);
  const auto rounded = [&](double y) -> double {
    if (out.type == ir::DataType::kFloat16) return to_float(one_nan(to_half(y)));
    return dequantize(quantize(y, between, range), between);
  };
  map_elements<1>(args, region, [&](double x) { return x * rounded(apply(x)); });
}

// The output has the shape of the inputs broadcast together.
Status check_broadcast(const OpCall& call);
Work map_work(const OpCall& call, const ir::Box& output, Instructions cost);
// Shapes and tiles, without work and kernels.
OpDef map_op_shell(std::string_view type);

// `choose` gives what a call computes: something with a `cost` and an `apply`. `our_rows`: what later notes
// or clients have beyond the tables.
template <size_t inputs, auto choose>
OpDef map_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  OpDef op = map_op_shell(type);
  op.our_rows = our_rows;
  op.gates = inputs == 1;
  op.work = [](const OpCall& call, const ir::Box& output) {
    Instructions cost = choose(call).cost;
    if (is_gated(call)) cost = {cost.fixed + kGate.fixed, cost.half + kGate.half};
    return map_work(call, output, cost);
  };
  static constexpr KernelFn kReference = [](const KernelArgs& args, const ir::Box& region) {
    if constexpr (inputs == 1)
      if (is_gated(args.call)) return map_gated(args, region, choose(args.call).apply);
    map_elements<inputs>(args, region, choose(args.call).apply);
  };
  op.kernels = {{"reference", nullptr, kReference}};
  if constexpr (inputs == 1)
    op.kernels.insert(op.kernels.begin(),
                      {.name = "table",
                       .declines = fast::declines_table,
                       .run = fast::run_table,
                       .plan = [](const KernelArgs& args) { return fast::plan_table(args, kReference); }});
  return op;
}

// The parameter `operation` of the ops that stand for many, checked against their table.
Status unknown_operation(uint32_t operation, std::string_view first, size_t count, std::string_view last);

template <class Table>
Status check_operation(const OpCall& call, const Table& table) {
  const uint32_t operation = call.params->u32("operation", 0);
  if (operation < table.size()) return {};
  return unknown_operation(operation, table.front().name, table.size(), table.back().name);
}

}  // namespace openqnn::ops
