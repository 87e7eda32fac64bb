// SPDX-License-Identifier: BSD-3-Clause
// Pixel shuffle and its inverse, written through six dimensions.
#include "frontend/onnx/fuse/shuffle.h"

namespace openqnn::frontend::onnx {
namespace {

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

bool apply(Rewriter& net, uint32_t index) {
  const auto shuffle = shuffle_of(net, index);
  if (!shuffle || shuffle->from.size() != 4 || shuffle->between.size() != 6 || shuffle->to.size() != 4)
    return false;
  return to_space(net, index, *shuffle) || to_depth(net, index, *shuffle);
}

}  // namespace

Fusion depth_to_space_fusion() {
  return {"depth_to_space",
          "Reshape, Transpose, Reshape through six dimensions as DepthToSpace or SpaceToDepth", apply};
}

}  // namespace openqnn::frontend::onnx
