// SPDX-License-Identifier: BSD-3-Clause
// Binary sections: what they carry, what is damaged, what they do not fit.
#include "program/update_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program/sample_programs.h"

namespace openqnn::program {
namespace {

using testing::HasSubstr;

ProgramSet base() {
  const ProgramSet all = sample_set();
  return {{std::make_shared<Program>(sample_updateable())}, all.constants, all.owner};
}

// The same with other bytes for the weights.
ProgramSet changed(const ProgramSet& set) {
  const Tensor& weights = set.programs[0]->tensors[set.programs[0]->ops[0].inputs[1]];
  auto constants = std::make_shared<std::vector<std::byte>>(set.constants.begin(), set.constants.end());
  for (uint64_t i = 0; i < weights.bytes; ++i) (*constants)[weights.offset + i] ^= std::byte{1};
  return {set.programs, *constants, constants};
}

std::vector<std::byte> section_of(const ProgramSet& set) {
  const uint64_t fixed = fixed_constants_checksum(set);
  return write_update_section({&set, 1}, {&fixed, 1});
}

Result<ProgramSet> apply(const ProgramSet& set, std::span<const std::byte> bytes, SectionCheck check) {
  OPENQNN_ASSIGN(const UpdateSection section, read_update_section(bytes, check));
  OPENQNN_ASSIGN(const OwnedBytes data, aligned_copy(section.data));
  if (section.graphs.size() != 1) return invalid("test", "not one graph");
  return apply_update(set, fixed_constants_checksum(set), section.graphs[0], data);
}

std::string error_of(const ProgramSet& set, std::span<const std::byte> bytes,
                     SectionCheck check = SectionCheck::kChecksum) {
  const Result<ProgramSet> applied = apply(set, bytes, check);
  return applied ? "" : applied.error().to_string();
}

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

TEST(UpdateSection, CarriesWhatUpdatesReachAndNothingElse) {
  const ProgramSet old_set = base();
  const ProgramSet new_set = changed(old_set);
  const std::vector<std::byte> bytes = section_of(new_set);
  EXPECT_EQ(bytes, section_of(new_set)) << "the same sets give the same bytes";
  const ProgramSet applied = apply(old_set, bytes, SectionCheck::kChecksum).value();
  EXPECT_TRUE(equal(applied.constants, old_set.constants)) << "the base stays as it is";
  const Program& program = *applied.programs[0];
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (program.tensors[i].storage != Storage::kConstant) continue;
    EXPECT_TRUE(
        equal(applied.bytes_of(program.tensors[i]), new_set.bytes_of(new_set.programs[0]->tensors[i])));
  }
  const Tensor& weights = program.tensors[program.ops[0].inputs[1]];
  EXPECT_GE(weights.offset, applied.newer_at());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(applied.bytes_of(weights).data()) % kTensorAlignment, 0U);
}

// A set with newer constants is written as one that never had any.
TEST(UpdateSection, AContextBinaryHoldsTheNewerConstants) {
  const ProgramSet old_set = base();
  const ProgramSet new_set = changed(old_set);
  const ProgramSet applied = apply(old_set, section_of(new_set), SectionCheck::kChecksum).value();
  const OwnedBytes file = aligned_copy(write_context_binary(applied)).value();
  const ProgramSet read = read_context_binary(file.bytes, file.owner, DataCheck::kNow).value();
  const ir::TensorIndex weights = read.programs[0]->ops[0].inputs[1];
  EXPECT_TRUE(equal(read.bytes_of(read.programs[0]->tensors[weights]),
                    new_set.bytes_of(new_set.programs[0]->tensors[weights])));
}

TEST(UpdateSection, EveryTruncationAndEveryFlippedByteIsFound) {
  const ProgramSet set = base();
  const std::vector<std::byte> bytes = section_of(set);
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(error_of(set, std::span(bytes).first(size)), "") << size;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> flipped = bytes;
    flipped[at] ^= std::byte{0x10};
    ASSERT_NE(error_of(set, flipped), "") << at;
  }
}

// Behind the checksum, a change is an error or harmless.
TEST(UpdateSection, EveryFlippedByteBehindTheChecksumIsHandled) {
  const ProgramSet set = base();
  const std::vector<std::byte> bytes = section_of(set);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (const std::byte change : {std::byte{1}, std::byte{0xFF}}) {
      std::vector<std::byte> flipped = bytes;
      flipped[at] ^= change;
      seal_update_section(flipped);
      const std::string sealed = error_of(set, flipped);
      EXPECT_EQ(sealed.empty(), error_of(set, flipped, SectionCheck::kNone).empty()) << at;
    }
}

TEST(UpdateSection, OtherBases) {
  const ProgramSet set = base();
  const std::vector<std::byte> bytes = section_of(set);
  auto renamed = std::make_shared<Program>(*set.programs[0]);
  renamed->graph = "another";
  EXPECT_THAT(error_of({{renamed}, set.constants, set.owner}, bytes), HasSubstr("another graph"));
  auto other_io = std::make_shared<Program>(*set.programs[0]);
  other_io->tensors[0].id = 99;
  EXPECT_THAT(error_of({{other_io}, set.constants, set.owner}, bytes), HasSubstr("another graph"));
  const GraphUpdate update = read_update_section(bytes, SectionCheck::kChecksum).value().graphs[0];
  const OwnedBytes none = aligned_copy({}).value();
  EXPECT_THAT(apply_update(set, update.fixed_constants + 1, update, none).error().to_string(),
              HasSubstr("other fixed weights"));
  EXPECT_THAT(apply_update(set, update.fixed_constants, update, none).error().to_string(),
              HasSubstr("does not lie in the section's data"));
}

// A constant whose fields are, byte by byte, those of the base's two outputs.
TEST(UpdateSection, AFixedConstantThatReadsAsOutputs) {
  using ir::DataType;
  Program base;
  base.tensors = {
      in_client("x", 8, ir::TensorRole::kOutput, {DataType::kUfixed8, {2, 3, 0x100}}),
      in_client("abcd\x01\x01Z", 9, ir::TensorRole::kOutput, {DataType::kUfixed8, {16}}),
  };
  const ir::Quantization quantization{
      ir::Quantization::Kind::kPerBlock, 2, 3, {}, {{std::bit_cast<float>(7), 0x64636261}}};
  GraphUpdate update;
  update.program.tensors = {
      {.name = "x",
       .desc = {DataType::kInt8, {0x0408}, quantization, ir::Layout::kHmx8, true, {0x095A, 0x04080100}},
       .storage = Storage::kConstant,
       .bytes = 0x10010000}};
  const OwnedBytes none = aligned_copy({}).value();
  EXPECT_THAT(
      apply_update({{std::make_shared<Program>(base)}, {}, nullptr}, 0, update, none).error().to_string(),
      HasSubstr("another graph"));
}

TEST(UpdateSection, OtherBytesAndVersions) {
  const ProgramSet set = base();
  const std::vector<std::byte> whole = write_context_binary(set);
  EXPECT_THAT(error_of(set, whole), HasSubstr("whole context binary"));
  EXPECT_THAT(error_of(set, std::vector<std::byte>(100)), HasSubstr("no binary section"));
  EXPECT_THAT(error_of(set, {}), HasSubstr("no binary section"));
  std::vector<std::byte> newer = section_of(set);
  newer[8] ^= std::byte{0x40};
  EXPECT_THAT(error_of(set, newer), HasSubstr("context-version"));
}

// Where OPENQNN_CORPUS_OUT names a folder (tests/corpus/update_section), the fuzzer's first inputs go there.
TEST(UpdateSection, FuzzerInputs) {
  const ProgramSet all = sample_set();
  for (const ProgramSet& set : {base(), ProgramSet{{all.programs[2]}, all.constants, all.owner}}) {
    const std::vector<std::byte> bytes = section_of(set);
    EXPECT_EQ(error_of(set, bytes), "");
    const char* folder = std::getenv("OPENQNN_CORPUS_OUT");
    if (!folder) continue;
    std::ofstream file(std::filesystem::path(folder) / (set.programs[0]->graph + ".bin"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
}

}  // namespace
}  // namespace openqnn::program
