// SPDX-License-Identifier: BSD-3-Clause
#include "program/memory_needs.h"

#include <gtest/gtest.h>

#include "program/context_binary.h"

namespace openqnn::program {
namespace {

// Weights, a bias, an input that is computed in half and an output in the client's buffer.
Program graph_of(std::string name) {
  Program program;
  program.graph = std::move(name);
  program.schedule.vtcm_bytes = 5 * kMiB / 2;
  const auto add = [&](ir::TensorRole role, Storage storage, uint64_t offset, uint64_t bytes) {
    Tensor& tensor = program.tensors.emplace_back();
    tensor.role = role;
    tensor.storage = storage;
    tensor.offset = offset;
    tensor.bytes = bytes;
    tensor.desc = {ir::DataType::kFloat16, {1, 32}};
    tensor.client_type = ir::DataType::kFloat32;
  };
  add(ir::TensorRole::kStatic, Storage::kConstant, 0, 1024);
  add(ir::TensorRole::kStatic, Storage::kConstant, 1024, 64);
  add(ir::TensorRole::kStatic, Storage::kConstant, 1024, 64);  // the same bytes under another name
  add(ir::TensorRole::kInput, Storage::kArena, 0, 64);
  add(ir::TensorRole::kOutput, Storage::kClient, 0, 64);
  add(ir::TensorRole::kNative, Storage::kArena, 64, 192);
  return program;
}

ProgramSet set_of(std::vector<Program> programs) {
  ProgramSet set;
  for (Program& program : programs)
    set.programs.push_back(std::make_shared<const Program>(std::move(program)));
  const auto constants = std::make_shared<const std::vector<std::byte>>(3 * kMiB + 5);
  set.constants = *constants;
  set.owner = constants;
  return set;
}

TEST(MemoryNeeds, TheSizeOfABinaryIsKnownWithoutWritingIt) {
  for (const ProgramSet& set :
       {set_of({}), set_of({graph_of("a")}), set_of({graph_of("a"), graph_of("second")})})
    EXPECT_EQ(context_binary_bytes(set), write_context_binary(set).size());
  EXPECT_EQ(context_binary_bytes({}), write_context_binary({}).size());
}

TEST(MemoryNeeds, EachCoreHasItsVtcm) {
  Program two = graph_of("a");
  two.schedule.cores = 2;
  EXPECT_EQ(memory_needs(set_of({two}))[0].vtcm, 5 * kMiB);
}

TEST(MemoryNeeds, PartsAreWhatTheProgramHas) {
  const ProgramSet set = set_of({graph_of("a")});
  const MemoryNeeds needs = memory_needs(set)[0];
  EXPECT_EQ(needs.io_tensors, 2 * 32 * sizeof(float));
  EXPECT_EQ(needs.ddr_tensors, 64U);
  EXPECT_EQ(needs.constants, 1024U + 64U);
  EXPECT_EQ(needs.op_data, program_bytes(*set.programs[0]));
  EXPECT_EQ(needs.spill_fill, 0U) << "nothing leaves VTCM";
  EXPECT_EQ(needs.vtcm, 3 * kMiB) << "told in whole megabytes";
  EXPECT_EQ(needs.shared_weights, 0U);
  EXPECT_EQ(peak_memory_bytes(needs), needs.sum());
}

TEST(MemoryNeeds, WhatIsStoredBetweenOpsIsSpilled) {
  Program program = graph_of("a");
  Task& store = program.schedule.tasks.emplace_back();
  store.kind = TaskKind::kStore;
  store.tensor = 5;
  EXPECT_EQ(memory_needs(set_of({program}))[0].spill_fill, 64U + 192U);
}

TEST(MemoryNeeds, SharedWeightsCountOnce) {
  Program second = graph_of("second");
  for (const size_t bias : {1, 2}) second.tensors[bias].offset = 2048;
  for (const MemoryNeeds& needs : memory_needs(set_of({graph_of("first"), second}))) {
    EXPECT_EQ(needs.shared_weights, 1024U);
    EXPECT_EQ(needs.constants, 64U);
    EXPECT_EQ(peak_memory_bytes(needs), needs.sum() + 1024U);
  }
}

}  // namespace
}  // namespace openqnn::program
