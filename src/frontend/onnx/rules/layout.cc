// SPDX-License-Identifier: BSD-3-Clause
// Ops that give all their elements in other dimensions: Flatten, Squeeze, Unsqueeze, DepthToSpace,
// SpaceToDepth; and what fusions make of several such (fuse/shuffle.cc), which are no ONNX ops.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fold.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Flatten ----

Status infer_flatten(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const Dims& dims = node.dims(0);
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t given = node.attributes().integer("axis", 1);
  if (given < -rank || given > rank)
    return node.wrong(concat("axis ", given, " is no place in a tensor of rank ", rank));
  const auto at = dims.begin() + (given < 0 ? given + rank : given);
  OPENQNN_ASSIGN(const uint64_t before, checked_count({dims.begin(), at}));
  OPENQNN_ASSIGN(const uint64_t after, checked_count({at, dims.end()}));
  return node.set(0, node.type(0), {static_cast<int64_t>(before), static_cast<int64_t>(after)});
}

Status lower_flatten(Lowering& node) { return node.result(node.reshape(node.input(0), node.out().dims)); }

// ---- Squeeze ----

Result<std::vector<size_t>> squeezed_axes(const NodeView& node) {
  const Dims& dims = node.dims(0);
  OPENQNN_ASSIGN(const auto given, node.integers_of(1, "axes"));
  if (given) return axes_of(node, *given, dims.size());
  std::vector<size_t> ones;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == 1) ones.push_back(i);
  return ones;
}

Status infer_squeeze(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto axes, squeezed_axes(node));
  const Dims& dims = node.dims(0);
  Dims out;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!contains(axes, i))
      out.push_back(dims[i]);
    else if (dims[i] != 1)
      return node.wrong(concat("dimension ", i, " of ", text_of(dims), " is not 1 and cannot be left out"));
  }
  return node.set(0, node.type(0), std::move(out));
}

Status lower_squeeze(Lowering& node) {
  OPENQNN_ASSIGN(const auto axes, squeezed_axes(node));
  const Order order = order_of(node, 0);
  const Order left = without(order, axes);
  return node.result(node.reshape(node.input(0, order), in_order(node.out().dims, left)), left);
}

// ---- Unsqueeze ----

Result<std::vector<size_t>> new_axes(const NodeView& node) {
  OPENQNN_ASSIGN(const auto given, node.integers_of(1, "axes"));
  if (!given) return node.wrong("it has no axes");
  return axes_of(node, *given, node.dims(0).size() + given->size());
}

Status infer_unsqueeze(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto axes, new_axes(node));
  const Dims& dims = node.dims(0);
  Dims out;
  size_t from = 0;
  for (size_t i = 0; i < dims.size() + axes.size(); ++i) out.push_back(contains(axes, i) ? 1 : dims[from++]);
  return node.set(0, node.type(0), std::move(out));
}

// The new dimensions lie before the one that follows them; with one element each, they may lie anywhere.
Status lower_unsqueeze(Lowering& node) {
  OPENQNN_ASSIGN(const auto axes, new_axes(node));
  const Order order = order_of(node, 0);
  Order kept;  // the number in the output of each dimension of the input
  for (uint32_t i = 0; i < node.out().dims.size(); ++i)
    if (!contains(axes, i)) kept.push_back(i);
  Order wide;
  for (const uint32_t d : order) {
    for (uint32_t before = d == 0 ? 0 : kept[d - 1] + 1; before < kept[d]; ++before) wide.push_back(before);
    wide.push_back(kept[d]);
  }
  for (uint32_t last = kept.empty() ? 0 : kept.back() + 1; last < node.out().dims.size(); ++last)
    wide.push_back(last);
  return node.result(node.reshape(node.input(0, order), in_order(node.out().dims, wide)), wide);
}

// ---- Blocks of channels and blocks of places ----

constexpr uint32_t kDepthFirst = 0;   // DCR: the place in the block is the slowest of a channel's parts
constexpr uint32_t kColumnFirst = 1;  // CRD: it is the fastest

Result<int64_t> block_of(const Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const int64_t block = node.attributes().integer("blocksize", 0);
  if (node.rank(0) != 4) return node.wrong(concat("its input ", text_of(node.dims(0)), " is not of rank 4"));
  if (block < 1 || block > INT16_MAX) return node.wrong(concat("blocksize is ", block));
  return block;
}

bool columns_first(const Attributes& attributes) { return attributes.text("mode", "DCR") == "CRD"; }

Status infer_depth_to_space(Inference& node) {
  OPENQNN_ASSIGN(const int64_t block, block_of(node));
  const Dims& x = node.dims(0);
  if (x[1] % (block * block) != 0)
    return node.wrong(concat(x[1], " channels are no multiple of ", block, " by ", block));
  const std::string_view mode = node.attributes().text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return node.wrong(concat("mode is '", mode, "'; DCR and CRD are known"));
  OPENQNN_ASSIGN(const uint64_t height, checked_count({x[2], block}));
  OPENQNN_ASSIGN(const uint64_t width, checked_count({x[3], block}));
  return node.set(0, node.type(0),
                  {x[0], x[1] / (block * block), static_cast<int64_t>(height), static_cast<int64_t>(width)});
}

Status infer_space_to_depth(Inference& node) {
  OPENQNN_ASSIGN(const int64_t block, block_of(node));
  const Dims& x = node.dims(0);
  if (x[2] % block != 0 || x[3] % block != 0)
    return node.wrong(concat(text_of(x), " is not made of blocks of ", block, " by ", block));
  OPENQNN_ASSIGN(const uint64_t channels, checked_count({x[1], block, block}));
  return node.set(0, node.type(0), {x[0], static_cast<int64_t>(channels), x[2] / block, x[3] / block});
}

Status lower_blocks(Lowering& node) {
  const auto block = static_cast<uint32_t>(node.attributes().integer("blocksize", 1));
  const Order order = channels_last(4);
  Params params;
  params.u32s("block_size", {block, block});
  params.u32("mode", columns_first(node.attributes()) ? kColumnFirst : kDepthFirst);
  return node.result(node.emit(node.node().type, {node.input(0, order)}, params, node.out_type(),
                               in_order(node.out().dims, order)),
                     order);
}

// ---- What fusions make ----

Status lower_channel_shuffle(Lowering& node) {
  const Order order = node.common_order();
  Params params;
  params.u32("num_groups", static_cast<uint32_t>(node.attributes().integer("groups", 1)));
  params.u32("axis", inverse(order)[1]);
  const TensorRef x = node.input(0, order);
  return node.result(node.emit("ChannelShuffle", {x}, params, node.out_type(), node.lies_as(x)), order);
}

// The input seen in the dimensions `between`, transposed by `perm`, and given in others.
Status lower_rearrange(Lowering& node) {
  const auto perm = node.attributes().integers("perm");
  const Order order(perm.begin(), perm.end());
  return node.result(
      node.rearrange(node.input(0), node.attributes().integers("between"), order, node.out().dims));
}

}  // namespace

std::span<const Rule> layout_rules() {
  static const Rule kRules[] = {
      {"Flatten", infer_flatten, fold_reshaped, lower_flatten},
      {"Squeeze", infer_squeeze, fold_reshaped, lower_squeeze},
      {"Unsqueeze", infer_unsqueeze, fold_reshaped, lower_unsqueeze},
      {"DepthToSpace", infer_depth_to_space, nullptr, lower_blocks},
      {"SpaceToDepth", infer_space_to_depth, nullptr, lower_blocks},
      {"openqnn.ChannelShuffle", infer_nothing, nullptr, lower_channel_shuffle},
      {"openqnn.Rearrange", infer_nothing, nullptr, lower_rearrange},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
