// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a profile log (docs/profile_log.md): a head, then blocks that are only ever added at the end.
// A block is its kind, flags and size, the contents, and a checksum of all that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "profile/log.h"
#include "program/bytes_io.h"

namespace openqnn::profile {

inline constexpr uint32_t kLogMajor = 1;
inline constexpr uint32_t kLogMinor = 0;
inline constexpr size_t kLogHeadBytes = 16;
inline constexpr size_t kBlockHeadBytes = 16;
inline constexpr size_t kChecksumBytes = 8;

enum class BlockKind : uint32_t {
  kSession = 1,  // LogHead
  kRecords = 2,  // the offset of their session's block, records
  kLeftOut = 3,  // the offset of the session's block, how many records were left out
};

// A reader that does not know the kind of a block with this flag must refuse the file.
inline constexpr uint32_t kBlockRequired = 1;

std::vector<std::byte> log_head();
// Refuses bytes that do not begin with a head that this version can read.
Status check_log_head(std::span<const std::byte> bytes);

std::vector<std::byte> make_block(BlockKind kind, std::span<const std::byte> contents);

// Writes the checksum of every block anew, as far as their sizes can be followed. Tests and the fuzzer use it
// to get damaged bytes past the checksums.
void seal_log(std::span<std::byte> bytes);

// ---- Contents, field by field. A field added to a struct does not compile until it is described here, too
// (and the format's version is raised).

template <class Archive>
void describe(Archive& archive, program::Field<Archive, LogEvent>& event) {
  auto& [depth, type, unit, kind, data_type, bits, text, object, timestamp, identifier] = event;
  auto kind_number = static_cast<uint8_t>(kind);
  archive(depth, type, unit, kind_number, data_type, bits, text, object, timestamp, identifier);
  if constexpr (Archive::kReads) {
    if (kind_number > static_cast<uint8_t>(LogValueKind::kObject))
      archive.fail(concat("no kind of value has the number ", +kind_number));
    else
      kind = static_cast<LogValueKind>(kind_number);
  }
}

template <class Archive>
void describe(Archive& archive, program::Field<Archive, LogRecord>& record) {
  auto& [start_time, stop_time, start_memory, stop_memory, method, visibility, graph, events] = record;
  archive(start_time, stop_time, start_memory, stop_memory, method, visibility, graph, events);
}

template <class Archive>
void describe(Archive& archive, program::Field<Archive, LogHead>& head) {
  auto& [application, application_version, backend_version, producer] = head;
  archive(application, application_version, backend_version, producer);
}

}  // namespace openqnn::profile
