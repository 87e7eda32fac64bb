// SPDX-License-Identifier: BSD-3-Clause
#include "program/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <random>

#include "program/cover.h"
#include "program/sample_programs.h"

namespace openqnn::program {
namespace {

using testing::HasSubstr;

constexpr uint64_t kConstants = 1312;

std::string verdict(const Program& program) {
  Status status = verify_ops(program, kConstants);
  if (status) status = verify_schedule(program);
  return status ? "fine" : status.error().code;
}

// What the verifier says of sample_8bit (or sample_half) after one change.
std::string after(const std::function<void(Program&)>& change, Program program = sample_8bit()) {
  change(program);
  return verdict(program);
}

TEST(Verify, SamplesAreFine) {
  for (const Program& program : {sample_8bit(), sample_half(), sample_outputs(), sample_sparse()}) {
    const Status ops = verify_ops(program, kConstants);
    EXPECT_TRUE(ops) << ops.error().to_string();
    const Status schedule = verify_schedule(program);
    EXPECT_TRUE(schedule) << schedule.error().to_string();
  }
}

TEST(Verify, Vtcm) {
  EXPECT_EQ(after([](Program& p) { p.schedule.vtcm_bytes = kMaxBytes; }), "fine");
  EXPECT_EQ(after([](Program& p) { p.schedule.vtcm_bytes = kMaxBytes + 1; }), "schedule-vtcm");
}

TEST(Verify, CoresAndSavedBandwidth) {
  EXPECT_EQ(after([](Program& p) { p.schedule.cores = 0; }), "schedule-core");
  EXPECT_EQ(after([](Program& p) { p.schedule.cores = 65; }), "schedule-core");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].core = 1; }), "schedule-core");
  EXPECT_EQ(after([](Program& p) { p.schedule.cores = 2; }), "fine");
  EXPECT_EQ(after([](Program& p) {
              p.schedule.cores = 2;
              p.schedule.blocks[0].core = 1;
            }),
            "schedule-core")
      << "its users are on the other";
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].core = 9; }), "schedule-core");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].saved_bytes = 128; }), "fine");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].saved_bytes = 129; }), "schedule-traffic");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].saved_bytes = 1; }), "schedule-traffic");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].in_slc = true; }), "schedule-traffic");
}

TEST(Verify, Tensors) {
  EXPECT_EQ(after([](Program& p) { p.tensors[3].id = p.tensors[0].id; }), "program-tensor-id");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].name = "\xFF"; }), "program-name");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].name = std::string(70000, 'x'); }), "program-name");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].name = std::string("a\0b", 3); }), "program-name");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].storage = Storage::kClient; }), "program-storage");
  EXPECT_EQ(after([](Program& p) { p.tensors[2].storage = Storage::kArena; }), "program-storage");
  EXPECT_EQ(after([](Program& p) { p.tensors[2].desc.is_static = false; }), "program-storage");
  EXPECT_EQ(after([](Program& p) { p.tensors[0].client_type = ir::DataType::kFloat32; }),
            "program-client-type");
  EXPECT_EQ(after([](Program& p) { p.tensors[0].storage = Storage::kClient; }, sample_half()),
            "program-client-type");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].desc.layout = ir::Layout::kHmx8; }), "program-layout");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].desc.quantization.encodings.clear(); }), "program-encoding");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].desc.quantization.kind = ir::Quantization::Kind::kNone; }),
            "program-encoding");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].desc.shape[0] = 0; }), "tensor-shape");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].desc.type = ir::DataType::kUndefined; }), "tensor-type");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].role = static_cast<ir::TensorRole>(9); }), "program-enum");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].client_memory = ir::ClientMemory::kMemHandle; }),
            "program-client-memory");
  EXPECT_EQ(after([](Program& p) { p.tensors[0].client_memory = static_cast<ir::ClientMemory>(2); }),
            "program-enum");
}

TEST(Verify, SparseTensors) {
  const auto changed = [](const std::function<void(Program&)>& change) {
    return after(change, sample_sparse());
  };
  const auto with = [&](uint32_t slots, uint32_t dimensions) {
    return changed([=](Program& p) { p.tensors[2].desc.sparsity = {slots, dimensions}; });
  };
  EXPECT_EQ(with(3, 2), "fine");
  EXPECT_EQ(with(2, 2), "program-tensor-bytes");
  EXPECT_EQ(with(4, 2), "tensor-sparse");  // than there are places
  EXPECT_EQ(with(0, 2), "tensor-sparse");
  EXPECT_EQ(with(3, 0), "tensor-sparse");
  EXPECT_EQ(with(3, 4), "tensor-sparse");
  EXPECT_EQ(with(UINT32_MAX, 3), "tensor-sparse");
  EXPECT_EQ(with(3, UINT32_MAX), "tensor-sparse");
  EXPECT_EQ(changed([](Program& p) { p.tensors[1].desc.sparsity = {1, 1}; }), "program-sparse");
  EXPECT_EQ(changed([](Program& p) { p.tensors[4].desc.sparsity = {1, 1}; }), "program-sparse");
  EXPECT_EQ(changed([](Program& p) {
              p.tensors[3].desc.sparsity = {1, 1};
              p.tensors[3].bytes = 16;
            }),
            "op-sparse");
  EXPECT_EQ(changed([](Program& p) { p.tensors[2].desc.quantization.encodings[0].offset = -1; }),
            "op-sparse");
  EXPECT_EQ(after([](Program& p) { p.tensors[1].desc.sparsity = {1, 1}; }), "program-sparse");  // a constant
}

TEST(Verify, SparseTensorsAreInOnePiece) {
  const auto changed = [](const std::function<void(Program&)>& change) {
    return after(change, sample_sparse());
  };
  EXPECT_EQ(changed([](Program& p) { p.schedule.blocks[0].bytes = 36; }), "fine");
  EXPECT_EQ(changed([](Program& p) { p.schedule.blocks[0].bytes = 35; }), "schedule-vtcm");
  EXPECT_EQ(changed([](Program& p) { p.schedule.blocks[0].box.end[1] = 2; }), "schedule-box");
  EXPECT_EQ(changed([](Program& p) { p.schedule.tasks[0].box.end[1] = 2; }), "schedule-box");
}

// Each task would take the frames of the execution again.
TEST(Verify, OpsThatKeepStateAreNotDivided) {
  const auto divide = [](Program& p) {
    Task half = p.schedule.tasks[3];
    p.schedule.tasks[3].box.end[0] = 1;
    half.box.begin[0] = 1;
    p.schedule.tasks.push_back(half);
  };
  EXPECT_EQ(after(divide, sample_sparse()), "schedule-cover");
}

TEST(Verify, EncodingsFitTheirTensors) {
  const auto spare = [](const std::function<void(ir::Quantization&)>& change) {
    return after([&](Program& p) { change(p.tensors[3].desc.quantization); }, sample_outputs());
  };
  EXPECT_EQ(spare([](ir::Quantization&) {}), "fine");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.block = {2, 2}; }), "tensor-encoding-count");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.encodings.pop_back(); }), "tensor-encoding-count");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.block = {2, 3}; }), "tensor-encoding-block");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.block = {0, 4}; }), "tensor-encoding-block");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.block = {4}; }), "tensor-encoding-block");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.block = {8, 1, 1}; }), "tensor-encoding-block");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.bits = 9; }), "tensor-encoding-bits");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.bits = UINT32_MAX; }), "tensor-encoding-bits");
  EXPECT_EQ(spare([](ir::Quantization& q) { q.kind = ir::Quantization::Kind::kPerTensor; }),
            "program-encoding");  // four pairs
  EXPECT_EQ(spare([](ir::Quantization& q) {
              q = ir::Quantization::per_tensor(1.0F, 0);
              q.block = {2, 4};
            }),
            "program-encoding");
  EXPECT_EQ(spare([](ir::Quantization& q) { q = {.bits = 4}; }), "program-encoding");
  EXPECT_EQ(spare([](ir::Quantization& q) {
              q.kind = ir::Quantization::Kind::kPerAxis;
              q.block = {};
            }),
            "fine");  // one for each of four rows
  EXPECT_EQ(spare([](ir::Quantization& q) { q.kind = static_cast<ir::Quantization::Kind>(4); }),
            "program-enum");
}

// Weights of 4 bits take half the bytes; a file may not make the kernel read more than is there.
TEST(Verify, FourBitWeights) {
  const auto with_bytes = [](uint64_t bytes) {
    return [bytes](Program& p) {
      p.tensors[1].desc.layout = ir::Layout::kHmx4;
      p.tensors[1].desc.quantization.bits = 4;
      p.tensors[1].bytes = bytes;
    };
  };
  EXPECT_EQ(after(with_bytes(512)), "fine");
  EXPECT_EQ(after(with_bytes(511)), "program-tensor-bytes");
  EXPECT_EQ(after(with_bytes(1024)), "program-tensor-bytes");
  EXPECT_NE(after([&](Program& p) {
              with_bytes(512)(p);
              p.tensors[1].desc.type = ir::DataType::kInt32;
            }),
            "fine");
  EXPECT_EQ(after([](Program& p) { p.tensors[1].desc.layout = static_cast<ir::Layout>(4); }), "program-enum");
}

TEST(Verify, Places) {
  EXPECT_EQ(after([](Program& p) { p.tensors[3].bytes = 255; }), "program-tensor-bytes");
  EXPECT_EQ(after([](Program& p) { p.tensors[1].bytes = 512; }), "program-tensor-bytes");  // packed
  EXPECT_EQ(after([](Program& p) { p.tensors[0].offset = 64; }), "program-tensor-offset");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].offset = 64; }), "program-tensor-offset");
  EXPECT_EQ(after([](Program& p) { p.tensors[4].offset = 1084; }), "program-tensor-offset");
  EXPECT_EQ(after([](Program& p) { p.tensors[4].offset = 1344; }), "program-tensor-offset");
  EXPECT_EQ(after([](Program& p) { p.tensors[4].offset = UINT64_MAX - 63; }), "program-tensor-offset");
  EXPECT_EQ(after([](Program& p) { p.arena_bytes = uint64_t{1} << 50; }), "program-arena");
}

TEST(Verify, ArenaTensorsThatAreNeededTogetherDoNotOverlap) {
  // An input and what is computed from it.
  EXPECT_EQ(after([](Program& p) { p.tensors[2].offset = 128; }, sample_half()), "program-arena-overlap");
  EXPECT_EQ(after([](Program& p) { p.tensors[2].offset = 0; }, sample_half()), "program-arena-overlap");
  EXPECT_EQ(after([](Program& p) { p.tensors[3].offset = 64; }, sample_half()), "program-arena-overlap");
  // An output must stay until the client has read it, although no op reads it any more.
  const auto two_outputs = [](uint64_t offset) {
    return [offset](Program& p) {
      p.tensors[2].role = ir::TensorRole::kOutput;
      p.tensors.push_back(p.tensors[3]);
      p.tensors[4].id = 5;
      p.tensors[4].offset = offset;
      p.ops.push_back(p.ops[1]);
      p.ops[2].inputs = {3};
      p.ops[2].outputs = {4};
      p.arena_bytes = 640;
      p.schedule.tasks.push_back(p.schedule.tasks[1]);
      p.schedule.tasks[2].op = 2;
      p.schedule.tasks[2].tensor = 4;
    };
  };
  EXPECT_EQ(after(two_outputs(192), sample_half()), "program-arena-overlap");
  EXPECT_EQ(after(two_outputs(384), sample_half()), "fine");
}

TEST(Verify, Ops) {
  EXPECT_EQ(after([](Program& p) { p.ops[0].type = "Conv9d"; }), "program-op-type");
  EXPECT_EQ(after([](Program& p) { p.ops[0].inputs[0] = 6; }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.ops[0].outputs[0] = 6; }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.ops[0].outputs[0] = ir::kNoTensor; }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.ops[0].outputs.clear(); }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.ops[0].source_nodes = {3}; }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.framework_nodes.pop_back(); }), "program-index");
  EXPECT_EQ(after([](Program& p) { p.framework_nodes[2] = {"\xff"}; }), "program-name");
  EXPECT_EQ(after([](Program& p) { p.framework_nodes.clear(); }), "fine");
  EXPECT_EQ(after([](Program& p) { p.ops[0].outputs[0] = 0; }), "program-write");
  EXPECT_EQ(after([](Program& p) { p.ops[0].outputs[0] = 4; }), "program-write");
  EXPECT_EQ(after([](Program& p) { p.ops[1].outputs[0] = 3; }), "program-write");
  EXPECT_EQ(after([](Program& p) { std::swap(p.ops[0], p.ops[1]); }), "program-order");
  EXPECT_EQ(after([](Program& p) { p.ops[1].inputs[0] = 5; }), "program-order");  // its own output
  EXPECT_EQ(after([](Program& p) { p.ops.pop_back(); }), "program-output");
  EXPECT_EQ(after([](Program& p) { p.ops[0].params.add(p.ops[0].params.all()[0]); }), "program-param");
  EXPECT_EQ(after([](Program& p) { p.ops[0].params.add(u32_param("group", {}, {1, 2})); }), "program-param");
  EXPECT_EQ(after([](Program& p) { p.ops[0].epilogue.activation = ops::Activation::kTanh; }), "op-epilogue");
  EXPECT_EQ(after([](Program& p) { p.ops[0].epilogue.activation = static_cast<ops::Activation>(7); }),
            "program-enum");
  EXPECT_EQ(after([](Program& p) {
              p.ops[0].epilogue = ops::Epilogue::times_input({0.5F, 0});
            }),
            "op-epilogue");
  // What only the op itself can judge.
  EXPECT_NE(after([](Program& p) { p.ops[0].inputs = {0}; }), "fine");
  EXPECT_NE(after([](Program& p) { p.ops[0].params = {}; }), "fine");
  EXPECT_NE(after([](Program& p) { p.ops[1].epilogue = p.ops[0].epilogue; }), "fine");
}

TEST(Verify, SeveralOutputs) {
  const auto outputs = [](const std::function<void(Program&)>& change) {
    return after(change, sample_outputs());
  };
  EXPECT_EQ(outputs([](Program& p) { p.ops[0].outputs[1] = 9; }), "program-index");
  EXPECT_EQ(outputs([](Program& p) { p.ops[0].outputs[0] = ir::kNoTensor; }), "program-index");
  EXPECT_EQ(outputs([](Program& p) { p.ops[0].outputs[1] = 1; }), "program-write");
  EXPECT_NE(outputs([](Program& p) { p.ops[0].outputs[1] = ir::kNoTensor; }), "fine");  // TopK needs both
  // Both outputs in the arena, apart and on top of each other.
  const auto second_at = [](uint64_t offset) {
    return [offset](Program& p) {
      p.tensors[1].role = ir::TensorRole::kNative;
      p.tensors[1].storage = Storage::kArena;
      p.tensors[1].client_memory = ir::ClientMemory::kRaw;
      p.tensors[2].offset = offset;
      p.arena_bytes = 128;
    };
  };
  EXPECT_EQ(outputs(second_at(64)), "fine");
  EXPECT_EQ(outputs(second_at(0)), "program-arena-overlap");
  // Such an op is not divided: the kernel writes all outputs at once.
  EXPECT_EQ(outputs([](Program& p) {
              p.schedule.blocks.clear();
              p.schedule.tasks.push_back(p.schedule.tasks[1]);
              p.schedule.tasks[1].box.end[0] = 1;
              p.schedule.tasks[3].box.begin[0] = 1;
            }),
            "schedule-cover");
  EXPECT_EQ(outputs([](Program& p) { p.schedule.tasks[1].tensor = 2; }), "schedule-tensor");
  // The second output may be stored, too, and its block is filled by the one compute task.
  EXPECT_EQ(outputs([](Program& p) {
              p.schedule.tasks.push_back(p.schedule.tasks[2]);
              p.schedule.tasks[3].tensor = 2;
              p.schedule.blocks[2].users = {1, 3};
            }),
            "fine");
  EXPECT_EQ(outputs([](Program& p) { p.schedule.blocks[2].users = {0}; }), "schedule-users");
}

TEST(Verify, Tasks) {
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].op = 2; }), "schedule-index");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].tensor = 6; }), "schedule-index");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].tensor = 5; }), "schedule-tensor");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].op = 1; }), "schedule-tensor");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[6].op = 0; }), "schedule-tensor");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].unit = soc::Unit::kHvx; }), "schedule-unit");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].unit = soc::Unit::kDma; }), "schedule-unit");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].unit = soc::Unit::kHvx; }), "schedule-unit");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].work.vectors[3] = uint64_t{1} << 60; }),
            "schedule-work");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].work.macs = UINT64_MAX; }), "schedule-work");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].box.end[3] = 17; }), "schedule-box");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].box.end[1] = 0; }), "schedule-box");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].box = {}; }), "schedule-box");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[2].after = {2}; }), "schedule-order");
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[0].after = {6}; }), "schedule-order");  // a cycle
  EXPECT_EQ(after([](Program& p) { p.schedule.hvx_threads = 0; }), "schedule-threads");
  EXPECT_EQ(after([](Program& p) { p.schedule.hvx_threads = 1 << 30; }), "schedule-threads");
}

TEST(Verify, TilesCoverEachOutputOnce) {
  const auto message = [](const std::function<void(Program&)>& change) {
    Program program = sample_8bit();
    program.schedule.blocks.clear();
    change(program);
    const Status status = verify_schedule(program);
    return status ? "fine" : status.error().message;
  };
  // Missing, cut short, and covered twice; the message names the first element that is wrong.
  EXPECT_THAT(message([](Program& p) {
                p.schedule.tasks.erase(p.schedule.tasks.begin() + 5);
                p.schedule.tasks[5].after = {4};
              }),
              HasSubstr("element [0, 2, 0, 0] of its output 'y' is computed by 0 tasks"));
  EXPECT_THAT(message([](Program& p) { p.schedule.tasks[2].box.end[2] = 3; }),
              HasSubstr("element [0, 0, 3, 0] of its output 'c' is computed by 0 tasks"));
  EXPECT_THAT(message([](Program& p) { p.schedule.tasks[3].box.begin[1] = 1; }),
              HasSubstr("element [0, 1, 0, 0] of its output 'c' is computed by 2 tasks"));
  EXPECT_THAT(message([](Program& p) { p.schedule.tasks.clear(); }), HasSubstr("computed by 0 tasks"));
}

TEST(Verify, Blocks) {
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].offset = 8100; }), "schedule-vtcm");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].bytes = UINT64_MAX; }), "schedule-vtcm");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].bytes = 0; }), "schedule-vtcm");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].users = {}; }), "schedule-users");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].users = {6, 5}; }), "schedule-users");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].users = {6}; }), "schedule-users");  // only a store
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].users = {2, 3}; }), "schedule-users");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].users = {0, 2, 4}; }), "schedule-users");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].users = {0, 9}; }), "schedule-index");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].tensor = 9; }), "schedule-index");
}

TEST(Verify, OnlyStreamedBlocksAreSmallerThanTheirBox) {
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].bytes = 127; }), "schedule-vtcm");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[1].bytes = 1023; }), "schedule-vtcm");  // packed
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[3].bytes = 127; }), "schedule-vtcm");
  const auto streams = [](const std::function<void(Program&)>& change) {
    return after(change, sample_outputs());
  };
  EXPECT_EQ(streams([](Program& p) { p.schedule.blocks[0].streamed = false; }), "schedule-vtcm");
  EXPECT_EQ(streams([](Program& p) { p.schedule.blocks[0].bytes = 1; }), "fine");
  EXPECT_EQ(streams([](Program& p) { p.schedule.blocks[0].bytes = 0; }), "schedule-vtcm");
  EXPECT_EQ(streams([](Program& p) { p.schedule.blocks[2].bytes = 31; }), "schedule-vtcm");
}

TEST(Verify, WhatIsStreamedServesOneTask) {
  // A second tile reads x, which has passed; the weights have two readers, too.
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].streamed = true; }), "schedule-stream");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[1].streamed = true; }), "schedule-stream");
  // A result that is read from VTCM, and one that is not stored.
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[2].streamed = true; }), "schedule-stream");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[2].streamed = true; }, sample_outputs()),
            "schedule-stream");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[0].users = {0}; }, sample_outputs()), "schedule-stream");
}

TEST(Verify, BlocksThatShareBytesAreOrdered) {
  // y's first tile replaces x: task 4 must wait for both readers of x.
  EXPECT_EQ(after([](Program& p) { p.schedule.tasks[4].after = {2}; }), "schedule-vtcm-overlap");
  // Its second tile may not, as task 5 waits only for task 3.
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[5].offset = 0; }), "schedule-vtcm-overlap");
  // Both tiles of c at one place: no order at all.
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[3].offset = 2048 + 127; }), "schedule-vtcm-overlap");
  EXPECT_EQ(after([](Program& p) { p.schedule.blocks[3].offset = 2048 + 128; }), "fine");
  // A chain is as good as a direct dependency.
  EXPECT_EQ(after([](Program& p) {
              p.schedule.tasks[3].after = {0, 1, 2};
              p.schedule.tasks[4].after = {3};
            }),
            "fine");
}

// Blocks are filled, and filled again after a web of `links` dependencies per task, which the proof
// has to go through for each of them: only its first task waits for those that filled them before.
Program webbed(uint32_t blocks, uint32_t web, uint32_t links) {
  Program program = sample_8bit();
  Schedule& schedule = program.schedule;
  schedule.vtcm_bytes = kMiB;
  schedule.blocks.clear();
  const Task load = schedule.tasks[0];
  const auto add = [&](std::vector<uint32_t> after) {
    schedule.tasks.push_back(load);
    schedule.tasks.back().after = std::move(after);
    return static_cast<uint32_t>(schedule.tasks.size() - 1);
  };
  const auto fill = [&](const std::vector<uint32_t>& after) {
    for (uint32_t i = 0; i < blocks; ++i)
      schedule.blocks.push_back({0, load.box, i * load.bytes, load.bytes, {add(after)}});
  };
  fill({});
  std::vector<uint32_t> filled;
  for (const VtcmBlock& block : schedule.blocks) filled.push_back(block.users[0]);
  const uint32_t first = add(filled);
  for (uint32_t i = 1; i < web; ++i) {
    std::vector<uint32_t> after;
    for (uint32_t link = std::min(i, links); link > 0; --link) after.push_back(first + i - link);
    add(std::move(after));
  }
  fill({first + web - 1});
  return program;
}

TEST(Verify, WhatIsTooTangledIsRefusedSoon) {
  EXPECT_EQ(verdict(webbed(100, 3, 2)), "fine");
  EXPECT_EQ(verdict(webbed(2000, 200, 100)), "schedule-too-tangled");
}

// ---- The cover proof against counting

std::optional<int64_t> first_fault_by_counting(const ir::Shape& shape, const std::vector<ir::Box>& boxes,
                                               ir::Shape& index) {
  std::optional<int64_t> fault;
  ir::for_each_index(ir::Box::whole(shape), [&](const ir::Shape& at) {
    int64_t count = 0;
    for (const ir::Box& box : boxes) {
      bool inside = true;
      for (size_t i = 0; i < at.rank(); ++i) inside = inside && box.begin[i] <= at[i] && at[i] < box.end[i];
      count += inside ? 1 : 0;
    }
    if (count == 1 || fault) return;
    fault = count;
    index = at;
  });
  return fault;
}

// Cuts a box at random places into parts.
void cut(const ir::Box& box, int depth, std::mt19937& random, std::vector<ir::Box>& parts) {
  const size_t axis = random() % box.rank();
  if (depth == 0 || box.extent(axis) < 2) {
    parts.push_back(box);
    return;
  }
  const uint32_t at = box.begin[axis] + 1 + random() % (box.extent(axis) - 1);
  ir::Box low = box;
  ir::Box high = box;
  low.end[axis] = at;
  high.begin[axis] = at;
  cut(low, depth - 1, random, parts);
  cut(high, depth - 1, random, parts);
}

TEST(Cover, AgreesWithCounting) {
  std::mt19937 random(1);
  int faults = 0;
  for (int round = 0; round < 2000; ++round) {
    const ir::Shape shape = round % 2 ? ir::Shape{3, 5, 4} : ir::Shape{6, 7};
    std::vector<ir::Box> boxes;
    cut(ir::Box::whole(shape), 4, random, boxes);
    std::ranges::shuffle(boxes, random);
    if (round % 3 == 1) {  // move one side of one box by one
      ir::Box& box = boxes[random() % boxes.size()];
      const size_t axis = random() % shape.rank();
      if (box.end[axis] < shape[axis])
        ++box.end[axis];
      else if (box.begin[axis] + 1 < box.end[axis])
        --box.end[axis];
    }
    if (round % 3 == 2) boxes[random() % boxes.size()] = boxes[random() % boxes.size()];

    ir::Shape index;
    const std::optional<int64_t> expected = first_fault_by_counting(shape, boxes, index);
    std::vector<const ir::Box*> pointers;
    for (const ir::Box& box : boxes) pointers.push_back(&box);
    const std::optional<CoverFault> fault = find_cover_fault(shape, pointers);
    ASSERT_EQ(fault.has_value(), expected.has_value());
    if (!fault) continue;
    ++faults;
    EXPECT_EQ(fault->index, index);
    EXPECT_EQ(fault->boxes, *expected);
  }
  EXPECT_GT(faults, 500);
}

TEST(Cover, ScalarsAndPinwheels) {
  const ir::Box scalar;
  const ir::Box* one[] = {&scalar, &scalar};
  EXPECT_FALSE(find_cover_fault({}, std::span(one, 1)));
  EXPECT_TRUE(find_cover_fault({}, std::span(one, 2)));
  EXPECT_TRUE(find_cover_fault({}, {}));
  // No straight cut divides these five.
  const ir::Box pinwheel[] = {
      {{0, 0}, {1, 2}}, {{0, 2}, {2, 3}}, {{2, 1}, {3, 3}}, {{1, 0}, {3, 1}}, {{1, 1}, {2, 2}}};
  std::vector<const ir::Box*> pointers;
  for (const ir::Box& box : pinwheel) pointers.push_back(&box);
  EXPECT_FALSE(find_cover_fault({3, 3}, pointers));
  pointers.pop_back();
  const auto fault = find_cover_fault({3, 3}, pointers);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->index, (ir::Shape{1, 1}));
  EXPECT_EQ(fault->boxes, 0);
}

// A long schedule as prepare makes them: tiles that take turns in a few VTCM slots.
TEST(Verify, AHundredThousandTilesTakeNoTimeToSpeakOf) {
  constexpr uint32_t kRows = 400;
  constexpr uint32_t kColumns = 250;
  Program program = sample_half();
  for (Tensor& tensor : program.tensors) tensor.desc.shape = {kRows, kColumns};
  Schedule& schedule = program.schedule;
  schedule.tasks.clear();
  schedule.vtcm_bytes = 16 * 128;
  for (uint32_t op = 0; op < 2; ++op)
    for (uint32_t i = 0; i < kRows * kColumns / 2; ++i) {
      const auto task = static_cast<uint32_t>(schedule.tasks.size());
      const uint32_t row = i / (kColumns / 2);
      const uint32_t column = i % (kColumns / 2) * 2;
      const ir::Box box{{row, column}, {row + 1, column + 2}};
      schedule.tasks.push_back({TaskKind::kCompute, soc::Unit::kHvx, op, 2 + op, box, 0, {}, {}});
      if (task >= 16) schedule.tasks.back().after = {task - 16};
      schedule.blocks.push_back({2 + op, box, task % 16 * 128, 128, {task}});
    }
  const auto start = std::chrono::steady_clock::now();
  const Status status = verify_schedule(program);
  EXPECT_TRUE(status) << status.error().to_string();
  // It takes 0.2 s; the bound is for builds without optimisation on busy machines. Comparing all pairs takes
  // minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  schedule.tasks[70000].after.clear();
  EXPECT_EQ(verify_schedule(program).error().code, "schedule-vtcm-overlap");
}

}  // namespace
}  // namespace openqnn::program
