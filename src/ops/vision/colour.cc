// SPDX-License-Identifier: BSD-3-Clause
// Colour formats: ArgbToRgb, Nv12ToRgb, Nv21ToRgb.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// ---- ArgbToRgb ----

constexpr uint64_t kMoveInstructions = 2;  // per 128 bytes of output; ours: load and permute

// Which of the four channels is each channel of the output.
std::array<uint32_t, 3> source_channels(const OpCall& call) {
  const uint32_t first = call.params->u32("input_order", 0) == 0 ? 1 : 0;
  if (call.params->boolean("reverse_output", false)) return {first + 2, first + 1, first};
  return {first, first + 1, first + 2};
}

Status check_argb(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 4, "[b, h, w, 4]"));
  const ir::Shape& in = call.in(0).shape;
  OPENQNN_TRY(expect_shape("input", in, {in[0], in[1], in[2], 4}));
  OPENQNN_TRY(check_choice(call, "input_order", 1, "0 (ARGB) or 1 (RGBA)"));
  return expect_shape("output", call.out().shape, {in[0], in[1], in[2], 3});
}

ir::Box argb_input_box(const OpCall&, size_t, const ir::Box& output) {
  ir::Box box = output;
  box.begin[3] = 0;
  box.end[3] = 4;
  return box;
}

void run_argb(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ElementReader read(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  const bool moves = same_representation(call.in(0), call.out());
  const size_t size = ir::byte_size(call.out().type);
  const std::array<uint32_t, 3> channels = source_channels(call);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t to = ir::offset_of(call.out().shape, index);
    const uint64_t from = ir::offset_of(call.in(0).shape, {index[0], index[1], index[2], channels[index[3]]});
    if (moves)
      std::memcpy(args.outputs[0] + to * size, args.inputs[0] + from * size, size);
    else
      write(to, read(from));
  });
}

// ---- Nv12ToRgb, Nv21ToRgb ----

constexpr uint64_t kConvertInstructions = 12;  // per 128 bytes of output; ours

Status check_yuv(const OpCall& call) {
  OPENQNN_TRY(check_rank(call.in(0), "input", 2, "[b, h * w * 3 / 2]"));
  OPENQNN_TRY(check_rank(call.out(), "output", 4, "[b, h, w, 3]"));
  const ir::Shape& out = call.out().shape;
  OPENQNN_TRY(expect_shape("output", out, {call.in(0).shape[0], out[1], out[2], 3}));
  if (out[1] % 2 != 0 || out[2] % 2 != 0)
    return invalid("op-shape",
                   concat("output is ", out[1], " x ", out[2], ", but two by two pixels share a colour"))
        .fix_by("use an even height and width");
  const uint64_t values = uint64_t{out[1]} * out[2] / 2 * 3;
  if (call.in(0).shape[1] != values)
    return invalid("op-shape", concat("input has ", call.in(0).shape[1], " values for each image where ",
                                      values, " are needed"));
  return check_choice(call, "output_order", 1, "0 (RGB) or 1 (BGR)");
}

ir::Box yuv_input_box(const OpCall& call, size_t, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(0).shape);
  take_axis(box, 0, output, 0);
  return box;
}

// Camera codes 0 to 255 as a tensor has them: the stored byte of a fixed-point one, whatever its encoding
// says a code is worth; the number itself of a half one. Ours: the definition names no scale.
class Codes {
 public:
  Codes(const ir::TensorDesc& desc, const std::byte* data)
      : read_(desc, data), fixed_(ir::is_quantized(desc.type)), desc_(desc), data_(data) {}

  double operator()(uint64_t index) const {
    return fixed_ ? static_cast<double>(load_integer(desc_.type, data_, index)) : read_(index);
  }
  // The real value of a code.
  double worth(double code) const {
    if (!fixed_) return code;
    const ir::ScaleOffset& encoding = desc_.quantization.at(0);
    return static_cast<double>(encoding.scale) * (code + encoding.offset);
  }

 private:
  ElementReader read_;
  bool fixed_;
  const ir::TensorDesc& desc_;
  const std::byte* data_;
};

// BT.601 with the video range (16 to 235, 16 to 240), as OpenCV and Android convert camera frames; ours: the
// definition names neither matrix nor range.
struct Colours {
  double red;
  double green;
  double blue;
};
Colours from_yuv(double y, double u, double v) {
  const double luma = 255.0 / 219.0 * (y - 16.0);
  const double cb = 255.0 / 112.0 * (u - 128.0);
  const double cr = 255.0 / 112.0 * (v - 128.0);
  return {luma + 0.701 * cr, luma - 0.886 * 0.114 / 0.587 * cb - 0.701 * 0.299 / 0.587 * cr,
          luma + 0.886 * cb};
}

template <bool v_first>
void run_yuv(const KernelArgs& args, const ir::Box& region) {
  const OpCall& call = args.call;
  const ir::Shape& out = call.out().shape;
  const bool blue_first = call.params->u32("output_order", 0) == 1;
  const Codes codes(call.in(0), args.inputs[0]);
  const ElementWriter write(call.out(), args.outputs[0]);
  const uint64_t pixels = uint64_t{out[1]} * out[2];
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t image = uint64_t{index[0]} * call.in(0).shape[1];
    const uint64_t pair = image + pixels + uint64_t{index[1] / 2} * out[2] + index[2] / 2 * 2;
    const double y = codes(image + uint64_t{index[1]} * out[2] + index[2]);
    const Colours colours = from_yuv(y, codes(pair + (v_first ? 1 : 0)), codes(pair + (v_first ? 0 : 1)));
    const uint32_t which = blue_first ? 2 - index[3] : index[3];
    const double code = which == 0 ? colours.red : which == 1 ? colours.green : colours.blue;
    write(ir::offset_of(out, index), codes.worth(std::clamp(code, 0.0, 255.0)));
  });
}

template <bool v_first>
OpDef yuv_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  return {
      .type = type,
      .our_rows = our_rows,
      .check = check_yuv,
      .input_box = yuv_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, kConvertInstructions, 2 * box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_yuv<v_first>}},
  };
}

}  // namespace

OpDef argb_to_rgb() {
  return {
      .type = "ArgbToRgb",
      .check = check_argb,
      .input_box = argb_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(
                call, output, kMoveInstructions,
                box_bytes(call.in(0), argb_input_box(call, 0, output)) + box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_argb}},
  };
}

OpDef nv12_to_rgb() { return yuv_op<false>("Nv12ToRgb"); }
OpDef nv21_to_rgb() { return yuv_op<true>("Nv21ToRgb", {"f16 -> f16", "f32 -> f32"}); }

}  // namespace openqnn::ops
