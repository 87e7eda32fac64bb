// SPDX-License-Identifier: BSD-3-Clause
// The outside that schematics and op traces share: magic, version, contents, checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::profile {

struct SealedKind {
  std::string_view magic;  // 8 bytes
  uint32_t major;
  uint32_t minor;
  std::string_view name;  // "op trace", in sentences
  std::string_view code;  // "op-trace", in codes of diagnostics
};

// Magic, u32 major, u32 minor; the contents follow.
inline constexpr size_t kSealedHeadBytes = 16;

bool begins_as(const SealedKind& kind, std::span<const std::byte> bytes);
std::vector<std::byte> seal(const SealedKind& kind, std::span<const std::byte> contents);
// The contents, once magic, version and checksum are right.
Result<std::span<const std::byte>> unseal(const SealedKind& kind, std::span<const std::byte> bytes);
// Writes the checksum anew: for tests and fuzzers, which want damaged contents to be read.
void reseal(std::span<std::byte> bytes);

}  // namespace openqnn::profile
