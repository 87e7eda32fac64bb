// SPDX-License-Identifier: BSD-3-Clause
// The context binary: a ProgramSet as bytes. The format is documented in docs/context_binary.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "program/program.h"

namespace openqnn::program {

inline constexpr uint32_t kFormatMajor = 7;
inline constexpr uint32_t kFormatMinor = 0;

// Deterministic: the same set gives the same bytes.
std::vector<std::byte> write_context_binary(const ProgramSet& set);
// How many bytes that would give; and of these, one Program.
uint64_t context_binary_bytes(const ProgramSet& set);
uint64_t program_bytes(const Program& program);

// What is checked when a binary is read. Metadata always is.
enum class DataCheck : uint8_t {
  kNow,       // checksums of the data too
  kDeferred,  // the caller calls verify_data before the first use (persistent loads)
  kUnused,    // the data will not be used (tools that show a binary): the set's constants stay empty
};

// Reads without copying the data: the set's constants point into `bytes`, which `owner` keeps alive. The
// Programs have passed verify_ops and verify_schedule. Unless the data is unused, `bytes` must be aligned
// (data_is_aligned): kernels read constants in place.
Result<ProgramSet> read_context_binary(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                       DataCheck check);

// Whether the constants of a binary at this address lie at multiples of kTensorAlignment, as a mapping's do.
// When not, the caller reads an aligned_copy.
bool data_is_aligned(std::span<const std::byte> bytes);

struct OwnedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};
Result<OwnedBytes> aligned_copy(std::span<const std::byte> bytes);

// Checks the data checksums of a binary whose metadata was read before.
Status verify_data(std::span<const std::byte> bytes);

// The outside of a binary, for tools that show it.
struct SectionInfo {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
struct BinaryOutline {
  uint32_t format_major = 0;
  uint32_t format_minor = 0;
  std::string producer;  // the version of openqnn that wrote it
  std::vector<SectionInfo> sections;
};
Result<BinaryOutline> outline(std::span<const std::byte> bytes);

}  // namespace openqnn::program
