// SPDX-License-Identifier: BSD-3-Clause
#include "program/context_binary.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/constant_pool.h"
#include "program/container.h"
#include "program/describe.h"
#include "program/verify.h"

namespace openqnn::program {
namespace {

// The section 'set': what concerns all Programs.
struct SetHeader {
  uint32_t programs = 0;
  uint64_t constants_bytes = 0;  // without the padding of the data section
};

template <class Archive>
void describe(Archive& archive, Field<Archive, SetHeader>& header) {
  auto& [programs, constants_bytes] = header;
  archive(programs, constants_bytes);
}

template <class T>
Status read_section(const Container& container, const Section& section, T& into) {
  ByteReader reader(container.contents(section), name_of(section), section.offset);
  reader(into);
  return reader.finish();
}

Result<SetHeader> read_set_header(const Container& container) {
  SetHeader header;
  OPENQNN_TRY(read_section(container, *container.find(SectionKind::kSet), header));
  const auto programs =
      static_cast<uint32_t>(std::ranges::count(container.sections, SectionKind::kProgram, &Section::kind));
  if (header.programs != programs)
    return corrupt("context-section",
                   concat("section 'set' counts ", header.programs, " programs, but there are ", programs));
  const uint64_t data_bytes = container.find(SectionKind::kData)->bytes;
  if (header.constants_bytes > data_bytes || data_bytes - header.constants_bytes >= kDataAlignment)
    return corrupt("context-section", concat("section 'set' counts ", header.constants_bytes,
                                             " bytes of constants, but section 'data' has ", data_bytes));
  return header;
}

// A Program that a verifier refuses is hostile or damaged here, unless a newer version may have made it.
Status as_corrupt(Status status, const Section& section) {
  if (status) return status;
  Diagnostic diagnostic = std::move(status).error();
  if (diagnostic.failure != Failure::kUnsupported) diagnostic.failure = Failure::kCorrupt;
  diagnostic.notes.push_back(
      concat("in section '", name_of(section), "' of a context binary, at file offset ", section.offset));
  return diagnostic;
}

Result<std::shared_ptr<const Program>> read_program(const Container& container, const Section& section,
                                                    uint64_t constants_bytes) {
  auto program = std::make_shared<Program>();
  OPENQNN_TRY(read_section(container, section, *program));
  OPENQNN_TRY(as_corrupt(verify_ops(*program, constants_bytes), section));
  OPENQNN_TRY(as_corrupt(verify_schedule(*program), section));
  return std::shared_ptr<const Program>(std::move(program));
}

Status check_data_of(const Container& container) {
  OPENQNN_ASSIGN(const SetHeader header, read_set_header(container));
  OPENQNN_TRY(check_data(container));
  const auto padding =
      container.contents(*container.find(SectionKind::kData)).subspan(header.constants_bytes);
  if (!all_zero(padding))
    return corrupt("context-damaged", "section 'data': the padding after the constants is not zero");
  return {};
}

}  // namespace

std::vector<std::byte> write_context_binary(const ProgramSet& set) {
  // A file has one data section.
  if (!set.newer.empty()) return write_context_binary(merge({&set, 1}, WeightSharing::kAsItIs));
  ByteWriter header;
  header(SetHeader{static_cast<uint32_t>(set.programs.size()), set.constants.size()});
  std::vector<ByteWriter> programs(set.programs.size());
  std::vector<Contents> contents = {{SectionKind::kSet, 0, header.bytes()}};
  for (size_t i = 0; i < set.programs.size(); ++i) {
    programs[i](*set.programs[i]);
    contents.push_back({SectionKind::kProgram, static_cast<uint32_t>(i), programs[i].bytes()});
  }
  return build_container(contents, set.constants);
}

uint64_t program_bytes(const Program& program) {
  ByteWriter bytes;
  bytes(program);
  return bytes.bytes().size();
}

uint64_t context_binary_bytes(const ProgramSet& set) {
  if (!set.newer.empty()) return context_binary_bytes(merge({&set, 1}, WeightSharing::kAsItIs));
  ByteWriter header;
  header(SetHeader{static_cast<uint32_t>(set.programs.size()), set.constants.size()});
  std::vector<uint64_t> sections = {header.bytes().size()};
  for (const auto& program : set.programs) sections.push_back(program_bytes(*program));
  return container_bytes(sections, set.constants.size());
}

Result<ProgramSet> read_context_binary(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                       DataCheck check) {
  OPENQNN_ASSIGN(const Container container, open_container(bytes));
  OPENQNN_ASSIGN(const SetHeader header, read_set_header(container));
  if (check != DataCheck::kUnused && !data_is_aligned(bytes))
    return invalid("context-alignment",
                   concat("the context binary does not lie at a multiple of ", kTensorAlignment,
                          " bytes in memory, so its constants do not either"))
        .fix_by("map the file, or pass an aligned copy");

  ProgramSet set;
  std::unordered_set<std::string_view> graphs;
  for (const Section& section : container.sections) {
    if (section.kind != SectionKind::kProgram) continue;
    OPENQNN_ASSIGN(auto program, read_program(container, section, header.constants_bytes));
    if (!graphs.insert(program->graph).second)
      return corrupt("context-graph-twice", concat("two programs are for graph '", program->graph, "'"));
    set.programs.push_back(std::move(program));
  }
  if (check == DataCheck::kNow) OPENQNN_TRY(check_data_of(container));
  if (check != DataCheck::kUnused)
    set.constants = container.contents(*container.find(SectionKind::kData)).first(header.constants_bytes);
  set.owner = std::move(owner);
  return set;
}

bool data_is_aligned(std::span<const std::byte> bytes) {
  static_assert(kDataAlignment % kTensorAlignment == 0);  // so the file's own address decides
  return reinterpret_cast<uintptr_t>(bytes.data()) % kTensorAlignment == 0;
}

Result<OwnedBytes> aligned_copy(std::span<const std::byte> bytes) {
  void* memory =
      std::aligned_alloc(kTensorAlignment, round_up(std::max<uint64_t>(bytes.size(), 1), kTensorAlignment));
  if (memory == nullptr)
    return exhausted("context-memory", concat("there is no memory for a copy of ", bytes.size(), " bytes"));
  std::shared_ptr<const void> owner(memory, [](void* allocated) { std::free(allocated); });
  if (!bytes.empty()) std::memcpy(memory, bytes.data(), bytes.size());
  return OwnedBytes{{static_cast<const std::byte*>(memory), bytes.size()}, std::move(owner)};
}

Status verify_data(std::span<const std::byte> bytes) {
  OPENQNN_ASSIGN(const Container container, open_container(bytes));
  return check_data_of(container);
}

Result<BinaryOutline> outline(std::span<const std::byte> bytes) {
  OPENQNN_ASSIGN(const Container container, open_container(bytes));
  BinaryOutline result{kFormatMajor, container.minor, container.producer, {}};
  for (const Section& section : container.sections)
    result.sections.push_back({name_of(section), section.offset, section.bytes});
  return result;
}

}  // namespace openqnn::program
