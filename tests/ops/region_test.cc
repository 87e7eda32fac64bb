// SPDX-License-Identifier: BSD-3-Clause
// Tiles: computing a box must need only what input_box says, write only that box, and give the same bits.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kRandomProblems = 12;

TEST(Region, AnyPartitionGivesTheSameBits) {
  oracle::Random random(1);
  for (const OpCase& c : all_cases(kRandomProblems)) {
    SCOPED_TRACE(c.problem.line);
    Bytes out(ir::plain_bytes(c.output), kUntouched);
    for (const ir::Box& part : random_partition(random, ir::Box::whole(c.output.shape)))
      c.run_into(out, part);
    ASSERT_EQ(out, c.run());
  }
}

TEST(Region, NothingOutsideIsWritten) {
  oracle::Random random(2);
  for (const OpCase& c : all_cases(kRandomProblems)) {
    SCOPED_TRACE(c.problem.line);
    const ir::Box box = random_box(random, c.output.shape);
    const Bytes whole = c.run();
    const Bytes part = c.run(box);
    const size_t size = ir::byte_size(c.output.type);
    ir::for_each_index(ir::Box::whole(c.output.shape), [&](const ir::Shape& index) {
      const bool inside = contains(box, {index, [&] {
                                           ir::Shape end = index;
                                           for (size_t i = 0; i < end.rank(); ++i) ++end[i];
                                           return end;
                                         }()});
      const size_t at = ir::offset_of(c.output.shape, index) * size;
      for (size_t byte = at; byte < at + size; ++byte)
        ASSERT_EQ(part[byte], inside ? whole[byte] : kUntouched) << index.to_string();
    });
  }
}

// Elements of a plain input that lie outside `box` become noise.
void spoil_outside(const ir::TensorDesc& desc, const ir::Box& box, oracle::Random& random, Bytes& data) {
  const size_t size = ir::byte_size(desc.type);
  ir::for_each_index(ir::Box::whole(desc.shape), [&](const ir::Shape& index) {
    bool inside = true;
    for (size_t i = 0; i < index.rank(); ++i) inside &= index[i] >= box.begin[i] && index[i] < box.end[i];
    if (inside) return;
    const size_t at = ir::offset_of(desc.shape, index) * size;
    for (size_t byte = at; byte < at + size; ++byte) data[byte] = static_cast<std::byte>(random());
  });
}

TEST(Region, DependsOnlyOnItsInputBoxes) {
  oracle::Random random(3);
  for (const OpCase& c : all_cases(kRandomProblems)) {
    SCOPED_TRACE(c.problem.line);
    for (int round = 0; round < 3; ++round) {
      const ir::Box box = random_box(random, c.output.shape);
      OpCase spoilt = c;
      for (size_t i = 0; i < c.inputs.size(); ++i) {
        const ir::Box needed = c.op->input_box(c.call(), i, box);
        ASSERT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), needed)) << needed.to_string();
        spoil_outside(c.inputs[i], needed, random, spoilt.data[i]);
      }
      ASSERT_EQ(spoilt.run(box), c.run(box)) << box.to_string();
    }
  }
}

TEST(Region, InputBoxesAreNoLargerThanNeeded) {
  const auto needed = [](const char* line, size_t input, const ir::Box& box) {
    const OpCase c{std::string(line)};
    return c.op->input_box(c.call(), input, box).to_string();
  };
  const char* conv = "Conv2d in=1x8x8x8:f16 in=3x3x4x6:f16 in=6:f16 stride=2,1 pad_amount=1,1,1,1 group=2";
  EXPECT_EQ(needed(conv, 0, {{0, 1, 2, 0}, {1, 3, 4, 3}}), "[0:1, 1:6, 1:5, 0:4]");
  EXPECT_EQ(needed(conv, 0, {{0, 0, 7, 2}, {1, 1, 8, 4}}), "[0:1, 0:2, 6:8, 0:8]");
  EXPECT_EQ(needed(conv, 1, {{0, 0, 0, 1}, {1, 1, 1, 5}}), "[0:3, 0:3, 0:4, 1:5]");
  EXPECT_EQ(needed(conv, 2, {{0, 0, 0, 1}, {1, 1, 1, 5}}), "[1:5]");
  const char* matmul = "MatMul in=2x1x5x3:f16 in=4x2x3:f16 transpose_in1=1";
  EXPECT_EQ(needed(matmul, 0, {{1, 1, 2, 0}, {2, 3, 4, 1}}), "[1:2, 0:1, 2:4, 0:3]");
  EXPECT_EQ(needed(matmul, 1, {{1, 1, 2, 0}, {2, 3, 4, 1}}), "[1:3, 0:1, 0:3]");
  EXPECT_EQ(needed("PoolMax2d in=1x9x9x4:f16 filter_size=3,3 stride=2,2 pad_amount=1,1,1,1", 0,
                   {{0, 1, 0, 1}, {1, 2, 2, 2}}),
            "[0:1, 1:4, 0:4, 1:2]");
  EXPECT_EQ(needed("ElementWiseAdd in=2x3x4:f16 in=3x1:f16", 1, {{0, 1, 2}, {1, 2, 4}}), "[1:2, 0:1]");
  EXPECT_EQ(needed("Softmax in=4x7:f16", 0, {{1, 2}, {2, 3}}), "[1:2, 0:7]");
}

TEST(Region, AnEmptyBoxNeedsAndDoesNothing) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    const OpCase c(oracle::problems(oracle, 0).front());
    const ir::Box empty{ir::Box::whole(c.output.shape).begin, ir::Box::whole(c.output.shape).begin};
    EXPECT_EQ(c.run(empty), Bytes(ir::plain_bytes(c.output), kUntouched)) << oracle.op;
    EXPECT_EQ(c.op->work(c.call(), empty).macs, 0U) << oracle.op;
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      const ir::Box needed = c.op->input_box(c.call(), i, empty);
      EXPECT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), needed)) << oracle.op;
    }
  }
}

TEST(Region, SplitAxesAreDimensionsOnce) {
  for (const OpCase& c : all_cases(0)) {
    SCOPED_TRACE(c.problem.line);
    std::vector<bool> seen(c.output.shape.rank());
    for (const SplitAxis& split : c.op->split_axes(c.call())) {
      ASSERT_LT(split.axis, seen.size());
      ASSERT_GE(split.granularity, 1U);
      ASSERT_FALSE(seen[split.axis]);
      seen[split.axis] = true;
    }
  }
}

}  // namespace
}  // namespace openqnn::ops
