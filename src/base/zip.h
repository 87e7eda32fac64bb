// SPDX-License-Identifier: BSD-3-Clause
// Zip archives of stored (not compressed) entries: what a `.dlc` is. Any unzip reads what is written here,
// and entries are used straight from the mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/blob.h"
#include "base/result.h"

namespace openqnn {

struct ZipEntry {
  std::string name;
  std::vector<Blob> pieces;  // its content, one after another; each is released when it is written
};

// Written to a temporary name and renamed. Each entry's content begins at a multiple of 64 bytes.
Status write_zip(const std::filesystem::path& path, const std::vector<ZipEntry>& entries);
// The same archive in memory.
std::vector<std::byte> zip_bytes(const std::vector<ZipEntry>& entries);

class ZipReader {
 public:
  struct Entry {
    std::string name;
    std::span<const std::byte> bytes;
    uint32_t crc = 0;
    bool stored = true;  // else it is compressed, and `bytes` are the compressed ones
  };
  // Refuses bytes that are no archive, and entries that lie outside of it. `source` names it in diagnostics.
  static Result<ZipReader> open(std::span<const std::byte> bytes, std::string_view source);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace openqnn
