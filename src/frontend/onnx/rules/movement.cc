// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/rules/movement.h"

#include <algorithm>

#include "frontend/onnx/rules/fit.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostSliced = 5;  // dimensions that the backend's StridedSlice takes
constexpr size_t kMostTiled = 4;   // and its Tile
constexpr size_t kMostJoined = 5;  // and its Concat

// Dimensions of which all is taken, joined with neighbours of which all is taken.
struct JoinedRanges {
  Dims dims;
  std::vector<Range> ranges;
};

JoinedRanges joined(const Dims& dims, const std::vector<Range>& ranges) {
  JoinedRanges out;
  bool last_whole = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool all = is_whole(ranges[i], dims[i]);
    if (all && last_whole) {
      out.dims.back() *= dims[i];
      out.ranges.back() = whole(out.dims.back());
    } else {
      out.dims.push_back(dims[i]);
      out.ranges.push_back(ranges[i]);
    }
    last_whole = all;
  }
  return out;
}

// [begin, end, step] of each dimension; an end before the first element is -1.
std::vector<int32_t> slice_rows(const Dims& dims, const std::vector<Range>& ranges) {
  std::vector<int32_t> rows;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Range& range = ranges[i];
    const int64_t end = std::clamp<int64_t>(range.start + range.count * range.step, -1, dims[i]);
    for (const int64_t number : {range.start, end, range.step}) rows.push_back(static_cast<int32_t>(number));
  }
  return rows;
}

Dims taken(const std::vector<Range>& ranges) {
  Dims dims;
  for (const Range& range : ranges) dims.push_back(range.count);
  return dims;
}

}  // namespace

TensorRef slice(Lowering& node, TensorRef tensor, const std::vector<Range>& ranges) {
  if (node.refusal()) return kNoTensorRef;
  const Dims dims = node.lies_as(tensor);
  const bool all = std::equal(ranges.begin(), ranges.end(), dims.begin(), dims.end(), is_whole);
  if (all) return tensor;
  if (dims.size() > kMostSliced) {
    const JoinedRanges small = joined(dims, ranges);
    if (small.dims.size() < dims.size())
      return node.reshape(slice(node, node.reshape(tensor, small.dims), small.ranges), taken(ranges));
  }
  const auto rank = static_cast<uint32_t>(dims.size());
  return emit_moving(node, "StridedSlice", {tensor},
                     Params().i32s("ranges", slice_rows(dims, ranges), {rank, 3}), taken(ranges));
}

TensorRef reversed(Lowering& node, TensorRef tensor, size_t position) {
  if (node.refusal()) return kNoTensorRef;
  const Dims dims = node.lies_as(tensor);
  std::vector<Range> ranges;
  for (size_t i = 0; i < dims.size(); ++i)
    ranges.push_back(i == position ? Range{dims[i] - 1, -1, dims[i]} : whole(dims[i]));
  return dims[position] == 1 ? tensor : slice(node, tensor, ranges);
}

TensorRef repeated(Lowering& node, TensorRef tensor, const std::vector<int64_t>& times) {
  if (node.refusal()) return kNoTensorRef;
  const Dims dims = node.lies_as(tensor);
  if (std::all_of(times.begin(), times.end(), [](int64_t each) { return each == 1; })) return tensor;
  Dims out;
  for (size_t i = 0; i < dims.size(); ++i) out.push_back(dims[i] * times[i]);
  // A dimension that is not repeated follows its neighbour, and one element repeated is as good as a row.
  Dims small;
  std::vector<int64_t> small_times;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool joins = i > 0 && dims.size() > kMostTiled && (times[i] == 1 || small.back() == 1);
    if (joins) {
      small.back() *= dims[i];
      small_times.back() *= times[i];
    } else {
      small.push_back(dims[i]);
      small_times.push_back(times[i]);
    }
  }
  Dims small_out;
  std::vector<uint32_t> multiples;
  for (size_t i = 0; i < small.size(); ++i) {
    small_out.push_back(small[i] * small_times[i]);  // refused where it is beyond 32 bits
    multiples.push_back(static_cast<uint32_t>(small_times[i]));
  }
  const TensorRef tiled = emit_moving(node, "Tile", {node.reshape(tensor, small)},
                                      Params().u32s("multiples", multiples), small_out);
  return node.reshape(tiled, out);
}

TensorRef concatenated(Lowering& node, const std::vector<TensorRef>& tensors, size_t position) {
  if (node.refusal() || tensors.empty()) return kNoTensorRef;
  if (tensors.size() == 1) return tensors[0];
  Dims out = node.lies_as(tensors[0]);
  out[position] = 0;
  for (const TensorRef tensor : tensors) out[position] += node.lies_as(tensor)[position];
  if (out.size() > kMostJoined) {
    std::vector<TensorRef> rows;
    for (const TensorRef tensor : tensors) rows.push_back(as_rows_around(node, tensor, position));
    return node.reshape(concatenated(node, rows, 1), out);
  }
  return emit_moving(node, "Concat", tensors, Params().u32("axis", static_cast<uint32_t>(position)), out);
}

TensorRef as_rows_around(Lowering& node, TensorRef tensor, size_t position) {
  if (node.refusal()) return kNoTensorRef;
  const AxisSplit split = around(node.lies_as(tensor), position);
  return node.reshape(tensor, {split.before, split.extent, split.after});
}

}  // namespace openqnn::frontend::onnx
