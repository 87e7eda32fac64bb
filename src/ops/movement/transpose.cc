// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

struct TransposeMap {
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    OPENQNN_TRY(check_count_per_dim(call, "perm", in));
    std::vector<bool> seen(in.rank());
    ir::Shape expected = in;
    for (size_t i = 0; i < in.rank(); ++i) {
      const uint32_t axis = call.params->u32_at("perm", i, 0);
      OPENQNN_TRY(check_axis("perm", axis, in));
      if (seen[axis])
        return invalid("op-param-value", concat("perm names axis ", axis, " twice"))
            .fix_by("give each axis once");
      seen[axis] = true;
      expected[i] = in[axis];
    }
    return expect_shape("output", call.out().shape, expected);
  }

  explicit TransposeMap(const OpCall& call) : in_(call.in(0).shape), perm_(in_) {
    for (size_t i = 0; i < in_.rank(); ++i) perm_[i] = call.params->u32_at("perm", i, 0);
  }

  Source source(const ir::Shape& output) const { return {0, ir::offset_of(in_, moved(output))}; }
  ir::Box needed(size_t, const ir::Box& output) const { return {moved(output.begin), moved(output.end)}; }

 private:
  ir::Shape moved(const ir::Shape& output) const {
    ir::Shape index = in_;
    for (size_t i = 0; i < in_.rank(); ++i) index[perm_[i]] = output[i];
    return index;
  }
  ir::Shape in_;
  ir::Shape perm_;
};

// ---- Fast kernel ----

// One dimension of the region: how far it goes, and how far apart neighbours are in both tensors.
struct Axis {
  uint64_t extent;
  uint64_t in_stride;
  uint64_t out_stride;
};

constexpr size_t kMostAxes = 8;
using Strides = std::array<uint64_t, kMostAxes>;

Strides strides_of(const ir::Shape& shape) {
  Strides strides{};
  uint64_t stride = 1;
  for (size_t i = shape.rank(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return strides;
}

// The region's axes, outermost in the output first; those that both tensors go through in one step are one.
struct Axes {
  std::array<Axis, kMostAxes> axis;
  size_t count = 0;

  Axes(const OpCall& call, const ir::Box& region) {
    const Strides in = strides_of(call.in(0).shape);
    const Strides out = strides_of(call.out().shape);
    for (size_t i = 0; i < region.rank(); ++i) {
      const Axis next{region.extent(i), in[call.params->u32_at("perm", i, 0)], out[i]};
      if (next.extent == 1) continue;
      Axis* former = count > 0 ? &axis[count - 1] : nullptr;
      if (former && former->in_stride == next.in_stride * next.extent &&
          former->out_stride == next.out_stride * next.extent)
        *former = {former->extent * next.extent, next.in_stride, next.out_stride};
      else
        axis[count++] = next;
    }
    if (count == 0) axis[count++] = {1, 1, 1};
  }
};

// As many elements as a register of any x86-64 has.
constexpr size_t kSquareBytes = 16;
template <class T>
inline constexpr size_t kSide = kSquareBytes / sizeof(T);
template <class T>
struct Line {
  using Type __attribute__((vector_size(kSquareBytes))) = T;
};

// Elements of two lines in turns, from element `first` of each on.
template <class T, int first>
typename Line<T>::Type in_turns(typename Line<T>::Type a, typename Line<T>::Type b) {
  return [&]<int... i>(std::integer_sequence<int, i...> /*places*/) {
    return __builtin_shufflevector(a, b, (first + i / 2 + (i % 2) * static_cast<int>(kSide<T>))...);
  }
  (std::make_integer_sequence<int, kSide<T>>{});
}

// Strides in elements: of lines in the input, and of lines in the output. Taking lines half a square apart in
// turns, as often as 2 divides the side, brings every element to its place.
template <class T>
void transpose_square(const std::byte* in, uint64_t in_stride, std::byte* out, uint64_t out_stride) {
  constexpr size_t n = kSide<T>;
  std::array<typename Line<T>::Type, n> lines;
  for (size_t i = 0; i < n; ++i) std::memcpy(&lines[i], in + i * in_stride * sizeof(T), kSquareBytes);
  for (size_t turn = 1; turn < n; turn *= 2) {
    std::array<typename Line<T>::Type, n> next;
    for (size_t i = 0; i < n / 2; ++i) {
      next[2 * i] = in_turns<T, 0>(lines[i], lines[i + n / 2]);
      next[2 * i + 1] = in_turns<T, static_cast<int>(n / 2)>(lines[i], lines[i + n / 2]);
    }
    lines = next;
  }
  for (size_t i = 0; i < n; ++i) std::memcpy(out + i * out_stride * sizeof(T), &lines[i], kSquareBytes);
}

// A matrix whose rows lie in one piece in the input, and whose columns do in the output. Square blocks keep
// the lines of both in the cache.
template <class T>
void transpose_matrix(const std::byte* in, std::byte* out, const Axis& column, const Axis& row) {
  constexpr uint64_t kBlock = kSide<T>;
  if (column.in_stride == 1 && column.out_stride == 1) {
    for (uint64_t r = 0; r < row.extent; ++r)
      std::memcpy(out + r * row.out_stride * sizeof(T), in + r * row.in_stride * sizeof(T),
                  column.extent * sizeof(T));
    return;
  }
  const bool in_lines = row.in_stride == 1 && column.out_stride == 1;
  for (uint64_t first_row = 0; first_row < row.extent; first_row += kBlock) {
    const uint64_t end_row = std::min(first_row + kBlock, row.extent);
    for (uint64_t first = 0; first < column.extent; first += kBlock) {
      const uint64_t end = std::min(first + kBlock, column.extent);
      if (in_lines && end_row - first_row == kBlock && end - first == kBlock) {
        transpose_square<T>(in + (first_row + first * column.in_stride) * sizeof(T), column.in_stride,
                            out + (first_row * row.out_stride + first) * sizeof(T), row.out_stride);
        continue;
      }
      for (uint64_t r = first_row; r < end_row; ++r)
        for (uint64_t c = first; c < end; ++c)
          save(out, r * row.out_stride + c * column.out_stride,
               load<T>(in, r * row.in_stride + c * column.in_stride));
    }
  }
}

// The same for a few rows that become the places of a pixel: channels of an image.
template <class T, size_t places>
void interleave(const std::byte* in, std::byte* out, const Axis& place, const Axis& pixel) {
  for (uint64_t p = 0; p < pixel.extent; ++p) {
    std::array<T, places> together;
    for (size_t i = 0; i < places; ++i) together[i] = load<T>(in + i * place.in_stride * sizeof(T), p);
    std::memcpy(out + p * sizeof(together), together.data(), sizeof(together));
  }
}

bool interleaves(const Axis& place, const Axis& pixel) {
  return place.out_stride == 1 && pixel.in_stride == 1 && pixel.out_stride == place.extent;
}

template <class T>
void transpose_plane(const std::byte* in, std::byte* out, const Axis& column, const Axis& row) {
  if (interleaves(column, row) && column.extent == 3) return interleave<T, 3>(in, out, column, row);
  if (interleaves(column, row) && column.extent == 4) return interleave<T, 4>(in, out, column, row);
  transpose_matrix<T>(in, out, column, row);
}

template <class T>
void transpose_axes(const std::byte* in, std::byte* out, const Axis* axes, size_t count) {
  const Axis& last = axes[count - 1];
  if (count == 1) return transpose_matrix<T>(in, out, last, {1, 0, 0});
  if (count == 2) return transpose_plane<T>(in, out, last, axes[0]);
  for (uint64_t i = 0; i < axes[0].extent; ++i)
    transpose_axes<T>(in + i * axes[0].in_stride * sizeof(T), out + i * axes[0].out_stride * sizeof(T),
                      axes + 1, count - 1);
}

// Moves the axis that lies in one piece in the input next to the last one: both are in the matrix then.
void bring_inner_axis_down(Axes& axes) {
  if (axes.count < 3 || axes.axis[axes.count - 1].in_stride == 1) return;
  const auto end = axes.axis.begin() + static_cast<ptrdiff_t>(axes.count);
  const auto inner = std::min_element(axes.axis.begin(), end - 1,
                                      [](const Axis& a, const Axis& b) { return a.in_stride < b.in_stride; });
  std::rotate(inner, inner + 1, end - 1);
}

void run_blocks(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  Axes axes(args.call, region);
  bring_inner_axis_down(axes);
  const size_t size = ir::byte_size(args.call.out().type);
  const std::byte* in = args.inputs[0] + TransposeMap(args.call).source(region.begin).offset * size;
  std::byte* out = args.outputs[0] + ir::offset_of(args.call.out().shape, region.begin) * size;
  const auto run = size == 1   ? transpose_axes<uint8_t>
                   : size == 2 ? transpose_axes<uint16_t>
                   : size == 4 ? transpose_axes<uint32_t>
                               : transpose_axes<uint64_t>;
  run(in, out, axes.axis.data(), axes.count);
}

std::optional<std::string> declines_blocks(const OpCall& call) {
  if (!same_representation(call.in(0), call.out())) return "elements are requantized";
  if (call.out().type == ir::DataType::kBool8) return "a bool may be any byte";
  if (call.out().shape.rank() > kMostAxes) return "there are very many dimensions";
  return std::nullopt;
}

}  // namespace

OpDef transpose() {
  OpDef def = moving_op<TransposeMap, kShuffle>("Transpose");
  def.kernels.insert(def.kernels.begin(), {"blocks", declines_blocks, run_blocks});
  return def;
}

}  // namespace openqnn::ops
