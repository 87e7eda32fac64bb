// SPDX-License-Identifier: BSD-3-Clause
// What validate refuses, and in which words. One row per path.
#include <gtest/gtest.h>

#include <functional>

#include "ops/operand_names.h"
#include "ops/refusals.h"

namespace openqnn::ops {
namespace {

using ir::DataType;
using ir::Quantization;

const char kConv[] =
    "Conv2d in=1x8x8x4:ufx8 in=3x3x4x6:sfx8:static in=6:sfx32:static stride=1,1 pad_amount=1,1,1,1";
const char kConvByChannel[] =
    "Conv2d in=1x8x8x4:ufx8 in=3x3x4x6:sfx8:static:axis in=6:sfx32:static:derived stride=1,1 "
    "pad_amount=1,1,1,1";
const char kPool[] = "PoolMax2d in=1x8x8x4:ufx8 filter_size=2,2 stride=2,2 pad_amount=0,0,0,0";
const char kMatMul[] = "MatMul in=2x3x4:f16 in=4x5:f16 in=5:f16";
const char kAdd[] = "ElementWiseAdd in=2x3:ufx8 in=3:ufx8";
const char kSoftmax[] = "Softmax in=2x3:f16";
const char kRelu[] = "Relu in=2x3:ufx8";

void drop_param(OpCase& c, const std::string& name) {
  ir::Params params;
  for (const ir::Param& param : c.params.all())
    if (param.name != name) params.add(param);
  c.params = params;
}

ir::ScaleOffset& encoding(ir::TensorDesc& desc) { return desc.quantization.encodings[0]; }

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> rows = {
      // ---- operands
      {kRelu, [](OpCase& c) { c.inputs.clear(); }, "op-operands", "takes 1 inputs, 0 given"},
      {kConv, [](OpCase& c) { c.inputs.resize(1); }, "op-operands", "takes 2 to 3 inputs, 1 given"},
      {kConv, [](OpCase& c) { c.inputs.resize(4, c.inputs[0]); }, "op-operands", "4 given"},
      // ---- tensors
      {kRelu,
       [](OpCase& c) {
         c.inputs[0].shape = {2, 0};
       },
       "tensor-shape", "input 0 (x): shape [2, 0]"},
      {kRelu, [](OpCase& c) { c.inputs[0].shape = {1, 1, 1, 1, 2, 3}; }, "op-rank", "rank 6; 1 to 5"},
      {kRelu, [](OpCase& c) { c.outputs[0].shape = {}; }, "op-rank", "output 0 (y) has rank 0"},
      {kMatMul,
       [](OpCase& c) {
         c.inputs[0].shape = {1, 1, 2, 3, 4};
       },
       "op-rank", "1 to 4 are accepted"},
      {kRelu, [](OpCase& c) { c.outputs[0].layout = ir::Layout::kHmx8; }, "op-layout", "does not read"},
      {kConv, [](OpCase& c) { c.inputs[1].layout = ir::Layout::kHmx8; }, "op-layout", "input 1 (weight)"},
      // ---- types
      {kRelu, [](OpCase& c) { c.inputs[0].type = DataType::kSfixed8; }, "op-type-row",
       "the types sfx8 -> ufx8 are not offered"},
      {kConv, [](OpCase& c) { c.inputs[0].type = c.outputs[0].type = DataType::kUfixed32; }, "op-type-row",
       "use one of: f16,f16,f16 -> f16; "},
      {kConv, [](OpCase& c) { c.inputs[2].type = DataType::kInt32; }, "op-type-row",
       "optional inputs may be absent"},
      {kSoftmax, [](OpCase& c) { c.outputs[0].type = DataType::kFloat32; }, "op-type-row", "f16 -> f32"},
      // ---- parameters
      {kConv, [](OpCase& c) { drop_param(c, "stride"); }, "op-param-missing",
       "parameter 'stride' (u32 [2]) is missing"},
      {kConv,
       [](OpCase& c) {
         c.params.add(make_param("strides", DataType::kUint32, {2}, {1, 1}));
       },
       "op-param-unknown", "did you mean 'stride'?"},
      {kConv, [](OpCase& c) { c.params.add(make_param("workspace", DataType::kUint32, {}, {1})); },
       "op-param-unknown", "known: stride, pad_amount, group"},
      {kRelu, [](OpCase& c) { c.params.add(make_param("alpha", DataType::kFloat32, {}, {1})); },
       "op-param-unknown", "it takes none"},
      {kConv,
       [](OpCase& c) {
         c.params.add(make_param("stride", DataType::kUint32, {2}, {1, 1}));
       },
       "op-param-twice", "given twice"},
      {kSoftmax, [](OpCase& c) { c.params.add(make_param("axis", DataType::kFloat32, {}, {1})); },
       "op-param-type", "is f32 where u32 is needed"},
      {kSoftmax, [](OpCase& c) { c.params.add(make_param("axis", DataType::kUint32, {1}, {1})); },
       "op-param-shape", "has shape [1] where a scalar is needed"},
      {kConv,
       [](OpCase& c) {
         c.params.add(make_param("dilation", DataType::kUint32, {1, 2}, {1, 1}));
       },
       "op-param-shape", "where shape [2] is needed"},
      {kConv,
       [](OpCase& c) {
         c.params.add(make_param("group", DataType::kUint32, {}, {1, 1}));
       },
       "op-param-shape", "has 8 bytes of data where 4 are needed"},
      // ---- encodings
      {kRelu, [](OpCase& c) { c.inputs[0].quantization = {}; }, "op-encoding",
       "input 0 (x) is quantized but has no encoding"},
      {kRelu, [](OpCase& c) { encoding(c.outputs[0]).scale = 0.0F; }, "op-encoding", "has scale 0"},
      {kRelu, [](OpCase& c) { encoding(c.outputs[0]).scale = -1.0F; }, "tensor-encoding-scale", "-1"},
      {kRelu, [](OpCase& c) { encoding(c.outputs[0]).offset = 1 << 20; }, "op-encoding",
       "has offset 1048576"},
      {kRelu, [](OpCase& c) { c.outputs[0].quantization.encodings.clear(); }, "op-encoding", "malformed"},
      {kRelu, [](OpCase& c) { c.outputs[0].quantization.encodings.resize(2); }, "op-encoding", "malformed"},
      {kRelu,
       [](OpCase& c) {
         c.outputs[0].quantization = Quantization::per_axis(0, {{1.0F, 0}, {1.0F, 0}});
       },
       "op-encoding", "cannot have an encoding per channel"},
      {kConv, [](OpCase& c) { c.inputs[1].quantization = {}; }, "op-encoding", "but have no encoding"},
      {kConv, [](OpCase& c) { encoding(c.inputs[1]).scale = 0.0F; }, "op-encoding",
       "a scale of the weights is 0"},
      {kConvByChannel,
       [](OpCase& c) {
         c.inputs[1].quantization.axis = 2;
         c.inputs[1].quantization.encodings.resize(4);
       },
       "op-encoding", "lie along axis 2 where output channels are axis 3"},
      {kConvByChannel, [](OpCase& c) { encoding(c.inputs[1]).offset = 1; }, "op-encoding",
       "must be symmetric"},
      {kConvByChannel, [](OpCase& c) { c.inputs[1].type = DataType::kUfixed8; }, "op-encoding",
       "weights of type ufx8 cannot have an encoding per channel"},
      {kConvByChannel, [](OpCase& c) { c.inputs[1].is_static = false; }, "op-encoding", "must be static"},
      {kConv, [](OpCase& c) { c.inputs[2].quantization = {}; }, "op-encoding", "the bias is sfx32"},
      {kConv, [](OpCase& c) { encoding(c.inputs[2]).offset = 3; }, "op-encoding", "has offset 3"},
      {kConv,
       [](OpCase& c) {
         c.inputs[2].type = DataType::kUfixed8;
         encoding(c.inputs[2]).scale = 0.0F;
       },
       "op-encoding", "needs one encoding with a scale above 0"},
      // ---- shapes and values
      {kRelu,
       [](OpCase& c) {
         c.outputs[0].shape = {3, 2};
       },
       "op-shape", "output has shape [3, 2] where the op needs [2, 3]"},
      {kAdd, [](OpCase& c) { c.inputs[1].shape = {2}; }, "op-shape", "do not broadcast together"},
      {kAdd,
       [](OpCase& c) {
         c.outputs[0].shape = {1, 3};
       },
       "op-shape", "where the op needs [2, 3]"},
      {kConv,
       [](OpCase& c) {
         c.inputs[0].shape = {8, 8, 4};
       },
       "op-rank", "[b, h, w, cin] is needed"},
      {kConv,
       [](OpCase& c) {
         c.inputs[1].shape = {3, 12, 6};
       },
       "op-rank", "[fh, fw, cin / group, cout]"},
      {kConv,
       [](OpCase& c) {
         c.inputs[1].shape = {3, 3, 3, 6};
       },
       "op-shape", "read 3 input channels"},
      {kConv, [](OpCase& c) { c.inputs[2].shape = {5}; }, "op-shape", "bias has shape [5]"},
      {kConv,
       [](OpCase& c) {
         c.outputs[0].shape = {1, 8, 8, 5};
       },
       "op-shape", "needs [1, 8, 8, 6]"},
      {kConv, [](OpCase& c) { set_param(c, "group", {0}); }, "op-param-value", "group 0 does not divide"},
      {kConv, [](OpCase& c) { set_param(c, "group", {4}); }, "op-param-value", "group 4 does not divide"},
      {kConv,
       [](OpCase& c) {
         set_param(c, "stride", {1, 0});
       },
       "op-param-value", "stride in width is 0"},
      {kConv,
       [](OpCase& c) {
         set_param(c, "dilation", {0, 1});
       },
       "op-param-value", "dilation in height is 0"},
      {kConv,
       [](OpCase& c) {
         set_param(c, "dilation", {4294967295.0, 1});
       },
       "op-shape", "reaches over 8589934591 positions in height, but the padded input has 10"},
      {kConv,
       [](OpCase& c) {
         set_param(c, "pad_amount", {4294967295.0, 4294967295.0, 1, 1});
       },
       "op-shape", "the output would have 8589934596 positions in height"},
      {kConv, [](OpCase& c) { set_param(c, "reuse_sparse_indices", {1}); }, "op-param-value", "sparse"},
      {kConv,
       [](OpCase& c) {
         c.inputs[0].shape = {1, 1, 1, 1 << 29};
         c.inputs[1].shape = {1, 1, 1 << 29, 6};
       },
       "op-shape", "each output sums 536870912 products"},
      {kPool,
       [](OpCase& c) {
         c.inputs[0].shape = {8, 8, 4};
       },
       "op-rank", "[b, h, w, c] is needed"},
      {kPool,
       [](OpCase& c) {
         set_param(c, "filter_size", {0, 2});
       },
       "op-param-value", "filter size in height is 0"},
      {kPool,
       [](OpCase& c) {
         set_param(c, "filter_size", {2, 9});
       },
       "op-shape", "reaches over 9 positions"},
      {kPool, [](OpCase& c) { set_param(c, "rounding_mode", {2}); }, "op-param-value", "rounding_mode 2"},
      {kPool,
       [](OpCase& c) {
         c.outputs[0].shape = {1, 4, 5, 4};
       },
       "op-shape", "needs [1, 4, 4, 4]"},
      {kPool,
       [](OpCase& c) {
         set_param(c, "stride", {1, 1});
         set_param(c, "pad_amount", {4294967295.0, 4294967295.0, 0, 0});
       },
       "op-shape", "the output would be 8589934597 x 7 positions"},
      {kMatMul, [](OpCase& c) { c.inputs[1].shape = {4}; }, "op-rank", "at least 2 dimensions"},
      {kMatMul, [](OpCase& c) { set_param(c, "transpose_in1", {1}); }, "op-shape",
       "3 x 4 and 5 x 4 cannot be multiplied"},
      {kMatMul,
       [](OpCase& c) {
         c.inputs[1].shape = {3, 4, 5};
       },
       "op-shape", "batch dimensions [2] and [3] do not broadcast"},
      {kMatMul,
       [](OpCase& c) {
         c.outputs[0].shape = {3, 5};
       },
       "op-shape", "where the op needs [2, 3, 5]"},
      {kSoftmax, [](OpCase& c) { set_param(c, "axis", {2}); }, "op-param-value", "axis 2 is not a dimension"},
      {kSoftmax, [](OpCase& c) { set_param(c, "axis", {0}); }, "op-param-value", "is not the last one"},
      {kSoftmax, [](OpCase& c) { set_param(c, "beta", {0}); }, "op-param-value", "beta 0 is not"},
      {kSoftmax,
       [](OpCase& c) {
         c.outputs[0].shape = {3, 2};
       },
       "op-shape", "needs [2, 3]"},
      // ---- epilogue
      {kRelu, [](OpCase& c) { c.epilogue.activation = Activation::kRelu; }, "op-epilogue", "cannot end"},
      {kConv, [](OpCase& c) { c.epilogue.activation = static_cast<Activation>(77); }, "op-epilogue",
       "cannot end"},
      {kConv, [](OpCase& c) { c.epilogue.activation = Activation::kTanh; }, "op-epilogue", "cannot end"},
      {kConv,
       [](OpCase& c) {
         c.epilogue = {Activation::kClamp, 2.0F, 1.0F};
       },
       "op-epilogue", "from 2 to 1, which is empty"},
  };
  return rows;
}

TEST(Refusal, EveryPathSaysWhatIsWrong) { expect_refusals(refusals()); }

TEST(Refusal, UnknownOpsAreNamedWithTheNearest) {
  const Status status = validate("Conv2D", OpCall{});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "op-unknown");
  EXPECT_EQ(status.error().failure, Failure::kUnsupported);
  EXPECT_NE(status.error().fix.find("did you mean 'Conv2d'?"), std::string::npos);
  // Too long to be compared: all names are listed.
  const std::string fix = validate(std::string(100000, 'x'), OpCall{}).error().fix;
  EXPECT_EQ(fix.rfind("known: ", 0), 0U);
  EXPECT_NE(fix.find(", Conv2d, "), std::string::npos);
}

TEST(Refusal, RequiredOperandsCannotBeAbsent) {
  const OpCase c{std::string(kConv)};
  OpCall call = c.call();
  call.inputs[2] = nullptr;
  EXPECT_TRUE(validate("Conv2d", call));
  call.inputs[1] = nullptr;
  EXPECT_NE(validate("Conv2d", call).error().message.find("input 1 (weight) is missing"), std::string::npos);
  call = c.call();
  call.outputs[0] = nullptr;
  EXPECT_EQ(validate("Conv2d", call).error().code, "op-operands");
  call = c.call();
  call.params = nullptr;
  EXPECT_EQ(validate("Conv2d", call).error().code, "op-call");
}

TEST(Refusal, OperandsAreCalledAsTheClientCallsThem) {
  const OperandNames names{{"picture", "w1"}, {"made"}};
  const auto said = [&](const std::string& message) {
    return with_names(Diagnostic(invalid("op-rank", message)), names).message;
  };
  EXPECT_EQ(said("input 1 (weight) has rank 0"), "'w1' (input 1, weight) has rank 0");
  EXPECT_EQ(said("output 0 (y) and input 0 (x) differ"),
            "'made' (output 0, y) and 'picture' (input 0, x) differ");
  // Others stay: places without a name, and words that are no place.
  for (const char* const text :
       {"input 2 (bias) is missing", "input x (y)", "input 1", "an output 1 (", "", "takes 1 inputs, 0 given",
        "myinput 1 (weight)", "input 99999999999999999999 (x)"})
    EXPECT_EQ(said(text), text);
}

TEST(Refusal, NamesComeFromTheGraph) {
  ir::Graph graph("g");
  const auto tensor = [&](const char* name, ir::TensorRole role, ir::Shape shape) {
    return *graph.add_tensor(
        {.name = name, .role = role, .desc = {.type = DataType::kFloat16, .shape = shape}});
  };
  const ir::TensorIndex from = tensor("picture", ir::TensorRole::kInput, {2, 3});
  const ir::TensorIndex to = tensor("made", ir::TensorRole::kOutput, {});
  const ir::Node node{.name = "n", .type = "Relu", .inputs = {from}, .outputs = {to}};
  const Status status = with_names(validate("Relu", call_of(graph, node)), names_of(graph, node));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("'made' (output 0, y) has rank 0"), std::string::npos)
      << status.error().message;
}

// The two forms of an op: a client's, with float32, and a Program's, with half and stored operands.
TEST(Refusal, TheFormsOfAnOpAreKeptApart) {
  OpCase relu{std::string("Relu in=4:f16")};
  EXPECT_TRUE(validate_prepared(*relu.op, relu.call()));
  relu.inputs[0].type = relu.outputs[0].type = DataType::kFloat32;
  EXPECT_TRUE(validate("Relu", relu.call()));
  EXPECT_EQ(validate_prepared(*relu.op, relu.call()).error().code, "op-type-row");

  const OpCase conv = OpCase{std::string(kConv)}.stored();
  EXPECT_TRUE(validate_prepared(*conv.op, conv.call()));
  EXPECT_EQ(validate("Conv2d", conv.call()).error().code, "op-layout");
  OpCase spoilt = conv;
  spoilt.inputs[1].layout = ir::Layout::kHmx16;  // not the layout of its type
  EXPECT_EQ(validate_prepared(*conv.op, spoilt.call()).error().code, "op-layout");
  spoilt = conv;
  spoilt.inputs[0].layout = ir::Layout::kHmx8;  // not the weights
  EXPECT_EQ(validate_prepared(*conv.op, spoilt.call()).error().code, "op-layout");
  spoilt = conv;
  spoilt.inputs[1].layout = static_cast<ir::Layout>(9);
  EXPECT_EQ(validate_prepared(*conv.op, spoilt.call()).error().code, "op-layout");
}

}  // namespace
}  // namespace openqnn::ops
