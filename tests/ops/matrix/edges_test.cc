// SPDX-License-Identifier: BSD-3-Clause
// Single results by hand: transforms, attention, recurrent layers.
#include <gtest/gtest.h>

#include <cstring>

#include "base/half.h"
#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

void fill(OpCase& c, size_t input, double value) {
  const Half half = to_half(value);
  for (size_t i = 0; i < c.data[input].size(); i += 2) std::memcpy(&c.data[input][i], &half.bits, 2);
}

void put_i32(OpCase& c, size_t input, const std::vector<int32_t>& values) {
  ASSERT_EQ(c.data[input].size(), values.size() * 4);
  std::memcpy(c.data[input].data(), values.data(), c.data[input].size());
}

// What a public client's test expects of the device.
TEST(Edges, HadamardOfOnesIsOnePeak) {
  OpCase c{std::string("HadamardTransform in=256:f16")};
  fill(c, 0, 1.0);
  const Bytes out = c.run();
  EXPECT_EQ(half_at(out, 0), 16.0);
  for (size_t i = 1; i < 256; ++i) ASSERT_EQ(half_at(out, i), 0.0) << i;
}

// A cache that has room for the new token: present has the size of past.
TEST(Edges, AttentionMayFillACacheInPlace) {
  OpCase c{
      std::string("GroupQueryAttention in=1x1x2:f16 in=1:i32 in=scalar:i32 in=1x1x2:f16 in=1x1x2:f16 "
                  "in=1x1x4x2:f16 in=1x1x4x2:f16 num_heads=1 kv_num_heads=1")};
  c.outputs[1].shape[2] = c.outputs[2].shape[2] = 4;
  put_i32(c, 1, {2});  // three keys, two of them in the cache
  put_i32(c, 2, {3});
  fill(c, 0, 0.0);  // all keys alike
  fill(c, 3, 1.0);
  fill(c, 4, 9.0);
  fill(c, 5, 2.0);
  fill(c, 6, 3.0);
  const Status status = validate("GroupQueryAttention", c.call());
  ASSERT_TRUE(status) << status.error().to_string();
  const Bytes out = c.run();
  EXPECT_EQ(half_at(out, 0), 5.0);  // (3 + 3 + 9) / 3
  const size_t keys = c.output_offset(1) / 2;
  EXPECT_EQ(half_at(out, keys + 3), 2.0);
  EXPECT_EQ(half_at(out, keys + 4), 1.0);
  EXPECT_EQ(half_at(out, keys + 6), 0.0);  // after the last key

  put_i32(c, 1, {INT32_MAX});  // more than there is room for
  put_i32(c, 2, {INT32_MAX});
  EXPECT_EQ(half_at(c.run(), 0), 4.5);  // (3 * 3 + 9) / 4
  put_i32(c, 1, {INT32_MIN});
  EXPECT_EQ(half_at(c.run(), 0), 9.0);  // the token alone
  c.outputs.resize(1);                  // caches are optional
  ASSERT_TRUE(validate("GroupQueryAttention", c.call()));
  EXPECT_EQ(half_at(c.run(), 0), 9.0);
}

TEST(Edges, LaterTokensAreNotSeen) {
  OpCase c{
      std::string("GroupQueryAttention in=1x3x2:f16 in=1:i32 in=scalar:i32 in=1x3x2:f16 in=1x3x2:f16 "
                  "num_heads=1 kv_num_heads=1")};
  const Bytes before = c.run();
  for (size_t byte = 8; byte < 12; ++byte) c.data[4][byte] ^= std::byte{0x11};  // the last token's value
  const Bytes after = c.run();
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 8, after.begin()));
  EXPECT_FALSE(std::equal(before.begin() + 8, before.begin() + 12, after.begin() + 8));
}

// Without inputs of its own the cell forgets half of its state and adds half of tanh(1).
TEST(Edges, LstmGatesStandAtOneHalf) {
  OpCase c{std::string(
      "Lstm in=1x1:f16 in=1x1:f16 in=1x1:f16 in=1x1:f16 in=1x1:f16 in=1x1:f16 in=1x1:f16 in=1:f16 "
      "in=1:f16 in=1:f16 in=none in=1x1:f16 out=f16 out=f16 out=f16")};
  for (size_t input = 0; input < c.inputs.size(); ++input) fill(c, input, 0.0);
  fill(c, 8, 1.0);
  fill(c, 11, 4.0);
  const Bytes out = c.run();
  EXPECT_NEAR(half_at(out, 1), 2.0 + 0.5 * 0.76159, 0.002);
  EXPECT_EQ(half_at(out, 0), half_at(out, 2));
}

// Executions that do not reset go on where the last one ended: three of two steps are one of six.
TEST(Edges, GruGoesOnFromExecutionToExecution) {
  const auto line = [](int steps) {
    return "Gru in=" + std::to_string(steps) +
           "x2x3:f16 in=4x3:f16 in=4x3:f16 in=4x3:f16 in=4x4:f16 in=4x4:f16 in=4x4:f16 in=4:f16 in=4:f16 "
           "in=4:f16 in=4:f16 in=4:f16 in=4:f16 in=1x2x4:f16 in=scalar:bool8 out=f16 out=f16";
  };
  OpCase all{line(6)};
  OpCase part{line(2)};
  for (size_t input = 1; input < part.inputs.size(); ++input) part.data[input] = all.data[input];
  const Bytes expected = all.run();
  const size_t x_bytes = part.data[0].size();
  const size_t y_bytes = part.output_offset(1);

  Bytes state(part.op->state_bytes(part.call()));
  const auto execute = [&](size_t number, bool reset) {
    part.data[0].assign(all.data[0].begin() + static_cast<ptrdiff_t>(number * x_bytes),
                        all.data[0].begin() + static_cast<ptrdiff_t>((number + 1) * x_bytes));
    part.data[14] = {std::byte{reset}};
    std::vector<const std::byte*> in;
    for (const Bytes& data : part.data) in.push_back(data.data());
    Bytes out(part.output_bytes());
    std::byte* const outputs[] = {out.data(), out.data() + y_bytes};
    const OpCall call = part.call();
    part.op->kernels.back().run({call, in, outputs, state}, part.whole());
    return Bytes(out.begin(), out.begin() + static_cast<ptrdiff_t>(y_bytes));
  };
  const auto expected_part = [&](size_t number) {
    return Bytes(expected.begin() + static_cast<ptrdiff_t>(number * y_bytes),
                 expected.begin() + static_cast<ptrdiff_t>((number + 1) * y_bytes));
  };
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(execute(i, false), expected_part(i)) << i;
  EXPECT_EQ(execute(0, true), expected_part(0)) << "the initial state again";
  EXPECT_EQ(execute(1, false), expected_part(1));
  EXPECT_NE(execute(1, true), expected_part(1));
}

// Sums that a transposed convolution does not reach are the bias alone.
TEST(Edges, TransposedConvolutionLeavesHolesToTheBias) {
  OpCase c{
      std::string("TransposeConv2d in=1x2x1x1:f16 in=1x1x1x1:f16 in=1:f16 stride=3,1 pad_amount=0,0,0,0 "
                  "output_padding=2,0")};
  fill(c, 0, 5.0);
  fill(c, 1, 2.0);
  fill(c, 2, 1.0);
  const Bytes out = c.run();
  const double expected[] = {11, 1, 1, 11, 1, 1};
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(half_at(out, i), expected[i]) << i;
}

}  // namespace
}  // namespace openqnn::ops
