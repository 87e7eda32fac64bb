// SPDX-License-Identifier: BSD-3-Clause
// Conv2d: cross-correlation in NHWC with weights [fh, fw, cin / group, cout].
#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "ops/common.h"
#include "ops/dot.h"
#include "ops/op.h"
#include "ops/packed_weights.h"
#include "ops/window.h"

namespace openqnn::ops {
namespace {

enum : size_t { kInput, kWeight, kBias };

uint32_t group_count(const OpCall& call) { return call.params->u32("group", 1); }

WindowHW window_of(const OpCall& call) {
  const ir::Shape& weight = call.in(kWeight).shape;
  return window_hw(call.in(kInput).shape, weight[0], weight[1], *call.params);
}

Status check_groups(const OpCall& call) {
  const uint32_t groups = group_count(call);
  const uint32_t channels = call.in(kInput).shape[3];
  const ir::Shape& weight = call.in(kWeight).shape;
  if (groups == 0 || channels % groups != 0 || weight[3] % groups != 0)
    return invalid("op-param-value", concat("group ", groups, " does not divide both the ", channels,
                                            " input channels and the ", weight[3], " output channels"));
  if (weight[2] != channels / groups)
    return invalid("op-shape",
                   concat("weights ", weight.to_string(), " read ", weight[2], " input channels where ",
                          channels, " channels in ", groups, " group(s) give ", channels / groups))
        .fix_by("the weights' layout is [fh, fw, cin / group, cout]");
  return {};
}

Status check_conv(const OpCall& call) {
  const ir::Shape& in = call.in(kInput).shape;
  const ir::Shape& weight = call.in(kWeight).shape;
  if (in.rank() != 4)
    return invalid("op-rank", concat("input has shape ", in.to_string(), " where [b, h, w, cin] is needed"));
  if (weight.rank() != 4)
    return invalid("op-rank", concat("weights have shape ", weight.to_string(),
                                     " where [fh, fw, cin / group, cout] is needed"));
  if (call.params->boolean("reuse_sparse_indices", false))
    return unsupported("op-param-value", "reuse_sparse_indices is for sparse tensors, which are not offered");
  OPENQNN_TRY(check_groups(call));
  OPENQNN_TRY(check_sum_length(uint64_t{weight[0]} * weight[1] * weight[2]));
  const WindowHW window = window_of(call);
  OPENQNN_TRY(check_window(window.height, "height"));
  OPENQNN_TRY(check_window(window.width, "width"));
  const uint64_t out_h = window.height.output(false);
  const uint64_t out_w = window.width.output(false);
  if (out_h > UINT32_MAX || out_w > UINT32_MAX)
    return invalid("op-shape", concat("the output would be ", out_h, " x ", out_w, " positions"));
  OPENQNN_TRY(check_weight_encoding(call.in(kWeight), 3));
  if (call.has_input(kBias)) OPENQNN_TRY(check_bias(call.in(kBias), weight[3]));
  return expect_shape("output", call.out().shape,
                      {in[0], static_cast<uint32_t>(out_h), static_cast<uint32_t>(out_w), weight[3]});
}

ir::Box conv_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(index).shape);
  const size_t last = box.rank() - 1;
  if (output.empty()) {
    box.end = box.begin;
    return box;
  }
  if (index != kInput) {  // weights and bias: the output channels of the box
    box.begin[last] = output.begin[3];
    box.end[last] = output.end[3];
    return box;
  }
  const WindowHW window = window_of(call);
  std::tie(box.begin[0], box.end[0]) = std::pair(output.begin[0], output.end[0]);
  std::tie(box.begin[1], box.end[1]) = window.height.inputs(output.begin[1], output.end[1]);
  std::tie(box.begin[2], box.end[2]) = window.width.inputs(output.begin[2], output.end[2]);
  const ir::Shape& weight = call.in(kWeight).shape;
  const uint32_t columns = weight[3] / group_count(call);
  box.begin[3] = output.begin[3] / columns * weight[2];
  box.end[3] = ((output.end[3] - 1) / columns + 1) * weight[2];
  return box;
}

Work conv_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const ir::Shape& weight = call.in(kWeight).shape;
  const PackedShape packed = conv_packed_shape(weight, group_count(call));
  const uint64_t positions = uint64_t{output.extent(0)} * output.extent(1) * output.extent(2);
  // Each group is a matrix of its own; a box inside one group issues only the columns it has.
  const uint64_t groups = (output.end[3] - 1) / packed.n - output.begin[3] / packed.n + 1;
  const uint64_t columns = groups == 1 ? output.extent(3) : packed.n;
  const uint64_t weight_bytes =
      groups * packed.padded_k() * round_up(columns, kHmxBlock) * ir::byte_size(call.in(kWeight).type);
  return matrix_work(call, groups, positions, packed.k, columns,
                     box_bytes(call.in(kInput), conv_input_box(call, kInput, output)) + weight_bytes +
                         box_bytes(call.out(), output));
}

std::optional<StoredOperand> store_conv(const OpCall& call, size_t index, const std::byte* data) {
  if (index == kWeight) return pack_conv_weights(call.in(kWeight), data, group_count(call));
  if (index == kBias) return store_bias(call, data);
  return std::nullopt;
}

uint64_t conv_packed_bytes(const OpCall& call, const ir::Box& box) {
  const ir::TensorDesc& weight = call.in(kWeight);
  const PackedShape packed = conv_packed_shape(weight.shape, group_count(call));
  uint64_t bytes = 0;
  // Column by column of groups: each group is a matrix of its own.
  for (uint64_t column = box.begin[3]; column < box.end[3];) {
    const uint64_t first = column / packed.n * packed.n;
    const uint64_t end = std::min<uint64_t>(first + packed.n, box.end[3]);
    bytes += packed_column_bytes(packed, weight.layout, column - first, end - first);
    column = end;
  }
  return bytes;
}

template <class Dot>
void run_conv_with(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(kInput).shape;
  const ir::Shape& weight = call.in(kWeight).shape;
  const uint32_t columns = weight[3] / group_count(call);
  const ConvWeightIndex weight_index(call.in(kWeight), group_count(call));
  const WindowHW window = window_of(call);
  Dot dot(args);
  ir::for_each_index(region, [&](const ir::Shape& at) {
    const uint32_t first_channel = at[3] / columns * weight[2];
    dot.begin(at[3]);
    for (uint32_t fh = 0; fh < weight[0]; ++fh) {
      const int64_t h =
          window.height.start(at[1]) + static_cast<int64_t>(uint64_t{fh} * window.height.dilation);
      if (h < 0 || h >= in[1]) continue;  // padding is 0 and adds nothing
      for (uint32_t fw = 0; fw < weight[1]; ++fw) {
        const int64_t w =
            window.width.start(at[2]) + static_cast<int64_t>(uint64_t{fw} * window.width.dilation);
        if (w < 0 || w >= in[2]) continue;
        const uint64_t pixel =
            ir::offset_of(in, {at[0], static_cast<uint32_t>(h), static_cast<uint32_t>(w), first_channel});
        const uint64_t first_k = (uint64_t{fh} * weight[1] + fw) * weight[2];
        for (uint32_t channel = 0; channel < weight[2]; ++channel)
          dot.add(pixel + channel, weight_index(fh, fw, channel, at[3]), first_k + channel);
      }
    }
    dot.end(ir::offset_of(call.out().shape, at));
  });
}

void run_conv(const KernelArgs& args, const ir::Box& region) {
  if (args.call.out().type == ir::DataType::kFloat16)
    run_conv_with<HalfDot>(args, region);
  else
    run_conv_with<IntegerDot>(args, region);
}

}  // namespace

const OpDef& conv2d() {
  constexpr ir::DataType kU32 = ir::DataType::kUint32;
  static const OpDef op = {
      .type = "Conv2d",
      .schema = {.inputs = {{"input"}, {"weight", false, true}, {"bias", true, true}},
                 .outputs = {{"output"}},
                 .params = {{"stride", kU32, {2}, true},
                            {"pad_amount", kU32, {2, 2}, true},
                            {"group", kU32, {}},
                            {"dilation", kU32, {2}},
                            {"reuse_sparse_indices", ir::DataType::kBool8, {}}},
                 .type_rows = {"f16,f16,f16 -> f16", "f32,f32,f32 -> f32", "ufx8,ufx8,ufx8 -> ufx8",
                               "ufx8,ufx8,sfx32 -> ufx8", "ufx8,sfx8,ufx8 -> ufx8",
                               "ufx8,sfx8,sfx32 -> ufx8"},
                 .stored_rows = {"ufx8,ufx8,i32 -> ufx8", "ufx8,sfx8,i32 -> ufx8"}},
      .check = check_conv,
      .input_box = conv_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = conv_work,
      .store = store_conv,
      .packed_input = kWeight,
      .packed_bytes = conv_packed_bytes,
      .fuses = [](Activation activation) { return activation == Activation::kRelu; },
      .kernels = {{"reference", nullptr, run_conv}},
  };
  return op;
}

}  // namespace openqnn::ops
