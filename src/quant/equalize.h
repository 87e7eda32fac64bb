// SPDX-License-Identifier: BSD-3-Clause
// Cross-layer equalization: what one convolution's channel is made smaller by, the next one's weights for it
// are made larger by. The float model stays the same; ranges become alike, so that one encoding per tensor
// wastes fewer steps.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::quant {

struct Equalized {
  ir::Graph graph{""};
  size_t pairs = 0;  // of convolutions whose weights were scaled
};

// Of pairs of Conv2d and DepthWiseConv2d with nothing or a Relu between, where nobody else sees what lies
// between. Constants named in `keep` are not changed, nor is a pair that has one or has a tensor of these
// names between.
Result<Equalized> equalize(const ir::Graph& graph, const std::set<std::string>& keep = {});

}  // namespace openqnn::quant
