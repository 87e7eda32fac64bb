// SPDX-License-Identifier: BSD-3-Clause
// What the ops of this family refuse, and in which words.
#include <cmath>
#include <functional>

#include "ops/elementwise/exact.h"

namespace openqnn::ops {
namespace {

struct Row {
  const char* line;
  std::function<void(OpCase&)> spoil;
  const char* text;
};

void nothing(OpCase& /*c*/) {}

const Row kRows[] = {
    // ---- operations
    {"ElementWiseUnary in=3:f16 operation=0", [](OpCase& c) { set_param(c, "operation", {16}); },
     "operation 16 is not known"},
    {"ElementWiseUnary in=3:f16 operation=0", [](OpCase& c) { set_param(c, "operation", {4294967295.0}); },
     "use 0 (abs) to 15 (sqrt)"},
    {"ElementWiseBinary in=3:f16 in=3:f16 out=f16 operation=0",
     [](OpCase& c) { set_param(c, "operation", {20}); }, "use 0 (add) to 19 (xor)"},
    {"ElementWiseNeuron in=3:f16 operation=4", [](OpCase& c) { set_param(c, "operation", {9}); },
     "use 0 (elu) to 8 (tanh)"},
    {"ElementWiseUnary in=3:f16 operation=0", [](OpCase& c) { c.params = {}; },
     "parameter 'operation' (u32 scalar) is missing"},
    {"ElementWiseUnary in=3:bool8 operation=0", nothing, "operation abs has no meaning for bool8"},
    {"ElementWiseUnary in=3:i32 operation=5", nothing, "operation exp has no meaning for i32"},
    {"ElementWiseBinary in=3:bool8 in=3:bool8 operation=0 out=bool8", nothing,
     "operation add has no meaning for bool8"},
    {"ElementWiseBinary in=3:ufx8 in=3:ufx8 operation=13 out=bool8", nothing,
     "operation multiply has no meaning for bool8"},
    {"ElementWiseBinary in=3:f16 in=3:f16 operation=12 out=f16", nothing,
     "operation mod is defined for integers, not for f16 [op-type-row] (use operation 5 (fmod)"},
    {"ElementWiseMod in=3:i32 in=3:i32",
     [](OpCase& c) {
       for (ir::TensorDesc* desc : {&c.inputs[0], &c.inputs[1], &c.outputs[0]})
         desc->type = ir::DataType::kFloat16;
     },
     "the types f16,f16 -> f16 are not offered"},
    {"ElementWiseNeuron in=3:i32 operation=6", nothing, "operation sigmoid has no meaning for i32"},
    // ---- parameters
    {"ElementWiseNeuron in=3:f16 operation=4 alpha=1", nothing,
     "parameter 'alpha' has no meaning for operation relu"},
    {"ElementWiseNeuron in=3:f16 operation=0 threshold=1", nothing,
     "parameter 'threshold' has no meaning for operation elu"},
    {"ElementWiseNeuron in=3:f16 operation=5 min_value=1", nothing,
     "parameter 'max_value' is missing; relu_min_max needs it"},
    {"ReluMinMax in=3:f16 min_value=2 max_value=1", nothing, "min_value 2 is above max_value 1"},
    {"ReluMinMax in=3:f16 min_value=0 max_value=1", [](OpCase& c) { set_param(c, "max_value", {NAN}); },
     "parameter 'max_value' is nan"},
    {"Elu in=3:f16 alpha=1", [](OpCase& c) { set_param(c, "alpha", {INFINITY}); }, "give it a finite number"},
    {"ElementWiseSoftplus in=3:f16 beta=0", nothing, "beta 0 is not above 0"},
    {"ElementWiseSoftplus in=3:f16 beta=-1", nothing, "beta -1 is not above 0"},
    {"Convert in=3:ufx8 out=f16 dynamic_input_data=1", nothing, "dynamic_input_data is set"},
    {"Convert in=3:ufx8 out=f16 dynamic_output_data=1", nothing, "leave it out and give the tensor its type"},
    {"RandomUniformLike in=1:u32 in=1:f16 out=f16 dims=4 low=2 high=1", nothing, "low 2 is above high 1"},
    {"RandomUniformLike in=1:u32 in=1:f16 out=f16 dims=4", [](OpCase& c) { set_param(c, "high", {NAN}); },
     "high is nan"},
    {"RandomNormalLike in=1:u32 in=1:f16 out=f16 dims=4 scale=-1", nothing, "scale -1 is below 0"},
    // ---- shapes
    {"ElementWiseMultiply in=2x3:f16 in=3:f16", [](OpCase& c) { c.inputs[1].shape = {4}; },
     "inputs [2, 3] and [4] do not broadcast together"},
    {"ElementWiseSelect in=2x3:bool8 in=1:f16 in=1:f16", [](OpCase& c) { c.inputs[2].shape = {2}; },
     "inputs [2, 3], [1] and [2] do not broadcast together"},
    {"ElementWiseSelect in=2x3:bool8 in=1:f16 in=1:f16", [](OpCase& c) { c.outputs[0].shape = {1}; },
     "output has shape [1] where the op needs [2, 3]"},
    {"Tanh in=2x3:f16",
     [](OpCase& c) {
       c.outputs[0].shape = {3, 2};
     },
     "output has shape [3, 2] where the op needs [2, 3]"},
    {"Cast in=2x3:i32 out=f16", [](OpCase& c) { c.outputs[0].shape = {6}; },
     "output has shape [6] where the op needs [2, 3]"},
    {"Prelu in=2x3:f16 in=3:f16", [](OpCase& c) { c.inputs[1].shape = {2}; },
     "slope [2] does not broadcast to input [2, 3]"},
    {"Prelu in=2x1:f16 in=1:f16",
     [](OpCase& c) {
       c.inputs[1].shape = {2, 3};
     },
     "slope [2, 3] does not broadcast to input [2, 1]"},
    {"Prelu in=3:f16 in=3:f16",
     [](OpCase& c) {
       c.inputs[1].shape = {1, 3};
     },
     "slope [1, 3] does not broadcast to input [3]"},
    {"RandomUniformLike in=2:u32 in=1:f16 out=f16 dims=2,3", [](OpCase& c) { c.inputs[0].shape = {3}; },
     "input 0 (shape) has shape [3] where the op needs [2]"},
    {"RandomUniformLike in=2:u32 in=1:f16 out=f16 dims=2,3", [](OpCase& c) { c.inputs[1].shape = {2}; },
     "input 1 (seed) has shape [2] where the op needs [1]"},
    {"ElementWiseAdd in=3:f16 in=3:f16", [](OpCase& c) { c.inputs[1].shape = {}; }, "has rank 0"},
    // ---- types
    {"ElementWiseAdd in=3:f16 in=3:f16", [](OpCase& c) { c.inputs[1].type = ir::DataType::kFloat32; },
     "the types f16,f32 -> f16 are not offered"},
    {"IsNan in=3:f16 out=bool8", [](OpCase& c) { c.outputs[0].type = ir::DataType::kFloat16; },
     "the types f16 -> f16 are not offered"},
};

TEST(Refusals, SayWhatWhereAndWhy) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.line);
    EXPECT_THAT(refusal(row.line, row.spoil), testing::HasSubstr(row.text));
  }
}

TEST(Refusals, WhatIsSoundIsAccepted) {
  for (const char* line : {"ElementWiseBinary in=scalar:f16 in=scalar:f16 out=f16 operation=0",
                           "ElementWiseNeuron in=3:i32 operation=4",
                           "ElementWiseBinary in=3:bool8 in=3:bool8 operation=3 out=bool8",
                           "ReluMinMax in=3:f16 min_value=1 max_value=1",
                           "ElementWiseNeuron in=3:f16 operation=7 beta=2 threshold=20",
                           "Convert in=3:ufx8 out=f16 dynamic_input_data=0"})
    EXPECT_EQ(refusal(line), "") << line;
  EXPECT_EQ(refusal("ReluMinMax in=3:f16 min_value=0 max_value=1",
                    [](OpCase& c) { set_param(c, "max_value", {INFINITY}); }),
            "");
}

}  // namespace
}  // namespace openqnn::ops
