// SPDX-License-Identifier: BSD-3-Clause
// What the levels of optimization do: schedules first, then times.
#include <gtest/gtest.h>

#include "prepare/passes.h"
#include "prepare/schedule_check.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

// Images of two megabytes between the ops, and one of VTCM.
ir::Graph large_chain() {
  GraphBuilder g(ir::DataType::kUfixed8);
  GraphBuilder::T x = g.input({1, 256, 256, 32});
  for (int i = 0; i < 4; ++i) x = g.conv(x, 32);
  g.output(x);
  return g.build();
}

program::Program at_level(uint32_t level, uint64_t vtcm = kMiB, uint32_t threads = 4) {
  Options options;
  options.optimization = level;
  options.vtcm_bytes = vtcm;
  options.hvx_threads = threads;
  return program_of(large_chain(), part(), options);
}

uint64_t moved_bytes(const program::Program& program) {
  uint64_t bytes = 0;
  for (const program::Task& task : program.schedule.tasks) bytes += task.bytes;
  return bytes;
}

TEST(Levels, AreSound) {
  for (const uint32_t level : {1, 2, 3}) expect_sound(at_level(level));
}

TEST(Levels, TheSecondGoesInDepthAndSpillsLess) {
  const program::Program plain = at_level(1);
  const program::Program deep = at_level(2);
  EXPECT_GT(deep.schedule.tasks.size(), 0U);
  EXPECT_LT(moved_bytes(deep), moved_bytes(plain));
  // A later op begins before the one before it has ended.
  bool seen_later = false;
  bool interleaved = false;
  for (const program::Task& task : deep.schedule.tasks) {
    if (task.kind != program::TaskKind::kCompute) continue;
    seen_later |= task.op > 0;
    interleaved |= seen_later && task.op == 0;
  }
  EXPECT_TRUE(interleaved);
  EXPECT_LT(time_of(deep), time_of(plain));
}

TEST(Levels, TheThirdIsNeverSlowerThanTheOthers) {
  const Cycles searched = time_of(at_level(3));
  EXPECT_LE(searched, time_of(at_level(1)));
  EXPECT_LE(searched, time_of(at_level(2)));
}

TEST(Levels, MoreVtcmIsNeverSlowerAtTheThird) {
  Cycles before{UINT64_MAX};
  for (const uint64_t kib : {512, 1024, 2048, 3072, 4096, 5120, 8192}) {
    const Cycles now = time_of(at_level(3, kib * kKiB));
    EXPECT_LE(now, before) << kib;
    before = now;
  }
}

// Images of half a megabyte between the ops, and one of VTCM.
program::Program of_batch(uint32_t batch, uint32_t level) {
  GraphBuilder g(ir::DataType::kUfixed8);
  GraphBuilder::T x = g.input({batch, 64, 64, 32});
  for (int i = 0; i < 8; ++i) x = g.conv(x, 32);
  g.output(x);
  Options options;
  options.optimization = level;
  options.vtcm_bytes = kMiB;
  return program_of(g.build(), part(), options);
}

TEST(Levels, LargerBatchesCostNoMoreForAnImage) {
  for (const uint32_t level : {2, 3}) {
    const uint64_t alone = time_of(of_batch(1, level)).value;
    for (const uint32_t batch : {4, 16}) {
      const program::Program program = of_batch(batch, level);
      expect_sound(program);
      EXPECT_LE(time_of(program).value, batch * alone) << "level " << level << ", batch " << batch;
    }
  }
}

TEST(Levels, ImagesOfABatchGoThroughAllOpsOneAfterTheOther) {
  const program::Program program = of_batch(16, 2);
  const uint64_t in_and_out = 2 * 16 * 64 * 64 * 32;
  EXPECT_LT(moved_bytes(program), in_and_out * 3 / 2);
}

TEST(Levels, MoreThreadsAreNeverSlowerAtTheThird) {
  Cycles before{UINT64_MAX};
  for (const uint32_t threads : {1, 2, 3, 4}) {
    const program::Program program = at_level(3, kMiB, threads);
    EXPECT_LE(program.schedule.hvx_threads, threads);
    const Cycles now = time_of(program);
    EXPECT_LE(now, before) << threads;
    before = now;
  }
}

}  // namespace
}  // namespace openqnn::prepare
