// SPDX-License-Identifier: BSD-3-Clause
// Reshape, Transpose, Reshape: how exporters write what moves blocks of channels.
#include "frontend/onnx/fuse/fusion.h"
#include "frontend/onnx/order.h"

namespace openqnn::frontend::onnx {
namespace {

struct Shuffle {
  ValueId x = kNoValue;
  Dims from;     // of x
  Dims between;  // after the first Reshape
  std::vector<int64_t> perm;
  Dims to;  // of the result
  std::vector<uint32_t> nodes;
};
// That ends with the Reshape `index`.
std::optional<Shuffle> shuffle_of(const Rewriter& net, uint32_t index) {
  const NetNode& last = net.node(index);
  if (last.type != "Reshape") return std::nullopt;
  const auto transpose = net.made_by_for_this_alone(last.inputs[0], "Transpose");
  if (!transpose) return std::nullopt;
  const auto first = net.made_by_for_this_alone(net.node(*transpose).inputs[0], "Reshape");
  if (!first) return std::nullopt;
  const NetNode& reshape = net.node(*first);
  // Dimensions beside one of 0 say nothing of each other.
  if (count_of(net.value(last.outputs[0]).dims) == 0) return std::nullopt;
  return Shuffle{reshape.inputs[0],
                 net.value(reshape.inputs[0]).dims,
                 net.value(reshape.outputs[0]).dims,
                 net.node(*transpose).attributes.integers("perm"),
                 net.value(last.outputs[0]).dims,
                 {*first, *transpose}};
}

// ---- Pixel shuffle and its inverse, written through six dimensions ----

using Perm = std::vector<int64_t>;

bool to_space(Rewriter& net, uint32_t index, const Shuffle& shuffle) {
  const Dims& between = shuffle.between;
  const bool crd = shuffle.perm == Perm{0, 1, 4, 2, 5, 3};  // channels outermost: what PyTorch does
  const bool dcr = shuffle.perm == Perm{0, 3, 4, 1, 5, 2};
  if (!crd && !dcr) return false;
  const int64_t block = crd ? between[2] : between[1];
  const Dims wanted =
      crd ? Dims{shuffle.from[0], shuffle.from[1] / (block * block), block, block, shuffle.from[2],
                 shuffle.from[3]}
          : Dims{shuffle.from[0], block,          block, shuffle.from[1] / (block * block),
                 shuffle.from[2], shuffle.from[3]};
  const Dims result{shuffle.from[0], shuffle.from[1] / (block * block), shuffle.from[2] * block,
                    shuffle.from[3] * block};
  if (between != wanted || shuffle.to != result) return false;
  Attributes attributes;
  attributes.set("blocksize", block).set("mode", crd ? std::string_view("CRD") : std::string_view("DCR"));
  net.replace(index, "DepthToSpace", 13, {shuffle.x}, attributes, shuffle.nodes);
  return true;
}

// ONNX's SpaceToDepth puts the block before the channel.
bool to_depth(Rewriter& net, uint32_t index, const Shuffle& shuffle) {
  const Dims& between = shuffle.between;
  if (shuffle.perm != Perm{0, 3, 5, 1, 2, 4}) return false;
  const int64_t block = between[3];
  if (block == 0 || shuffle.from[2] % block != 0 || shuffle.from[3] % block != 0) return false;
  const Dims wanted{shuffle.from[0], shuffle.from[1],         shuffle.from[2] / block,
                    block,           shuffle.from[3] / block, block};
  const Dims result{shuffle.from[0], shuffle.from[1] * block * block, shuffle.from[2] / block,
                    shuffle.from[3] / block};
  if (between != wanted || shuffle.to != result) return false;
  net.replace(index, "SpaceToDepth", 13, {shuffle.x}, Attributes().set("blocksize", block), shuffle.nodes);
  return true;
}

}  // namespace

bool fuse_depth_to_space(Rewriter& net, uint32_t index) {
  const auto shuffle = shuffle_of(net, index);
  if (!shuffle || shuffle->from.size() != 4 || shuffle->between.size() != 6 || shuffle->to.size() != 4)
    return false;
  if (!is_real(net.value(shuffle->x).type)) return false;  // which the backend's op does not take
  return to_space(net, index, *shuffle) || to_depth(net, index, *shuffle);
}

// Channels in groups, dealt out anew: [n, groups, c / groups, h, w] with dimensions 1 and 2 exchanged.
bool fuse_channel_shuffle(Rewriter& net, uint32_t index) {
  const auto shuffle = shuffle_of(net, index);
  constexpr size_t kMostDimensions = 4;  // of the backend's op, which takes reals alone
  if (!shuffle || shuffle->from.size() < 3 || shuffle->to != shuffle->from) return false;
  const Dims& from = shuffle->from;
  if (from.size() > kMostDimensions || !is_real(net.value(shuffle->x).type)) return false;
  Dims wanted = from;
  if (shuffle->between.size() != from.size() + 1) return false;
  const int64_t groups = shuffle->between[1];
  if (groups < 1 || from[1] % groups != 0) return false;
  wanted[1] = groups;
  wanted.insert(wanted.begin() + 2, from[1] / groups);
  auto perm = plain_numbers<int64_t>(wanted.size());
  std::swap(perm[1], perm[2]);
  if (shuffle->between != wanted || shuffle->perm != perm) return false;
  net.replace(index, "openqnn.ChannelShuffle", 1, {shuffle->x}, Attributes().set("groups", groups),
              shuffle->nodes);
  return true;
}

// Window partitions and the like: a Transpose of more dimensions than the backend has, between two Reshapes.
// Dimensions that stay together, and those of extent 1, need not be told apart.
bool fuse_joined_dims(Rewriter& net, uint32_t index) {
  constexpr size_t kMostDimensions = 5;  // of the backend's Transpose and Reshape
  const auto shuffle = shuffle_of(net, index);
  if (!shuffle || shuffle->between.size() <= kMostDimensions) return false;
  if (shuffle->perm.size() != shuffle->between.size()) return false;
  net.replace(index, "openqnn.Rearrange", 1, {shuffle->x},
              Attributes().set("between", shuffle->between).set("perm", shuffle->perm), shuffle->nodes);
  return true;
}

}  // namespace openqnn::frontend::onnx
