// SPDX-License-Identifier: BSD-3-Clause
// Convolutions. The backend has them for two and three spatial dimensions, channels last; one spatial
// dimension gets a second of extent 1 in front.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/window.h"

namespace openqnn::frontend::onnx {
namespace {

Status infer_conv(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& x = node.dims(0);
  const Dims& w = node.dims(1);
  if (x.size() < 3 || w.size() != x.size())
    return node.wrong(concat("input ", text_of(x), " and weights ", text_of(w), " are no convolution's"));
  const int64_t group = node.attributes().integer("group", 1);
  if (group < 1 || x[1] % group != 0 || x[1] / group != w[1] || w[0] % group != 0)
    return node.wrong(concat(x[1], " channels do not fit weights ", text_of(w), " in ", group, " groups"));
  const Dims kernel(w.begin() + 2, w.end());
  if (node.attributes().integers("kernel_shape", kernel) != kernel)
    return node.wrong(concat("its kernel_shape is not that of the weights ", text_of(w)));
  OPENQNN_ASSIGN(const Window window, window_of(node, kernel));
  Dims out{x[0], w[0]};
  out.insert(out.end(), window.out.begin(), window.out.end());
  return node.set(0, node.type(0), std::move(out));
}

// Weights [out, in/group, k...] as the backend wants them: [k..., in/group, out].
Order weight_order(size_t rank) {
  Order order;
  for (uint32_t i = 2; i < rank; ++i) order.push_back(i);
  order.push_back(1);
  order.push_back(0);
  return order;
}

Status lower_conv(Lowering& node) {
  const size_t rank = node.rank(0);
  if (rank > 5) return node.not_offered("the backend convolves at most three spatial dimensions");
  const int64_t group = node.attributes().integer("group", 1);
  const int64_t channels = node.dims(0)[1];
  const int64_t filters = node.dims(1)[0];
  const Order order = channels_last(rank);
  Window window = window_of(node, {node.dims(1).begin() + 2, node.dims(1).end()});
  const bool depthwise = group > 1 && group == channels && node.dims(1)[1] == 1 && rank < 5;

  TensorRef x = node.input(0, order);
  TensorRef w = node.input(1, weight_order(rank));
  const TensorRef bias = node.has(2) ? node.input(2) : kNoTensorRef;
  Dims out = in_order(node.out().dims, order);
  if (rank == 3) {
    x = node.reshape(x, with_unit_dimension(node.lies_as(x), 1));
    w = node.reshape(w, with_unit_dimension(node.lies_as(w), 0));
    out = with_unit_dimension(out, 1);
    window.add_unit_dimension();
  }
  if (node.refusal()) return {};
  if (depthwise) w = node.reshape(w, {node.lies_as(w)[0], node.lies_as(w)[1], 1, filters});

  Params params;
  params.u32s("stride", window.strides()).u32s("pad_amount", window.pads(), window.pads_shape());
  params.u32s("dilation", window.dilations());
  if (!depthwise) params.u32("group", static_cast<uint32_t>(group));
  const char* type = depthwise ? "DepthWiseConv2d" : rank == 5 ? "Conv3d" : "Conv2d";
  const TensorRef y = node.emit(type, {x, w, bias}, params, node.out_type(), out);
  return node.result(node.reshape(y, in_order(node.out().dims, order)), order);
}

}  // namespace

std::span<const Rule> convolution_rules() {
  static const Rule kRules[] = {
      {"Conv", infer_conv, nullptr, lower_conv},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
