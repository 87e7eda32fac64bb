// SPDX-License-Identifier: BSD-3-Clause
// Channels in groups, dealt out anew: [n, groups, c / groups, h, w] with dimensions 1 and 2 exchanged.
#include "frontend/onnx/fuse/shuffle.h"

namespace openqnn::frontend::onnx {
namespace {

bool apply(Rewriter& net, uint32_t index) {
  const auto shuffle = shuffle_of(net, index);
  if (!shuffle || shuffle->from.size() < 3 || shuffle->to != shuffle->from) return false;
  const Dims& from = shuffle->from;
  Dims wanted = from;
  if (shuffle->between.size() != from.size() + 1) return false;
  const int64_t groups = shuffle->between[1];
  if (groups < 1 || from[1] % groups != 0) return false;
  wanted[1] = groups;
  wanted.insert(wanted.begin() + 2, from[1] / groups);
  std::vector<int64_t> perm(wanted.size());
  for (size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<int64_t>(i);
  std::swap(perm[1], perm[2]);
  if (shuffle->between != wanted || shuffle->perm != perm) return false;
  net.replace(index, "openqnn.ChannelShuffle", 1, {shuffle->x}, Attributes().set("groups", groups),
              shuffle->nodes);
  return true;
}

}  // namespace

Fusion channel_shuffle_fusion() {
  return {"channel_shuffle", "Reshape, Transpose, Reshape of groups of channels as ChannelShuffle", apply};
}

}  // namespace openqnn::frontend::onnx
