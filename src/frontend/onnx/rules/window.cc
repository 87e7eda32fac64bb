// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/window.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::frontend::onnx {
namespace {

// Filters, strides and padding beyond this are no model's; the limit keeps sums of them inside 64 bits.
constexpr int64_t kLargest = INT32_MAX;

Result<Dims> positive(const Dims& values, std::string_view name, size_t spatial, int64_t least) {
  if (values.size() != spatial)
    return invalid("onnx-node", concat(name, " has ", values.size(), " numbers, not ", spatial));
  for (const int64_t value : values)
    if (value < least || value > kLargest)
      return invalid("onnx-node", concat(name, " has the number ", value));
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

Result<Window> read_window(const Attributes& attributes, const Dims& input, const Dims& kernel) {
  const size_t spatial = input.size() - 2;
  const Dims ones(spatial, 1);
  Window window;
  OPENQNN_ASSIGN(window.kernel,
                 positive(attributes.integers("kernel_shape", kernel), "kernel_shape", spatial, 1));
  OPENQNN_ASSIGN(window.stride, positive(attributes.integers("strides", ones), "strides", spatial, 1));
  OPENQNN_ASSIGN(window.dilation, positive(attributes.integers("dilations", ones), "dilations", spatial, 1));
  OPENQNN_ASSIGN(const Dims pads,
                 positive(attributes.integers("pads", Dims(2 * spatial, 0)), "pads", 2 * spatial, 0));
  window.pad_before = {pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial)};
  window.pad_after = {pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end()};
  const bool ceil_mode = attributes.integer("ceil_mode", 0) != 0;

  const std::string_view automatic = attributes.text("auto_pad", "NOTSET");
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

}  // namespace

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

Result<Window> window_of(const Inference& node, const Dims& kernel) {
  auto window = read_window(node.attributes(), node.dims(0), kernel);
  if (!window) return node.wrong(window.error().message);
  return window;
}

Window window_of(const Lowering& node, const Dims& kernel) {
  return read_window(node.attributes(), node.dims(0), kernel).value();
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
