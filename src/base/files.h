// SPDX-License-Identifier: BSD-3-Clause
// Reading files by mapping, writing them so that a reader sees the old file or the new one, never half of
// either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace openqnn {

// A read-only mapping of a whole file; the bytes live as long as the object.
class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  // Gives the memory of `part` back; its bytes are read from the file again when somebody looks at them.
  void release(std::span<const std::byte> part) const;

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

Result<std::string> read_text_file(const std::filesystem::path& path);

// Writes a temporary file in the same folder, syncs, and renames it over `path`. A process that is killed
// meanwhile leaves no temporary file behind, where the file system has files without a name.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
Status write_file(const std::filesystem::path& path, std::string_view text);
// The same for what is made piece by piece and never held in memory as a whole. When `produce` fails, there
// is no new file.
using WritePiece = std::function<Status(std::span<const std::byte>)>;
Status write_file(const std::filesystem::path& path, const std::function<Status(const WritePiece&)>& produce);

// A regular file that grows at its end. Nobody else who takes the same lock (flock) changes it while this
// object lives, be it another thread or another process.
class AppendableFile {
 public:
  enum class IfMissing : uint8_t { kFail, kCreate };
  static Result<AppendableFile> open(const std::filesystem::path& path, IfMissing if_missing);
  AppendableFile(AppendableFile&& other) noexcept;
  AppendableFile& operator=(AppendableFile&&) = delete;
  ~AppendableFile();

  uint64_t size() const { return size_; }
  // Fills `into` with what begins at `offset`, which must lie inside the file.
  Status read(uint64_t offset, std::span<std::byte> into) const;
  // All of the bytes or none: a write that fails half-way is taken back.
  Status append(std::span<const std::byte> bytes);
  // Drops what lies behind its first `size` bytes.
  Status cut(uint64_t size);

 private:
  AppendableFile(std::filesystem::path path, int descriptor, uint64_t size);

  std::filesystem::path path_;
  int descriptor_;
  uint64_t size_;
};

}  // namespace openqnn
