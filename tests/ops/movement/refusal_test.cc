// SPDX-License-Identifier: BSD-3-Clause
// What ops that move elements refuse, and in which words. One row per path.
#include <gtest/gtest.h>

#include <functional>

#include "ops/refusals.h"

namespace openqnn::ops {
namespace {

std::function<void(OpCase&)> param(const std::string& name, const std::vector<double>& values,
                                   const std::string& type = {}) {
  return [=](OpCase& c) { set_param(c, name, values, type); };
}
std::function<void(OpCase&)> input(size_t index, const ir::Shape& shape) {
  return [=](OpCase& c) { c.inputs[index].shape = shape; };
}
std::function<void(OpCase&)> output(const ir::Shape& shape, size_t index = 0) {
  return [=](OpCase& c) { c.outputs[index].shape = shape; };
}

constexpr double kBig = 4294967295.0;

const char kReshape[] = "Reshape in=2x6:f16 in=2:i32 to=3,4";
const char kExpand[] = "ExpandDims in=2x3:ufx8 axis=1";
const char kSqueeze[] = "Squeeze in=2x1x3:ufx8 to=2,3";
const char kTranspose[] = "Transpose in=2x3:ufx8 perm=1,0";
const char kTile[] = "Tile in=2x3:ufx8 multiples=1,2";
const char kShuffleOp[] = "ChannelShuffle in=2x6:ufx8 num_groups=3";
const char kConcat[] = "Concat out=ufx8 in=2x3:ufx8 in=2x4:ufx8 axis=1";
const char kPack[] = "Pack out=ufx8 in=2x3:ufx8 in=2x3:ufx8 axis=1";
const char kSplit[] = "Split out=ufx8 in=2x6:ufx8 axis=1 split_index=2,5";
const char kUnPack[] = "UnPack out=ufx8 in=2x3:ufx8 axis=1";
const char kSlice[] = "StridedSlice in=4x6:ufx8 ranges=0,4,1,5,-1,-2";
const char kPad[] = "Pad in=4x6:ufx8 scheme=0 pad_amount=1,1,0,2";
const char kMirror[] = "Pad in=4x6:ufx8 scheme=2 pad_amount=1,1,0,2";
const char kDepth[] = "DepthToSpace in=1x2x3x8:ufx8 block_size=2,2";
const char kSpace[] = "SpaceToDepth in=1x4x6x2:ufx8 block_size=2,2";
const char kBatch[] = "BatchToSpace in=4x2x3x2:ufx8 block_size=2,2 crops=0,1,1,0";
const char kToBatch[] = "SpaceToBatch in=1x3x4x2:ufx8 block_size=2,2 pad_amount=1,0,0,0";
const char kGather[] = "Gather in=4x3:ufx8 in=2x2:i32 axis=0";
const char kGatherElements[] = "GatherElements in=4x3:ufx8 in=2x3:i32 axis=0";
const char kGatherNd[] = "GatherNd in=2x4x3:ufx8 in=2x5x1:i32 batch_dims=1";
const char kScatterElements[] = "ScatterElements in=4x3:ufx8 in=2x3:i32 in=2x3:ufx8";
const char kScatterNd[] = "ScatterNd in=4x3:ufx8 in=2x1:i32 in=2x3:ufx8";
const char kPermutation[] = "BatchPermutation in=4x3:ufx8 in=3:i32";
const char kOneHot[] = "OneHot in=5:i32 out=ufx8 depth=3";
const char kConstant[] = "ConstantOfShape in=2:u32 out=f16 value=1 to=2,3";
const char kShape[] = "Shape in=2x3x4:ufx8";
const char kNonZero[] = "NonZero in=2x3:bool8 out=i32 rows=4";
const char kPatches[] = "ExtractPatches in=1x5x5x2:ufx8 size=2,2 stride=1,1 rate=1,1 padding=0";
const char kGlimpse[] = "ExtractGlimpse in=2x5x5x1:f16 in=2x2:f16 size=3,3 noise=2";
const char kIm2Col[] = "Im2Col in=1x3x3x1:ufx8 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0";
const char kCol2Im[] = "Col2Im in=1x4x4:ufx8 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0 to=1,3,3,1";

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> rows = {
      {kReshape, output({3, 5}), "op-shape", "has 15 elements where input [2, 6] has 12"},
      {kReshape, input(1, {3}), "op-shape", "input 1 (shape) has shape [3] where the op needs [2]"},
      {kExpand, param("axis", {3}), "op-param-value", "axis has 3, beyond the 3 dimensions"},
      {kExpand, param("axes", {1, 1}), "op-param-value", "axes names axis 1 twice"},
      {kExpand, param("axes", {0, 1, 2, 3, 4, 5, 6}), "op-param-value", "makes 9 dimensions"},
      {kExpand, output({2, 3, 1}), "op-shape", "needs [2, 1, 3]"},
      {kSqueeze, output({3, 2}), "op-shape", "needs [2, 3]"},
      {kSqueeze, param("axes", {0}), "op-param-value", "names axis 0 of [2, 1, 3], which has 2 entries"},
      {kSqueeze, param("axes", {7}), "op-param-value", "beyond the 3 dimensions"},
      {kTranspose, param("perm", {0, 1, 2}), "op-param-shape", "'perm' has 3 entries for the 2 dimensions"},
      {kTranspose, param("perm", {1, 2}), "op-param-value", "perm 2 is not a dimension of [2, 3]"},
      {kTranspose, param("perm", {1, 1}), "op-param-value", "perm names axis 1 twice"},
      {kTranspose, output({2, 3}), "op-shape", "needs [3, 2]"},
      {kTile, param("multiples", {2}), "op-param-shape", "1 entries"},
      {kTile, param("multiples", {0, 1}), "op-param-value", "multiples has a 0 for dimension 0"},
      {kTile, param("multiples", {1, kBig}), "op-shape", "dimension 1 would be 12884901885"},
      {kShuffleOp, param("num_groups", {0}), "op-param-value", "num_groups 0 does not divide"},
      {kShuffleOp, param("num_groups", {4}), "op-param-value", "num_groups 4 does not divide the 6"},
      {kShuffleOp, param("axis", {2}), "op-param-value", "axis 2 is not a dimension of [2, 6]"},
      {kConcat, param("axis", {2}), "op-param-value", "axis 2"},
      {kConcat, input(1, {3, 4}), "op-shape", "input 1 has shape [3, 4] where the op needs [2, 4]"},
      {kConcat, input(1, {8}), "op-shape", "input 1 has shape [8] where the op needs [2, 3]"},
      {kConcat, output({2, 8}), "op-shape", "needs [2, 7]"},
      {kPack, param("axis", {3}), "op-param-value", "axis 3 is not a place for a new dimension in [2, 3]"},
      {kPack, input(1, {3, 2}), "op-shape", "input 1 has shape [3, 2]"},
      {kPack, output({2, 2, 2}), "op-shape", "needs [2, 2, 3]"},
      {kSplit, param("axis", {2}), "op-param-value", "axis 2"},
      {kSplit, param("split_index", {2}), "op-operands", "make 2 outputs; 3 given"},
      {kSplit, param("split_index", {0, 5}), "op-param-value", "split_index has 0 at entry 0"},
      {kSplit, param("split_index", {5, 2}), "op-shape",
       "output 0 has shape [2, 2] where the op needs [2, 5]"},
      {kSplit, param("split_index", {2, 2}), "op-param-value", "split_index has 2 at entry 1"},
      {kSplit, param("split_index", {2, 6}), "op-param-value", "split_index has 6 at entry 1"},
      {kSplit, output({2, 4}, 1), "op-shape", "output 1 has shape [2, 4] where the op needs [2, 3]"},
      {kUnPack, param("axis", {0}), "op-operands", "makes 2 outputs; 3 given"},
      {kUnPack, output({3}, 2), "op-shape", "output 2 has shape [3] where the op needs [2]"},
      {kSlice, param("ranges", {0, 4, 1}), "op-param-shape", "1 rows for the 2 dimensions"},
      {kSlice, param("ranges", {0, 4, 0, 5, -1, -2}), "op-param-value", "dimension 0: stride is 0"},
      {kSlice, param("ranges", {-1, 4, 1, 5, -1, -2}), "op-param-value", "begin -1 is outside 0 to 3"},
      {kSlice, param("ranges", {0, 5, 1, 5, -1, -2}), "op-param-value", "end 5 is outside -1 to 4"},
      {kSlice, param("ranges", {3, 1, 1, 5, -1, -2}), "op-param-value", "stride 1 does not lead from 3 to 1"},
      {kSlice, param("ranges", {0, 4, 1, 2, 4, -2}), "op-param-value", "stride -2 does not lead from 2 to 4"},
      {kSlice, param("begin_mask", {4}), "op-param-value", "begin_mask 4 has bits beyond the 2 rows"},
      {kSlice, param("new_axes_mask", {1}), "op-param-shape",
       "2 rows for the 2 dimensions of the input and 1"},
      {kSlice, param("ranges", std::vector<double>(27, 1)), "op-param-shape", "9 rows; 8 dimensions"},
      {kSlice, output({4, 2}), "op-shape", "needs [4, 3]"},
      {kPad, param("scheme", {4}), "op-param-value", "scheme 4 is not known"},
      {kPad, param("pad_amount", {1, 1}), "op-param-shape", "'pad_amount' has 1 entries"},
      {kPad, param("pad_amount", {kBig, 1, 0, 2}), "op-shape",
       "dimension 0 of the output would be 4294967300"},
      {kPad, param("pad_constant_value", {1}, "f16"), "op-param-type", "is f16, which is not accepted"},
      {"Pad in=4:f16 scheme=0 pad_amount=1,1", param("pad_constant_value", {1}, "ufx8"), "op-param-type",
       "is ufx8 where the tensor is f16"},
      {kMirror, param("pad_amount", {4, 1, 0, 2}), "op-param-value",
       "4 of dimension 0 is more than the mirror"},
      {kMirror, param("pad_amount", {1, 1, 0, 6}), "op-param-value", "6 of dimension 1"},
      {kDepth, param("block_size", {2, 0}), "op-param-value", "block_size is [2, 0]"},
      {kDepth, param("block_size", {3, 2}), "op-shape", "8 channels cannot be divided into blocks of 6"},
      {kDepth, param("mode", {2}), "op-param-value", "mode 2 is not known"},
      {kDepth, input(0, {2, 3, 8}), "op-rank", "[b, h, w, c] is needed"},
      {kSpace, param("block_size", {3, 2}), "op-shape", "4 rows cannot be divided into blocks of 3"},
      {kSpace, param("block_size", {2, 4}), "op-shape", "6 columns cannot"},
      {kBatch, param("block_size", {2, 3}), "op-shape", "4 batches cannot be divided into blocks of 6"},
      {kBatch, param("crops", {2, 2, 0, 0}), "op-param-value", "crops take 4 of 4 rows"},
      {kBatch, param("crops", {0, 0, kBig, kBig}), "op-param-value", "crops take 8589934590 of 6 columns"},
      {kToBatch, param("pad_amount", {0, 0, 0, 0}), "op-shape", "3 padded rows cannot"},
      {kToBatch, param("block_size", {4, 2147483648.0}), "op-shape", "padded columns cannot"},
      {kGather, param("axis", {-1}), "op-param-value", "axis -1 is not a dimension of [4, 3]"},
      {kGather, param("axis", {2}), "op-param-value", "axis 2 is not a dimension"},
      {kGather, output({2, 2, 4}), "op-shape", "needs [2, 2, 3]"},
      {"Gather in=2x2x2x2x2:ufx8 in=1:i32 axis=0", input(1, {1, 1, 1, 1, 1}), "op-rank", "would have 9"},
      {kGatherElements, param("axis", {2}), "op-param-value", "axis 2"},
      {kGatherElements, input(1, {6}), "op-rank", "different ranks"},
      {kGatherElements, input(1, {2, 4}), "op-shape", "reach beyond input [4, 3] in dimension 1"},
      {kGatherNd, param("batch_dims", {3}), "op-param-value", "batch_dims 3 leaves nothing"},
      {kGatherNd, param("batch_dims", {2}), "op-shape", "the first 2 dimensions of input [2, 4, 3]"},
      {kGatherNd, input(1, {2, 5, 3}), "op-shape", "tuples of 3 where input [2, 4, 3] has 2"},
      {kScatterElements, param("axis", {2}), "op-param-value", "axis 2"},
      {kScatterElements, param("reduction", {4}), "op-param-value", "reduction 4 is not known"},
      {kScatterElements, input(1, {2, 4}), "op-shape", "reach beyond"},
      {kScatterElements, input(1, {6}), "op-rank", "different ranks"},
      {kScatterElements, input(2, {2, 2}), "op-shape", "input 2 (updates) has shape [2, 2]"},
      {kScatterElements, output({3, 4}), "op-shape", "needs [4, 3]"},
      {kScatterNd, param("reduction", {3}), "op-param-value", "reduction 3 is not known"},
      {kScatterNd, input(1, {2, 3}), "op-shape", "tuples of 3"},
      {kScatterNd, input(2, {2, 4}), "op-shape", "where the op needs [2, 3]"},
      {kScatterNd, input(1, {1, 1, 1, 1, 1, 2}), "op-shape", "where the op needs [1, 1, 1, 1, 1]"},
      {"ScatterNd in=2x2x2x2x2:ufx8 in=2x1:i32 in=2x2x2x2x2:ufx8", input(1, {1, 1, 1, 1, 1, 1}), "op-rank",
       "updates would have 9 dimensions"},
      {kPermutation, input(1, {5}), "op-shape", "5 indices for a batch of 4"},
      {kPermutation, input(1, {3, 1}), "op-rank", "[m] is needed"},
      {kPermutation, output({4, 3}), "op-shape", "needs [3, 3]"},
      {kOneHot, param("axis", {2}), "op-param-value", "axis 2 is not a place"},
      {kOneHot, param("depth", {0}), "op-param-value", "depth is 0"},
      {kOneHot, param("on_value", {1}, "f16"), "op-param-type", "'on_value' is f16"},
      {"OneHot in=5:i32 out=f16 depth=3", param("off_value", {1}, "ufx8"), "op-param-type", "'off_value'"},
      {kConstant, input(0, {3}), "op-shape", "input 0 (shape) has shape [3] where the op needs [2]"},
      {kShape, param("start", {3}), "op-param-value", "start 3 and end 3 are no range of the 3"},
      {kShape, param("end", {4}), "op-param-value", "end 4"},
      {kShape, output({2}), "op-shape", "needs [3]"},
      {kNonZero, output({4}), "op-rank", "[m, n] is needed"},
      {kNonZero, output({7, 2}), "op-shape", "room for 7 coordinates where input [2, 3] has 6"},
      {kNonZero, output({4, 3}), "op-shape", "needs [4, 2]"},
      {kPatches, param("padding", {2}), "op-param-value", "padding 2"},
      {kPatches, param("stride", {0, 1}), "op-param-value", "stride in height is 0"},
      {kPatches, param("rate", {1, 5}), "op-shape", "reaches over 6 positions in width"},
      {kPatches, param("size", {1, 0}), "op-param-value", "filter size in width is 0"},
      {kGlimpse, param("size", {0, 3}), "op-param-value", "size is [0, 3]"},
      {kGlimpse, param("size", {3, -3}), "op-param-value", "size is [3, -3]"},
      {kGlimpse, param("noise", {3}), "op-param-value", "noise 3 is not known"},
      {kGlimpse, param("noise", {-1}), "op-param-value", "noise -1"},
      {kGlimpse, input(1, {2, 3}), "op-shape", "input 1 (offsets) has shape [2, 3]"},
      {kIm2Col, param("kernel_size", {4, 1}), "op-shape", "reaches over 4 positions in height"},
      {kIm2Col, param("pad_amount", {kBig, kBig, kBig, kBig}), "op-shape", "the number of columns would be"},
      {kIm2Col, output({1, 4, 3}), "op-shape", "needs [1, 4, 4]"},
      {kCol2Im, output({1, 3, 4, 1}), "op-shape",
       "input 0 (x) has shape [1, 4, 4] where the op needs [1, 4, 6]"},
      {kCol2Im, output({1, 3, 3}), "op-rank", "output has shape [1, 3, 3]"},
  };
  return rows;
}

TEST(MovementRefusal, EveryPathSaysWhatIsWrong) { expect_refusals(refusals()); }

// ---- Sparse tensors, frames ----

const char kCreateSparse[] = "CreateSparse in=3x2:i32 in=3x4:ufx8 to=5,6,4 slots=3 dims=2";
const char kSparseIndices[] = "GetSparseIndices in=5x6x4:ufx8 out=i32 slots=3 dims=2";
const char kSparseValues[] = "GetSparseValues in=5x6x4:ufx8 slots=3 dims=2";
const char kToDense[] = "SparseToDense in=5x6x4:ufx8 slots=3 dims=2";
const char kBuffer[] =
    "Buffer in=2x4x3:f16 in=scalar:bool8 out=f16 buffer_size=8 buffer_dim=1 stride=4 mode=1";

std::function<void(OpCase&)> sparse_input(uint32_t slots, uint32_t dimensions) {
  return [=](OpCase& c) { c.inputs[0].sparsity = {slots, dimensions}; };
}
std::function<void(OpCase&)> sparse_output(uint32_t slots, uint32_t dimensions) {
  return [=](OpCase& c) { c.outputs[0].sparsity = {slots, dimensions}; };
}

TEST(MovementRefusal, SparseOperands) {
  expect_refusals({
      {kCreateSparse, sparse_output(2, 2), "op-shape", "names 3 places, but the output has 2 specified"},
      {kCreateSparse, sparse_output(3, 1), "op-shape",
       "input 0 (indices) has shape [3, 2] where the op needs [3, 1]"},
      {kCreateSparse, input(0, {3}), "op-rank", "[m, k] is needed"},
      {kCreateSparse, input(1, {3, 5}), "op-shape", "input 1 (values) has shape [3, 5]"},
      {kCreateSparse, input(1, {2, 4}), "op-shape", "where the op needs [3, 4]"},
      {kCreateSparse, sparse_output(0, 0), "op-sparse",
       "output 0 (y) is dense where a sparse tensor is needed"},
      {kCreateSparse,
       [](OpCase& c) {
         c.inputs[1].sparsity = {3, 1};
       },
       "op-sparse", "input 1 (values) is sparse, which the op does not take"},
      {kCreateSparse, [](OpCase& c) { c.outputs[0].quantization.encodings[0].offset = -3; }, "op-sparse",
       "is sparse and has offset -3"},
      {kCreateSparse, sparse_output(0, 2), "tensor-sparse",
       "0 specified elements, but the 2 sparse dimensions"},
      {kCreateSparse, sparse_output(31, 2), "tensor-sparse", "have 30 places"},
      {kCreateSparse, sparse_output(3, 4), "tensor-sparse",
       "4 sparse dimensions of a tensor of shape [5, 6, 4]"},
      {kCreateSparse, sparse_output(3, 0), "tensor-sparse",
       "3 specified elements of a tensor without sparse"},
      {kSparseIndices, sparse_input(4, 2), "op-shape", "where the op needs [4, 2]"},
      {kSparseIndices, sparse_input(0, 0), "op-sparse", "input 0 (x) is dense"},
      {kSparseValues, sparse_input(3, 1), "op-shape", "where the op needs [3, 6, 4]"},
      {kSparseValues, sparse_output(3, 1), "op-sparse", "output 0 (values) is sparse"},
      {kToDense, output({5, 6, 5}), "op-shape", "needs [5, 6, 4]"},
      {kToDense, sparse_output(3, 2), "op-sparse", "output 0 (y) is sparse"},
      {kTranspose, sparse_input(1, 1), "op-sparse", "input 0 (x) is sparse, which the op does not take"},
  });
}

TEST(MovementRefusal, Frames) {
  expect_refusals({
      {kBuffer, param("buffer_dim", {3}), "op-param-value", "buffer_dim 3 is not a dimension of [2, 4, 3]"},
      {kBuffer, param("buffer_size", {0}), "op-param-value", "buffer_size is 0 where an execution brings 4"},
      {kBuffer, param("buffer_size", {10}), "op-param-value", "use a multiple of 4"},
      {kBuffer, param("buffer_size", {2}), "op-param-value", "buffer_size is 2"},
      {kBuffer, param("buffer_size", {kBig}), "op-param-value", "buffer_size is 4294967295"},
      {kBuffer, param("buffer_size", {12}), "op-shape", "needs [2, 12, 3]"},
      {kBuffer, param("stride", {1}), "op-param-value", "stride is 1 where an execution brings 4 frames"},
      {kBuffer, param("stride", {0}), "op-param-value", "stride is 0"},
      {kBuffer, param("stride", {12}), "op-param-value", "use a multiple of 4 up to 8"},
      {kBuffer, param("mode", {3}), "op-param-value", "mode 3 is not known"},
      {kBuffer, param("buffer_padding", {1}), "op-param-value", "buffer_padding puts its frames"},
      {kBuffer, input(1, {2}), "op-shape", "input 1 (reset) has shape [2] where a scalar is needed"},
      {kBuffer, input(0, {}), "op-param-value", "buffer_dim 1 is not a dimension of []"},
  });
}

}  // namespace
}  // namespace openqnn::ops
