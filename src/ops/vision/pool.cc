// SPDX-License-Identifier: BSD-3-Clause
// Pooling over the dimensions between batch and channel: two of them (NHWC) or three (NDHWC).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/op.h"
#include "ops/share.h"
#include "ops/vision/fast/pool_kernel.h"
#include "ops/vision/pool_windows.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: load and combine per filter tap, and the end.
constexpr uint64_t kPoolInstructionsPerTap = 2;
constexpr uint64_t kEndInstructions = 3;

constexpr std::string_view kAxisNames[] = {"depth", "height", "width"};

// ---- Shapes ----

template <size_t spatial>
Status check_pool(const OpCall& call) {
  const ir::Shape& in = call.in(0).shape;
  OPENQNN_TRY(
      check_rank(call.in(0), "input", spatial + 2, spatial == 2 ? "[b, h, w, c]" : "[b, d, h, w, c]"));
  OPENQNN_TRY(check_choice(call, "rounding_mode", 1, "0 (floor) or 1 (ceil)"));
  const bool round_up = call.params->u32("rounding_mode", 0) == 1;
  const Windows windows = windows_of(call);
  ir::Shape expected = in;
  std::string sizes;
  bool too_large = false;
  for (size_t i = 0; i < spatial; ++i) {
    OPENQNN_TRY(check_window(windows.axes[i], kAxisNames[3 - spatial + i]));
    const uint64_t size = windows.axes[i].output(round_up);
    sizes += concat(i ? " x " : "", size);
    too_large |= size > UINT32_MAX;
    expected[1 + i] = static_cast<uint32_t>(size);
  }
  if (too_large) return invalid("op-shape", concat("the output would be ", sizes, " positions"));
  return expect_shape("output", call.out().shape, expected);
}

ir::Box pool_input_box(const OpCall& call, size_t, const ir::Box& output) {
  return inputs_of(windows_of(call), output);
}

Work pool_work(const OpCall& call, const ir::Box& output) {
  const Windows windows = windows_of(call);
  // Taps outside the input are padding: at most `input` of them are real, however large the filter says it
  // is.
  uint64_t instructions = kPoolInstructionsPerTap;
  for (size_t i = 0; i < windows.count; ++i)
    instructions = saturating_multiply(instructions, std::min(windows.axes[i].filter, windows.axes[i].input));
  instructions = saturating_add(instructions, kEndInstructions);
  const uint64_t bytes = box_bytes(call.in(0), inputs_of(windows, output)) + box_bytes(call.out(), output);
  return vector_work(call, output, instructions, bytes);
}

// ---- Kernels ----

// What a window does to the numbers of a channel, in the order of its taps.

// Padding is minus infinity, as ONNX and its clients mean it (the definition says 0, which differs for
// windows of negative numbers at the border). A window of padding only is minus infinity, or the lowest
// stored value. A NaN in the window is the result.
struct Largest {
  static constexpr double kStart = -std::numeric_limits<double>::infinity();
  static double add(double result, double value) { return value > result || value != value ? value : result; }
  static double end(double result, double /*cells*/) { return result; }
};

// A window without any cell to count is 0; ours.
struct Average {
  static constexpr double kStart = 0.0;
  static double add(double sum, double value) { return sum + value; }
  static double end(double sum, double cells) { return cells > 0.0 ? sum / cells : 0.0; }
};

// The root of the mean square of the real elements: what TFLite's L2_POOL_2D, which clients map here, means.
// The definition's text has the sum instead; ours.
struct RootMeanSquare {
  static constexpr double kStart = 0.0;
  static double add(double sum, double value) { return sum + value * value; }
  static double end(double sum, double cells) { return cells > 0.0 ? std::sqrt(sum / cells) : 0.0; }
};

template <class Window>
void run_pool(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const Windows windows = windows_of(args.call);
  const bool counts_padding = args.call.params->boolean("count_pad_for_edges", false);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    double result = Window::kStart;
    double cells = 0.0;
    ir::for_each_index(inputs_of(windows, box_at(index)), [&](const ir::Shape& at) {
      result = Window::add(result, read(ir::offset_of(in, at)));
      cells += 1.0;
    });
    if (counts_padding) cells = padded_cells(windows, index);
    write(ir::offset_of(args.call.out().shape, index), Window::end(result, cells));
  });
}

// ---- Fast kernels: the channels of a window side by side, as they are stored or as real numbers ----

constexpr uint32_t kChannelsOfALoop = 16;  // fewer would leave lanes of its vectors empty

// Reading is the work: a window over the whole image has one result for each channel.
std::vector<ir::Box> divide_windows(const OpCall& call, size_t wanted) {
  const ir::Shape& out = call.out().shape;
  const uint64_t elements = std::max(out.elements(), call.in(0).shape.elements());
  std::vector<SplitAxis> axes = activation_split_axes(out);
  for (SplitAxis& axis : axes)
    if (axis.axis + 1 == out.rank()) axis.granularity = kChannelsOfALoop;
  return share_out(ir::Box::whole(out), axes, elements, wanted);
}

constexpr size_t kChannelsAtOnce = 64;

template <class Window>
void run_channels(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& in = args.call.in(0).shape;
  const Windows windows = windows_of(args.call);
  const bool counts_padding = args.call.params->boolean("count_pad_for_edges", false);
  const fast::BlockReader read(args.call.in(0), args.inputs[0]);
  const fast::BlockWriter write(args.call.out(), args.outputs[0]);
  const size_t last = region.rank() - 1;
  ir::Box positions = region;
  if (region.empty()) return;
  positions.end[last] = positions.begin[last] + 1;
  ir::for_each_index(positions, [&](const ir::Shape& index) {
    const ir::Box taps = inputs_of(windows, box_at(index));
    const uint64_t out = ir::offset_of(args.call.out().shape, index);
    for (uint32_t first = 0; first < region.extent(last); first += kChannelsAtOnce) {
      const size_t count = std::min<size_t>(kChannelsAtOnce, region.extent(last) - first);
      std::array<double, kChannelsAtOnce> results;
      std::array<double, kChannelsAtOnce> values;
      results.fill(Window::kStart);
      double cells = 0.0;
      ir::for_each_index(taps, [&](const ir::Shape& at) {
        read(ir::offset_of(in, at) + first, count, values.data());
        for (size_t i = 0; i < count; ++i) results[i] = Window::add(results[i], values[i]);
        cells += 1.0;
      });
      if (counts_padding) cells = padded_cells(windows, index);
      for (size_t i = 0; i < count; ++i) results[i] = Window::end(results[i], cells);
      write(out + first, count, results.data());
    }
  });
}

// Few channels are no more work one by one.
std::optional<std::string> declines_channels(const OpCall& call) {
  if (call.out().shape.from_end(0) < 8) return "there are few channels";
  return std::nullopt;
}

std::vector<Kernel> kernels_of(Largest /*window*/) {
  return {{.name = "stored",
           .declines = fast::declines_stored_max,
           .run = fast::run_stored_max,
           .divide = divide_windows},
          {"channels", declines_channels, run_channels<Largest>},
          {"reference", nullptr, run_pool<Largest>}};
}

std::vector<Kernel> kernels_of(Average /*window*/) {
  return {{.name = "stored",
           .declines = fast::declines_stored_mean,
           .run = fast::run_stored_mean,
           .scratch_bytes = fast::stored_mean_scratch,
           .divide = divide_windows},
          {"channels", declines_channels, run_channels<Average>},
          {"reference", nullptr, run_pool<Average>}};
}

std::vector<Kernel> kernels_of(RootMeanSquare /*window*/) {
  return {{"reference", nullptr, run_pool<RootMeanSquare>}};
}

// ---- The ops ----

template <class Window, size_t spatial>
OpDef pool_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  return {
      .type = type,
      .our_rows = our_rows,
      .check = check_pool<spatial>,
      .input_box = pool_input_box,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = pool_work,
      .kernels = kernels_of(Window()),
  };
}

}  // namespace

OpDef pool_max_2d() { return pool_op<Largest, 2>("PoolMax2d"); }
OpDef pool_max_3d() {
  return pool_op<Largest, 3>("PoolMax3d", {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8",
                                           "ufx16 -> ufx16", "sfx16 -> sfx16"});
}
OpDef pool_avg_2d() { return pool_op<Average, 2>("PoolAvg2d"); }
OpDef pool_avg_3d() { return pool_op<Average, 3>("PoolAvg3d"); }
OpDef l2_pool_2d() {
  return pool_op<RootMeanSquare, 2>(
      "L2Pool2d", {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "sfx8 -> sfx8", "ufx16 -> ufx16"});
}

}  // namespace openqnn::ops
