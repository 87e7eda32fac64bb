// SPDX-License-Identifier: BSD-3-Clause
// Convolutions and transposed ones. The backend has them for two and three spatial dimensions, channels last;
// one spatial dimension gets a second of extent 1 in front.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/fold.h"
#include "frontend/onnx/rules/window.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- What both have in common ----

int64_t group_of(const NodeView& node) { return node.attributes().integer("group", 1); }

Dims kernel_of(const NodeView& node) { return {node.dims(1).begin() + 2, node.dims(1).end()}; }

// `channels_fit` says whether the channels of input and weights do, in so many groups.
Status check_weights(const Inference& node,
                     bool (*channels_fit)(const Dims& x, const Dims& w, int64_t group)) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& x = node.dims(0);
  const Dims& w = node.dims(1);
  if (x.size() < 3 || w.size() != x.size())
    return node.wrong(concat("input ", text_of(x), " and weights ", text_of(w), " are no convolution's"));
  const int64_t group = group_of(node);
  if (group < 1 || !channels_fit(x, w, group))
    return node.wrong(concat(x[1], " channels do not fit weights ", text_of(w), " in ", group, " groups"));
  if (node.attributes().integers("kernel_shape", kernel_of(node)) != kernel_of(node))
    return node.wrong(concat("its kernel_shape is not that of the weights ", text_of(w)));
  return {};
}

Status set_convolved(Inference& node, int64_t channels, const Window& window) {
  if (node.has(2) && node.dims(2) != Dims{channels})
    return node.wrong(concat("its bias ", text_of(node.dims(2)), " is not one for ", channels, " channels"));
  Dims out{node.dims(0)[0], channels};
  out.insert(out.end(), window.out.begin(), window.out.end());
  return node.set(0, node.type(0), std::move(out));
}

// Weights [a, b, k...] as the backend wants them: [k..., and the first two in the order given].
Order weight_order(size_t rank, const Order& first_two) {
  Order order;
  for (uint32_t i = 2; i < rank; ++i) order.push_back(i);
  order.insert(order.end(), first_two.begin(), first_two.end());
  return order;
}

// ---- Conv ----

Status infer_conv(Inference& node) {
  OPENQNN_TRY(check_weights(node, [](const Dims& x, const Dims& w, int64_t group) {
    return x[1] % group == 0 && x[1] / group == w[1] && w[0] % group == 0;
  }));
  OPENQNN_ASSIGN(const Window window, window_of(node, kernel_of(node)));
  return set_convolved(node, node.dims(1)[0], window);
}

Status lower_conv(Lowering& node) {
  const size_t rank = node.rank(0);
  if (rank > 5) return node.not_offered("the backend convolves at most three spatial dimensions");
  const int64_t group = group_of(node);
  const int64_t channels = node.dims(0)[1];
  const Order order = channels_last(rank);
  OPENQNN_ASSIGN(Window window, window_of(node, kernel_of(node)));
  const bool depthwise = group > 1 && group == channels && node.dims(1)[1] == 1 && rank < 5;

  TensorRef x = node.input(0, order);
  TensorRef w = node.input(1, weight_order(rank, {1, 0}));
  const TensorRef bias = node.has(2) ? node.input(2) : kNoTensorRef;
  Dims out = in_order(node.out().dims, order);
  if (rank == 3) {
    x = node.reshape(x, with_unit_dimension(node.lies_as(x), 1));
    w = node.reshape(w, with_unit_dimension(node.lies_as(w), 0));
    out = with_unit_dimension(out, 1);
    window.add_unit_dimension();
  }

  Params params;
  params.u32s("stride", window.strides()).u32s("pad_amount", window.pads(), window.pads_shape());
  params.u32s("dilation", window.dilations());
  if (!depthwise) params.u32("group", static_cast<uint32_t>(group));
  const char* type = depthwise ? "DepthWiseConv2d" : rank == 5 ? "Conv3d" : "Conv2d";
  const TensorRef y = node.emit(type, {x, w, bias}, params, node.out_type(), out);
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

// ---- ConvTranspose ----

// What a transposed convolution has beside a Window: the padding is cut off the result, and the result may be
// said to be larger.
struct Transposed {
  Window window;  // `out` is that of the transposed convolution
  Dims output_padding;
};

// Before the padding is cut off.
int64_t full_extent(const Window& window, size_t i, int64_t in) {
  return window.stride[i] * (in - 1) + (window.kernel[i] - 1) * window.dilation[i] + 1;
}

// Half of what is cut off goes to each side; the odd one to the end, or to the beginning.
void cut(Window& window, size_t i, int64_t total, bool more_at_end) {
  const int64_t less = total / 2;
  window.pad_before[i] = more_at_end ? less : total - less;
  window.pad_after[i] = total - window.pad_before[i];
}

Result<Transposed> transposed_of(const NodeView& node) {
  OPENQNN_ASSIGN(Window w, window_of(node, kernel_of(node)));
  const size_t spatial = w.spatial();
  Dims output_padding = node.attributes().integers("output_padding", Dims(spatial, 0));
  const Dims target = node.attributes().integers("output_shape");
  const std::string_view automatic = node.attributes().text("auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (output_padding.size() != spatial || (!target.empty() && target.size() != spatial))
    return node.wrong("output_padding or output_shape has another count than spatial dimensions");
  for (size_t i = 0; i < spatial; ++i) {
    int64_t& extra = output_padding[i];
    if (extra < 0 || extra >= std::max(w.stride[i], w.dilation[i]))
      return node.wrong(concat("output_padding ", extra, " is not below the stride or dilation"));
    const int64_t in = node.dims(0)[i + 2];
    const int64_t full = full_extent(w, i, in) + extra;
    if (!target.empty() || same) {
      const int64_t wanted = target.empty() ? in * w.stride[i] : target[i];
      if (wanted < 1 || wanted > full + w.stride[i])
        return node.wrong(concat("an output of ", wanted, " cannot be cut out of ", full));
      if (wanted > full) extra += wanted - full;  // there is nothing to cut off
      cut(w, i, std::max<int64_t>(0, full - wanted), automatic == "SAME_UPPER");
    }
    w.out[i] = full_extent(w, i, in) + extra - w.pad_before[i] - w.pad_after[i];
    if (w.out[i] < 1) return node.wrong("the padding cuts off all of its output");
  }
  return Transposed{std::move(w), std::move(output_padding)};
}

Status infer_conv_transpose(Inference& node) {
  OPENQNN_TRY(check_weights(node, [](const Dims& x, const Dims& w, int64_t group) {
    return group <= x[1] && x[1] == w[0] && x[1] % group == 0;
  }));
  OPENQNN_ASSIGN(const Transposed transposed, transposed_of(node));
  return set_convolved(node, node.dims(1)[1] * group_of(node), transposed.window);
}

constexpr uint64_t kMostSpread = uint64_t{1} << 28;

Dims spread_dims(Dims dims, const Dims& dilation) {
  for (size_t i = 0; i < dilation.size(); ++i) dims[i + 2] = (dims[i + 2] - 1) * dilation[i] + 1;
  return dims;
}

uint64_t spread_count(const Dims& dims, const Dims& dilation) {
  const auto count = checked_count(spread_dims(dims, dilation));
  return count ? *count : UINT64_MAX;
}

// Filters with the gaps of a dilation filled with zeros: the backend's op of two dimensions has no dilation.
Constant spread(const Constant& weights, const Dims& dilation) {
  const Dims to = spread_dims(weights.dims(), dilation);
  View places{strides_of(to)};
  for (size_t i = 0; i < dilation.size(); ++i) places.strides[i + 2] *= dilation[i];
  ConstantBuilder out(weights.type(), to);
  walk(weights.dims(), {places}, [&](uint64_t from, const std::vector<int64_t>& at) {
    out.put(static_cast<uint64_t>(at[0]), weights.real(from));
  });
  return out.take();
}

// How many spatial dimensions the backend's op has. The one of three alone has dilations; where the weights
// are constant, the zeros between are written into them instead.
size_t backend_spatial(size_t rank, bool dilated, bool constant) {
  return rank == 5 || (dilated && !constant) ? 3 : 2;
}

Status lower_conv_transpose(Lowering& node) {
  const size_t rank = node.rank(0);
  if (rank > 5) return node.not_offered("the backend convolves at most three spatial dimensions");
  OPENQNN_ASSIGN(Transposed transposed, transposed_of(node));
  Window& window = transposed.window;
  Dims& extra = transposed.output_padding;
  const bool dilated = window.is_dilated();
  const size_t spatial = backend_spatial(rank, dilated, node.constant(1) != nullptr);
  if (dilated && spatial == 2 && spread_count(node.dims(1), window.dilation) > kMostSpread)
    return node.not_offered("its dilated weights would be too large");

  const Order order = channels_last(rank);
  const Order weights_lie = weight_order(rank, {0, 1});
  const Dims out = in_order(node.out().dims, order);
  Dims wide = out;
  TensorRef x = node.input(0, order);
  TensorRef w = dilated && spatial == 2
                    ? node.constant(spread(*node.constant(1), window.dilation), weights_lie)
                    : node.input(1, weights_lie);
  while (window.spatial() < spatial) {
    x = node.reshape(x, with_unit_dimension(node.lies_as(x), 1));
    w = node.reshape(w, with_unit_dimension(node.lies_as(w), 0));
    wide = with_unit_dimension(wide, 1);
    window.add_unit_dimension();
    extra.insert(extra.begin(), 0);
  }
  const TensorRef bias = node.has(2) ? node.input(2) : kNoTensorRef;
  Params params;
  params.u32s("stride", window.strides()).u32s("pad_amount", window.pads(), window.pads_shape());
  params.u32("group", static_cast<uint32_t>(group_of(node)));
  params.u32s("output_padding", {extra.begin(), extra.end()});
  if (spatial == 3) params.u32s("dilation", window.dilations());
  const TensorRef y = node.emit(spatial == 3 ? "TransposeConv3d" : "TransposeConv2d", {x, w, bias}, params,
                                node.out_type(), wide);
  return node.result(node.reshape(y, out), order);
}

}  // namespace

std::span<const Rule> convolution_rules() {
  static const Rule kRules[] = {
      {"Conv", infer_conv, nullptr, lower_conv},
      {"ConvTranspose", infer_conv_transpose, nullptr, lower_conv_transpose},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
