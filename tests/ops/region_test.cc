// SPDX-License-Identifier: BSD-3-Clause
// Tiles: computing a box must need only what input_box says, write only that box, and give the same bits.
#include <gtest/gtest.h>

#include "ops/common.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kTiledProblems = 12;

TEST(Region, AnyPartitionGivesTheSameBits) {
  oracle::Random random(1);
  for (const OpCase& c : all_cases(kTiledProblems)) {
    if (!c.divides()) continue;
    SCOPED_TRACE(c.problem.line);
    Bytes out(c.output_bytes(), kUntouched);
    for (const ir::Box& part : random_partition(random, c.whole())) c.run_into(out, part);
    ASSERT_EQ(out, c.run());
  }
}

TEST(Region, NothingOutsideIsWritten) {
  oracle::Random random(2);
  for (const OpCase& c : all_cases(kTiledProblems)) {
    if (!c.divides()) continue;
    SCOPED_TRACE(c.problem.line);
    const ir::Box box = random_box(random, c.output().shape);
    const Bytes whole = c.run();
    const Bytes part = c.run(box);
    const size_t size = ir::byte_size(c.output().type);
    ir::for_each_index(ir::Box::whole(c.output().shape), [&](const ir::Shape& index) {
      const bool inside = contains(box, box_at(index));
      const size_t at = ir::offset_of(c.output().shape, index) * size;
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
  for (const OpCase& c : all_cases(kTiledProblems)) {
    SCOPED_TRACE(c.problem.line);
    for (int round = 0; round < 3; ++round) {
      const ir::Box box = c.divides() ? random_box(random, c.output().shape) : c.whole();
      OpCase spoilt = c;
      for (size_t i = 0; i < c.inputs.size(); ++i) {
        if (!c.call().has_input(i)) continue;
        const ir::Box needed = input_box(*c.op, c.call(), i, box);
        ASSERT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), needed)) << needed.to_string();
        spoil_outside(c.inputs[i], needed, random, spoilt.data[i]);
      }
      ASSERT_EQ(spoilt.run(box), c.run(box)) << box.to_string();
    }
  }
}

TEST(Region, AllNeededPartsAtOnceAreThoseOneByOne) {
  oracle::Random random(6);
  for (const OpCase& c : all_cases(kTiledProblems)) {
    SCOPED_TRACE(c.problem.line);
    const ir::Box whole = c.whole();
    for (const ir::Box& box :
         {whole, ir::Box{whole.begin, whole.begin}, random_box(random, c.output().shape)}) {
      std::vector<std::optional<ir::Box>> boxes(c.inputs.size());
      for (const NeededPart& part : needed_parts(*c.op, c.call(), box)) boxes.at(part.input) = part.box;
      for (size_t i = 0; i < boxes.size(); ++i) {
        if (!c.call().has_input(i)) continue;
        const ir::Box alone = input_box(*c.op, c.call(), i, box);
        EXPECT_EQ(boxes[i], alone.empty() ? std::nullopt : std::optional(alone)) << "input " << i;
      }
    }
  }
}

TEST(Region, AnEmptyBoxNeedsAndDoesNothing) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    const OpCase c(problems(oracle, 0).front());
    const ir::Box empty{c.whole().begin, c.whole().begin};
    if (c.divides()) {
      EXPECT_EQ(c.run(empty), Bytes(c.output_bytes(), kUntouched)) << oracle.op;
    }
    EXPECT_EQ(c.op->work(c.call(), empty).macs, 0U) << oracle.op;
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      if (!c.call().has_input(i)) continue;
      const ir::Box needed = input_box(*c.op, c.call(), i, empty);
      EXPECT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), needed)) << oracle.op;
    }
  }
}

TEST(Region, SplitAxesAreDimensionsOnce) {
  for (const OpCase& c : all_cases(0)) {
    SCOPED_TRACE(c.problem.line);
    std::vector<bool> seen(c.output().shape.rank());
    for (const SplitAxis& split : split_axes(*c.op, c.call())) {
      ASSERT_LT(split.axis, seen.size());
      ASSERT_GE(split.granularity, 1U);
      ASSERT_FALSE(seen[split.axis]);
      seen[split.axis] = true;
    }
  }
}

}  // namespace
}  // namespace openqnn::ops
