// SPDX-License-Identifier: BSD-3-Clause
// PoolMax2d.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/text.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"
#include "ops/window.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: load and maximum per filter tap, and requantization.
constexpr uint64_t kInstructionsPerTap = 2;
constexpr uint64_t kRequantizeInstructions = 3;

WindowHW window_of(const OpCall& call) {
  return window_hw(call.in(0).shape, call.params->u32_at("filter_size", 0, 1),
                   call.params->u32_at("filter_size", 1, 1), *call.params);
}

Status check_pool(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  if (in.rank() != 4)
    return invalid("op-rank", concat("input has shape ", in.to_string(), " where [b, h, w, c] is needed"));
  const WindowHW window = window_of(call);
  OPENQNN_TRY(check_window(window.height, "height"));
  OPENQNN_TRY(check_window(window.width, "width"));
  const uint32_t rounding = call.params->u32("rounding_mode", 0);
  if (rounding > 1)
    return invalid("op-param-value", concat("rounding_mode ", rounding, " is not known"))
        .fix_by("use 0 (floor) or 1 (ceil)");
  const uint64_t out_h = window.height.output(rounding == 1);
  const uint64_t out_w = window.width.output(rounding == 1);
  if (out_h > UINT32_MAX || out_w > UINT32_MAX)
    return invalid("op-shape", concat("the output would be ", out_h, " x ", out_w, " positions"));
  return expect_shape("output", call.out().shape,
                      {in[0], static_cast<uint32_t>(out_h), static_cast<uint32_t>(out_w), in[3]});
}

ir::Box pool_input_box(const OpCall& call, size_t, const ir::Box& output) {
  const WindowHW window = window_of(call);
  ir::Box box = output;
  std::tie(box.begin[1], box.end[1]) = window.height.inputs(output.begin[1], output.end[1]);
  std::tie(box.begin[2], box.end[2]) = window.width.inputs(output.begin[2], output.end[2]);
  return box;
}

Work pool_work(const OpCall& call, const ir::Box& output) {
  const WindowHW window = window_of(call);
  const uint64_t taps = saturating_multiply(std::min(window.height.filter, window.height.input),
                                            std::min(window.width.filter, window.width.input));
  const bool requantizes =
      ir::is_quantized(call.out().type) && call.in(0).quantization.at(0) != call.out().quantization.at(0);
  const uint64_t bytes =
      box_bytes(call.in(0), pool_input_box(call, 0, output)) + box_bytes(call.out(), output);
  // Taps outside the input are padding: at most `input` of them are real, however large the filter says it
  // is.
  uint64_t instructions = saturating_multiply(taps, kInstructionsPerTap);
  if (requantizes && instructions < UINT64_MAX - kRequantizeInstructions)
    instructions += kRequantizeInstructions;
  return vector_work(call, output, instructions, bytes);
}

// Padding is minus infinity, as ONNX and its clients mean it (the definition says 0, which differs for
// windows of negative numbers at the border). A window of padding only is minus infinity, or the lowest
// stored value. A NaN in the window is the result.
void run_pool(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const WindowHW window = window_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const auto [h_begin, h_end] = window.height.inputs(index[1], index[1] + 1);
    const auto [w_begin, w_end] = window.width.inputs(index[2], index[2] + 1);
    double largest = -std::numeric_limits<double>::infinity();
    for (uint32_t h = h_begin; h < h_end; ++h)
      for (uint32_t w = w_begin; w < w_end; ++w) {
        const double value = read(ir::offset_of(in, {index[0], h, w, index[3]}));
        if (value > largest || std::isnan(value)) largest = value;
      }
    write(ir::offset_of(args.call.out().shape, index), largest);
  });
}

}  // namespace

const OpDef& pool_max_2d() {
  constexpr ir::DataType kU32 = ir::DataType::kUint32;
  static const OpDef op = {
      .type = "PoolMax2d",
      .schema = {.inputs = {{"input"}},
                 .outputs = {{"output"}},
                 .params = {{"filter_size", kU32, {2}, true},
                            {"stride", kU32, {2}, true},
                            {"pad_amount", kU32, {2, 2}, true},
                            {"rounding_mode", kU32, {}}},
                 .type_rows = {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8"}},
      .check = check_pool,
      .input_box = pool_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = pool_work,
      .kernels = {{"reference", nullptr, run_pool}},
  };
  return op;
}

}  // namespace openqnn::ops
