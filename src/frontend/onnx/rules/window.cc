// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/window.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::frontend::onnx {
namespace {

// Filters, strides and padding beyond this are no model's; the limit keeps sums of them inside 64 bits.
constexpr int64_t kLargest = INT32_MAX;

// The numbers of an attribute, `count` of them and none below `least`.
Result<Dims> numbers_of(const NodeView& node, std::string_view name, const Dims& fallback, size_t count,
                        int64_t least) {
  const Dims values = node.attributes().integers(name, fallback);
  if (values.size() != count)
    return node.wrong(concat(name, " has ", values.size(), " numbers, not ", count));
  for (const int64_t value : values)
    if (value < least || value > kLargest) return node.wrong(concat(name, " has the number ", value));
  return values;
}

// How many windows there are.
int64_t extent(int64_t in, int64_t span, int64_t stride, int64_t pads) {
  const int64_t room = in + pads - span;
  return room < 0 ? 0 : room / stride + 1;
}

// With ceil_mode, one more where some of the input is left; but not one that begins behind the input.
bool has_one_more(int64_t in, int64_t pad_before, int64_t pads, int64_t span, int64_t stride, int64_t out) {
  const int64_t room = in + pads - span;
  return room >= 0 && room % stride != 0 && out * stride < in + pad_before;
}

}  // namespace

Result<Window> window_of(const NodeView& node, const Dims& kernel) {
  const Dims& input = node.dims(0);
  const size_t spatial = input.size() - 2;
  const Dims ones(spatial, 1);
  Window window;
  OPENQNN_ASSIGN(window.kernel, numbers_of(node, "kernel_shape", kernel, spatial, 1));
  OPENQNN_ASSIGN(window.stride, numbers_of(node, "strides", ones, spatial, 1));
  OPENQNN_ASSIGN(window.dilation, numbers_of(node, "dilations", ones, spatial, 1));
  OPENQNN_ASSIGN(const Dims pads, numbers_of(node, "pads", Dims(2 * spatial, 0), 2 * spatial, 0));
  window.pad_before = {pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial)};
  window.pad_after = {pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end()};
  const bool ceil_mode = node.attributes().integer("ceil_mode", 0) != 0;

  const std::string_view automatic = node.attributes().text("auto_pad", "NOTSET");
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t in = input[i + 2];
    const int64_t span = (window.kernel[i] - 1) * window.dilation[i] + 1;
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      const int64_t out = (in + window.stride[i] - 1) / window.stride[i];
      const int64_t pad = std::max<int64_t>(0, (out - 1) * window.stride[i] + span - in);
      window.pad_before[i] = automatic == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
      window.pad_after[i] = pad - window.pad_before[i];
    } else if (automatic == "VALID") {
      window.pad_before[i] = window.pad_after[i] = 0;
    }
    const int64_t pads_here = window.pad_before[i] + window.pad_after[i];
    window.out.push_back(extent(in, span, window.stride[i], pads_here));
    if (ceil_mode &&
        has_one_more(in, window.pad_before[i], pads_here, span, window.stride[i], window.out[i])) {
      ++window.out[i];
      window.rounds_up = true;
    }
  }
  return window;
}

void Window::add_unit_dimension() {
  for (Dims* list : {&kernel, &stride, &dilation, &out}) list->insert(list->begin(), 1);
  for (Dims* list : {&pad_before, &pad_after}) list->insert(list->begin(), 0);
}

std::vector<uint32_t> Window::pads() const {
  std::vector<uint32_t> pads;
  for (size_t i = 0; i < spatial(); ++i) {
    pads.push_back(static_cast<uint32_t>(pad_before[i]));
    pads.push_back(static_cast<uint32_t>(pad_after[i]));
  }
  return pads;
}

TensorRef with_two_spatial(Lowering& node, TensorRef x) {
  const Dims dims = node.lies_as(x);
  return dims.size() == 3 ? node.reshape(x, with_unit_dimension(dims, 1)) : x;
}

Dims with_unit_dimension(Dims dims, size_t at) {
  // What a refused op would have given has no dimensions.
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(std::min(at, dims.size())), 1);
  return dims;
}

}  // namespace openqnn::frontend::onnx
