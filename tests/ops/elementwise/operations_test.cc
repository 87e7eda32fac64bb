// SPDX-License-Identifier: BSD-3-Clause
// The ops that stand for many compute what the single ops do, by the numbers of the public header.
#include "../include/QNN/QnnOpDef.h"
#include "ops/elementwise/exact.h"

namespace openqnn::ops {
namespace {

struct Pair {
  uint32_t operation;
  const char* op;
  const char* params = "";
};

// Both on the same random bytes.
void expect_same(const std::string& many, const Pair& pair, const std::string& inputs) {
  SCOPED_TRACE(pair.op);
  const OpCase single(std::string(pair.op) + inputs + pair.params);
  OpCase general(many + inputs + " operation=" + std::to_string(pair.operation) + pair.params);
  ASSERT_EQ(general.inputs.size(), single.inputs.size());
  general.data = single.data;
  general.inputs = single.inputs;
  general.outputs = single.outputs;
  ASSERT_TRUE(validate_prepared(*general.op, general.call()));
  EXPECT_EQ(general.run(), single.run());
  EXPECT_EQ(general.op->work(general.call(), general.whole()).vector_ops,
            single.op->work(single.call(), single.whole()).vector_ops);
  const Work of_many = work_of(*general.op, general.call(), general.whole());
  const Work of_single = work_of(*single.op, single.call(), single.whole());
  EXPECT_EQ(of_many.vectors, of_single.vectors);
  EXPECT_EQ(of_many.vector_ops, of_single.vector_ops);
}

TEST(Operations, UnaryOpsByNumber) {
  for (const Pair& pair : {Pair{QNN_OP_ELEMENT_WISE_UNARY_OPERATION_ABS, QNN_OP_ELEMENT_WISE_ABS},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_ASIN, QNN_OP_ELEMENT_WISE_ASIN},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_ATAN, QNN_OP_ELEMENT_WISE_ATAN},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_CEIL, QNN_OP_ELEMENT_WISE_CEIL},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_COS, QNN_OP_ELEMENT_WISE_COS},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_EXP, QNN_OP_ELEMENT_WISE_EXP},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_FLOOR, QNN_OP_ELEMENT_WISE_FLOOR},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_LOG, QNN_OP_ELEMENT_WISE_LOG},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_NEG, QNN_OP_ELEMENT_WISE_NEG},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_ROUND, QNN_OP_ELEMENT_WISE_ROUND},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_RSQRT, QNN_OP_ELEMENT_WISE_RSQRT},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_SIGN, QNN_OP_ELEMENT_WISE_SIGN},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_SIN, QNN_OP_ELEMENT_WISE_SIN},
                           {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_SQRT, QNN_OP_ELEMENT_WISE_SQUARE_ROOT}})
    expect_same(QNN_OP_ELEMENT_WISE_UNARY, pair, " in=5x7:f16");
  expect_same(QNN_OP_ELEMENT_WISE_UNARY, {QNN_OP_ELEMENT_WISE_UNARY_OPERATION_NOT, QNN_OP_ELEMENT_WISE_NOT},
              " in=5x7:bool8");
  const std::string reciprocal = std::to_string(QNN_OP_ELEMENT_WISE_UNARY_OPERATION_RECIPROCAL);
  EXPECT_EQ(reals(run_on("ElementWiseUnary in=2:f16 operation=" + reciprocal, {halves({4.0, -0.5})})),
            (std::vector<double>{0.25, -2.0}));
}

TEST(Operations, BinaryOpsByNumber) {
  for (const Pair& pair :
       {Pair{QNN_OP_ELEMENT_WISE_BINARY_OPERATION_ADD, QNN_OP_ELEMENT_WISE_ADD},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_DIVIDE, QNN_OP_ELEMENT_WISE_DIVIDE},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_EQUAL, QNN_OP_ELEMENT_WISE_EQUAL},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_FLOOR_DIV, QNN_OP_ELEMENT_WISE_FLOOR_DIV},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_FMOD, QNN_OP_ELEMENT_WISE_FMOD},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_GREATER, QNN_OP_ELEMENT_WISE_GREATER},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_GREATER_EQUAL, QNN_OP_ELEMENT_WISE_GREATER_EQUAL},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_LESS, QNN_OP_ELEMENT_WISE_LESS},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_LESS_EQUAL, QNN_OP_ELEMENT_WISE_LESS_EQUAL},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_MAXIMUM, QNN_OP_ELEMENT_WISE_MAXIMUM},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_MINIMUM, QNN_OP_ELEMENT_WISE_MINIMUM},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_MULTIPLY, QNN_OP_ELEMENT_WISE_MULTIPLY},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_NOT_EQUAL, QNN_OP_ELEMENT_WISE_NOT_EQUAL},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_POWER, QNN_OP_ELEMENT_WISE_POWER},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_SQUARED_DIFFERENCE, QNN_OP_ELEMENT_WISE_SQUARED_DIFFERENCE},
        {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_SUBTRACT, QNN_OP_ELEMENT_WISE_SUBTRACT}})
    expect_same(QNN_OP_ELEMENT_WISE_BINARY, pair, " in=5x7:f16 in=7:f16");
  expect_same(QNN_OP_ELEMENT_WISE_BINARY, {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_MOD, QNN_OP_ELEMENT_WISE_MOD},
              " in=5x7:i32 in=7:i32");
  for (const Pair& pair : {Pair{QNN_OP_ELEMENT_WISE_BINARY_OPERATION_AND, QNN_OP_ELEMENT_WISE_AND},
                           {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_OR, QNN_OP_ELEMENT_WISE_OR},
                           {QNN_OP_ELEMENT_WISE_BINARY_OPERATION_XOR, QNN_OP_ELEMENT_WISE_XOR}})
    expect_same(QNN_OP_ELEMENT_WISE_BINARY, pair, " in=5x7:bool8 in=7:bool8");
}

TEST(Operations, NeuronsByNumber) {
  for (const Pair& pair :
       {Pair{QNN_OP_ELEMENT_WISE_NEURON_OPERATION_ELU, QNN_OP_ELU, " alpha=0.7"},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_GELU, QNN_OP_GELU},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_HARD_SWISH, QNN_OP_HARD_SWISH},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_RELU, QNN_OP_RELU},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_RELU_MIN_MAX, QNN_OP_RELU_MIN_MAX, " min_value=-1 max_value=2"},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_SIGMOID, QNN_OP_SIGMOID},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_SOFTPLUS, QNN_OP_ELEMENT_WISE_SOFTPLUS, " beta=2 threshold=1"},
        {QNN_OP_ELEMENT_WISE_NEURON_OPERATION_TANH, QNN_OP_TANH}})
    expect_same(QNN_OP_ELEMENT_WISE_NEURON, pair, " in=5x7:ufx8");
  const std::string hard_sigmoid = std::to_string(QNN_OP_ELEMENT_WISE_NEURON_OPERATION_HARD_SIGMOID);
  EXPECT_EQ(
      reals(run_on("ElementWiseNeuron in=3:f16 alpha=0.25 operation=" + hard_sigmoid, {halves({1, 9, -9})})),
      (std::vector<double>{0.75, 1.0, 0.0}));
}

}  // namespace
}  // namespace openqnn::ops
