// SPDX-License-Identifier: BSD-3-Clause
// ElementWiseAdd and Relu.
#include "base/text.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"
#include "ops/relu.h"
#include "ops/unary.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours, counted from how HVX code for them looks: widen, scale,
// combine, narrow.
constexpr uint64_t kAddInstructions8 = 10;
constexpr uint64_t kAddInstructions16 = 3;
constexpr uint64_t kReluInstructions = 4;

Status check_add(const OpCall& call) {
  const ir::Shape& a = call.in(0).shape;
  const ir::Shape& b = call.in(1).shape;
  const std::optional<ir::Shape> expected = broadcast(a, b);
  if (!expected)
    return invalid("op-shape",
                   concat("inputs ", a.to_string(), " and ", b.to_string(), " do not broadcast together"))
        .fix_by("dimensions, counted from the last one, must be equal or 1");
  return expect_shape("output", call.out().shape, *expected);
}

ir::Box add_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  return broadcast_box(call.in(index).shape, output);
}

Work add_work(const OpCall& call, const ir::Box& output) {
  const bool half = call.out().type == ir::DataType::kFloat16;
  uint64_t bytes = box_bytes(call.out(), output);
  for (size_t i = 0; i < 2; ++i) bytes += box_bytes(call.in(i), add_input_box(call, i, output));
  return vector_work(call, output, half ? kAddInstructions16 : kAddInstructions8, bytes);
}

void run_add(const KernelArgs& args, const ir::Box& region) {
  const ir::TensorDesc& a = args.call.in(0);
  const ir::TensorDesc& b = args.call.in(1);
  const ElementReader read_a(a, args.inputs[0]);
  const ElementReader read_b(b, args.inputs[1]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    write(ir::offset_of(args.call.out().shape, index),
          read_a(broadcast_offset(a.shape, index)) + read_b(broadcast_offset(b.shape, index)));
  });
}

}  // namespace

const OpDef& element_wise_add() {
  static const OpDef op = {
      .type = "ElementWiseAdd",
      .schema = {.inputs = {{"a"}, {"b"}},
                 .outputs = {{"output"}},
                 .type_rows = {"f16,f16 -> f16", "f32,f32 -> f32", "ufx8,ufx8 -> ufx8"}},
      .check = check_add,
      .input_box = add_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = add_work,
      .kernels = {{"reference", nullptr, run_add}},
  };
  return op;
}

const OpDef& relu() {
  static const OpDef op = [] {
    OpDef def = unary_op<relu_of, kReluInstructions>("Relu");
    def.folds_as = Activation::kRelu;
    return def;
  }();
  return op;
}

}  // namespace openqnn::ops
