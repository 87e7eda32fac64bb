// SPDX-License-Identifier: BSD-3-Clause
// Weights packing: which weights become nibbles, and that no result changes.
#include "prepare/passes.h"
#include "prepare/run_program.h"

namespace openqnn::prepare {
namespace {

// A MatMul whose weights' numbers (code plus offset) run from `least` to `most`.
ir::Graph matmul(int least, int most) {
  GraphBuilder g(kUfixed8);
  const auto in = g.input({4, 64});
  const auto out = g.matmul(in, 64);
  g.output(out);
  ir::Tensor* weights = nullptr;
  for (GraphBuilder::T t = 0; t <= out; ++t)
    if (g.tensor(t).role == ir::TensorRole::kStatic && g.tensor(t).desc.shape.rank() == 2)
      weights = &g.tensor(t);
  const int offset = weights->desc.quantization.at(0).offset;
  std::vector<std::byte> codes(weights->data.size());
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = std::byte(static_cast<uint8_t>(least + static_cast<int>(i) % (most - least + 1) - offset));
  weights->data = ir::Blob::of(std::move(codes));
  return g.build();
}

bool has_nibbles(const program::Program& program) {
  return std::ranges::any_of(
      program.tensors, [](const program::Tensor& tensor) { return tensor.desc.layout == ir::Layout::kHmx4; });
}

TEST(PackWeights, NumbersFromMinus8To7BecomeNibbles) {
  EXPECT_TRUE(has_nibbles(program_of(matmul(-8, 7), part(), {.pack_weights = true})));
  EXPECT_FALSE(has_nibbles(program_of(matmul(-9, 7), part(), {.pack_weights = true})));
  EXPECT_FALSE(has_nibbles(program_of(matmul(-8, 8), part(), {.pack_weights = true})));
}

TEST(PackWeights, NoResultChanges) {
  EXPECT_EQ(run(prepared(matmul(-8, 7), part(), {.pack_weights = true}), exec::Mode::kWhole),
            run(prepared(matmul(-8, 7)), exec::Mode::kWhole));
}

TEST(PackWeights, NothingIsPackedUnasked) { EXPECT_FALSE(has_nibbles(program_of(matmul(-8, 7)))); }

TEST(PackWeights, HalfTheBytesAreLeft) {
  const size_t plain = prepared(matmul(-8, 7)).constants.size();
  const size_t packed = prepared(matmul(-8, 7), part(), {.pack_weights = true}).constants.size();
  EXPECT_EQ(plain - packed, size_t{64} * 64 / 2);
}

}  // namespace
}  // namespace openqnn::prepare
