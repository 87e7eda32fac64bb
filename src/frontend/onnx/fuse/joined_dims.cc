// SPDX-License-Identifier: BSD-3-Clause
// Window partitions and the like: a Transpose of more dimensions than the backend has, between two Reshapes.
// Dimensions that stay together, and those of extent 1, need not be told apart.
#include "frontend/onnx/fuse/shuffle.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostDimensions = 5;  // of the backend's Transpose and Reshape

bool apply(Rewriter& net, uint32_t index) {
  const auto shuffle = shuffle_of(net, index);
  if (!shuffle || shuffle->between.size() <= kMostDimensions) return false;
  if (shuffle->perm.size() != shuffle->between.size()) return false;
  net.replace(index, "openqnn.Rearrange", 1, {shuffle->x},
              Attributes().set("between", shuffle->between).set("perm", shuffle->perm), shuffle->nodes);
  return true;
}

}  // namespace

Fusion joined_dims_fusion() {
  return {
      "joined_dims",
      "Reshape, Transpose, Reshape through more than five dimensions, with those joined that stay together",
      apply};
}

}  // namespace openqnn::frontend::onnx
