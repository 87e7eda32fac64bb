// SPDX-License-Identifier: BSD-3-Clause
// What the matrix ops refuse, and in which words.
#include <gtest/gtest.h>

#include <functional>

#include "ops/refusals.h"

namespace openqnn::ops {
namespace {

using ir::DataType;
using ir::Quantization;

void make_absent(OpCase& c, size_t input) { c.inputs[input] = {}; }

const char kConv16[] =
    "Conv2d in=1x4x4x4:ufx16 in=3x3x4x6:sfx16:static in=6:sfx32:static stride=1,1 pad_amount=1,1,1,1";
const char kConvBlocks[] =
    "Conv2d in=1x4x4x4:ufx8 in=3x3x4x6:sfx8:static:block:bits4 in=6:sfx32:static stride=1,1 "
    "pad_amount=1,1,1,1";
const char kDepthWise[] = "DepthWiseConv2d in=1x4x4x3:ufx8 in=3x3x1x6:sfx8 stride=1,1 pad_amount=1,1,1,1";
const char kTranspose[] =
    "TransposeConv2d in=1x4x4x6:ufx8 in=3x3x6x2:sfx8 stride=2,2 pad_amount=1,1,1,1 output_padding=1,1 "
    "group=3";
const char kConv3d[] = "Conv3d in=1x3x4x4x2:f16 in=2x3x3x2x5:f16 stride=1,1,1 pad_amount=0,0,1,1,1,1";
const char kConv1d[] = "Conv1d in=1x4x2:f16 in=3x2x5:f16 stride=1 pad_amount=1,1";
const char kFull[] = "FullyConnected in=2x3x4:ufx8 in=5x12:sfx8:static in=5:sfx32:static";
const char kLstm[] =
    "Lstm in=2x3:f16 in=4x3:f16 in=4x3:f16 in=4x3:f16 in=4x4:f16 in=4x4:f16 in=4x4:f16 in=4:f16 in=4:f16 "
    "in=4:f16 "
    "in=2x4:f16 in=2x4:f16 in=none in=none in=none in=none in=4x3:f16 in=4x4:f16 in=4:f16 in=4:f16 in=4:f16 "
    "in=4:f16 in=none in=none out=f16 out=f16 out=f16";
const char kGru[] =
    "Gru in=3x2x5:f16 in=4x5:f16 in=4x5:f16 in=4x5:f16 in=4x4:f16 in=4x4:f16 in=4x4:f16 in=none in=none "
    "in=none "
    "in=none in=none in=none in=1x2x4:f16";
const char kAttention[] =
    "GroupQueryAttention in=2x3x12:f16 in=2:i32 in=scalar:i32 in=2x3x6:f16 in=2x3x6:f16 in=2x2x4x3:f16 "
    "in=2x2x4x3:f16 in=9x1:f16 in=9x1:f16 in=2x3:i32 num_heads=4 kv_num_heads=2 do_rotary=1";
const char kRotary[] = "RotaryEmbedding in=2x3x5x8:f16 in=2x5x3:f16 in=2x5x3:f16 rotary_embedding_dim=6";
const char kRotaryIds[] = "RotaryEmbedding in=2x3x5x8:f16 in=9x4:f16 in=9x4:f16 in=2x5:i32";
const char kHadamard[] = "HadamardTransform in=3x8:ufx16 scale=1";
const char kStft[] = "Stft in=1x20x1:f16 in=8:f16 frame_step=3 frame_length=8";
const char kCorrelation[] = "Correlation1D in=1x2x7x5:f16 in=1x2x7x5:f16 displacement=3 shift=0";

const std::vector<Refusal>& refusals() {
  using C = OpCase;
  static const std::vector<Refusal> rows = {
      // ---- encodings
      {kConv16, [](C& c) { c.inputs[1].quantization.encodings[0].offset = 1; }, "op-encoding",
       "16-bit weights must be symmetric, and have offset 1"},
      {kConv16, [](C& c) { c.inputs[1].type = DataType::kUfixed16; }, "op-encoding", "use offset -32768"},
      {kConv16,
       [](C& c) {
         c.inputs[1].quantization = Quantization::per_axis(3, std::vector<ir::ScaleOffset>(6, {0.1F, 0}));
       },
       "op-encoding", "weights of type sfx16 cannot have an encoding per channel"},
      {kConv16, [](C& c) { c.inputs[0].quantization.bits = 12; }, "op-encoding",
       "the input has a bit width of 12"},
      {kConv16, [](C& c) { c.outputs[0].quantization.bits = 8; }, "op-encoding",
       "the output has a bit width of 8"},
      {kConv16, [](C& c) { c.inputs[2].quantization.bits = 8; }, "op-encoding",
       "the bias has a bit width of 8"},
      {kConvBlocks, [](C& c) { c.inputs[1].is_static = false; }, "op-encoding", "per block must be static"},
      {kConvBlocks, [](C& c) { c.inputs[1].quantization.encodings[3].offset = 2; }, "op-encoding",
       "encodings per block must be symmetric"},
      {kConvBlocks, [](C& c) { c.inputs[1].quantization.encodings[3].scale = 0; }, "op-encoding",
       "a scale of the weights is 0"},
      {kConvBlocks, [](C& c) { c.inputs[2].quantization.encodings[0].scale = 0; }, "op-encoding",
       "the bias has scale 0"},
      {kConvBlocks,
       [](C& c) {
         c.inputs[2].quantization = Quantization::per_block({6}, {{1.0F, 0}});
       },
       "op-encoding", "the bias has an encoding per block"},
      // ---- convolutions
      {kDepthWise,
       [](C& c) {
         c.inputs[1].shape = {3, 3, 1, 7};
       },
       "op-shape", "do not fit 3 input channels"},
      {kDepthWise,
       [](C& c) {
         c.inputs[1].shape = {3, 3, 3, 6};
       },
       "op-shape", "end in [1, cout]"},
      {kTranspose,
       [](C& c) {
         set_param(c, "output_padding", {2, 0});
       },
       "op-param-value", "output_padding 2 in height is not below the stride, 2"},
      {kTranspose,
       [](C& c) {
         set_param(c, "pad_amount", {6, 6, 0, 0});
       },
       "op-shape", "pad_amount crops 12 of 10 positions in height"},
      {kTranspose,
       [](C& c) {
         set_param(c, "stride", {0, 1});
       },
       "op-param-value", "stride in height is 0"},
      {kTranspose,
       [](C& c) {
         set_param(c, "stride", {4294967295.0, 2});
       },
       "op-shape", "the output would have 12884901887 positions in height"},
      {kTranspose,
       [](C& c) {
         set_param(c, "stride", {4294967295.0, 2});
         c.inputs[0].shape = {1, 1U << 30, 4, 6};
       },
       "op-shape", "more than 2^40 positions in height"},
      {kTranspose, [](C& c) { set_param(c, "group", {4}); }, "op-param-value", "group 4 does not divide"},
      {kTranspose,
       [](C& c) {
         c.inputs[1].shape = {3, 3, 2, 6};
       },
       "op-shape", "read 2 input channels where 6"},
      {kTranspose,
       [](C& c) {
         c.outputs[0].shape = {1, 8, 8, 2};
       },
       "op-shape", "needs [1, 8, 8, 6]"},
      {kConv3d,
       [](C& c) {
         c.inputs[0].shape = {3, 4, 4, 2};
       },
       "op-rank", "[b, d, h, w, cin] is needed"},
      {kConv3d,
       [](C& c) {
         set_param(c, "dilation", {1, 0, 1});
       },
       "op-param-value", "dilation in height is 0"},
      {kConv3d,
       [](C& c) {
         set_param(c, "dilation", {9, 1, 1});
       },
       "op-shape", "positions in depth"},
      {kConv3d, [](C& c) { set_param(c, "reuse_sparse_indicies", {1}); }, "op-param-value", "sparse"},
      {kConv1d,
       [](C& c) {
         c.inputs[1].shape = {1, 3, 2, 5};
       },
       "op-rank", "[fw, cin / group, cout] is needed"},
      {kConv1d, [](C& c) { set_param(c, "stride", {0}); }, "op-param-value", "stride in width is 0"},
      // ---- FullyConnected
      {kFull,
       [](C& c) {
         c.inputs[0].shape = {2, 3, 5};
       },
       "op-shape", "cannot be read as rows of the 12 values"},
      {kFull, [](C& c) { c.inputs[0].shape = {24}; }, "op-shape", "cannot be read as rows"},
      {kFull, [](C& c) { set_param(c, "keep_dims", {1}); }, "op-shape",
       "keep_dims needs an input that ends in 12"},
      {kFull,
       [](C& c) {
         c.inputs[1].shape = {1, 5, 12};
       },
       "op-rank", "where [m, n] is needed"},
      {kFull,
       [](C& c) {
         c.outputs[0].shape = {1, 2, 5};
       },
       "op-shape", "needs [2, 5]"},
      {kFull,
       [](C& c) {
         c.inputs[2].shape = {2, 5};
       },
       "op-shape", "bias has shape [2, 5] where the op needs [5]"},
      // ---- Lstm
      {kLstm, [](C& c) { c.inputs.resize(25, {.type = DataType::kBool8, .shape = {1}}), c.data.resize(25); },
       "op-operands", "state kept between executions"},
      {kLstm, [](C& c) { make_absent(c, 17); }, "op-operands", "the input gate are given in part"},
      {kLstm, [](C& c) { make_absent(c, 19); }, "op-operands", "the peepholes are given in part"},
      {kLstm,
       [](C& c) {
         for (const size_t input : {16, 17, 21}) make_absent(c, input);
       },
       "op-operands", "input 18 belongs to an input gate that is not there"},
      {kLstm, [](C& c) { c.inputs[12] = c.inputs[18]; }, "op-operands",
       "layer normalisation are given in part"},
      {kLstm, [](C& c) { c.inputs[23] = c.inputs[18]; }, "op-operands", "but no projection"},
      {kLstm, [](C& c) { c.inputs[9].shape = {5}; }, "op-shape",
       "input 9 has shape [5] where the op needs [4]"},
      {kLstm,
       [](C& c) {
         c.inputs[10].shape = {3, 4};
       },
       "op-shape", "input 10 has shape [3, 4]"},
      {kLstm,
       [](C& c) {
         c.outputs[1].shape = {2, 5};
       },
       "op-shape", "out[1] has shape [2, 5]"},
      {kLstm,
       [](C& c) {
         c.inputs[0].shape = {1, 2, 3};
       },
       "op-rank", "1 to 2 are accepted"},
      {kLstm, [](C& c) { set_param(c, "direction", {2}); }, "op-param-value", "direction 2 is not known"},
      {kLstm, [](C& c) { set_param(c, "cell_clip_threshold", {-1}); }, "op-param-value",
       "cell_clip_threshold is -1"},
      {kLstm, [](C& c) { set_param(c, "cell_gate_qscale", {0.5}); }, "op-param-value", "for fixed-point"},
      {kLstm, [](C& c) { set_param(c, "hidden_state_offset", {1}, "u32"); }, "op-param-type", "i32 or f32"},
      {kLstm,
       [](C& c) {
         for (const size_t input : {4, 5, 6, 17}) c.inputs[input].shape = {4, 3};
         c.inputs[10].shape = {2, 3};
       },
       "op-shape", "only through projection weights"},
      // ---- Gru
      {kGru,
       [](C& c) {
         c.inputs[0].shape = {3, 10};
       },
       "op-rank", "[t, b, in] or [b, t, in]"},
      {kGru, [](C& c) { set_param(c, "direction", {7}); }, "op-param-value", "direction 7"},
      {kGru,
       [](C& c) {
         c.inputs[13].shape = {2, 4};
       },
       "op-shape", "initial_h has shape [2, 4]"},
      {kGru,
       [](C& c) {
         c.inputs[6].shape = {4, 5};
       },
       "op-shape", "input 6 has shape [4, 5]"},
      {kGru,
       [](C& c) {
         c.outputs[1].shape = {2, 4};
       },
       "op-shape", "h_final has shape [2, 4]"},
      {kGru, [](C& c) { c.inputs.resize(15, {.type = DataType::kBool8, .shape = {2}}), c.data.resize(15); },
       "op-shape", "input 14 (reset) has shape [2]"},
      // ---- GroupQueryAttention
      {kAttention, [](C& c) { set_param(c, "num_heads", {3}); }, "op-param-value", "not a multiple of"},
      {kAttention, [](C& c) { set_param(c, "kv_num_heads", {0}); }, "op-param-value", "kv_num_heads 0"},
      {kAttention, [](C& c) { set_param(c, "num_heads", {8}); }, "op-shape", "[b, s, 8 * head size]"},
      {kAttention, [](C& c) { make_absent(c, 3); }, "op-operands",
       "queries packed with them are not offered"},
      {kAttention, [](C& c) { make_absent(c, 6); }, "op-operands", "one of past_key and past_value"},
      {kAttention, [](C& c) { make_absent(c, 7); }, "op-operands", "cos_cache or sin_cache is absent"},
      {kAttention,
       [](C& c) {
         c.inputs[7].shape = {9, 2};
       },
       "op-shape", "[positions, at most 1]"},
      {kAttention,
       [](C& c) {
         c.inputs[5].shape = {2, 2, 12};
       },
       "op-rank", "a cache has shape"},
      {kAttention, [](C& c) { c.outputs[1].shape[2] = c.outputs[2].shape[2] = 8; }, "op-shape",
       "present_key has room for 8 positions where 4 to 7 are needed"},
      {kAttention, [](C& c) { set_param(c, "do_rotary", {2}); }, "op-param-value", "do_rotary 2"},
      {kAttention, [](C& c) { c.inputs[2].shape = {2}; }, "op-shape", "where one number is needed"},
      // ---- RotaryEmbedding
      {kRotary, [](C& c) { set_param(c, "rotary_embedding_dim", {7}); }, "op-param-value",
       "is not an even number"},
      {kRotary, [](C& c) { set_param(c, "rotary_embedding_dim", {10}); }, "op-param-value",
       "at most 8 features"},
      {kRotary,
       [](C& c) {
         c.inputs[1].shape = {2, 4, 3};
       },
       "op-shape", "cos has shape [2, 4, 3] where [2, 5, 3]"},
      {kRotary,
       [](C& c) {
         c.inputs[2].shape = {5, 2, 3};
       },
       "op-shape", "sin has shape"},
      {kRotaryIds,
       [](C& c) {
         c.inputs[3].shape = {5, 2};
       },
       "op-shape", "position_ids has shape"},
      {kRotaryIds,
       [](C& c) {
         c.inputs[1].shape = {2, 5, 4};
       },
       "op-shape", "where [positions, 4] is needed"},
      // ---- transforms
      {kHadamard,
       [](C& c) {
         c.inputs[0].shape = {3, 9};
       },
       "op-shape", "is not a power of two"},
      {kStft, [](C& c) { set_param(c, "frame_step", {0}); }, "op-param-value", "frame_step is 0"},
      {kStft, [](C& c) { set_param(c, "frame_length", {21}); }, "op-param-value", "frames of 21 do not fit"},
      {kStft, [](C& c) { c.inputs[1].shape = {9}; }, "op-shape",
       "window has shape [9] where the op needs [8]"},
      {kStft,
       [](C& c) {
         c.inputs[0].shape = {1, 10, 2};
       },
       "op-param-value", "the signal is complex"},
      {kStft,
       [](C& c) {
         c.inputs[0].shape = {20, 1};
       },
       "op-shape", "[b, length, 1] or [b, length, 2]"},
      {kCorrelation, [](C& c) { set_param(c, "displacement", {2147483648.0}); }, "op-param-value",
       "displacement gives 4294967297 outputs"},
      {kCorrelation,
       [](C& c) {
         c.inputs[1].shape = {1, 2, 6, 5};
       },
       "op-shape", "input b has shape"},
      {kCorrelation,
       [](C& c) {
         c.inputs[0].shape = {2, 7, 5};
       },
       "op-rank", "[b, h, w, c] is needed"},
  };
  return rows;
}

TEST(MatrixRefusal, EveryPathSaysWhatIsWrong) { expect_refusals(refusals()); }

// What only a Program can say.
TEST(MatrixRefusal, StoredFormsMustFit) {
  OpCase nibbles = OpCase("MatMul in=2x8:ufx8 in=8x4:sfx8:static:bits4").stored();
  EXPECT_EQ(nibbles.inputs[1].layout, ir::Layout::kHmx4);
  ASSERT_TRUE(validate_prepared(*nibbles.op, nibbles.call()));
  nibbles.inputs[1].quantization.bits = 0;
  EXPECT_EQ(validate_prepared(*nibbles.op, nibbles.call()).error().code, "op-layout");

  OpCase depth_wise(std::string(kDepthWise) + "");
  depth_wise.inputs[1].layout = ir::Layout::kHmx8;
  EXPECT_EQ(validate_prepared(*depth_wise.op, depth_wise.call()).error().code, "op-layout");

  OpCase blocks{std::string(kConvBlocks)};
  blocks.inputs[2].type = DataType::kInt32;
  EXPECT_EQ(validate_prepared(*blocks.op, blocks.call()).error().code, "op-encoding");
}

}  // namespace
}  // namespace openqnn::ops
