// SPDX-License-Identifier: BSD-3-Clause
// Sliding windows laid out side by side, and back: ExtractPatches, Im2Col, Col2Im.
#include <algorithm>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"
#include "ops/window.h"

namespace openqnn::ops {
namespace {

// Where a tap of an output's window lies; negative or behind the end in the padding.
int64_t tap_at(const Window& window, uint32_t output, uint32_t tap) {
  return window.start(output) + static_cast<int64_t>(uint64_t{tap} * window.dilation);
}

// The element of an image that two taps meet at, or nothing in the padding.
Source pixel(const ir::Shape& image, uint32_t batch, int64_t h, int64_t w, uint32_t channel) {
  if (h < 0 || h >= image[1] || w < 0 || w >= image[2]) return {};
  return {0, ir::offset_of(image, {batch, static_cast<uint32_t>(h), static_cast<uint32_t>(w), channel})};
}

// ---- ExtractPatches ----

enum class PatchPadding : uint32_t { kValid = 0, kSame = 1 };

Window patch_window(const OpCall& call, size_t axis) {
  Window window{.input = call.in(0).shape[1 + axis],
                .filter = call.params->u32_at("size", axis, 1),
                .stride = call.params->u32_at("stride", axis, 1),
                .dilation = call.params->u32_at("rate", axis, 1)};
  if (call.params->u32("padding", 0) != static_cast<uint32_t>(PatchPadding::kSame)) return window;
  if (window.filter == 0 || window.stride == 0) return window;  // check_window refuses them
  // TensorFlow's: as many outputs as strides begin in the input, the odd zero behind.
  const uint64_t outputs = ceil_div(window.input, window.stride);
  const uint64_t covered = (outputs - 1) * window.stride + window.reach();
  const uint64_t padding = covered > window.input ? covered - window.input : 0;
  window.pad_before = static_cast<uint32_t>(std::min<uint64_t>(padding / 2, UINT32_MAX));
  window.pad_after = static_cast<uint32_t>(std::min<uint64_t>(padding - padding / 2, UINT32_MAX));
  return window;
}

class ExtractPatchesMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
    OPENQNN_TRY(check_choice(call, "padding", 1, "0 (valid) or 1 (same)"));
    const Window height = patch_window(call, 0);
    const Window width = patch_window(call, 1);
    OPENQNN_TRY(check_window(height, "height"));
    OPENQNN_TRY(check_window(width, "width"));
    const uint64_t depth = saturating_multiply(uint64_t{height.filter} * width.filter, in[3]);
    OPENQNN_TRY(check_size("the output depth", depth));
    return expect_shape("output", call.out().shape,
                        {in[0], static_cast<uint32_t>(height.output(false)),
                         static_cast<uint32_t>(width.output(false)), static_cast<uint32_t>(depth)});
  }

  explicit ExtractPatchesMap(const OpCall& call)
      : in_(call.in(0).shape), height_(patch_window(call, 0)), width_(patch_window(call, 1)) {}

  // A patch lies in the channels row by row, all channels of a pixel together.
  Source source(const ir::Shape& out) const {
    const uint32_t tap = out[3] / in_[3];
    return pixel(in_, out[0], tap_at(height_, out[1], tap / width_.filter),
                 tap_at(width_, out[2], tap % width_.filter), out[3] % in_[3]);
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = output;
    std::tie(box.begin[1], box.end[1]) = height_.inputs(output.begin[1], output.end[1]);
    std::tie(box.begin[2], box.end[2]) = width_.inputs(output.begin[2], output.end[2]);
    box.begin[3] = 0;
    box.end[3] = in_[3];
    return box;
  }

 private:
  ir::Shape in_;
  Window height_;
  Window width_;
};

// ---- Columns ----

// The windows over an image [b, h, w, c], with `pad_amount`, `stride` and `dilation`.
WindowHW column_windows(const OpCall& call, const ir::Shape& image) {
  return window_hw(image, call.params->u32_at("kernel_size", 0, 1), call.params->u32_at("kernel_size", 1, 1),
                   *call.params);
}

// What the columns of an image look like: [b, c * kh * kw, positions].
Status check_columns(const OpCall& call, const ir::Shape& image, std::string_view operand,
                     const ir::Shape& columns) {
  const WindowHW window = column_windows(call, image);
  OPENQNN_TRY(check_window(window.height, "height"));
  OPENQNN_TRY(check_window(window.width, "width"));
  const uint64_t rows = saturating_multiply(uint64_t{window.height.filter} * window.width.filter, image[3]);
  const uint64_t positions = saturating_multiply(window.height.output(false), window.width.output(false));
  OPENQNN_TRY(check_size("the number of values in a column", rows));
  OPENQNN_TRY(check_size("the number of columns", positions));
  return expect_shape(operand, columns,
                      {image[0], static_cast<uint32_t>(rows), static_cast<uint32_t>(positions)});
}

class Im2ColMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, c]"));
    return check_columns(call, call.in(0).shape, "output", call.out().shape);
  }

  explicit Im2ColMap(const OpCall& call)
      : in_(call.in(0).shape),
        window_(column_windows(call, in_)),
        positions_w_(static_cast<uint32_t>(window_.width.output(false))) {}

  // The values of a column are ordered by channel first, as in torch: the definition leaves it open.
  Source source(const ir::Shape& out) const {
    const uint32_t kernel_h = window_.height.filter;
    const uint32_t kernel_w = window_.width.filter;
    const uint32_t row = out[1];
    return pixel(in_, out[0], tap_at(window_.height, out[2] / positions_w_, row / kernel_w % kernel_h),
                 tap_at(window_.width, out[2] % positions_w_, row % kernel_w), row / kernel_w / kernel_h);
  }
  ir::Box needed(size_t, const ir::Box& output) const {
    const uint32_t taps = window_.height.filter * window_.width.filter;
    ir::Box box = ir::Box::whole(in_);
    box.begin[0] = output.begin[0];
    box.end[0] = output.end[0];
    const uint32_t first = output.begin[2] / positions_w_;
    const uint32_t last = (output.end[2] - 1) / positions_w_;
    std::tie(box.begin[1], box.end[1]) = window_.height.inputs(first, last + 1);
    box.begin[3] = output.begin[1] / taps;
    box.end[3] = (output.end[1] - 1) / taps + 1;
    return box;
  }

 private:
  ir::Shape in_;
  WindowHW window_;
  uint32_t positions_w_;
};

Status check_col2im(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 3, "[b, c * kh * kw, positions]"));
  OPENQNN_TRY(check_rank(call.out(), "output", 4, "[b, h, w, c]"));
  return check_columns(call, call.out().shape, "input 0 (x)", call.in(0).shape);
}

ir::Box col2im_input_box(const OpCall& call, size_t, const ir::Box& output) {
  const ir::Shape& in = call.in(0).shape;
  if (output.empty()) return empty_box(in);
  const uint32_t taps = call.params->u32_at("kernel_size", 0, 1) * call.params->u32_at("kernel_size", 1, 1);
  return {{output.begin[0], output.begin[3] * taps, 0}, {output.end[0], output.end[3] * taps, in[2]}};
}

Work col2im_work(const OpCall& call, const ir::Box& output) {
  const uint64_t taps =
      saturating_multiply(call.params->u32_at("kernel_size", 0, 1), call.params->u32_at("kernel_size", 1, 1));
  return vector_work(
      call, output, saturating_multiply(taps, kShift),
      box_bytes(call.in(0), col2im_input_box(call, 0, output)) + box_bytes(call.out(), output));
}

// The window position whose tap falls on a place, when there is one.
std::optional<uint32_t> position_with(const Window& window, uint32_t place, uint32_t tap) {
  const int64_t start = int64_t{place} + window.pad_before - int64_t{tap} * window.dilation;
  if (start < 0 || start % window.stride != 0) return std::nullopt;
  const uint64_t position = static_cast<uint64_t>(start) / window.stride;
  if (position >= window.output(false)) return std::nullopt;
  return static_cast<uint32_t>(position);
}

// Each pixel adds up what the windows over it have there; in double, rounded once.
void run_col2im(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& image = args.call.out().shape;
  const ir::Shape& columns = args.call.in(0).shape;
  const WindowHW window = column_windows(args.call, image);
  const auto positions_w = static_cast<uint32_t>(window.width.output(false));
  const uint32_t kernel_h = window.height.filter;
  const uint32_t kernel_w = window.width.filter;
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    double sum = 0.0;
    for (uint32_t y = 0; y < kernel_h; ++y) {
      const std::optional<uint32_t> row = position_with(window.height, index[1], y);
      if (!row) continue;
      for (uint32_t x = 0; x < kernel_w; ++x) {
        const std::optional<uint32_t> column = position_with(window.width, index[2], x);
        if (!column) continue;
        const uint32_t value = (index[3] * kernel_h + y) * kernel_w + x;
        sum += read(ir::offset_of(columns, {index[0], value, *row * positions_w + *column}));
      }
    }
    write(ir::offset_of(image, index), sum);
  });
}

}  // namespace

OpDef extract_patches() {
  OpDef def = moving_op<ExtractPatchesMap, kShift>("ExtractPatches");
  def.our_rows = {"sfx8 -> sfx8", "ufx16 -> ufx16"};
  return def;
}

OpDef im2_col() {
  OpDef def = moving_op<Im2ColMap, kShuffle>("Im2Col");
  def.our_rows = {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8", "ufx16 -> ufx16"};
  return def;
}

OpDef col2_im() {
  return {
      .type = "Col2Im",
      .our_rows = {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8", "ufx16 -> ufx16"},
      .check = check_col2im,
      .input_box = col2im_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = col2im_work,
      .kernels = {{"reference", nullptr, run_col2im}},
  };
}

}  // namespace openqnn::ops
