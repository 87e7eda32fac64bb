// SPDX-License-Identifier: BSD-3-Clause
// Pools: a window slides over the spatial dimensions and becomes one element.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/window.h"

namespace openqnn::frontend::onnx {
namespace {

// A dilated window is taken apart into as many slices as it is wide, up to so many.
constexpr int64_t kMostSlices = 128;
constexpr double kLowestHalf = -65504;

// ---- Shapes ----

Status infer_pool(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const Dims& x = node.dims(0);
  if (x.size() < 3) return node.wrong(concat("input ", text_of(x), " has no spatial dimensions"));
  OPENQNN_ASSIGN(const Window window, window_of(node, {}));
  for (const int64_t extent : window.out)
    if (extent < 1) return node.wrong(concat("its window is larger than the padded input ", text_of(x)));
  Dims out{x[0], x[1]};
  out.insert(out.end(), window.out.begin(), window.out.end());
  if (node.wants(1)) {
    return node.not_offered("the backend's max pool does not say where it found the maximum")
        .fix_by("export the model without the Indices output");
  }
  return node.set(0, node.type(0), std::move(out));
}

Status infer_global(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  Dims out = node.dims(0);
  if (out.size() < 3) return node.wrong(concat("input ", text_of(out), " has no spatial dimensions"));
  std::fill(out.begin() + 2, out.end(), 1);
  return node.set(0, node.type(0), std::move(out));
}

// ---- Windows without gaps ----

// One of the backend's pools over `x`, which lies channels last.
TensorRef pool(Lowering& node, std::string_view name, TensorRef x, Window window, bool counts_padding) {
  const Dims out = in_order(node.out().dims, channels_last(node.rank(0)));
  const bool one_dimension = window.spatial() == 1;
  if (one_dimension) window.add_unit_dimension();
  Params params;
  params.u32s("filter_size", window.kernels()).u32s("stride", window.strides());
  params.u32s("pad_amount", window.pads(), window.pads_shape());
  if (counts_padding) params.boolean("count_pad_for_edges", true);
  if (window.rounds_up) params.u32("rounding_mode", 1);
  const std::string type = concat(name, window.spatial() == 3 ? "3d" : "2d");
  const TensorRef y = node.emit(type, {with_two_spatial(node, x)}, params, node.desc(x).type,
                                one_dimension ? with_unit_dimension(out, 1) : out);
  return node.reshape(y, out);
}

// The last windows of some dimensions round up and those of others do not: the backend has one answer for
// all. What is missing is put into the padding instead, where it does not count.
Window without_rounding(Window window, const Dims& dims) {
  for (size_t i = 0; i < window.spatial(); ++i) {
    const int64_t span = (window.kernel[i] - 1) * window.dilation[i] + 1;
    const int64_t needed = (window.out[i] - 1) * window.stride[i] + span - dims[i + 2] - window.pad_before[i];
    window.pad_after[i] = std::max(window.pad_after[i], needed);
  }
  window.rounds_up = false;
  return window;
}

// ---- MaxPool ----

// Along dimension `at` of a padded tensor: the greatest of the slices that each place in the window sees.
TensorRef maximum_along(Lowering& node, TensorRef x, size_t at, const Window& window) {
  Dims out = node.lies_as(x);
  if (at >= out.size()) return kNoTensorRef;  // a refusal before
  const Dims in = out;
  out[at] = window.out[at - 1];
  TensorRef largest = kNoTensorRef;
  for (int64_t tap = 0; tap < window.kernel[at - 1]; ++tap) {
    std::vector<int32_t> ranges;
    for (size_t d = 0; d < in.size(); ++d) {
      const int64_t begin = d == at ? tap * window.dilation[at - 1] : 0;
      const int64_t stride = d == at ? window.stride[at - 1] : 1;
      const int64_t end = begin + (out[d] - 1) * stride + 1;
      for (const int64_t bound : {begin, end, stride}) ranges.push_back(static_cast<int32_t>(bound));
    }
    const ir::Shape shape{static_cast<uint32_t>(in.size()), 3};
    const TensorRef slice =
        node.emit("StridedSlice", {x}, Params().i32s("ranges", ranges, shape), node.desc(x).type, out);
    largest = tap == 0 ? slice : node.binary("ElementWiseMaximum", largest, slice);
  }
  return largest;
}

// The maximum of a window is that of its rows' maxima, so that dimensions go one after the other.
TensorRef dilated_maximum(Lowering& node, TensorRef x, const Window& window) {
  std::vector<uint32_t> pads{0, 0};
  const auto spatial = window.pads();
  pads.insert(pads.end(), spatial.begin(), spatial.end());
  pads.insert(pads.end(), {0, 0});
  Dims padded = node.lies_as(x);
  if (2 * padded.size() != pads.size()) return kNoTensorRef;  // a refusal before
  for (size_t d = 0; d < padded.size(); ++d) padded[d] += int64_t{pads[2 * d]} + pads[2 * d + 1];
  if (padded != node.lies_as(x)) {
    Params params;
    params.u32("scheme", 0).f32("pad_constant_value", kLowestHalf);
    params.u32s("pad_amount", pads, {static_cast<uint32_t>(padded.size()), 2});
    x = node.emit("Pad", {x}, params, node.desc(x).type, padded);
  }
  for (size_t at = 1; at + 1 < padded.size(); ++at) x = maximum_along(node, x, at, window);
  return x;
}

// Bytes go through real numbers, which hold them exactly.
Status lower_max(Lowering& node) {
  const Order order = channels_last(node.rank(0));
  OPENQNN_ASSIGN(Window window, window_of(node, {}));
  window = without_rounding(window, node.dims(0));
  TensorRef x = node.input(0, order);
  if (!is_real(node.in(0).type)) x = node.cast(x, ir::DataType::kFloat32);
  TensorRef y = kNoTensorRef;
  if (window.is_dilated()) {
    for (const int64_t extent : window.kernel)
      if (extent > kMostSlices)
        return node.not_offered(concat("a dilated window of more than ", kMostSlices, " is not composed"));
    y = dilated_maximum(node, x, window);
  } else {
    y = pool(node, "PoolMax", x, window, false);
  }
  return node.result(node.cast(y, node.out_type()), order);
}

// ---- AveragePool, LpPool ----

Status lower_average(Lowering& node) {
  OPENQNN_ASSIGN(Window window, window_of(node, {}));
  if (window.is_dilated()) return node.not_offered("the backend has no dilated average pool");
  const bool counts_padding = node.attributes().integer("count_include_pad", 0) != 0;
  if (!counts_padding) window = without_rounding(window, node.dims(0));
  const Order order = channels_last(node.rank(0));
  return node.result(pool(node, "PoolAvg", node.input(0, order), window, counts_padding), order);
}

// The root of the mean of the powers, times the root of how many there are: sums would leave half's range
// sooner.
TensorRef norm_of_mean(Lowering& node, TensorRef mean, int64_t p, double count) {
  if (p == 1) return node.binary("ElementWiseMultiply", mean, node.reals({1}, {count}));
  return node.binary("ElementWiseMultiply", node.unary("ElementWiseSquareRoot", mean),
                     node.reals({1}, {std::sqrt(count)}));
}

TensorRef powers(Lowering& node, TensorRef x, int64_t p) {
  return p == 1 ? node.unary("ElementWiseAbs", x) : node.binary("ElementWiseMultiply", x, x);
}

Status check_power(const Lowering& node, int64_t p) {
  if (p == 1 || p == 2) return {};
  return node.not_offered(concat("norms of order ", p, " are not composed; 1 and 2 are"));
}

Status lower_lp_pool(Lowering& node) {
  const int64_t p = node.attributes().integer("p", 2);
  OPENQNN_TRY(check_power(node, p));
  OPENQNN_ASSIGN(Window window, window_of(node, {}));
  window = without_rounding(window, node.dims(0));
  if (window.is_dilated()) return node.not_offered("the backend has no dilated average pool");
  const Order order = channels_last(node.rank(0));
  const TensorRef mean = pool(node, "PoolAvg", powers(node, node.input(0, order), p), window, true);
  const auto count = static_cast<double>(extent_between(window.kernel, 0, window.spatial()));
  return node.result(norm_of_mean(node, mean, p, count), order);
}

// ---- Over everything ----

// All spatial dimensions are two, of which the first is 1 unless they were two.
TensorRef global(Lowering& node, std::string_view type, TensorRef x) {
  Dims dims = node.lies_as(x);
  if (dims.size() < 3) return kNoTensorRef;  // a refusal before
  const int64_t channels = dims.back();
  if (dims.size() != 4) dims = {dims[0], 1, extent_between(dims, 1, dims.size() - 1), channels};
  const std::vector<uint32_t> window{static_cast<uint32_t>(dims[1]), static_cast<uint32_t>(dims[2])};
  Params params;
  params.u32s("filter_size", window).u32s("stride", {1, 1}).u32s("pad_amount", {0, 0, 0, 0}, {2, 2});
  const TensorRef y =
      node.emit(type, {node.reshape(x, dims)}, params, node.desc(x).type, {dims[0], 1, 1, channels});
  return node.reshape(y, in_order(node.out().dims, channels_last(node.rank(0))));
}

Status lower_global(Lowering& node) {
  const Order order = channels_last(node.rank(0));
  const std::string_view type = node.node().type == "GlobalMaxPool" ? "PoolMax2d" : "PoolAvg2d";
  return node.result(global(node, type, node.input(0, order)), order);
}

Status lower_global_lp(Lowering& node) {
  const int64_t p = node.attributes().integer("p", 2);
  OPENQNN_TRY(check_power(node, p));
  const Order order = channels_last(node.rank(0));
  const TensorRef mean = global(node, "PoolAvg2d", powers(node, node.input(0, order), p));
  const auto count = static_cast<double>(extent_between(node.dims(0), 2, node.rank(0)));
  return node.result(norm_of_mean(node, mean, p, count), order);
}

}  // namespace

std::span<const Rule> pool_rules() {
  static const Rule kRules[] = {
      {"MaxPool", infer_pool, nullptr, lower_max},
      {"AveragePool", infer_pool, nullptr, lower_average},
      {"LpPool", infer_pool, nullptr, lower_lp_pool},
      {"GlobalMaxPool", infer_global, nullptr, lower_global},
      {"GlobalAveragePool", infer_global, nullptr, lower_global},
      {"GlobalLpPool", infer_global, nullptr, lower_global_lp},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
