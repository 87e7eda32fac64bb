// SPDX-License-Identifier: BSD-3-Clause
// CenterCropPad: dimensions become longer or shorter at both ends, the odd element at the end.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"

namespace openqnn::frontend::onnx {
namespace {

Status infer_center_crop_pad(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const auto shape, node.need_integers(1, "the new shape"));
  std::vector<int64_t> all(node.rank(0));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
  OPENQNN_ASSIGN(const auto axes, node.axes(node.attributes().integers("axes", all), node.rank(0)));
  if (shape.size() != axes.size())
    return node.wrong(concat("its shape has ", shape.size(), " numbers for ", axes.size(), " axes"));
  Dims out = node.dims(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (shape[i] < 1 || shape[i] > INT32_MAX) return node.wrong(concat("its shape is ", text_of(shape)));
    out[axes[i]] = shape[i];
  }
  return node.set(0, node.type(0), std::move(out));
}

Status lower_center_crop_pad(Lowering& node) {
  const Order order = order_of(node, 0);
  TensorRef x = node.input(0, order);
  const Dims from = in_order(node.dims(0), order);
  const Dims to = in_order(node.out().dims, order);
  const auto rank = static_cast<uint32_t>(order.size());
  Dims cropped = from;
  std::vector<int32_t> ranges;
  std::vector<uint32_t> pads;
  for (size_t i = 0; i < order.size(); ++i) {
    cropped[i] = std::min(from[i], to[i]);
    const int64_t begin = (from[i] - cropped[i]) / 2;
    for (const int64_t bound : {begin, begin + cropped[i], int64_t{1}})
      ranges.push_back(static_cast<int32_t>(bound));
    const int64_t missing = to[i] - cropped[i];
    pads.push_back(static_cast<uint32_t>(missing / 2));
    pads.push_back(static_cast<uint32_t>(missing - missing / 2));
  }
  if (cropped != from)
    x = node.emit("StridedSlice", {x}, Params().i32s("ranges", ranges, {rank, 3}), node.out_type(), cropped);
  if (cropped != to)
    x = node.emit("Pad", {x}, Params().u32("scheme", 0).u32s("pad_amount", pads, {rank, 2}), node.out_type(),
                  to);
  return node.result(x, order);
}

}  // namespace

std::span<const Rule> crop_rules() {
  static const Rule kRules[] = {
      {"CenterCropPad", infer_center_crop_pad, nullptr, lower_center_crop_pad},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
