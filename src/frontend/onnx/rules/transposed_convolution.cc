// SPDX-License-Identifier: BSD-3-Clause
// Transposed convolutions, channels last like the others.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/window.h"

namespace openqnn::frontend::onnx {
namespace {

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

// `dims` are those of the input.
Result<Transposed> completed(const Attributes& attributes, Window window, const Dims& dims) {
  const size_t spatial = window.spatial();
  const Dims zeros(spatial, 0);
  Transposed result{std::move(window), attributes.integers("output_padding", zeros)};
  Window& w = result.window;
  const Dims target = attributes.integers("output_shape");
  const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (result.output_padding.size() != spatial || (!target.empty() && target.size() != spatial))
    return invalid("onnx-node", "output_padding or output_shape has another count than spatial dimensions");
  for (size_t i = 0; i < spatial; ++i) {
    int64_t& extra = result.output_padding[i];
    if (extra < 0 || extra >= std::max(w.stride[i], w.dilation[i]))
      return invalid("onnx-node", concat("output_padding ", extra, " is not below the stride or dilation"));
    const int64_t in = dims[i + 2];
    const int64_t full = full_extent(w, i, in) + extra;
    if (!target.empty() || same) {
      const int64_t wanted = target.empty() ? in * w.stride[i] : target[i];
      if (wanted < 1 || wanted > full + w.stride[i])
        return invalid("onnx-node", concat("an output of ", wanted, " cannot be cut out of ", full));
      if (wanted > full) extra += wanted - full;  // there is nothing to cut off
      cut(w, i, std::max<int64_t>(0, full - wanted), automatic == "SAME_UPPER");
    }
    w.out[i] = full_extent(w, i, in) + extra - w.pad_before[i] - w.pad_after[i];
    if (w.out[i] < 1) return invalid("onnx-node", "the padding cuts off all of its output");
  }
  return result;
}

Dims kernel_of(const Dims& weights) { return {weights.begin() + 2, weights.end()}; }

Status infer_conv_transpose(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& x = node.dims(0);
  const Dims& w = node.dims(1);
  if (x.size() < 3 || w.size() != x.size())
    return node.wrong(concat("input ", text_of(x), " and weights ", text_of(w), " are no convolution's"));
  const int64_t group = node.attributes().integer("group", 1);
  if (group < 1 || group > x[1] || x[1] != w[0] || x[1] % group != 0)
    return node.wrong(concat(x[1], " channels do not fit weights ", text_of(w), " in ", group, " groups"));
  if (node.attributes().integers("kernel_shape", kernel_of(w)) != kernel_of(w))
    return node.wrong(concat("its kernel_shape is not that of the weights ", text_of(w)));
  OPENQNN_ASSIGN(Window window, window_of(node, kernel_of(w)));
  auto transposed = completed(node.attributes(), std::move(window), x);
  if (!transposed) return node.wrong(transposed.error().message);
  Dims out{x[0], w[1] * group};
  out.insert(out.end(), transposed->window.out.begin(), transposed->window.out.end());
  return node.set(0, node.type(0), std::move(out));
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
  const Dims& from = weights.dims();
  const Dims to = spread_dims(from, dilation);
  ConstantBuilder out(weights.type(), to);
  Dims index(from.size(), 0);
  for (uint64_t at = 0; at < weights.count(); ++at) {
    int64_t place = 0;
    for (size_t d = 0; d < to.size(); ++d) place = place * to[d] + index[d] * (d < 2 ? 1 : dilation[d - 2]);
    out.put(static_cast<uint64_t>(place), weights.real(at));
    for (size_t d = from.size(); d-- > 0;) {
      if (++index[d] < from[d]) break;
      index[d] = 0;
    }
  }
  return out.take();
}

// Weights [in, out/group, k...] as the backend wants them: [k..., in, out/group].
Order weight_order(size_t rank) {
  Order order;
  for (uint32_t i = 2; i < rank; ++i) order.push_back(i);
  order.push_back(0);
  order.push_back(1);
  return order;
}

// How many spatial dimensions the backend's op has. The one of three alone has dilations; where the weights
// are constant, the zeros between are written into them instead.
size_t backend_spatial(size_t rank, bool dilated, bool constant) {
  return rank == 5 || (dilated && !constant) ? 3 : 2;
}

Status lower_conv_transpose(Lowering& node) {
  const size_t rank = node.rank(0);
  if (rank > 5) return node.not_offered("the backend convolves at most three spatial dimensions");
  const Dims kernel = kernel_of(node.dims(1));
  Transposed transposed = completed(node.attributes(), window_of(node, kernel), node.dims(0)).value();
  Window& window = transposed.window;
  Dims& extra = transposed.output_padding;
  const bool dilated =
      std::any_of(window.dilation.begin(), window.dilation.end(), [](int64_t d) { return d != 1; });
  const size_t spatial = backend_spatial(rank, dilated, node.constant(1) != nullptr);
  if (dilated && spatial == 2 && spread_count(node.dims(1), window.dilation) > kMostSpread)
    return node.not_offered("its dilated weights would be too large");

  const Order order = channels_last(rank);
  const Dims out = in_order(node.out().dims, order);
  Dims wide = out;
  TensorRef x = node.input(0, order);
  TensorRef w = dilated && spatial == 2
                    ? node.constant(spread(*node.constant(1), window.dilation), weight_order(rank))
                    : node.input(1, weight_order(rank));
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
  params.u32("group", static_cast<uint32_t>(node.attributes().integer("group", 1)));
  params.u32s("output_padding", {extra.begin(), extra.end()});
  if (spatial == 3) params.u32s("dilation", window.dilations());
  const TensorRef y = node.emit(spatial == 3 ? "TransposeConv3d" : "TransposeConv2d", {x, w, bias}, params,
                                node.out_type(), wide);
  return node.result(node.reshape(y, out), order);
}

}  // namespace

std::span<const Rule> transposed_convolution_rules() {
  static const Rule kRules[] = {
      {"ConvTranspose", infer_conv_transpose, nullptr, lower_conv_transpose},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
