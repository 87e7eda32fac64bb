// SPDX-License-Identifier: BSD-3-Clause
// Convolutions (cross-correlations) over one to three spatial axes, channels last: plain ones with weights
// [f…, cin / group, cout], depth-wise ones with [f…, 1, cout], transposed ones with [f…, cin, cout / group].
#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/matrix/conv_geometry.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/fast/conv_rows.h"
#include "ops/matrix/fast/depth.h"
#include "ops/matrix/fast/product.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output of a depth-wise convolution; ours: load, multiply and
// accumulate per tap, and bias, requantization and store at the end.
constexpr uint64_t kInstructionsPerTap = 2;
constexpr uint64_t kEpilogueInstructions = 6;

// ---- Checks ----

std::string_view axis_name(ConvKind kind, size_t axis) {
  static constexpr std::array<std::string_view, kMostAxes> kNames = {"depth", "height", "width"};
  return kNames[kMostAxes - kind.axes + axis];
}

Status check_ranks(const OpCall& call, ConvKind kind) {
  static constexpr std::array<std::string_view, kMostAxes> kSpatial = {"w", "h, w", "d, h, w"};
  static constexpr std::array<std::string_view, kMostAxes> kFilter = {"fw", "fh, fw", "fd, fh, fw"};
  static constexpr std::array<std::string_view, 3> kChannels = {"cin / group, cout", "1, cout",
                                                                "cin, cout / group"};
  const ir::Shape& weight = call.in(kWeight).shape;
  OPENQNN_TRY(
      check_rank(call.in(kInput), "input", kind.axes + 2, concat("[b, ", kSpatial[kind.axes - 1], ", cin]")));
  if (weight.rank() != kind.axes + 2)
    return invalid("op-rank",
                   concat("weights have shape ", weight.to_string(), " where [", kFilter[kind.axes - 1], ", ",
                          kChannels[static_cast<size_t>(kind.form)], "] is needed"));
  return {};
}

Status check_depth_wise_channels(const OpCall& call) {
  const uint32_t channels = call.in(kInput).shape.from_end(0);
  const ir::Shape& weight = call.in(kWeight).shape;
  if (weight.from_end(1) == 1 && weight.from_end(0) % channels == 0) return {};
  return invalid("op-shape",
                 concat("weights ", weight.to_string(), " do not fit ", channels, " input channels"))
      .fix_by("the weights end in [1, cout], with cout a multiple of the input channels");
}

Status check_groups(const OpCall& call, ConvKind kind) {
  if (kind.form == Form::kDepthWise) return check_depth_wise_channels(call);
  const uint32_t groups = group_count(call, kind);
  const uint32_t channels = call.in(kInput).shape.from_end(0);
  const ir::Shape& weight = call.in(kWeight).shape;
  const bool transposed = kind.form == Form::kTransposed;
  const uint32_t columns = weight.from_end(0);
  if (groups == 0 || channels % groups != 0 || (!transposed && columns % groups != 0))
    return invalid("op-param-value", concat("group ", groups, " does not divide both the ", channels,
                                            " input channels and the ", columns, " output channels"));
  if (uint64_t{columns} * (transposed ? groups : 1) > UINT32_MAX)
    return invalid("op-shape", concat(groups, " groups of ", columns, " output channels are too many"));
  const uint32_t expected = transposed ? channels : channels / groups;
  if (weight.from_end(1) == expected) return {};
  return invalid("op-shape", concat("weights ", weight.to_string(), " read ", weight.from_end(1),
                                    " input channels where ", channels, " channels in ", groups,
                                    " group(s) give ", expected))
      .fix_by(transposed ? "the weights end in [cin, cout / group]"
                         : "the weights end in [cin / group, cout]");
}

// The 3-D op's parameter has another spelling, in the API itself.
Status check_dense(const OpCall& call) {
  for (const std::string_view name : {"reuse_sparse_indices", "reuse_sparse_indicies"})
    if (call.params->boolean(name, false))
      return unsupported("op-param-value",
                         concat(name, " is for sparse operands, which the op does not take"));
  return {};
}

Status check_conv(const OpCall& call, ConvKind kind) {
  OPENQNN_TRY(check_ranks(call, kind));
  OPENQNN_TRY(check_dense(call));
  OPENQNN_TRY(check_groups(call, kind));
  const WeightMatrices matrices = matrices_of(call, kind);
  OPENQNN_TRY(check_sum_length(matrices.k()));
  ir::Shape expected = {call.in(kInput).shape[0]};
  for (size_t axis = 0; axis < kind.axes; ++axis) {
    OPENQNN_ASSIGN(const uint32_t size, axis_of(call, kind, axis).outputs(axis_name(kind, axis)));
    expected.push_back(size);
  }
  expected.push_back(output_channels(call, kind));
  OPENQNN_TRY(check_encodings(call, matrices));
  if (call.has_input(kBias)) OPENQNN_TRY(check_bias(call, matrices, expected.from_end(0)));
  if (is_depth_wise(matrices) && call.in(kWeight).layout != ir::Layout::kPlain)
    return invalid("op-layout", "depth-wise weights have no matrix-unit layout");
  return expect_shape("output", call.out().shape, expected);
}

// ---- Tiles ----

// A range of output channels as groups, and the columns within them.
struct ColumnRange {
  uint64_t first_group = 0;
  uint64_t groups = 0;
  uint64_t begin = 0;  // in the group, when there is one; else all columns
  uint64_t end = 0;
};
ColumnRange columns_of(const WeightMatrices& matrices, uint64_t begin, uint64_t end) {
  const uint64_t first = begin / matrices.columns;
  const uint64_t groups = (end - 1) / matrices.columns - first + 1;
  if (groups > 1) return {first, groups, 0, matrices.columns};
  return {first, 1, begin % matrices.columns, (end - 1) % matrices.columns + 1};
}

ir::Box weight_box(const OpCall& call, ConvKind kind, const ir::Box& output) {
  ir::Box box = ir::Box::whole(call.in(kWeight).shape);
  const size_t last = box.rank() - 1;
  take_axis(box, last, output, last);
  if (kind.form != Form::kTransposed) return box;
  const WeightMatrices matrices = matrices_of(call, kind);
  const ColumnRange range = columns_of(matrices, output.begin[last], output.end[last]);
  box.begin[last] = static_cast<uint32_t>(range.begin);
  box.end[last] = static_cast<uint32_t>(range.end);
  box.begin[last - 1] = static_cast<uint32_t>(range.first_group * matrices.channels);
  box.end[last - 1] = static_cast<uint32_t>((range.first_group + range.groups) * matrices.channels);
  return box;
}

ir::Box activation_box(const OpCall& call, ConvKind kind, const ir::Box& output) {
  ir::Box box = output;
  for (size_t axis = 0; axis < kind.axes; ++axis)
    std::tie(box.begin[1 + axis], box.end[1 + axis]) =
        axis_of(call, kind, axis).inputs(output.begin[1 + axis], output.end[1 + axis]);
  const size_t last = box.rank() - 1;
  const WeightMatrices matrices = matrices_of(call, kind);
  const ColumnRange range = columns_of(matrices, output.begin[last], output.end[last]);
  box.begin[last] = static_cast<uint32_t>(range.first_group * matrices.channels);
  box.end[last] = static_cast<uint32_t>((range.first_group + range.groups) * matrices.channels);
  return box;
}

ir::Box conv_input_box(const OpCall& call, ConvKind kind, size_t index, const ir::Box& output) {
  if (output.empty()) return empty_box(call.in(index).shape);
  if (index == kInput) return activation_box(call, kind, output);
  if (index == kWeight) return weight_box(call, kind, output);
  ir::Box box = ir::Box::whole(call.in(index).shape);
  take_axis(box, 0, output, output.rank() - 1);
  return box;
}

// ---- Work ----

// Positions of a box in whole chunks.
uint64_t issued_positions(const ir::Box& box, uint64_t element_bytes) {
  const uint64_t width = box.extent(box.rank() - 2);
  if (box.rank() == 3) return saturating_multiply(round_up(width, 64 / element_bytes), box.extent(0));
  uint64_t positions = padded_positions(box.extent(box.rank() - 3), width, element_bytes);
  for (size_t i = 0; i + 3 < box.rank(); ++i) positions = saturating_multiply(positions, box.extent(i));
  return positions;
}

// A dilated convolution is computed as a plain one for each of the interleaved maps that its taps do not mix,
// each in whole chunks: strides leave some of them out. A tile of it has its share of them.
uint64_t dilated_positions(const OpCall& call, ConvKind kind, const ir::Box& box, uint64_t element_bytes) {
  const uint64_t issued = issued_positions(box, element_bytes);
  if (kind.axes < 2) return issued;
  const auto maps_along = [&](size_t from_end) {
    const Window window = axis_of(call, kind, kind.axes - from_end).window;
    const uint32_t maps = window.dilation / std::gcd(window.dilation, window.stride);
    return window.filter > 1 ? std::min(maps, call.out().shape.from_end(from_end)) : 1U;
  };
  const uint64_t rows = maps_along(2);
  const uint64_t columns = maps_along(1);
  if (rows * columns == 1) return issued;
  const uint64_t height = call.out().shape.from_end(2);
  const uint64_t width = call.out().shape.from_end(1);
  const auto positions = [&](uint64_t lines, uint64_t of_line) {
    return static_cast<double>(padded_positions(lines, of_line, element_bytes));
  };
  const double growth = positions(ceil_div(height, rows), ceil_div(width, columns)) *
                        static_cast<double>(rows * columns) / positions(height, width);
  const double grown = static_cast<double>(issued) * growth;
  return grown < 0x1p64 ? static_cast<uint64_t>(grown) : UINT64_MAX;
}

Work grouped_work(const OpCall& call, ConvKind kind, const ir::Box& input, const ir::Box& output) {
  const WeightMatrices matrices = matrices_of(call, kind);
  const size_t last = output.rank() - 1;
  const uint64_t element_bytes = ir::byte_size(call.in(kInput).type);
  const uint64_t bytes = box_bytes(call.in(kInput), input) + box_bytes(call.out(), output);
  // Each group is a matrix of its own; a box inside one group issues only the columns it has.
  const ColumnRange range = columns_of(matrices, output.begin[last], output.end[last]);
  const uint64_t columns = range.end - range.begin;
  if (kind.form == Form::kTransposed)
    // As a product of each input with all taps, which are then added up where they belong (ours). A box that
    // no input reaches still takes its bias.
    return matrix_work(call, range.groups, std::max<uint64_t>(issued_positions(input, element_bytes), 1),
                       matrices.channels, saturating_multiply(matrices.taps, columns), range.groups, bytes);
  uint64_t strides = 1;
  bool overlaps = false;  // else each input is read once, as by an op that folds it into the depth
  for (size_t axis = 0; axis < kind.axes; ++axis) {
    const ConvAxis along = axis_of(call, kind, axis);
    overlaps |= along.window.stride < along.window.filter;
    strides = saturating_multiply(strides, along.window.stride);
  }
  // Taps lie behind each other in a depth, but those of a group fill chunks of their own.
  const uint64_t k = matrices.groups > 1
                         ? saturating_multiply(matrices.taps, round_up(matrices.channels, kHmxBlock))
                         : matrices.k();
  Work work = matrix_work(call, range.groups, dilated_positions(call, kind, output, element_bytes), k,
                          columns, range.groups, bytes);
  constexpr uint64_t kMostSkipped = 3;  // of a stride of 2, the largest that devices were asked about
  if (overlaps) work.skipped_macs = saturating_multiply(std::min(strides - 1, kMostSkipped), work.macs);
  if (matrices.groups > 1)  // they do not begin where a chunk does
    work.of(VectorKind::kLayout) =
        padded_vectors(call.in(kInput), input) + padded_vectors(call.out(), output);
  return work;
}

Work conv_work(const OpCall& call, ConvKind kind, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const WeightMatrices matrices = matrices_of(call, kind);
  const ir::Box input = activation_box(call, kind, output);
  const uint64_t bytes = box_bytes(call.in(kInput), input) + box_bytes(call.out(), output);
  if (is_depth_wise(matrices)) {
    const uint64_t instructions =
        saturating_multiply(matrices.taps, kInstructionsPerTap) + kEpilogueInstructions;
    Work work = vector_work(call, output, instructions,
                            bytes + box_bytes(call.in(kWeight), weight_box(call, kind, output)));
    work.of(VectorKind::kElementwise) =
        padded_vectors(call.in(kInput), input) + padded_vectors(call.out(), output);
    work.of(VectorKind::kTap) = saturating_multiply(matrices.taps, padded_vectors(call.out(), output));
    return work;
  }
  return grouped_work(call, kind, input, output);
}

// ---- Stored form ----

std::optional<StoredOperand> store_conv(const OpCall& call, ConvKind kind, size_t index,
                                        const ir::Blob& data) {
  const WeightMatrices matrices = matrices_of(call, kind);
  if (index == kWeight && !is_depth_wise(matrices)) return pack_weights(call.in(kWeight), data, matrices);
  if (index == kBias) return store_bias(call, data, matrices);
  return std::nullopt;
}

uint64_t conv_packed_bytes(const OpCall& call, ConvKind kind, const ir::Box& box) {
  const WeightMatrices matrices = matrices_of(call, kind);
  const PackedShape packed = matrices.packed();
  const ir::Layout layout = call.in(kWeight).layout;
  const size_t last = box.rank() - 1;
  const auto group_bytes = [&](uint64_t begin, uint64_t end) {
    return packed_column_bytes(packed, layout, begin, end);
  };
  if (box.empty()) return 0;
  if (kind.form == Form::kTransposed) {
    const uint64_t groups =
        (box.end[last - 1] - 1) / matrices.channels - box.begin[last - 1] / matrices.channels + 1;
    return groups * group_bytes(box.begin[last], box.end[last]);
  }
  // Part of a first group, whole ones, part of a last one.
  const uint64_t n = matrices.columns;
  const uint64_t first = box.begin[last] / n;
  const uint64_t final = (box.end[last] - 1) / n;
  const uint64_t end_in_final = box.end[last] - final * n;
  if (first == final) return group_bytes(box.begin[last] - first * n, end_in_final);
  return group_bytes(box.begin[last] - first * n, n) + (final - first - 1) * group_bytes(0, n) +
         group_bytes(0, end_in_final);
}

// ---- Kernel ----

// Adds up what one output position sees; padding is 0 and adds nothing.
template <class Dot>
void add_taps(const ConvAxes& axes, const std::array<uint32_t, kMostAxes>& at, uint64_t batch,
              uint64_t in_channels, uint64_t first_channel, uint64_t channels, Dot& dot) {
  for (uint32_t i = 0; i < axes[0].window.filter; ++i) {
    const std::optional<uint32_t> d = axes[0].input_at(at[0], i);
    if (!d) continue;
    for (uint32_t j = 0; j < axes[1].window.filter; ++j) {
      const std::optional<uint32_t> h = axes[1].input_at(at[1], j);
      if (!h) continue;
      const uint64_t line = (batch * axes[0].window.input + *d) * axes[1].window.input + *h;
      const uint64_t first_tap = (uint64_t{i} * axes[1].window.filter + j) * axes[2].window.filter;
      for (uint32_t k = 0; k < axes[2].window.filter; ++k)
        if (const std::optional<uint32_t> w = axes[2].input_at(at[2], k))
          dot.add((line * axes[2].window.input + *w) * in_channels + first_channel, 1,
                  (first_tap + k) * channels, channels);
    }
  }
}

void run_conv(const KernelArgs& args, ConvKind kind, const ir::Box& region) {
  const OpCall& call = args.call;
  const WeightMatrices matrices = matrices_of(call, kind);
  const ConvAxes axes = spatial_axes(call, kind);
  const uint64_t in_channels = call.in(kInput).shape.from_end(0);
  const size_t last = region.rank() - 1;
  with_dot(args, matrices, [&](auto& dot) {
    for (uint32_t channel = region.begin[last]; channel < region.end[last]; ++channel) {
      const uint64_t group = channel / matrices.columns;
      dot.column(group, channel % matrices.columns, channel);
      ir::Box positions = region;
      positions.begin[last] = channel;
      positions.end[last] = channel + 1;
      ir::for_each_index(positions, [&](const ir::Shape& index) {
        std::array<uint32_t, kMostAxes> at{};
        for (size_t axis = 0; axis < kind.axes; ++axis) at[kMostAxes - kind.axes + axis] = index[1 + axis];
        dot.begin();
        add_taps(axes, at, index[0], in_channels, group * matrices.channels, matrices.channels, dot);
        dot.end(ir::offset_of(call.out().shape, index));
      });
    }
  });
}

// ---- Fast kernel ----

void run_fast_conv(const KernelArgs& args, ConvKind kind, const ir::Box& region) {
  if (region.empty()) return;
  const WeightMatrices matrices = matrices_of(args.call, kind);
  const size_t last = region.rank() - 1;
  const ColumnRange range = columns_of(matrices, region.begin[last], region.end[last]);
  for (uint64_t group = range.first_group; group < range.first_group + range.groups; ++group) {
    const uint64_t first = group * matrices.columns;
    const fast::ColumnSpan span{
        .group = group,
        .begin = std::max<uint64_t>(region.begin[last], first) - first,
        .end = std::min<uint64_t>(region.end[last], first + matrices.columns) - first};
    fast::with_conv_rows(args.call, kind, matrices, region, group,
                         [&](fast::RowSource rows) { fast::run_product(args, matrices, span, rows); });
  }
}

std::optional<std::string> declines_depth(const OpCall& call, ConvKind kind) {
  const WeightMatrices matrices = matrices_of(call, kind);
  if (!is_depth_wise(matrices)) return "channels are mixed";
  return fast::declines_depth(call, matrices);
}

template <uint32_t axes, Form form>
Kernel fast_depth() {
  static constexpr ConvKind kKind{axes, form};
  return {
      .name = "channels",
      .declines = [](const OpCall& call) { return declines_depth(call, kKind); },
      .run = [](const KernelArgs& args, const ir::Box& region) { fast::run_depth(args, kKind, region); },
      .plan = [](const KernelArgs& args) { return fast::plan_depth(args, matrices_of(args.call, kKind)); },
      .scratch_bytes = [](const OpCall& call) { return fast::depth_scratch(call, kKind); }};
}

template <uint32_t axes, Form form>
WeightMatrices matrices_of(const OpCall& call) {
  return matrices_of(call, {axes, form});
}

template <uint32_t axes, Form form>
Kernel fast_conv() {
  return fast::product_kernel<matrices_of<axes, form>>([](const KernelArgs& args, const ir::Box& region) {
    run_fast_conv(args, {axes, form}, region);
  });
}

// ---- The ops ----

template <uint32_t axes, Form form>
OpDef conv_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  static constexpr ConvKind kKind{axes, form};
  return {
      .type = type,
      .our_rows = our_rows,
      .stored_rows = stored_rows(),
      .own_encodings = {kWeight, kBias},
      .check = [](const OpCall& call) { return check_conv(call, kKind); },
      .input_box = [](const OpCall& call, size_t index,
                      const ir::Box& output) { return conv_input_box(call, kKind, index, output); },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = [](const OpCall& call, const ir::Box& output) { return conv_work(call, kKind, output); },
      .store = [](const OpCall& call, size_t index,
                  const ir::Blob& data) { return store_conv(call, kKind, index, data); },
      .packed_input = kWeight,
      .packed_bytes = [](const OpCall& call,
                         const ir::Box& box) { return conv_packed_bytes(call, kKind, box); },
      .fuses = true,
      .kernels = {fast_conv<axes, form>(), fast_depth<axes, form>(),
                  reference_kernel(
                      [](const KernelArgs& args, const ir::Box& region) { run_conv(args, kKind, region); },
                      [](const OpCall& call) { return dot_scratch(call, matrices_of(call, kKind)); })},
  };
}

// The tables list no types for 1-D convolutions: those of the 2-D ones are ours.
std::vector<std::string_view> rows_of_2d() {
  return {"f16,f16,f16 -> f16",        "f32,f32,f32 -> f32",        "ufx8,ufx8,ufx8 -> ufx8",
          "ufx8,ufx8,sfx32 -> ufx8",   "ufx8,sfx8,sfx32 -> ufx8",   "sfx8,sfx8,sfx32 -> sfx8",
          "ufx16,ufx8,sfx32 -> ufx16", "ufx16,sfx8,sfx32 -> ufx16", "ufx16,sfx16,sfx32 -> ufx16"};
}

}  // namespace

OpDef conv2d() { return conv_op<2, Form::kPlain>("Conv2d"); }
OpDef depth_wise_conv2d() { return conv_op<2, Form::kDepthWise>("DepthWiseConv2d"); }
OpDef transpose_conv2d() { return conv_op<2, Form::kTransposed>("TransposeConv2d"); }
OpDef conv3d() { return conv_op<3, Form::kPlain>("Conv3d"); }
OpDef transpose_conv3d() { return conv_op<3, Form::kTransposed>("TransposeConv3d"); }
OpDef conv1d() { return conv_op<1, Form::kPlain>("Conv1d", rows_of_2d()); }
OpDef depth_wise_conv1d() { return conv_op<1, Form::kDepthWise>("DepthWiseConv1d", rows_of_2d()); }
OpDef transpose_conv1d() { return conv_op<1, Form::kTransposed>("TransposeConv1d", rows_of_2d()); }

}  // namespace openqnn::ops
