// SPDX-License-Identifier: BSD-3-Clause
// DepthToSpace, SpaceToDepth, BatchToSpace, SpaceToBatch, as reshapes and transposes: the way ONNX and
// TensorFlow define them.
#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

struct Sizes {
  size_t b, h, w, c, bh, bw;
};
Sizes sizes_of(const Problem& problem, const Tensor& x) {
  return {x.shape[0],
          x.shape[1],
          x.shape[2],
          x.shape[3],
          problem.integer("block_size", 1, 0),
          problem.integer("block_size", 1, 1)};
}

std::vector<Tensor> depth_to_space(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sizes s = sizes_of(problem, inputs[0]);
  const size_t c = s.c / (s.bh * s.bw);
  const bool crd = problem.integer("mode", 0) == 1;
  const Tensor split = crd ? reshaped(inputs[0], {s.b, s.h, s.w, c, s.bh, s.bw})
                           : reshaped(inputs[0], {s.b, s.h, s.w, s.bh, s.bw, c});
  const Tensor moved =
      transposed(split, crd ? std::vector<size_t>{0, 1, 4, 2, 5, 3} : std::vector<size_t>{0, 1, 3, 2, 4, 5});
  return {reshaped(moved, {s.b, s.h * s.bh, s.w * s.bw, c})};
}

std::vector<Tensor> space_to_depth(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sizes s = sizes_of(problem, inputs[0]);
  const Tensor split = reshaped(inputs[0], {s.b, s.h / s.bh, s.bh, s.w / s.bw, s.bw, s.c});
  const Tensor moved =
      transposed(split, problem.integer("mode", 0) == 1 ? std::vector<size_t>{0, 1, 3, 5, 2, 4}
                                                        : std::vector<size_t>{0, 1, 3, 2, 4, 5});
  return {reshaped(moved, {s.b, s.h / s.bh, s.w / s.bw, s.bh * s.bw * s.c})};
}

// The image that is left, or grows, at the borders.
Tensor window(const Tensor& from, long top, long left, size_t height, size_t width) {
  Tensor out{{from.shape[0], height, width, from.shape[3]}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    std::vector<size_t> index = index_of(out.shape, i);
    const long y = static_cast<long>(index[1]) + top;
    const long x = static_cast<long>(index[2]) + left;
    const bool inside =
        y >= 0 && y < static_cast<long>(from.shape[1]) && x >= 0 && x < static_cast<long>(from.shape[2]);
    index[1] = static_cast<size_t>(y);
    index[2] = static_cast<size_t>(x);
    out.values.push_back(inside ? from.values[offset_of(from.shape, index)] : 0.0);
  }
  return out;
}

long border(const Problem& problem, const char* name, size_t index) {
  return static_cast<long>(problem.integer(name, 0, index));
}

std::vector<Tensor> batch_to_space(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sizes s = sizes_of(problem, inputs[0]);
  const size_t batches = s.b / (s.bh * s.bw);
  const Tensor split = reshaped(inputs[0], {s.bh, s.bw, batches, s.h, s.w, s.c});
  const Tensor image =
      reshaped(transposed(split, {2, 3, 0, 4, 1, 5}), {batches, s.h * s.bh, s.w * s.bw, s.c});
  const auto crop = [&](size_t index) { return border(problem, "crops", index); };
  return {window(image, crop(0), crop(2), s.h * s.bh - static_cast<size_t>(crop(0) + crop(1)),
                 s.w * s.bw - static_cast<size_t>(crop(2) + crop(3)))};
}

std::vector<Tensor> space_to_batch(const Problem& problem, const std::vector<Tensor>& inputs) {
  const Sizes s = sizes_of(problem, inputs[0]);
  const auto added = [&](size_t index) { return border(problem, "pad_amount", index); };
  const size_t h = s.h + static_cast<size_t>(added(0) + added(1));
  const size_t w = s.w + static_cast<size_t>(added(2) + added(3));
  const Tensor padded = window(inputs[0], -added(0), -added(2), h, w);
  const Tensor split = reshaped(padded, {s.b, h / s.bh, s.bh, w / s.bw, s.bw, s.c});
  return {reshaped(transposed(split, {2, 4, 0, 1, 3, 5}), {s.bh * s.bw * s.b, h / s.bh, w / s.bw, s.c})};
}

const Register kDepthToSpace{{
    .op = "DepthToSpace",
    .problems = {"in=1x1x1x4 block_size=2,2", "in=1x3x5x8 block_size=2,2 mode=1",
                 "in=2x3x2x18 block_size=2,3", "in=1x2x3x30 block_size=3,2 mode=1",
                 "in=2x1x4x7 block_size=1,1", "in=1x5x3x12 block_size=1,4 mode=0",
                 "in=1x3x3x27 block_size=3,3"},
    .compute = depth_to_space,
    .output_encoding = OutputEncoding::kBoth,
}};

const Register kSpaceToDepth{{
    .op = "SpaceToDepth",
    .problems = {"in=1x2x2x1 block_size=2,2", "in=1x6x4x5 block_size=2,2 mode=1", "in=2x4x9x3 block_size=2,3",
                 "in=1x6x4x7 block_size=3,2 mode=1", "in=2x1x4x7 block_size=1,1",
                 "in=1x5x8x3 block_size=1,4 mode=0", "in=1x9x3x3 block_size=3,3"},
    .compute = space_to_depth,
    .output_encoding = OutputEncoding::kBoth,
}};

const Register kBatchToSpace{{
    .op = "BatchToSpace",
    .problems = {"in=4x1x1x1 block_size=2,2", "in=4x3x5x3 block_size=2,2 crops=1,0,0,1",
                 "in=12x2x3x5 block_size=2,3 crops=0,3,2,2", "in=6x3x2x4 block_size=3,1 crops=4,2,0,1",
                 "in=3x4x4x7 block_size=1,1", "in=18x1x2x3 block_size=3,3"},
    .compute = batch_to_space,
    .output_encoding = OutputEncoding::kBoth,
}};

const Register kSpaceToBatch{{
    .op = "SpaceToBatch",
    .problems = {"in=1x2x2x1 block_size=2,2", "in=1x5x7x3 block_size=2,2 pad_amount=1,0,0,1",
                 "in=2x3x4x5 block_size=2,3 pad_amount=0,1,2,3",
                 "in=2x4x3x4 block_size=3,1 pad_amount=4,1,0,2", "in=3x4x4x7 block_size=1,1",
                 "in=2x3x6x3 block_size=3,3"},
    .compute = space_to_batch,
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
