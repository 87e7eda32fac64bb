// SPDX-License-Identifier: BSD-3-Clause
// The context binary: round trips, damage, versions.
#include "program/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/container.h"
#include "program/context_binary.h"
#include "program/describe.h"
#include "program/sample_programs.h"

namespace openqnn::program {
namespace {

using testing::HasSubstr;

// A copy at an address that read_context_binary accepts.
class Aligned {
 public:
  explicit Aligned(std::span<const std::byte> bytes) : copy_(aligned_copy(bytes).value()) {}
  std::span<std::byte> bytes() {
    return {const_cast<std::byte*>(copy_.bytes.data()), copy_.bytes.size()};  // it is our own memory
  }
  Result<ProgramSet> read(DataCheck check) const {
    return read_context_binary(copy_.bytes, copy_.owner, check);
  }

 private:
  OwnedBytes copy_;
};

std::vector<std::byte> sample_bytes() { return write_context_binary(sample_set()); }

Result<ProgramSet> read(std::span<const std::byte> bytes, DataCheck check = DataCheck::kNow) {
  return Aligned(bytes).read(check);
}

std::string error_of(std::span<const std::byte> bytes, DataCheck check = DataCheck::kNow) {
  const Result<ProgramSet> set = read(bytes, check);
  return set ? "" : set.error().to_string();
}

std::string error_of_text(std::string_view text) {
  return error_of(std::as_bytes(std::span(text.data(), text.size())));
}

std::string failure_after(const std::function<void(std::span<std::byte>)>& change, bool sealed) {
  Aligned file(sample_bytes());
  change(file.bytes());
  if (sealed) seal(file.bytes());
  const Result<ProgramSet> set = file.read(DataCheck::kNow);
  return set ? "" : set.error().to_string();
}

template <class T>
void put(std::span<std::byte> bytes, size_t at, T value) {
  store_little_endian(bytes.data() + at, value);
}

uint64_t data_offset(std::span<const std::byte> bytes) { return outline(bytes)->sections.back().offset; }

// ---- Round trips ----

void expect_equal(const ir::TensorDesc& a, const ir::TensorDesc& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.quantization, b.quantization);
  EXPECT_EQ(a.layout, b.layout);
  EXPECT_EQ(a.is_static, b.is_static);
  EXPECT_EQ(a.sparsity, b.sparsity);
}

void expect_equal(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.role, b.role);
  expect_equal(a.desc, b.desc);
  EXPECT_EQ(a.client_type, b.client_type);
  EXPECT_EQ(a.storage, b.storage);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.updateable, b.updateable);
  EXPECT_EQ(a.client_memory, b.client_memory);
}

void expect_equal(const Op& a, const Op& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.source_nodes, b.source_nodes);
  ASSERT_EQ(a.params.all().size(), b.params.all().size());
  for (size_t i = 0; i < a.params.all().size(); ++i) {
    EXPECT_EQ(a.params.all()[i].name, b.params.all()[i].name);
    EXPECT_EQ(a.params.all()[i].type, b.params.all()[i].type);
    EXPECT_EQ(a.params.all()[i].shape, b.params.all()[i].shape);
    EXPECT_EQ(a.params.all()[i].data, b.params.all()[i].data);
  }
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.epilogue.activation, b.epilogue.activation);
  EXPECT_EQ(a.epilogue.low, b.epilogue.low);
  EXPECT_EQ(a.epilogue.high, b.epilogue.high);
  EXPECT_EQ(a.off_hmx, b.off_hmx);
}

void expect_equal(const Task& a, const Task& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.op, b.op);
  EXPECT_EQ(a.tensor, b.tensor);
  EXPECT_EQ(a.box, b.box);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.work.unit, b.work.unit);
  EXPECT_EQ(a.work.macs, b.work.macs);
  EXPECT_EQ(a.work.arithmetic, b.work.arithmetic);
  EXPECT_EQ(a.work.vectors, b.work.vectors);
  EXPECT_EQ(a.launches, b.launches);
  EXPECT_EQ(a.saved_bytes, b.saved_bytes);
  EXPECT_EQ(a.in_slc, b.in_slc);
  EXPECT_EQ(a.core, b.core);
  EXPECT_EQ(a.work.vector_ops, b.work.vector_ops);
  EXPECT_EQ(a.work.vtcm_bytes, b.work.vtcm_bytes);
  EXPECT_EQ(a.after, b.after);
}

void expect_equal(const VtcmBlock& a, const VtcmBlock& b) {
  EXPECT_EQ(a.tensor, b.tensor);
  EXPECT_EQ(a.box, b.box);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.users, b.users);
  EXPECT_EQ(a.streamed, b.streamed);
  EXPECT_EQ(a.core, b.core);
}

template <class T>
void expect_equal(const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) expect_equal(a[i], b[i]);
}

void expect_equal(const Program& a, const Program& b) {
  EXPECT_EQ(a.graph, b.graph);
  EXPECT_EQ(a.soc, b.soc);
  EXPECT_EQ(a.soc_model, b.soc_model);
  EXPECT_EQ(a.arch, b.arch);
  EXPECT_EQ(a.optimization, b.optimization);
  EXPECT_EQ(a.half_accumulation, b.half_accumulation);
  EXPECT_EQ(a.fast_sigmoid, b.fast_sigmoid);
  EXPECT_EQ(a.source_nodes, b.source_nodes);
  EXPECT_EQ(a.framework_nodes, b.framework_nodes);
  expect_equal(a.tensors, b.tensors);
  expect_equal(a.ops, b.ops);
  EXPECT_EQ(a.arena_bytes, b.arena_bytes);
  EXPECT_EQ(a.schedule.vtcm_bytes, b.schedule.vtcm_bytes);
  EXPECT_EQ(a.schedule.hvx_threads, b.schedule.hvx_threads);
  expect_equal(a.schedule.tasks, b.schedule.tasks);
  expect_equal(a.schedule.blocks, b.schedule.blocks);
  EXPECT_EQ(a.schedule.cores, b.schedule.cores);
  EXPECT_EQ(a.bandwidth, b.bandwidth);
}

TEST(ContextBinary, KeepsEverything) {
  const ProgramSet set = sample_set();
  const Aligned file(write_context_binary(set));
  for (const DataCheck check : {DataCheck::kNow, DataCheck::kDeferred, DataCheck::kUnused}) {
    const Result<ProgramSet> back = file.read(check);
    ASSERT_TRUE(back) << back.error().to_string();
    ASSERT_EQ(back->programs.size(), set.programs.size());
    for (size_t i = 0; i < set.programs.size(); ++i) expect_equal(*back->programs[i], *set.programs[i]);
    const std::span<const std::byte> expected =
        check == DataCheck::kUnused ? std::span<const std::byte>() : set.constants;
    EXPECT_TRUE(std::ranges::equal(back->constants, expected));
    EXPECT_NE(back->owner, nullptr);
  }
}

TEST(ContextBinary, SameSetSameBytes) {
  const std::vector<std::byte> bytes = sample_bytes();
  EXPECT_EQ(bytes, sample_bytes());
  const Aligned file(bytes);
  EXPECT_EQ(write_context_binary(*file.read(DataCheck::kNow)), bytes);
}

TEST(ContextBinary, ReadsTheDataInPlace) {
  const OwnedBytes file = *aligned_copy(sample_bytes());
  const Result<ProgramSet> set = read_context_binary(file.bytes, file.owner, DataCheck::kDeferred);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->constants.data(), file.bytes.data() + data_offset(file.bytes));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(set->constants.data()) % kTensorAlignment, 0);
  EXPECT_EQ(set->owner, file.owner);
}

TEST(ContextBinary, AnEmptySetIsAFile) {
  const Result<ProgramSet> set = read(write_context_binary({}));
  ASSERT_TRUE(set) << set.error().to_string();
  EXPECT_TRUE(set->programs.empty());
  EXPECT_TRUE(set->constants.empty());
}

// feature: C1 (inside)
TEST(ContextBinary, Outline) {
  const std::vector<std::byte> bytes = sample_bytes();
  const Result<BinaryOutline> table = outline(bytes);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->format_major, kFormatMajor);
  EXPECT_EQ(table->format_minor, kFormatMinor);
  EXPECT_FALSE(table->producer.empty());
  std::vector<std::string> names;
  for (const SectionInfo& row : table->sections) names.push_back(row.name);
  EXPECT_THAT(names, testing::ElementsAre("set", "program 0", "program 1", "program 2", "program 3",
                                          "data checksums", "data"));
  EXPECT_EQ(table->sections.back().offset % 4096, 0);
  EXPECT_EQ(table->sections.back().bytes, 4096);
  EXPECT_EQ(table->sections.back().offset + table->sections.back().bytes, bytes.size());
}

// A client's buffer may lie anywhere: then a copy is asked for in words, not made in silence.
TEST(ContextBinary, Alignment) {
  const std::vector<std::byte> bytes = sample_bytes();
  Aligned larger(std::vector<std::byte>(bytes.size() + 1));
  std::ranges::copy(bytes, larger.bytes().begin() + 1);
  const std::span<const std::byte> shifted = larger.bytes().subspan(1);
  EXPECT_TRUE(data_is_aligned(larger.bytes()));
  EXPECT_FALSE(data_is_aligned(shifted));
  EXPECT_EQ(read_context_binary(shifted, nullptr, DataCheck::kNow).error().code, "context-alignment");
  EXPECT_EQ(read_context_binary(shifted, nullptr, DataCheck::kDeferred).error().code, "context-alignment");
  EXPECT_TRUE(read_context_binary(shifted, nullptr, DataCheck::kUnused));
  EXPECT_TRUE(verify_data(shifted));
  EXPECT_TRUE(outline(shifted));
  EXPECT_TRUE(read(shifted));  // copies
}

// ---- Damage ----

TEST(ContextBinary, EveryTruncationIsAnErrorWithAPlace) {
  const std::vector<std::byte> bytes = sample_bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string error = error_of(std::span(bytes).first(size), DataCheck::kDeferred);
    ASSERT_NE(error, "") << size;
    if (size == 0) continue;
    EXPECT_THAT(error, HasSubstr("offset " + std::to_string(size) + ","));
    const bool names_a_place =
        error.find("header") != std::string::npos || error.find("section") != std::string::npos;
    EXPECT_TRUE(names_a_place) << error;
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_THAT(error_of(longer), HasSubstr("context-damaged"));
}

TEST(ContextBinary, EveryFlippedByteIsFound) {
  const std::vector<std::byte> bytes = sample_bytes();
  const uint64_t data = data_offset(bytes);
  Aligned file(bytes);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (const int mask : {1 << at % 8, 0xFF}) {
      file.bytes()[at] ^= static_cast<std::byte>(mask);
      EXPECT_FALSE(verify_data(file.bytes())) << at;
      if (at < data) {
        EXPECT_FALSE(file.read(DataCheck::kDeferred)) << at;
      }
      // All Programs are read again here, so not for every byte.
      if (at >= data && at % 64 == 0) {
        EXPECT_TRUE(file.read(DataCheck::kDeferred)) << at;
        EXPECT_FALSE(file.read(DataCheck::kNow)) << at;
      }
      file.bytes()[at] ^= static_cast<std::byte>(mask);
    }
  EXPECT_TRUE(file.read(DataCheck::kNow));
}

TEST(ContextBinary, DataOfManyChunks) {
  ProgramSet set = sample_set();
  std::vector<std::byte> constants(2 * kDataChunk + 5000, std::byte{3});
  set.constants = constants;
  const std::vector<std::byte> bytes = write_context_binary(set);
  const uint64_t data = data_offset(bytes);
  ASSERT_TRUE(read(bytes));
  for (const uint64_t at : {uint64_t{0}, kDataChunk - 1, kDataChunk, 2 * kDataChunk, 2 * kDataChunk + 8000}) {
    Aligned file(bytes);
    file.bytes()[data + at] ^= std::byte{4};
    EXPECT_TRUE(file.read(DataCheck::kDeferred));
    const Status status = verify_data(file.bytes());
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message,
                HasSubstr("offsets " + std::to_string(data + at / kDataChunk * kDataChunk) + " to "));
  }
}

// Behind the checksums: whatever a hostile writer puts there, reading ends in an error or a verified set.
TEST(ContextBinary, EveryFlippedByteBehindTheChecksumsIsHandled) {
  const std::vector<std::byte> bytes = sample_bytes();
  Aligned file(bytes);
  size_t refused = 0;
  const uint64_t metadata = data_offset(bytes);
  for (size_t at = 0; at < metadata; ++at) {
    std::ranges::copy(bytes, file.bytes().begin());
    file.bytes()[at] ^= std::byte{0xFF};
    seal(file.bytes());
    refused += file.read(DataCheck::kNow) ? 0 : 1;
  }
  EXPECT_GT(refused, 500);  // names and amounts of work may change, structure may not
}

TEST(ContextBinary, AHostileCountAllocatesNothing) {
  // The first count of a Program: the length of its name. The next: its list of source nodes.
  const uint64_t program = outline(sample_bytes())->sections[1].offset;
  EXPECT_THAT(failure_after([&](auto file) { put<uint32_t>(file, program, 0xFFFFFFFF); }, true),
              HasSubstr("a text of 4294967295 bytes"));
  const uint64_t nodes = program + (4 + 5) + (4 + 6) + 4 + 4 + 4 + 1 + 1;
  EXPECT_THAT(failure_after([&](auto file) { put<uint32_t>(file, nodes, 0x10000000); }, true),
              HasSubstr("a list of 268435456 elements does not fit"));
  // And of the table.
  EXPECT_THAT(failure_after([](auto file) { put<uint32_t>(file, 24, 0xFFFFFFFF); }, false),
              HasSubstr("the header counts 4294967295 sections"));
}

TEST(ContextBinary, TheTableIsBelievedOnlyWhereItFits) {
  constexpr size_t kProgram1 = kHeaderBytes + 2 * kEntryBytes;
  const auto change = [](size_t at, auto value) {
    return failure_after([=](auto file) { put(file, at, value); }, true);
  };
  EXPECT_THAT(change(kProgram1 + 4, uint32_t{7}),
              HasSubstr("section 'program 7' is there twice or out of order"));
  EXPECT_THAT(change(kProgram1, uint32_t{1}), HasSubstr("is there twice or out of order"));
  EXPECT_THAT(change(kProgram1 + 16, uint64_t{8}), HasSubstr("does not fit behind"));
  EXPECT_THAT(change(kProgram1 + 16, UINT64_MAX), HasSubstr("does not fit behind"));
  EXPECT_THAT(change(kProgram1 + 24, UINT64_MAX), HasSubstr("does not fit behind"));
  EXPECT_THAT(change(16, uint64_t{100}), HasSubstr("in a file of 100 bytes"));
  EXPECT_THAT(change(28, uint32_t{1}), HasSubstr("reserved"));
  EXPECT_THAT(change(kProgram1 + 8, uint32_t{3}), HasSubstr("flags"));
}

TEST(ContextBinary, GraphNamesAreUnique) {
  ProgramSet set = sample_set();
  set.programs[1] = set.programs[0];
  EXPECT_THAT(error_of(write_context_binary(set)), HasSubstr("two programs are for graph 'first'"));
}

TEST(ContextBinary, ProgramsAreVerified) {
  ProgramSet set = sample_set();
  Program bad = sample_8bit();
  bad.ops[0].inputs[0] = 99;
  set.programs[0] = std::make_shared<Program>(bad);
  const Result<ProgramSet> ops = read(write_context_binary(set));
  ASSERT_FALSE(ops);
  EXPECT_EQ(ops.error().code, "program-index");
  EXPECT_EQ(ops.error().failure, Failure::kCorrupt);
  EXPECT_THAT(ops.error().to_string(), HasSubstr("in section 'program 0'"));

  bad = sample_8bit();
  bad.schedule.tasks[4].after = {2};
  set.programs[0] = std::make_shared<Program>(bad);
  EXPECT_EQ(read(write_context_binary(set)).error().code, "schedule-vtcm-overlap");

  bad = sample_8bit();
  bad.ops[1].type = "OpOfTheFuture";
  set.programs[0] = std::make_shared<Program>(bad);
  const Result<ProgramSet> future = read(write_context_binary(set));
  EXPECT_EQ(future.error().failure, Failure::kUnsupported);
  EXPECT_THAT(future.error().to_string(), HasSubstr("update openqnn"));
}

// ---- Versions and other files ----

// feature: C1 (inside)
TEST(ContextBinary, Versions) {
  const auto with = [](uint32_t major, uint32_t minor) {
    return failure_after(
        [=](auto file) {
          put(file, 8, major);
          put(file, 12, minor);
        },
        true);
  };
  EXPECT_EQ(with(kFormatMajor, kFormatMinor), "");
  EXPECT_EQ(with(kFormatMajor, kFormatMinor + 1), "");
  EXPECT_THAT(with(kFormatMajor + 1, 0), HasSubstr("update openqnn"));
  EXPECT_THAT(with(kFormatMajor + 1, 0),
              HasSubstr(concat("has format ", kFormatMajor + 1, ".0 (written by openqnn ")));
  EXPECT_THAT(with(0, 9), HasSubstr("prepare the model again"));
}

// A later minor version adds sections: passed over, unless their writer calls them required.
TEST(ContextBinary, UnknownSections) {
  const std::vector<std::byte> bytes = sample_bytes();
  const Container old = *open_container(bytes);
  std::vector<Contents> contents;
  const std::vector<std::byte> extra(24, std::byte{5});
  for (const Section& section : old.sections) {
    if (section.kind == SectionKind::kDataChecksums) break;
    contents.push_back({section.kind, section.index, old.contents(section)});
  }
  contents.push_back({static_cast<SectionKind>(99), 0, extra});
  Aligned file(build_container(contents, sample_set().constants));
  EXPECT_THAT(file.read(DataCheck::kNow).error().to_string(), HasSubstr("a section of kind 99"));

  const size_t added = contents.size() - 1;
  put<uint32_t>(file.bytes(), kHeaderBytes + added * kEntryBytes + 8, 0);  // flags: not required
  seal(file.bytes());
  const Result<ProgramSet> set = file.read(DataCheck::kNow);
  ASSERT_TRUE(set) << set.error().to_string();
  EXPECT_EQ(set->programs.size(), sample_set().programs.size());
  EXPECT_EQ(outline(file.bytes())->sections.at(added).name, "kind 99");
}

TEST(ContextBinary, OtherFilesAreNamed) {
  EXPECT_THAT(error_of_text(""), HasSubstr("empty"));
  EXPECT_THAT(error_of_text("PK\3\4abcdefgh"), HasSubstr("looks like a zip archive (a DLC"));
  EXPECT_THAT(error_of_text("\177ELF\2\1\1"), HasSubstr("an ELF file"));
  EXPECT_THAT(error_of_text(std::string_view("\34\0\0\0TFL3", 8)), HasSubstr("TensorFlow Lite"));
  EXPECT_THAT(error_of_text("{\"backend\": 1}"), HasSubstr("JSON"));
  EXPECT_THAT(error_of_text("OQNNCTX\r\n\1\2\3\4"), HasSubstr("copied as text"));
  EXPECT_THAT(error_of_text("something else entirely"),
              HasSubstr("context binaries of the vendor's tools cannot"));
  EXPECT_THAT(error_of_text("x"), HasSubstr("not an openqnn context binary"));
  EXPECT_THAT(error_of_text("OQNN"), HasSubstr("before the end of its header"));
}

// ---- Inputs for the fuzzer ----

void save(const char* folder, const std::string& name, std::span<const std::byte> bytes) {
  if (folder == nullptr) return;
  std::ofstream file(std::filesystem::path(folder) / name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(file.good()) << name;
}

// OPENQNN_CORPUS_OUT=<folder> writes them there; tests/corpus/context_binary holds those of this format.
TEST(ContextBinary, FuzzerInputs) {
  const char* folder = std::getenv("OPENQNN_CORPUS_OUT");
  const ProgramSet all = sample_set();
  ProgramSet first = all;
  first.programs.resize(1);
  const std::vector<std::pair<std::string, ProgramSet>> files = {
      {"empty.bin", {}}, {"conv_add_8bit.bin", first}, {"all_programs.bin", all}};
  for (const auto& [name, set] : files) {
    const std::vector<std::byte> bytes = write_context_binary(set);
    EXPECT_TRUE(read(bytes)) << name;
    save(folder, name, bytes);
  }
  for (size_t i = 0; i < all.programs.size(); ++i) {
    ByteWriter writer;
    writer(*all.programs[i]);
    save(folder, concat("program_", i, ".section"), writer.bytes());
  }
}

}  // namespace
}  // namespace openqnn::program
