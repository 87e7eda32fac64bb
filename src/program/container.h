// SPDX-License-Identifier: BSD-3-Clause
// The outside of a context binary: header, section table, checksums. Knows nothing of Programs; what lies in
// the sections is described in describe.h. Offsets and sizes here are docs/context_binary.md's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace openqnn::program {

// The first bytes of a file. The line feed at the end shows a transfer that rewrites line ends.
inline constexpr std::string_view kContextBinaryMagic = "OQNNCTX\n";

// Where the version of its format stands in every file of ours, behind eight bytes of magic.
inline constexpr size_t kMajorAt = 8;
inline constexpr size_t kMinorAt = 12;

inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kEntryBytes = 40;
inline constexpr uint64_t kSectionAlignment = 8;
inline constexpr uint64_t kDataAlignment =
    4 * kKiB;                                 // a page, so that a mapping gives pages of constants only
inline constexpr uint64_t kDataChunk = kMiB;  // one checksum each

enum class SectionKind : uint32_t {
  kSet = 1,            // counts that concern all Programs
  kProgram = 2,        // one Program; the index counts them
  kDataChecksums = 3,  // XXH3-64 of each kDataChunk of the data
  kData = 4,           // the constants
};

// A reader that does not know the kind of a section with this flag must refuse the file.
inline constexpr uint32_t kSectionRequired = 1;

struct Section {
  SectionKind kind = SectionKind::kSet;
  uint32_t index = 0;
  uint32_t flags = kSectionRequired;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint64_t checksum = 0;  // 0 for the data
};

std::string name_of(const Section& section);

// A context binary whose outside is sound: every section lies inside it, in order and apart from the others.
struct Container {
  std::span<const std::byte> bytes;
  uint32_t minor = 0;    // of the format; the major is ours
  std::string producer;  // the version that wrote it; empty when that is not plain text
  std::vector<Section> sections;

  const Section* find(SectionKind kind, uint32_t index = 0) const;
  std::span<const std::byte> contents(const Section& section) const {
    return bytes.subspan(section.offset, section.bytes);
  }
};

// Checks everything but the checksums of the data.
Result<Container> open_container(std::span<const std::byte> bytes);

// Checks the checksums of the data against `container`'s table of them.
Status check_data(const Container& container);

// A section to be written: its place and checksum are found here.
struct Contents {
  SectionKind kind;
  uint32_t index;
  std::span<const std::byte> bytes;
};
// Lays the sections out in the order given, adds the data and its checksums, and seals.
std::vector<std::byte> build_container(std::span<const Contents> metadata, std::span<const std::byte> data);
// How many bytes that gives, from the sizes alone.
uint64_t container_bytes(std::span<const uint64_t> metadata, uint64_t data);

// Writes every checksum anew, as far as the section table can be followed. The last step of writing; tests
// and the fuzzer use it to get damaged bytes past the checksums.
void seal(std::span<std::byte> bytes);

// Why bytes that do not begin with our magic cannot be read, with what they look like.
Diagnostic not_a_context_binary(std::span<const std::byte> bytes);

}  // namespace openqnn::program
