// SPDX-License-Identifier: BSD-3-Clause
// What the checks of this family refuse, and in which words.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/normalise/values.h"
#include "ops/refusals.h"

namespace openqnn::ops {
namespace {

using ir::DataType;

std::function<void(OpCase&)> param(const char* name, std::vector<double> values) {
  return [=](OpCase& c) { set_param(c, name, values); };
}
std::function<void(OpCase&)> input_shape(size_t input, const ir::Shape& shape) {
  return [=](OpCase& c) { c.inputs[input].shape = shape; };
}
std::function<void(OpCase&)> output_shape(size_t output, const ir::Shape& shape) {
  return [=](OpCase& c) { c.outputs[output].shape = shape; };
}
std::function<void(OpCase&)> input_offset(size_t input, int32_t offset) {
  return [=](OpCase& c) { c.inputs[input].quantization.encodings[0].offset = offset; };
}

const char kLogSoftmax[] = "LogSoftmax in=2x3:f16 axis=1";
const char kMasked[] = "MaskedSoftmax in=2x1x4x4:f16 in=2x4:f16";
const char kPacked[] = "MaskedSoftmax in=2x1x4x4:f16 in=2x3:i32 mode=1";
const char kLayerNorm[] = "LayerNorm in=2x3x4:f16 in=4:f16 in=4:f16 axes=2";
const char kLayerNorm16[] = "LayerNorm in=2x4:ufx16 in=4:sfx16 in=4:sfx32 axes=1";
const char kRmsNorm[] = "RmsNorm in=2x3x4:f16 in=4:f16 axes=2";
const char kInstanceNorm[] = "InstanceNorm in=2x3x4x5:ufx8 in=5:ufx8 in=5:sfx32";
const char kInstanceNormHalf[] = "InstanceNorm in=1x3x5:f16 in=5:f16";
const char kGroupNorm[] = "GroupNorm in=1x3x6:f16 in=6:f16 epsilon=1e-5 group=3";
const char kBatchnorm[] = "Batchnorm in=2x4:ufx16 in=4:sfx16 in=4:sfx32";
const char kL2Norm[] = "L2Norm in=2x3:f16 axis=1";
const char kL2NormAxes[] = "L2Norm in=2x3:f16 axes=1";
const char kLrn[] = "Lrn in=1x4x4x3:f16 radius=1";
const char kMoments[] = "Moments in=2x3:f16 axes=1 keep_dims=0";
const char kReduce[] = "ReduceSum in=2x3x4:i32 axes=1";
const char kSumSquare[] = "ReduceSumSquare in=scalar:f16 axes=0";
const char kArgmax[] = "Argmax in=2x3:f16 axis=1";
const char kTopK[] = "TopK in=2x5:ufx8 k=3";
const char kCumulativeSum[] = "CumulativeSum in=2x3:i32 axis=1";

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> rows = {
      {kLogSoftmax, param("axis", {2}), "op-param-value", "axis 2 is not a dimension of [2, 3]"},
      {kLogSoftmax, param("axis", {0}), "op-param-value", "HTP offers LogSoftmax on the last axis only"},
      {kLogSoftmax, param("beta", {-1}), "op-param-value", "beta -1 is not a finite positive number"},
      {kLogSoftmax, output_shape(0, {3, 2}), "op-shape", "output has shape [3, 2] where the op needs [2, 3]"},

      {kMasked, input_shape(0, {1, 4, 4}), "op-rank", "where [b, h, w, c] is needed"},
      {kMasked, input_shape(1, {1, 4}), "op-shape", "mask has shape [1, 4] where the op needs [2, 4]"},
      {kMasked, param("mode", {2}), "op-param-value", "mode 2 is not known"},
      {kMasked, param("mode", {1}), "op-type-row", "a mask of type f16 cannot be compressed"},
      {kPacked, param("mode", {0}), "op-type-row", "a mask of type i32 cannot be uncompressed"},
      {kPacked, input_shape(0, {2, 1, 3, 4}), "op-shape", "are not square"},
      {kPacked, input_shape(1, {3, 3}), "op-shape", "where [2, number of sequences] is needed"},
      {kPacked, input_shape(1, {2}), "op-shape", "where [2, number of sequences] is needed"},

      {kLayerNorm, param("axes", {1}), "op-param-value", "axis 1 is not the last one of [2, 3, 4]"},
      {kLayerNorm, param("axes", {1, 2}), "op-param-value", "axes names more than one dimension"},
      {kLayerNorm, param("axes", {3}), "op-param-value", "element 0 of axes is not a dimension of [2, 3, 4]"},
      {kLayerNorm, param("axes", {2, 2}), "op-param-value", "axes names dimension 2 twice"},
      {kLayerNorm, param("axes", {0, 1, 2, 0}), "op-param-value",
       "axes names 4 dimensions where the input has 3"},
      {kLayerNorm, param("epsilon", {-1}), "op-param-value",
       "epsilon -1 is not a finite number of 0 or more"},
      {kLayerNorm, param("epsilon", {NAN}), "op-param-value", "is not a finite number"},
      {kLayerNorm, input_shape(1, {3}), "op-shape", "gamma has shape [3] where the op needs [4]"},
      {kLayerNorm, input_shape(2, {1, 4}), "op-shape", "beta has shape [1, 4] where the op needs [4]"},
      {kLayerNorm16, input_offset(1, 5), "op-encoding", "gamma of type sfx16 has offset 5"},
      {kLayerNorm16, input_offset(2, 5), "op-encoding",
       "beta of type sfx32 has offset 5 where it must be symmetric"},
      {kRmsNorm, param("axes", {0}), "op-param-value", "HTP offers RmsNorm on the last axis only"},
      {kRmsNorm, output_shape(0, {2, 3, 5}), "op-shape", "where the op needs [2, 3, 4]"},

      {kInstanceNorm, param("mode", {1}), "op-param-value",
       "mode 1 with region 0 is not offered for quantized"},
      {kInstanceNorm, param("region", {2}), "op-param-value",
       "mode 0 with region 2 is not offered for quantized"},
      {kInstanceNorm, param("mode", {2}), "op-param-value", "mode 2 is not known"},
      {kInstanceNorm, param("region", {3}), "op-param-value", "region 3 is not known"},
      {kInstanceNorm, input_shape(0, {3, 5}), "op-rank", "rank 3 or 4 is needed"},
      {kInstanceNormHalf, input_shape(0, {2, 3, 5}), "op-shape", "reshape it to [2, 1, 3, 5]"},
      {kInstanceNormHalf,
       [](OpCase& c) {
         set_param(c, "mode", {1});
         set_param(c, "normalize_variance", {0});
       },
       "op-param-value", "leaves RMS mode nothing to do"},

      {kGroupNorm, param("group", {0}), "op-param-value", "group 0 does not divide the 6 channels"},
      {kGroupNorm, param("group", {4}), "op-param-value", "group 4 does not divide the 6 channels"},
      {kGroupNorm, input_shape(0, {6}), "op-rank", "where [b, ..., c] is needed"},
      {kGroupNorm, input_shape(1, {3}), "op-shape", "gamma has shape [3]"},

      {kBatchnorm, input_shape(1, {2}), "op-shape", "weight has shape [2] where the op needs [4]"},
      {kBatchnorm, input_shape(2, {2}), "op-shape", "bias has shape [2] where the op needs [4]"},
      {kBatchnorm, input_offset(1, -1), "op-encoding", "weight of type sfx16 has offset -1"},
      {kBatchnorm, input_offset(2, -1), "op-encoding", "bias of type sfx32 has offset -1"},
      {kBatchnorm, output_shape(0, {4, 2}), "op-shape", "where the op needs [2, 4]"},

      {kL2Norm, param("axis", {2}), "op-param-value", "axis 2 is not a dimension"},
      {kL2Norm, param("epsilon", {INFINITY}), "op-param-value", "epsilon inf is not"},
      {kL2Norm, param("epsilon", {-1}), "op-param-value", "epsilon -1 is not a finite number of 0 or more"},
      {kL2NormAxes, param("axes", {1, 1}), "op-param-value", "axes names dimension 1 twice"},

      {kLrn, param("radius", {-1}), "op-param-value", "radius -1 is negative"},
      {kLrn, param("alpha", {NAN}), "op-param-value", "alpha is nan"},
      {kLrn, param("region", {2}), "op-param-value", "region 2 is not known"},
      {kLrn,
       [](OpCase& c) {
         set_param(c, "region", {1});
         c.inputs[0].shape = c.outputs[0].shape = {4, 4, 3};
       },
       "op-rank", "needs [b, h, w, c]"},
      {kLrn,
       [](OpCase& c) {
         set_param(c, "region", {1});
         c.inputs[0].shape = c.outputs[0].shape = {1, 32, 32, 1};
       },
       "op-shape", "over 32 x 32 positions is not offered for float types"},

      {kMoments, param("axes", {2}), "op-param-value", "element 0 of axes is not a dimension"},
      {kMoments, param("axes", {-3}), "op-param-value", "element 0 of axes is not a dimension"},
      {kMoments, param("axes", {1, -1}), "op-param-value", "axes names dimension 1 twice"},
      {kMoments, output_shape(0, {2, 1}), "op-shape",
       "output 0 (mean) has shape [2, 1] where the op needs [2]"},
      {kMoments, output_shape(1, {3}), "op-shape",
       "output 1 (variance) has shape [3] where the op needs [2]"},

      {kReduce, param("axes", {3}), "op-param-value", "element 0 of axes is not a dimension of [2, 3, 4]"},
      {kReduce, param("axes", {0, 0}), "op-param-value", "axes names dimension 0 twice"},
      {kReduce, param("keep_dims", {1}), "op-shape", "output has shape [2, 4] where the op needs [2, 1, 4]"},
      {kReduce, param("axes", {0, 1, 2}), "op-shape", "where the op needs [1]"},
      {kReduce,
       [](OpCase& c) {
         set_param(c, "axes", {0, 1, 2});
         c.outputs[0].shape = {};
       },
       "op-rank", "output 0 (y) has rank 0"},
      {kSumSquare, output_shape(0, {1}), "op-shape", "output has shape [1] where the op needs []"},

      {kArgmax, param("axis", {2}), "op-param-value", "axis 2 is not a dimension of [2, 3]"},
      {kArgmax, output_shape(0, {3}), "op-shape", "where the op needs [2]"},

      {kTopK, param("k", {0}), "op-param-value", "k 0 is not between 1 and the 5 elements"},
      {kTopK, param("k", {6}), "op-param-value", "k 6 is not between 1 and the 5 elements"},
      {kTopK, output_shape(0, {2, 5}), "op-shape",
       "output 0 (values) has shape [2, 5] where the op needs [2, 3]"},
      {kTopK, output_shape(1, {2, 5}), "op-shape",
       "output 1 (indices) has shape [2, 5] where the op needs [2, 3]"},
      {kTopK, [](OpCase& c) { c.outputs[0].quantization.encodings[0].offset -= 1; }, "op-encoding",
       "values have another encoding than the input"},

      {kCumulativeSum, param("axis", {4294967295.0}), "op-param-value", "axis 4294967295 is not a dimension"},
      {kCumulativeSum, output_shape(0, {3, 2}), "op-shape", "where the op needs [2, 3]"},
  };
  return rows;
}

TEST(NormaliseRefusal, EveryPathSaysWhatIsWrong) { expect_refusals(refusals()); }

// What is refused only in float, or only in rank 3, is accepted next to it.
TEST(NormaliseRefusal, NearMissesAreAccepted) {
  OpCase lrn{std::string("Lrn in=1x32x32x1:ufx8 radius=1 region=1")};
  EXPECT_TRUE(validate("Lrn", lrn.call()));
  OpCase batches{std::string("InstanceNorm in=2x1x3x5:f16 in=5:f16")};
  EXPECT_TRUE(validate("InstanceNorm", batches.call()));
  OpCase unbounded{std::string("L2Norm in=2x3:f16 axis=1 epsilon=0")};
  EXPECT_TRUE(validate("L2Norm", unbounded.call()));
  OpCase scalar{std::string("ReduceSumSquare in=2x3:f16 axes=0,1")};
  EXPECT_TRUE(validate("ReduceSumSquare", scalar.call()));
  scalar.outputs[0].shape = {};
  EXPECT_TRUE(validate("ReduceSumSquare", scalar.call()));
}

}  // namespace
}  // namespace openqnn::ops
