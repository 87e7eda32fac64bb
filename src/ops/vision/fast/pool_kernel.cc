// SPDX-License-Identifier: BSD-3-Clause
#include "ops/vision/fast/pool_kernel.h"

#include <cmath>
#include <utility>

#include "base/cpu.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/vision/fast/pool_loops.h"
#include "ops/vision/pool_windows.h"

namespace openqnn::ops::fast {
namespace {

using ir::DataType;

// Calls body(taps, index, first element of the output) for every position in the region.
template <class Body>
void for_each_window(const KernelArgs& args, const ir::Box& region, const Body& body) {
  if (region.empty()) return;
  const ir::Shape& in = args.call.in(0).shape;
  const ir::Shape& out = args.call.out().shape;
  const Windows windows = windows_of(args.call);
  const size_t channel = region.rank() - 1;
  const size_t column = channel - 1;
  const Window& along = windows.axes[windows.count - 1];

  const size_t size = ir::byte_size(args.call.in(0).type);
  PoolTaps taps{.column_stride = in[channel] * size, .channels = region.extent(channel)};
  taps.row_stride = in[column] * taps.column_stride;
  taps.plane_stride = in[column - 1] * taps.row_stride;
  ir::Box lines = region;
  lines.end[channel] = lines.begin[channel] + 1;
  lines.end[column] = lines.begin[column] + 1;
  ir::for_each_index(lines, [&](const ir::Shape& start) {
    const ir::Box box = inputs_of(windows, box_at(start));
    taps.rows = box.extent(column - 1);
    taps.planes = windows.count == 3 ? box.extent(1) : 1;
    ir::Shape line = box.begin;
    line[column] = 0;
    const std::byte* first = args.inputs[0] + ir::offset_of(in, line) * size;
    uint64_t to = ir::offset_of(out, start);
    ir::Shape index = start;
    for (uint32_t x = region.begin[column]; x < region.end[column]; ++x) {
      const auto [begin, end] = along.inputs(x, x + 1);
      taps.first = first + begin * taps.column_stride;
      taps.columns = end - begin;
      body(std::as_const(taps), std::as_const(index), to);
      ++index[column];
      to += out[channel];
    }
  });
}

// The largest |stored + offset|.
double largest_stored(const ir::TensorDesc& desc) {
  const FixedFormat format = fixed_format(desc);
  return std::max(std::fabs(format.low), std::fabs(format.high));
}

double taps_of(const OpCall& call) {
  const Windows windows = windows_of(call);
  double taps = 1.0;
  for (size_t i = 0; i < windows.count; ++i) taps *= std::min(windows.axes[i].filter, windows.axes[i].input);
  return taps;
}

}  // namespace

const PoolLoops& host_pools() {
#if OPENQNN_X86
  if (host_isa() == Isa::kAvx512) return kAvx512Pools;
  if (host_isa() == Isa::kAvx2) return kAvx2Pools;
#endif
  return kPortablePools;
}

std::optional<std::string> declines_stored_max(const OpCall& call) {
  if (!BlockFormat(call.in(0)).has_loop) return "there are no loops for this type";
  if (!same_representation(call.in(0), call.out())) return "elements are requantized";
  return std::nullopt;
}

void run_stored_max(const KernelArgs& args, const ir::Box& region) {
  const PoolLoops& loops = host_pools();
  const DataType type = args.call.out().type;
  const size_t size = ir::byte_size(type);
  const auto largest = type == DataType::kFloat16    ? loops.max_halves
                       : type == DataType::kUfixed8  ? loops.max_u8
                       : type == DataType::kSfixed8  ? loops.max_s8
                       : type == DataType::kUfixed16 ? loops.max_u16
                                                     : loops.max_s16;
  for_each_window(args, region, [&](const PoolTaps& taps, const ir::Shape&, uint64_t to) {
    largest(taps, args.outputs[0] + to * size);
  });
}

std::optional<std::string> declines_stored_mean(const OpCall& call) {
  constexpr double kExact = 0x1p29;  // a scale times such a number is exact, and so is every sum on the way
  if (!BlockFormat(call.in(0)).has_loop || !BlockFormat(call.out()).has_loop)
    return "there are no loops for this type";
  if (call.in(0).type != DataType::kFloat16 && taps_of(call) * largest_stored(call.in(0)) >= kExact)
    return "the sums might be rounded";
  return std::nullopt;
}

uint64_t stored_mean_scratch(const OpCall& call) {
  return call.out().shape.from_end(0) * (sizeof(double) + sizeof(int32_t));
}

void run_stored_mean(const KernelArgs& args, const ir::Box& region) {
  const PoolLoops& loops = host_pools();
  const OpCall& call = args.call;
  const Windows windows = windows_of(call);
  const bool counts_padding = call.params->boolean("count_pad_for_edges", false);
  const bool halves = call.in(0).type == DataType::kFloat16;
  const FixedFormat format = halves ? FixedFormat{} : fixed_format(call.in(0));
  const auto sum_integers = ir::byte_size(call.in(0).type) == 1 ? loops.sum_8 : loops.sum_16;
  const BlockWriter write(call.out(), args.outputs[0]);
  auto* sums = reinterpret_cast<double*>(args.scratch.data());
  auto* integers = reinterpret_cast<int32_t*>(sums + call.out().shape.from_end(0));
  for_each_window(args, region, [&](const PoolTaps& taps, const ir::Shape& index, uint64_t to) {
    const auto count = static_cast<double>(taps.planes * taps.rows * taps.columns);
    if (halves) {
      loops.sum_halves(taps, sums);
    } else {
      sum_integers(taps, format.move, integers);
      for (size_t i = 0; i < taps.channels; ++i)
        sums[i] = format.scale * (integers[i] + count * format.offset);
    }
    const double cells = counts_padding ? padded_cells(windows, index) : count;
    for (size_t i = 0; i < taps.channels; ++i) sums[i] = cells > 0.0 ? sums[i] / cells : 0.0;
    write(to, taps.channels, sums);
  });
}

}  // namespace openqnn::ops::fast
